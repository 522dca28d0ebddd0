"""Ranking of lists and learning on shards against slow twins."""

import errno
import os
import pickle
from functools import partial
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import slow_ranking
from reference.shard_engines import ENGINES
from reference.tiny_grammars import SOURCE as RULE_WORDS
from reference.tiny_grammars import hiero_model, random_rule
from reference.tiny_learners import UNPRUNED, learner_of, lexical_model, some_pairs
from reference.tiny_models import random_model
from reference.toy_decoder import DICTIONARY, ToyDecoder
from tunesmith import _core
from tunesmith.base import progress
from tunesmith.base.array_file import write_arrays
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import KBest, LiveWeights, open_decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.engine import ThreadEngine
from tunesmith.features import GrammarTemplates, RuleId, RuleShape, SourceNgrams
from tunesmith.learn import Maxforce, sharded_learner
from tunesmith.learn.flat_weights import KEY_BITS, ColumnSums, FlatWeights, average
from tunesmith.learn.ranking import iter_mix_sgd, iter_sel_sgd, mix_sgd, sgd
from tunesmith.metrics import Bleu

NO_DENSE = np.zeros(0)


def sparse_arrays(rows):
    """Rows of features that are mostly 0, as a decoder's output has them."""
    used = [np.flatnonzero(row) for row in rows]
    offsets = np.cumsum([0, *map(len, used)])
    ids = np.concatenate([*used, []]).astype(np.uint32)
    values = [row[some] for row, some in zip(rows, used, strict=True)]
    return offsets.astype(np.int64), ids, np.concatenate([*values, []]).astype(np.float32)


@given(seed=st.integers(0, 100_000), margin=st.sampled_from([0.0, 1.0]))
@settings(max_examples=100, deadline=None)
def test_pairs_of_lists(seed, margin):
    chance = np.random.default_rng(seed)
    sizes = chance.integers(1, 25, 3)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    dense = chance.normal(size=(offsets[-1], 3))
    sparse = chance.integers(0, 2, (offsets[-1], 6)) * 1.0
    # Few different gains, so that levels have ties at their borders.
    gains = chance.integers(0, 8, offsets[-1]) / 8
    rates, start = chance.random(9), chance.integers(0, 2) * chance.normal(size=9)
    share = chance.choice([0.1, 0.3, 0.5])
    coefficients, pairs, mended = _core.rank_lists(
        offsets, dense, *sparse_arrays(sparse), gains, start, rates, share, margin
    )
    weights = start
    for s in range(3):
        rows = slice(*offsets[s : s + 2])
        features = np.hstack([dense, sparse])[rows]
        weights, counts, compared, moved = slow_ranking.ranked(
            features, gains[rows], weights, rates, share, margin
        )
        np.testing.assert_array_equal(coefficients[rows], counts)
        assert (pairs[s], mended[s]) == (compared, moved)


def test_levels_of_a_hundred():
    gains = np.arange(100) / 100
    features = np.eye(100)
    none = np.zeros(101, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32)
    _, pairs, _ = _core.rank_lists(
        np.array([0, 100]), features, *none, gains, np.zeros(100), np.ones(100), 0.1, 0.0
    )
    assert pairs.tolist() == [10 * 80 + 10 * 10 + 80 * 10]


@pytest.mark.parametrize(
    "change",
    [
        {"gains": np.zeros(3)},
        {"offsets": np.array([0, 3])},
        {"ids": np.array([2], np.uint32)},
        {"weights": np.zeros(2)},
        {"rows": np.array([0, 2, 1])},
    ],
    ids=lambda change: next(iter(change)),
)
def test_lists_that_do_not_fit(change):
    whole = {
        "offsets": np.array([0, 2]), "dense": np.zeros((2, 1)), "rows": np.array([0, 1, 1]),
        "ids": np.array([0], np.uint32), "values": np.ones(1, np.float32), "gains": np.zeros(2),
        "weights": np.zeros(3), "rates": np.zeros(3), "level_share": 0.1, "margin": 0.0,
    }  # fmt: skip
    _core.rank_lists(**whole)
    with pytest.raises(ValueError, match=r"belong together|without a weight"):
        _core.rank_lists(**{**whole, **change})


