"""Sparse features in the search: brute force, w · h from scratch, lists for tuners."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.phrase_decoder import all_derivations
from reference.tiny_models import SOURCE, random_model
from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.weights import Weights
from tunesmith.decode import Graphs, KBest, SearchOptions, SourceSentence
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.translate import Translator
from tunesmith.features import CountBin, LengthBin, WordPair, build_features
from tunesmith.formats.explanations import explanation_text
from tunesmith.formats.weights import write_weights
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE, link_or_copy
from tunesmith.tune.pool import PoolBuilder
from tunesmith.tune.sources import DecoderSource

UNPRUNED = {"pop_limit": 1_000_000, "stack_size": 1_000_000, "table_limit": 0}


def endings(source, target, links, counts):
    """A user's template with values that are not 1, and below 0."""
    return {f"{source[-1]}{target[-1]}": 0.5, "long": 1.5 - len(target)}


TEMPLATES = [WordPair(), LengthBin(), endings]


def with_sparse(model, folder, chance):
    """The model with sparse features and random weights for most of them."""
    with new_model(folder) as temporary:
        for entry in model.folder.iterdir():
            if entry.name not in {"model.toml", WEIGHTS_FILE}:
                link_or_copy(entry, temporary / entry.name)
        features = build_features(model.tables, TEMPLATES, temporary / "features.bin")
        write_description(
            temporary,
            tables=["phrases.bin"],
            language_models=["lm.arpa"],
            features="features.bin",
        )
        sparse = {name: chance.normal() for name in features.names if chance.random() < 0.8}
        write_weights(temporary / WEIGHTS_FILE, Weights({**model.weights, **sparse}))
    return TranslationModel.load(folder)


