"""Forbidden words and phrases against brute force: none appears, and the best of the rest does."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.chart import Enumeration
from reference.phrase_decoder import all_derivations
from reference.tiny_grammars import SOURCE as LETTERS
from reference.tiny_grammars import TARGET as MADE
from reference.tiny_grammars import hiero_model, random_rule
from reference.tiny_models import SOURCE, TARGET, joined_model, random_model
from tunesmith.base.errors import OptionError
from tunesmith.decode import KBest, Lattice, SearchOptions, SourceSentence, open_decoder
from tunesmith.decode.lattice import SourceLattice
from tunesmith.decode.want import Graphs
from tunesmith.graph import kbest

UNPRUNED = {"pop_limit": 10**6, "stack_size": 10**6, "table_limit": 0}
ALL = KBest(100_000, distinct=False)


def has_any(words, phrases):
    """Whether a phrase stands somewhere among the words."""
    return any(
        words[i : i + len(phrase)] == phrase for phrase in phrases for i in range(len(words))
    )


def some_phrases(chance, alphabet):
    sizes = chance.choice([1, 2, 2, 3], int(chance.integers(1, 4)))
    return [[str(word) for word in chance.choice(list(alphabet), size)] for size in sizes]


def forbidding(words, phrases, **others):
    return SourceSentence([str(word) for word in words], forbidden=phrases, **others)


@given(seed=st.integers(0, 100_000), limit=st.integers(0, 4), size=st.integers(1, 4))
@settings(max_examples=80)
def test_phrase_search_finds_the_best_of_what_is_allowed(seed, limit, size, tmp_path_factory):
    model, ngrams, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    words, phrases = list(chance.choice(list(SOURCE), size)), some_phrases(chance, TARGET)

    def rules(source):
        found = model.tables[0].rules(source)
        return [rule for rule in found if not has_any(rule.target.split(), phrases)]

    weights = model.weights.vector(model.feature_names)
    expected = {}
    for text, features, _ in all_derivations(words, rules, ngrams, limit):
        if not has_any(text.split(), phrases):
            expected.setdefault(text, []).append(float(np.dot(weights, features)))
    decoder = open_decoder(
        model, search=SearchOptions(distortion_limit=limit, **UNPRUNED), engine=1
    )
    sentence = forbidding(words, phrases)
    output = decoder.decode([sentence], want=ALL)
    assert output.texts
    assert not any(has_any(text.split(), phrases) for text in output.texts)
    graph = decoder.decode([sentence], want=Graphs())
    from_graph = kbest(graph, model.weights, 10)
    assert not any(has_any(text.split(), phrases) for text in from_graph.texts)
    if expected:
        scores = sorted((score for own in expected.values() for score in own), reverse=True)
        np.testing.assert_allclose(output.scores, scores, rtol=1e-4, atol=1e-4)
        assert set(output.texts) == set(expected)
        best = decoder.decode([sentence])
        np.testing.assert_allclose(best.scores[0], scores[0], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("cubes", ["pruned", "grown"])
@pytest.mark.parametrize("seed", range(40))
def test_chart_search_finds_the_best_of_what_is_allowed(tmp_path, seed, cubes):
    chance = np.random.default_rng(seed)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(20)]
    words = [str(word) for word in chance.choice(list(LETTERS), chance.integers(2, 5))]
    how = {"pop_limit": 10**9, "table_limit": 0, "span_limit": 2 + seed % 3, "cubes": cubes}
    how["pass_through"] = "all" if seed % 2 else "unknown"
    model = hiero_model(tmp_path / "model", rules, chance, lms=seed % 3, search=how)
    phrases = some_phrases(chance, MADE)

    def is_allowed(rule):
        pieces = " ".join(one if isinstance(one, str) else "|" for one in rule.target).split("|")
        return not any(has_any(piece.split(), phrases) for piece in pieces)

    twin = Enumeration(
        [rule for rule in rules if is_allowed(rule)],
        words,
        span_limit=how["span_limit"],
        pass_all=seed % 2 == 1,
    )
    names, weights = model.feature_names, model.weight_vector(model.weights)
    expected = [
        (text, np.array([features.get(name, 0.0) for name in names]) @ weights)
        for text, features in twin.derivations(model.language_models)
        if not has_any(text.split(), phrases)
    ]
    sentence = forbidding(words, phrases)
    decoder = open_decoder(model)
    output = decoder.decode([sentence], want=ALL)
    assert output.texts
    assert not any(has_any(text.split(), phrases) for text in output.texts)
    pool = decoder.decode([sentence], want=Graphs())
    texts = kbest(pool, model.weights, 10).texts
    assert not any(has_any(text.split(), phrases) for text in texts)
    if expected:
        assert sorted(output.texts) == sorted(text for text, _ in expected)
        scores = sorted((score for _, score in expected), reverse=True)
        np.testing.assert_allclose(output.scores, scores, atol=1e-3)
        best = decoder.decode([sentence])
        np.testing.assert_allclose(best.scores[0], scores[0], atol=1e-3)


@pytest.mark.parametrize("seed", range(12))
def test_pruned_search_has_no_forbidden_phrase_either(tmp_path, seed):
    chance = np.random.default_rng(seed)
    phrase_model, *_ = random_model(seed, tmp_path / "phrases")
    rules = [random_rule(chance, "X", ("X",)) for _ in range(60)]
    for model, source, made, limits in (
        (phrase_model, SOURCE, TARGET, {"pop_limit": 5, "stack_size": 3}),
        (hiero_model(tmp_path / "rules", rules, chance), LETTERS, MADE, {"pop_limit": 3}),
        (
            hiero_model(tmp_path / "grown", rules, chance, search={"cubes": "grown"}),
            LETTERS,
            MADE,
            {"pop_limit": 3},
        ),
    ):
        decoder = open_decoder(model)
        decoder = type(decoder)(model, search=replace(decoder.search, **limits), engine=2)
        phrases = [some_phrases(chance, made) for _ in range(20)]
        sentences = [forbidding(chance.choice([*source, "?"], 12), own) for own in phrases]
        output = decoder.decode(sentences, want=KBest(20))
        for number, own in enumerate(phrases):
            texts = output.texts[output.offsets[number] : output.offsets[number + 1]]
            assert texts
            assert not any(has_any(text.split(), own) for text in texts)


def test_joined_tables_and_a_limit_of_rules(tmp_path):
    """What is beyond the limit comes up where better rules are forbidden."""
    model, *_ = joined_model(5, tmp_path / "m")
    decoder = open_decoder(model, search=SearchOptions(table_limit=1))
    for word in SOURCE[:3]:
        targets = {rule.target for table in model.tables for rule in table.rules([word])}
        single = [target for target in targets if " " not in target]
        for forbidden in single:
            best = decoder.decode([forbidding([word], [[forbidden]])]).texts[0]
            allowed = {t for t in targets if forbidden not in t.split()} or {word}
            assert best in allowed


def kinds_of_model(tmp_path):
    phrase_model, *_ = random_model(3, tmp_path / "phrases")
    chance = np.random.default_rng(1)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(20)]
    return phrase_model, hiero_model(tmp_path / "rules", rules, chance)


def test_a_word_without_another_translation_is_copied_or_left_out(tmp_path):
    for model in kinds_of_model(tmp_path):
        decoder = open_decoder(model)
        assert decoder.decode([forbidding(["?"], [["w"]])]).texts == ["?"]
        assert decoder.decode([forbidding(["?"], [["?"]])]).texts == [""]
        assert decoder.decode([forbidding(["?", "!"], [["?"]])]).texts == ["!"]
        # Each of the two may stay, but not both in this order.
        [text] = decoder.decode([forbidding(["?", "!"], [["?", "!"], ["!", "?"]])]).texts
        assert text in ("?", "!", "")
        output = decoder.decode([forbidding(["?"], [["?"]])], want=KBest(5))
        assert output.derivation(0).steps[0].rule == -1


def test_prescribed_words_may_be_forbidden_elsewhere(tmp_path):
    for model in kinds_of_model(tmp_path):
        decoder = open_decoder(model)
        wanted = [(0, 1, ["new", "house"]), (2, 3, ["house"])]
        sentence = forbidding(["?", "!", "?"], [["house"], ["new", "house"]], forced=wanted)
        assert decoder.decode([sentence]).texts == ["new house ! house"]
        # A phrase of prescribed and other words is none that anybody wants.
        sentence = forbidding(["?", "!"], [["house", "!"]], forced=[(0, 1, ["house"])])
        search = replace(decoder.search, **({"distortion_limit": 0} if model.tables else {}))
        assert type(decoder)(model, search=search).decode([sentence]).texts == ["house"]
        sentence = forbidding(["?", "!"], [["a", "b"]], forced=[(0, 1, ["a"]), (1, 2, ["b"])])
        assert sorted(decoder.decode([sentence]).texts[0].split()) == ["a", "b"]


def test_lattices_have_no_forbidden_words_either(tmp_path):
    _, model = kinds_of_model(tmp_path)
    lattice = Lattice.parse("((('?',1.0,1),('!',1.0,1),),(('+',1.0,1),),)")
    decoder = open_decoder(model)
    for phrases, allowed in (
        ([["?"]], {"! +", "+"}),
        ([["?"], ["!", "+"]], {"+", "!"}),
    ):
        own = SourceLattice(lattice.nodes, phrases)
        output = decoder.decode([own], want=KBest(10))
        assert set(output.texts) <= allowed
        assert output.path(0, own)


def test_a_prescribed_translation_is_made_whatever_is_forbidden(tmp_path):
    for model in kinds_of_model(tmp_path):
        output = open_decoder(model).force([forbidding(["?"], [["?"]])], ["?"])
        assert output.texts == ["?"]


def test_threads_and_shards_give_the_same(tmp_path):
    for model in kinds_of_model(tmp_path):
        sentences = [forbidding(text, [["w"], ["x", "y"]]) for text in ("abab", "b?a", "cba")]
        outputs = [
            open_decoder(model, engine=threads).decode(sentences, want=KBest(9))
            for threads in (1, 3)
        ]
        assert outputs[0].texts == outputs[1].texts


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ([], "sentence 1: a forbidden phrase of 0 words, expected 1 to 60"),
        (["a"] * 61, "sentence 1: a forbidden phrase of 61 words, expected 1 to 60"),
    ],
)
def test_phrases_that_are_none(tmp_path, phrase, message):
    for model in kinds_of_model(tmp_path):
        with pytest.raises(OptionError) as caught:
            open_decoder(model).decode([forbidding(["a"], [phrase])])
        assert str(caught.value) == message
