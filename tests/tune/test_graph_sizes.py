"""What a loop on graphs keeps over its iterations, and what it asks of its tuner."""

import numpy as np
import pytest

from reference.graph_pools import random_graphs
from reference.tiny_models import random_model
from tunesmith.decode import open_decoder
from tunesmith.metrics import Bleu
from tunesmith.tune import make_tuner
from tunesmith.tune.graph_space import GraphMemory, Sizes
from tunesmith.tune.lb_mira import LatticeMira
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.sources import DecoderSource


def test_sizes_are_means_over_all_iterations():
    """A feature that an iteration does not have varied by 0 in it."""
    sizes = Sizes({"a": 1.0}, {"s": 6.0}, 4.0)
    for other in (Sizes({"a": 3.0, "b": 6.0}, {}, 8.0), Sizes({"a": 5.0}, {"s": 3.0}, 0.0)):
        sizes = sizes.and_then(other)
    assert sizes.dense == pytest.approx({"a": 3.0, "b": 2.0})
    assert sizes.sparse == pytest.approx({"s": 3.0})
    assert sizes.gain_square == pytest.approx(4.0)
    assert sizes.iterations == 3


def test_a_feature_is_divided_by_its_deviation():
    sizes = Sizes({"a": 4.0, "b": 0.0}, {"x": 9.0, "y": 1.0}, 25.0)
    # Sparse features have one size, new ones too; what never varied keeps its own.
    names = ["a", "b", "new:dense", "x", "new"]
    assert sizes.scale(names, 3).tolist() == [2.0, 1.0, 1.0, 3.0, 3.0]
    assert Sizes({"a": 4.0}, {}, 0.0).scale(["x"], 0).tolist() == [1.0]
    assert sizes.gain_spread == 5.0


def test_memory_is_found_again(tmp_path):
    pool, _, _ = random_graphs(3, sentences=4)
    sizes = Sizes({"f0": 2.0, "f1": 3.0}, {"f2": 5.0}, 4.0, 7)
    GraphMemory(pool, sizes).save(tmp_path / "m.bin")
    found = GraphMemory.load(tmp_path / "m.bin")
    assert found.sizes == sizes
    np.testing.assert_array_equal(found.paths.feature_values, pool.feature_values)


def test_new_graphs_judge_the_end_of_a_turn(tmp_path, monkeypatch):
    model = random_model(3, tmp_path / "m")[0]
    asked = []
    fit = LatticeMira.fit

    def watched(self, space, metric, start, **options):
        asked.append((space.memory is None, dict(start), options))
        return fit(self, space, metric, start, **options)

    monkeypatch.setattr(LatticeMira, "fit", watched)
    source = DecoderSource(open_decoder(model, engine=1), ["a b c", "b a"])
    loop = TuningLoop(
        source, make_tuner("lb-mira", passes=1), Bleu(order=2, tokenize="none"),
        [["w x y", "z w"]], iterations=2,
    )  # fmt: skip
    result = loop.run(model.initial_weights(), tmp_path / "run")
    assert [options for _, _, options in asked] == [{"keep_better_start": False}] * len(asked)
    assert [first for first, _, _ in asked] == [True, False]
    assert [start for _, start, _ in asked] == [turn.weights for turn in result.iterations[:2]]
    assert {turn.unit for turn in result.iterations} == {"edges"}
