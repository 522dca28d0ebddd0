"""What every tuner of graphs must do, alone and in the loop."""

import dataclasses
import logging
from itertools import pairwise

import numpy as np
import pytest

from reference.graph_pools import random_graphs
from reference.tiny_grammars import hiero_model, random_rule
from reference.tiny_models import random_model
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import Edge, GraphPool
from tunesmith.base.parameters import parameters_of
from tunesmith.base.weights import Weights
from tunesmith.decode import open_command, open_decoder
from tunesmith.graph import best
from tunesmith.metrics import Bleu
from tunesmith.tune import GRAPH_TUNERS, make_tuner, tuner_class
from tunesmith.tune.graph_base import GraphTuner
from tunesmith.tune.graph_space import GraphSpace
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.loop_state import STATE_FILE
from tunesmith.tune.sources import DecoderSource

BLEU = Bleu(tokenize="none")
START = Weights({"f0": 1.0, "f1": -0.5, "f2": 0.2})
FEWER = {"passes": 4, "restarts": 2, "combinations": 2}
SENTENCES = ["a b c a b", "b c a c b a", "c a b a b c", "a a b c b"]
REFERENCES = [["w x y z w", "x y z w x y", "w w x y z", "z y x w x y"]]
ON_GRAPHS = [name for name in GRAPH_TUNERS if issubclass(tuner_class(name), GraphTuner)]


def quick(name, **options):
    known = {field.name for field in parameters_of(tuner_class(name))}
    return make_tuner(name, **{k: v for k, v in FEWER.items() if k in known}, **options)


def space_of(seed, **options):
    pool, _, references = random_graphs(seed, **options)
    return GraphSpace(pool, references)


@pytest.fixture(params=ON_GRAPHS)
def name(request):
    return request.param


@pytest.fixture(params=list(GRAPH_TUNERS))
def any_name(request):
    return request.param


def score(space, weights, metric=BLEU):
    return metric.corpus_score(best(space.pool, weights).best_texts(), space.references)


def test_the_result_is_what_the_graphs_say(name):
    space = space_of(3, sentences=12)
    result = quick(name).fit(space, BLEU, START)
    assert result.start_score == pytest.approx(score(space, START))
    assert result.score == pytest.approx(score(space, result.weights))
    assert result.score >= result.start_score
    assert sum(abs(value) for value in result.weights.values()) == pytest.approx(1.0)


def agreement(edge, reference):
    """Words of an edge that a reference has, less those that it has not; bigrams count double."""
    words, known = [word for word in edge.words if isinstance(word, str)], reference.split()
    pairs = set(pairwise(known))
    return sum(1.0 if word in known else -1.0 for word in words) + sum(
        2.0 for pair in pairwise(edge.words) if pair in pairs
    )


def test_tuning_gains(name):
    """Feature f0 says how well an edge agrees with the reference: its weight must end high."""
    pool, built, references = random_graphs(8, sentences=25, nodes=4, words="abcdefghij")
    helpful = [
        [
            [
                dataclasses.replace(
                    edge, features={**edge.features, "f0": agreement(edge, reference)}
                )
                for edge in node
            ]
            for node in nodes
        ]
        for nodes, reference in zip(built, references[0], strict=True)
    ]
    space = GraphSpace(GraphPool.build(helpful, pool.names), references)
    start = Weights({"f0": -0.2, "f1": 1.0, "f2": 1.0})
    metric = Bleu(order=2, tokenize="none")
    result = make_tuner(name).fit(space, metric, start)
    assert result.score > result.start_score + 5
    assert result.weights["f0"] > 0.2


def test_same_bytes_for_any_number_of_threads(name):
    space = space_of(5, sentences=10)
    results = [quick(name, engine=threads).fit(space, BLEU, START) for threads in (1, 2, 3)]
    assert len({repr(dict(result.weights)) for result in results}) == 1
    assert results[0].history == results[1].history == results[2].history
    first, *others = (result.memory.paths for result in results)
    for other in others:
        assert np.array_equal(first.feature_values, other.feature_values)
        assert np.array_equal(first.words, other.words)


def test_sentences_without_derivations_are_skipped_by_name(name, caplog):
    pool, built, references = random_graphs(6, sentences=5)
    holes = GraphPool.build([[], *built[1:4], []], pool.names)
    with caplog.at_level(logging.WARNING):
        result = quick(name).fit(GraphSpace(holes, references), BLEU, START)
    assert "sentence 1 has no derivation in its graph and is skipped" in caplog.messages
    assert "sentence 5 has no derivation in its graph and is skipped" in caplog.messages
    assert len(result.memory.paths) == 5
    # Without them, the rest is tuned the same.
    rest = GraphSpace(GraphPool.build(built[1:4], pool.names), [references[0][1:4]])
    assert score(rest, result.weights) == pytest.approx(result.score)
    nothing = GraphPool.build([[]] * 5, pool.names)
    with pytest.raises(OptionError, match="no sentence has a derivation in its graph"):
        quick(name).fit(GraphSpace(nothing, references), BLEU, START)


