"""Which engine a caller means."""

from typing import Any

from tunesmith.base.numbers import MAX_THREADS
from tunesmith.base.parameters import parameter
from tunesmith.engine.base import Engine, EngineLike
from tunesmith.engine.threads import ALL_CORES, ThreadEngine


def as_engine(engine: EngineLike) -> Engine:
    """The engine itself, or so many threads of this machine.

    >>> as_engine(2).threads
    2
    """
    return ThreadEngine(engine) if isinstance(engine, int) else engine


def engine_parameter(meaning: str = "threads") -> Any:
    """The keyword ``engine`` of a class; the command line calls it ``--threads``."""
    return parameter(ALL_CORES, meaning, at_least=0, at_most=MAX_THREADS)
