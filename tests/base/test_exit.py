"""A program that ends with native objects still there ends in silence, however it ends.

Native objects that numpy arrays keep, and arrays that native objects keep, are let go when the
interpreter shuts down; what is not let go is reported on standard error.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reference.pools import random_pool
from reference.tiny_models import random_model

PROGRAM = """
import sys
from tunesmith.base.pool import KBestPool
from tunesmith.base.graph_pool import GraphPool
from tunesmith.decode import KBest, open_decoder
from tunesmith.graph import posteriors
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.tune import make_tuner

def everything():
    pool = KBestPool.load("pool.bin")
    result = make_tuner("kb-mert").fit(pool.dense_only(), Bleu())
    model = TranslationModel.load("tiny/model")
    decoder = open_decoder(model, engine=1)
    output = decoder.decode(["a b", "c"], want=KBest(3, graph_density=50))
    output.graphs.save("graphs.bin")
    graphs = GraphPool.load("graphs.bin")
    edges = posteriors(graphs, model.weights)
    return locals()

def fail():
    held = everything()
    held["pool"].native.best(None, 1)

kept = everything()
kept["itself"] = kept
"""

WAYS = {
    "it ends": "",
    "sys.exit": "sys.exit(0)",
    "an exception that is kept": "try: fail()\nexcept TypeError as error: reason = error\n",
    "an uncaught exception": "sys.excepthook = lambda *_: None\nfail()\n",
}


@pytest.mark.parametrize("end", WAYS.values(), ids=WAYS)
def test_nothing_is_left_behind(end, tmp_path):
    random_pool(1, sentences=3).save(tmp_path / "pool.bin")
    random_model(7, tmp_path / "tiny")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + end],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.returncode == (end.endswith("fail()\n"))


TESTS = """
import pytest
from hypothesis import given, strategies as st
from tunesmith.metrics import Bleu

@pytest.mark.parametrize("metric", [Bleu()])
def test_of_a_native_object(metric):
    assert metric.gain.size == 10

@given(st.integers())
def test_by_hypothesis(number):
    assert number == number
"""


def test_nor_by_tests_with_native_parameters(tmp_path):
    (tmp_path / "test_some.py").write_text(TESTS)
    tests = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider", "."],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tests)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "2 passed" in done.stdout
    assert done.stderr == ""
