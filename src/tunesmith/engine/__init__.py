"""Where work runs: threads or processes of this machine now; a cluster takes the same place."""

from tunesmith.engine.base import Engine, EngineLike
from tunesmith.engine.choice import as_engine, engine_parameter
from tunesmith.engine.threads import ALL_CORES, ThreadEngine

__all__ = [
    "ALL_CORES",
    "Engine",
    "EngineLike",
    "ThreadEngine",
    "as_engine",
    "engine_parameter",
]
