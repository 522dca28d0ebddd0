"""Names of lexical features against their definition: in derivations, tables and texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.tiny_lexical import LEVELS, taught, with_weights
from reference.tiny_models import SOURCE, random_model
from tunesmith.base.errors import OptionError
from tunesmith.decode import KBest, SearchOptions
from tunesmith.decode.lexical_names import (
    class_words,
    derivation_features,
    heaviest_features,
    names_of,
)
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.sentence import SourceSentence
from tunesmith.engine import ThreadEngine
from tunesmith.features import LexicalFeatures, LexicalModel, SideClasses


def all_local(model, twin, sentences):
    """{name: key} of all rules in all their places."""
    found = {}
    for sentence in sentences:
        words = ["<s>", *sentence.split(), "</s>"]
        for begin in range(1, len(words) - 1):
            for end in range(begin + 1, len(words)):
                for rule in model.tables[0].rules(words[begin:end]):
                    target = rule.target.split()
                    found |= twin.local(words[begin:end], target, words[begin - 1], words[end])
    return found


def sees_context(name):
    return "before." in name or "after." in name


@given(
    seed=st.integers(0, 100_000),
    how=st.sampled_from(
        # No more than so many words, or as many as the budget allows: with few levels, to be quick.
        [
            (1, LEVELS, ""),
            (2, LEVELS, ""),
            (3, LEVELS, ""),
            (0, "word,type", ""),
            (0, "cluster4", ""),
            (5, "pos,type", ""),
            (2, "word,pos", "cluster,character,type"),
            (0, "cluster", "type"),
        ]
    ),
    source_edges=st.booleans(),
)
@settings(max_examples=30)
def test_names_in_a_text(seed, how, source_edges, tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    model, _, chance = random_model(seed, folder / "f")
    model, twin = taught(
        model, chance, folder / "m", max_atoms=how[0], levels=how[1], source_levels=how[2],
        source_edges=source_edges, budget=11,
    )  # fmt: skip
    text = [" ".join(chance.choice([*SOURCE, "_"], 5)) for _ in range(4)]
    expected = all_local(model, twin, text)
    for rule in model.tables[0]:
        around = twin.local(rule.source.split(), rule.target.split(), "?", "?")
        expected |= {name: key for name, key in around.items() if not sees_context(name)}
    decoder = PhraseDecoder(model, engine=1)
    found = names_of(decoder, list(expected.values()), text)
    assert found == {key: [name] for name, key in expected.items()}
    decoder.engine = ThreadEngine(3)
    assert names_of(decoder, list(expected.values()), text) == found
    # Without a text, what rules have wherever they stand.
    alone = {name: key for name, key in expected.items() if not sees_context(name)}
    assert names_of(decoder, list(expected.values())) == {k: [name] for name, k in alone.items()}


@given(seed=st.integers(0, 100_000))
@settings(max_examples=25)
def test_names_in_derivations(seed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("m")
    model, _, chance = random_model(seed, folder / "f")
    model, twin = taught(
        model, chance, folder / "m", levels="word,cluster,cluster4,pos", rule_pairs=True,
        history=True, source_levels="character,type",
    )  # fmt: skip
    sentence = " ".join(chance.choice(list(SOURCE), 5))
    search = SearchOptions(distortion_limit=3)
    lists = PhraseDecoder(model, search=search, engine=1).decode([sentence], want=KBest(5))
    words = ["<s>", *sentence.split(), "</s>"]
    expected = []
    for derivation in lists.derivations(0):
        target, last = derivation.text.split(), None
        expected.append([])
        for step in derivation.steps:
            made = target[step.target_begin : step.target_end]
            rule = words[step.begin + 1 : step.end + 1], made
            features = {}
            if step.rule >= 0:
                before = [None, None, *target[: step.target_begin]][-2:]
                features = twin.local(*rule, words[step.begin], words[step.end + 1])
                features |= twin.history(*rule, last, *before)
            last = rule if step.rule >= 0 else None
            expected[-1].append(features)
    keys = {key for ways in expected for step in ways for key in step.values()}
    weights = {key: chance.normal() for key in sorted(keys)}
    model = with_weights(model, weights, folder / "n")
    decoder = PhraseDecoder(model, search=search, engine=1)
    for derivation, steps in zip(lists.derivations(0), expected, strict=True):
        found = derivation_features(decoder, SourceSentence.from_text(sentence), derivation)
        assert [set(features) for features in found] == [set(step) for step in steps]
        for features, step in zip(found, steps, strict=True):
            for name, weight in features.items():
                assert weight == pytest.approx(weights[step[name]], rel=1e-6)
    # What the decoder counts is the sum of what is named.
    best = decoder.decode([sentence]).derivation(0)
    named = derivation_features(decoder, SourceSentence.from_text(sentence), best)
    total = sum(sum(features.values()) for features in named)
    assert total == pytest.approx(best.features["lexical"], rel=1e-3, abs=1e-3)


def test_the_heaviest(tmp_path):
    model, _, chance = random_model(7, tmp_path / "f")
    model, twin = taught(model, chance, tmp_path / "m")
    local = all_local(model, twin, ["a b c"])
    names = sorted(local)
    weights = {local[name]: (-1) ** i * (i + 1.0) for i, name in enumerate(names)}
    weights[12345] = 0.5
    decoder = PhraseDecoder(with_weights(model, weights, tmp_path / "n"), engine=1)
    found = heaviest_features(decoder, len(weights), ["a b c"])
    assert [feature.label for feature in found] == [*reversed(names), "key:0000000000003039"]
    assert [feature.weight for feature in found[:2]] == [
        weights[local[names[-1]]],
        weights[local[names[-2]]],
    ]
    assert heaviest_features(decoder, 3, ["a b c"]) == found[:3]
    with pytest.raises(OptionError, match="0 features, expected at least 1"):
        heaviest_features(decoder, 0)


def test_words_of_classes(tmp_path):
    model, _, chance = random_model(7, tmp_path / "f")
    model, twin = taught(model, chance, tmp_path / "m")
    decoder = PhraseDecoder(model)
    source, target = (twin.classes[side]["cluster4"] for side in ("source", "target"))
    names = [
        f"edges:source_first.cluster4={source['a']}|target_last.cluster4={target['w']}|length=1",
        f"history.cluster4:<none>_{target['x']}|a|w",
        "history.pos:T\\_x_T\\_y|a|w",
        "edges:after.pos=T\\_b",
        "edges:before.word=a.cluster4=0000",
    ]
    found = class_words(decoder, names, most=2)
    for side, classes, value in (
        ("source", source, source["a"]), ("target", target, target["w"]),
        ("target", target, target["x"]),
    ):  # fmt: skip
        words = [word for word in classes if classes[word] == value]
        assert found.pop((side, "cluster4", value), words[:2]) == words[:2]
    assert found == {
        ("source", "pos", "T\\_b"): ["b"],
        ("target", "pos", "T\\_x"): ["x"],
        ("target", "pos", "T\\_y"): ["y"],
    }


def test_features_that_were_folded_into_one_weight(tmp_path):
    model, _, chance = random_model(7, tmp_path / "f")
    model, twin = taught(model, chance, tmp_path / "m", bits=4)
    local = all_local(model, twin, ["a b"])
    weights = dict.fromkeys(local.values(), 0.25)
    decoder = PhraseDecoder(with_weights(model, weights, tmp_path / "n"), engine=2)
    found = heaviest_features(decoder, 100, ["a b"])
    assert len(found) == len(decoder.model.lexical) <= 16
    named = [name for feature in found for name in feature.names]
    assert set(local) <= set(named)
    assert len(set(named)) == len(named)
    assert all(list(feature.names) == sorted(feature.names) for feature in found)


def test_models_without_them(tmp_path):
    model, *_ = random_model(7, tmp_path / "f")
    message = "has no lexical features; `tunesmith train --learner maxforce` learns them"
    with pytest.raises(OptionError, match=message):
        heaviest_features(PhraseDecoder(model), 10)


def test_no_levels_at_all(tmp_path):
    """Levels whose classes nobody gave are left out; the length alone may stay."""
    lexical = LexicalFeatures(levels="cluster", source_edges=True).build(
        SideClasses(), SideClasses()
    )
    assert lexical.features_per_rule == 2
    lexical.save(tmp_path / "x")
    assert LexicalModel.load(tmp_path / "x").features_per_rule == 2
