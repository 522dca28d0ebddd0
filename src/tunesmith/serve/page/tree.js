// The derivation of a model with gaps as a tree: a box for each rule, both sides in it, its gaps below.

import { drawn, link, measured } from "./boxes.js";
import { shape } from "./dom.js";

const GAP = 14;
const LEVEL = 30;
const INDENT = 24;

/** The picture as a shape for each step, and its size: a tree, or an outline where it is narrow. */
export function drawTree(sentence, alternative, width) {
  const nodes = [];
  const grow = (step, depth, number) => {
    const node = { step, depth, number, box: measured([step.rule.source, step.rule.target || "–"]) };
    nodes.push(node);
    node.children = step.children.map((child, i) => grow(child, depth + 1, i + 1));
    node.width = Math.max(node.box.width, total(node.children));
    return node;
  };
  const roots = alternative.steps.map((step) => grow(step, 0, 0));
  const wide = total(roots);
  const height = wide <= width ? asTree(roots) : asOutline(nodes, width);
  const crosses = nodes.map(({ step }) => turned(step));
  return {
    width: Math.max(...nodes.map((node) => node.x + node.box.width)),
    height,
    steps: nodes.map((node) => node.step),
    crosses,
    groups: nodes.map((node, i) => shape("g", { class: crosses[i] ? "crossing" : "" },
      ...node.links, drawn(node.box, node.x, node.y, "both"), ...node.labels)),
  };
}

/** Whether a rule's gaps stand in another order in the source, or one on the other side of all its words. */
function turned({ source, target, children }) {
  return children.some((child, i) => (i > 0 && child.source[0] < children[i - 1].source[0])
    || (children.length === 1 && side(source, child.source) * side(target, child.target) < 0));
}

/** −1 where all of a span that is not the gap stands behind it, 1 where all of it stands before it, 0 else. */
const side = (span, gap) => (span[1] > gap[1] ? 0 : 1) - (span[0] < gap[0] ? 0 : 1);

const total = (nodes) => nodes.reduce((sum, node) => sum + node.width + GAP, nodes.length ? -GAP : 0);

function asTree(roots) {
  let bottom = 0;
  const place = (node, left, top, above) => {
    node.x = left + (node.width - node.box.width) / 2;
    node.y = top;
    bottom = Math.max(bottom, top + node.box.height);
    const middle = node.x + node.box.width / 2;
    node.links = above
      ? [link(`M${above.x} ${above.y}C${above.x} ${above.y + LEVEL / 2} ${middle} ${top - LEVEL / 2} ${middle} ${top}`)]
      : [];
    const outside = above && middle < above.x ? -1 : 1; // of the bend, so that the number is beside it
    node.labels = above ? [label(node, middle + 6 * outside, top - 5, outside < 0 ? "end" : "start")] : [];
    let x = left + (node.width - total(node.children)) / 2;
    for (const child of node.children) {
      place(child, x, top + node.box.height + LEVEL, { x: middle, y: top + node.box.height });
      x += child.width + GAP;
    }
  };
  let left = 0;
  for (const root of roots) {
    place(root, left, 0, null);
    left += root.width + GAP;
  }
  return bottom;
}

function asOutline(nodes, width) {
  const deepest = Math.max(...nodes.map((node) => node.depth));
  const indent = deepest ? Math.min(INDENT, (0.4 * width) / deepest) : 0;
  let y = 0;
  const parents = [];
  for (const node of nodes) {
    node.x = indent * node.depth;
    node.box = measured([node.step.rule.source, node.step.rule.target || "–"], width - node.x);
    node.y = y;
    parents[node.depth] = node;
    const above = parents[node.depth - 1];
    const middle = y + node.box.height / 2;
    const x = node.depth ? above.x + indent / 2 : 0;
    node.links = node.depth ? [link(`M${x} ${above.y + above.box.height}V${middle}H${node.x}`)] : [];
    node.labels = [];
    y += node.box.height + 8;
  }
  return y - 8;
}

const label = (node, x, y, anchor) =>
  shape("text", { class: "gap", x, y, "text-anchor": anchor }, `[${node.number}]`);
