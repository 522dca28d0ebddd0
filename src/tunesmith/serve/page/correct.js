// Corrections: send one, see what was learned, undo it; the log of all of them.

import { marked } from "./difference.js";
import { element, find, say } from "./dom.js";
import { kept } from "./kept.js";
import { plain } from "./scoring.js";
import { ask } from "./server.js";

const RULES_SHOWN = 8;
const NOT_ADAPTABLE = "This server does not learn from corrections with this model. Started with --adapt FOLDER "
  + "it does, from those who have its token (tunesmith serve --help); only hierarchical models whose grammar is a "
  + "file never learn. The model itself is not changed: what is learned is a layer on top of it.";

export class Correct {
  /** `learned()` is called when the server has learned or unlearned something. */
  constructor(learned) {
    this.learned = learned;
    this.field = find("correction");
    this.token = find("token");
    this.token.value = kept.token;
    this.token.addEventListener("input", () => (kept.token = this.token.value));
    find("correct").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) find("correct").requestSubmit();
    });
    find("show-log").addEventListener("click", () => this.log());
  }

  model({ name, adaptable, source, target }) {
    this.name = name;
    this.languages = { source, target };
    find("adaptable").hidden = !adaptable;
    say(find("not-adaptable"), adaptable ? "" : NOT_ADAPTABLE);
    find("learned").replaceChildren();
    find("log").replaceChildren();
    say(find("correct-problem"), "");
  }

  /** Another sentence or choice: its text is what there is to correct, unless one is at it. */
  show(sentence, text) {
    if (this.sentence?.source === sentence.source && this.shown !== this.field.value) return;
    this.sentence = sentence;
    this.shown = this.field.value = text;
    this.field.lang = this.languages.target;
  }

  async send() {
    const correction = this.field.value.replace(/\s+/g, " ").trim();
    const { sentence, shown } = this;
    await this.doing("Learning …", async (options) => {
      const answer = await ask("api/adapt", { model: this.name, source: sentence.source, correction,
        translation: shown }, options);
      this.shown = this.field.value; // what comes back may take its place
      find("learned").replaceChildren(...this.told(answer, correction));
    });
  }

  async undo(id) {
    await this.doing("Undoing …", async (options) => {
      const answer = await ask("api/adapt/undo", { model: this.name, id }, options);
      this.shown = this.field.value;
      find("learned").replaceChildren(element("p", {}, `Correction ${answer.id} is undone.`));
      find("learned").focus(); // the button that was pressed is gone
    });
  }

  /** Change something on the server, then show the log and have the text translated anew. */
  async doing(what, work) {
    if (this.busy) return;
    this.busy = true;
    say(find("correct-problem"), "");
    find("learned").replaceChildren(element("p", { class: "hint" }, what));
    try {
      await work({ token: this.token.value });
    } catch (error) {
      find("learned").replaceChildren();
      this.refused(error);
      return;
    } finally {
      this.busy = false;
    }
    await Promise.all([this.log(), this.learned()]);
  }

  refused(error) {
    say(find("correct-problem"), error.message);
    if (error.status === 401 || error.status === 403) this.token.focus();
  }

  async log() {
    const name = this.name;
    try {
      const { corrections } = await ask(`api/adapt/log?model=${encodeURIComponent(name)}`, undefined,
        { token: this.token.value });
      if (name !== this.name) return;
      find("show-log").textContent = "Refresh";
      find("log").replaceChildren(...(corrections.length
        ? [...corrections].reverse().map((one) => this.entry(one))
        : [element("li", { class: "hint" }, "Nothing has been learned yet.")]));
    } catch (error) {
      this.refused(error);
    }
  }

  /** What the server says it has learned. */
  told({ id, before, after, reachable, rules = [], moved = {} }, correction) {
    const weights = Object.entries(moved);
    return [
      element("h3", {}, `Correction ${id} is learned`),
      element("dl", { class: "before-after" },
        element("dt", {}, "Before"), element("dd", { dir: "auto" }, ...marked(before, after, "del")),
        element("dt", {}, "After"), element("dd", { dir: "auto" }, ...marked(after, before, "ins"))),
      element("p", { class: "hint" }, [
        after === correction ? "The model now says what you wrote." : "The model has come nearer to what you wrote.",
        reachable ? "" : "It had no way to say it before.",
      ].filter(Boolean).join(" ")),
      rules.length ? element("div", {}, element("p", { class: "label" }, "New rules"),
        element("ul", { class: "chips" }, ...rules.slice(0, RULES_SHOWN).map((rule) =>
          element("li", {}, `${rule.source} → ${rule.target}`)),
        rules.length > RULES_SHOWN ? element("li", {}, `and ${rules.length - RULES_SHOWN} others`) : null))
        : null,
      weights.length ? element("div", {}, element("p", { class: "label" }, "Weights that moved most"),
        element("ul", { class: "chips" }, ...weights.map(([name, [old, now]]) =>
          element("li", {}, `${name} ${plain(old, 4)} → ${plain(now, 4)}`))))
        : null,
      element("button", { type: "button", onclick: () => this.undo(id) }, "Undo this correction"),
    ].filter(Boolean);
  }

  entry({ id, source, correction, before, undone, time }) {
    return element("li", { class: undone ? "undone" : "" },
      element("div", { class: "words" },
        element("span", { class: "kind" }, [`${id}`, undone ? "undone" : "", when(time)].filter(Boolean).join(" · ")),
        element("span", { dir: "auto", lang: this.languages.source, class: "from" }, source),
        element("span", { dir: "auto", lang: this.languages.target }, ...marked(before ?? "", correction, "del")),
        element("span", { dir: "auto", lang: this.languages.target }, ...marked(correction, before ?? "", "ins"))),
      undone ? null : element("button", { type: "button", class: "quiet",
        "aria-label": `Undo correction ${id}`, onclick: () => this.undo(id) }, "Undo"));
  }
}

function when(time) {
  const date = new Date(typeof time === "number" ? 1000 * time : time ?? NaN);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleString([], { dateStyle: "short", timeStyle: "short" });
}
