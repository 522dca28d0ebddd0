"""`Maxforce` as a class: which epoch it keeps, when it stops, what it may use and what it moves."""

import json

import numpy as np
import pytest

from reference.tiny_learners import lexical_model, some_pairs
from reference.tiny_models import extracted_model, random_model
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links
from tunesmith.learn import Maxforce
from tunesmith.learn.checkpoint import STATE_FILE
from tunesmith.model import TranslationModel, write_description

# Without folds, and with whole pairs only, of which a tiny model makes all.
TINY = {"folds": 0, "leave_out": "none", "min_prefix": 0, "engine": 1, "batch": 2, "rate": 0.3}


@pytest.fixture
def task(tmp_path):
    """A model, lexical features without weights, pairs that the model can make, and a dev set."""
    model, _, chance = random_model(3, tmp_path / "m")
    sources, targets = zip(*some_pairs(model, chance), strict=True)
    return model, lexical_model(chance), sources, targets, (sources[:3], [targets[:3]])


def fit(learner, task, **options):
    model, lexical, sources, targets, dev = task
    return learner.fit(model, lexical, Bitext.from_lines(sources, targets), dev, **options)


class Judge:
    """Gives the epochs scores of its own, and keeps what it was asked about."""

    def __init__(self, folder, scores):
        self.folder, self.scores, self.seen = folder, list(scores), []

    def __call__(self, lexical, *_):
        path = self.folder / f"judged-{len(self.seen)}.bin"
        lexical.save(path)
        self.seen.append(path.read_bytes())
        return self.scores[len(self.seen) - 1], Weights({"epoch": float(len(self.seen))})


def judged(task, tmp_path, scores, **options):
    judge = Judge(tmp_path, scores)
    learner = Maxforce(**{"method": "max-violation", **TINY, "epochs": len(scores), **options})
    return fit(learner, task, judge=judge), judge


@pytest.mark.parametrize(
    ("scores", "best"), [([10, 30, 20], 2), ([30, 20, 10], 1), ([10, 20, 30], 3), ([5, 5, 5], 1)]
)
def test_the_best_epoch_is_kept(task, tmp_path, scores, best):
    result, judge = judged(task, tmp_path, scores, patience=0)
    assert [epoch.dev_score for epoch in result.epochs] == scores
    assert [epoch.number for epoch in result.epochs] == [1, 2, 3]
    assert len(set(judge.seen)) == 3  # every epoch has learned something
    assert result.dev_score == max(scores)
    assert dict(result.weights) == {"epoch": best}
    result.lexical.save(tmp_path / "kept.bin")
    assert (tmp_path / "kept.bin").read_bytes() == judge.seen[best - 1]


@pytest.mark.parametrize(
    ("scores", "patience", "epochs"),
    [
        ([10, 30, 20, 25, 40], 2, 4),  # two epochs without anything better than 30
        ([10, 30, 20, 25, 40], 3, 5),
        ([10, 30, 20, 25, 40], 1, 3),
        ([10, 30, 20, 25, 40], 0, 5),  # never
        ([10, 10, 10], 2, 3),  # as good is not better
        ([10, 20, 30, 40], 1, 4),
    ],
)
def test_patience(task, tmp_path, scores, patience, epochs):
    result, _ = judged(task, tmp_path, scores, patience=patience)
    assert len(result.epochs) == epochs


def test_a_run_that_is_done_is_told_again(task, tmp_path):
    learner = Maxforce(method="max-violation", epochs=2, **TINY)
    told, again = [], []
    first = fit(
        learner, task, judge=Judge(tmp_path, [10, 20]), folder=tmp_path / "s", report=told.append
    )
    second = fit(
        learner, task, judge=Judge(tmp_path, []), folder=tmp_path / "s", report=again.append
    )
    assert again == told == first.epochs == second.epochs
    assert second.start_score == first.start_score
    assert second.dev_score == 20
    with pytest.raises(OptionError, match=r"other settings \(options differ\)"):
        fit(
            Maxforce(method="max-violation", epochs=2, **{**TINY, "rate": 0.2}),
            task,
            folder=tmp_path / "s",
        )


