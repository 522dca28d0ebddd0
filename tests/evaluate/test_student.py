"""Student's distribution against scipy's."""

import pytest
from scipy import stats

from tunesmith.evaluate.student import two_sided_quantile, two_sided_tail

DEGREES = (1, 2, 3, 4, 5, 8, 9, 99, 100, 1999)


@pytest.mark.parametrize("degrees", DEGREES)
def test_equals_scipys(degrees):
    for t in (0.0, 0.1, 1.0, 2.5, 10.0):
        assert two_sided_tail(t, degrees) == pytest.approx(2 * stats.t.sf(t, degrees), abs=1e-13)
    for alpha in (1.0, 0.5, 0.05, 1e-3, 1e-6):
        expected = stats.t.isf(alpha / 2, degrees)
        assert two_sided_quantile(alpha, degrees) == pytest.approx(expected, rel=1e-7, abs=1e-12)
