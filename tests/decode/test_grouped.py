"""Sparse features as one dense feature: the same searches, scores and graphs."""

import numpy as np
import pytest

from reference.tiny_grammars import SOURCE, hiero_model, random_rule
from reference.toy_decoder import ToyDecoder
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.decode import Graphs, KBest, open_decoder
from tunesmith.decode.grouped import GROUP, GroupedDecoder
from tunesmith.features import GrammarTemplates, RuleId, RuleShape
from tunesmith.graph import kbest


@pytest.fixture
def grouped(tmp_path):
    """A decoder whose rules have sparse features, their weights, and sentences."""
    chance = np.random.default_rng(3)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(40)]
    model = hiero_model(tmp_path / "model", rules, chance, search={"pop_limit": 30})
    templates = GrammarTemplates([RuleId(), RuleShape()])
    decoder = open_decoder(model.with_templates(templates, model.weights, tmp_path / "sparse"))
    lines = [" ".join(chance.choice(list(SOURCE), 5)) for _ in range(4)]
    names = decoder.decode(lines, model.weights, KBest(30)).used_sparse()[1]
    sparse = {name: float(chance.normal()) for name in names}
    return GroupedDecoder.of_weights(decoder, {**model.weights, **sparse}), model.weights, lines


def test_lists_are_those_of_the_decoder(grouped):
    decoder, dense, lines = grouped
    weights = Weights({**decoder.start(dense), GROUP: 0.3})
    found = decoder.decode(lines, weights, KBest(10))
    wanted = decoder.decoder.decode(lines, decoder.whole(weights), KBest(10))
    assert found.texts == wanted.texts
    assert found.names == decoder.all_names == (*decoder.decoder.names, GROUP)
    assert found.used_sparse()[1] == []
    scores = found.features @ weights.vector(found.names)
    np.testing.assert_allclose(scores, wanted.scores, atol=1e-4)
    again = decoder.decode(lines, weights.vector(decoder.names), KBest(10))
    assert again.texts == found.texts


def test_lists_are_made_a_part_of_the_sentences_at_a_time(grouped, monkeypatch):
    decoder, dense, lines = grouped
    weights = Weights({**decoder.start(dense), GROUP: 0.3})
    whole = decoder.decode(lines, weights, KBest(10))
    monkeypatch.setattr("tunesmith.decode.grouped.PART", 3)
    parts = decoder.decode(lines, weights, KBest(10))
    assert parts.texts == list(whole.texts)
    assert parts.names == whole.names
    np.testing.assert_array_equal(parts.offsets, whole.offsets)
    np.testing.assert_array_equal(parts.scores, whole.scores)
    # Names of features are in another order, and so are the parts of a sum.
    np.testing.assert_allclose(parts.features, whole.features, rtol=1e-12)
    assert len(decoder.decode([], weights, KBest(10))) == 0


def test_graphs_have_the_same_derivations(grouped):
    decoder, dense, lines = grouped
    weights = Weights({**decoder.start(dense), GROUP: 0.3})
    for pool in (
        decoder.decode(lines, weights, want=Graphs()),
        decoder.decode(lines, weights, KBest(2, graph_density=float("inf"))).graphs,
    ):
        assert pool.names == decoder.names
        assert pool.dense_size == len(pool.names)
        whole = decoder.decoder.decode(lines, decoder.whole(weights), want=Graphs())
        other = Weights({**weights, GROUP: -1.0})
        found = kbest(pool, other, 20)
        wanted = kbest(whole, decoder.whole(other), 20)
        np.testing.assert_allclose(found.scores, wanted.scores, atol=1e-4)


def test_the_group_as_it_is_changes_nothing(grouped):
    decoder, dense, _ = grouped
    assert decoder.whole(decoder.start(dense)) == Weights({**dense, **decoder.sparse})
    assert decoder.gives_graphs


def test_a_toy_is_grouped_too():
    decoder = GroupedDecoder(ToyDecoder(), {"pair:a_z": 2.0, "pair:b_y": -1.0})
    output = decoder.decode(["a b"], Weights({"words": 0.5, "first": 0.0, GROUP: 1.0}), KBest(99))
    values = dict(zip(output.texts, output.features[:, -1].tolist(), strict=True))
    assert values["z y"] == 1.0
    assert values["z w x"] == 2.0
    assert values["x w x"] == 0.0
    assert not decoder.gives_graphs
    with pytest.raises(OptionError, match="weights by name or as a vector"):
        decoder.session()
