"""Every tuner on one small task, and all limits of settings, as they were last time.

Independent twins say that the parts are right; this says that they are still put together in the
same way, with the same settings. After a change that is meant, write the file anew and read the
difference:

    python tests/tune/test_golden.py
"""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from reference.golden import differs, renew, settings
from reference.graph_pools import random_graphs
from reference.pools import random_pool
from tunesmith.base.weights import Weights
from tunesmith.metrics import Bleu
from tunesmith.tune import GRAPH_TUNERS, TUNERS, make_tuner, tuner_class
from tunesmith.tune.graph_base import GraphTuner
from tunesmith.tune.graph_space import GraphSpace
from tunesmith.tune.loop import TuningLoop

GOLDEN = Path(__file__).parent / "golden.json"
BLEU = Bleu(tokenize="none")
START = Weights({"f0": 1.0, "f1": -0.5, "f2": 0.2})


def told(result):
    """What a tuner gave, and the way there, in few digits."""
    entries = [result.history[0], *result.history[-2:]]
    numbers = [(entry.score, entry.objective) for entry in entries]
    return {
        "weights": {name: float(f"{value:.4g}") for name, value in result.weights.items()},
        "scores": [result.start_score, result.score],
        "steps": len(result.history),
        "history": [[float(f"{number:.6g}") for number in pair] for pair in numbers],
        "notes": [entry.note for entry in entries],
    }


def of_lists(name, *, in_loop):
    """Default settings on thirty lists of twenty."""
    pool = random_pool(4, sentences=30, hypotheses=20, dense=5, sparse=8)
    # One feature knows something, the others are noise.
    pool.dense[:, 1] += 3 * pool.stats[:, 0] / np.maximum(pool.stats[:, 4], 1)
    pool = pool.dense_only() if tuner_class(name).dense_only else pool
    start = Weights.from_vector(pool.names, np.linspace(0.3, -1.0, len(pool.names)))
    return told(make_tuner(name, in_loop=in_loop).fit(pool, BLEU, start, keep_better_start=False))


def of_graphs(name):
    """Settings of a loop on a dozen graphs."""
    graphs, _, references = random_graphs(3, sentences=12)
    tuner = make_tuner(name, in_loop=True)
    space = GraphSpace(graphs, references)
    return told(tuner.fit(space, BLEU, START, keep_better_start=False))


CASES = {
    **{f"settings of {name}": lambda name=name: settings(tuner_class(name))
       for name in (*TUNERS, *GRAPH_TUNERS)},
    "settings of the loop": lambda: settings(TuningLoop),
    **{name: lambda name=name: of_lists(name, in_loop=False) for name in TUNERS},
    **{f"{name} in a loop": lambda name=name: of_lists(name, in_loop=True)
       for name in TUNERS if tuner_class(name).loop_settings},
    **{name: lambda name=name: of_graphs(name) for name in GRAPH_TUNERS
       if issubclass(tuner_class(name), GraphTuner)},
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_as_it_was(case):
    assert not differs(GOLDEN, CASES, case)


if __name__ == "__main__":
    renew(GOLDEN, CASES)