def test_without_a_judge_the_dev_set_is_translated(task, tmp_path):
    """The references of the dev set are learned by heart, so that BLEU can only rise."""
    model, lexical, sources, targets, _ = task
    learner = Maxforce(method="max-violation", epochs=6, **TINY)
    result = learner.fit(model, lexical, Bitext.from_lines(sources, targets), (sources, [targets]))
    assert result.start_score < result.dev_score
    assert result.dev_score == max(epoch.dev_score for epoch in result.epochs)
    reached = [epoch.reached for epoch in result.epochs]
    assert reached[-1] > reached[0]


def test_the_dev_set_is_translated_as_the_model_translates(task):
    model, lexical, sources, targets, _ = task
    write_description(
        model.folder,
        tables=["phrases.bin"],
        language_models=["lm.arpa"],
        search={"unknown": "transliterate", "monotone_at_punctuation": True},
    )
    model = TranslationModel.load(model.folder)
    dev = ["да нет ужин море"], [["da net uzhin more"]]
    result = Maxforce(method="max-violation", epochs=1, **TINY).fit(
        model, lexical, Bitext.from_lines(sources, targets), dev
    )
    assert result.start_score == pytest.approx(100)


def test_a_model_with_lexical_features_is_learned_further(task, tmp_path):
    model, _, sources, targets, dev = task
    learner = Maxforce(method="max-violation", epochs=1, **TINY)
    first = fit(learner, task)
    taught = model.with_lexical(first.lexical, first.weights, tmp_path / "taught")
    entries = len(first.lexical)
    again = learner.fit(taught, taught.lexical, Bitext.from_lines(sources, targets), dev)
    assert again.start_score == first.dev_score
    assert len(again.lexical) >= entries > 0
    assert set(again.weights) == {*model.feature_names, "lexical"}


def dense_steps(task, folder, **options):
    """By how much one epoch moved the dense weights, by name."""
    model, _, sources, targets, dev = task
    lexical = lexical_model(np.random.default_rng(5))  # learning changes it
    learner = Maxforce(**{"method": "max-violation", "epochs": 1, **TINY, **options})
    learner.fit(model, lexical, Bitext.from_lines(sources, targets), dev, folder=folder)
    state = json.loads((folder / STATE_FILE).read_text())["state"]
    names = model.decoder_names
    assert state[0][len(names)] == 1.0  # lexical features together
    return {
        name: after - model.weights[name]
        for name, after in zip(names, state[0], strict=False)
        if after != pytest.approx(model.weights[name])
    }


def test_which_dense_weights_move_along(task, tmp_path):
    penalties = {"word_penalty", "phrase_penalty"}
    assert dense_steps(task, tmp_path / "none", dense="none") == {}
    assert dense_steps(task, tmp_path / "default").keys() & penalties
    assert dense_steps(task, tmp_path / "default").keys() <= penalties
    assert {"lm", "tm.p_e_given_f"} <= dense_steps(task, tmp_path / "all", dense="all").keys()


def test_the_rate_of_dense_weights_is_a_part_of_the_rate(task, tmp_path):
    once = {"batch": 100, "dense": "all"}
    half = dense_steps(task, tmp_path / "half", dense_rate=0.5, **once)
    whole = dense_steps(task, tmp_path / "whole", dense_rate=1.0, **once)
    assert {name: 2 * step for name, step in half.items()} == pytest.approx(whole)
    summed = dense_steps(task, tmp_path / "sum", combine="sum", **once)
    assert summed == pytest.approx({name: 6 * step for name, step in whole.items()})
    other = dense_steps(task, tmp_path / "rate", **{**once, "rate": 0.6})
    assert other == pytest.approx({name: 2 * step for name, step in whole.items()})