def test_features_that_the_weights_do_not_know_are_refused(name):
    space = space_of(2)
    with pytest.raises(OptionError, match="the graphs' feature 'f2' has no weight"):
        quick(name).fit(space, BLEU, Weights({"f0": 1.0, "f1": 1.0}))
    with pytest.raises(OptionError, match="none of the start weights names a feature of the gra"):
        quick(name).fit(space, BLEU, Weights({"lm": 1.0}))


def test_references_must_fit(name):
    pool, _, references = random_graphs(2, sentences=3)
    with pytest.raises(OptionError, match="graphs of 3 sentences, but references of 2"):
        quick(name).fit(GraphSpace(pool, [references[0][:2]]), BLEU, START)


def test_graphs_of_one_derivation_change_nothing(name):
    pool = GraphPool.build([[[Edge(("a",), {"f0": 1.0})]]] * 2, ["f0", "f1", "f2"])
    result = quick(name).fit(GraphSpace(pool, [["a", "b"]]), BLEU, START)
    assert result.score == result.start_score


@pytest.fixture(params=["phrase", "hiero"])
def model(request, tmp_path):
    """Graphs of stacks have one tail, those of charts two."""
    if request.param == "phrase":
        return random_model(3, tmp_path / "m")[0]
    chance = np.random.default_rng(3)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(40)]
    return hiero_model(tmp_path / "m", rules, chance, search={"pop_limit": 20})


def loop(model, tuner, threads=1, **options):
    source = DecoderSource(open_decoder(model, engine=threads), SENTENCES)
    metric = Bleu(order=2, tokenize="none")
    return TuningLoop(source, quick(tuner, engine=threads), metric, REFERENCES, **options)


class Killed(Exception):
    pass


@pytest.mark.parametrize("killed_after", [1, 3])
def test_killed_and_resumed_ends_the_same(model, tmp_path, any_name, killed_after):
    start = model.initial_weights()
    whole = loop(model, any_name, iterations=4).run(start, tmp_path / "whole")
    assert whole.score >= whole.iterations[0].score

    def kill(number, iteration):
        if number == killed_after:
            raise Killed

    with pytest.raises(Killed):
        loop(model, any_name, iterations=4).run(start, tmp_path / "killed", report=kill)
    resumed = loop(model, any_name, iterations=4, threads=2).run(start, tmp_path / "killed")
    assert repr(resumed) == repr(whole)
    assert (tmp_path / "killed" / STATE_FILE).read_bytes() == (
        tmp_path / "whole" / STATE_FILE
    ).read_bytes()


def test_commands_give_no_graphs(any_name, tmp_path):
    source = DecoderSource(open_command("decode {weights} {nbest}"), ["a"])
    with pytest.raises(OptionError, match=f"{any_name} needs .* our own decoder"):
        TuningLoop(source, quick(any_name), BLEU, REFERENCES).run(START, tmp_path / "run")


def test_sparse_features(name):
    """A feature of a template needs no start weight, and gets one if it helps."""
    pool, built, references = random_graphs(9, sentences=20, words="abcdefghij")
    tagged = [
        [
            [
                dataclasses.replace(
                    edge,
                    features={
                        **edge.features,
                        "agrees:yes": float(agreement(edge, reference) > 0),
                        "agrees:no": float(agreement(edge, reference) < 0),
                    },
                )
                for edge in node
            ]
            for node in nodes
        ]
        for nodes, reference in zip(built, references[0], strict=True)
    ]
    sparse = ("agrees:yes", "agrees:no")
    space = GraphSpace(GraphPool.build(tagged, pool.names, sparse=sparse), references)
    metric = Bleu(order=2, tokenize="none")
    if tuner_class(name).dense_only:
        with pytest.raises(OptionError, match="takes dense ones only, but the graphs have 2"):
            quick(name).fit(space, metric, START)
        return
    result = make_tuner(name).fit(space, metric, START)
    assert result.score > result.start_score + 3
    assert result.weights["agrees:yes"] > result.weights["agrees:no"]
    # Only the dense weights are brought to a sum of 1.
    assert sum(abs(result.weights[f]) for f in START) == pytest.approx(1.0)
