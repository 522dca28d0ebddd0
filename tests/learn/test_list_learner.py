"""Learning from the lists of any decoder: of a toy that is no search, and of the phrase decoder."""

import os
import tempfile
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import slow_ranking
from reference.tiny_grammars import SOURCE as RULE_WORDS
from reference.tiny_grammars import hiero_model, random_rule
from reference.tiny_learners import lexical_model, some_pairs
from reference.tiny_models import random_model
from reference.toy_decoder import DENSE, DICTIONARY, ToyDecoder
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.cli.main import main
from tunesmith.corpus import Bitext
from tunesmith.decode import KBest, SearchOptions, open_decoder
from tunesmith.features import LexicalFeatures, SideClasses
from tunesmith.learn import Maxforce
from tunesmith.learn.list_learner import ListLearner
from tunesmith.learn.update_rules import expected, local
from tunesmith.metrics import Bleu

START = Weights({"words": 0.5, "first": 0.5})
# What is right: the last translation of every word.
SOURCES = ["a b c", "c a d", "b b a c", "d c", "a a b d", "c d b a"]
TARGETS = [" ".join(DICTIONARY[word][-1] for word in line.split()) for line in SOURCES]
PAIRS = Bitext.from_lines(SOURCES, TARGETS)
DEV = (SOURCES[:3], [TARGETS[:3]])
TOY = {"folds": 0, "batch": 2, "rate": 0.3, "epochs": 4, "patience": 0}


def fitted(decoder=None, **options):
    return Maxforce(**{**TOY, **options}).fit_decoder(decoder or ToyDecoder(), PAIRS, DEV, START)


@pytest.mark.parametrize("method", ["expected", "local", "ranking"])
def test_it_learns_with_a_decoder_that_is_no_phrase_decoder(method):
    result = fitted(method=method)
    assert result.start_score < 50
    assert result.dev_score > result.start_score + 20
    assert result.dev_score == max(epoch.dev_score for epoch in result.epochs)
    # Dense weights stay as they were tuned, sparse ones are learned.
    assert {name: result.weights[name] for name in DENSE} == START
    assert result.weights["pair:a_z"] > result.weights["pair:a_x"]
    assert [epoch.pairs for epoch in result.epochs] == [6] * 4
    best = ToyDecoder().decode(DEV[0], result.weights).best()
    assert Bleu(tokenize="none").corpus_score(best, DEV[1]) == pytest.approx(result.dev_score)


def test_ranking_of_lists_is_that_of_the_slow_twin():
    """One pass over one sentence: the twin moves the same weights by the same steps."""
    options = {"method": "ranking", "epochs": 1, "batch": 1, "average": False, "dense": "all"}
    one = Bitext.from_lines(SOURCES[:1], TARGETS[:1])
    decoder = ToyDecoder()
    learner = ListLearner(
        Maxforce(**{**TOY, **options}, dense_weights="learned"), [decoder], one, START
    )
    output = decoder.decode(SOURCES[:1], START, KBest(50))
    (offsets, ids, values), names = output.used_sparse()
    features = np.zeros((len(output.texts), len(names)))
    features[np.repeat(np.arange(len(features)), np.diff(offsets)), ids] = values
    features = np.hstack([output.features, features])
    metric = Bleu(tokenize="none", smoothing="none")
    stats = metric.stats(output.texts, output.rows(), metric.prepare([TARGETS[:1]]))
    start = START.vector([*output.names, *names])
    weights, _, pairs, mended = slow_ranking.ranked(
        features, metric.sentence_gains(stats, "interpolated"), start,
        np.full(len(start), learner.rate), 0.1, 0.0,
    )  # fmt: skip
    [report] = learner.one_pass(1)
    assert report.violations.tolist() == [mended / pairs]
    found = learner.learned().weights
    np.testing.assert_allclose(found.vector([*output.names, *names]), weights, atol=1e-12)


