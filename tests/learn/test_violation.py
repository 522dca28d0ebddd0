"""The learner's parts against the decoder: scores, differences of features, validity, threads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.phrases import own_pairs
from reference.tiny_learners import UNPRUNED, learner_of, lexical_model, some_pairs
from reference.tiny_models import extracted_model, random_links, random_model, some_links
from reference.violations import bins_of
from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.decode import KBest, SearchOptions, SourceSentence
from tunesmith.decode.forced import ForcedOptions
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.phrase_model import native_phrase_model
from tunesmith.features import LexicalFeatures, SideClasses
from tunesmith.formats.pharaoh import Links
from tunesmith.model import TranslationModel, new_model


@given(seed=st.integers(0, 100_000))
@settings(max_examples=40, deadline=None)
def test_search_scores_lexical_features_as_their_definition_does(seed, tmp_path_factory):
    """The decoder's sums equal those of the keys of a derivation, one by one."""
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    pairs = some_pairs(model, chance)
    lexical = lexical_model(chance)
    learner = learner_of(model, lexical, pairs, method="STANDARD")
    for _ in range(3):
        learner.step(np.arange(len(pairs), dtype=np.uint32), 1)
    folder = tmp_path_factory.mktemp("n") / "model"
    weights = Weights({**model.weights, "lexical": 0.7})
    taught = model.with_lexical(lexical, weights, folder)
    assert taught.feature_names[-1] == "lexical"
    decoder = PhraseDecoder(taught, search=SearchOptions(distortion_limit=3), engine=1)
    for source, _ in pairs:
        output = decoder.decode([source], want=KBest(10))
        for rank in range(len(output.texts)):
            again, *_ = _core.derivation_features(
                decoder.native,
                SourceSentence.from_text(source).native("copy"),
                output.native,
                0,
                rank,
            )
            np.testing.assert_allclose(again, output.features[rank], rtol=1e-4, atol=1e-4)


