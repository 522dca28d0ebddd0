"""Joined tables: a phrase pair that several have is one rule with the scores of all of them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.forced import gold_derivations
from reference.joined_rules import joined_rules_of
from reference.phrase_decoder import all_derivations
from reference.tiny_models import SOURCE, joined_model
from tunesmith import _core
from tunesmith.base.errors import InputError
from tunesmith.corpus import Bitext
from tunesmith.decode import Graphs, KBest, SearchOptions, SourceSentence
from tunesmith.decode.forced import ForcedDecoder, ForcedOptions
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.model import MODEL_FILE, TranslationModel
from tunesmith.model.describe import describe, describe_phrase, description_text
from tunesmith.model.moses import export_moses, import_moses
from tunesmith.model.prune import prune_model

UNPRUNED = {"pop_limit": 1_000_000, "stack_size": 1_000_000, "table_limit": 0}
FLOOR = -6.0


def brute_force(model, ngrams, words, limit):
    """(score, text, features, spans) of every derivation, best first."""
    weights = model.weights.vector(model.feature_names)
    rules_of = joined_rules_of(model.tables, FLOOR)
    scored = [
        (float(np.dot(weights, features)), text, features, spans)
        for text, features, spans in all_derivations(words, rules_of, ngrams, limit, scores=8)
    ]
    return sorted(scored, key=lambda item: -item[0])


def spans(derivation):
    return [(step.begin, step.end) for step in derivation.steps]


@given(seed=st.integers(0, 100_000), limit=st.integers(0, 3), size=st.integers(1, 4))
@settings(max_examples=50)
def test_search_and_forced_search_equal_brute_force(seed, limit, size, tmp_path_factory):
    model, ngrams, chance = joined_model(seed, tmp_path_factory.mktemp("m") / "f", FLOOR)
    words = list(chance.choice(list(SOURCE), size))
    text = " ".join(words)
    expected = brute_force(model, ngrams, words, limit)
    search = SearchOptions(distortion_limit=limit, **UNPRUNED)
    decoder = PhraseDecoder(model, search=search, engine=1)
    output = decoder.decode([text], want=KBest(len(expected) + 5, distinct=False))
    np.testing.assert_allclose(output.scores, [s for s, *_ in expected], rtol=1e-4, atol=1e-4)
    sentence = SourceSentence.from_text(text).native("copy")
    for row in range(len(output.texts)):
        derivation = output.derivation(row)
        again, *_ = _core.derivation_features(decoder.native, sentence, output.native, 0, row)
        np.testing.assert_allclose(again, output.features[row], rtol=1e-4, atol=1e-4)
        assert any(
            (derivation.text, spans(derivation)) == (other, where)
            and np.allclose(features, again, rtol=1e-4, atol=1e-4)
            for _, other, features, where in expected
        )
    target = expected[len(expected) // 2][1]
    same = [score for score, other, *_ in expected if other == target]
    forced = decoder.force([text], [target], size=len(expected))
    np.testing.assert_allclose(forced.scores, same, rtol=1e-4, atol=1e-4)
    options = ForcedOptions(distortion_limit=limit, min_prefix=0)
    lattice = ForcedDecoder(model, options, engine=1).run(Bitext.from_lines([text], [target]))
    assert lattice.derivations[0] == len(same)

    def targets_of(source):
        return {rule.target for table in model.tables for rule in table.rules(source)}

    assert len(same) == len(gold_derivations(words, target.split(), targets_of, limit))


@given(seed=st.integers(0, 100_000))
@settings(max_examples=20)
def test_graphs_have_the_scores_of_the_search(seed, tmp_path_factory):
    model, _, chance = joined_model(seed, tmp_path_factory.mktemp("m") / "f", FLOOR)
    decoder = PhraseDecoder(model, search=SearchOptions(pop_limit=30), engine=1)
    text = " ".join(chance.choice(list(SOURCE), 8))
    pool = decoder.decode([text], want=Graphs())
    best = []
    for edges in pool[0]:
        best.append(
            max(
                sum(model.weights[name] * value for name, value in edge.features.items())
                + sum(best[tail] for tail in edge.tails)
                for edge in edges
            )
        )
    np.testing.assert_allclose(best[-1], decoder.decode([text]).scores[0], rtol=1e-4, atol=1e-4)


def test_a_pair_is_one_row_of_a_phrase(tmp_path):
    model, *_ = joined_model(5, tmp_path / "f", FLOOR)
    first, second = model.tables
    for source in {rule.source for table in model.tables for rule in table}:
        rows = {row["target"]: row for row in describe_phrase(model, source)}
        pairs = {rule.target: rule for rule in joined_rules_of(model.tables, FLOOR)(source)}
        assert rows.keys() == pairs.keys()
        for target, row in rows.items():
            names = [name for name in row if "_given_" in name]
            assert names[:5] == [*first.meta["scores"], f"tm2.{second.meta['scores'][0]}"]
            assert [math.log(row[name]) for name in names] == pytest.approx(pairs[target].scores)
            in_first = any(rule.target == target for rule in first.rules(source))
            assert row["table"] == (0 if in_first else 1)
    assert describe(model)["join_floor"] == FLOOR
    line = "joined tables: a pair is one rule with the scores of all, -6 where a table lacks it"
    assert line in description_text(describe(model))


@pytest.mark.parametrize("floor", ["0.5", "inf", "nan", '"low"'])
def test_a_floor_that_is_no_log_probability_is_refused(floor, tmp_path):
    model, *_ = joined_model(5, tmp_path / "f", FLOOR)
    path = model.folder / MODEL_FILE
    path.write_text(path.read_text().replace("join_floor = -6.0", f"join_floor = {floor}"))
    with pytest.raises(InputError, match=r"model\.toml: .*join_floor"):
        TranslationModel.load(model.folder)


@given(seed=st.integers(0, 100_000), limit=st.integers(1, 2))
@settings(max_examples=20)
def test_pruned_tables_keep_the_same_pairs(seed, limit, tmp_path_factory):
    """A pair that one table keeps stays in all: no table lacks what it had."""
    folder = tmp_path_factory.mktemp("m")
    model, *_ = joined_model(seed, folder / "f", FLOOR)
    pruned = prune_model(model, folder / "pruned", limit=limit)
    assert pruned.join_floors == model.join_floors
    kept = set()
    for table in model.tables:
        for source in {rule.source for rule in table}:
            rules = sorted(table.rules(source), key=lambda rule: -rule.scores[2])
            kept |= {(source, rule.target) for rule in rules[:limit]}
    for table, less in zip(model.tables, pruned.tables, strict=True):
        assert list(less) == [rule for rule in table if (rule.source, rule.target) in kept]


@given(seed=st.integers(0, 100_000))
@settings(max_examples=10)
def test_moses_gets_one_table_with_all_scores(seed, tmp_path_factory):
    """Its own search takes tables one by one: it must find the scores that ours does."""
    folder = tmp_path_factory.mktemp("m")
    model, _, chance = joined_model(seed, folder / "f", FLOOR)
    export_moses(model, folder / "moses")
    ini = (folder / "moses" / "moses.ini").read_text()
    assert ini.count("PhraseDictionary") == 1
    assert "[mapping]\n0 T 0\n\n" in ini
    again = import_moses(folder / "moses" / "moses.ini", folder / "again")
    assert not again.join_floors
    texts = [" ".join(chance.choice(list(SOURCE), 6)) for _ in range(5)]
    ours, theirs = (PhraseDecoder(m, engine=1).decode(texts, want=KBest(5)) for m in (model, again))
    np.testing.assert_allclose(ours.scores, theirs.scores, atol=1e-4, rtol=1e-4)
