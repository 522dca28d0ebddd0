"""Compound splitting by trying all ways to cut a word."""

import math


def all_cuts(word, parts, fillers, min_length):
    """Every way to write `word` as two or more parts with fillers between them."""
    for end in range(min_length, len(word)):
        if word[:end] in parts:
            for filler in ("", *fillers):
                if word[end:].startswith(filler):
                    rest = word[end + len(filler) :]
                    if rest in parts and len(rest) >= min_length:
                        yield [word[:end], rest]
                    for cut in all_cuts(rest, parts, fillers, min_length):
                        yield [word[:end], *cut]


def mean(cut, parts):
    """The geometric mean of the parts' frequencies (Koehn & Knight 2003, equation 1)."""
    return math.prod(parts[part] for part in cut) ** (1 / len(cut))


def best_mean(word, parts, fillers, min_length):
    """The highest mean, and whether a cut beats the word's own frequency."""
    whole = parts.get(word, 0)
    best = max((mean(c, parts) for c in all_cuts(word, parts, fillers, min_length)), default=0)
    return max(best, whole), best > whole
