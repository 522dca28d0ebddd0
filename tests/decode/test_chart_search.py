"""Chart search against the enumeration of all derivations."""

from dataclasses import replace

import numpy as np
import pytest

from reference.chart import Enumeration, ScfgRule
from reference.tiny_grammars import SOURCE, hiero_model, random_rule
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.decode import SourceSentence, open_decoder
from tunesmith.decode.want import Graphs, KBest
from tunesmith.formats.weights import write_weights
from tunesmith.graph import kbest
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE

EXACT = {"pop_limit": 10**9, "table_limit": 0}
ALL = KBest(100_000, distinct=False)


def random_case(folder, seed, *, lms=1, labels=("X",), keep=False, **search):
    chance = np.random.default_rng(seed)
    rules = [random_rule(chance, str(chance.choice(labels)), labels) for _ in range(20)]
    rules += [ScfgRule(label, ((labels[0], 0),), ((labels[0], 0),), ()) for label in labels[1:]]
    letters = [*SOURCE, "e", "f"] if keep else list(SOURCE)
    words = [str(word) for word in chance.choice(letters, chance.integers(2, 5))]
    model = hiero_model(
        folder / "model",
        rules,
        chance,
        lms=lms,
        search={**EXACT, **search},
        keep_unknown_order=keep,
    )
    return model, rules, words


def in_order(texts, values, weights):
    """Derivations by their words, then by their scores: random weights tell them apart."""
    order = sorted(range(len(texts)), key=lambda i: (texts[i], values[i] @ weights))
    return [texts[i] for i in order], values[order]


@pytest.mark.parametrize("cubes", ["pruned", "grown"])
@pytest.mark.parametrize("seed", range(30))
def test_exact_search_finds_all_derivations_with_their_features(tmp_path, seed, cubes):
    labels = ("X",) if seed % 3 else ("X", "Y")
    limit, pass_all = 2 + seed % 3, seed % 2 == 1
    how = {"span_limit": limit, "pass_through": "all" if pass_all else "unknown", "cubes": cubes}
    model, rules, words = random_case(
        tmp_path, seed, lms=seed % 3, labels=labels, keep=seed % 4 > 1, **how
    )
    names, weights = model.feature_names, model.weight_vector(model.weights)
    twin = Enumeration(
        rules, words, span_limit=limit, pass_all=pass_all, keep_unknown_order=seed % 4 > 1
    )
    expected = twin.derivations(model.language_models)
    rows = np.array([[features.get(name, 0.0) for name in names] for _, features in expected])
    output = open_decoder(model).decode([" ".join(words)], want=ALL)
    texts, values = in_order([text for text, _ in expected], rows, weights)
    found_texts, found = in_order(output.texts, output.features, weights)
    assert found_texts == texts
    np.testing.assert_allclose(found, values, atol=2e-4)
    np.testing.assert_allclose(output.scores, np.sort(rows @ weights)[::-1], atol=1e-3)


def longer_case(folder, seed=3, **search):
    """A model, and sentences that are too long to enumerate."""
    chance = np.random.default_rng(seed)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(60)]
    model = hiero_model(folder / "model", rules, chance, lms=2, search=search)
    sentences = [" ".join(chance.choice([*SOURCE, "e"], chance.integers(0, 12))) for _ in range(12)]
    return model, sentences


def test_a_limit_of_pops_finds_derivations_of_the_exact_search(tmp_path):
    model, _, words = random_case(tmp_path, 3, lms=1, labels=("X", "Y"))
    exact = open_decoder(model)
    all_found = exact.decode([" ".join(words)], want=ALL)
    few = type(exact)(model, search=replace(exact.search, pop_limit=2))
    best = few.decode([" ".join(words)])
    assert best.texts[0] in all_found.texts
    assert best.scores[0] <= all_found.scores[0] + 1e-9


