"""Claim: every tuner takes under 60 s and 4 GB for 1,000 sentences × 1,500 hypotheses.

The pool is made by chance: 20 dense features and 50 sparse ones (of 5,000) for each hypothesis, and
BLEU statistics that some of the features know about. Tuners that search along single features see
the dense ones. Each runs alone in a process of its own, with 2 threads and its default settings.

    python bench/big_pool.py [--tuner NAME …] [--sentences 1000] [--hypotheses 1500]
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tunesmith.base.pool import KBestPool
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import TUNERS, make_tuner, tuner_class

DENSE, SPARSE, SPARSE_NAMES = 20, 50, 5_000
LIMIT_SECONDS, LIMIT_GIGABYTES = 60.0, 4.0


def make_pool(sentences, hypotheses):
    """Lengths near the reference's, matches that fall with the order and rise with the quality."""
    chance = np.random.default_rng(1)
    rows = sentences * hypotheses
    reference = np.repeat(chance.integers(8, 40, size=sentences), hypotheses)
    lengths = np.maximum(reference + chance.integers(-3, 4, size=rows), 4)
    quality = chance.normal(size=rows)
    stats = np.empty((rows, 10), dtype=np.int32)
    precision = np.clip(0.6 + 0.05 * quality, 0.1, 0.95)
    for n in range(4):
        stats[:, 4 + n] = lengths - n
        stats[:, n] = np.round(stats[:, 4 + n] * precision ** (n + 1))
    stats[:, 8], stats[:, 9] = lengths, reference
    dense = chance.standard_normal((rows, DENSE), dtype=np.float32)
    dense += np.outer(quality, chance.uniform(-0.5, 0.5, size=DENSE)).astype(np.float32)
    # Ids ascend within a row: one of each hundred of the names.
    step = SPARSE_NAMES // SPARSE
    ids = chance.integers(0, step, size=(rows, SPARSE), dtype=np.uint32)
    ids += np.arange(0, SPARSE_NAMES, step, dtype=np.uint32)
    return KBestPool(
        offsets=np.arange(0, rows + 1, hypotheses, dtype=np.int64),
        dense=dense,
        dense_names=tuple(f"dense{i}" for i in range(DENSE)),
        sparse_offsets=np.arange(0, rows * SPARSE + 1, SPARSE, dtype=np.int64),
        sparse_ids=ids.reshape(-1),
        sparse_values=np.ones(rows * SPARSE, dtype=np.float32),
        sparse_names=tuple(f"sparse{i}" for i in range(SPARSE_NAMES)),
        stats=stats,
        keys=np.arange(rows, dtype=np.uint64),
    )


def peak_gigabytes():
    """The most memory that this program held (getrusage would count what its parent held)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 2**20
    raise SystemExit("no VmHWM in /proc/self/status")


def fit_one(name, path):
    """One tuner on the saved pool; prints seconds, gigabytes and scores."""
    pool = KBestPool.load(path)
    if tuner_class(name).dense_only:
        pool = pool.dense_only()
    start = time.perf_counter()
    result = make_tuner(name, engine=2).fit(pool, Bleu(tokenize="none"))
    seconds = time.perf_counter() - start
    memory = peak_gigabytes()
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(
        f"{name:12} {seconds:6.1f} s  {usage.ru_utime + usage.ru_stime:6.1f} s CPU  "
        f"{memory:5.2f} GB  {result.start_score:5.2f} → {result.score:5.2f}",
        flush=True,
    )
    return seconds > LIMIT_SECONDS or memory > LIMIT_GIGABYTES


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tuner", nargs="+", default=list(TUNERS))
    parser.add_argument("--sentences", type=int, default=1_000)
    parser.add_argument("--hypotheses", type=int, default=1_500)
    parser.add_argument("--pool", help=argparse.SUPPRESS)  # set for the processes of single tuners
    arguments = parser.parse_args()
    if arguments.pool:
        return int(fit_one(arguments.tuner[0], arguments.pool))
    with tempfile.TemporaryDirectory() as scratch:
        path = str(Path(scratch) / "pool")
        make_pool(arguments.sentences, arguments.hypotheses).save(path)
        print(f"{'tuner':12} {'wall':>8}  (limits: 60 s, 4 GB; load {os.getloadavg()[0]:.1f})")
        failed = [
            name
            for name in arguments.tuner
            if subprocess.run(
                [sys.executable, __file__, "--pool", path, "--tuner", name]
            ).returncode
        ]
    print("over the limits: " + ", ".join(failed) if failed else "all within the limits")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
