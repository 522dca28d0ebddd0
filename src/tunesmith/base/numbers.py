"""Numbers in text, read strictly: what Python's `int` and `float` let pass besides is refused."""

import math
import re

# What native code takes for a whole number; an option with other limits states them.
MAX_WHOLE = 2**31 - 1
# Seeds may be larger, of either sign.
MAX_SEED = 2**63 - 1
# More threads are a slip, not a machine. As kMaxThreads in core/engine/parallel.hh.
MAX_THREADS = 4096

_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(
    r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?inf(inity)?", re.IGNORECASE
)


def parse_whole(text: str) -> int:
    """The whole number that `text` is; ValueError for anything else.

    >>> parse_whole("-12")
    -12
    >>> parse_whole("1_000")
    Traceback (most recent call last):
    ValueError: '1_000' is no whole number
    """
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"'{text}' is no whole number")
    return int(text)


def parse_number(text: str) -> float:
    """The number that `text` is, infinite ones among them; ValueError for anything else, as nan.

    >>> parse_number("1e-3"), parse_number("-inf")
    (0.001, -inf)
    >>> parse_number("1_000")
    Traceback (most recent call last):
    ValueError: '1_000' is no number
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"'{text}' is no number")
    return float(text)


def parse_finite(text: str) -> float:
    """`parse_number` without the infinite ones, be they written so or beyond what a float holds."""
    value = parse_number(text)
    if not math.isfinite(value):
        raise ValueError(f"'{text}' is not finite")
    return value
