"""Dual and primal training against scikit-learn, each other, and what they promise."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.special import logsumexp
from sklearn.linear_model import LogisticRegression

from tunesmith.base.errors import InputError, OptionError
from tunesmith.reorder import DualTraining, OrientationExamples, PrimalTraining

NAMES = ("monotone", "swap", "left", "right")


def random_examples(size=300, features=40, classes=3, seed=0):
    """Classes that depend on the features, with noise; every class occurs."""
    random = np.random.default_rng(seed)
    truth = random.normal(size=(features, classes))
    rows, found = [], []
    for number in range(size):
        row = sorted(random.choice(features, size=random.integers(0, 8), replace=False).tolist())
        scores = truth[row].sum(axis=0) + random.gumbel(size=classes)
        rows.append(row)
        found.append(number if number < classes else int(scores.argmax()))
    return OrientationExamples.from_lists(rows, found, features, NAMES[:classes])


def matrix(examples):
    size = (len(examples), examples.feature_count)
    return csr_matrix((np.ones(len(examples.features)), examples.features, examples.offsets), size)


def objective(examples, weights, variance):
    """Eq. 6, as it is written."""
    scores = matrix(examples) @ weights
    right = scores[np.arange(len(examples)), examples.classes]
    return (weights**2).sum() / (2 * variance) + (logsumexp(scores, axis=1) - right).sum()


def scikit_weights(examples, variance):
    fitted = LogisticRegression(C=variance, fit_intercept=False, tol=1e-10, max_iter=10000)
    weights = fitted.fit(matrix(examples), examples.classes).coef_.T
    if weights.shape[1] == 1:  # of two classes it has the difference only
        weights = np.hstack([-weights / 2, weights / 2])
    return weights


def exact(**options):
    return DualTraining(tolerance=1e-5, rechecks=1000, passes=3000, trials=30, **options)


@pytest.mark.parametrize(("classes", "variance"), [(3, 1.0), (3, 0.1), (4, 10.0)])
def test_dual_optimum_is_that_of_scikit_learn(classes, variance):
    examples = random_examples(classes=classes)
    result = exact(variance=variance).fit(examples)
    expected = scikit_weights(examples, variance)
    assert result.converged
    assert np.abs(result.weights - expected).max() < 1e-3 * np.abs(expected).max()
    best = objective(examples, expected, variance)
    assert objective(examples, result.weights, variance) == pytest.approx(best, rel=1e-6)
    assert 0 <= result.last.gap < 1e-4


@pytest.mark.parametrize("averaged", [False, True])
@pytest.mark.parametrize(("classes", "variance"), [(3, 1.0), (3, 0.1), (4, 10.0)])
def test_primal_optimum_is_that_of_scikit_learn(classes, variance, averaged):
    examples = random_examples(classes=classes)
    training = PrimalTraining(variance=variance, passes=20_000, averaged=averaged, engine=1)
    result = training.fit(examples)
    expected = scikit_weights(examples, variance)
    assert np.abs(result.weights - expected).max() < 1e-3 * np.abs(expected).max()
    best = objective(examples, expected, variance)
    assert objective(examples, result.weights, variance) == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("variance", [0.1, 1.0])
def test_first_steps_change_the_way_not_the_end(variance):
    examples = random_examples()
    paper, ours = (exact(variance=variance, rate=rate).fit(examples) for rate in (0.5, 0.0))
    assert ours.passes != paper.passes
    assert np.allclose(ours.weights, paper.weights, atol=1e-4)


def test_our_first_steps_need_fewer_visits_than_those_of_the_paper():
    examples = random_examples(size=2000)
    paper, ours = (
        sum(row.visited for row in DualTraining(variance=0.1, rate=rate).fit(examples).passes)
        for rate in (0.5, 0.0)
    )
    assert ours < 0.8 * paper


def test_two_classes_are_a_multinomial_too():
    examples = random_examples(classes=2)
    # scikit-learn regularises the difference d of two rows ±d/2: ‖d‖² = 2 (‖d/2‖² + ‖−d/2‖²).
    expected = scikit_weights(examples, 2.0)
    assert np.allclose(exact(variance=1.0).fit(examples).weights, expected, atol=1e-3)


def test_primal_comes_to_the_same_optimum():
    examples = random_examples()
    best = exact().fit(examples).last.primal
    for averaged in (False, True):
        result = PrimalTraining(passes=400, averaged=averaged).fit(examples)
        assert result.last.primal == pytest.approx(best, rel=1e-4)
        assert not result.converged
    short = PrimalTraining(passes=20, averaged=True).fit(examples)
    assert short.last.primal == pytest.approx(best, rel=1e-2)


@pytest.mark.parametrize("trainer", [DualTraining(every_objective=True), PrimalTraining()])
def test_reported_objectives_are_those_of_the_equations(trainer):
    examples = random_examples()
    result = trainer.fit(examples)
    assert result.last.primal == pytest.approx(objective(examples, result.weights, 1.0))
    scores = matrix(examples) @ result.weights
    wrong = int((scores.argmax(axis=1) != examples.classes).sum())
    ties = int((np.diff(matrix(examples).indptr) == 0).sum())
    assert wrong <= result.last.errors <= wrong + ties
    assert examples.error_rate(result.weights) == result.last.errors / len(examples)


def test_the_dual_never_rises_and_the_gap_closes():
    result = exact(every_objective=True).fit(random_examples(seed=1))
    duals = [row.dual for row in result.passes]
    assert all(after <= before + 1e-9 for before, after in pairwise(duals))
    assert all(row.gap > -1e-6 for row in result.passes)
    assert result.passes[0].gap > 1 > 1e-4 > result.last.gap


def test_shrinking_leaves_fewer_examples_with_every_pass():
    examples = random_examples(size=2000)
    active = [row.active for row in DualTraining().fit(examples).passes]
    assert active == sorted(active, reverse=True)
    assert active[-1] == 0
    loose = DualTraining(tolerance=1.0).fit(examples)
    assert len(loose.passes) < len(active)


def test_rechecks_find_what_was_dropped_too_early():
    examples = random_examples(size=2000)
    paper = DualTraining(tolerance=0.05).fit(examples)
    again = DualTraining(tolerance=0.05, rechecks=100).fit(examples)
    assert len(again.passes) > len(paper.passes)
    assert again.passes[: len(paper.passes) - 1] == paper.passes[:-1]
    assert again.last.gap < paper.last.gap / 2
    assert (again.last.changed, again.last.active) == (0, 0)


@pytest.mark.parametrize("parts", [2, 7])
def test_parts_have_the_same_fixed_point(parts):
    examples = random_examples(size=200)
    one = exact().fit(examples)
    several = exact(parts=parts).fit(examples)
    assert several.converged
    assert several.last.gap < 1e-4
    assert np.allclose(several.weights, one.weights, atol=1e-4)
    assert several.passes != one.passes


@pytest.mark.parametrize("kind", [DualTraining, PrimalTraining])
def test_threads_change_nothing(kind):
    examples = random_examples(size=5000)
    parts = {"parts": 3} if kind is DualTraining else {}
    one, three = (kind(passes=6, engine=threads, **parts).fit(examples) for threads in (1, 3))
    assert one.weights.tobytes() == three.weights.tobytes()
    assert one.passes == three.passes


def test_seeds_change_the_way_not_the_end():
    examples = random_examples()
    one, two = (exact(seed=seed).fit(examples) for seed in (1, 2))
    assert one.passes != two.passes
    assert np.allclose(one.weights, two.weights, atol=1e-4)


@pytest.mark.parametrize(
    "options",
    [
        (DualTraining, {"rechecks": 3, "tolerance": 0.01, "parts": 2}),
        (PrimalTraining, {}),
        (PrimalTraining, {"averaged": True}),
    ],
)
def test_stopped_and_gone_on_is_as_never_stopped(tmp_path, options):
    kind, keywords = options
    examples = random_examples(size=600)
    whole = kind(passes=12, **keywords).fit(examples)
    for passes in (1, 5, 6, 12):
        found = kind(passes=passes, **keywords).fit(examples, checkpoint=tmp_path / "state")
        assert len(found.passes) == passes
    assert found.weights.tobytes() == whole.weights.tobytes()
    assert [row.active for row in found.passes] == [row.active for row in whole.passes]
    again = kind(passes=12, **keywords).fit(examples, checkpoint=tmp_path / "state")
    assert again.weights.tobytes() == whole.weights.tobytes()


def test_a_checkpoint_of_other_settings_or_examples_is_refused(tmp_path):
    state = tmp_path / "state"
    examples = random_examples()
    DualTraining(passes=2).fit(examples, checkpoint=state)
    with pytest.raises(OptionError, match=r"other settings \(variance differ\).*delete the file"):
        DualTraining(variance=2.0).fit(examples, checkpoint=state)
    with pytest.raises(OptionError, match=r"\(examples differ\)"):
        DualTraining().fit(random_examples(seed=3), checkpoint=state)


def test_a_cut_checkpoint_is_refused_by_name(tmp_path):
    state = tmp_path / "state"
    DualTraining(passes=2).fit(random_examples(), checkpoint=state)
    whole = state.read_bytes()
    for size in (0, 10, len(whole) // 2, len(whole) - 1):
        state.write_bytes(whole[:size])
        with pytest.raises(InputError, match=re.escape(str(state))):
            DualTraining().fit(random_examples(), checkpoint=state)


def test_a_class_without_examples_is_refused():
    examples = OrientationExamples.from_lists([[0], [1]], [0, 2], 2, NAMES[:3])
    with pytest.raises(OptionError, match="no example of class swap among 2"):
        DualTraining().fit(examples)


@pytest.mark.parametrize(
    ("rows", "classes", "names", "message"),
    [
        ([[0], [5]], [0, 1], 2, "feature 5, expected one below 5"),
        ([[0], [1]], [0, 4], 3, "class 4, expected one below 3"),
        ([[0]], [0, 1], 2, "offsets of examples that do not fit"),
        ([], [], 2, "no examples"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(rows, classes, names, message):
    with pytest.raises(OptionError, match=message):
        _ = OrientationExamples.from_lists(rows, classes, 5, NAMES[:names]).native


@pytest.mark.parametrize(
    "options", [{"variance": 0.0}, {"tolerance": 0.0}, {"passes": 0}, {"start_share": 1.0}]
)
def test_options_outside_their_limits_are_refused(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        DualTraining(**options).fit(random_examples())


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_examples_end_at_a_gap_of_nothing(data):
    features = data.draw(st.integers(1, 5))
    row = st.sets(st.integers(0, features - 1)).map(sorted)
    rows = data.draw(st.lists(row, min_size=3, max_size=12))
    classes = [0, 1, 2, *data.draw(st.lists(st.integers(0, 2), min_size=9, max_size=9))]
    examples = OrientationExamples.from_lists(rows, classes[: len(rows)], features, NAMES[:3])
    variance = data.draw(st.sampled_from([0.01, 1.0, 100.0]))
    result = exact(variance=variance, parts=data.draw(st.integers(1, 3))).fit(examples)
    assert abs(result.last.gap) < 1e-4
