"""Linear interpolation of language models: ``p(w|h) = Σ λ_k p_k(w|h)``, weights tuned on text."""

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.lm.ngram import NgramLM

# EM stops when the log-likelihood per token (base e) grows by less than this.
_TOLERANCE = 1e-9
_MAX_ITERATIONS = 1000


@dataclasses.dataclass(frozen=True)
class MixtureWeights:
    """Weights that EM found, and what they are worth on the text they were tuned on."""

    weights: tuple[float, ...]
    perplexity: float
    """Of the mixture, unknown words included."""
    single: tuple[float, ...]
    """Perplexity of each model alone, with the mixture's vocabulary."""
    iterations: int


def tune_weights(
    models: Sequence[NgramLM], lines: Iterable[str], *, engine: EngineLike = ALL_CORES
) -> MixtureWeights:
    """Weights that maximise the likelihood of a text, by EM (Jelinek and Mercer 1980).

    A word that a model does not know has the model's share of ``<unk>``: its probability divided
    by one more than the number of words that only the other models know.
    """
    if not models:
        raise OptionError("no models to interpolate")
    _, probabilities = token_probabilities(models, list(lines), engine)
    if not len(probabilities):
        raise OptionError("the text to tune on is empty")
    weights = np.full(len(models), 1.0 / len(models))
    likelihood, gain, iterations = -np.inf, np.inf, 0
    while gain > _TOLERANCE and iterations < _MAX_ITERATIONS:
        joint = probabilities * weights
        total = joint.sum(axis=1)
        gain, likelihood = np.log(total).mean() - likelihood, np.log(total).mean()
        weights = (joint / total[:, None]).mean(axis=0)
        weights /= weights.sum()
        iterations += 1
    return MixtureWeights(
        weights=tuple(weights.tolist()),
        perplexity=float(np.exp(-likelihood)),
        single=tuple(np.exp(-np.log(probabilities).mean(axis=0)).tolist()),
        iterations=iterations,
    )


def token_probabilities(
    models: Sequence[NgramLM], lines: list[str], engine: EngineLike
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
    """Of every token (rows) under every model (columns), and where the lines begin and end."""
    offsets = np.zeros(1, np.uint64)
    shares = _core.lm_unknown_shares([model.native for model in models])
    columns = []
    for model, share in zip(models, shares, strict=True):
        scored = model.word_scores(lines, engine=engine)
        offsets = scored.offsets
        log10 = scored.log10.astype(np.float64)
        columns.append(10.0 ** (log10 - np.where(scored.words == 0, np.log10(share), 0.0)))
    return offsets, np.stack(columns, axis=1)


def interpolate(models: Sequence[NgramLM], weights: Sequence[float]) -> NgramLM:
    """One back-off model that gives every n-gram of the models the mixture's probability.

    N-grams that none of the models has are reached by back-off, with weights that make every
    context sum to one.
    """
    if len(models) != len(weights) or not models:
        raise OptionError(f"{len(weights)} weights for {len(models)} models")
    if any(not 0.0 <= weight <= 1.0 for weight in weights) or abs(sum(weights) - 1.0) > 1e-6:
        raise OptionError(f"weights {list(weights)}, expected numbers from 0 to 1 that sum to 1")
    if any(model.has_classes for model in models):
        raise OptionError("a class-based model cannot be interpolated into one model of words")
    total = sum(weights)
    return NgramLM(
        _core.interpolate_lms([model.native for model in models], [w / total for w in weights])
    )
