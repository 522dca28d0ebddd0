"""What a Ray cluster of this machine costs: two workers against one, growth in shards, overhead.

    python bench/ray_scaling.py [--data FOLDER] [--rounds 3] [--pairs 1000] [--features 5000000]

1. Multi30k's test_2016 is translated by one and two workers, and by one and two threads, in turns:
   wall seconds (the least of the rounds) and CPU seconds of all processes (medians).
2. An epoch of pairwise ranking with selection (Simianer et al. 2012, Algorithm 4) over 1, 2, 4, 8
   and 16 shards of so many pairs: CPU seconds of a sentence, the driver's share, and its memory.
3. Bytes of the weights of so many features, all in use, and of 100,000 of them.

Wall seconds mean something on a machine that does nothing else; CPU seconds on any.
"""

import argparse
import os
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from shared_data import add_data_option

from tunesmith.base.sparse_vector import packed_vector
from tunesmith.corpus import Bitext
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.engine import ThreadEngine
from tunesmith.engine.memory import peak_memory
from tunesmith.engine.packing import packed
from tunesmith.engine.ray_engine import RayEngine
from tunesmith.features import LexicalFeatures, SideClasses
from tunesmith.formats.text import read_lines
from tunesmith.learn import Maxforce
from tunesmith.learn.flat_weights import FlatWeights
from tunesmith.learn.sharded_learner import ShardedLearner
from tunesmith.learn.stack_learner import StackLearner
from tunesmith.model.moses import import_moses

SHARDS = (1, 2, 4, 8, 16)
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=1000, help="pairs of a shard")
    parser.add_argument("--features", type=int, default=5_000_000)
    arguments = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    with TemporaryDirectory() as folder:
        model = import_moses(arguments.data / "moses-model" / "moses.mert.ini", f"{folder}/model")
        texts = [
            read_lines(arguments.data / "multi30k" / f"test_2016.{side}") for side in ("de", "en")
        ]
        translate(model, texts[0], arguments.rounds)
        learn(model, texts, arguments.pairs)
    travel(arguments.features)
    print(f"load {os.getloadavg()[0]:.1f}")


def translate(model, lines, rounds) -> None:
    """Part 1; engines take turns, as a process has one cluster at a time each begins anew."""
    found, outputs = {}, set()
    for name, engine in {
        "1 thread": ThreadEngine(1), "2 threads": ThreadEngine(2),
        "1 worker": RayEngine(count=1), "2 workers": RayEngine(count=2),
    }.items():  # fmt: skip
        decoder = open_decoder(model, search=SearchOptions(pop_limit=500), engine=engine)
        outputs.add(tuple(decoder.decode(lines[:200]).best()))  # everything is opened
        costs = []
        for _ in range(rounds):
            wall, cpu = time.perf_counter(), all_cpu()
            decoder.decode(lines)
            costs.append((time.perf_counter() - wall, all_cpu() - cpu))
        found[name] = min(w for w, _ in costs), statistics.median(c for _, c in costs)
        if isinstance(engine, RayEngine):
            engine.close()
    assert len(outputs) == 1, "results differ"
    print(f"\n{len(lines):,} sentences of Multi30k\n{'':<12}{'wall s':>9}{'CPU s':>9}")
    for name, (wall, cpu) in found.items():
        print(f"{name:<12}{wall:>9.2f}{cpu:>9.2f}")
    ratio = found["1 worker"][0] / found["2 workers"][0]
    print(f"2 workers against 1: {ratio:.2f} times as fast (aim: 1.7)")
    for what, kind in (("wall", 0), ("CPU", 1)):
        over = found["2 workers"][kind] / found["2 threads"][kind] - 1
        print(f"2 workers against 2 threads, {what}: {over:+.1%} (aim: at most 15 %)")


def learn(model, texts, size) -> None:
    """Part 2."""
    engine = RayEngine(count=2)
    print(f"\nepochs of ranking, {size} pairs a shard\n{'shards':>6}{'CPU ms a sentence':>20}"
          f"{'driver':>9}{'wall s':>9}{'driver MB':>11}{'features':>10}")  # fmt: skip
    for count in SHARDS:
        numbers = np.arange(count * size) % len(texts[0])
        pairs = Bitext.from_lines(*([side[i] for i in numbers] for side in texts))
        options = Maxforce(
            method="ranking", mixing="iter-select", keep=100_000, shard_size=size, folds=0,
            leave_out="none", engine=engine,
        )  # fmt: skip
        lexical = LexicalFeatures().build(SideClasses(), SideClasses())
        learner = ShardedLearner(StackLearner(options, model, lexical, pairs, None, ()))
        assert len(learner.shards) == count
        if count == SHARDS[0]:
            learner.one_pass(1)  # everything is opened
        wall, own, workers = time.perf_counter(), time.process_time(), worker_cpu()
        learner.one_pass(1)
        wall, own = time.perf_counter() - wall, time.process_time() - own
        workers = worker_cpu() - workers
        kept, memory = len(learner.weights.keys), peak_memory() / 1e6
        print(
            f"{count:>6}{1000 * workers / len(pairs):>20.2f}{own / (own + workers):>9.1%}"
            f"{wall:>9.2f}{memory:>11.0f}{kept:>10,}"
        )
    engine.close()
    print("(aim: the driver below 5 %)")


def travel(features) -> None:
    """Part 3."""
    chance = np.random.default_rng(1)
    for count in (features, 100_000):
        keys = np.sort(chance.integers(0, 2**40, count, dtype=np.uint64))
        weights = FlatWeights(np.zeros(15), keys, chance.random(count, np.float32), np.zeros(0))
        dense = np.zeros(features)
        dense[chance.choice(features, count, replace=False)] = 1.5
        by_key, vector = (len(packed(one)) / 1e6 for one in (weights, packed_vector(dense)))
        print(
            f"{count:>10,} of {features:,} features in use: {by_key:.1f} MB by keys, "
            f"{vector:.1f} MB as a decoder's vector"
        )


def worker_cpu() -> float:
    """CPU seconds of all workers of this machine's cluster so far."""
    return sum(seconds for name, seconds in processes() if name.startswith(b"ray::Slot"))


def all_cpu() -> float:
    """The same with this process."""
    return time.process_time() + worker_cpu()


def processes():
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name = (folder / "cmdline").read_bytes()
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        yield name, (int(fields[11]) + int(fields[12])) / TICKS


if __name__ == "__main__":
    main()
