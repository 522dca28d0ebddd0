"""Tunesmith: statistical machine translation that you can take apart, trained discriminatively."""

from typing import Any


def __getattr__(name: str) -> Any:
    # Looked up when asked for: importlib.metadata is slow to import.
    if name == "__version__":
        from importlib.metadata import version

        return version("tunesmith")
    raise AttributeError(f"module 'tunesmith' has no attribute '{name}'")
