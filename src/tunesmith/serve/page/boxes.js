// Boxes with words in them: what the pictures of phrases and of trees are made of.

import { shape, textWidth } from "./dom.js";

export const LINE = 20;
export const PAD = 10;
const FONT_SIZE = 16;

const font = () => `${FONT_SIZE}px ${getComputedStyle(document.body).fontFamily}`;

/** Texts broken into lines of at most `limit` pixels, with the size of the box around them. */
export function measured(texts, limit = Infinity) {
  const face = font();
  const lines = texts.flatMap((text, row) => wrapped(text, limit - 2 * PAD, face).map((line) => ({ line, row })));
  const width = Math.max(...lines.map(({ line }) => textWidth(line, face)), 8);
  return { lines, width: Math.min(width + 2 * PAD, limit), height: lines.length * LINE + PAD };
}

function wrapped(text, limit, face) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ").flatMap((one) => broken(one, limit, face))) {
    const longer = line ? `${line} ${word}` : word;
    if (line && textWidth(longer, face) > limit) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** A word that is wider than the box, in pieces. */
function broken(word, limit, face) {
  if (textWidth(word, face) <= limit) return [word];
  const pieces = [];
  let piece = "";
  for (const letter of word) {
    if (piece && textWidth(piece + letter, face) > limit) {
      pieces.push(piece);
      piece = "";
    }
    piece += letter;
  }
  return [...pieces, piece];
}

/** The box as a shape; rows of text have the class `row0`, `row1`, … */
export function drawn(box, x, y, kind) {
  const middle = x + box.width / 2;
  return shape("g", { class: `box ${kind}` },
    shape("rect", { x, y, width: box.width, height: box.height, rx: 7 }),
    ...box.lines.map(({ line, row }, i) => shape("text", {
      class: `row${row}`, x: middle, y: y + PAD / 2 + i * LINE + 15, "text-anchor": "middle",
    }, line)));
}

/** A line between boxes, with more room around it for the mouse. */
export const link = (d) =>
  shape("g", {}, shape("path", { class: "reach", d }), shape("path", { class: "link", d }));
