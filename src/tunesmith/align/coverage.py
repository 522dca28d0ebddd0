"""Sentence pairs without links: those that cannot have any, and those that should have had some."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith.base.log import log
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links

Mask: TypeAlias = npt.NDArray[np.bool_]


def report_unused(text: Bitext, max_length: int) -> int:
    """Say how many pairs get no links because a side is empty or too long; returns how many."""
    source, target = text.source.lengths, text.target.lengths
    empty, long = _unused(text, max_length)
    if empty.any():
        log.info(f"{empty.sum():,} sentence pairs with an empty side get no links")
    if long.any():
        first = int(long.argmax())
        log.warning(
            f"{long.sum():,} sentence pairs with more than {max_length:,} words get no links (the "
            f"first is number {first + 1:,}, with {source[first]:,} and {target[first]:,} words); "
            "raise max_length to align them"
        )
    return int((empty | long).sum())


def _unused(text: Bitext, max_length: int) -> tuple[Mask, Mask]:
    """Which pairs can have no links: those with an empty side, and others with a long one."""
    source, target = text.source.lengths, text.target.lengths
    empty = (source == 0) | (target == 0)
    return empty, ~empty & ((source > max_length) | (target > max_length))


def unlinked(text: Bitext, links: Links, max_length: int) -> tuple[int, int]:
    """How many pairs got no links though they could have had some, and how many could have had."""
    empty, long = _unused(text, max_length)
    usable = ~(empty | long)
    return int((usable & (np.diff(links.offsets) == 0)).sum()), int(usable.sum())


def warn_unlinked(without: int, alignable: int) -> None:
    """Say so where most pairs of a text got no links: nothing can be learned from such a text."""
    if 2 * without > alignable:
        log.warning(
            f"{without:,} of {alignable:,} sentence pairs got no links: are the two sides "
            "translations of each other, and prune and threshold small enough?"
        )
