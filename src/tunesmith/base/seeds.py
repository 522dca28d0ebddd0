"""Chance that repeats: every random choice comes from a seed and the name of its purpose."""

import hashlib
from typing import Any

import numpy as np

from tunesmith.base.numbers import MAX_SEED
from tunesmith.base.parameters import parameter

DEFAULT_SEED = 1


def seed_parameter(meaning: str = "seed of all chance") -> Any:
    """The keyword of a constructor that every random choice comes from."""
    return parameter(DEFAULT_SEED, meaning, at_least=-MAX_SEED, at_most=MAX_SEED)


def derive_seed(seed: int, *purpose: object) -> int:
    """A 64-bit seed for one purpose, independent of all others and of the order of asking.

    >>> derive_seed(1, "restart", 3) == derive_seed(1, "restart", 3)
    True
    >>> derive_seed(1, "restart", 3) == derive_seed(1, "restart", 4)
    False
    """
    text = "\0".join([str(seed), *map(str, purpose)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def generator(seed: int, *purpose: object) -> np.random.Generator:
    """A numpy generator for one purpose (PCG64: the same numbers on every platform)."""
    return np.random.Generator(np.random.PCG64(derive_seed(seed, *purpose)))
