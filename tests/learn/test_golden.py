"""Learning with every method and option on one tiny task, as it went last time.

Independent twins say that single updates are right; this says that options still reach what they
are for. After a change that is meant: ``python tests/learn/test_golden.py``.
"""

import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from reference.golden import differs, renew
from reference.tiny_learners import lexical_model, some_pairs
from reference.tiny_models import random_model
from tunesmith.corpus import Bitext
from tunesmith.learn import Maxforce

GOLDEN = Path(__file__).parent / "golden.json"


def learned(**options):
    """Two epochs on a dozen pairs; the dev set is what they are made of."""
    with TemporaryDirectory() as folder:
        model, _, chance = random_model(7, Path(folder) / "m")
        # Of two folds, one is searched with a model that knows other phrases.
        folds = [random_model(8, Path(folder) / "f")[0], model][: options.get("folds", 0)]
        sources, targets = zip(*some_pairs(model, chance, 12), strict=True)
        given = {"folds": 0, "leave_out": "none", "min_prefix": 0, "epochs": 2, "engine": 1,
                 "batch": 5, "rate": 0.05, "beam": 20, **options}  # fmt: skip
        result = Maxforce(**given).fit(
            model,
            lexical_model(chance),
            Bitext.from_lines(sources, targets),
            (sources, [targets]),
            folds=folds,
        )
    epochs = [{**asdict(epoch), "seconds": 0.0} for epoch in result.epochs]
    return {
        "scores": [result.start_score, result.dev_score],
        "weights": {name: float(f"{value:.4g}") for name, value in result.weights.items()},
        "epochs": epochs,
    }


OPTIONS = [
    *({"method": name} for name in ("expected", "max-violation", "early", "standard", "local")),
    {"method": "early", "beam": 1},
    {"method": "standard", "beam": 1},
    {"method": "expected", "list_size": 5},
    {"method": "expected", "sharpness": 2.0},
    {"method": "expected", "background": 0.0},
    *(
        {"method": "max-violation", **changed}
        for changed in (
            {"rate": 0.0}, {"combine": "sum"}, {"step": "passive-aggressive"}, {"margin": 30.0},
            {"max_violation": 2.0}, {"average": False}, {"beam": 2}, {"batch": 2}, {"seed": 2},
            {"dense": "all"}, {"dense": "none"}, {"dense_rate": 0.25}, {"max_words": 3},
            {"dense": "all", "dense_weights": "learned"},
            {"dense": "all", "dense_weights": "from-zero"}, {"dead_ends": True},
            {"dev_pop_limit": 1}, {"folds": 2}, {"folds": 2, "prefixes": "all", "min_prefix": 1},
        )
    ),
]  # fmt: skip
CASES = {
    ", ".join(f"{key} {value}" for key, value in options.items()): lambda options=options: learned(
        **options
    )
    for options in OPTIONS
}


@pytest.mark.parametrize("case", CASES)
def test_as_it_was(case):
    assert not differs(GOLDEN, CASES, case)


if __name__ == "__main__":
    renew(GOLDEN, CASES)
