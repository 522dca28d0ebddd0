"""A layer in search: its rules are scored as those of the model, and stand beside them."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.tiny_lexical import taught
from reference.tiny_models import SOURCE, joined_model, random_model
from tunesmith import _core
from tunesmith.base.errors import InputError
from tunesmith.base.weights import Weights
from tunesmith.decode import Graphs, KBest, SearchOptions, open_decoder
from tunesmith.grammar import PhraseTable
from tunesmith.model.layer import LAYER_FEATURES, Layer

WIDE = SearchOptions(pop_limit=10_000, stack_size=10_000, table_limit=0)


def pair_scores(model, source, target):
    """What the model has for a pair: scores in all tables, reordering, links."""
    floors, scores, found = model.join_floors, [], []
    for table in model.tables:
        rules = [rule for rule in table.rules(source) if rule.target == target]
        count = table.native.scores_per_rule
        use = bool(rules) and (bool(floors) or not found)
        nothing = floors[len(scores) : len(scores) + count] if floors else [0.0] * count
        scores += rules[0].scores if use else nothing
        found += rules
    return list(scores), list(found[0].reordering), list(found[0].links)


def layer_of(model, path, weights, extra=()):
    """A layer with all rules of the model, and more."""
    names = [name for name in model.decoder_names if name.startswith("tm")]
    native = _core.LayerRules(len(names), len(model.reordering))
    pairs = {(rule.source, rule.target) for table in model.tables for rule in table}
    for source, target in sorted(pairs):
        scores, reordering, links = pair_scores(model, source, target)
        native.add(source.split(), target.split(), scores, reordering, links, False, False)
    for source, target in extra:
        native.add(
            source.split(), target.split(), [0.0] * len(names), [0.0] * len(model.reordering), [],
            True, True,
        )  # fmt: skip
    meta = {"scores": [*names, *LAYER_FEATURES], "reordering": model.reordering}
    native.write(str(path), json.dumps(meta))
    return Layer(path, Weights({**model.weights, **weights}))


def texts(chance):
    return [" ".join(chance.choice(list(SOURCE), 5)) for _ in range(4)]


@pytest.mark.parametrize("kind", ["plain", "joined", "lexical"])
@given(seed=st.integers(0, 100_000))
@settings(max_examples=8)
def test_rules_that_the_model_has_are_worth_the_same_in_a_layer(kind, seed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    make = joined_model if kind == "joined" else random_model
    model, _, chance = make(seed, folder / "f")
    if kind == "lexical":
        model, _ = taught(model, chance, folder / "taught")
    base = open_decoder(model, search=WIDE, engine=1)
    layered = base.layered(layer_of(model, folder / "rules.bin", {}))
    lines = texts(chance)
    one, other = (d.decode(lines, want=KBest(20)) for d in (base, layered))
    assert list(one.texts) == list(other.texts)
    np.testing.assert_allclose(one.scores, other.scores, rtol=1e-5, atol=1e-4)


@given(seed=st.integers(0, 100_000))
@settings(max_examples=8)
def test_scores_are_the_weighted_features(seed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    model, _, chance = random_model(seed, folder / "f")
    own = {name: float(chance.normal()) for name in LAYER_FEATURES}
    new = [("a new b", "x y"), ("new", "z"), ("new", "z")]
    base = open_decoder(model, engine=1)
    decoder = base.layered(layer_of(model, folder / "rules.bin", own, new))
    lines = [*texts(chance), "a new b", "new a"]
    output = decoder.decode(lines, want=KBest(20))
    vector = decoder.model.weights.vector(output.names)
    assert output.names == decoder.names
    np.testing.assert_allclose(output.features @ vector, output.scores, rtol=1e-5, atol=1e-4)
    fire = [name for name in LAYER_FEATURES if name != "layer.share"]  # where phrases have two
    assert output.features[:, [output.names.index(name) for name in fire]].any(axis=0).all()
    pool = decoder.decode(lines[:2], want=Graphs())
    assert set(pool.dense_names) == set(decoder.names)
    forced = decoder.force(["new a"], [output.texts[int(output.offsets[5])]])
    np.testing.assert_allclose(forced.scores[0], output.scores[output.offsets[5]], atol=1e-4)


def test_a_sentence_longer_than_phrases_is_found_as_a_whole(tmp_path):
    model, _, _ = random_model(7, tmp_path / "f")
    source, target = " ".join("abc" * 20), " ".join("xyz" * 15)
    weights = {"layer.whole": 1000.0}
    decoder = open_decoder(model, engine=1).layered(
        layer_of(model, tmp_path / "rules.bin", weights, [(source, target)])
    )
    assert decoder.decode([source]).best() == [target]
    assert decoder.decode([f"{source} a"]).best() != [f"{target} a"]
    steps = decoder.decode([source]).derivation(0).steps
    assert [(step.begin, step.end, step.table) for step in steps] == [(0, 60, 1)]


def test_a_table_that_is_no_layer_is_refused(tmp_path):
    model, _, _ = joined_model(7, tmp_path / "f")
    path = model.folder / "phrases.bin"
    with pytest.raises(InputError) as caught:
        open_decoder(model).layered(Layer(path, model.weights))
    assert str(caught.value) == f"{path}: 4 scores a rule, expected a layer of a model with 8"


def test_rules_are_counted(tmp_path):
    rules = _core.LayerRules(1, 0)
    for target in ("x", "x", "y", "x"):
        rules.add(["a"], [target], [-1.0], [], [(0, 0)], target == "y", False)
    rules.write(str(tmp_path / "one"), '{"scores": ["p", "q", "r", "s", "t", "u", "v"]}')
    first, second = PhraseTable(tmp_path / "one").rules("a")
    assert (first.target, first.counts) == ("x", (3.0, 4.0, 3.0))
    expected = [-1, 1, 0, 1, np.log(3 / 4), np.log(3), 0]
    np.testing.assert_allclose(first.scores, expected, rtol=1e-6)
    np.testing.assert_allclose(second.scores, [-1, 1, 1, 1, np.log(1 / 4), 0, 0], rtol=1e-6)
    again = _core.LayerRules(PhraseTable(tmp_path / "one").native, 1)
    again.write(str(tmp_path / "two"), '{"scores": ["p", "q", "r", "s", "t", "u", "v"]}')
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()
