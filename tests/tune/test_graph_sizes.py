"""Sizes of features and gains, kept over the iterations of a loop on graphs."""

import pytest

from tunesmith.tune.graph_base import Sizes


def test_sizes_are_means_over_all_iterations():
    """A feature that an iteration does not have varied by 0 in it."""
    sizes = Sizes({"a": 1.0}, 4.0)
    for other in (Sizes({"a": 3.0, "b": 6.0}, 8.0), Sizes({"a": 5.0}, 0.0)):
        sizes = sizes.and_then(other)
    assert sizes.squares == pytest.approx({"a": 3.0, "b": 2.0})
    assert sizes.gain_square == pytest.approx(4.0)
    assert sizes.iterations == 3
