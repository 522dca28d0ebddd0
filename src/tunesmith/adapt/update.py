"""How a correction moves the weights: three rules, each from one list of translations.

With Φ the features of a translation, s its score w · Φ in units of u (`weight_unit`), so that rates
mean the same for any model, and g its BLEU (+1) against the correction, which is 10 where they are
equal:

- ``mira`` (Chiang et al. 2008): towards the hope h = argmax s + g, away from the fear
  f = argmax s − g: w ← w + η (Φ_h − Φ_f), η = min(C, (g_h − g_f − (s_h − s_f)) / |Φ_h − Φ_f|²)
- ``expected`` (He & Deng 2012): up the gradient of the expected BLEU of the list
- ``violation`` (Yu et al. 2013): towards the correction as the model makes it (forced decoding;
  where it cannot, the best of the list), away from the model's choice, where the choice scores more
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.base.weights import Weights
from tunesmith.decode import DecoderOutput
from tunesmith.learn.update_rules import expected
from tunesmith.metrics import Bleu

Floats = npt.NDArray[np.float64]

UPDATES = ("mira", "expected", "violation", "none")
METRIC = Bleu(tokenize="none")
# What a translation that equals the correction is worth, in natural logarithms of language models.
FULL_GAIN = 10.0


def weight_unit(weights: Weights) -> float:
    """What a natural logarithm of all language models weighs; without any, a mean weight.

    Learning rates and the first weights of a layer are multiples of it.
    """
    models = sum(abs(value) for name, value in weights.items() if name in _LANGUAGE_MODELS)
    everything = sum(map(abs, weights.values()))
    return models or everything / max(len(weights), 1) or 1.0


_LANGUAGE_MODELS = frozenset(["lm", *(f"lm{number}" for number in range(2, 100))])


@dataclass(frozen=True)
class UpdateStep:
    """How far an update may go."""

    rule: str
    rate: float
    unit: float


def moved(
    weights: Weights,
    output: DecoderOutput,
    correction: str,
    gold: Floats | None,
    scale: Floats,
    step: UpdateStep,
) -> Weights:
    """The weights after a correction of the sentence whose translations `output` lists.

    Parameters
    ----------
    gold
        The features of the correction itself, where the model can make it.
    scale
        [dense features] by how much each moves besides the rate; 0 keeps a weight.
    """
    if step.rule == "none":
        return weights
    features = np.asarray(output.features, np.float64)
    vector = weights.vector(output.names)
    stats = METRIC.stats(
        list(output.texts), np.zeros(len(features), np.int64), METRIC.prepare([[correction]])
    )
    gains = FULL_GAIN * METRIC.sentence_gains(stats, engine=1)
    if gold is not None:
        features, gains = np.vstack([features, gold]), np.append(gains, FULL_GAIN)
    # Constant parts of a score (sparse features) are in the scores that the search gave.
    scores = np.append(output.scores, gold @ vector) if gold is not None else output.scores
    change = _RULES[step.rule](features * scale, scores / step.unit, gains, step.rate)
    if not change.any():
        return weights
    after = dict(weights) | dict(
        zip(output.names, (vector + step.unit * scale * change).tolist(), strict=True)
    )
    return Weights(after)


def _mira(features: Floats, scores: Floats, gains: Floats, rate: float) -> Floats:
    hope, fear = int(np.argmax(scores + gains)), int(np.argmax(scores - gains))
    difference = features[hope] - features[fear]
    loss = gains[hope] - gains[fear] - (scores[hope] - scores[fear])
    size = float(difference @ difference)
    if hope == fear or loss <= 0 or size == 0:
        return np.zeros(features.shape[1])
    change: Floats = min(rate, loss / size) * difference
    return change


def _expected(features: Floats, scores: Floats, gains: Floats, rate: float) -> Floats:
    offsets = np.array([0, len(gains)])
    return rate * (expected(scores, gains, offsets).coefficients @ features)


def _violation(features: Floats, scores: Floats, gains: Floats, rate: float) -> Floats:
    good, choice = int(np.argmax(gains)), int(np.argmax(scores))
    if scores[good] >= scores[choice] and good == choice:
        return np.zeros(features.shape[1])
    change: Floats = rate * (features[good] - features[choice])
    return change


_RULES = {"mira": _mira, "expected": _expected, "violation": _violation}
