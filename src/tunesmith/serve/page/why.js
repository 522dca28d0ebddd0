// “Why this one?”: what each feature adds to two translations, and a slider for each weight.

import { element, find, say } from "./dom.js";
import { contributions, plain, score, signed } from "./scoring.js";

const STEPS = 200; // of a slider, from end to end
const REST = "sparse features";
const FIRST = 8; // rows that are shown at first

export class Why {
  /** `moved(name, weight)` is called while a slider moves, `compared(text)` when another one is wanted. */
  constructor({ moved, compared, reset }) {
    this.place = find("why");
    this.other = find("other");
    this.moved = moved;
    this.rows = new Map();
    this.other.addEventListener("change", () => compared(this.other.value));
    find("reset").addEventListener("click", reset);
  }

  /** A new model: its features, with sliders that reach well beyond its weights. */
  features(features) {
    const sizes = features.map(({ weight }) => Math.abs(weight)).filter(Boolean).sort((a, b) => a - b);
    const middle = sizes[sizes.length >> 1] ?? 1;
    const reach = ({ weight }) => Math.max(3 * Math.abs(weight), 2 * middle);
    this.names = features.map((feature) => feature.name);
    this.rows = new Map();
    for (const feature of features) this.rows.set(feature.name, this.row(feature, reach(feature)));
    this.rows.set(REST, this.row({ name: REST, meaning: "all of them together, with the model's weights" }));
    this.sum = this.row({ name: "Score", meaning: "" });
    this.sum.line.classList.add("sum");
    const titles = ["Feature", "Weight", "Chosen", "Other", "Difference"];
    this.body = element("tbody", { role: "rowgroup" });
    this.place.replaceChildren(element("table", { class: "why", role: "table" },
      element("caption", { class: "unseen" }, "What each feature adds to the score of two translations"),
      element("thead", { role: "rowgroup" }, element("tr", { role: "row" },
        ...titles.map((title) => element("th", { scope: "col", role: "columnheader" }, title)))),
      this.body));
    this.more = element("button", { type: "button", class: "quiet", onclick: () => this.unfold(!this.unfolded) });
    this.place.append(this.more);
    this.unfold(false);
  }

  unfold(all) {
    this.unfolded = all;
    this.place.classList.toggle("all", all);
    this.more.textContent = all ? "Show fewer" : `Show all ${this.names.length} features`;
  }

  row({ name, meaning }, reach) {
    const bars = ["Chosen", "Other", "Difference"].map((title) => {
      const number = element("span", { class: "number" });
      const fill = element("span", { class: "fill" });
      const value = element("span", { class: "value" });
      const bar = element("span", { class: "bar", "aria-hidden": "true" }, fill);
      return { number, fill, value, bar,
        cell: element("td", { role: "cell", "data-title": title },
          element("span", { class: "numbers" }, number, value), bar) };
    });
    const row = { name, bars, reach };
    const weight = element("td", { role: "cell", "data-title": "Weight", class: "weight" });
    if (reach) {
      row.slider = element("input", { type: "range", min: -reach, max: reach, step: (2 * reach) / STEPS,
        "aria-label": `Weight of ${name}`,
        oninput: () => this.moved(name, Number(row.slider.value)) });
      row.shown = element("output", { class: "number" });
      row.was = element("span", { class: "was" });
      weight.append(row.slider, element("span", { class: "numbers" }, row.shown, row.was));
    }
    row.line = element("tr", { role: "row" },
      element("th", { scope: "row", role: "rowheader" }, element("span", { class: "name" }, ...breakable(name)),
        element("span", { class: "meaning" }, meaning)),
      weight, ...bars.map((bar) => bar.cell));
    return row;
  }

  /** Weights as they are, `usual` those of the model; sliders that nobody holds follow. */
  weigh(weights, usual) {
    let changed = 0;
    for (const name of this.names) {
      const row = this.rows.get(name);
      const weight = weights[name] ?? 0;
      const other = weight !== (usual[name] ?? 0);
      changed += other;
      if (!other || document.activeElement !== row.slider) row.slider.value = weight;
      row.slider.setAttribute("aria-valuetext", plain(weight, 4));
      row.shown.textContent = plain(weight, 4);
      row.was.textContent = other ? `was ${plain(usual[name] ?? 0, 4)}` : "";
      row.line.classList.toggle("changed", other);
    }
    find("reset").disabled = !changed;
  }

