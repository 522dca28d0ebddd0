// The page: text goes to the server as it is typed, and what comes back is shown by the parts.
//
// The text as a whole is translated without explanations, which is fast for any number of sentences;
// the sentence that one looks into is then asked for again, with its list and derivations.

import { Alternatives } from "./alternatives.js";
import { Correct } from "./correct.js";
import { find, say } from "./dom.js";
import { kept } from "./kept.js";
import { Picture } from "./picture.js";
import { places } from "./places.js";
import { ranked } from "./scoring.js";
import { Latest, ask, whenBusy } from "./server.js";
import { tabs } from "./tabs.js";
import { Terms } from "./terms.js";
import { Translation } from "./translation.js";
import { translated } from "./whole.js";
import { Why } from "./why.js";

const PAUSE = 200; // milliseconds without a key before the text is sent
const SLIDER_PAUSE = 400; // the same for a slider
const LIST_SIZE = 20;

const now = {
  models: [],
  model: null,
  changes: {}, // weights that differ from the model's, by name
  answer: null, // of the server for the whole text, …
  asked: "", // … and what it was asked with, but for the text
  selected: 0, // number of the sentence that one looks into
  detail: null, // that sentence with its list: {sentence, used, asked}
  picks: new Map(), // sentence → the text that a person chose for it
  compared: "",
};

const source = find("source");
const picture = new Picture();
const translation = new Translation((index) => turn(index));
const alternatives = new Alternatives((alternative) => {
  now.picks.set(now.detail.sentence.source, alternative.text);
  showAll();
});
const why = new Why({
  moved(name, weight) {
    now.picks.clear();
    if (weight === usual()[name]) delete now.changes[name];
    else now.changes[name] = weight;
    showAll();
    translate(SLIDER_PAUSE);
  },
  compared(text) {
    now.compared = text;
    showAll();
  },
  reset() {
    now.changes = {};
    now.picks.clear();
    showAll();
    translate();
    find("other").focus();
  },
});
const terms = new Terms(() => {
  now.picks.clear();
  translate();
});
const correct = new Correct(async () => {
  now.picks.clear();
  await models();
  translate();
});

/** The weights of the model, and those that hold now. */
const usual = () => Object.fromEntries(now.model.features.map(({ name, weight }) => [name, weight]));
const weights = () => ({ ...usual(), ...now.changes });

/** All that a translation depends on beside the text. */
function settings() {
  return {
    model: now.model.name,
    ...terms.now,
    ...(Object.keys(now.changes).length ? { weights: { ...now.changes } } : {}),
  };
}

const whole = new Latest({
  done(answer) {
    if (answer === null) {
      clear();
      return;
    }
    now.answer = answer;
    now.asked = JSON.stringify([answer.how, answer.version]);
    now.selected = document.activeElement === source ? atCaret()
      : Math.min(now.selected, Math.max(answer.sentences.length - 1, 0));
    well();
    find("target").classList.remove("stale");
    find("status").textContent = summary(answer);
    showAll();
    look();
  },
  failed(error) {
    find("target").classList.add("stale"); // it is of a text that was there before
    failed(error);
    find("drop-terms").hidden = !terms.count || error.status < 400 || error.status >= 500;
  },
  slow() {
    find("status").textContent = "Translating …";
  },
});

const detail = new Latest({
  done(found) {
    now.detail = found;
    showAll();
  },
  failed,
});

/** Say what went wrong. */
function failed(error) {
  say(find("problem"), error.retry ? `${error.message} Asking again in ${error.retry} s.` : error.message);
  find("status").textContent = "";
}

/** Translate the text as it is, after a pause. */
function translate(pause = 0) {
  if (!now.model) return;
  const text = source.value;
  const how = settings();
  whole.start(async (signal) => {
    if (!text.trim()) return null;
    return { how, ...(await translated(text, how, { signal })) };
  }, pause);
}

/** Ask for the list and the derivations of the selected sentence, unless they are there. */
function look() {
  const sentence = now.answer?.sentences[now.selected];
  const { asked } = now;
  if (!sentence) return;
  if (now.detail?.sentence.source === sentence.source && now.detail.asked === asked) return;
  const [how, used] = [settings(), weights()];
  detail.start(async (signal) => {
    const answer = await ask("api/explain", { sentences: [sentence.source], ...how, size: LIST_SIZE }, { signal });
    return { sentence: answer.sentences[0], used, asked };
  });
}

/** The sentence that is being typed, or the last one before it. */
function atCaret() {
  const { sentences } = now.answer;
  const found = places(source.value, sentences.map((sentence) => sentence.source)) ?? [];
  return Math.max(found.findLastIndex(([begin]) => begin <= source.selectionStart), 0);
}

