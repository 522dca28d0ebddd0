"""Of the models of all folds only the one that is searched with is in memory."""

from pathlib import Path

import pytest

from reference.tiny_learners import lexical_model, some_pairs
from reference.tiny_models import random_model
from tunesmith.corpus import Bitext
from tunesmith.learn import Maxforce, updates

FOLDS = 4
MAPS = Path("/proc/self/smaps")


def resident(folders):
    """Kilobytes of each folder's files that are mapped into this process and in memory."""
    found, here = dict.fromkeys(folders, 0), None
    for line in MAPS.read_text().splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            here = Path(rest[-1]).parent if rest else None
        elif first == "Rss:" and here in found:
            found[here] += int(rest[0])
    return found


@pytest.mark.skipif(not MAPS.exists(), reason="needs /proc/self/smaps, which Linux has")
@pytest.mark.parametrize("method", ["expected", "max-violation"])
@pytest.mark.parametrize("room", [True, False])
def test_one_fold_at_a_time_where_all_are_too_large(tmp_path, monkeypatch, method, room):
    if not room:
        monkeypatch.setattr(updates, "FOLD_BYTES", 0)
        monkeypatch.setattr(updates, "MEMORY_SHARE", 0.0)
    model, _, chance = random_model(7, tmp_path / "m")
    folds = [random_model(7, tmp_path / str(number))[0] for number in range(FOLDS)]
    sources, targets = zip(*some_pairs(model, chance, 16), strict=True)
    seen = []

    def judge(lexical, weights):
        seen.append(resident([fold.folder for fold in folds]))
        return 1.0, weights

    Maxforce(method=method, epochs=3, patience=0, folds=FOLDS, min_prefix=0, batch=2, engine=1).fit(
        model, lexical_model(chance), Bitext.from_lines(sources, targets), (sources, [targets]),
        folds=folds, judge=judge,
    )  # fmt: skip
    assert len(seen) == 3
    for kilobytes in seen:
        assert sum(size > 0 for size in kilobytes.values()) == (FOLDS if room else 1), kilobytes
