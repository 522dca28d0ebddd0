"""The settings of this room with their defaults and limits, as they were last time.

After a change that is meant, write the file anew: ``python tests/evaluate/test_settings.py``.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from reference.golden import differs, renew, settings
from tunesmith.evaluate.tuner_comparison import TunerComparison

GOLDEN = Path(__file__).parent / "settings.json"
CASES = {kind.__name__: lambda kind=kind: settings(kind) for kind in (TunerComparison,)}


@pytest.mark.parametrize("kind", CASES)
def test_as_they_were(kind):
    assert not differs(GOLDEN, CASES, kind)


if __name__ == "__main__":
    renew(GOLDEN, CASES)
