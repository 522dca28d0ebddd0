"""What millions of lexical features cost: in the search, in memory, and while they are learned.

    python bench/lexical_features.py MODEL.work MODEL [--features 10000000] [--pairs 1200]

MODEL.work is the work folder of `tunesmith train --out MODEL`. Weights are learned from some of the
training pairs and the table is filled up with random keys to the number of features; then the dev
set is searched with and without them (CPU seconds, one thread, median of interleaved rounds). The
learner is run with one thread and with two (wall seconds: their ratio is the
speed-up only on an idle machine); the bytes of what it learns are compared.
"""

import argparse
import os
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext, WordClusters
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.features import LexicalFeatures, LexicalModel, SideClasses
from tunesmith.formats.pharaoh import links_file, read_links
from tunesmith.formats.text import read_lines
from tunesmith.learn import Maxforce
from tunesmith.model import TranslationModel


def classes(lines):
    found = WordClusters.fit(lines, classes=200)
    return SideClasses({word: found.bits(word) for word in found})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("model")
    parser.add_argument("--features", type=int, default=10_000_000)
    parser.add_argument("--pairs", type=int, default=1200)
    parser.add_argument("--method", default="expected")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    model = TranslationModel.load(arguments.model)
    bitext = Bitext.load(arguments.work / "corpus" / "bitext.bin")
    sides = classes(bitext.source.lines()), classes(bitext.target.lines())
    sources = list(bitext.source.lines())[: arguments.pairs]
    targets = list(bitext.target.lines())[: arguments.pairs]
    links = read_links(links_file(arguments.work / "align")).select(range(arguments.pairs))
    dev = read_lines(arguments.work / "corpus" / "dev.source")
    print(f"load {os.getloadavg()[0]:.1f}")

    learned = {}
    for threads in (1, 2):
        lexical = LexicalFeatures().build(*sides)
        learner = Maxforce(method=arguments.method, epochs=1, folds=0, engine=threads)
        wall, cpu = time.perf_counter(), time.process_time()
        result = learner.fit(model, lexical, sources, targets, (dev[:1], [dev[:1]]), links=links)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        learned[threads] = (wall, lexical.entries()[1].tobytes())
        pairs = result.epochs[0].pairs
        print(
            f"{threads} threads: {pairs:,} pairs in {wall:.1f} s, {1000 * cpu / pairs:.2f} ms of "
            f"CPU a pair; {len(lexical):,} features"
        )
    same = learned[1][1] == learned[2][1]
    print(f"speed-up {learned[1][0] / learned[2][0]:.2f}; same bytes: {same}")

    missing = arguments.features - len(lexical)
    chance = np.random.default_rng(1)
    keys = chance.integers(1, 2**64, missing, dtype=np.uint64)
    lexical.native.add(keys, np.full(missing, 1e-6, np.float32))
    print(f"{len(lexical):,} features: {lexical.memory / len(lexical):.1f} bytes each")
    with tempfile.TemporaryDirectory() as folder:
        # Only what scoring needs, as in a model directory.
        lean = LexicalModel(lexical.native.averaged(0.0), lexical.meta)
        weights = Weights({**model.weights, "lexical": 1.0})
        taught = model.with_lexical(lean, weights, Path(folder) / "model")
        for pop_limit in (200, 1000):
            times: dict[str, list[float]] = {"dense": [], "lexical": []}
            decoders = {
                name: open_decoder(
                    one, search=replace(SearchOptions.of_model(one), pop_limit=pop_limit), engine=1
                )
                for name, one in (("dense", model), ("lexical", taught))
            }
            for _ in range(arguments.rounds):
                for name, decoder in decoders.items():
                    decoder.decode(dev[:1])
                    begin = time.process_time()
                    decoder.decode(dev)
                    times[name].append(time.process_time() - begin)
            one, other = (statistics.median(times[name]) for name in ("dense", "lexical"))
            print(
                f"pop limit {pop_limit}: dense {one:.2f} s, lexical {other:.2f} s, "
                f"ratio {other / one:.2f} ({len(dev):,} sentences)"
            )


if __name__ == "__main__":
    main()
