import math

import numpy as np
import pytest

from reference.arpa import ngrams_of
from tunesmith.base.errors import OptionError
from tunesmith.formats.text import read_lines
from tunesmith.lm import NgramLM, interpolate, tune_weights


@pytest.fixture(scope="module")
def captions(data):
    return read_lines(data / "multi30k" / "train.en.xz")[:3000]


@pytest.fixture(scope="module")
def models(captions):
    return [NgramLM.fit(captions[:1500], order=3), NgramLM.fit(captions[1500:2500], order=2)]


@pytest.fixture(scope="module")
def dev(captions):
    return captions[2500:]


def joint(models):
    words = {m.native.spelling(i) for m in models for i in range(m.native.vocabulary_size)}
    return [len(words) - m.native.vocabulary_size + 1 for m in models]


def mixture_log10(models, weights, shares, lines):
    """Dynamic mixture, token by token."""
    total = 0.0
    for k, model in enumerate(models):
        scored = model.word_scores(lines)
        p = 10.0 ** scored.log10.astype(float)
        total = total + weights[k] * np.where(scored.words == 0, p / shares[k], p)
    return np.log10(total)


def test_em_finds_the_best_weights(models, dev):
    found = tune_weights(models, dev)
    shares = joint(models)
    assert sum(found.weights) == pytest.approx(1.0)

    def perplexity(weight):
        return 10 ** -mixture_log10(models, [weight, 1 - weight], shares, dev).mean()

    best = perplexity(found.weights[0])
    assert found.perplexity == pytest.approx(best, rel=1e-6)
    assert found.single == pytest.approx((perplexity(1.0), perplexity(0.0)), rel=1e-6)
    grid = [perplexity(w) for w in np.linspace(0.01, 0.99, 99)]
    assert best <= min(grid) + 1e-4
    assert best < min(found.single)


def test_seen_ngrams_get_the_mixture(models, dev, tmp_path):
    weights = [0.7, 0.3]
    merged = interpolate(models, weights)
    assert merged.order == 3
    shares = joint(models)
    merged.save_arpa(tmp_path / "merged.arpa")
    grams = ngrams_of((tmp_path / "merged.arpa").read_text())
    keys = set()
    for k, model in enumerate(models):
        model.save_arpa(tmp_path / f"{k}.arpa")
        keys |= ngrams_of((tmp_path / f"{k}.arpa").read_text()).keys()
    assert grams.keys() == keys

    for gram in sorted(keys)[:: len(keys) // 500]:
        if gram[-1] == "<s>":
            continue
        expected = 0.0
        for k, model in enumerate(models):
            native = model.native
            state = (
                native.begin_state() if gram[0] == "<s>" and len(gram) > 1 else native.null_state()
            )
            ids = [
                2 if w == "</s>" else native.word_id(w) for w in gram if w != "<s>" and w != "<unk>"
            ]
            ids += [0] * (gram[-1] == "<unk>")
            for word in ids:
                log10, _, state = native.score_word(state, word)
            expected += weights[k] * 10**log10 / (shares[k] if word == 0 else 1)
        assert grams[gram][0] == pytest.approx(math.log10(expected), abs=1e-4), gram


def test_contexts_sum_to_one(models):
    native = interpolate(models, [0.4, 0.6]).native
    for context in ("", "a", "a man", "two young", "zzz a"):
        state = native.begin_state()
        for word in context.split():
            _, _, state = native.score_word(state, native.word_id(word))
        words = (w for w in range(native.vocabulary_size) if w != 1)
        assert sum(10 ** native.score_word(state, w)[0] for w in words) == pytest.approx(
            1, abs=1e-3
        )


def test_the_static_model_is_close_to_the_mixture(models, dev):
    found = tune_weights(models, dev)
    merged = interpolate(models, found.weights)
    assert merged.perplexity(dev).perplexity == pytest.approx(found.perplexity, rel=0.03)


def test_one_model_stays_itself(models, dev):
    alone = interpolate([models[0]], [1.0])
    np.testing.assert_allclose(alone.scores(dev), models[0].scores(dev), rtol=1e-4)


@pytest.mark.parametrize("weights", [[0.5], [0.5, 0.6], [1.5, -0.5], [float("nan"), 0.5]])
def test_weights_that_make_no_sense(models, weights):
    with pytest.raises(OptionError, match="weights"):
        interpolate(models, weights)


def test_nothing_to_tune_on(models):
    with pytest.raises(OptionError, match="the text to tune on is empty"):
        tune_weights(models, [])
