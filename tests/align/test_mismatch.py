"""Pairs that are no translations: how many, which, and the offset between the sides."""

import logging
import random

import numpy as np
import pytest

from tunesmith.align.mismatch import LEAST, match_pairs, warn_of_mismatch
from tunesmith.corpus import Bitext, phrasebook

PAIRS = 3_000


@pytest.fixture(scope="module")
def book():
    pairs = phrasebook.sample(PAIRS, seed=1)
    return [one.source for one in pairs], [one.target for one in pairs]


@pytest.fixture
def said(caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("tunesmith"), "propagate", True)

    def run(source, target):
        caplog.clear()
        warn_of_mismatch(Bitext.from_lines(source, target), engine=1)
        return [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]

    return run


def test_translations_are_matched(book, said):
    assert match_pairs(Bitext.from_lines(*book), engine=1).share < 0.05
    assert said(*book) == []
    assert said(book[0][: LEAST - 1], book[1][1:LEAST]) == []  # too few to say


def test_pairs_that_are_none_are_counted_and_found(book, said):
    source, target = book
    chance = random.Random(1)
    moved = chance.sample(range(PAIRS), PAIRS // 5)
    target = list(target)
    for one, other in zip(moved, [*moved[1:], moved[0]], strict=True):
        target[one] = book[1][other]
    matches = match_pairs(Bitext.from_lines(source, target), engine=1)
    assert 0.15 < matches.share < 0.25
    assert len(np.intersect1d(matches.worst(), moved)) > 0.85 * len(moved)
    [message] = said(source, target)
    assert message.endswith(
        " % of the training pairs are probably no translations: their words match no better than "
        "those of random pairs; --filter leaves the worst out"
    )


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (slice(0, -1), slice(1, None), "line 2 of source matches line 1 of target"),
        (slice(2, None), slice(0, -2), "line 1 of source matches line 3 of target"),
    ],
)
def test_offsets_are_named(book, said, source, target, message):
    assert said(book[0][source], book[1][target])[1:] == [message]


def test_a_line_that_is_missing_in_the_middle(book, said):
    source, target = book
    [_, message] = said(source[:-1], target[:1500] + target[1501:])
    assert 1_450 < int(message.split()[3].replace(",", "")) < 1_550
    assert message.endswith(
        "on, lines of source match lines of target with a number that is 1 lower: a line is "
        "missing or too many there"
    )
