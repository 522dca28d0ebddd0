"""Hyper-parameters: a dataclass field with its meaning and its limits, checked once at use.

The command line derives its options from the same fields.
"""

import dataclasses
import math
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any

from tunesmith.base.errors import OptionError
from tunesmith.base.numbers import MAX_WHOLE, parse_number, parse_whole


def parameter(
    default: Any,
    meaning: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """A keyword of a constructor: its default, its meaning, the values that it may take.

    Limits that are not given are those of native code (`what_is_wrong`).
    """
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
        if (expected := what_is_wrong(field, value)) is not None:
            shown = repr(value) if isinstance(value, str) else value
            raise OptionError(f"{field.name} is {shown}, expected {expected}")


def what_is_wrong(field: "dataclasses.Field[Any]", value: Any) -> str | None:
    """What a parameter should be instead of `value`; None if it may be that.

    A whole number fits into what native code takes unless its declaration has other limits, and a
    number is finite unless its default is not.
    """
    limits = field.metadata
    if limits["choices"] and value not in limits["choices"]:
        return f"one of: {', '.join(limits['choices'])}"
    if (kind := _wrong_type(field.default, value)) is not None:
        return kind
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    above, lowest, highest = limits["above"], limits["at_least"], limits["at_most"]
    if isinstance(value, Integral):
        lowest = -MAX_WHOLE if lowest is None else lowest
        highest = MAX_WHOLE if highest is None else highest
    if math.isnan(value):
        return "a number"
    if above is not None and not value > above:
        return f"more than {above}"
    if lowest is not None and not value >= lowest:
        return f"at least {lowest}"
    if highest is not None and not value <= highest:
        return f"at most {highest}"
    may_be_infinite = isinstance(field.default, float) and math.isinf(field.default)
    return "a finite number" if math.isinf(value) and not may_be_infinite else None


def _wrong_type(default: Any, value: Any) -> str | None:
    """What a value should be that is not of the kind of a parameter's default."""
    if isinstance(default, bool):
        return None if isinstance(value, bool) else "true or false"
    if isinstance(default, int):
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        return None if whole else "a whole number"
    if isinstance(default, float):
        return "a number" if isinstance(value, bool) or not isinstance(value, Real) else None
    if isinstance(default, str):
        return "text" if isinstance(value, Real) else None
    return None


def typed_value(option: str, text: str, default: Any) -> Any:
    """`text` as a value of the type of `default`; `option` is its name, for messages."""
    if isinstance(default, bool):
        values = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if text.lower() not in values:
            raise OptionError(f"{option} is '{text}', expected true or false")
        return values[text.lower()]
    if isinstance(default, int | float):
        try:
            return parse_whole(text) if isinstance(default, int) else parse_number(text)
        except ValueError as error:
            kind = "a whole number" if isinstance(default, int) else "a number"
            raise OptionError(f"{option} is '{text}', expected {kind}") from error
    return text
