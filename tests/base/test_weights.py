import pytest

from tunesmith.base.errors import DegenerateError
from tunesmith.base.weights import Weights


def test_vector_and_back():
    weights = Weights({"a": 1.0, "b": -2.0})
    assert weights.vector(["b", "x", "a"]).tolist() == [-2.0, 0.0, 1.0]
    assert Weights.from_vector(["a", "b"], [1.0, -2.0]) == weights


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_only_finite_weights(bad):
    with pytest.raises(DegenerateError, match="weight of feature 'lm' is"):
        Weights({"lm": bad})


def test_weights_that_would_overflow_are_refused():
    assert Weights({"lm": -1e20})["lm"] == -1e20
    with pytest.raises(DegenerateError) as caught:
        Weights({"lm": 1.0, "tm": -1e308})
    assert str(caught.value) == (
        "weight of feature 'tm' is -1e+308, expected at most 1e+20; "
        "divide all weights by the same number"
    )


def test_zero_weights_have_no_direction():
    with pytest.raises(DegenerateError, match="all weights are zero"):
        Weights({"lm": 0.0}).normalised()
