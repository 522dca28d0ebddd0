from dataclasses import dataclass

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import check_parameters, parameter, parameters_of


@dataclass
class Example:
    plain: int = 0
    passes: int = parameter(3, "passes", at_least=1)
    rate: float = parameter(0.5, "rate", above=0, at_most=1)
    kind: str = parameter("a", "kind", choices=("a", "b"))
    flag: bool = parameter(False, "flag")


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
