"""Options as keywords: which are there, which differ, which can change a result."""

from dataclasses import fields
from typing import Any

from tunesmith.align import Aligner
from tunesmith.base.parameters import parameters_of


def replace_parameters(aligner: Aligner, **changes: Any) -> Aligner:
    """A copy with other keywords; what it has learned stays behind."""
    return Aligner(**{**keywords(aligner), **changes})


def keywords(options: Any) -> dict[str, Any]:
    """All parameters and their values."""
    return {item.name: getattr(options, item.name) for item in parameters_of(type(options))}


def relevant(options: Any) -> dict[str, Any]:
    """The keywords that can change a result; the engine and memory cannot."""
    free = {"engine", "memory_mb"}
    return {name: value for name, value in keywords(options).items() if name not in free}


def changed(options: Any) -> dict[str, Any]:
    """The keywords that differ from their defaults."""
    return {
        item.name: getattr(options, item.name)
        for item in fields(options)
        if getattr(options, item.name) != item.default
    }
