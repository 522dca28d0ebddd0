// Tabs: one panel at a time, arrow keys turn from one to the next.

import { find, focusOnly, roving } from "./dom.js";

export function tabs(list) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const turn = (index) => {
    all.forEach((tab, i) => {
      tab.setAttribute("aria-selected", i === index);
      find(tab.getAttribute("aria-controls")).hidden = i !== index;
    });
  };
  all.forEach((tab, i) => tab.addEventListener("click", () => {
    focusOnly(all, i);
    turn(i);
  }));
  roving(list, () => all, turn);
}
