"""Lattices as input: the same as all their paths, one by one, with nothing pruned."""

from dataclasses import replace

import numpy as np
import pytest

from reference.chart import Enumeration
from reference.lattices import random_lattice
from reference.shard_engines import ENGINES
from reference.tiny_grammars import SOURCE, hiero_model, random_rule
from reference.tiny_models import random_model
from tunesmith.base.errors import InputError, OptionError
from tunesmith.corpus import Bitext
from tunesmith.decode import Graphs, KBest, Lattice, SearchOptions, open_decoder
from tunesmith.decode.translate import Translator
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.plf import Arc
from tunesmith.formats.weights import write_weights
from tunesmith.grammar import HieroOptions
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE

EXACT = {"pop_limit": 10**9, "table_limit": 0, "span_limit": 20}
ALL = KBest(100_000, distinct=False)


def random_case(folder, seed, *, nodes=4, arc_features=1, **search):
    chance = np.random.default_rng(seed)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(12)]
    model = hiero_model(
        folder / "model",
        rules,
        chance,
        lms=seed % 3,
        search={**EXACT, **search},
        arc_features=arc_features,
    )
    return model, rules, random_lattice(chance, SOURCE + "e", nodes, scores=arc_features or 1)


def of_paths(model, rules, lattice):
    """Texts and feature values of every derivation of every path."""
    texts, rows = [], []
    for path in lattice.paths():
        twin = Enumeration(rules, [arc.word for arc in path], span_limit=20)
        arcs = np.log([arc.scores for arc in path]).sum(axis=0).tolist()
        named = dict(zip(("arc", "arc2"), arcs, strict=False))
        for text, features in twin.derivations(model.language_models):
            values = features | named
            texts.append(text)
            rows.append([values.get(name, 0.0) for name in model.feature_names])
    return texts, np.array(rows)


def in_order(texts, values, weights):
    order = sorted(range(len(texts)), key=lambda i: (texts[i], values[i] @ weights))
    return [texts[i] for i in order], values[order]


@pytest.mark.parametrize("cubes", ["pruned", "grown"])
@pytest.mark.parametrize("seed", range(12))
def test_all_derivations_of_all_paths_and_no_others(tmp_path, seed, cubes):
    model, rules, lattice = random_case(tmp_path, seed, arc_features=seed % 3, cubes=cubes)
    weights = model.weight_vector(model.weights)
    texts, rows = in_order(*of_paths(model, rules, lattice), weights)
    output = open_decoder(model).decode([lattice], want=ALL)
    found_texts, found = in_order(output.texts, output.features, weights)
    assert found_texts == texts
    np.testing.assert_allclose(found, rows, atol=2e-4)
    np.testing.assert_allclose(output.scores, np.sort(rows @ weights)[::-1], atol=1e-3)


@pytest.mark.parametrize("seed", range(10))
def test_the_best_is_the_best_of_all_paths_and_says_which(tmp_path, seed):
    cubes = "grown" if seed % 3 == 0 else "pruned"
    model, _, lattice = random_case(tmp_path, seed, nodes=7, cubes=cubes)
    decoder = open_decoder(model)
    output = decoder.decode([lattice])
    paths = list(lattice.paths())
    alone = decoder.decode([Lattice(tuple((replace(a, step=1),) for a in p)) for p in paths])
    best = int(np.argmax(alone.scores))
    assert output.texts == [alone.texts[best]]
    assert output.scores[0] == pytest.approx(alone.scores[best], abs=1e-4)
    assert output.path(0, lattice) == paths[best]
    # Steps count words of the path that was taken.
    for taken, single in zip(output.derivation(0).steps, alone.derivation(best).steps, strict=True):
        assert (taken.begin, taken.end) == (single.begin, single.end)


def test_lattices_of_one_path_give_the_bytes_of_sentences(tmp_path):
    chance = np.random.default_rng(4)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(60)]
    search = {"pop_limit": 20, "span_limit": 6, "monotone_at_punctuation": True}
    model = hiero_model(tmp_path / "model", rules, chance, lms=2, search=search)
    words = [*SOURCE, "e", ",", "Ω"]
    lines = [" ".join(chance.choice(words, chance.integers(0, 20))) for _ in range(20)]
    decoder = open_decoder(model)
    assert_same_bytes(decoder, lines)


def assert_same_bytes(decoder, lines):
    lattices = [Lattice.of_words(line) for line in lines]
    want = KBest(10, graph_density=float("inf"))
    plain, single = (decoder.decode(text, want=want) for text in (lines, lattices))
    assert plain.texts == single.texts
    assert plain.scores.tobytes() == single.scores.tobytes()
    assert plain.features.tobytes() == single.features.tobytes()
    assert plain.glued.tolist() == single.glued.tolist()
    for row in range(len(plain.texts)):
        assert plain.derivation(row) == single.derivation(row)
    graphs = plain.graphs, single.graphs
    for name in ("tails", "words", "feature_ids", "feature_values", "source_spans"):
        assert getattr(graphs[0], name).tobytes() == getattr(graphs[1], name).tobytes()


