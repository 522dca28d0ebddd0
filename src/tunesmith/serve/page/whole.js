// A text of any length through the server, which takes so much in a request and no more.

import { ask } from "./server.js";

const AT_ONCE = 5000; // characters, as far as lines allow

/** The lines of a text in groups; a line is never cut. */
export function groups(text) {
  const found = [];
  let size = Infinity;
  for (const line of text.split("\n")) {
    if (size + line.length > AT_ONCE) {
      found.push([]);
      size = 0;
    }
    found.at(-1).push(line);
    size += line.length + 1;
  }
  return found.map((lines) => lines.join("\n"));
}

/** One answer for all of a text; the server keeps its lines as they are, so they fit together again. */
export async function translated(text, how, options) {
  const answers = [];
  for (const part of groups(text)) answers.push(await ask("api/translate", { text: part, ...how }, options));
  return {
    version: answers.map((answer) => answer.version).join(),
    translation: answers.map((answer) => answer.translation).join("\n"),
    sentences: answers.flatMap((answer) => answer.sentences),
    milliseconds: answers.reduce((sum, answer) => sum + answer.milliseconds, 0),
  };
}
