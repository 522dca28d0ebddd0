"""Claim: n-best lists are read at 250 MB of text per CPU second and more, Moses' and TSV.

Run 1 of the Moses n-best lists, unpacked, in several dialects; medians of the CPU seconds (all
threads, user and system) and of the wall clock. Then the whole way to a pool, reading, BLEU
statistics and merging of runs 1 to 3, beside what Moses' extractor takes for it (about 3 s,
measured once on a machine of this kind).

    python bench/nbest_reading.py [--data FOLDER] [--rounds 5]
"""

import argparse
import lzma
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from shared_data import add_data_option

from tunesmith.formats.nbest import read_nbest
from tunesmith.formats.nbest_write import write_nbest
from tunesmith.formats.references import read_references
from tunesmith.metrics import Bleu
from tunesmith.tune.pool import read_pool

CLAIM = 250.0
CLAIMED = ("moses", "tsv")
EXTRACTOR_SECONDS = 3.0


def timed(rounds, work):
    """Medians of CPU and wall-clock seconds."""
    cpu, wall = [], []
    for _ in range(rounds):
        cpu_start, wall_start = time.process_time(), time.perf_counter()
        work()
        cpu.append(time.process_time() - cpu_start)
        wall.append(time.perf_counter() - wall_start)
    return statistics.median(cpu), statistics.median(wall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    folder = arguments.data / "nbest" / "moses-de-en"
    slowest = float("inf")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        lists = []
        for i in (1, 2, 3):
            lists.append(scratch / f"run{i}")
            packed = (folder / f"run{i}.nbest.xz").read_bytes()
            lists[-1].write_bytes(lzma.decompress(packed))
        nbest = read_nbest(lists[0])
        print("dialect      threads      MB   CPU s  wall s   MB/CPU s")
        for dialect in ("moses", "tsv", "csv", "cdec", "tunesmith", "sockeye"):
            path = scratch / dialect
            write_nbest(path, nbest, dialect)
            megabytes = path.stat().st_size / 1e6
            for threads in (1, 2):
                read = partial(read_nbest, path, dialect, engine=threads)
                cpu, wall = timed(arguments.rounds, read)
                rate = megabytes / cpu
                if dialect in CLAIMED and threads == 1:
                    slowest = min(slowest, rate)
                print(
                    f"{dialect:<12} {threads:>7}  {megabytes:>6.1f}  {cpu:>6.3f}  {wall:>6.3f}  "
                    f"{rate:>9.0f}"
                )
        references = read_references(folder / "val.ref.en")
        for threads in (1, 2):
            metric = Bleu(tokenize="none")
            build = partial(read_pool, lists, references, metric, engine=threads)
            cpu, wall = timed(arguments.rounds, build)
            print(
                f"pool of runs 1–3, {threads} threads: {cpu:.3f} CPU s, {wall:.3f} s wall; "
                f"Moses' extractor took {EXTRACTOR_SECONDS / cpu:.0f} times the CPU s (recorded)"
            )
    verdict = "holds" if slowest >= CLAIM else "FAILS"
    print(f"slowest claimed rate {slowest:.0f} MB/CPU s, claim at least {CLAIM:.0f}: {verdict}")
    sys.exit(slowest < CLAIM)


if __name__ == "__main__":
    main()