@pytest.fixture(scope="module")
def indexed(tmp_path_factory):
    """A model whose rules are looked up in a text."""
    folder = tmp_path_factory.mktemp("indexed")
    chance = np.random.default_rng(8)
    sources = [" ".join(chance.choice(list("abcdef"), 8)) for _ in range(60)]
    targets = [line.upper() for line in sources]
    with new_model(folder / "model") as temporary:
        links = Links.from_lists([[(i, i) for i in range(8)]] * 60)
        HieroOptions().run(Bitext.from_lines(sources, targets), links, temporary / "grammar.bin")
        NgramLM.fit(targets, order=3).save(temporary / "lm.bin")
        write_description(temporary, grammar="grammar.bin", language_models=["lm.bin"])
        model = TranslationModel.load(temporary)
        write_weights(temporary / WEIGHTS_FILE, model.initial_weights())
    return TranslationModel.load(folder / "model")


def test_an_index_gives_one_path_the_rules_of_a_sentence(indexed):
    chance = np.random.default_rng(9)
    lines = [" ".join(chance.choice(list("abcdefg"), n)) for n in (0, 1, 5, 12, 25)]
    assert_same_bytes(open_decoder(indexed), lines)


def test_the_best_path_with_rules_of_an_index(indexed):
    chance = np.random.default_rng(10)
    search = replace(SearchOptions.of_model(indexed), pop_limit=5000, table_limit=0)
    decoder = open_decoder(indexed, search=search)
    for _ in range(5):
        lattice = random_lattice(chance, "abcdefg", 6)
        paths = [" ".join(arc.word for arc in path) for path in lattice.paths()]
        alone = decoder.decode(paths)
        output = decoder.decode([lattice])
        assert output.scores[0] == pytest.approx(alone.scores.max(), abs=1e-3)


def test_threads_and_shards_change_nothing(tmp_path):
    model, _, _ = random_case(tmp_path, 1)
    chance = np.random.default_rng(2)
    lattices = [random_lattice(chance, SOURCE, n % 6) for n in range(9)]
    search = replace(SearchOptions.of_model(model), pop_limit=10)
    found = []
    for engine in (1, 3, *ENGINES):
        output = open_decoder(model, search=search, engine=engine).decode(lattices, want=KBest(4))
        rows = range(len(output.texts))
        found.append(
            (
                output.texts,
                output.features.tobytes(),
                output.glued.tolist(),
                [output.derivation(row) for row in rows],
                [output.path(int(output.offsets[s]), one) for s, one in enumerate(lattices)],
            )
        )
    assert all(one == found[0] for one in found)


def test_spans_are_as_long_as_the_shortest_way(tmp_path):
    model, _, _ = random_case(tmp_path, 3, arc_features=0)
    search = replace(SearchOptions.of_model(model), span_limit=1)
    long = Lattice((*((Arc("a"),) for _ in range(5)),))
    nodes = [list(node) for node in long.nodes]
    nodes[0].append(Arc("zzz", step=5))
    passed = Lattice(tuple(map(tuple, nodes)))
    output = open_decoder(model, search=search).decode([passed], want=ALL)
    assert "zzz" in output.texts


def test_graphs_of_lattices_hold_their_lists(tmp_path):
    model, _, lattice = random_case(tmp_path, 5)
    decoder = open_decoder(model)
    pool = decoder.decode([lattice], want=Graphs())
    assert pool.names == decoder.all_names
    output = decoder.decode([lattice], want=ALL)
    assert pool.edges > 0
    assert output.features[:, -1].max() <= 0


def test_what_is_wrong_with_scores_is_said(tmp_path):
    model, _, _ = random_case(tmp_path, 6, arc_features=1)
    decoder = open_decoder(model)
    with pytest.raises(OptionError, match="2 scores of an arc, expected 1"):
        decoder.decode([Lattice.of_words("a b", (0.5, 0.5))])
    with pytest.raises(OptionError, match="score -2, expected a probability"):
        decoder.decode([Lattice.of_words("a", (-2.0,))])
    logs = open_decoder(model, search=replace(decoder.search, arc_scores="logarithms"))
    values = logs.decode([Lattice.of_words("a b", (-2.0,))]).features[0]
    assert values[model.feature_names.index("arc")] == -4


def test_phrase_models_take_no_lattices(tmp_path):
    model, _, _ = random_model(5, tmp_path / "phrase")
    with pytest.raises(OptionError, match="a lattice for a phrase model"):
        open_decoder(model).decode([Lattice.of_words("a")])
    with pytest.raises(OptionError, match="a lattice for a phrase model"):
        Translator(open_decoder(model), input_type="plf")
    with pytest.raises(OptionError, match="is a phrase model"):
        model.with_arc_features(1)


def test_the_line_of_a_lattice_that_is_too_much_is_told(tmp_path, monkeypatch):
    model, _, _ = random_case(tmp_path, 6, arc_features=0)
    translator = Translator(open_decoder(model), input_type="plf")

    def refuse(sentences, want=None):
        if any(len(one.nodes) == 3 for one in sentences):
            raise OptionError("too many patterns")

    monkeypatch.setattr(translator._session, "decode", refuse)
    lines = [str(Lattice.of_words(words)) for words in ("a b", "a", "a b c", "a b a")]
    with pytest.raises(InputError, match=r"in\.plf:3: too many patterns"):
        list(translator.stream(lines, "in.plf"))
