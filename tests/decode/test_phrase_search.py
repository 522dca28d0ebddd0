"""The decoder against brute force: with nothing pruned it finds exactly what is there."""

import math
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.phrase_decoder import all_derivations
from reference.tiny_models import SOURCE, random_model
from reference.unknown_words import reordering_of_unknown, source_words
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.decode import KBest, SearchOptions, SourceSentence
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.formats.weights import write_weights
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel, new_model, write_description

UNPRUNED = {"pop_limit": 1_000_000, "stack_size": 1_000_000, "table_limit": 0}


def brute_force(model, ngrams, words, limit):
    table = model.tables[0]
    weights = model.weights.vector(model.feature_names)
    how = {}
    if model.keeps_unknown_order:
        how = {"vocabulary": source_words([table]), "of_unknown": reordering_of_unknown(table)}
    scored = [
        (float(np.dot(weights, features)), text, features, spans)
        for text, features, spans in all_derivations(words, table.rules, ngrams, limit, **how)
    ]
    return sorted(scored, key=lambda item: -item[0])


@given(
    seed=st.integers(0, 100_000),
    limit=st.integers(0, 4),
    size=st.integers(1, 4),
    keep=st.booleans(),
)
@settings(max_examples=60)
def test_exact_search_and_kbest_equal_brute_force(seed, limit, size, keep, tmp_path_factory):
    model, ngrams, chance = random_model(
        seed, tmp_path_factory.mktemp("m") / "f", keep_unknown_order=keep
    )
    words = list(chance.choice([*SOURCE, "e"], size))
    expected = brute_force(model, ngrams, words, limit)
    decoder = PhraseDecoder(
        model, search=SearchOptions(distortion_limit=limit, **UNPRUNED), engine=1
    )
    everything = decoder.decode([" ".join(words)], want=KBest(len(expected) + 5, distinct=False))
    np.testing.assert_allclose(
        everything.scores, [score for score, *_ in expected], rtol=1e-4, atol=1e-4
    )
    for row in range(len(everything.texts)):
        derivation = everything.derivation(row)
        np.testing.assert_allclose(
            derivation.score,
            np.dot(model.weights.vector(model.feature_names), everything.features[row]),
            rtol=1e-9,
        )
        # The same derivation is in the list, with the same values.
        spans = [(step.begin, step.end) for step in derivation.steps]
        assert any(
            text == derivation.text
            and other == spans
            and np.allclose(features, everything.features[row], rtol=1e-4, atol=1e-4)
            for _, text, features, other in expected
        )

    best_of_text = {}
    for score, text, *_ in expected:
        best_of_text.setdefault(text, score)
    distinct = decoder.decode([" ".join(words)], want=KBest(len(expected) + 5))
    assert sorted(distinct.texts) == sorted(best_of_text)
    np.testing.assert_allclose(
        distinct.scores, [best_of_text[text] for text in distinct.texts], rtol=1e-4, atol=1e-4
    )


@given(
    seed=st.integers(0, 100_000),
    limit=st.integers(0, 4),
    size=st.integers(1, 4),
    keep=st.booleans(),
)
@settings(max_examples=60)
def test_forced_derivations_equal_brute_force(seed, limit, size, keep, tmp_path_factory):
    """All derivations of every translation there is, whatever the beam; none of another one."""
    model, ngrams, chance = random_model(
        seed, tmp_path_factory.mktemp("m") / "f", keep_unknown_order=keep
    )
    words = list(chance.choice([*SOURCE, "e"], size))
    expected = {}
    for score, text, features, spans in brute_force(model, ngrams, words, limit):
        expected.setdefault(text, []).append((score, features, spans))
    narrow = SearchOptions(distortion_limit=limit, pop_limit=1, stack_size=1, table_limit=1)
    decoder = PhraseDecoder(model, search=narrow, engine=2)
    targets = [*expected, "w nobody", *(text + " w" for text in expected), ""]
    output = decoder.force([" ".join(words)] * len(targets), targets, size=10_000)
    for i, target in enumerate(targets):
        rows = range(output.offsets[i], output.offsets[i + 1])
        assert len(rows) == len(expected.get(target, []))
        found = [output.derivation(row) for row in rows]
        assert all(derivation.text == target for derivation in found)
        np.testing.assert_allclose(
            [derivation.score for derivation in found],
            [score for score, *_ in expected.get(target, [])],
            rtol=1e-4,
            atol=1e-4,
        )
        for row, derivation in zip(rows, found, strict=True):
            assert any(
                other == [(step.begin, step.end) for step in derivation.steps]
                and np.allclose(features, output.features[row], rtol=1e-4, atol=1e-4)
                for _, features, other in expected[target]
            )


