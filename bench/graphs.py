"""Search graphs against k-best lists: CPU seconds and memory of making them, and of their use.

    python bench/graphs.py [--data FOLDER] [--density 50] [--pop-limit 1000] [--rounds 3]

Multi30k's val with moses-model (kbmira weights), one thread; medians over interleaved rounds,
loading excluded. The memory is the growth of the largest resident set while graphs are made.
"""

import argparse
import resource
import statistics
import time
from dataclasses import replace
from tempfile import TemporaryDirectory

from shared_data import add_data_option

from tunesmith.decode import Graphs, KBest, open_decoder
from tunesmith.formats.text import read_lines
from tunesmith.graph import (
    best,
    chosen_paths,
    consensus,
    expected_features,
    kbest,
    posteriors,
    prune,
    union,
)
from tunesmith.model.moses import import_moses


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--density", type=float, default=50.0)
    parser.add_argument("--pop-limit", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    lines = read_lines(arguments.data / "multi30k" / "val.de")
    counts = [len(line.split()) for line in read_lines(arguments.data / "multi30k" / "val.en")]
    with TemporaryDirectory() as folder:
        model = import_moses(arguments.data / "moses-model" / "moses.kbmira.ini", f"{folder}/model")
        decoder = open_decoder(model, engine=1)
        search = replace(decoder.search, pop_limit=arguments.pop_limit)
        decoder = open_decoder(model, search=search, engine=1)
        decoder.decode(lines[:10])
        before = megabytes()
        pool = decoder.decode(lines, want=Graphs(density=arguments.density, word_counts=counts))
        print(f"{len(pool):,} graphs, {pool.edges:,} edges, {pool.edges / sum(counts):.1f} a word")
        print(f"memory while they are made: {megabytes() - before:.0f} MB")
        weights = model.weights
        work = {
            "search, 1 best": lambda: decoder.decode(lines),
            "search, 100 best": lambda: decoder.decode(lines, want=KBest(100)),
            "search, graphs": lambda: decoder.decode(
                lines, want=Graphs(density=arguments.density, word_counts=counts)
            ),
            "graphs: best": lambda: best(pool, weights),
            "graphs: 100 best": lambda: kbest(pool, weights, 100),
            "graphs: posteriors": lambda: posteriors(pool, weights),
            "graphs: expected features": lambda: expected_features(pool, weights),
            "graphs: prune to half": lambda: prune(
                pool, weights, density=arguments.density / 2, word_counts=counts
            ),
            "graphs: paths of 10 best": lambda: chosen_paths(kbest(pool, weights, 10)),
            "graphs: union with themselves": lambda: union([pool, pool]),
            "graphs: consensus": lambda: consensus(pool, weights),
        }
        times = {name: [] for name in work}
        for _ in range(arguments.rounds):
            for name, run in work.items():
                start = time.process_time()
                run()
                times[name].append(time.process_time() - start)
        for name, seconds in times.items():
            print(f"{name:<32}{statistics.median(seconds):>8.2f} s")


if __name__ == "__main__":
    main()
