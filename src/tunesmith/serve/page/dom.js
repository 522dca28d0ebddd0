// Elements from plain values. Text is always text: nothing here, or anywhere in the page, parses HTML.

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

/** An element with attributes (`on…` are listeners; what is null, or false, is left out) and children. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same in a picture. */
export function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (key.startsWith("aria-")) node.setAttribute(key, value);
    else if (value === false) continue;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Show a line of text, or hide its place when there is nothing to say. */
export function say(node, text) {
  node.textContent = text;
  node.hidden = !text;
}

/** The width of a text in a font, in pixels. */
export function textWidth(text, font) {
  const context = (textWidth.context ??= document.createElement("canvas").getContext("2d"));
  context.font = font;
  return context.measureText(text).width;
}

/**
 * One tab stop for a group: arrow keys, Home and End move the focus within it.
 * `moved(index, event)` is called when a key has moved it.
 */
export function roving(group, items, moved = () => {}) {
  group.addEventListener("keydown", (event) => {
    const all = items();
    const here = all.indexOf(document.activeElement);
    if (here < 0) return;
    const steps = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1,
      Home: 0, End: all.length - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const there = Math.min(Math.max(steps[event.key], 0), all.length - 1);
    focusOnly(all, there);
    moved(there, event);
  });
}

/** Focus one of a group's items, and make it the group's tab stop. */
export function focusOnly(all, index) {
  tabStop(all, index);
  all[index]?.focus();
}

export function tabStop(all, index) {
  all.forEach((item, i) => item.setAttribute("tabindex", i === index ? "0" : "-1"));
}
