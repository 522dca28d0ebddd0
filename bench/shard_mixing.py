"""What weights cost on their way between shards: bytes, time, and the driver's memory.

    python bench/shard_mixing.py [--features 5000000] [--shards 32] [--met 500000] [--keep 100000]

First the weights of all features as they travel (asked: 5 million in less than 40 MB). Then a
growing number of shards, each of which has met some of the features, Zipf-distributed, is stacked,
averaged and selected from: what the driver keeps should grow with the features that any shard has,
not with shards × features.
"""

import argparse
import os
import pickle
import subprocess
import sys
import time
import tracemalloc

import numpy as np

from tunesmith.engine.reduction import reduced
from tunesmith.learn.flat_weights import KEY_BITS, ColumnSums, FlatWeights


def weights_of(chance: np.random.Generator, keys: np.ndarray) -> FlatWeights:
    return FlatWeights(chance.normal(size=15), keys, chance.normal(size=len(keys)).astype("f4"))


def met(chance: np.random.Generator, every: np.ndarray, count: int) -> np.ndarray:
    """Keys that a shard meets: frequent features are met by all."""
    ranks = np.exp(chance.random(count) * np.log(len(every))).astype(np.int64) - 1
    return np.sort(every[np.unique(ranks)])


def mix(features: int, shards: int, count: int, keep: int) -> None:
    chance = np.random.default_rng(1)
    every = chance.permutation(keys_of(chance, features))
    tracemalloc.start()
    begin = time.process_time()
    made = 0.0

    def rows():
        nonlocal made
        for _ in range(shards):
            start = time.process_time()
            row = ColumnSums.of(weights_of(chance, met(chance, every, count)))
            made += time.process_time() - start
            yield row

    stacked = reduced(rows(), ColumnSums.__add__)
    kept = stacked.selected(keep)
    seconds = time.process_time() - begin - made
    memory = tracemalloc.get_traced_memory()[1]
    print(
        f"{shards:5d} shards  {len(stacked.keys):>10,} features met  {len(kept.keys):>8,} kept  "
        f"{seconds:6.2f} CPU s, {1000 * seconds / shards:5.0f} ms a shard  "
        f"{memory / 1e6:7.0f} MB, {memory / len(stacked.keys):4.0f} bytes a feature",
        flush=True,
    )


def keys_of(chance: np.random.Generator, features: int) -> np.ndarray:
    return np.unique(chance.integers(0, 1 << KEY_BITS, features, np.uint64))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--features", type=int, default=5_000_000)
    parser.add_argument("--shards", type=int, default=64)
    parser.add_argument("--met", type=int, default=1_000_000)
    parser.add_argument("--keep", type=int, default=100_000)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        mix(given.features, given.one, given.met, given.keep)
        return
    print(f"load {os.getloadavg()[0]:.1f}")
    chance = np.random.default_rng(1)
    weights = weights_of(chance, keys_of(chance, given.features))
    begin = time.process_time()
    packed = pickle.dumps(weights)
    middle = time.process_time()
    pickle.loads(packed)
    end = time.process_time()
    print(
        f"{len(weights.keys):,} features travel in {len(packed) / 1e6:.1f} MB "
        f"({len(packed) / len(weights.keys):.2f} bytes each), "
        f"packed in {middle - begin:.2f} s, unpacked in {end - middle:.2f} s"
    )
    shards = 1
    while shards <= given.shards:
        # A process of its own: what others have left behind would be in its way.
        subprocess.run([sys.executable, *sys.argv, "--one", str(shards)], check=True)
        shards *= 4


if __name__ == "__main__":
    main()
