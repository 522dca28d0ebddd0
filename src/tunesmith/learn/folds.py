"""Language models that have not seen the sentences they judge.

A model that was trained on a reference likes it too much: while weights are learned on the training
set, the language model would mend errors there that it cannot mend on new text. So the text is cut
into folds, and the pairs of a fold are searched with a model of the others.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tunesmith.lm import NgramLM


def fold_numbers(pairs: int, folds: int) -> npt.NDArray[np.uint32]:
    """The fold of every pair: consecutive blocks, so that repeated neighbours stay together.

    >>> fold_numbers(5, 2).tolist()
    [0, 0, 0, 1, 1]
    """
    return (
        np.arange(pairs, dtype=np.uint64) * np.uint64(folds) // np.uint64(max(pairs, 1))
    ).astype(np.uint32)


def fold_language_models(
    targets: Sequence[str], folds: npt.NDArray[np.uint32], *, order: int, threads: int
) -> list[NgramLM]:
    """For every fold a language model of all sentences but its own."""
    return [
        NgramLM.fit(
            [line for line, number in zip(targets, folds, strict=True) if number != fold],
            order=order,
            threads=threads,
        )
        for fold in range(int(folds.max(initial=0)) + 1)
    ]
