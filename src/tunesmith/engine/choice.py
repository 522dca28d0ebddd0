"""Which engine a caller means."""

from typing import Any

from tunesmith.base.errors import OptionError, kind_of
from tunesmith.base.numbers import MAX_THREADS
from tunesmith.base.parameters import parameter
from tunesmith.engine.base import Engine, EngineLike
from tunesmith.engine.threads import ALL_CORES, ThreadEngine


def as_engine(engine: EngineLike) -> Engine:
    """The engine itself, or so many threads of this machine.

    >>> as_engine(2).threads
    2
    """
    if isinstance(engine, int):
        return ThreadEngine(engine)
    if not hasattr(engine, "threads"):
        raise OptionError(f"the engine is {kind_of(engine)}, expected an Engine or threads")
    return engine


def engine_at(place: str, engine: ThreadEngine = ALL_CORES) -> Engine:
    """The engine that `place` names; `engine` has the threads of this machine.

    Places are ``threads``, ``processes``, ``ray`` (a cluster that is started on this machine),
    ``ray:HOST:PORT`` or ``ray:auto`` (one that this machine is a node of) and ``ray://HOST:PORT``
    (one elsewhere).

    >>> engine_at("ray:10.0.0.1:6379").address
    '10.0.0.1:6379'
    """
    kind, colon, address = place.partition(":")
    if place == "threads":
        return engine
    if place == "processes":
        from tunesmith.engine.processes import ProcessEngine

        return ProcessEngine(0, engine.count)
    if kind != "ray" or bool(colon) != bool(address.strip("/")):
        raise OptionError(
            f"engine '{place}', expected threads, processes, ray, ray:HOST:PORT, ray:auto or "
            "ray://HOST:PORT"
        )
    from tunesmith.engine.ray_engine import RayEngine

    return RayEngine(place if address.startswith("//") else address, engine.count)


def engine_parameter(meaning: str = "threads") -> Any:
    """The keyword ``engine`` of a class; the command line calls it ``--threads``."""
    return parameter(ALL_CORES, meaning, at_least=0, at_most=MAX_THREADS)
