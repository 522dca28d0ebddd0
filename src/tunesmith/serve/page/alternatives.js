// The list of translations of a sentence, to choose from.

import { marked } from "./difference.js";
import { element, find } from "./dom.js";
import { plain } from "./scoring.js";

export class Alternatives {
  /** `chosen(alternative)` is called when a person picks one. */
  constructor(chosen) {
    this.place = find("alternatives");
    this.place.addEventListener("change", (event) => chosen(this.of.get(event.target)));
    this.of = new Map();
  }

  /** Show a ranking; what has the focus keeps it, also where it moves. */
  show(ranking, pick, language) {
    const focused = this.of.get(document.activeElement);
    const best = ranking[0]?.alternative.text ?? "";
    let again = null;
    this.of = new Map();
    this.place.lang = language;
    this.place.replaceChildren(...ranking.map(({ alternative, score }, i) => {
      const input = element("input", { type: "radio", name: "alternative", id: `alternative-${i}` });
      input.checked = alternative === pick;
      this.of.set(input, alternative);
      if (focused && focused.text === alternative.text) again = input;
      return element("label", { class: "alternative", for: input.id }, input,
        element("span", { class: "text", dir: "auto" }, ...(i ? marked(alternative.text, best) : [best])),
        element("span", { class: "score" }, plain(score)));
    }));
    if (focused) (again ?? this.place.querySelector("input"))?.focus();
  }
}
