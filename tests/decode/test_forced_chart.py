"""Forced decoding with a grammar against the enumeration of all derivations."""

import numpy as np
import pytest

from reference.chart import Enumeration, ScfgRule
from reference.tiny_grammars import SOURCE, TARGET, hiero_model, random_rule
from tunesmith.base.errors import OptionError
from tunesmith.decode import KBest, SourceSentence, open_decoder
from tunesmith.graph import kbest, log_sums


def random_case(folder, seed, *, lms=1, labels=("X",), keep=False, **search):
    chance = np.random.default_rng(seed)
    rules = [random_rule(chance, str(chance.choice(labels)), labels) for _ in range(20)]
    rules += [ScfgRule(label, ((labels[0], 0),), ((labels[0], 0),), ()) for label in labels[1:]]
    words = [str(word) for word in chance.choice([*SOURCE, "e", "f"], chance.integers(2, 5))]
    model = hiero_model(
        folder / "model", rules, chance, lms=lms, search=search, keep_unknown_order=keep
    )
    return model, rules, words, chance


@pytest.mark.parametrize("seed", range(24))
def test_all_derivations_of_every_translation(tmp_path, seed):
    labels = ("X",) if seed % 3 else ("X", "Y")
    limit, pass_all = 2 + seed % 3, seed % 2 == 1
    # Neither the pop limit nor the table limit holds.
    how = {"span_limit": limit, "pass_through": "all" if pass_all else "unknown", "pop_limit": 1,
           "table_limit": 1}  # fmt: skip
    model, rules, words, chance = random_case(
        tmp_path, seed, lms=seed % 3, labels=labels, keep=seed % 4 > 1, **how
    )
    names, weights = model.feature_names, model.weight_vector(model.weights)
    twin = Enumeration(
        rules, words, span_limit=limit, pass_all=pass_all, keep_unknown_order=seed % 4 > 1
    )
    by_text = {}
    for text, features in twin.derivations(model.language_models):
        by_text.setdefault(text, []).append([features.get(name, 0.0) for name in names])
    texts = [str(text) for text in chance.choice(sorted(by_text), 6)]
    texts += [" ".join(chance.choice(list(TARGET), 3)) for _ in range(3)]
    decoder, lines = open_decoder(model), [" ".join(words)] * len(texts)
    output = decoder.force(lines, texts, size=100_000)
    pool = decoder.gold_graphs(lines, texts)
    counts = np.exp(log_sums(pool, dict.fromkeys(pool.names, 0.0)))
    for s, text in enumerate(texts):
        rows = slice(output.offsets[s], output.offsets[s + 1])
        wanted = np.array(by_text.get(text, np.empty((0, len(names)))))
        assert output.texts[rows] == [text] * len(wanted)
        assert counts[s] == pytest.approx(len(wanted))
        order = np.argsort(-(wanted @ weights))
        np.testing.assert_allclose(output.scores[rows], (wanted @ weights)[order], atol=1e-3)
        # Equal scores are of equal features: weights are random.
        np.testing.assert_allclose(
            sorted(output.features[rows].round(3).tolist()),
            sorted(wanted.round(3).tolist()),
            atol=2e-3,
        )


def longer_case(folder):
    """A model, sentences that are too long to enumerate, and what it makes of them."""
    chance = np.random.default_rng(3)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(60)]
    model = hiero_model(folder / "model", rules, chance, lms=2)
    sentences = [" ".join(chance.choice([*SOURCE, "e"], chance.integers(0, 12))) for _ in range(12)]
    return model, sentences, open_decoder(model).decode(sentences, want=KBest(5))


def test_what_a_search_finds_can_be_forced_and_scores_no_less(tmp_path):
    model, sentences, found = longer_case(tmp_path)
    lines = [sentences[row] for row in found.rows()]
    forced = open_decoder(model).force(lines, found.texts)
    assert np.diff(forced.offsets).tolist() == [1] * len(lines)
    assert forced.texts == found.texts
    assert (forced.scores >= found.scores - 1e-4).all()
    np.testing.assert_allclose(
        forced.features @ model.weight_vector(model.weights), forced.scores, atol=1e-4
    )


def test_any_number_of_threads_gives_the_same(tmp_path):
    model, sentences, found = longer_case(tmp_path)
    targets = found.best()
    one, three = (
        open_decoder(model, engine=threads).force(sentences, targets, size=20) for threads in (1, 3)
    )
    assert one.texts == three.texts
    assert one.features.tobytes() == three.features.tobytes()
    graphs = open_decoder(model).gold_graphs(sentences, targets)
    best = kbest(graphs, model.weights, 1)
    assert best.best_texts() == targets
    np.testing.assert_allclose(best.scores, one.scores[one.offsets[:-1]], atol=1e-6)


def test_derivations_are_trees_of_the_forced_words(tmp_path):
    model, sentences, found = longer_case(tmp_path)
    forced = open_decoder(model).force(sentences[:4], found.best()[:4])
    for row, text in enumerate(forced.texts):
        derivation = forced.derivation(row)
        assert derivation.text == text
        ends = [step.end for step in derivation.steps]
        assert not ends or max(ends) == len(sentences[row].split())


def test_refused(tmp_path):
    model, *_ = longer_case(tmp_path)
    decoder = open_decoder(model)
    with pytest.raises(OptionError, match="1 translations for 2 sentences"):
        decoder.force(["a", "b"], ["u"])
    walled = SourceSentence(["a", "b"], walls=(1,))
    with pytest.raises(OptionError, match="walls or zones, expected a plain sentence"):
        decoder.force([walled], ["u"])
    assert decoder.force([""], [""]).texts == [""]
    assert decoder.force([""], ["u"]).texts == []
