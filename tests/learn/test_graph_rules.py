"""Learning from graphs: the rules by looking at every derivation, and what a decoder learns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graph_pools import random_graphs
from reference.graph_risk import expected_stats, ngrams
from reference.graphs import derivations
from reference.tiny_grammars import SOURCE, hiero_model, random_rule
from reference.tiny_learners import lexical_model, some_pairs
from reference.tiny_models import random_model
from reference.toy_decoder import ToyDecoder
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import Graphs, open_decoder
from tunesmith.learn import Maxforce
from tunesmith.learn.graph_rules import ADD_ONE, expected, local
from tunesmith.learn.list_learner import ListLearner
from tunesmith.metrics import Bleu

METRIC = Bleu(tokenize="none", smoothing="none")
BACKGROUND = np.array([60.0, 40.0, 25.0, 15.0, 90.0, 80.0, 70.0, 60.0, 90.0, 95.0])


def graphs(seed, **options):
    pool, built, references = random_graphs(seed, **{"nodes": 3, "words": "abcd", **options})
    weights = np.random.default_rng(seed).normal(size=len(pool.names))
    return pool, built, references[0], weights


def by_name(pool, weights):
    return dict(zip(pool.names, weights, strict=True))


@given(seed=st.integers(0, 10_000), arity=st.sampled_from([1, 2]))
def test_expected_is_the_gradient_over_all_derivations(seed, arity):
    pool, built, targets, weights = graphs(seed, sentences=3, arity=arity)

    def gain(vector):
        stats = expected_stats(built, targets, 4, lambda one: one.score(by_name(pool, vector)))
        return 63.0 * METRIC.gain(BACKGROUND + stats)

    found = expected(pool, weights, targets, BACKGROUND, 63.0, 1)
    change = dict(zip(found.ids.tolist(), found.change, strict=True))
    for f in range(len(weights)):
        step = 1e-5 * np.eye(len(weights))[f]
        # There are kinks where a count meets its limit: both sides must agree.
        slopes = [(gain(weights + side * step) - gain(weights)) / (side * 1e-5) for side in (-1, 1)]
        if abs(slopes[0] - slopes[1]) < 1e-3:
            assert change.get(f, 0.0) == pytest.approx(np.mean(slopes), abs=1e-3)


@given(seed=st.integers(0, 10_000))
def test_what_is_expected_lacks_to_the_best(seed):
    pool, built, targets, weights = graphs(seed, sentences=2)
    found = expected(pool, weights, targets, BACKGROUND, 42.0, 1)
    sums = BACKGROUND + expected_stats(
        built, targets, 4, lambda one: one.score(by_name(pool, weights))
    )
    slopes = np.array(
        [METRIC.gain(sums + 1e-4 * e) - METRIC.gain(sums - 1e-4 * e) for e in np.eye(10)]
    )
    slopes *= 42.0 / 2e-4
    for s, (nodes, target) in enumerate(zip(built, targets, strict=True)):
        every = derivations(nodes)
        shares = np.exp([one.score(by_name(pool, weights)) for one in every])
        shares /= shares.sum()
        length = shares @ [len(one.words) for one in every]
        word = slopes[8] + sum(slopes[4 + n] for n in range(4) if length > n)
        gains = [word * len(one.words) for one in every]
        for ngram, most in ngrams(target.split(), 4).items():
            times = [ngrams(one.words, 4)[ngram] for one in every]
            if shares @ times < most:
                gains += slopes[len(ngram) - 1] * np.array(times)
        assert found.violations[s] == pytest.approx(max(gains) - shares @ gains, abs=1e-4)
        assert found.updated[s] == (found.violations[s] > 1e-12)


@given(seed=st.integers(0, 10_000), arity=st.sampled_from([1, 2]))
def test_local_goes_to_the_derivation_of_the_best_sentence_bleu(seed, arity):
    # So few that the beam of the search for them is wide enough.
    pool, built, targets, weights = graphs(seed, sentences=2, nodes=2, fan=2, arity=arity)
    found = local(pool, weights, targets, ADD_ONE, 1.0, 1)
    wanted = np.zeros(len(weights))
    for s, (nodes, target) in enumerate(zip(built, targets, strict=True)):
        every = derivations(nodes)
        scores = [one.score(by_name(pool, weights)) for one in every]
        texts, scorer = [" ".join(one.words) for one in every], METRIC.prepare([[target]])
        gains = METRIC.sentence_gains(METRIC.stats(texts, [0] * len(texts), scorer))
        chosen = int(np.argmax(scores))
        best = max(range(len(every)), key=lambda d: (round(gains[d], 12), scores[d]))
        updated = gains[best] > gains[chosen] + 1e-12
        assert found.updated[s] == updated
        assert found.violations[s] == pytest.approx(updated * (scores[chosen] - scores[best]))
        if updated:
            for f, name in enumerate(pool.names):
                wanted[f] += every[best].features.get(name, 0.0)
                wanted[f] -= every[chosen].features.get(name, 0.0)
    change = np.zeros(len(weights))
    change[found.ids] = found.change
    np.testing.assert_allclose(change, wanted, atol=1e-5)


@pytest.mark.parametrize("rule", [expected, local])
def test_the_number_of_threads_changes_nothing(rule):
    pool, _, targets, weights = graphs(5, sentences=40)
    one, two, seven = (
        rule(pool, weights, targets, BACKGROUND, 40.0, threads) for threads in (1, 2, 7)
    )
    for other in (two, seven):
        for name in ("ids", "change", "violations", "updated"):
            assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def test_a_sentence_without_derivations_moves_nothing():
    pool, _, targets, weights = graphs(5, sentences=2)
    some = pool.select([0])
    empty = type(pool).build([[], list(some[0])], pool.names)
    for rule in (expected, local):
        alone = rule(some, weights, targets[:1], BACKGROUND, 1.0, 1)
        both = rule(empty, weights, ["x", targets[0]], BACKGROUND, 1.0, 1)
        np.testing.assert_array_equal(alone.ids, both.ids)
        np.testing.assert_allclose(alone.change, both.change, rtol=1e-9)
        assert both.updated.tolist() == [False, *alone.updated.tolist()]


@pytest.fixture
def hierarchical(tmp_path):
    """A model of random rules, and pairs whose targets are what other weights would say."""
    chance = np.random.default_rng(11)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(40)]
    model = hiero_model(tmp_path / "model", rules, chance, search={"pop_limit": 30})
    sources = [" ".join(chance.choice(list(SOURCE), 6)) for _ in range(8)]
    other = Weights({name: float(chance.normal()) for name in model.feature_names})
    targets = list(open_decoder(model).decode(sources, other).best())
    return model, Bitext.from_lines(sources, targets), (sources, [targets])


OPTIONS = {
    "hypotheses": "graphs", "folds": 0, "batch": 2, "epochs": 6, "rate": 0.5, "patience": 0,
    "dense": "all", "dense_weights": "learned",
}  # fmt: skip


@pytest.mark.parametrize("method", ["expected", "local"])
def test_it_learns_from_the_graphs_of_the_chart_decoder(hierarchical, method):
    model, pairs, dev = hierarchical
    results = [
        Maxforce(**OPTIONS, method=method, engine=threads).fit_decoder(
            open_decoder(model, engine=threads), pairs, dev, model.weights
        )
        for threads in (1, 2)
    ]
    assert results[0].dev_score > results[0].start_score + 5
    assert dict(results[0].weights) == dict(results[1].weights)
    assert results[0].epochs[0].updates > 0
    assert results[0].epochs[0].violation > 0
    if method == "expected":
        assert results[0].epochs[-1].violation < results[0].epochs[0].violation


def test_it_learns_from_the_graphs_of_the_phrase_decoder(tmp_path):
    model, _, chance = random_model(4, tmp_path / "m")
    lines, targets = zip(*some_pairs(model, chance), strict=True)
    start = Weights({name: model.weights.get(name, 0.0) for name in model.feature_names})
    result = Maxforce(**{**OPTIONS, "rate": 0.05}).fit_decoder(
        open_decoder(model), Bitext.from_lines(lines, targets), (lines, [targets]), start
    )
    assert result.dev_score > result.start_score


def test_a_step_is_the_rule_by_the_rate(hierarchical):
    model, pairs, (sources, [targets]) = hierarchical
    decoder = open_decoder(model)
    start = Weights({name: model.weights[name] for name in model.feature_names})
    options = Maxforce(**OPTIONS, average=False, dense_rate=0.5)
    learner = ListLearner(options, [decoder], pairs, start)
    unit = sum(map(abs, start.values()))
    pool = decoder.decode(
        sources[:2], start, want=Graphs(20, [len(t.split()) for t in targets[:2]])
    )
    rule = expected(pool, 10.0 / unit * start.vector(pool.names), targets[:2], ADD_ONE, 2.0, 1)
    wanted = start.vector(pool.names)
    wanted[rule.ids] += 0.5 * unit * 0.5 * rule.change / 2
    learner.step(np.array([[0, 0, 0], [1, 0, 0]], np.uint32))
    found = learner.learned().weights
    np.testing.assert_allclose(found.vector(pool.names), wanted, rtol=1e-6)
    # From now on sentences are judged in the text so far: the model's choices of the first step.
    choices = decoder.decode(sources[:2], start).best()
    text = METRIC.stats(choices, [0, 1], METRIC.prepare([targets[:2]])).mean(axis=0)
    weights = found.vector(pool.names)
    pool = decoder.decode(sources[2:3], found, want=Graphs(20, [len(targets[2].split())]))
    rule = expected(pool, 10.0 / unit * weights, targets[2:3], 20.0 * text, 21.0, 1)
    weights[rule.ids] += 0.5 * unit * 0.5 * rule.change
    learner.step(np.array([[2, 0, 0]], np.uint32))
    np.testing.assert_allclose(learner.learned().weights.vector(pool.names), weights, rtol=1e-6)


def test_a_decoder_without_graphs_is_refused():
    with pytest.raises(OptionError, match="hypotheses is graphs, expected lists"):
        Maxforce(**OPTIONS).fit_decoder(
            ToyDecoder(), Bitext.from_lines(["a"], ["x"]), (["a"], [["x"]]),
            Weights({"words": 0.5, "first": 0.5}),
        )  # fmt: skip


def test_lexical_features_are_not_learned_from_graphs(tmp_path):
    model, _, chance = random_model(4, tmp_path / "m")
    lines, targets = zip(*some_pairs(model, chance), strict=True)
    with pytest.raises(OptionError, match="hypotheses is graphs, expected lists: lexical"):
        Maxforce(hypotheses="graphs", folds=0).fit(
            model, lexical_model(chance), Bitext.from_lines(lines, targets), (lines, [targets])
        )