/** Turn to the sentence that the caret has moved into. */
function follow() {
  if (now.answer && atCaret() !== now.selected) turn(atCaret());
}

function turn(index) {
  now.selected = index;
  now.compared = "";
  showAll();
  look();
}

function clear() {
  Object.assign(now, { answer: null, detail: null, selected: 0 });
  detail.stop();
  now.picks.clear();
  translation.clear();
  find("target-hint").hidden = false;
  find("copy").hidden = find("inside").hidden = true;
  find("status").textContent = "";
  well();
}

/** Nothing is wrong any more. */
function well() {
  say(find("problem"), "");
  find("drop-terms").hidden = true;
}

/** Show what is known; the list is ranked by the weights as they are, whatever it was found with. */
function showAll() {
  if (!now.answer) return;
  const { answer, selected } = now;
  const here = answer.sentences[selected];
  const known = here && now.detail?.sentence.source === here.source && now.detail.sentence.alternatives.length > 0;
  const ranking = known ? ranked(now.detail.sentence.alternatives, weights(), now.detail.used) : [];
  const best = ranking[0]?.alternative;
  const texts = answer.sentences.map((sentence) => now.picks.get(sentence.source) ?? sentence.translation);
  if (best && !now.picks.has(here.source)) texts[selected] = best.text;
  const pick = ranking.find(({ alternative }) => alternative.text === texts[selected])?.alternative ?? best;

  translation.show(answer, texts, selected);
  find("target-hint").hidden = true;
  find("copy").hidden = false;
  find("inside").hidden = !known;
  if (!known) return;
  const many = answer.sentences.length;
  find("position").textContent = `Sentence ${selected + 1} of ${many}`;
  find("sentence-nav").hidden = many < 2;
  find("previous").disabled = selected === 0;
  find("next").disabled = selected === many - 1;
  picture.show(now.detail.sentence, pick);
  alternatives.show(ranking, pick, now.model.target);
  why.weigh(weights(), usual());
  why.show(ranking, pick, now.compared, weights(), now.detail.used);
  terms.show(now.detail.sentence, pick);
  correct.show(now.detail.sentence, texts[selected]);
}

/** Take a model by its name; the first one if there is none of it. */
function choose(name) {
  now.model = now.models.find((model) => model.name === name) ?? now.models[0];
  const { model } = now;
  find("model").value = model.name;
  source.lang = model.source;
  find("target").lang = model.target;
  find("source-language").textContent = language(model.source);
  find("target-language").textContent = language(model.target);
  Object.assign(now, { changes: {}, detail: null, compared: "" });
  now.picks.clear();
  why.features(model.features);
  terms.model(model.name);
  correct.model(model);
}

/** Ask which models there are; the chosen one stays, with its weights as they are now. */
async function models() {
  try {
    ({ models: now.models } = await ask("api/models"));
  } catch (error) {
    failed(error);
    return;
  }
  if (now.model) now.model = now.models.find(({ name }) => name === now.model.name) ?? now.model;
}

function language(code) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(code);
  } catch {
    return code ?? "";
  }
}

/** How much was translated, and what of one's own had a part in it. */
function summary({ sentences, milliseconds, how }) {
  const own = [[how.terms.length + how.forbid.length, "term"], [Object.keys(how.weights ?? {}).length, "changed weight"]]
    .filter(([number]) => number).map(([number, what]) => counted(number, what));
  const done = `${counted(sentences.length, "sentence")} in ${time(milliseconds)}`;
  return own.length ? `${done}, with ${own.join(" and ")}` : done;
}

const time = (milliseconds) => (milliseconds < 1 ? "less than a millisecond" : `${Math.round(milliseconds)} ms`);
const counted = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;

async function copy() {
  try {
    await navigator.clipboard.writeText(translation.text);
    find("status").textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(find("target"));
    find("status").textContent = "Selected: copy it with Ctrl+C.";
  }
}

async function begin() {
  await models();
  if (!now.models.length) return;
  find("model").replaceChildren(...now.models.map(({ name }) => new Option(name, name)));
  choose(kept.model);
  translate();
}

source.addEventListener("input", () => translate(PAUSE));
source.addEventListener("click", follow);
source.addEventListener("keyup", (event) => event.key.startsWith("Arrow") && follow());
find("model").addEventListener("change", (event) => {
  kept.model = event.target.value;
  choose(event.target.value);
  translate();
});
find("copy").addEventListener("click", copy);
find("drop-terms").addEventListener("click", () => {
  terms.take({ terms: [], forbid: [] });
  source.focus();
});
find("previous").addEventListener("click", () => turn(now.selected - 1));
find("next").addEventListener("click", () => turn(now.selected + 1));
tabs(document.querySelector("[role=tablist]"));
whenBusy((busy) => find("target").setAttribute("aria-busy", busy));
begin();
