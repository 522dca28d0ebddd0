"""What all metrics share: statistics of a hypothesis, and the score of their sum.

A metric is two functions (preprocess → segment statistics, sum of statistics → score), so corpus,
sentence and pseudo-corpus scores, resampling and tuning all work on the same small integers and
never see text again.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError, kind_of
from tunesmith.engine import ALL_CORES, EngineLike, as_engine

# One row of integers per hypothesis.
Stats = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

# The kinds of sentence-level gain that every metric has.
PLAIN = "plain"
PSEUDO_CORPUS = "pseudo-corpus"
SUBSTITUTION = "substitution"


Gain = _core.Gain
"""A native function of summed statistics, the higher the better: of one vector (a call), of a
background plus each row (`rows`), of a sum in which one row is replaced (`substitutions`)."""

Scorer = _core.SegmentScorer
"""Prepared references: native, immutable, shared by threads; `stats` are those of hypotheses.

C++ code that reads hypotheses takes this object as ``const SegmentScorer&`` and gets the same
statistics from spans of text (core/metrics/scorer.hh).
"""


# Significant digits of the difference of two scores, where the scores decide how many decimals are
# shown; a ready column has millionths.
_DIGITS, _MOST_DECIMALS = 3, 6


class Metric(ABC):
    """A metric: how hypotheses are counted, and what the counts are worth.

    The *score* is what a person reads (sacreBLEU's and jiwer's numbers, in per cent); the *gain*
    is what a tuner maximises: higher is always better, and a point is 0.01.
    """

    #: As `parse_metric` takes it.
    name: str
    #: Whether a good *score* is a high one.
    higher_is_better: bool = True
    #: Names of the columns of ready scores that `stats` needs; empty for metrics of text.
    columns: tuple[str, ...] = ()
    #: Whether `fill_texts` must see the texts of a pool: its statistics are made in Python.
    reads_texts: bool = False
    #: Decimals of a score that is shown; None where the scores themselves must tell.
    decimals: int | None = 2
    #: The sentence-level kinds that this metric has of its own, the default first.
    sentence_kinds: tuple[str, ...] = (PLAIN,)
    #: Those that tuners on lists try one after the other; the corpus score decides.
    tuning_kinds: tuple[str, ...] = (PLAIN,)

    @property
    def size(self) -> int:
        """The number of integer statistics of a hypothesis."""
        return self.gain.size

    @property
    def needs_text(self) -> bool:
        """Whether the texts of hypotheses and references matter."""
        return True

    @cached_property
    @abstractmethod
    def gain(self) -> Gain:
        """The corpus score as a native function, oriented so that higher is better."""

    @abstractmethod
    def prepare(self, references: Sequence[Sequence[str]]) -> Scorer:
        """Make the references ready for counting: one sequence of sentences per reference file."""

    @abstractmethod
    def signature(self, references: int = 1) -> str:
        """What must be known to repeat the score; sacreBLEU's string where sacreBLEU has one."""

    def places(self, one: float, other: float) -> int:
        """Decimals that tell scores between `one` and `other` apart.

        >>> from tunesmith.metrics import Bleu, Column
        >>> Bleu().places(40.1, 40.2), Column("comet").places(0.8512, 0.8841)
        (2, 4)
        """
        if self.decimals is not None:
            return self.decimals
        room = abs(one - other) or abs(one) or 1.0
        return min(_MOST_DECIMALS, max(2, _DIGITS - 1 - math.floor(math.log10(room))))

    def line(self, references: int = 1) -> str:
        """What scores are, below a table: the metric, its signature, and which way is up."""
        signature = self.signature(max(references, 1))
        name = "" if signature.startswith(self.name) else f"{self.name}  "
        return f"{name}{signature}{'' if self.higher_is_better else '  (lower is better)'}"

    def stats(
        self,
        hypotheses: Sequence[str],
        sentence_ids: npt.ArrayLike | None,
        prepared: Scorer,
        *,
        columns: Mapping[str, npt.ArrayLike] | None = None,
        engine: EngineLike = ALL_CORES,
    ) -> Stats:
        """The statistics of all hypotheses: int32 [hypotheses, size].

        Parameters
        ----------
        hypotheses
            Texts; an empty one is legal.
        sentence_ids
            Which sentence each belongs to; None if hypothesis i belongs to sentence i.
        prepared
            What `prepare` gave.
        columns
            Ready scores by name, one per hypothesis, for metrics that have `columns`.
        engine
            Who works; the result does not depend on it.
        """
        if sentence_ids is None:
            if len(hypotheses) != prepared.sentences:
                raise OptionError(
                    f"{len(hypotheses)} hypotheses, but references for {prepared.sentences} "
                    "sentences; give sentence_ids, or one hypothesis per sentence"
                )
            ids = np.arange(len(hypotheses), dtype=np.uint32)
        else:
            ids = np.ascontiguousarray(sentence_ids, dtype=np.uint32)
        stats = prepared.stats(hypotheses, ids, as_engine(engine).threads)
        if self.columns:
            self.fill_columns(stats, columns or {})
        return stats

    def fill_columns(self, stats: Stats, columns: Mapping[str, npt.ArrayLike]) -> None:
        """Write ready scores into rows that were made from text; nothing to do for most metrics."""
        return

    def fill_texts(
        self, stats: Stats, texts: Sequence[str], sentence_ids: npt.NDArray[np.int64]
    ) -> None:
        """Write what is counted in Python into rows; nothing to do for most metrics."""
        return

    def score(self, sums: npt.ArrayLike) -> float:
        """The score, as it is shown, of statistics that have been summed."""
        return self.shown(self.gain(np.ascontiguousarray(sums, dtype=np.float64)))

    def shown(self, gain: float) -> float:
        """The score, as it is shown, of a gain: in per cent, and errors are positive again."""
        return 100.0 * gain if self.higher_is_better else 0.0 - 100.0 * gain

    def corpus_score(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
        """The score of one hypothesis per sentence: everything in one call."""
        check_sentences(hypotheses, "hypotheses")
        check_references(references)
        stats = self.stats(hypotheses, None, self.prepare(references))
        return self.score(stats.sum(axis=0, dtype=np.int64))

    def sentence_gain(self, kind: str | None = None) -> Gain:
        """A sentence-level kind of gain, as a native function of one hypothesis' statistics."""
        self._check_kind(kind, ())
        return self.gain

    def sentence_gains(
        self,
        stats: Stats,
        kind: str | None = None,
        *,
        background: npt.ArrayLike | None = None,
        sentence_ids: npt.ArrayLike | None = None,
        chosen: Stats | None = None,
        engine: EngineLike = ALL_CORES,
    ) -> Floats:
        """The gain of every hypothesis by itself: float64 [hypotheses], higher is better.

        Parameters
        ----------
        stats
            As `stats` gives them.
        kind
            One of the metric's `sentence_kinds` (its first by default); ``"pseudo-corpus"``: the
            gain of `background` plus the hypothesis (Chiang et al. 2008; the caller decays the
            background); ``"substitution"``: the corpus gain of the configuration `chosen` with the
            hypothesis in the place of its sentence's choice (Watanabe et al. 2006, as Hayashi et
            al. 2009 use it).
        background
            float64 [size], for ``"pseudo-corpus"``.
        sentence_ids, chosen
            Which sentence each hypothesis belongs to, and int32 [sentences, size], the statistics
            of each sentence's choice; for ``"substitution"``.
        engine
            Who works.
        """
        stats = np.ascontiguousarray(stats, dtype=np.int32)
        if kind == PSEUDO_CORPUS:
            if background is None:
                raise OptionError("sentence gains of kind 'pseudo-corpus' need a background")
            sums = np.ascontiguousarray(background, dtype=np.float64)
            return self.gain.rows(stats, sums, as_engine(engine).threads)
        if kind == SUBSTITUTION:
            if chosen is None or sentence_ids is None:
                raise OptionError(
                    "sentence gains of kind 'substitution' need sentence_ids and chosen"
                )
            return self.gain.substitutions(
                stats,
                np.ascontiguousarray(sentence_ids, dtype=np.uint32),
                np.ascontiguousarray(chosen, dtype=np.int32),
                as_engine(engine).threads,
            )
        return self.sentence_gain(kind).rows(stats, None, as_engine(engine).threads)

    def expected_gains(
        self,
        text_bytes: npt.NDArray[np.uint8],
        text_offsets: npt.NDArray[np.int64],
        offsets: npt.NDArray[np.int64],
        weights: Floats,
        *,
        aggregate: bool = False,
        engine: EngineLike = ALL_CORES,
    ) -> Floats:
        """What each text of a list gains if any text of the list may be the reference.

        Σ_j weights[j] gain(text, text j), the text itself among them: what minimum Bayes risk
        decoding maximises (Kumar & Byrne 2004).

        Parameters
        ----------
        text_bytes, text_offsets
            The texts as one block of UTF-8 (`Texts`).
        offsets
            [lists + 1] list l has the texts offsets[l] to offsets[l + 1].
        weights
            [texts] their probabilities; they sum to 1 in each list.
        aggregate
            Compare with the weighted average of the list instead, in linear time (Vamvas &
            Sennrich 2024); for metrics of n-grams.
        engine
            Who works; the result does not depend on it.
        """
        threads = as_engine(engine).threads
        overlap, gain = self._overlap()
        if overlap is not None:
            return _core.expected_gains(
                overlap, gain, text_bytes, text_offsets, offsets, weights, aggregate, threads
            )
        if aggregate:
            raise OptionError(
                f"no average of references for {self.name}, expected bleu, chrf or chrf++"
            )
        data = text_bytes.tobytes()
        texts = [data[a:b].decode() for a, b in pairwise(text_offsets.tolist())]
        return _core.expected_scorer_gains(
            self.prepare([texts]), gain, text_bytes, text_offsets, offsets, weights, threads
        )

    def _overlap(self) -> tuple[_core.OverlapMetric | None, Gain]:
        """How texts of a list are compared, if by their n-grams, and the gain of two texts."""
        return None, self.sentence_gain()

    def _check_kind(self, kind: str | None, more: tuple[str, ...]) -> str:
        known = self.sentence_kinds + more
        if kind is None:
            return known[0]
        if kind not in known:
            wanted = ", ".join((*known, PSEUDO_CORPUS, SUBSTITUTION))
            raise OptionError(f"no sentence-level '{kind}' for {self.name}, expected {wanted}")
        return kind

    def __repr__(self) -> str:
        return f"<metric {self.name}>"


def check_references(references: object) -> None:
    """Refuse what is not one sequence of sentences for each reference translation.

    >>> check_references(["a b", "c d"])
    Traceback (most recent call last):
    tunesmith.base.errors.OptionError: a reference translation is a str, expected sentences
    """
    check_sentences(references, "references", "a sequence of sentences for each")
    assert isinstance(references, Iterable)
    for one in references:
        check_sentences(one, "a reference translation")


def check_sentences(value: object, what: str, expected: str = "sentences") -> None:
    """Refuse a string, which is a sequence too, and what is none."""
    if isinstance(value, str) or not hasattr(value, "__iter__") or not hasattr(value, "__len__"):
        verb = "are" if what.endswith("s") else "is"
        raise OptionError(f"{what} {verb} {kind_of(value)}, expected {expected}")


def sacrebleu_version() -> str:
    """The version of sacreBLEU whose numbers ours equal, for signatures."""
    from importlib.metadata import version

    return version("sacrebleu")