def test_features_need_not_be_known_before():
    known, unknown = fitted(), fitted(ToyDecoder(knows=False))
    assert known.epochs[-1].dev_score == unknown.epochs[-1].dev_score
    assert dict(unknown.weights) == pytest.approx(
        {name: known.weights[name] for name in unknown.weights}
    )
    assert len(unknown.weights) > len(START)


def test_dense_weights_are_kept_if_they_are_learned():
    result = fitted(dense="all", dense_weights="learned")
    assert all(result.weights[name] != START[name] for name in DENSE)
    from_zero = fitted(dense="all", dense_weights="from-zero", epochs=1)
    assert 0 < abs(from_zero.weights["first"]) != abs(result.weights["first"])
    assert fitted(dense="none", dense_weights="learned").weights["words"] == START["words"]


@pytest.mark.parametrize("combine", ["average", "sum"])
@pytest.mark.parametrize("average", [True, False])
def test_a_step_and_an_average_of_steps(average, combine):
    """By hand: Σ c_k Φ_k of the whole lists, twice, over one batch of two sentences."""
    options = Maxforce(
        **TOY, average=average, combine=combine, background=0.0, sharpness=2.0, list_size=1000,
        dense="all", dense_rate=0.5, dense_weights="learned",
    )  # fmt: skip
    decoder = ToyDecoder()
    learner = ListLearner(options, [decoder], PAIRS, START)
    names = decoder.all_names
    weights, after = np.array([START.get(name, 0.0) for name in names]), []
    batch = np.array([[0, 0, 0], [3, 0, 0]], np.uint32)
    for _ in range(2):
        change = np.zeros(len(names))
        for pair in (0, 3):
            output = decoder.decode([SOURCES[pair]], weights, KBest(1000))
            matrix = np.zeros((len(output.texts), len(names)))
            matrix[:, : len(DENSE)] = output.features
            (offsets, ids, values), used = output.used_sparse()
            for row, (begin, end) in enumerate(pairwise(offsets)):
                for i, value in zip(ids[begin:end], values[begin:end], strict=True):
                    matrix[row, names.index(used[i])] = value
            metric = Bleu(tokenize="none")
            stats = metric.stats(
                output.texts, np.zeros(len(output.texts)), metric.prepare([[TARGETS[pair]]])
            )
            gains = metric.sentence_gains(stats, "add-1")
            shares = np.exp(2.0 / sum(START.values()) * (matrix @ weights))
            shares /= shares.sum()
            change += (shares * (gains - shares @ gains)) @ matrix
        change[: len(DENSE)] *= 0.5
        weights = weights + 0.3 * sum(START.values()) * change / (2 if combine == "average" else 1)
        after.append(weights)
        learner.step(batch)
    wanted = np.mean(after, axis=0) if average else weights
    found = learner.learned().weights
    np.testing.assert_allclose([found.get(name, 0.0) for name in names], wanted, rtol=1e-6)


@pytest.mark.parametrize("method", ["expected", "local"])
@given(seed=st.integers(0, 100_000))
@settings(max_examples=10, deadline=None)
def test_the_core_learns_the_same_from_its_own_lists(method, seed, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    sources, targets = zip(*some_pairs(model, chance), strict=True)
    pairs = Bitext.from_lines(sources, targets)
    options = Maxforce(
        method=method, folds=0, leave_out="none", min_prefix=0, batch=2, epochs=1, beam=40,
        rate=0.05, dense="all", dense_weights="learned", engine=1,
    )  # fmt: skip
    dev = (sources[:2], [targets[:2]])
    no_features = LexicalFeatures(rule_ids=False, edges=False)
    inside = options.fit(model, no_features.build(SideClasses(), SideClasses()), pairs, dev)
    search = SearchOptions.of_model(model)
    decoder = open_decoder(
        model, search=SearchOptions(distortion_limit=search.distortion_limit, pop_limit=40,
                                    stack_size=40, time_limit=0.0), engine=1,
    )  # fmt: skip
    start = Weights({name: model.weights.get(name, 0.0) for name in model.feature_names})
    lists = options.fit_decoder(decoder, pairs, dev, start)
    assert lists.epochs[0].updates == inside.epochs[0].updates
    assert lists.epochs[0].reached == inside.epochs[0].reached
    assert lists.epochs[0].violation == pytest.approx(inside.epochs[0].violation, abs=1e-4)
    for name in model.feature_names:
        assert lists.weights[name] == pytest.approx(inside.weights[name], rel=1e-3, abs=1e-4)


@pytest.fixture
def hierarchical(tmp_path):
    """A model of random rules, and pairs whose targets are what other weights would say."""
    chance = np.random.default_rng(11)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(40)]
    model = hiero_model(tmp_path / "model", rules, chance, search={"pop_limit": 30})
    sources = [" ".join(chance.choice(list(RULE_WORDS), 6)) for _ in range(8)]
    other = Weights({name: float(chance.normal()) for name in model.feature_names})
    return model, sources, list(open_decoder(model).decode(sources, other).best())