def test_more_pops_are_no_worse_on_average(tmp_path):
    model, sentences = longer_case(tmp_path)
    decoder = open_decoder(model)
    scores = [
        type(decoder)(model, search=replace(decoder.search, pop_limit=limit)).decode(sentences)
        for limit in (1, 10, 1000)
    ]
    means = [output.scores.mean() for output in scores]
    assert means[0] < means[2]
    assert means[1] <= means[2] + 1e-9


@pytest.mark.parametrize("cubes", ["pruned", "grown"])
def test_any_number_of_threads_gives_the_same(tmp_path, cubes):
    model, sentences = longer_case(tmp_path, cubes=cubes, pop_limit=50)
    outputs = [
        open_decoder(model, engine=threads).decode(sentences, want=KBest(20)) for threads in (1, 3)
    ]
    assert outputs[0].texts == outputs[1].texts
    np.testing.assert_array_equal(outputs[0].features, outputs[1].features)


def test_cubes_are_grown_no_further_than_asked_for(tmp_path):
    model, sentences = longer_case(tmp_path, pop_limit=1000)
    pruned = open_decoder(model)
    grown = type(pruned)(model, search=replace(pruned.search, cubes="grown"))
    all_of_it, few, many = (
        decoder.decode(sentences, want=KBest(size))
        for decoder, size in ((pruned, 1), (grown, 1), (grown, 200))
    )
    assert few.scores.mean() >= all_of_it.scores.mean() - 0.05 * abs(all_of_it.scores.mean())
    assert few.pops.sum() < all_of_it.pops.sum() / 2
    assert few.pops.sum() <= many.pops.sum()
    for s in range(len(sentences)):
        lists = many.scores[many.offsets[s] : many.offsets[s + 1]]
        assert np.all(np.diff(lists) <= 1e-6)
        assert lists[0] >= few.scores[s] - 1e-6


def test_graphs_hold_what_lists_do(tmp_path):
    model, sentences = longer_case(tmp_path, pop_limit=30)
    decoder = open_decoder(model)
    pool = decoder.decode(sentences, want=Graphs())
    lists = decoder.decode(sentences, want=KBest(10))
    from_graphs = kbest(pool, model.weights, 10)
    assert list(from_graphs.texts) == lists.texts
    np.testing.assert_allclose(from_graphs.scores, lists.scores, atol=1e-6)


def test_pruned_graphs_keep_the_best_and_are_smaller(tmp_path):
    model, sentences = longer_case(tmp_path, pop_limit=30)
    decoder = open_decoder(model)
    whole, small = (decoder.decode(sentences, want=Graphs(density)) for density in (None, 3))
    assert small.edges < whole.edges / 2
    best = decoder.decode(sentences)
    assert list(kbest(small, model.weights, 1).texts) == best.texts


def test_a_sentence_of_no_words_becomes_one(tmp_path):
    model, _ = longer_case(tmp_path)
    assert open_decoder(model).decode(["", "a"]).texts[0] == ""


def test_words_without_a_rule_are_copied_or_dropped(tmp_path):
    model, _ = longer_case(tmp_path)
    decoder = open_decoder(model)
    assert decoder.decode(["nie"]).texts == ["nie"]
    dropping = type(decoder)(model, search=replace(decoder.search, unknown="drop"))
    assert dropping.decode(["nie"]).texts == [""]


RULES = [
    ScfgRule("X", ("a",), ("one",), ()),
    ScfgRule("X", ("b",), ("two",), ()),
    ScfgRule("X", ("c",), ("three",), ()),
    ScfgRule("X", ("a", "b"), ("one", "two"), ()),
    ScfgRule("X", (("X", 0), "b", ("X", 1)), (("X", 1), "two", ("X", 0)), (("p", 6.0),)),
    ScfgRule("X", (("X", 0), "c"), ("three", ("X", 0)), (("p", 5.0),)),
]


@pytest.fixture(params=["pruned", "grown"])
def reordering_model(tmp_path, request):
    """A model that likes to reorder."""
    with new_model(tmp_path / "model") as folder:
        (folder / "grammar").write_text("".join(rule.line() + "\n" for rule in RULES))
        search = {"cubes": request.param}
        write_description(folder, grammar="grammar", language_models=[], search=search)
        write_weights(folder / WEIGHTS_FILE, Weights({"tm.p": 1.0, "glue": 0.0, "unknown": 1.0}))
    return TranslationModel.load(tmp_path / "model")