def test_what_a_pair_alone_has_taught_is_left_out(tmp_path):
    """`a b` → `x y` was seen twice, `c` → `z` only in the last pair, which needs it."""
    sources, targets = ["a b", "a b", "a b c"], ["x y", "x y", "x y z"]
    links = Links.from_lists([[(0, 0), (1, 1)]] * 2 + [[(0, 0), (1, 1), (2, 2)]])
    model = extracted_model(tmp_path / "m", sources, targets, links)
    lexical = lexical_model(np.random.default_rng(1))
    pairs = {}
    for leave_out in ("own", "none"):
        options = {**TINY, "leave_out": leave_out}
        learner = Maxforce(method="max-violation", epochs=1, **options)
        result = learner.fit(
            model, lexical, Bitext.from_lines(sources, targets), (sources, [targets]), links=links
        )
        pairs[leave_out] = result.epochs[0].pairs
    assert pairs == {"own": 2, "none": 3}


def test_long_pairs_are_not_learned_from(task, tmp_path):
    model, lexical, sources, targets, dev = task
    lengths = [len(source.split()) for source in sources]
    for method in ("expected", "max-violation"):
        learner = Maxforce(method=method, epochs=1, max_words=3, **TINY)
        result = learner.fit(model, lexical, Bitext.from_lines([*sources, ""], [*targets, ""]), dev)
        assert result.epochs[0].pairs == sum(1 for length in lengths if length <= 3)


def test_what_is_learned_from_is_told(task, tmp_path, caplog):
    caplog.set_level("INFO", "tunesmith")
    model, lexical, sources, targets, dev = task
    short = sum(1 for source in sources if len(source.split()) <= 3)
    for method in ("max-violation", "expected"):
        learner = Maxforce(method=method, epochs=1, max_words=3, **TINY)
        result = learner.fit(
            model, lexical, Bitext.from_lines([*sources, "a", ""], [*targets, "no such", ""]), dev
        )
        assert f"dev {result.start_score:.2f} before the first update" in caplog.messages
    assert caplog.messages[0] == (
        f"{short} of 8 pairs can be made, {short} with prefixes, {short} examples; given up: "
        f"{6 - short} too long, 0 too large"
    )
    told = f"learning from {short + 1} of 8 pairs, the others are empty or too long"
    assert told in caplog.messages
    caplog.clear()
    with pytest.raises(OptionError, match="no sentence pair can be made"):
        Maxforce(method="max-violation", max_nodes=1, **TINY).fit(
            model, lexical, Bitext.from_lines(sources, targets), dev
        )
    assert caplog.messages == [
        "0 of 6 pairs can be made, 0 with prefixes, 0 examples; given up: 0 too long, 6 too large"
    ]


def test_nothing_to_learn_from(task):
    model, lexical, _, _, dev = task
    with pytest.raises(OptionError, match="no sentence pair can be made by the model"):
        Maxforce(method="max-violation", **TINY).fit(
            model, lexical, Bitext.from_lines(["a b"], ["no such"]), dev
        )
    with pytest.raises(OptionError, match="models of 0 folds, expected 2"):
        Maxforce(**{**TINY, "folds": 2}).fit(model, lexical, Bitext.from_lines(["a"], ["w"]), dev)
    with pytest.raises(OptionError, match="is from-zero and dense is penalties, expected all"):
        Maxforce(dense_weights="from-zero").fit(
            model, lexical, Bitext.from_lines(["a"], ["w"]), dev
        )
    with pytest.raises(OptionError, match="folds is 1, expected 0 or at least 2"):
        Maxforce(folds=1).fit(model, lexical, Bitext.from_lines(["a"], ["w"]), dev)


def test_counts_of_an_epoch(task, tmp_path):
    result, _ = judged(task, tmp_path, [1, 2], patience=0)
    for epoch in result.epochs:
        assert epoch.pairs == 6
        assert 0 < epoch.updates <= epoch.pairs
        assert sum(epoch.bins) == epoch.updates
        assert len(epoch.bins) == 10
        assert epoch.too_far == 0
        assert epoch.violation > 0
        assert epoch.seconds > 0
    assert result.epochs[1].features >= result.epochs[0].features > 0
    near, _ = judged(task, tmp_path, [1], patience=0, max_violation=1e-6)
    assert near.epochs[0].too_far > 0
    assert near.epochs[0].updates == 0