@given(seed=st.integers(0, 100_000))
@settings(max_examples=20, deadline=None)
def test_a_step_inside_phrase_search(seed, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    [(source, target)] = some_pairs(model, chance, 1)
    learner = learner_of(
        model, lexical_model(chance), [(source, target)], method="RANKING", rate=0.3,
        dense_rate=0.5, list_size=1000, level_share=0.2,
    )  # fmt: skip
    every = PhraseDecoder(model, search=UNPRUNED, engine=1).decode([source], want=KBest(1000))
    metric = Bleu(tokenize="none", smoothing="none")
    stats = metric.stats(every.texts, every.rows(), metric.prepare([[target]]))
    gains = metric.sentence_gains(stats, "interpolated")
    before = np.array(learner.dense_weights(False))
    outcome, _, _, violation, _ = (
        column[0] for column in learner.step(np.array([0], np.uint32), 1)
    )
    change = np.array(learner.dense_weights(False)) - before
    high, middle, low = slow_ranking.levels(list(gains), 0.2)
    pairs = len(high) * (len(middle) + len(low)) + len(middle) * len(low)
    # What lexical features add on the way is not followed here: the first pair is.
    assert outcome == (2 if np.abs(change).max() > 0 else 1) or not pairs
    assert 0 <= violation <= 1
    if not pairs:
        assert outcome == 1
    scores = every.features @ model.weights.vector(model.feature_names)
    is_solved = all(
        scores[i] > scores[j]
        for i in high for j in middle + low
    ) and all(scores[i] > scores[j] for i in middle for j in low)  # fmt: skip
    assert (outcome == 1) == is_solved


def step(weights, example, rate=0.25):
    """Moves the weights of an example's features in a way that depends on what they were."""
    return weights + rate * example * (1.0 if weights @ example <= 1.0 else -0.5)


def toy_pass(shard, weights, size):
    """The same on flat weights."""
    dense = np.zeros(size)
    dense[weights.keys.astype(int)] = weights.values
    for example in shard:
        dense = step(dense, example)
    keys = np.flatnonzero(dense)
    return FlatWeights(NO_DENSE, keys.astype(np.uint64), dense[keys].astype(np.float32))


def vector(weights, size):
    dense = np.zeros(size)
    dense[weights.keys.astype(int)] = weights.values
    return dense


# Steps are multiples of 1/8 and means of a power of two: nothing is rounded, so that the order of
# a sum does not matter and twins agree to the last bit.
@given(seed=st.integers(0, 100_000), shards=st.sampled_from([1, 2, 4]), keep=st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_the_four_algorithms(seed, shards, keep):
    chance = np.random.default_rng(seed)
    size, epochs = 6, 2
    data = [list(chance.integers(0, 2, (3, size)) * 1.0) for _ in range(shards)]
    zero, engine = FlatWeights.of_dense(NO_DENSE), ThreadEngine(2)
    one_pass = partial(toy_pass, size=size)
    found = {
        "sgd": sgd(data[0], one_pass, zero, epochs),
        "mix": mix_sgd(engine, data, one_pass, zero, epochs),
        "iter-mix": list(islice(iter_mix_sgd(engine, data, one_pass, zero), epochs))[-1],
        "iter-select": list(islice(iter_sel_sgd(engine, data, one_pass, zero, keep), epochs))[-1],
    }
    start = np.zeros(size)
    twins = {
        "sgd": slow_ranking.sgd(step, data[0], start, epochs),
        "mix": slow_ranking.mix_sgd(step, data, start, epochs),
        "iter-mix": slow_ranking.iter_mix_sgd(step, data, start, epochs),
        "iter-select": slow_ranking.iter_sel_sgd(step, data, start, epochs, keep),
    }
    for name, twin in twins.items():
        assert vector(found[name], size).tobytes() == twin.tobytes(), name


def rows(*values):
    return [
        FlatWeights(NO_DENSE, np.flatnonzero(row).astype(np.uint64), row[row != 0])
        for row in np.array(values, np.float32)
    ]


@pytest.mark.parametrize(
    ("matrix", "norm", "kept"),
    [
        (((6, 4, 0, 0, 0), (0, 0, 3, 0, 0), (0, 0, 0, 2, 3)), 18, {0: 2.0, 1: 4 / 3}),
        (((6, 4, 0, 0, 0), (3, 0, 0, 0, 0), (2, 3, 0, 0, 0)), 12, {0: 11 / 3, 1: 7 / 3}),
    ],
    ids=["apart", "together"],
)
def test_figure_2(matrix, norm, kept):
    first, second, third = map(ColumnSums.of, rows(*matrix))
    stacked = first + second + third
    assert np.sqrt(stacked.squares).sum() == pytest.approx(norm)
    chosen = stacked.selected(2)
    assert dict(zip(chosen.keys.tolist(), chosen.values.tolist(), strict=True)) == pytest.approx(
        kept
    )


def test_dense_features_are_never_dropped():
    weights = [
        FlatWeights(np.array([1e-9, 2.0]), np.array([7], np.uint64), np.array([1], np.float32))
    ]
    mixed = average(weights * 2)
    assert mixed.dense.tolist() == [1e-9, 2.0]
    assert ColumnSums.of(weights[0]).selected(1).dense.tolist() == [1e-9, 2.0]


@given(st.lists(st.integers(0, (1 << KEY_BITS) - 1), unique=True), st.integers(0, 100))
def test_weights_travel(keys, seed):
    chance = np.random.default_rng(seed)
    weights = FlatWeights(
        chance.normal(size=3), np.array(sorted(keys), np.uint64),
        chance.normal(size=len(keys)).astype(np.float32), chance.random(10),
    )  # fmt: skip
    got = pickle.loads(pickle.dumps(weights))
    for name in ("dense", "keys", "values", "text"):
        assert getattr(got, name).tobytes() == getattr(weights, name).tobytes()
        assert getattr(got, name).dtype == getattr(weights, name).dtype


def test_eight_bytes_a_feature():
    chance = np.random.default_rng(1)
    keys = np.unique(chance.integers(0, 1 << KEY_BITS, 500_000, np.uint64))
    weights = FlatWeights(NO_DENSE, keys, chance.normal(size=len(keys)).astype(np.float32))
    assert len(pickle.dumps(weights)) < 8 * len(keys)


SHARDS = {
    "folds": 0, "leave_out": "none", "epochs": 3, "patience": 0, "batch": 1, "beam": 20,
    "dense": "all", "dense_weights": "from-zero", "rate": 0.01, "shard_size": 4,
}  # fmt: skip


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    model, _, chance = random_model(7, folder / "m")
    sources, targets = zip(*some_pairs(model, chance, 17), strict=True)
    return model, lexical_model(chance), Bitext.from_lines(sources, targets), (
        sources[:4], [targets[:4]],
    )  # fmt: skip


def fitted(task, folder=None, **options):
    return Maxforce(**{**SHARDS, **options}).fit(*task, folder=folder)


def learned(result):
    keys, values = result.lexical.entries()
    return dict(result.weights), keys.tobytes(), values.tobytes(), result.dev_score


@pytest.mark.parametrize("mixing", ["iter-select", "iter-mix", "mix"])
@pytest.mark.parametrize("method", ["ranking", "expected"])
def test_shards_on_any_engine(task, method, mixing):
    found = [
        learned(fitted(task, method=method, mixing=mixing, keep=20, engine=engine))
        for engine in (1, 2, ENGINES[1])
    ]
    assert found[0] == found[1] == found[2]
    assert len(found[0][1]) > 0
    if mixing == "iter-select":
        assert len(found[0][1]) <= 20 * 8


def test_shards_by_processes(task):
    options = {"method": "ranking", "epochs": 1, "shard_size": 9}
    assert learned(fitted(task, **options)) == learned(fitted(task, **options, engine=ENGINES[-1]))


@pytest.mark.parametrize("method", ["ranking", "expected"])
def test_a_run_on_shards_goes_on(task, tmp_path, method):
    whole = learned(fitted(task, method=method, epochs=4))
    fitted(task, tmp_path / "state", method=method, epochs=2)
    assert learned(fitted(task, tmp_path / "state", method=method, epochs=4)) == whole


def test_a_full_disk_loses_no_epoch(task, tmp_path, monkeypatch):
    whole = learned(fitted(task, method="ranking", epochs=3))
    saved = []

    def write(path, *given):
        saved.append(path)
        if len(saved) == 2:
            path.write_bytes(b"half a file")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write_arrays(path, *given)

    monkeypatch.setattr(sharded_learner, "write_arrays", write)
    with pytest.raises(OSError, match=r"No space left on device: '.*learner-2"):
        fitted(task, tmp_path / "state", method="ranking", epochs=3)
    assert learned(fitted(task, tmp_path / "state", method="ranking", epochs=3)) == whole
    assert [path.name for path in saved[1:3]] == [saved[1].name] * 2  # the second epoch again


@pytest.mark.parametrize("mixing", ["iter-select", "mix"])
def test_the_bar_grows_with_every_shard(task, monkeypatch, capsys, mixing):
    monkeypatch.setattr(progress, "LINE_INTERVAL", 0.0)
    progress.silence(False)
    fitted(task, method="ranking", mixing=mixing, epochs=2, engine=2)
    shown = [line.split(" (")[0] for line in capsys.readouterr().err.splitlines() if " (" in line]
    counts = [line for line in shown if line.startswith("epoch 1: ")]
    assert len(counts) == 4  # shards of 4 and 5 pairs
    assert counts[-1] == "epoch 1: 17 of 17"
    assert ("epoch 2: 17 of 17" in shown) == (mixing == "iter-select")


def test_a_state_that_is_cut_short(task, tmp_path):
    fitted(task, tmp_path / "state", method="ranking", epochs=1)
    path = next((tmp_path / "state").glob("learner-*.bin"))
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match=path.name):
        fitted(task, tmp_path / "state", method="ranking", epochs=2)


def test_what_looks_into_stacks_has_no_shards(task):
    with pytest.raises(OptionError, match="max-violation on shards, expected ranking or expected"):
        fitted(task, method="max-violation")


TOY = {
    "method": "ranking", "folds": 0, "batch": 1, "rate": 0.05, "epochs": 3, "patience": 0,
    "shard_size": 2,
}  # fmt: skip
START = Weights({"words": 0.5, "first": 0.5})


@pytest.mark.parametrize("knows", [True, False])
@pytest.mark.parametrize("mixing", ["iter-select", "iter-mix", "mix"])
def test_shards_with_lists_of_any_decoder(knows, mixing):
    sources = ["a b c", "c a d", "b b a c", "d c", "a a b d", "c d b a"]
    targets = [" ".join(DICTIONARY[word][-1] for word in line.split()) for line in sources]
    pairs, dev = Bitext.from_lines(sources, targets), (sources[:3], [targets[:3]])
    found = [
        Maxforce(**TOY, mixing=mixing, keep=5, engine=engine).fit_decoder(
            ToyDecoder(knows), pairs, dev, START
        )
        for engine in (1, 2)
    ]
    assert dict(found[0].weights) == dict(found[1].weights)
    assert found[0].dev_score > found[0].start_score
    sparse = [name for name in found[0].weights if name not in START]
    assert 0 < len(sparse) <= (5 if mixing == "iter-select" else 10)


@pytest.fixture
def sparse_chart(tmp_path):
    """A hierarchical model with features of its rules, and what other weights would say."""
    chance = np.random.default_rng(11)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(40)]
    dense = hiero_model(tmp_path / "model", rules, chance, search={"pop_limit": 30})
    templates = GrammarTemplates([RuleId(), SourceNgrams(), RuleShape()])
    model = dense.with_templates(templates, dense.weights, tmp_path / "sparse")
    sources = [" ".join(chance.choice(list(RULE_WORDS), 6)) for _ in range(8)]
    other = Weights({name: float(chance.normal()) for name in model.feature_names})
    return model, sources, list(open_decoder(model).decode(sources, other).best())


