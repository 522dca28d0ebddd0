"""Feature sets: a view of a large model is the small model."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.tiny_models import SOURCE, random_model
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.weights import Weights
from tunesmith.decode import Graphs, KBest, SearchOptions, open_decoder
from tunesmith.features import FEATURE_SETS, CountBin, build_features
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.model import MODEL_FILE, TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE, link_or_copy

TM = ("p_f_given_e", "lex_f_given_e", "p_e_given_f", "lex_e_given_f")
SMALL = (*(f"tm.{score}" for score in TM), "distortion", "word_penalty", "lm")


def big_model(seed, folder, kind="big"):
    """Two random models in one, with the sparse features of a set and random weights."""
    folder.mkdir()
    one, _, chance = random_model(seed, folder / "one")
    other, _, _ = random_model(seed + 1, folder / "other")
    wanted = FEATURE_SETS[kind]
    with new_model(folder / "model") as temporary:
        for model, suffix in ((one, ""), (other, "2")):
            link_or_copy(model.folder / "phrases.bin", temporary / f"phrases{suffix}.bin")
            link_or_copy(model.folder / "lm.arpa", temporary / f"lm{suffix}.arpa")
        tables = [*one.tables, *other.tables]
        features = build_features(tables, wanted.templates, temporary / "features.bin")
        write_description(
            temporary,
            tables=["phrases.bin", "phrases2.bin"],
            language_models=["lm.arpa", "lm2.arpa"],
            features="features.bin",
            unused=wanted.unused,
            search={"pop_limit": 50},
        )
        model = TranslationModel.load(temporary)
        names = [*model.feature_names, *features.names]
        weights = Weights.from_vector(names, chance.normal(size=len(names)))
        write_weights(temporary / WEIGHTS_FILE, weights)
    return TranslationModel.load(folder / "model"), one, chance


def test_names_and_weights(tmp_path):
    model, _, _ = big_model(1, tmp_path / "m")
    small, medium, big = (model.restricted(name) for name in ("small", "medium", "big"))
    assert small.feature_names == SMALL
    assert len(medium.feature_names) == 18
    assert medium.feature_names == big.feature_names == model.feature_names
    assert set(small.feature_names) < set(medium.feature_names)
    assert len(small.sparse_names) == len(medium.sparse_names) == 0
    assert list(big.sparse_names) == list(model.sparse_names)
    assert dict(small.weights) == {name: model.weights[name] for name in SMALL}
    assert dict(big.weights) == dict(model.weights)
    ones = {name for name, value in medium.initial_weights().items() if value == 1}
    assert ones == {n for n in medium.feature_names if n.startswith(("tm", "lm", "dist"))}
    assert set(medium.initial_weights().values()) == {0.0, 1.0}
    assert len(small.tables) == len(small.language_models) == 1
    dense = model.restricted("dense")
    assert len(dense.feature_names) == 15
    assert model.restricted("standard").feature_names == (*dense.feature_names, "lm2")


@given(seed=st.integers(0, 100_000))
@settings(max_examples=20)
def test_a_view_searches_as_the_smaller_model_does(seed, tmp_path_factory):
    """One table, one language model, no reordering: as with weights of 0, but with fewer states."""
    folder = tmp_path_factory.mktemp("r")
    model, one, chance = big_model(seed, folder / "m")
    texts = [" ".join(chance.choice(list(SOURCE), int(n))) for n in (1, 4, 6)]
    search = SearchOptions(pop_limit=100_000, stack_size=100_000, table_limit=0, distortion_limit=3)
    small = open_decoder(model.restricted("small"), search=search, engine=1)
    found = small.decode(texts, want=KBest(10))
    assert found.names == SMALL
    weights = Weights({name: model.weights[name] for name in SMALL})
    expected = open_decoder(one, search=search, engine=1).decode(texts, weights, want=KBest(10))
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-4, atol=1e-5)
    places = [one.feature_names.index(name) for name in SMALL]
    columns = expected.features[:, places]
    for row, text in enumerate(found.texts):
        np.testing.assert_allclose(
            weights.vector(SMALL) @ found.features[row], found.scores[row], rtol=1e-9
        )
        if text == expected.texts[row]:
            np.testing.assert_allclose(found.features[row], columns[row], rtol=1e-4, atol=1e-4)
    vector = model.restricted("small").weight_vector(weights)
    assert small.decode(texts, vector, want=KBest(10)).texts == found.texts
    with pytest.raises(OptionError, match="3 weights for 7 dense features"):
        small.decode(texts, vector[:3])


@pytest.mark.parametrize("name", ["small", "medium", "big"])
def test_graphs_of_a_view_have_its_features(name, tmp_path):
    model, _, chance = big_model(3, tmp_path / "m")
    view = model.restricted(name)
    decoder = open_decoder(view, engine=1)
    text = " ".join(chance.choice(list(SOURCE), 6))
    pool = decoder.decode([text], want=Graphs())
    assert pool.names == (*view.feature_names, *view.sparse_names)
    vector = view.weight_vector(view.weights)
    best = []
    for edges in pool[0]:
        best.append(
            max(
                sum(vector[pool.names.index(n)] * v for n, v in edge.features.items())
                + sum(best[tail] for tail in edge.tails)
                for edge in edges
            )
        )
    np.testing.assert_allclose(best[-1], decoder.decode([text]).scores[0], rtol=1e-5)


def test_no_set_has_lexical_features(tmp_path):
    model, _, _ = big_model(1, tmp_path / "m")
    path = model.folder / MODEL_FILE
    path.write_text(path.read_text().replace("[search]", 'lexical = "lexical.bin"\n[search]'))
    again = TranslationModel.load(model.folder)
    assert again.feature_names == (*model.feature_names, "lexical")
    assert again.restricted("big").feature_names == model.feature_names


def test_a_view_becomes_a_model(tmp_path):
    model, _, _ = big_model(1, tmp_path / "m")
    small = model.restricted("small")
    made = small.with_weights(small.weights, tmp_path / "small")
    assert sorted(path.name for path in made.folder.iterdir()) == [
        "lm.arpa", "model.toml", "phrases.bin", "weights.tsv",
    ]  # fmt: skip
    assert made.feature_names == SMALL
    assert made.search == {"pop_limit": 50}
    assert dict(made.weights) == dict(small.weights)
    text = "a b c a"
    outputs = [open_decoder(one, engine=1).decode([text], want=KBest(5)) for one in (small, made)]
    assert outputs[0].texts == outputs[1].texts
    again = model.with_weights(model.weights, tmp_path / "whole")
    assert (again.folder / MODEL_FILE).read_bytes() == (model.folder / MODEL_FILE).read_bytes()
    assert read_weights(again.folder / WEIGHTS_FILE) == dict(model.weights)


def test_sets_that_a_model_does_not_have(tmp_path):
    one, _, _ = random_model(1, tmp_path / "one")
    for name, message in [
        ("medium", "has 1 of 2 phrase tables of the feature set 'medium'; train it with "
                   "--features medium"),
        ("large", "feature set 'large', expected one of: standard, dense, small, medium, big, "
                  "overfit"),
    ]:  # fmt: skip
        with pytest.raises(OptionError) as caught:
            one.restricted(name)
        assert message in str(caught.value)
    big, _, _ = big_model(1, tmp_path / "m")
    with pytest.raises(OptionError, match=r"does not have the sparse features of .* 'overfit'"):
        big.restricted("overfit")
    overfit, _, _ = big_model(1, tmp_path / "o", "overfit")
    assert overfit.restricted("overfit").feature_names == big.feature_names
    with pytest.raises(OptionError, match=r"does not have the sparse features of .* 'big'"):
        overfit.restricted("big")
    assert FEATURE_SETS["big"].accepts({"templates": [t.describe() for t in
                                        FEATURE_SETS["big"].templates]})  # fmt: skip
    assert not FEATURE_SETS["big"].accepts({"templates": [CountBin().describe()]})


def test_unused_features_must_exist(tmp_path):
    model, _, _ = random_model(1, tmp_path / "one")
    path = model.folder / MODEL_FILE
    path.write_text(path.read_text().replace("[search]", 'unused = ["lm2"]\n[search]'))
    with pytest.raises(InputError) as caught:
        _ = TranslationModel.load(model.folder).feature_names
    assert str(caught.value) == f"{path}: unused 'lm2', expected dense features of the model"
