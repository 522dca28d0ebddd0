// The picture of a derivation, what is known of the rule in focus, and the same as text.

import { element, find, focusOnly, roving, shape, tabStop } from "./dom.js";
import { drawPhrases } from "./phrases.js";
import { plain, signed } from "./scoring.js";
import { drawTree } from "./tree.js";

const MARGIN = 3; // room for the line around a box
const FEATURES_SHOWN = 12;

export class Picture {
  constructor() {
    this.place = find("picture");
    this.rule = find("rule");
    this.text = find("derivation-text");
    this.width = 0;
    this.groups = [];
    roving(this.place, () => this.groups);
    new ResizeObserver(() => {
      if (this.shown && this.place.clientWidth !== this.width) this.draw();
    }).observe(this.place);
  }

  show(sentence, alternative) {
    const same = this.shown?.alternative === alternative;
    this.shown = { sentence, alternative };
    if (!same) this.draw();
  }

  draw() {
    const { sentence, alternative } = this.shown;
    this.width = this.place.clientWidth;
    if (!this.width) return; // not to be seen yet
    const tree = (this.tree = alternative.steps.some((step) => step.children.length));
    const focused = this.groups.indexOf(document.activeElement);
    const drawing = (tree ? drawTree : drawPhrases)(sentence, alternative, this.width - 2 * MARGIN);
    this.groups = drawing.groups;
    this.groups.forEach((group, i) => {
      const step = drawing.steps[i];
      group.classList.add("step");
      if (!step.rule.in_table) group.classList.add("copied");
      group.setAttribute("role", "option");
      group.setAttribute("aria-selected", "false");
      group.setAttribute("aria-label", [`${step.rule.source} → ${step.rule.target || "nothing"}`,
        ...evidence(step.rule), drawing.crosses[i] ? "reordered" : ""].filter(Boolean).join(", "));
      for (const event of ["pointerenter", "focus", "click"]) group.addEventListener(event, () => this.point(i));
      group.addEventListener("pointerleave", () => this.point(this.groups.indexOf(document.activeElement)));
    });
    tabStop(this.groups, Math.max(focused, 0));
    const [width, height] = [drawing.width + 2 * MARGIN, drawing.height + 2 * MARGIN];
    this.place.replaceChildren(shape("svg", {
      role: "listbox", width, height, viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`,
      "aria-label": `${tree ? "Tree" : "Picture"} of the derivation, ${this.groups.length} `
        + `${tree ? "rules" : "phrases"} in the order of the translation`,
    }, ...this.groups));
    this.drawing = drawing;
    this.point(-1);
    if (focused >= 0) focusOnly(this.groups, Math.min(focused, this.groups.length - 1));
    this.text.replaceChildren(asText(drawing.steps, alternative));
  }

  /** Show what is known of a step. */
  point(index) {
    this.groups.forEach((group, i) => {
      group.classList.toggle("active", i === index);
      group.setAttribute("aria-selected", i === index);
    });
    const step = this.drawing.steps[index];
    this.rule.replaceChildren(...(step
      ? described(step, this.drawing.crosses[index], this.shown.sentence.unknown ?? [])
      : [hint(this.tree)]));
  }
}

const hint = (tree) => element("p", { class: "hint" }, tree
  ? "Point at a rule, or move with the arrow keys, to see what is known of it. [1] and [2] are its gaps; rules that turn their order around have a frame."
  : "Point at a phrase, or move with the arrow keys, to see its rule. Links that cross show reordering.");

/** What training has seen of a rule. */
function evidence(rule) {
  if (!rule.in_table) return ["not in the table: copied, forced or corrected"];
  return [
    typeof rule.probability === "number" ? `p = ${rule.probability.toFixed(3)}` : "",
    rule.seen ? `seen together ${times(rule.together)}, the source side ${times(rule.seen)}` : "",
  ].filter(Boolean);
}

function times(number) {
  const whole = Math.round(number);
  return whole === 1 ? "once" : `${whole.toLocaleString("en")} times`;
}

/** What became of the unknown words that a step covers. */
function replacements([begin, end], unknown) {
  return unknown.filter(({ span, reason }) => reason !== "copied" && span[0] < end && begin < span[1])
    .map(({ source, seen, reason }) => `“${source}” is unknown: translated as “${seen}” (${reason})`);
}

function described({ rule, source, features: own }, crosses, unknown) {
  const learned = Object.entries(own ?? {}).sort((one, other) => Math.abs(other[1]) - Math.abs(one[1]));
  const features = [...Object.entries(rule.features ?? {}), ...learned];
  const said = [...evidence(rule), crosses ? "reordered" : "", ...replacements(source, unknown)].filter(Boolean);
  return [
    element("p", { class: "pair" },
      element("span", { dir: "auto" }, rule.source), " → ", element("strong", { dir: "auto" }, rule.target || "–")),
    element("p", { class: "evidence" }, said.join(" · ") || "a rule of the grammar"),
    features.length ? element("ul", { class: "chips" },
      ...features.slice(0, FEATURES_SHOWN).map(([name, value]) =>
        element("li", {}, `${name} `, element("b", {}, signed(value, 3)))),
      features.length > FEATURES_SHOWN ? element("li", {}, `and ${features.length - FEATURES_SHOWN} others`) : null)
      : null,
  ].filter(Boolean);
}

function asText(steps, alternative) {
  const depths = new Map();
  const walk = (step, depth) => {
    depths.set(step, depth);
    step.children.forEach((child) => walk(child, depth + 1));
  };
  alternative.steps.forEach((step) => walk(step, 0));
  return element("div", {},
    element("p", {}, `Score ${plain(alternative.score, 3)}. Rules in the order of the translation:`),
    element("ol", {}, ...steps.map((step) => element("li", {},
      depths.get(step) ? `${"– ".repeat(depths.get(step))}` : "",
      element("span", { dir: "auto" }, step.rule.source), " → ",
      element("span", { dir: "auto" }, step.rule.target || "nothing"),
      [""].concat(evidence(step.rule)).join(", ")))));
}
