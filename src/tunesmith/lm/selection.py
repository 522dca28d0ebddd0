"""Which sentences of a large text are like those of another one (Moore & Lewis 2010).

A sentence is worth H_in(s) − H_out(s), its cross-entropy per word under a model of the text that is
wanted less that under a model of a sample of the large text: what is like both of them, because it
is frequent everywhere, says nothing. No sentence is judged by a model that has seen it as a part of
the sample: every second sentence is one half of the large text, the others are another, and each
half is judged by a model of the other.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from tunesmith.corpus.sentences import blocks
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.lm.interpolation import token_probabilities
from tunesmith.lm.ngram import NgramLM
from tunesmith.lm.training import KneserNey

Scores = npt.NDArray[np.float64]


def entropy_difference(
    inside: NgramLM, outside: NgramLM, lines: Sequence[str], *, engine: EngineLike = ALL_CORES
) -> Scores:
    """H_in − H_out of every line, in nats a word (``</s>`` counted): lower is nearer to `inside`.

    >>> cats, cars = (NgramLM.fit([text], order=1) for text in ("the cat", "the car"))
    >>> near, far = entropy_difference(cats, cars, ["the cat", "the car"])
    >>> bool(near < 0 < far)
    True
    """
    offsets, probabilities = token_probabilities([inside, outside], list(lines), engine)
    difference = np.log(probabilities[:, 1]) - np.log(probabilities[:, 0])
    sums = np.concatenate([[0.0], np.cumsum(difference)])
    begins, ends = offsets[:-1].astype(np.int64), offsets[1:].astype(np.int64)
    return np.asarray((sums[ends] - sums[begins]) / np.maximum(ends - begins, 1), np.float64)


def differences(
    inside: NgramLM,
    read: Callable[[], Iterable[str]],
    *,
    words: int,
    sample: int,
    order: int,
    engine: EngineLike = ALL_CORES,
) -> Scores:
    """The difference of every line of a text, block by block.

    Parameters
    ----------
    read
        Gives the lines, tokenised, as often as it is asked.
    words
        How many there are in the text.
    sample
        As many words of either half, about, are the text that `inside` is told apart from.
    """
    step = max(1, words // 2 // max(sample, 1))
    method = KneserNey(order=order, engine=engine)
    # Of either half the model that judges the other.
    outside = [method.fit(_sample(read(), half, step)).model() for half in (0, 1)]
    parts = [np.empty(0)]
    for block in blocks(read()):  # of an even number of lines, but for the last
        scores = np.empty(len(block))
        for half in (0, 1):
            scores[half::2] = entropy_difference(
                inside, outside[1 - half], block[half::2], engine=engine
            )
        parts.append(scores)
    return np.concatenate(parts)


def _sample(lines: Iterable[str], half: int, step: int) -> Iterator[str]:
    return islice(lines, half, None, 2 * step)