@given(seed=st.integers(0, 100_000), limit=st.integers(0, 3), size=st.integers(1, 4))
@settings(max_examples=40)
def test_exact_search_equals_brute_force(seed, limit, size, tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    dense, ngrams, chance = random_model(seed, folder / "f")
    model = with_sparse(dense, folder / "sparse", chance)
    words = list(chance.choice(list(SOURCE), size))
    table, features = model.tables[0], model.rule_features
    numbers = {(rule.source, rule.target): n for n, rule in enumerate(table)}

    def sparse_of(rule):
        return features.of_rule(table, numbers[rule.source, rule.target])

    vector = model.weights.vector(model.feature_names)
    expected = []
    for text, values, rules in all_derivations(words, table.rules, ngrams, limit, rules_too=True):
        score = float(np.dot(vector, values))
        for rule in rules:
            if rule is not None:
                score += sum(model.weights.get(n, 0.0) * v for n, v in sparse_of(rule).items())
        expected.append((score, text))
    expected.sort(key=lambda item: -item[0])
    decoder = PhraseDecoder(
        model, search=SearchOptions(distortion_limit=limit, **UNPRUNED), engine=1
    )
    found = decoder.decode([" ".join(words)], want=KBest(len(expected) + 5, distinct=False))
    np.testing.assert_allclose(found.scores, [s for s, _ in expected], rtol=1e-4, atol=1e-4)
    assert sorted(found.texts) == sorted(text for _, text in expected)


@given(seed=st.integers(0, 100_000))
@settings(max_examples=25)
def test_scores_are_weights_times_features(seed, tmp_path_factory):
    """With pruning, on longer sentences; the steps alone give the same values."""
    folder = tmp_path_factory.mktemp("m")
    dense, _, chance = random_model(seed, folder / "f")
    model = with_sparse(dense, folder / "sparse", chance)
    text = " ".join(chance.choice(list(SOURCE), int(chance.integers(5, 20))))
    decoder = PhraseDecoder(model, search=SearchOptions(pop_limit=20), engine=1)
    output = decoder.decode([text], want=KBest(10))
    offsets, ids, values = output.sparse
    assert len(offsets) == len(output.texts) + 1
    sentence = SourceSentence.from_text(text).native("copy")
    vector = model.weight_vector(model.weights)
    for row in range(len(output.texts)):
        own = slice(offsets[row], offsets[row + 1])
        assert (np.diff(ids[own].astype(np.int64)) > 0).all()
        assert (values[own] != 0).all()
        again = _core.derivation_features(decoder.native, sentence, output.native, 0, row)
        np.testing.assert_allclose(again[0], output.features[row], rtol=1e-4, atol=1e-4)
        assert again[1].tolist() == ids[own].tolist()
        assert again[2].tolist() == values[own].tolist()
        derivation = output.derivation(row)
        np.testing.assert_allclose(
            sum(derivation.contributions(model.weights).values()), derivation.score, rtol=1e-6
        )
        whole = vector[: len(model.feature_names)] @ output.features[row]
        whole += vector[len(model.feature_names) :][ids[own]] @ values[own].astype(float)
        np.testing.assert_allclose(whole, derivation.score, rtol=1e-9)


@given(seed=st.integers(0, 100_000))
@settings(max_examples=15)
def test_features_of_weight_0_change_nothing(seed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    dense, _, chance = random_model(seed, folder / "f")
    model = with_sparse(dense, folder / "sparse", chance)
    texts = [" ".join(chance.choice(list(SOURCE), 9)) for _ in range(3)]
    outputs = [
        PhraseDecoder(one, search=SearchOptions(pop_limit=30), engine=1).decode(
            texts, dense.weights, want=KBest(20)
        )
        for one in (dense, model)
    ]
    assert outputs[0].texts == outputs[1].texts
    assert outputs[0].features.tobytes() == outputs[1].features.tobytes()
    assert outputs[0].sparse[0].tolist() == [0] * (len(outputs[0].texts) + 1)


@pytest.fixture
def small(tmp_path):
    dense, _, chance = random_model(7, tmp_path / "f")
    return with_sparse(dense, tmp_path / "sparse", chance)


def test_lists_reach_the_tuners(small):
    decoder = PhraseDecoder(small, engine=1)
    texts, references = ["a b c a", "c b a"], [["w x y z", "x y"]]
    builder = PoolBuilder(Bleu(tokenize="none"), references, engine=1)
    best = DecoderSource(decoder, texts).kbest(small.weights, 10, builder)
    pool = builder.finish()
    output = decoder.decode(texts, want=KBest(10))
    assert list(best) == output.best()
    assert pool.dense_names == small.feature_names
    assert set(pool.sparse_names) <= set(small.sparse_names)
    assert pool.rows == len(output.texts)
    for row in range(pool.rows):
        own = slice(pool.sparse_offsets[row], pool.sparse_offsets[row + 1])
        named = {
            pool.sparse_names[i]: v
            for i, v in zip(pool.sparse_ids[own], pool.sparse_values[own], strict=True)
        }
        features = output.derivation(row).features
        assert named == {n: v for n, v in features.items() if n in small.sparse_names}
    weights = small.weights.vector(pool.names)
    np.testing.assert_allclose(pool.scores(weights), output.scores, rtol=1e-5)


def test_weights_by_name_and_as_a_vector(small):
    decoder = PhraseDecoder(small, engine=1)
    vector = small.weight_vector(small.weights)
    assert len(vector) == len(small.feature_names) + len(small.sparse_names)
    by_name = decoder.decode(["a b c"], want=KBest(5))
    as_vector = decoder.decode(["a b c"], vector, want=KBest(5))
    assert by_name.texts == as_vector.texts
    assert by_name.scores.tolist() == as_vector.scores.tolist()
    with pytest.raises(OptionError) as caught:
        decoder.decode(["a"], Weights({"length_bin:77_77": 1.0}))
    assert str(caught.value).startswith(
        "weight for 'length_bin:77_77', which is no feature of the model (features: tm."
    )
    assert str(caught.value).endswith(f"lm and {len(small.sparse_names)} sparse ones)")
    with pytest.raises(OptionError, match=f"1 weights for {len(vector)} features"):
        decoder.decode(["a"], np.ones(1))
    for weight, message in ((np.nan, "is not a finite number"), (-1e308, "is larger than 1e20")):
        vector[-1] = weight
        with pytest.raises(OptionError, match=f"a weight {message}"):
            decoder.decode(["a"], vector)


def test_lists_and_explanations_show_them(small):
    translator = Translator(PhraseDecoder(small, engine=1), size=3)
    block = next(translator.stream(["a b c"]))
    line = next(block.nbest_lines())
    derivation = block.output.derivation(0)
    for name, value in derivation.features.items():
        assert f" {name}= {value:.7g} " in line
    explanation = explanation_text(block.explanation(0))
    silent = 0
    for name in derivation.features:
        weighted = name in small.feature_names or small.weights.get(name, 0.0) != 0
        assert (f"    {name:<32}" in explanation) == weighted
        silent += not weighted
    assert (f"and {silent} sparse features of weight 0" in explanation) == (silent > 0)


def test_features_of_other_rules_are_refused(small, tmp_path):
    other, _, _ = random_model(8, tmp_path / "g")
    build_features(other.tables, [CountBin()], tmp_path / "features.bin")
    (small.folder / "features.bin").unlink()
    (tmp_path / "features.bin").rename(small.folder / "features.bin")
    write_weights(small.folder / WEIGHTS_FILE, Weights({"lm": 1.0}))
    model = TranslationModel.load(small.folder)
    with pytest.raises(InputError, match=r"features\.bin: no features of the rules of "):
        PhraseDecoder(model, engine=1).decode(["a"])


def test_a_weight_that_no_template_names(small):
    write_weights(small.folder / WEIGHTS_FILE, Weights({"lm": 1.0, "word_pair:x": 1.0}))
    with pytest.raises(InputError) as caught:
        _ = TranslationModel.load(small.folder).weights
    assert str(caught.value) == (
        f"{small.folder}/weights.tsv: a weight for 'word_pair:x', expected features of this "
        "model only"
    )


def test_graphs_have_them_on_their_edges(small):
    """The best derivation of the graph has the score and the features of the best translation."""
    decoder = PhraseDecoder(small, engine=1)
    output = decoder.decode(["a b c a"])
    pool = decoder.decode(["a b c a"], want=Graphs())
    assert pool.names == (*small.feature_names, *small.sparse_names)
    vector = small.weight_vector(small.weights)
    scores = np.add.reduceat(
        np.append(vector[pool.feature_ids] * pool.feature_values, 0.0), pool.feature_offsets[:-1]
    )
    best = np.zeros(pool.nodes)
    for node in range(pool.nodes):
        edges = range(pool.edge_offsets[node], pool.edge_offsets[node + 1])
        best[node] = max(
            scores[e] + best[pool.tails[pool.tail_offsets[e] : pool.tail_offsets[e + 1]]].sum()
            for e in edges
        )
    np.testing.assert_allclose(best[-1], output.scores[0], rtol=1e-5)
