"""Claim: the phrasebook's time is linear in the number of pairs, and a million need one core less
than 90 seconds and less than 250 MB.

CPU seconds and peak memory of 30k, 100k, 300k and a million pairs, each in a process of its own.

    python bench/phrasebook_growth.py [--sizes 30000 100000 300000 1000000]
"""

import argparse
import multiprocessing
import resource
import sys
import time
from collections import deque
from itertools import islice

from tunesmith.corpus.phrasebook import pairs

CLAIM_SECONDS, CLAIM_MEGABYTES, CLAIM_GROWTH = 90.0, 250.0, 1.25


def measure(size, queue):
    start = time.process_time()
    deque(islice(pairs(), size), maxlen=0)
    seconds = time.process_time() - start
    queue.put((seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    sizes = [30_000, 100_000, 300_000, 1_000_000]
    parser.add_argument("--sizes", type=int, nargs="+", default=sizes)
    context = multiprocessing.get_context("spawn")
    rates = []
    print(f"{'pairs':>9} {'CPU s':>7} {'µs/pair':>8} {'MB':>6}")
    for size in parser.parse_args().sizes:
        queue = context.SimpleQueue()
        process = context.Process(target=measure, args=(size, queue))
        process.start()
        seconds, megabytes = queue.get()
        process.join()
        rates.append(seconds / size)
        print(f"{size:>9,} {seconds:>7.1f} {1e6 * seconds / size:>8.1f} {megabytes:>6.0f}")
    holds = seconds < CLAIM_SECONDS and megabytes < CLAIM_MEGABYTES
    holds = holds and rates[-1] < CLAIM_GROWTH * rates[0]
    print("claim holds" if holds else "claim does NOT hold")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
