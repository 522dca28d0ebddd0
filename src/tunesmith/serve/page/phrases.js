// A phrase derivation as a picture: phrases of both sides in their order, joined by links.

import { drawn, link, measured } from "./boxes.js";
import { shape } from "./dom.js";

const GAP = 10;
const BETWEEN = 64;

/** What the phrases of both sides say. */
function sides(sentence, alternative, steps) {
  const source = steps.map((step) => sentence.tokens.slice(...step.source).join(" "));
  const target = steps.map((step) => alternative.tokens.slice(...step.target).join(" ") || "–");
  return { source, target };
}

/**
 * The picture as a shape for each step, and its size.
 *
 * Rows above each other where the width allows it, otherwise columns beside each other.
 */
export function drawPhrases(sentence, alternative, width) {
  const steps = alternative.steps;
  const words = sides(sentence, alternative, steps);
  const order = steps.map((_, i) => i).sort((a, b) => steps[a].source[0] - steps[b].source[0]);
  const rank = [];
  order.forEach((step, place) => (rank[step] = place));
  const crosses = steps.map((_, i) => steps.some((_, j) => (i < j) !== (rank[i] < rank[j]) && i !== j));
  const above = words.source.map((text) => measured([text]));
  const below = words.target.map((text) => measured([text]));
  const need = (boxes) => boxes.reduce((sum, box) => sum + box.width + GAP, -GAP);
  const wide = Math.max(need(above), need(below));
  const picture = wide <= width
    ? inRows(above, below, order, Math.max(wide, Math.min(width, wide)))
    : inColumns(words, order, width);
  return { ...picture, steps, crosses, groups: picture.parts.map((parts, i) =>
    shape("g", { class: crosses[i] ? "crossing" : "" }, ...parts)) };
}

function inRows(above, below, order, width) {
  const tops = placed(above, order, (box) => box.width, GAP);
  const bottoms = placed(below, below.map((_, i) => i), (box) => box.width, GAP);
  const [left, right] = [(width - tops.end) / 2, (width - bottoms.end) / 2];
  const high = Math.max(...above.map((box) => box.height));
  const low = high + BETWEEN;
  const parts = above.map((box, i) => {
    const [x, z] = [left + tops.at[i], right + bottoms.at[i]];
    const [from, to] = [x + box.width / 2, z + below[i].width / 2];
    const bend = BETWEEN / 2;
    return [
      link(`M${from} ${high}C${from} ${high + bend} ${to} ${low - bend} ${to} ${low}`),
      drawn(box, x, 0, "from"),
      drawn(below[i], z, low, "to"),
    ];
  });
  return { parts, width, height: low + Math.max(...below.map((box) => box.height)) };
}

function inColumns(words, order, width) {
  const between = Math.min(BETWEEN, width / 5);
  const limit = (width - between) / 2;
  const [source, target] = [words.source, words.target].map((texts) => texts.map((text) => measured([text], limit)));
  const lefts = placed(source, order, (box) => box.height, GAP);
  const rights = placed(target, target.map((_, i) => i), (box) => box.height, GAP);
  const edge = Math.max(...source.map((box) => box.width));
  const far = edge + between;
  const parts = source.map((box, i) => {
    const [y, z] = [lefts.at[i], rights.at[i]];
    const [from, to] = [y + box.height / 2, z + target[i].height / 2];
    const bend = between / 2;
    return [
      link(`M${edge} ${from}C${edge + bend} ${from} ${far - bend} ${to} ${far} ${to}`),
      drawn(box, edge - box.width, y, "from"),
      drawn(target[i], far, z, "to"),
    ];
  });
  const wide = far + Math.max(...target.map((box) => box.width));
  return { parts, width: wide, height: Math.max(lefts.end, rights.end) };
}

/** Where boxes begin that stand in a row in an order. */
function placed(boxes, order, size, gap) {
  const at = [];
  let end = 0;
  for (const i of order) {
    at[i] = end;
    end += size(boxes[i]) + gap;
  }
  return { at, end: end - gap };
}
