"""Hyper-parameters: a dataclass field with its meaning and its limits, checked once at use.

The command line derives its options from the same fields.
"""

import dataclasses
from collections.abc import Iterator
from typing import Any

from tunesmith.base.errors import OptionError


def parameter(
    default: Any,
    meaning: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """A keyword of a constructor: its default, its meaning, the values that it may take."""
    limits = {"above": above, "at_least": at_least, "at_most": at_most, "choices": choices}
    return dataclasses.field(default=default, metadata={"meaning": meaning, **limits}, kw_only=True)


def parameters_of(kind: type) -> Iterator[dataclasses.Field[Any]]:
    """The fields of `kind` that were declared with `parameter`."""
    return (field for field in dataclasses.fields(kind) if "meaning" in field.metadata)


def fill_native(instance: Any, native: Any, *, without: tuple[str, ...] = ()) -> None:
    """Check the parameters, and give them to the fields of the same names of a native struct."""
    check_parameters(instance)
    for field in parameters_of(type(instance)):
        if field.name not in without:
            setattr(native, field.name, getattr(instance, field.name))


def check_parameters(instance: Any) -> None:
    """Refuse values outside the declared limits.

    >>> @dataclasses.dataclass
    ... class Example:
    ...     passes: int = parameter(30, "passes over the data", at_least=1)
    >>> check_parameters(Example(passes=0))
    Traceback (most recent call last):
    tunesmith.base.errors.OptionError: passes is 0, expected at least 1
    """
    for field in parameters_of(type(instance)):
        value = getattr(instance, field.name)
        limits = field.metadata
        if limits["choices"] and value not in limits["choices"]:
            options = ", ".join(limits["choices"])
            raise OptionError(f"{field.name} is {value!r}, expected one of: {options}")
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if value != value:
            raise OptionError(f"{field.name} is {value}, expected a number")
        if limits["above"] is not None and not value > limits["above"]:
            raise OptionError(f"{field.name} is {value}, expected more than {limits['above']}")
        if limits["at_least"] is not None and not value >= limits["at_least"]:
            raise OptionError(f"{field.name} is {value}, expected at least {limits['at_least']}")
        if limits["at_most"] is not None and not value <= limits["at_most"]:
            raise OptionError(f"{field.name} is {value}, expected at most {limits['at_most']}")
