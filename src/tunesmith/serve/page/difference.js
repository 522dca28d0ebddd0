// Words of a text that another one does not have in that order.

import { element } from "./dom.js";

// Words, single letters of scripts without spaces, spaces, and any other sign by itself.
const PIECES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}'’_-]+|\s+|[^]/gu;

const pieces = (text) => text.match(PIECES) ?? [];

/** For each of `words`, whether it is in a longest common subsequence with `others`. */
export function common(words, others) {
  const length = Array.from({ length: words.length + 1 }, () => new Uint16Array(others.length + 1));
  for (let i = words.length - 1; i >= 0; i--) {
    for (let j = others.length - 1; j >= 0; j--) {
      length[i][j] = words[i] === others[j]
        ? length[i + 1][j + 1] + 1
        : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const shared = new Array(words.length).fill(false);
  for (let i = 0, j = 0; i < words.length && j < others.length; ) {
    if (words[i] === others[j]) {
      shared[i++] = true;
      j++;
    } else if (length[i + 1][j] >= length[i][j + 1]) i++;
    else j++;
  }
  return shared;
}

/** The text as nodes, with a mark around each run of words that `other` does not have. */
export function marked(text, other, tag = "mark") {
  const solid = (piece) => piece.trim() !== "";
  const all = pieces(text);
  const shared = common(all.filter(solid), pieces(other).filter(solid));
  const runs = [];
  let index = 0;
  for (const piece of all) {
    const same = solid(piece) ? shared[index++] : null;
    const last = runs.at(-1);
    if (last && (same === null || last.same === same)) last.text += piece;
    else runs.push({ text: piece, same: same ?? true });
  }
  return runs.flatMap((run) => {
    const end = run.text.trimEnd();
    return run.same ? [run.text] : [element(tag, {}, end), run.text.slice(end.length)];
  });
}
