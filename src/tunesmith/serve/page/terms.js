// Terminology: translations to force, words to forbid, words to keep; per model, kept in the browser.

import { element, find, say } from "./dom.js";
import { kept } from "./kept.js";
import { ask } from "./server.js";
import { Spans } from "./spans.js";

export class Terms {
  /** `changed()` is called when other terms are in force. */
  constructor(changed) {
    this.changed = changed;
    this.now = { terms: [], forbid: [] };
    this.spans = new Spans(find("tokens"), (text) => (find("term-source").value = text));
    const fields = { source: find("term-source"), target: find("term-target") };
    const force = (target) => {
      const source = fields.source.value.trim();
      if (source && target) this.add({ source, target }, fields);
      else (source ? fields.target : fields.source).focus();
    };
    find("force").addEventListener("submit", (event) => {
      event.preventDefault();
      force(fields.target.value.trim());
    });
    find("keep").addEventListener("click", () => force(fields.source.value.trim()));
    find("forbid").addEventListener("submit", (event) => {
      event.preventDefault();
      const word = find("forbid-word").value.trim();
      if (word) this.addWord(word);
    });
  }

  /** How many are in force. */
  get count() {
    return this.now.terms.length + this.now.forbid.length;
  }

  model(name) {
    this.name = name;
    this.now = kept.terms(name);
    say(find("terms-problem"), "");
    this.list();
  }

  show(sentence, alternative) {
    this.spans.show(sentence);
    const words = [...new Set(alternative.tokens)];
    find("target-words").replaceChildren(...words.map((word) => element("option", { value: word })));
  }

  async add(term, fields) {
    const terms = [...this.now.terms.filter(({ source }) => source !== term.source), term];
    if (!(await this.accepted({ ...this.now, terms }))) return;
    fields.source.value = fields.target.value = "";
  }

  async addWord(word) {
    const forbid = [...this.now.forbid.filter((one) => one !== word), word];
    if (await this.accepted({ ...this.now, forbid })) find("forbid-word").value = "";
  }

  /** Have the server look at terms, and take them if it has nothing against them. */
  async accepted(next) {
    const name = this.name;
    try {
      const { problems = [] } = await ask("api/terms", { model: name, ...next });
      if (problems.length) throw new Error(problems.join(" "));
    } catch (error) {
      say(find("terms-problem"), error.message);
      return false;
    }
    if (name !== this.name) return false;
    say(find("terms-problem"), "");
    this.take(next);
    return true;
  }

  take(next) {
    this.now = next;
    kept.keepTerms(this.name, next);
    this.list();
    this.changed();
  }

  list() {
    const { terms, forbid } = this.now;
    find("terms").replaceChildren(
      ...terms.map((term) => this.item(
        [element("span", { dir: "auto" }, term.source), " → ", element("strong", { dir: "auto" }, term.target)],
        term.source === term.target ? "kept as it is" : "forced", `${term.source} → ${term.target}`,
        { terms: terms.filter((one) => one !== term), forbid })),
      ...forbid.map((word) => this.item([element("s", { dir: "auto" }, word)], "forbidden", word,
        { terms, forbid: forbid.filter((one) => one !== word) })));
    find("terms-none").hidden = this.count > 0;
    find("tab-terms").textContent = this.count ? `Terms (${this.count})` : "Terms";
  }

  item(words, kind, name, without) {
    return element("li", {}, element("span", { class: "words" }, ...words),
      element("span", { class: "kind" }, kind),
      element("button", { type: "button", class: "quiet", "aria-label": `Remove ${name}`, onclick: () => {
        this.take(without);
        (find("terms").querySelector("button") ?? find("term-source")).focus();
      } }, "Remove"));
  }
}