@given(seed=st.integers(0, 100_000))
@settings(max_examples=30, deadline=None)
def test_violation_is_the_difference_of_the_best_and_the_best_good_one(seed, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    pairs = some_pairs(model, chance)
    lexical = lexical_model(chance)
    batch = np.arange(len(pairs), dtype=np.uint32)
    learner_of(model, lexical, pairs, method="STANDARD").step(batch, 1)  # some weights
    taught = model.with_lexical(
        lexical, Weights({**model.weights, "lexical": 1.0}), tmp_path_factory.mktemp("n") / "model"
    )
    decoder = PhraseDecoder(taught, search=UNPRUNED, engine=1)
    sources, targets = [s for s, _ in pairs], [t for _, t in pairs]
    best, good = decoder.decode(sources), decoder.force(sources, targets)
    outcomes, bins, words, violations, reached = learner_of(
        model, lexical, pairs, method="STANDARD", rate=0.0
    ).step(batch, 1)
    for i, (source, target) in enumerate(pairs):
        assert words[i] == len(source.split())
        assert reached[i] == (best.texts[i] == target)
        if reached[i]:
            assert outcomes[i] == 1
            continue
        # With nothing pruned the best translation is never worse than a good one.
        assert outcomes[i] == 2
        assert bins[i] == words[i]
        np.testing.assert_allclose(
            violations[i], best.scores[i] - good.scores[i], rtol=1e-3, atol=1e-3
        )


@pytest.mark.parametrize("dead_ends", [False, True])
@given(seed=st.integers(0, 100_000), as_prefix=st.booleans())
@settings(max_examples=25, deadline=None)
def test_the_largest_violation_against_brute_force(dead_ends, seed, as_prefix, tmp_path_factory):
    """Over all bins, good derivations that can be completed or all; of a pair or of a prefix."""
    model, ngrams, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    pairs = some_pairs(model, chance)
    prefixes = np.array([len(side.split()) for pair in pairs for side in pair], np.uint32)
    # As a prefix a pair has words behind it, which say nothing to features without weights.
    longer = [(f"{source} d", f"{target} w") for source, target in pairs] if as_prefix else pairs
    forced = _core.ForcedOptions()
    forced.distortion_limit, forced.dead_ends = 3, dead_ends
    learner = learner_of(
        model, lexical_model(chance), longer, method="MAX_VIOLATION", rate=0.0, forced=forced
    )
    batch = np.arange(len(pairs), dtype=np.uint32)
    outcomes, bins, words, violations, _ = learner.step(batch, 1, prefixes if as_prefix else None)
    weights = model.weights.vector(model.feature_names)
    for i, (source, target) in enumerate(pairs):
        expected = {
            size: bad - good
            for size, (good, bad) in bins_of(
                source.split(), target.split(), model.tables[0].rules, ngrams, weights, 3,
                dead_ends=dead_ends, whole=not as_prefix,
            ).items()
            if good is not None and bad is not None
        }  # fmt: skip
        most = max(expected.values(), default=-1.0)
        assert words[i] == len(source.split())
        if abs(most) < 1e-3:
            continue
        assert (outcomes[i] == 2) == (most > 0)
        if most > 0:
            np.testing.assert_allclose(violations[i], most, rtol=1e-3, atol=1e-3)
            np.testing.assert_allclose(expected[bins[i]], most, rtol=1e-3, atol=1e-3)


@given(seed=st.integers(0, 100_000), floor=st.sampled_from([None, -5.0]))
@settings(max_examples=40, deadline=None)
def test_rules_left_out_are_as_if_their_tables_did_not_have_them(seed, floor, tmp_path_factory):
    """Search and forced decoding of the learner, against those of tables without these rules."""
    chance = np.random.default_rng(seed)
    sources, targets, lists = random_links(chance, 5)
    links = [Links.from_lists(one) for one in (lists, some_links(chance, sources, targets))]
    folder = tmp_path_factory.mktemp("m")
    model = extracted_model(folder / "whole", sources, targets, *links, join_floor=floor)
    forced = ForcedOptions(distortion_limit=3, min_prefix=0, leave_out="own").native()
    pair = int(chance.integers(5))
    source, target = sources[pair], targets[pair]
    with new_model(folder / "without") as temporary:
        for entry in model.folder.iterdir():
            (temporary / entry.name).write_bytes(entry.read_bytes())
        for table, one in zip(model.tables, links, strict=True):
            own = own_pairs(source.split(), target.split(), one[pair])
            keep = np.array(
                [rule.counts[2] > 1 or (rule.source, rule.target) not in own for rule in table],
                np.uint8,
            )
            path = temporary / table.path.name
            _core.write_kept_rules(table.native, keep, str(path), table.native.meta)
    decoder = PhraseDecoder(TranslationModel.load(folder / "without"), search=UNPRUNED, engine=1)
    best, good = decoder.decode([source]), decoder.force([source], [target])
    one_pair = [one.select(np.array([pair])) for one in links]
    outcomes, _, _, violations, reached = learner_of(
        model, lexical_model(chance), [(source, target)], method="STANDARD", rate=0.0,
        forced=forced, links=[(one.offsets, one.source, one.target) for one in one_pair],
    ).step(np.zeros(1, np.uint32), 1)  # fmt: skip
    if not len(good.texts):
        assert outcomes[0] == 0
        return
    if best.texts[0] != target and not reached[0]:
        np.testing.assert_allclose(
            violations[0], best.scores[0] - good.scores[0], rtol=1e-3, atol=1e-3
        )
    else:
        np.testing.assert_allclose(best.scores[0], good.scores[0], rtol=1e-3, atol=1e-3)


@given(seed=st.integers(0, 100_000))
@settings(max_examples=30, deadline=None)
def test_a_step_is_the_difference_of_features(seed, tmp_path_factory):
    """From weights of 0: dense ones by h(good) − h(bad); lexical ones are rate · the difference d,
    so that the two derivations are then rate · d · d apart.
    """
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    ((source, target),) = some_pairs(model, chance, 1)
    decoder = PhraseDecoder(model, search=UNPRUNED, engine=1)
    best, good = decoder.decode([source]), decoder.force([source], [target])
    lexical = lexical_model(chance)
    learner = learner_of(model, lexical, [(source, target)], method="STANDARD", rate=0.5)
    before = np.array(learner.dense_weights(False))
    learner.step(np.zeros(1, np.uint32), 1)
    change = np.array(learner.dense_weights(False)) - before
    assert change[-1] == 0  # the scale of lexical features
    expected = 0.05 * (good.features[0] - best.features[0])
    np.testing.assert_allclose(change[:-1], expected, rtol=1e-3, atol=1e-4)
    _, values = lexical.entries()
    native = native_phrase_model(model, lexical)
    sentence = SourceSentence.from_text(source).native("copy")
    apart = [
        _core.derivation_features(native, sentence, output.native, 0, 0)[0][-1]
        for output in (good, best)
    ]
    np.testing.assert_allclose(apart[0] - apart[1], (values**2).sum() / 0.5, rtol=1e-4, atol=1e-4)


@given(seed=st.integers(0, 100_000), beam=st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_where_each_method_updates(seed, beam, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    pairs = some_pairs(model, chance)
    batch = np.arange(len(pairs), dtype=np.uint32)
    reports = {
        method: learner_of(
            model, lexical_model(chance), pairs, method=method, beam=beam, rate=1e-9, dense_rate=0.0
        ).step(batch, 1)
        for method in ("MAX_VIOLATION", "EARLY", "STANDARD", "LOCAL")
    }
    for i in range(len(pairs)):
        row = {
            method: tuple(column[i] for column in columns) for method, columns in reports.items()
        }
        outcome, place, words, violation, reached = row["MAX_VIOLATION"]
        if outcome == 2:
            assert violation > 0
            assert 1 <= place <= words
        # The largest violation is at least as large as any other method's.
        for method in ("EARLY", "STANDARD"):
            if row[method][0] == 2 and row[method][3] > 1e-4:
                assert violation >= row[method][3] - 1e-4
        # An early update is valid, or there is none.
        outcome, place, _, violation, _ = row["EARLY"]
        assert (outcome == 2) == (place > 0)
        if outcome == 2:
            assert violation >= 0
        if outcome == 3:
            assert not reached
        # At the end a method that looks at the whole sentence has nothing to do if it was reached.
        for method in ("STANDARD", "LOCAL"):
            assert row[method][0] == 1 or not reached
            assert row[method][1] in (0, words)
        if row["STANDARD"][0] == 3:
            assert row["STANDARD"][3] < 0
        if row["LOCAL"][0] == 2:
            assert row["LOCAL"][3] >= -1e-4  # the beam's first is never worse than another


def test_threads_change_nothing(tmp_path):
    model, _, chance = random_model(5, tmp_path / "f")
    pairs = some_pairs(model, chance, 30)
    results = []
    for threads in (1, 2, 3):
        lexical = lexical_model(np.random.default_rng(1))
        learner = learner_of(model, lexical, pairs, method="MAX_VIOLATION", beam=4)
        reports = [learner.step(np.arange(30, dtype=np.uint32), threads) for _ in range(4)]
        average = learner.lexical(True)
        results.append(
            (
                [[array.tobytes() for array in report] for report in reports],
                [array.tobytes() for array in average.entries()],
                learner.dense_weights(True),
            )
        )
    assert results[0] == results[1] == results[2]


def test_averages_are_means_of_the_weights_after_each_step(tmp_path):
    model, _, chance = random_model(5, tmp_path / "f")
    pairs = some_pairs(model, chance, 8)
    lexical = lexical_model(chance)
    learner = learner_of(model, lexical, pairs, method="MAX_VIOLATION", beam=4, dense_rate=0.5)
    history, dense = [], []
    for step in range(5):
        learner.step(np.array([step], dtype=np.uint32), 1)
        history.append(dict(zip(*map(np.ndarray.tolist, lexical.entries()), strict=True)))
        dense.append(learner.dense_weights(False))
    keys, values = learner.lexical(True).entries()
    means = {k: sum(h.get(k, 0.0) for h in history) / 5 for k in history[-1]}
    means = {k: v for k, v in means.items() if abs(v) > 1e-7}
    assert set(means) <= set(keys.tolist())
    np.testing.assert_allclose(
        [means.get(k, 0.0) for k in keys.tolist()], values, rtol=1e-4, atol=1e-6
    )
    np.testing.assert_allclose(learner.dense_weights(True), np.mean(dense, axis=0), rtol=1e-9)


@pytest.mark.parametrize("bits", [0, 6])
def test_weights_survive_the_file(bits, tmp_path):
    features = LexicalFeatures(bits=bits, min_count=2)
    lexical = features.build(SideClasses(), SideClasses())
    chance = np.random.default_rng(0)
    keys = chance.integers(0, 2**63, 90_000).astype(np.uint64) * np.uint64(2)
    for step in range(2):
        lexical.native.add(
            keys[: 90_000 - 30_000 * step], np.ones(90_000 - 30_000 * step, np.float32), step
        )
    assert lexical.native.weight(int(keys[0])) > 0
    if bits == 0:
        assert len(lexical) == len(np.unique(keys))
        assert lexical.native.weight(int(keys[0])) == 2
        assert lexical.native.weight(int(keys[75_000])) == 0  # updated once only
        assert lexical.memory <= 40 * len(lexical)
    else:
        assert len(lexical) <= 64
    lexical.save(tmp_path / "l.bin", resumable=True)
    again = type(lexical).load(tmp_path / "l.bin")
    for one, other in zip(lexical.entries(), again.entries(), strict=True):
        np.testing.assert_array_equal(one, other)
    assert again.native.weight(int(keys[75_000])) == lexical.native.weight(int(keys[75_000]))
    assert again.meta == lexical.meta


def test_learning_goes_on_from_weights_alone(tmp_path):
    """A file of a model directory has no history: its weights count as they are."""
    lexical = LexicalFeatures(min_count=2).build(SideClasses(), SideClasses())
    keys = np.arange(1, 40_001, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for step in range(2):
        lexical.native.add(keys[:20_000], np.ones(20_000, np.float32), step)
    lexical.save(tmp_path / "l.bin")
    again = type(lexical).load(tmp_path / "l.bin")
    again.native.add(keys, np.full(40_000, 0.5, np.float32), 1.0, 2)
    assert len(again) == 40_000
    assert again.native.weight(int(keys[0])) == 2.5
    assert again.native.weight(int(keys[30_000])) == 0  # updated once only
    averaged = again.native.averaged(2.0)
    assert averaged.weight(int(keys[0])) == 2.25
