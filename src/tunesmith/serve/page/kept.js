// What the browser keeps: terms and the chosen model for good, the token until the tab is closed.
// A browser that keeps nothing (its user's choice) is no error.

function reading(storage, key, otherwise) {
  try {
    return JSON.parse(storage().getItem(`tunesmith.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function writing(storage, key, value) {
  try {
    storage().setItem(`tunesmith.${key}`, JSON.stringify(value));
  } catch {
    // private mode, or full
  }
}

const lasting = () => window.localStorage;
const passing = () => window.sessionStorage;

export const kept = {
  get model() { return String(reading(lasting, "model", "")); },
  set model(name) { writing(lasting, "model", name); },

  get token() { return String(reading(passing, "token", "")); },
  set token(token) { writing(passing, "token", token); },

  /** The terms of a model: `{terms: [{source, target}], forbid: [word]}`. */
  terms(model) {
    const { terms, forbid } = reading(lasting, `terms.${model}`, {});
    return {
      terms: list(terms).filter((term) => isText(term?.source) && isText(term?.target)),
      forbid: list(forbid).filter(isText),
    };
  },
  keepTerms(model, terms) { writing(lasting, `terms.${model}`, terms); },
};

const list = (value) => (Array.isArray(value) ? value : []);
const isText = (value) => typeof value === "string" && value !== "";
