"""A dev set out of the training text, for those who give none."""

from collections.abc import Callable, Iterable

from tunesmith.base.errors import InputError
from tunesmith.corpus.split import PairSets
from tunesmith.engine import EngineLike

# As many as tuning can use; of a small text less, so that most of it is still learned from.
USUAL_SIZE, SHARE, LEAST = 1_000, 20, 20
# Longer ones take long to decode and say little.
MOST_WORDS, MOST_CHARACTERS = 60, 400


def hold_out(
    read: Callable[[], Iterable[tuple[str, str]]],
    size: int,
    path: object,
    *,
    seed: int,
    engine: EngineLike,
) -> PairSets:
    """Choose a dev set of this size, or of the usual one; a text that is too small is refused."""
    sets = PairSets(read, _fit_to_tune_on, engine=engine)
    usable = len(sets.usable)
    size = size or usual_size(usable)
    if size < LEAST or size * 2 > usable:
        raise InputError(
            path,
            0,
            f"{usable:,} usable pairs, too few to hold {max(size, LEAST):,} of them out",
            "more text, or a dev set",
            "give one by --dev-src and --dev-ref",
        )
    sets.choose(dev=size, seed=seed)
    return sets


def usual_size(pairs: int) -> int:
    """How many of so many pairs are held out where nothing is said."""
    return min(USUAL_SIZE, pairs // SHARE)


def _fit_to_tune_on(sources: list[str], targets: list[str]) -> list[bool]:
    return [
        _is_fit(source) and _is_fit(target) for source, target in zip(sources, targets, strict=True)
    ]


def _is_fit(line: str) -> bool:
    return 0 < len(line.split()) <= MOST_WORDS and len(line) <= MOST_CHARACTERS