def translated(model, **constraints):
    sentence = SourceSentence(["a", "b", "c"], **constraints)
    return open_decoder(model).decode([sentence]).best()[0]


def test_walls_zones_and_prescribed_words(reordering_model):
    assert translated(reordering_model) == "three two one"
    assert translated(reordering_model, walls=[1, 2]) == "one two three"
    assert translated(reordering_model, walls=[2]) == "one two three"
    assert translated(reordering_model, zones=[(0, 2)]) == "three one two"
    assert translated(reordering_model, forced=[(1, 2, ["TWO"])]) == "one three TWO"
    assert translated(reordering_model, forced=[(0, 3, ["all", "of", "it"])]) == "all of it"


def test_prescribed_words_are_not_unknown(reordering_model):
    sentence = SourceSentence(["a", "b", "x"], forced=[(0, 2, ["both"])])
    output = open_decoder(reordering_model).decode([sentence])
    features = dict(zip(output.names, output.features[0].tolist(), strict=True))
    assert output.texts == ["both x"]
    assert features["unknown"] == -1
    assert features["word_penalty"] == -2


def test_spans_are_limited(reordering_model):
    decoder = open_decoder(reordering_model)
    short = type(decoder)(reordering_model, search=replace(decoder.search, span_limit=2))
    assert short.decode(["a b c"]).best() == ["one three two"]
    assert short.decode(["a b c"]).features[0, 0] == 5.0


@pytest.mark.parametrize("cubes", ["pruned", "grown"])
def test_out_of_time_there_still_is_a_translation(tmp_path, cubes):
    model, sentences = longer_case(tmp_path, time_limit=1e-9, cubes=cubes)
    output = open_decoder(model).decode(sentences)
    assert len(output.texts) == len(sentences)
    assert output.timed_out[[len(s) > 0 for s in sentences]].all()


def test_prescribed_spans_that_overlap_are_refused(reordering_model):
    sentence = SourceSentence(["a", "b"], forced=[(0, 2, ["x"]), (1, 2, ["y"])])
    with pytest.raises(OptionError, match="in order and inside"):
        open_decoder(reordering_model).decode([sentence])


def test_a_sentence_beyond_all_limits_is_refused(reordering_model):
    with pytest.raises(OptionError, match="2001 words, more than 2000"):
        open_decoder(reordering_model).decode(["a " * 2001])


def test_a_derivation_is_a_tree_of_rules(reordering_model):
    output = open_decoder(reordering_model).decode(["a b c x"])
    derivation = output.derivation(0)
    assert derivation.text == "three two one x"
    first, last = derivation.steps
    assert (first.begin, first.end, first.target_begin, first.target_end) == (0, 3, 0, 3)
    lines = list(reordering_model.grammar.lines())
    assert lines[first.rule].startswith("[X] ||| [X,1] b [X,2] |||")
    spans = [(child.begin, child.end, child.target_begin) for child in first.children]
    assert spans == [(2, 3, 0), (0, 1, 2)]
    assert (last.begin, last.end, last.rule, last.children) == (3, 4, -1, ())


def test_the_words_of_a_tree_are_those_of_its_rules(tmp_path):
    model, sentences = longer_case(tmp_path, pop_limit=20)
    output = open_decoder(model).decode(sentences, want=KBest(5))
    lines = list(model.grammar.lines())

    def yielded(step, words):
        if step.rule < 0:
            return words[step.begin : step.end]
        children = iter(step.children)
        target = lines[step.rule].split(" ||| ")[2].split()
        parts = [yielded(next(children), words) if w.startswith("[X,") else [w] for w in target]
        return [word for part in parts for word in part]

    for sentence, text in enumerate(sentences):
        for derivation in output.derivations(sentence):
            words = [w for step in derivation.steps for w in yielded(step, text.split())]
            assert words == derivation.text.split()