@given(seed=st.integers(0, 100_000))
@settings(max_examples=25)
def test_search_adds_up_what_the_steps_are_worth(seed, tmp_path_factory):
    """Scores that equal w · h recomputed from scratch, on longer sentences with pruning."""
    from tunesmith import _core

    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    text = " ".join(chance.choice(list(SOURCE), int(chance.integers(5, 20))))
    decoder = PhraseDecoder(model, search=SearchOptions(pop_limit=20), engine=1)
    output = decoder.decode([text], want=KBest(10))
    sentence = SourceSentence.from_text(text).native("copy")
    for rank in range(len(output.texts)):
        again, *_ = _core.derivation_features(decoder.native, sentence, output.native, 0, rank)
        np.testing.assert_allclose(again, output.features[rank], rtol=1e-4, atol=1e-4)
        steps = output.derivation(rank).steps
        covered = sorted(i for step in steps for i in range(step.begin, step.end))
        assert covered == list(range(len(text.split())))


@given(seed=st.integers(0, 100_000), threshold=st.sampled_from([0.5, 2.0, 5.0, math.inf]))
@settings(max_examples=60)
def test_early_discarding_drops_only_what_the_beam_would_drop(seed, threshold, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    weights = Weights({**model.weights, "lm": abs(model.weights.get("lm", 0.0))})
    lines = [" ".join(chance.choice([*SOURCE, "new"], size)) for size in (1, 3, 6, 9)]
    late, early = (
        PhraseDecoder(
            model,
            search=SearchOptions(beam_threshold=threshold, early_discarding=early, **UNPRUNED),
            engine=1,
        ).decode(lines, weights)
        for early in (False, True)
    )
    assert early.texts == late.texts
    assert early.scores.tolist() == late.scores.tolist()
    # Every cell is either looked at or passed over.
    assert (early.pops + early.discarded == late.pops).all()
    assert threshold < math.inf or not early.discarded.any()


def test_early_discarding_needs_a_bound(small):
    search = SearchOptions(beam_threshold=0.5, early_discarding=True)
    for weight, discards in ((1.0, True), (-1.0, False)):
        weights = Weights({**small.weights, "lm": weight})
        output = PhraseDecoder(small, search=search).decode([" ".join("abca" * 5)], weights)
        assert bool(output.discarded.sum()) is discards


@given(seed=st.integers(0, 100_000))
@settings(max_examples=10)
def test_results_do_not_depend_on_threads(seed, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    texts = [" ".join(chance.choice(list(SOURCE), 9)) for _ in range(7)] + [""]
    outputs = [
        PhraseDecoder(model, search=SearchOptions(pop_limit=15), engine=threads).decode(
            texts, want=KBest(5)
        )
        for threads in (1, 2, 3)
    ]
    for other in outputs[1:]:
        assert other.texts == outputs[0].texts
        assert other.features.tobytes() == outputs[0].features.tobytes()


@pytest.fixture
def small(tmp_path):
    return random_model(7, tmp_path / "f")[0]


def test_empty_long_and_unknown(small):
    decoder = PhraseDecoder(small, engine=1)
    output = decoder.decode(["", "nobody knows", " ".join("abca" * 250)])
    assert output.best()[0] == ""
    assert output.best()[1] == "nobody knows"
    assert output.features[1][small.feature_names.index("unknown")] == -2
    assert len(output.best()[2].split()) >= 250


def test_forced_long_sentences_and_dropped_words(small):
    decoder = PhraseDecoder(small, engine=1)
    source = " ".join("abca" * 60)
    best = decoder.decode([source])
    forced = decoder.force([source], best.best())
    assert forced.texts == best.texts
    assert forced.scores[0] >= best.scores[0] - 1e-4
    drop = PhraseDecoder(small, search=SearchOptions(unknown="drop"), engine=1)
    assert drop.force(["nobody", "nobody"], ["", "nobody"]).offsets.tolist() == [0, 1, 1]
    with pytest.raises(OptionError, match="1 translations for 2 sentences"):
        decoder.force(["a", "b"], ["w"])


def test_diversity_may_go_far_beyond_the_pop_limit(small):
    search = SearchOptions(pop_limit=1, stack_size=1000, diversity=1000)
    output = PhraseDecoder(small, search=search, engine=1).decode([" ".join("abca" * 5)])
    everything = SearchOptions(pop_limit=1_000_000, stack_size=1000)
    unpruned = PhraseDecoder(small, search=everything, engine=1).decode([" ".join("abca" * 5)])
    assert output.scores[0] == unpruned.scores[0]


def test_unknown_words_can_be_dropped_or_transliterated(small):
    drop = PhraseDecoder(small, search=SearchOptions(unknown="drop"), engine=1)
    assert drop.decode(["nobody"]).best() == [""]
    ascii_ = PhraseDecoder(small, search=SearchOptions(unknown="transliterate"), engine=1)
    assert ascii_.decode(["Москва"]).best() == ["Moskva"]


def test_prescribed_words_walls_and_zones(small):
    decoder = PhraseDecoder(small, search=SearchOptions(**UNPRUNED), engine=1)
    forced = SourceSentence(["a", "b", "a", "b"], forced=[(1, 3, ["fixed", "words"])])
    for derivation in decoder.decode([forced], want=KBest(50)).derivations(0):
        assert "fixed words" in derivation.text
        assert (1, 3, -1) in [(s.begin, s.end, s.rule) for s in derivation.steps]
    walled = SourceSentence(["a", "b", "a", "b", "a"], walls=[2])
    for derivation in decoder.decode([walled], want=KBest(200, distinct=False)).derivations(0):
        order = [s.begin for s in derivation.steps]
        assert max(i for i, begin in enumerate(order) if begin < 2) < min(
            i for i, begin in enumerate(order) if begin >= 2
        )
        assert not any(s.begin < 2 < s.end for s in derivation.steps)
    zoned = SourceSentence(["a", "b", "a", "b", "a"], zones=[(1, 4)])
    for derivation in decoder.decode([zoned], want=KBest(200, distinct=False)).derivations(0):
        inside = [s.begin >= 1 and s.end <= 4 for s in derivation.steps]
        first, last = inside.index(True) if True in inside else 0, len(inside)
        runs = "".join("i" if flag else "o" for flag in inside[first:last]).split("o")
        assert sum(1 for run in runs if run) <= 1


def test_a_time_limit_still_gives_a_translation(small):
    search = SearchOptions(time_limit=1e-9, pop_limit=500)
    output = PhraseDecoder(small, search=search, engine=1).decode([" ".join("abc" * 40)])
    assert output.timed_out.tolist() == [True]
    assert output.best()[0]


def test_weights_of_unknown_features_are_refused(small):
    with pytest.raises(OptionError, match="weight for 'nonsense', which is no feature"):
        PhraseDecoder(small).decode(["a"], Weights({"nonsense": 1.0}))


@given(seed=st.integers(0, 50_000), limit=st.integers(0, 3))
@settings(max_examples=25)
def test_rules_of_two_tables_equal_brute_force(seed, limit, tmp_path_factory):
    """With equal weights for both tables, two tables are one with the rules of both."""
    folder = tmp_path_factory.mktemp("m")
    one, ngrams, chance = random_model(seed, folder / "one")
    other, _, _ = random_model(seed + 1, folder / "other")
    with new_model(folder / "both") as temporary:
        for source, name in (
            (one.folder / "phrases.bin", "phrases.bin"),
            (other.folder / "phrases.bin", "phrases2.bin"),
            (one.folder / "lm.arpa", "lm.arpa"),
        ):
            (temporary / name).write_bytes(source.read_bytes())
        write_description(
            temporary, tables=["phrases.bin", "phrases2.bin"], language_models=["lm.arpa"]
        )
        second = {name.replace("tm.", "tm2."): value for name, value in one.weights.items()}
        write_weights(temporary / "weights.tsv", Weights({**second, **one.weights}))
    both = TranslationModel.load(folder / "both")
    words = list(chance.choice(list(SOURCE), 3))

    def rules_of(phrase):
        return one.tables[0].rules(phrase) + other.tables[0].rules(phrase)

    weights = one.weights.vector(one.feature_names)
    expected = sorted(
        (
            float(np.dot(weights, features))
            for _, features, _ in all_derivations(words, rules_of, ngrams, limit)
        ),
        reverse=True,
    )
    search = SearchOptions(distortion_limit=limit, **UNPRUNED)
    output = PhraseDecoder(both, search=search, engine=1).decode(
        [" ".join(words)], want=KBest(len(expected) + 5, distinct=False)
    )
    np.testing.assert_allclose(output.scores, expected, rtol=1e-4, atol=1e-4)


def test_a_class_based_language_model_scores_as_by_itself(small, tmp_path):
    """The decoder's value of a class-based model is that model's own score of the text."""
    lines = ["w x y z", "x w z y", "w w x", "z y x w", "y z", "w x x z y"] * 3
    classes = {"w": "A", "x": "A", "y": "B", "z": "B"}
    lm = NgramLM.fit(lines, order=2, classes=classes)
    folder = tmp_path / "classed"
    shutil.copytree(small.folder, folder)
    (folder / "lm.arpa").unlink()
    lm.save(folder / "lm.bin")
    toml = (folder / "model.toml").read_text().replace("lm.arpa", "lm.bin")
    (folder / "model.toml").write_text(toml)
    output = PhraseDecoder(TranslationModel.load(folder), engine=1).decode(
        ["a b c a"], want=KBest(5)
    )
    column = output.names.index("lm")
    for text, value in zip(output.texts, output.features[:, column], strict=True):
        assert value == pytest.approx(lm.score(text) * math.log(10), rel=1e-5)
