"""Tunesmith: statistical machine translation that you can take apart, trained discriminatively."""

from importlib.metadata import version

__version__ = version("tunesmith")