  /** Compare the chosen one with another one of the ranking. */
  show(ranking, pick, wanted, weights, used) {
    const others = ranking.map(({ alternative }) => alternative).filter((one) => one !== pick);
    const other = others.find((one) => one.text === wanted) ?? others[0] ?? null;
    this.other.replaceChildren(...others.map((one) => element("option", { value: one.text }, one.text)));
    this.other.disabled = !others.length;
    if (other) this.other.value = other.text;
    else this.other.append(element("option", {}, "there is no other one"));

    const one = contributions(pick, this.names, weights, used);
    const two = other && contributions(other, this.names, weights, used);
    const cells = this.names.map((name) => ({ name, values: [pick.features[name] ?? 0, other?.features[name] ?? 0],
      adds: [one.adds[name], two?.adds[name] ?? null] }));
    cells.push({ name: REST, values: [], adds: [one.rest, two?.rest ?? null] });
    const largest = Math.max(...cells.flatMap(({ adds }) => adds.map(Math.abs)), 1e-9);
    const apart = Math.max(...cells.map((cell) => Math.abs(between(cell.adds))), 1e-9);
    for (const { name, values, adds } of cells) {
      const { bars, line } = this.rows.get(name);
      line.hidden = name === REST && adds.every((number) => Math.abs(number ?? 0) < 1e-6);
      paint(bars[0], adds[0], largest, 2, values[0]);
      paint(bars[1], adds[1], largest, 2, values[1]);
      paint(bars[2], other ? between(adds) : null, apart, 3);
    }
    const sums = [score(pick, weights, used), other && score(other, weights, used)];
    this.sum.bars.forEach((bar, i) => {
      const number = i < 2 ? sums[i] : other && between(sums);
      bar.number.textContent = number === null ? "–" : (i < 2 ? plain : signed)(number, 3);
    });
    this.sort(cells);
    find("verdict").textContent = other ? verdict(cells, between(sums)) : "";
    say(find("best-now"), find("reset").disabled ? "" : `Best with these weights: ${ranking[0].alternative.text}`);
  }

  /** What makes the largest difference first; while somebody works in the table its rows stay where they are. */
  sort(cells) {
    if (this.body.contains(document.activeElement) && this.body.childElementCount) return;
    const size = ({ adds }) => [between(adds), ...adds].map((number) => Math.abs(number ?? 0));
    const order = cells.map((cell) => ({ ...cell, size: size(cell) }))
      .sort((a, b) => b.size[0] - a.size[0] || b.size[1] - a.size[1] || (a.name < b.name ? -1 : 1));
    this.body.replaceChildren(...order.map(({ name }) => this.rows.get(name).line), this.sum.line);
    order.forEach(({ name }, i) => this.rows.get(name).line.classList.toggle("later", i >= FIRST));
    this.more.hidden = order.length <= FIRST;
  }
}

/** A name that may be broken behind its dots. */
const breakable = (name) => name.split(/(?<=[.:])/).flatMap((part) => [part, element("wbr")]);

const between = ([one, two]) => one - (two ?? one);

/** A number and its bar: to the right of the middle if it is positive, to the left if negative. */
function paint({ number, fill, value, bar }, adds, largest, digits, times) {
  number.textContent = adds === null ? "–" : signed(adds, digits);
  value.textContent = times === undefined || adds === null ? "" : `× ${plain(times, 1)}`;
  bar.hidden = adds === null;
  const share = (50 * Math.abs(adds ?? 0)) / largest;
  fill.style.width = `${share}%`;
  fill.style.left = adds < 0 ? `${50 - share}%` : "50%";
  fill.classList.toggle("negative", adds < 0);
}

/** In a sentence: how far ahead, and what speaks most for and against. */
function verdict(cells, ahead) {
  const apart = cells.map(({ name, adds }) => ({ name, by: between(adds) }))
    .filter(({ by }) => Math.abs(by) >= 0.005).sort((one, two) => Math.abs(two.by) - Math.abs(one.by));
  const named = (side) => apart.filter(({ by }) => side * by > 0).slice(0, 3)
    .map(({ name, by }) => `${name} ${signed(by)}`).join(", ");
  const [pro, contra] = [named(1), named(-1)];
  return [
    ahead >= 0 ? `The chosen one is ahead by ${plain(ahead, 3)}.` : `The chosen one is behind by ${plain(-ahead, 3)}.`,
    pro && `For it: ${pro}.`,
    contra && `Against it: ${contra}.`,
  ].filter(Boolean).join(" ");
}
