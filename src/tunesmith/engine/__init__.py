"""Where work runs: threads or processes of this machine, or a Ray cluster."""

from tunesmith.engine.base import Engine, EngineLike
from tunesmith.engine.choice import as_engine, engine_at, engine_parameter
from tunesmith.engine.threads import ALL_CORES, ThreadEngine

__all__ = [
    "ALL_CORES",
    "Engine",
    "EngineLike",
    "ThreadEngine",
    "as_engine",
    "engine_at",
    "engine_parameter",
]
