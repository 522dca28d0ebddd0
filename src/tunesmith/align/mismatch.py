"""Pairs that are no translations of each other: how many there are, which, and by what offset.

A model of word translations is learned from every other pair and scores the rest. A pair whose
sides are translations scores better than either side with another sentence of the same length; of
other pairs one in two does. Scoring what was learned from would not do: a model explains the rare
words of any pair that it has seen.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith.align.aligner import Aligner
from tunesmith.base.log import log
from tunesmith.corpus import Bitext
from tunesmith.engine import EngineLike, ThreadEngine, as_engine

# Minimum number of pairs for an estimate, and the size of the sample that a first look takes.
LEAST, SAMPLE = 2_000, 20_000
# The share of pairs that is worth a warning, and pairs more of a small text: the words of some
# are seen nowhere else.
SOME, SPARSE = 0.05, 120
# Shares of mismatched pairs above which to look for an offset (MANY), and to take it for that of
# the whole text (NEARLY_ALL); the number of pairs at the end of the text to look in.
MANY, NEARLY_ALL, WINDOW = 0.3, 0.8, 4_000
OFFSETS = (1, -1, 2, -2, 3, -3)
# Random partners of each side.
PARTNERS = 2
_ITERATIONS = 5

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]


class PairMatches(NamedTuple):
    """How much better pairs score than random ones, and the share of pairs that do not."""

    gains: Floats
    share: float

    def worst(self) -> Numbers:
        """As many pairs as are probably no translations, those with the lowest gains."""
        count = round(self.share * len(self.gains))
        return np.sort(np.argsort(self.gains, kind="stable")[:count])


def match_pairs(text: Bitext, *, engine: EngineLike) -> PairMatches:
    """Compare the pairs of a text with random ones."""
    threads = ThreadEngine(as_engine(engine).threads)
    gains, below = np.zeros(len(text)), np.zeros(len(text))
    random = np.random.default_rng(1)
    numbers = np.arange(len(text))
    for half in (0, 1):
        learned, scored = (numbers[numbers % 2 == one] for one in (1 - half, half))
        aligner = Aligner(ibm1=_ITERATIONS, hmm=0, engine=threads)
        aligner.fit(text.select(learned), quiet=True)
        score = partial(_score, aligner, text)
        own = score(scored, scored)
        others = []
        for _ in range(PARTNERS):
            for side in (text.source, text.target):
                order = np.lexsort((random.random(len(scored)), side.lengths[scored]))
                partners = np.empty_like(scored)
                partners[order] = scored[np.roll(order, 1)]
                is_source = side is text.source
                pair = (partners, scored) if is_source else (scored, partners)
                others.append(score(*pair))
        gains[scored] = own - np.mean(others, axis=0)
        below[scored] = np.mean([own < other for other in others], axis=0)
    return PairMatches(gains, min(1.0, 2 * float(below.mean())) if len(text) else 0.0)


def _score(aligner: Aligner, text: Bitext, source: Numbers, target: Numbers) -> Floats:
    """How probable sentences of the source and the target make each other, per word."""
    sides = text.source.select(source), text.target.select(target)
    found = aligner.model_.scores(Bitext(*sides), engine=aligner.engine)
    lengths = [np.maximum(1, side.lengths) for side in sides]
    return np.asarray(found.forward / lengths[1] + found.reverse / lengths[0])


def warn_of_mismatch(text: Bitext, *, engine: EngineLike, wants_all: bool = False) -> PairMatches:
    """Warn where many pairs are no translations; look at a sample only, unless `wants_all`."""
    size = len(text)
    if size < LEAST:
        return PairMatches(np.zeros(size), 0.0)
    if size > SAMPLE and not wants_all:
        text = text.select(np.linspace(0, size - 1, SAMPLE).astype(np.int64))
    found = match_pairs(text, engine=engine)
    if found.share > SOME + SPARSE / len(text):
        log.warning(
            "%.0f %% of the training pairs are probably no translations: their words match no "
            "better than those of random pairs%s",
            100 * found.share,
            "" if wants_all else "; --filter leaves the worst out",
        )
        if found.share > MANY and len(text) == size:
            _look_for_offset(text, found, engine)
    return found


def _look_for_offset(text: Bitext, found: PairMatches, engine: EngineLike) -> None:
    """Name the offset at which the end of the text matches, if there is one."""
    end = np.arange(max(0, len(text) - min(WINDOW, len(text) // 3)), len(text))
    without = match_pairs(text.select(end), engine=engine).share
    shares = {}
    for offset in OFFSETS:
        source = end[-offset:] if offset < 0 else end[:-offset]
        sides = text.source.select(source), text.target.select(source + offset)
        shares[offset] = match_pairs(Bitext(*sides), engine=engine).share
    offset = min(shares, key=lambda one: shares[one])
    if shares[offset] > 0.6 * without:
        return
    # The pair from which on the most are bad, counted from before it.
    is_bad = found.gains < np.median(found.gains[end]) + np.std(found.gains[end])
    first = int(np.argmin(np.cumsum(is_bad - is_bad.mean()))) + 1
    if found.share > NEARLY_ALL:
        first_lines = max(1, 1 - offset), max(1, 1 + offset)
        log.warning("line %d of source matches line %d of target", *first_lines)
    else:
        log.warning(
            "from about line %s on, lines of source match lines of target with a number that is "
            "%d %s: a line is missing or too many there",
            f"{first:,}", abs(offset), "higher" if offset > 0 else "lower",
        )  # fmt: skip
