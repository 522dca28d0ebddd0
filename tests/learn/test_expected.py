"""The step of expected BLEU against lists of all translations, sacreBLEU and finite differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from reference.tiny_learners import UNPRUNED, learner_of, lexical_model, some_pairs
from reference.tiny_models import random_model
from tunesmith import _core
from tunesmith.decode import KBest, SourceSentence
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.phrase_model import native_phrase_model

SHARPNESS, RATE, SENTENCES = 3.0, 0.5, 5.0
PLAIN = BLEU(tokenize="none", smooth_method="none")
PLUS_ONE = BLEU(tokenize="none", smooth_method="add-k", smooth_value=1)


def sums(text, target):
    """Matches of every order, totals of every order, lengths: as sacreBLEU counts them."""
    score = PLAIN.corpus_score([text], [[target]])
    return np.array([*score.counts, *score.totals, score.sys_len, score.ref_len], float)


def gain(stats, background):
    if background is None:
        return (
            PLUS_ONE._compute_score_from_stats(
                [int(stats[8]), int(stats[9]), *map(int, stats[:4]), *map(int, stats[4:8])]
            ).score
            / 100
        )
    mixed = stats + SENTENCES * background
    if not all(mixed[:4]):
        return 0.0
    precision = np.exp(np.mean(np.log(mixed[:4] / mixed[4:8])))
    return (SENTENCES + 1) * precision * min(1.0, np.exp(1 - mixed[9] / mixed[8]))


def expectation(weights, features, gains):
    scores = SHARPNESS * features @ weights
    shares = np.exp(scores - scores.max())
    return float(shares @ gains / shares.sum())


@pytest.mark.parametrize("with_background", [False, True])
@given(seed=st.integers(0, 100_000))
@settings(max_examples=25, deadline=None)
def test_a_step_is_the_gradient_of_expected_bleu(with_background, seed, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    pairs = some_pairs(model, chance, 2)
    lexical = lexical_model(chance)
    decoder = PhraseDecoder(model, search=UNPRUNED, engine=1)
    learner = learner_of(
        model, lexical, pairs, method="EXPECTED", rate=RATE, dense_rate=1.0, list_size=100_000,
        sharpness=SHARPNESS, background=SENTENCES * with_background,
    )  # fmt: skip
    background = None
    if with_background:
        # The text before is the first sentence; everything else is as it was.
        weights = learner.dense_weights(False)
        first, reference = pairs[0]
        background = sums(decoder.decode([first]).texts[0], reference)
        learner.restore(weights, [0.0] * len(weights), background.tolist(), 0.0)
    source, target = pairs[1]
    every = decoder.decode([source], want=KBest(100_000))
    gains = np.array([gain(sums(text, target), background) for text in every.texts])
    dense = model.weights.vector(model.feature_names)
    before = np.array(learner.dense_weights(False))
    outcome, _, _, violation, _ = (
        column[0] for column in learner.step(np.array([1], np.uint32), 1)
    )
    expected = expectation(dense, every.features, gains)
    np.testing.assert_allclose(violation, gains.max() - expected, rtol=1e-3, atol=1e-4)
    change = np.array(learner.dense_weights(False)) - before
    assert outcome == (1 if np.ptp(gains) == 0 else 2)
    for i in range(len(dense)):
        step = 1e-5 * np.eye(len(dense))[i]
        slope = (
            expectation(dense + step, every.features, gains)
            - expectation(dense - step, every.features, gains)
        ) / 2e-5
        np.testing.assert_allclose(SHARPNESS * change[i] / RATE, slope, rtol=1e-2, atol=2e-3)
    # Lexical features start at 0 and are then rate · the gradient d: translations differ by them,
    # and together, each with its share of the gradient, by rate · d · d.
    scores = SHARPNESS * every.features @ dense
    shares = np.exp(scores - scores.max())
    shares *= (gains - expected) / shares.sum()
    native = native_phrase_model(model, lexical)
    sentence = SourceSentence.from_text(source).native("copy")
    values = [
        _core.derivation_features(native, sentence, every.native, 0, rank)[0][-1]
        for rank in range(len(gains))
    ]
    _, learned = lexical.entries()
    np.testing.assert_allclose(
        shares @ values, (learned.astype(float) ** 2).sum() / RATE, rtol=1e-3, atol=1e-5
    )


def test_the_text_before_follows_slowly(tmp_path):
    model, _, chance = random_model(3, tmp_path / "f")
    pairs = some_pairs(model, chance, 4)
    learner = learner_of(
        model, lexical_model(chance), pairs, method="EXPECTED", rate=1e-9, background=SENTENCES
    )
    decoder = PhraseDecoder(model, search=UNPRUNED, engine=1)
    best = decoder.decode([source for source, _ in pairs]).texts
    stats = [sums(text, target) for text, (_, target) in zip(best, pairs, strict=True)]
    learner.step(np.array([0, 1], np.uint32), 1)
    first = (stats[0] + stats[1]) / 2
    np.testing.assert_allclose(learner.text, first)
    learner.step(np.array([2, 3], np.uint32), 1)
    np.testing.assert_allclose(learner.text, 0.99 * first + 0.01 * (stats[2] + stats[3]) / 2)
