"""Claim: chart search reaches cdec's mean model score at least ten times as fast, whether cubes are
pruned or grown.

cdec does not run here: its figures (pop limit 200, one process, with reading the grammars) are
recorded ones, of an idle machine. Ours run now, on one thread, with and without reading the
grammars; the first 100 sentences of Multi30k's test_2016 with cdec's grammars, weights and language
model.

    python bench/chart_search.py [--data FOLDER] [--rounds 3] [--pops 30,60,200,1000]
"""

import argparse
import os
import statistics
import time
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from shared_data import add_data_option

from tunesmith.decode.chart import ChartDecoder
from tunesmith.formats.text import read_lines
from tunesmith.grammar import ScfgGrammar
from tunesmith.model.cdec import import_cdec
from tunesmith.model.search import SearchOptions

# Words a second at pop limit 200, and mean scores of the best translations.
CDEC_SPEED = 93
CUBES = ("pruned", "grown")
CDEC_SCORES = {"mert": -1.76449, "pro": -1.12143}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pops", default="30,60,200,1000")
    add_data_option(parser)
    given = parser.parse_args()
    folder = given.data / "cdec-model"
    source = read_lines(folder / "input.de")
    words = sum(len(line.split()) for line in source)
    files = [folder / "grammars" / f"grammar.{number}.gz" for number in range(len(source))]
    print(f"load {os.getloadavg()[0]:.1f}; cdec, recorded: {CDEC_SPEED} words/s at pop limit 200")
    start = time.process_time()
    grammars = [ScfgGrammar.read(path) for path in files]
    reading = time.process_time() - start
    print(f"reading {sum(map(len, grammars)):,} rules: {reading:.2f} s")
    with TemporaryDirectory() as scratch:
        for name, theirs in CDEC_SCORES.items():
            weights = folder / f"weights.{name}"
            model = import_cdec(
                folder / "cdec.ini", Path(scratch) / name, weights=weights, grammars=files[:1]
            )
            print(f"weights.{name}, cdec's mean score (recorded): {theirs:.5f}")
            for cubes, limit in product(CUBES, map(int, given.pops.split(","))):
                search = SearchOptions.checked({**model.search, "pop_limit": limit, "cubes": cubes})
                decoder = ChartDecoder(model, search=search, engine=1)
                seconds = []
                for _ in range(given.rounds):
                    start = time.process_time()
                    output = decoder.with_grammars(grammars).decode(source)
                    seconds.append(time.process_time() - start)
                search_time = statistics.median(seconds)
                print(
                    f"  {cubes}, pop limit {limit:5}: mean {output.scores.mean():.5f}, "
                    f"{words / search_time:6,.0f} words/s ({words / search_time / CDEC_SPEED:.0f} "
                    f"times cdec's), with reading {words / (search_time + reading):,.0f} "
                    f"({words / (search_time + reading) / CDEC_SPEED:.0f} times)"
                )


if __name__ == "__main__":
    main()
