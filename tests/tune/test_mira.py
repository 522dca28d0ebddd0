"""Online MIRA: one shard is the plain algorithm, and shards alone decide the result."""

import dataclasses

import numpy as np
import pytest

from reference.graph_pools import random_graphs
from reference.tiny_models import random_model
from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.seeds import generator
from tunesmith.base.weights import Weights
from tunesmith.decode import open_decoder
from tunesmith.metrics import Bleu, parse_metric
from tunesmith.tune import make_tuner
from tunesmith.tune.graph_space import GraphSpace
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.scaling import feature_scale
from tunesmith.tune.sources import DecoderSource

BLEU = Bleu(order=2, tokenize="none")
START = Weights({"f0": 1.0, "f1": -0.5, "f2": 0.2})
SENTENCES = ["a b c a b", "b c a c b a", "c a b a b c", "a a b c b", "c c a", "b a b c"] * 2
REFERENCES = [["w x y z w", "x y z w x y", "w w x y z", "z y x w x y", "w x", "y z x w"] * 2]


def begun(shards, **options):
    """Graphs that stand still instead of a decoder, and the memory before the first epoch."""
    pool, _, references = random_graphs(3, sentences=9)
    tuner = make_tuner("mira", shards=shards, **options)
    lists = GraphSpace(pool, references).lists(BLEU, START.vector(pool.names), 20)
    memory = tuner.begin(lists, BLEU, START, pool.names, pool.dense_size)

    def graphs(sentence, weights, density, words):
        assert words == len(references[0][sentence].split())
        return pool.select([sentence])

    return tuner, memory, graphs, references, pool


def test_one_shard_is_the_plain_algorithm():
    tuner, memory, graphs, references, pool = begun(1, decay=0.9)
    end = tuner.epoch(memory, graphs, BLEU, references)
    scorer = BLEU.prepare(references)
    ids = np.arange(9, dtype=np.uint32)
    space = _core.BleuSpace(pool.native, pool.vocabulary.native, scorer, ids, 1)
    plain = _core.GraphMira(
        BLEU.gain,
        memory.weights,
        memory.scale,
        memory.backgrounds[0],
        background_size=1.0,
        step_cap=tuner.C,
        decay=0.9,
        gain_scale=1.0 / memory.gain_spread,
        beam=tuner.beam,
        threads=1,
    )
    plain.run_pass(space, generator(tuner.seed, "mira", 0, 0).permutation(np.arange(9)))
    np.testing.assert_array_equal(end.weights, plain.weights())
    np.testing.assert_allclose(end.mean, plain.average())
    np.testing.assert_array_equal(end.backgrounds, [plain.background()])


def test_shards_are_mixed_and_start_from_the_mixture():
    tuner, memory, graphs, references, _ = begun(2)
    first = tuner.epoch(memory, graphs, BLEU, references)
    scorer, lengths = BLEU.prepare(references), [len(line.split()) for line in references[0]]
    alone = [tuner._learn(memory, s, graphs, BLEU, scorer, lengths) for s in range(2)]
    np.testing.assert_allclose(first.weights, (alone[0].weights() + alone[1].weights()) / 2)
    # Five sentences were met with weights of the first shard, four with those of the second.
    np.testing.assert_allclose(first.mean, (5 * alone[0].average() + 4 * alone[1].average()) / 9)
    second = tuner.epoch(first, graphs, BLEU, references)
    assert second.visits == 18
    assert second.epochs == 2
    assert not np.array_equal(second.weights, first.weights)


def test_the_average_of_all_epochs():
    tuner, memory, graphs, references, _ = begun(2)
    whole = make_tuner("mira", shards=2, average_all=True)
    last, both = memory, memory
    means = []
    for _ in range(3):
        last = tuner.epoch(last, graphs, BLEU, references)
        both = whole.epoch(both, graphs, BLEU, references)
        means.append(last.mean)
        np.testing.assert_array_equal(both.weights, last.weights)  # learning is the same
        np.testing.assert_allclose(both.mean, np.mean(means, axis=0))
    assert not np.allclose(means[0], means[1])


def test_a_sentence_without_derivations_is_skipped_by_name(caplog):
    pool, built, references = random_graphs(3, sentences=4)
    holes = GraphPool.build([*built[:2], [], built[3]], pool.names)
    tuner = make_tuner("mira", shards=2)
    lists = GraphSpace(pool, references).lists(BLEU, START.vector(pool.names), 20)
    memory = tuner.begin(lists, BLEU, START, pool.names, pool.dense_size)

    def graphs(sentence, *_):
        return holes.select([sentence])

    assert tuner.epoch(memory, graphs, BLEU, references).visits == 3
    assert caplog.messages == ["sentence 3 has no derivation in its graph and is skipped"]


def run(model, folder, shards, threads):
    source = DecoderSource(open_decoder(model, engine=threads), SENTENCES)
    tuner = make_tuner("mira", shards=shards, engine=threads)
    loop = TuningLoop(source, tuner, BLEU, REFERENCES, iterations=3)
    return repr(loop.run(model.initial_weights(), folder))


@pytest.mark.parametrize("shards", [1, 4, 8])
def test_same_bytes_for_the_same_shards_whatever_the_threads(tmp_path, shards):
    model = random_model(3, tmp_path / "m")[0]
    results = {run(model, tmp_path / f"run{threads}", shards, threads) for threads in (1, 2, 4)}
    assert len(results) == 1


def test_more_shards_than_sentences():
    tuner, memory, graphs, references, _ = begun(12)
    assert tuner.epoch(memory, graphs, BLEU, references).visits == 9


def test_features_that_the_lists_do_not_have():
    """They keep their size, sparse ones that of the others."""
    pool, _, references = random_graphs(3, sentences=9)
    lists = GraphSpace(pool, references).lists(BLEU, START.vector(pool.names), 20)
    names = (*pool.names, "new", "t:new")
    tuner = make_tuner("mira", shards=2)
    scale = feature_scale(lists)
    found = tuner.begin(lists, BLEU, START, names, 4)
    assert found.scale.tolist() == [*scale, 1.0, 1.0]
    renamed = dataclasses.replace(lists, dense_names=("f0", "f1"), dense=lists.dense[:, :2],
                                  sparse_names=("t:f2",), sparse_offsets=np.arange(lists.rows + 1),
                                  sparse_ids=np.zeros(lists.rows, np.uint32),
                                  sparse_values=np.full(lists.rows, 3.0, np.float32))  # fmt: skip
    start = Weights({"f0": 1.0, "f1": -0.5})
    sparse = tuner.begin(renamed, BLEU, start, ("f0", "f1", "a:colon", "t:f2", "new"), 3)
    assert sparse.scale[2:].tolist() == [1.0, 3.0, 3.0]
    # The start has length 1 in these units.
    assert np.linalg.norm(found.weights * found.scale) == pytest.approx(1.0)
    assert (found.visits, found.epochs) == (0, 0)
    assert found.background_sizes.tolist() == [1.0, 1.0]
    best = lists.stats_of(lists.best(START.vector(lists.names)))
    expected = best / lists.sentences + 0.1
    assert found.backgrounds == pytest.approx(np.tile(expected, (2, 1)))


def test_other_metrics_are_refused():
    pool, _, references = random_graphs(3, sentences=3)
    lists = GraphSpace(pool, references).lists(BLEU, START.vector(pool.names), 20)
    for metric in (parse_metric("chrf"), Bleu()):
        with pytest.raises(OptionError, match="mira looks for n-grams along the words"):
            make_tuner("mira").begin(lists, metric, START, pool.names, 3)
