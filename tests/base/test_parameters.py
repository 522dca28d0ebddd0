import importlib
import pkgutil
from dataclasses import dataclass, is_dataclass, replace

import numpy as np
import pytest

import tunesmith
from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import check_parameters, parameter, parameters_of, what_is_wrong


@dataclass
class Example:
    plain: int = 0
    passes: int = parameter(3, "passes", at_least=1)
    rate: float = parameter(0.5, "rate", above=0, at_most=1)
    kind: str = parameter("a", "kind", choices=("a", "b"))
    flag: bool = parameter(False, "flag")


@dataclass
class Unlimited:
    passes: int = parameter(3, "passes")
    rate: float = parameter(0.5, "rate", at_least=0)
    size: float = parameter(1.0, "size")
    beam: float = parameter(float("inf"), "beam", above=0)
    flag: bool = parameter(False, "flag")
    name: str = parameter("", "name")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"passes": 0}, "passes is 0, expected at least 1"),
        ({"rate": 0.0}, "rate is 0.0, expected more than 0"),
        ({"rate": 1.5}, "rate is 1.5, expected at most 1"),
        ({"rate": float("nan")}, "rate is nan, expected a number"),
        ({"kind": "c"}, "kind is 'c', expected one of: a, b"),
    ],
)
def test_limits(values, message):
    with pytest.raises(OptionError) as caught:
        check_parameters(Example(**values))
    assert str(caught.value) == message


def test_only_declared_fields_are_parameters():
    check_parameters(Example())
    assert [item.name for item in parameters_of(Example)] == ["passes", "rate", "kind", "flag"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"passes": 2**31}, "passes is 2147483648, expected at most 2147483647"),
        ({"passes": 10**30}, f"passes is {10**30}, expected at most 2147483647"),
        ({"passes": 2.5}, "passes is 2.5, expected a whole number"),
        ({"passes": True}, "passes is True, expected a whole number"),
        ({"rate": "0.5"}, "rate is '0.5', expected a number"),
        ({"size": float("inf")}, "size is inf, expected a finite number"),
        ({"size": float("-inf")}, "size is -inf, expected a finite number"),
        ({"flag": 1}, "flag is 1, expected true or false"),
        ({"name": 3}, "name is 3, expected text"),
    ],
)
def test_what_native_code_cannot_take_is_refused(values, message):
    with pytest.raises(OptionError) as caught:
        check_parameters(replace(Unlimited(), **values))
    assert str(caught.value) == message


def test_what_is_infinite_by_default_may_be_infinite():
    check_parameters(Unlimited(beam=3.0))
    check_parameters(Unlimited(passes=np.int64(3), rate=np.float32(0.5)))


def classes_with_parameters():
    """All of the project's, wherever they are."""
    found = {}
    for module in pkgutil.walk_packages(tunesmith.__path__, "tunesmith."):
        for kind in vars(importlib.import_module(module.name)).values():
            if isinstance(kind, type) and is_dataclass(kind) and any(parameters_of(kind)):
                found[f"{kind.__module__}.{kind.__qualname__}"] = kind
    return found


CLASSES = classes_with_parameters()


def test_there_are_many():
    assert len(CLASSES) > 25


@pytest.mark.parametrize("name", CLASSES)
def test_whole_numbers_have_limits_that_fit_and_numbers_are_finite(name):
    for field in parameters_of(CLASSES[name]):
        if isinstance(field.default, bool):
            continue
        if isinstance(field.default, int):
            for beyond in (2**63, -(2**63) - 1, 10**30):
                assert what_is_wrong(field, beyond) is not None, field.name
            if field.metadata["at_most"] is None:
                assert what_is_wrong(field, 2**31) is not None, field.name
        if isinstance(field.default, float):
            assert what_is_wrong(field, float("nan")) is not None, field.name
            if field.default != float("inf"):
                assert what_is_wrong(field, float("inf")) is not None, field.name


@pytest.mark.parametrize(
    "name", [name for name, kind in CLASSES.items() if hasattr(kind, "native")]
)
def test_native_code_takes_the_largest_and_the_smallest_that_are_allowed(name):
    instance = CLASSES[name]()
    for field in parameters_of(type(instance)):
        if isinstance(field.default, bool) or not isinstance(field.default, int):
            continue
        for limit in (field.metadata["at_most"] or 2**31 - 1, field.metadata["at_least"]):
            if limit is not None and what_is_wrong(field, limit) is None:
                replace(instance, **{field.name: limit}).native()
