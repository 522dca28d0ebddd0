"""Where a pair is updated, by the definitions of the paper."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith import _core

NOBODY = math.nan
SCORES = st.sampled_from([NOBODY, -2.0, -1.0, 0.0, 1.0])
BINS = st.lists(st.tuples(SCORES, SCORES, st.booleans()), min_size=1, max_size=9)


def bin_of(method, bins, phrase_limit=7, margin=0.0):
    """The rule's bin; bins are those behind the start, (good, bad, survives)."""
    good, bad, survives = zip((0.0, NOBODY, True), *bins, strict=True)
    native = getattr(_core.UpdateMethod, method)
    return _core.update_bin(native, good, bad, survives, phrase_limit, margin)


def violations(bins, margin):
    """{bin: violation} where the good derivation is not ahead."""
    found = {i: bad - good for i, (good, bad, _) in enumerate(bins, 1)}
    return {i: violation for i, violation in found.items() if violation >= -margin}


@given(BINS, st.sampled_from([0.0, 1.5]))
def test_max_violation_is_the_largest(bins, margin):
    found = violations(bins, margin)
    assert bin_of("MAX_VIOLATION", bins, margin=margin) == max(
        found, key=lambda i: (found[i], i), default=0
    )


@given(BINS, st.integers(1, 4), st.sampled_from([0.0, 1.5]))
def test_early_is_the_first_where_no_good_derivation_can_come_back(bins, limit, margin):
    lost = [i for i, (_, _, survives) in enumerate(bins, 1) if not survives]
    expected = 0
    for first in lost:
        run = [i for i in range(first, min(first + limit, len(bins) + 1)) if i in lost]
        if run == list(range(first, first + limit)) or run == list(range(first, len(bins) + 1)):
            expected = next((i for i in run if i in violations(bins, margin)), 0)
            break
    assert bin_of("EARLY", bins, limit, margin) == expected


def test_an_early_update_is_not_invalid():
    """Two bins in a row without a good derivation, which is ahead in the first all the same."""
    assert bin_of("EARLY", [(0.0, -1.0, True), (-1.0, -2.0, False), (-3.0, -2.0, False)], 2) == 3
    assert bin_of("EARLY", [(0.0, -1.0, True), (-1.0, -2.0, False), (-1.0, -2.0, False)], 2) == 0


@pytest.mark.parametrize(
    ("last", "expected"), [((1.0, 0.0, False), 2), ((0.0, 1.0, False), 2), ((0.0, 1.0, True), 0)]
)
def test_standard_is_at_the_end_valid_or_not(last, expected):
    assert bin_of("STANDARD", [(0.0, 5.0, False), last]) == expected
