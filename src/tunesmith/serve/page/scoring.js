// What weights make of a list of translations.
//
// A score is the sum of weight × value over dense and sparse features. The page knows the weights of
// the dense ones; what is left of a score is what the sparse ones add, and no slider changes that.

/** What each dense feature adds under `weights`, and `rest`: what sparse ones add. */
export function contributions(alternative, names, weights, used) {
  const adds = {};
  let dense = 0;
  for (const name of names) {
    const value = alternative.features[name] ?? 0;
    adds[name] = (weights[name] ?? 0) * value;
    dense += (used[name] ?? 0) * value;
  }
  return { adds, rest: alternative.score - dense };
}

/** The score under other weights than those that were `used` to find it. */
export function score(alternative, weights, used) {
  let sum = alternative.score;
  for (const [name, weight] of Object.entries(weights)) {
    sum += (weight - (used[name] ?? 0)) * (alternative.features[name] ?? 0);
  }
  return sum;
}

/** Alternatives with their scores under `weights`, the best first; equal ones stay in their order. */
export function ranked(alternatives, weights, used) {
  return alternatives
    .map((alternative) => ({ alternative, score: score(alternative, weights, used) }))
    .sort((one, other) => other.score - one.score);
}

export const signed = (number, digits = 2) =>
  (number < 0 ? "−" : "+") + Math.abs(number).toFixed(digits);

export const plain = (number, digits = 2) => (number < 0 ? "−" : "") + Math.abs(number).toFixed(digits);
