"""How a list of translations moves the weights: rules that see no more of a search than its lists.

A rule gives every translation of a sentence a coefficient c_k; the update is w ← w + η Σ_k c_k Φ_k.
The rules that look into the stacks of a search (max-violation, early, standard) are the core's,
`core/learn/update_rules.hh`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ListUpdate:
    """What a rule makes of the lists of some sentences."""

    coefficients: Floats
    """[translations] c_k; all 0 where there is nothing to mend."""
    violations: Floats
    """[sentences] how far the model's choice is from what it should be."""
    updated: npt.NDArray[np.bool_]
    """[sentences] whether there is anything to mend."""


#: Scores and gains of all translations, and where the list of each sentence begins and ends.
ListRule = Callable[[Floats, Floats, Offsets], ListUpdate]


def expected(scores: Floats, gains: Floats, offsets: Offsets) -> ListUpdate:
    """Up the gradient of the expected gain (He & Deng 2012; Gao & He 2013).

    ∇ Σ_k p_k g_k = Σ_k p_k (g_k − ḡ) Φ_k, with p the softmax of the scores and ḡ = Σ_k p_k g_k.
    What the scores are multiplied by is left to the rate. The violation is how far ḡ is from the
    best gain.
    """
    begins, sizes = offsets[:-1], np.diff(offsets)
    shares = np.exp(scores - np.repeat(np.maximum.reduceat(scores, begins), sizes))
    shares /= np.repeat(np.add.reduceat(shares, begins), sizes)
    mean = np.add.reduceat(shares * gains, begins)
    most, least = np.maximum.reduceat(gains, begins), np.minimum.reduceat(gains, begins)
    updated = least < most
    # Rounding leaves specks where all gains are equal.
    coefficients = np.where(np.repeat(updated, sizes), shares * (gains - np.repeat(mean, sizes)), 0)
    return ListUpdate(coefficients, most - mean, updated)


def local(scores: Floats, gains: Floats, offsets: Offsets) -> ListUpdate:
    """Towards the best of the list, away from the model's choice (Yu et al. 2013, §3.4).

    Equation (9): d⁺ is the translation of the largest gain, of equals the first; equation (10):
    w ← w + ΔΦ(d⁺, d⁻), with d⁻ the first of the list. The violation is w · Φ(d⁻) − w · Φ(d⁺).
    """
    first = offsets[:-1]
    best = np.array(
        [begin + np.argmax(gains[begin:end]) for begin, end in zip(first, offsets[1:], strict=True)]
    )
    coefficients = np.zeros(len(gains))
    coefficients[best] += 1.0
    coefficients[first] -= 1.0
    return ListUpdate(coefficients, scores[first] - scores[best], best != first)


#: Rules of lists by the name of the method; that of `ranking` sees features too.
LIST_RULES: dict[str, ListRule] = {"expected": expected, "local": local}
#: Methods that need lists alone, and so learn with any decoder.
LIST_METHODS = (*LIST_RULES, "ranking")