def chart_result(sparse_chart, folder=None, **options):
    model, sources, targets = sparse_chart
    return Maxforce(**{**TOY, "shard_size": 0, "epochs": 2, **options}).fit_decoder(
        open_decoder(model), Bitext.from_lines(sources, targets), (sources, [targets]),
        model.weights, folder=folder,
    )  # fmt: skip


@pytest.mark.parametrize("shard_size", [0, 3])
def test_charts_learn_features_of_their_rules(sparse_chart, shard_size, tmp_path):
    found = [
        chart_result(sparse_chart, shard_size=shard_size, engine=engine)
        for engine in (1, 2, ENGINES[1])
    ]
    assert dict(found[0].weights) == dict(found[1].weights) == dict(found[2].weights)
    assert len(found[0].weights) > len(sparse_chart[0].weights) + 20
    assert found[0].dev_score > found[0].start_score
    chart_result(sparse_chart, tmp_path / "state", shard_size=shard_size, epochs=1)
    again = chart_result(sparse_chart, tmp_path / "state", shard_size=shard_size)
    assert dict(again.weights) == dict(found[0].weights)


def test_weights_that_move_between_searches(sparse_chart):
    model, sources, _ = sparse_chart
    decoder = open_decoder(model)
    assert decoder.takes_live_weights
    names = decoder.decode(sources, want=KBest(20)).used_sparse()[1]
    chance = np.random.default_rng(3)
    live = LiveWeights(model.weights, _core.NamedWeights([], np.zeros(0)))
    total = np.zeros(len(names))
    for _ in range(3):
        step = chance.normal(size=len(names))
        total += step
        live.sparse.add(names, step)
        moved = decoder.decode(sources, live, KBest(20))
        given = decoder.decode(
            sources,
            Weights({**model.weights, **dict(zip(names, total.tolist(), strict=True))}),
            KBest(20),
        )
        assert list(moved.texts) == list(given.texts)
        np.testing.assert_array_equal(moved.scores, given.scores)
    # Back to nothing: a weight of 0 is in nobody's way.
    live.sparse.add(names, -total)
    np.testing.assert_allclose(
        decoder.decode(sources, live).scores, decoder.decode(sources, model.weights).scores
    )


@pytest.mark.parametrize("changes", [np.zeros(1), np.array([np.nan, 0.0])], ids=["few", "nan"])
def test_changes_that_are_none(changes):
    with pytest.raises(OptionError):
        _core.NamedWeights([], np.zeros(0)).add(["a", "b"], changes)