@pytest.mark.parametrize("method", ["expected", "local"])
def test_it_learns_with_the_chart_decoder(hierarchical, method):
    model, sources, targets = hierarchical
    options = Maxforce(
        method=method, folds=0, batch=2, epochs=6, rate=0.5, patience=0, dense="all",
        dense_weights="learned",
    )  # fmt: skip
    result = options.fit_decoder(
        open_decoder(model), Bitext.from_lines(sources, targets), (sources, [targets]),
        model.weights,
    )  # fmt: skip
    assert result.dev_score > result.start_score + 5
    assert result.epochs[-1].reached >= result.epochs[0].reached
    if method == "expected":
        assert result.epochs[-1].violation < result.epochs[0].violation


def test_inside_the_search_only_phrase_models_are_learned(hierarchical, tmp_path, capsys):
    model, sources, targets = hierarchical
    message = f"{model.folder} is a hiero model, expected a phrase model: forced decoding, lexical"
    with pytest.raises(OptionError) as caught:
        Maxforce(folds=0).fit(
            model, LexicalFeatures().build(SideClasses(), SideClasses()),
            Bitext.from_lines(sources, targets), (sources, [targets]),
        )  # fmt: skip
    assert str(caught.value).startswith(message)
    for name, lines in (("s", sources), ("t", targets)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    text = [f"{tmp_path}/s", f"{tmp_path}/t"]
    options = (
        ("--dev-src", "--dev-ref"),
        ("--test-src", "--test-ref"),
        ("--train-src", "--train-tgt"),
    )
    given = [word for names in options for pair in zip(names, text, strict=True) for word in pair]
    out = tmp_path / "out"
    assert main(["compare", str(model.folder), *given, "--tuners", "maxforce",
                 "--out", str(out)]) == 2  # fmt: skip
    assert message in capsys.readouterr().err
    assert not out.exists()


class KilledError(Exception):
    pass


@pytest.mark.parametrize("knows", [True, False])
def test_killed_it_goes_on_with_the_same_weights(tmp_path, knows):
    learner = Maxforce(**TOY)
    whole = learner.fit_decoder(ToyDecoder(knows), PAIRS, DEV, START)

    def kill(epoch):
        if epoch.number == 2:
            raise KilledError

    with pytest.raises(KilledError):
        learner.fit_decoder(
            ToyDecoder(knows), PAIRS, DEV, START, folder=tmp_path / "s", report=kill
        )
    told = []
    again = learner.fit_decoder(
        ToyDecoder(knows), PAIRS, DEV, START, folder=tmp_path / "s", report=told.append
    )
    assert [epoch.number for epoch in told] == [1, 2, 3, 4]
    assert dict(again.weights) == dict(whole.weights)
    assert again.dev_score == whole.dev_score
    with pytest.raises(OptionError, match=r"other settings \(inputs differ\)"):
        learner.fit_decoder(
            ToyDecoder(knows), PAIRS, DEV, START, folder=tmp_path / "s", identity="other"
        )


def test_every_part_is_decoded_by_its_own_decoder():
    decoder, folds = ToyDecoder(), [ToyDecoder(), ToyDecoder()]
    Maxforce(**{**TOY, "folds": 2, "epochs": 1}).fit_decoder(
        decoder, PAIRS, DEV, START, folds=folds
    )
    assert sorted(folds[0].seen) == sorted(SOURCES[:3])
    assert sorted(folds[1].seen) == sorted(SOURCES[3:])
    assert set(decoder.seen) == set(DEV[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"method": "max-violation"},
            "max-violation looks into the stacks of phrase-based search, and the lists of a "
            "decoder have none; expected expected, local, ranking",
        ),
        ({"method": "early"}, "early looks into the stacks"),
        ({"method": "standard"}, "standard looks into the stacks"),
        ({"step": "passive-aggressive"}, "step is passive-aggressive, expected perceptron"),
        ({"folds": 2}, "models of 0 folds, expected 2"),
    ],
)
def test_refused(options, message):
    with pytest.raises(OptionError) as caught:
        fitted(**options)
    assert str(caught.value).startswith(message)


