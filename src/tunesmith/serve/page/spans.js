// Words of a sentence to select from, by mouse or keyboard: always one span of neighbours.

import { element, focusOnly, roving, tabStop } from "./dom.js";
import { places } from "./places.js";

export class Spans {
  /** `selected(text)` is called with the words as they were typed. */
  constructor(place, selected) {
    this.place = place;
    this.selected = selected;
    this.items = [];
    roving(place, () => this.items, (index, event) => this.select(event.shiftKey ? this.anchor : index, index));
    place.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      const index = this.items.indexOf(document.activeElement);
      if (index < 0) return;
      event.preventDefault();
      this.select(event.shiftKey ? this.anchor : index, index);
    });
    window.addEventListener("pointerup", () => (this.dragging = false));
  }

  show(sentence) {
    if (this.sentence?.source === sentence.source && `${this.sentence.tokens}` === `${sentence.tokens}`) return;
    this.sentence = sentence;
    this.anchor = 0;
    this.items = sentence.tokens.map((token, i) => {
      const item = element("span", { role: "option", "aria-selected": "false", class: "token" }, token);
      item.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        item.releasePointerCapture?.(event.pointerId);
        focusOnly(this.items, i);
        this.dragging = true;
        this.select(event.shiftKey ? this.anchor : i, i);
      });
      item.addEventListener("pointerenter", () => this.dragging && this.select(this.anchor, i));
      return item;
    });
    tabStop(this.items, 0);
    this.place.replaceChildren(...this.items);
  }

  select(anchor, index) {
    this.anchor = anchor;
    const [begin, end] = [Math.min(anchor, index), Math.max(anchor, index) + 1];
    this.items.forEach((item, i) => item.setAttribute("aria-selected", i >= begin && i < end));
    this.selected(typed(this.sentence, begin, end));
  }
}

/** The tokens [begin, end) as they stand in the text; put together with spaces where they are not found. */
export function typed({ source, tokens }, begin, end) {
  const text = source.toLowerCase();
  const found = text.length === source.length ? places(text, tokens.map((token) => token.toLowerCase())) : null;
  return found ? source.slice(found[begin][0], found[end - 1][1]) : tokens.slice(begin, end).join(" ");
}
