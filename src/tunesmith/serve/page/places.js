// Where pieces of a text stand in it.

/** [begin, end) of each piece in the text, in their order; null if one of them is not there. */
export function places(text, pieces) {
  const found = [];
  let from = 0;
  for (const piece of pieces) {
    const begin = text.indexOf(piece, from);
    if (begin < 0) return null;
    from = begin + piece.length;
    found.push([begin, from]);
  }
  return found;
}
