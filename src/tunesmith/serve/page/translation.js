// The translation as a whole: its layout, with the sentences to choose from.

import { element, find, focusOnly, roving, tabStop } from "./dom.js";
import { places } from "./places.js";

export class Translation {
  /** `chosen(index)` is called when a person turns to a sentence. */
  constructor(chosen) {
    this.place = find("target");
    this.chosen = chosen;
    this.items = [];
    roving(this.place, () => this.items, (index) => chosen(index));
  }

  /** Show the answer with `texts` in the place of its sentences' translations. */
  show(answer, texts, selected) {
    if (this.answer !== answer) this.lay(answer);
    this.items.forEach((item, i) => {
      if (item.textContent !== texts[i]) item.textContent = texts[i];
      if (texts[i]) item.removeAttribute("aria-label");
      else item.setAttribute("aria-label", "nothing");
      item.setAttribute("aria-selected", i === selected);
    });
    tabStop(this.items, selected);
    if (this.selected !== selected) this.reveal(this.items[selected]);
    this.selected = selected;
  }

  /** Scroll the translation, and nothing else, to a sentence. */
  reveal(item) {
    if (!item) return;
    const [own, all] = [item.getBoundingClientRect(), this.place.getBoundingClientRect()];
    if (own.top < all.top || own.bottom > all.bottom) this.place.scrollTop += own.top - all.top - all.height / 3;
  }

  /** Places for the sentences of a new answer; what had the focus has it still. */
  lay(answer) {
    const focused = this.items.indexOf(document.activeElement);
    this.answer = answer;
    this.items = answer.sentences.map((_, i) => element("span", {
      role: "option", class: "sentence", onclick: () => this.turn(i),
    }));
    const between = layout(answer);
    this.place.replaceChildren(between[0], ...this.items.flatMap((item, i) => [item, between[i + 1]]));
    if (focused >= 0 && this.items.length) focusOnly(this.items, Math.min(focused, this.items.length - 1));
  }

  clear() {
    this.answer = null;
    this.items = [];
    this.place.replaceChildren();
  }

  turn(index) {
    focusOnly(this.items, index);
    this.chosen(index);
  }

  get text() {
    return this.place.textContent;
  }
}

/** What stands before, between and behind the sentences of the whole translation. */
function layout({ translation, sentences }) {
  const found = places(translation, sentences.map((sentence) => sentence.translation));
  if (!found) return ["", ...sentences.map((_, i) => (i < sentences.length - 1 ? " " : ""))];
  const ends = [0, ...found.map(([, end]) => end)];
  const begins = [...found.map(([begin]) => begin), translation.length];
  return ends.map((end, i) => translation.slice(end, begins[i]));
}
