"""What is told of a learner's passes over the training set, and what comes of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.weights import Weights
from tunesmith.features import LexicalModel


class Outcome(IntEnum):
    """What became of an example, as the core numbers it."""

    UNREACHABLE = 0
    SOLVED = 1
    UPDATED = 2
    INVALID = 3
    TOO_FAR = 4


@dataclass(frozen=True)
class BatchReport:
    """What became of the examples of a batch, in their order."""

    outcomes: npt.NDArray[np.integer[Any]]
    bins: npt.NDArray[np.integer[Any]]
    """Source words at which a sentence was updated; 0: it was not."""
    words: npt.NDArray[np.integer[Any]]
    """Source words of the example."""
    violations: npt.NDArray[np.float64]
    reached: npt.NDArray[np.integer[Any]]
    """Whether the best translation was the reference."""

    @classmethod
    def joined(cls, reports: "Sequence[BatchReport]") -> "BatchReport":
        """Those of several batches as one."""
        return cls(
            *(
                np.concatenate([getattr(report, part.name) for report in reports])
                for part in fields(cls)
            )
        )


@dataclass(frozen=True)
class Epoch:
    """One pass over the training set."""

    number: int
    dev_score: float
    """BLEU of the dev set, with the averaged weights if they are averaged."""
    pairs: int
    """Examples: with all prefixes, more than there are pairs."""
    reached: float
    """Share of the pairs whose reference was the beam's best translation."""
    updates: int
    too_far: int
    """Pairs left alone because of `max_violation`."""
    invalid: float
    """Share of updates (and of pairs without one) at which the good derivation was the better."""
    violation: float
    """Mean of the updates' violations; for ``expected`` of what expected BLEU lacks to the best."""
    features: int
    seconds: float
    bins: list[int]
    """Updates by their place in the sentence, in tenths of its length."""

    @classmethod
    def of(cls, reports: Sequence[BatchReport], **more: Any) -> "Epoch":
        """The batches of a pass, counted."""
        whole = BatchReport.joined(reports)
        outcome, place = whole.outcomes, whole.bins
        updated = place > 0
        tenths = (10 * (place[updated] - 1)) // np.maximum(whole.words[updated], 1)
        tried = int(((outcome == Outcome.UPDATED) | (outcome == Outcome.INVALID)).sum())
        return cls(
            pairs=len(outcome),
            reached=float(whole.reached.mean()),
            updates=int(updated.sum()),
            too_far=int((outcome == Outcome.TOO_FAR).sum()),
            invalid=float((outcome == Outcome.INVALID).sum()) / max(tried, 1),
            violation=float(whole.violations[updated].mean()) if tried else 0.0,
            bins=np.bincount(tenths, minlength=10).tolist(),
            **more,
        )


@dataclass(frozen=True)
class LearnResult:
    """The weights of the best epoch, and how it went."""

    weights: Weights
    dev_score: float
    start_score: float
    """BLEU of the dev set before the first update."""
    epochs: list[Epoch] = field(default_factory=list)


@dataclass(frozen=True)
class MaxforceResult(LearnResult):
    """The same with the lexical model that the weights go with."""

    lexical: LexicalModel = field(kw_only=True)
