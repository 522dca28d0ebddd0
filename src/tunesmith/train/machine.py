"""How fast this machine is beside the one on which the costs of a plan were measured."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import process_time

import numpy as np

from tunesmith.align import Aligner
from tunesmith.base.log import log
from tunesmith.corpus import Bitext

# A made-up text whose words are as frequent as those of a real one (Zipf), and the CPU seconds that
# its alignment took where the costs were measured.
PAIRS, WORDS, VOCABULARY, EXPONENT = 1500, 15, 5000, 1.3
REFERENCE_SECONDS = 0.033
ROUNDS = 5


def slowness() -> float:
    """CPU time of native work on this machine, in parts of that on the other one."""
    sample = _sample()
    return median(_seconds(sample) for _ in range(ROUNDS)) / REFERENCE_SECONDS


def _seconds(sample: Bitext) -> float:
    begin = process_time()
    with _silent():
        Aligner(ibm1=2, hmm=2, engine=1).fit(sample)
    return process_time() - begin


def _sample() -> Bitext:
    chance = np.random.default_rng(1)
    drawn = np.minimum(chance.zipf(EXPONENT, (2, PAIRS, WORDS)), VOCABULARY)
    source, target = ([" ".join(map(str, line)) for line in side] for side in drawn.tolist())
    return Bitext.from_lines(source, target)


@contextmanager
def _silent() -> Iterator[None]:
    before = log.level
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(before)
