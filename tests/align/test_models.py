"""Every model against the enumeration of all alignments."""

import itertools
import math
import random

import numpy as np
import pytest

from reference import alignment as twin
from tunesmith.align import Aligner

P0, UNIFORM, REACH = 0.15, 0.1, 2


def small_text(seed=3, pairs=7):
    chance = random.Random(seed)
    side = lambda words: [chance.choice(words) for _ in range(chance.randint(1, 4))]  # noqa: E731
    return [(side("abcd"), side("wxyz")) for _ in range(pairs)]


def fitted(pairs, **options):
    aligner = Aligner(
        **{
            "ibm1": 0,
            "hmm": 0,
            "prune": 0.0,
            "null_probability": P0,
            "uniform_jumps": UNIFORM,
            "jump_reach": REACH,
            **options,
        }
    )
    return aligner.fit([e for e, _ in pairs], [f for _, f in pairs])


def start(pairs, model):
    """The parameters that training starts from."""
    sources = {w for e, _ in pairs for w in e}
    targets = {w for _, f in pairs for w in f}
    jump = [1 / (1 + abs(d - 1)) for d in range(-REACH - 1, REACH + 2)]
    first = [1 / (1 + i) for i in range(REACH + 2)]

    def uniform(given, seen):
        row = dict.fromkeys(seen, 1 / len(seen))
        return twin.Parameters(
            model, {g: dict(row) for g in given}, row, P0, 4.0, jump, first, UNIFORM
        )

    return uniform(sources, targets), uniform(targets, sources)


def lexicon_of(aligner):
    """t(f | e) and t(e | f) as dictionaries of the pairs."""
    model = aligner.model_
    rows, targets = model.lexicon.rows.astype(int), model.lexicon.targets
    forward, reverse = {}, {}
    for e in range(len(rows) - 1):
        for k in range(rows[e], rows[e + 1]):
            pair = model.source_vocabulary.text(e), model.target_vocabulary.text(int(targets[k]))
            forward[pair] = model.lexicon.forward[k]
            reverse[pair] = model.lexicon.reverse[k]
    return forward, reverse


def assert_equal_parameters(aligner, forward, reverse):
    model = aligner.model_
    t_forward, t_reverse = lexicon_of(aligner)
    assert t_forward.keys() == {(e, f) for e, row in forward.t.items() for f in row}
    for (e, f), p in t_forward.items():
        assert p == pytest.approx(forward.t[e][f], rel=2e-4, abs=2e-5)
        assert t_reverse[e, f] == pytest.approx(reverse.t[f][e], rel=2e-4, abs=2e-5)
    for name, vocabulary, parameters in [
        ("null_forward", model.target_vocabulary, forward),
        ("null_reverse", model.source_vocabulary, reverse),
    ]:
        expected = [parameters.null[word] for word in vocabulary]
        np.testing.assert_allclose(getattr(model.lexicon, name), expected, rtol=2e-4, atol=2e-5)
    for direction, parameters in ((model.forward, forward), (model.reverse, reverse)):
        if parameters.model == "ibm2":
            assert direction.tension == pytest.approx(parameters.tension, rel=1e-3)
        if parameters.model == "hmm":
            np.testing.assert_allclose(direction.jump, parameters.jump, rtol=1e-3, atol=1e-5)
            np.testing.assert_allclose(direction.first, parameters.first, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("agreement", [False, True])
@pytest.mark.parametrize("model", ["ibm1", "ibm2", "hmm"])
def test_three_iterations_equal_enumeration(model, agreement):
    pairs = small_text()
    aligner = fitted(pairs, agreement=agreement, smoothing="none", **{model: 3})
    forward, reverse = start(pairs, model)
    for iteration in aligner.history_:
        words = sum(len(f) for _, f in pairs)
        likelihood = twin.log_likelihood(pairs, forward)
        assert math.log(iteration.forward_perplexity) == pytest.approx(
            -likelihood / words, rel=1e-4
        )
        forward, reverse = twin.em_step(pairs, forward, reverse, agreement)
    assert_equal_parameters(aligner, forward, reverse)


@pytest.mark.parametrize("smoothing", ["dirichlet", "variational"])
@pytest.mark.parametrize("model", ["ibm2", "hmm"])
def test_priors_equal_enumeration(model, smoothing):
    pairs = small_text(seed=5)
    aligner = fitted(pairs, smoothing=smoothing, alpha=0.3, **{model: 2})
    forward, reverse = start(pairs, model)
    for _ in range(2):
        forward, reverse = twin.em_step(pairs, forward, reverse, True, smoothing, 0.3)
    assert_equal_parameters(aligner, forward, reverse)


@pytest.mark.parametrize("model", ["ibm1", "ibm2", "hmm"])
def test_link_probabilities_equal_enumeration(model):
    pairs = small_text(seed=8)
    aligner = fitted(pairs, smoothing="none", symmetrisation="posterior", **{model: 2})
    aligner.threshold = 0.0
    forward, reverse = start(pairs, model)
    for _ in range(2):
        forward, reverse = twin.em_step(pairs, forward, reverse, agreement=True)
    links = aligner.align([e for e, _ in pairs], [f for _, f in pairs])
    found = iter(links.probability.tolist())
    for pair, (e, f) in zip(links, pairs, strict=True):
        p, _ = twin.posteriors(e, f, forward)
        q, _ = twin.posteriors(f, e, reverse)
        for i, j in pair:
            assert next(found) == pytest.approx(math.sqrt(p[j][i] * q[i][j]), rel=1e-3, abs=1e-4)
        missing = {(i, j) for i in range(len(e)) for j in range(len(f))} - set(pair)
        assert all(p[j][i] * q[i][j] < 1e-6 for i, j in missing)


@pytest.mark.parametrize("model", ["ibm1", "ibm2", "hmm"])
@pytest.mark.parametrize("seed", range(4))
def test_plain_em_never_lowers_the_likelihood(model, seed):
    pairs = small_text(seed, pairs=30)
    aligner = fitted(pairs, agreement=False, smoothing="none", **{model: 15})
    for side in ("forward_perplexity", "reverse_perplexity"):
        values = [getattr(iteration, side) for iteration in aligner.history_]
        assert all(after <= before * (1 + 1e-6) for before, after in itertools.pairwise(values))
        assert values[-1] < values[0]


def test_model_1_is_the_same_by_words_and_by_sentences():
    """`ibm1` goes by source word, `em` by sentence: one iteration of each, from the same start."""
    pairs = small_text(seed=11, pairs=40)
    by_words = fitted(pairs, ibm1=1, agreement=True)
    forward, reverse = start(pairs, "ibm1")
    forward, reverse = twin.em_step(pairs, forward, reverse, agreement=True)
    assert_equal_parameters(by_words, forward, reverse)