def test_weights_of_unknown_features_and_empty_texts_are_refused():
    with pytest.raises(OptionError, match="weight for 'no', which is no feature of the decoder"):
        Maxforce(**TOY).fit_decoder(ToyDecoder(), PAIRS, DEV, Weights({"no": 1.0}))
    with pytest.raises(OptionError, match="nothing to learn from"):
        Maxforce(**TOY).fit_decoder(ToyDecoder(), Bitext.from_lines([""], ["x"]), DEV, START)


def test_what_is_given_stays_as_it_is_and_nothing_is_left(tmp_path, monkeypatch):
    model, _, chance = random_model(3, tmp_path / "m")
    sources, targets = zip(*some_pairs(model, chance), strict=True)
    lexical = lexical_model(chance)
    (tmp_path / "t").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "t"))
    options = Maxforce(
        method="max-violation", folds=0, leave_out="none", min_prefix=0, epochs=1, rate=0.3
    )
    result = options.fit(model, lexical, Bitext.from_lines(sources, targets), (sources, [targets]))
    assert len(result.lexical) > 0
    assert len(lexical) == 0
    assert os.listdir(tmp_path / "t") == []
    # Learned further, what was learned first stays too.
    before = result.lexical.entries()
    options.fit(model, result.lexical, Bitext.from_lines(sources, targets), (sources, [targets]))
    for one, other in zip(before, result.lexical.entries(), strict=True):
        np.testing.assert_array_equal(one, other)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(0, 1000))
def test_the_rules_are_their_equations(sizes, seed):
    chance = np.random.default_rng(seed)
    offsets = np.cumsum([0, *sizes])
    scores, gains = chance.normal(size=(2, offsets[-1]))
    gains = gains.round(1)  # some are equal
    for begin, end in pairwise(offsets):
        scores[begin:end] = -np.sort(-scores[begin:end])
    up, towards = expected(scores, gains, offsets), local(scores, gains, offsets)

    def mean(values, begin, end):
        shares = np.exp(values[begin:end])
        return float(shares @ gains[begin:end] / shares.sum())

    for s, (begin, end) in enumerate(pairwise(offsets)):
        for k in range(begin, end):
            step = 1e-6 * np.eye(len(scores))[k]
            slope = (mean(scores + step, begin, end) - mean(scores - step, begin, end)) / 2e-6
            assert up.coefficients[k] == pytest.approx(slope, abs=1e-6)
        own = gains[begin:end]
        assert up.violations[s] == pytest.approx(own.max() - mean(scores, begin, end))
        assert up.updated[s] == (own.min() < own.max())
        best = begin + own.tolist().index(own.max())
        wanted = np.zeros(end - begin)
        if best != begin:
            wanted[best - begin], wanted[0] = 1.0, -1.0
        assert towards.coefficients[begin:end].tolist() == wanted.tolist()
        assert towards.violations[s] == scores[begin] - scores[best]
        assert towards.updated[s] == (best != begin)
