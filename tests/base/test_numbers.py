import pytest

from tunesmith.base.numbers import parse_finite, parse_number, parse_whole

NO_NUMBERS = (
    "",
    " 1",
    "1 ",
    "1_000",
    "٣",
    "１",
    "0x10",
    "--1",
    "1e",
    "e1",
    ".",
    "1.2.3",
    "nan",
    "x",
)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number(text):
    for parse in (parse_whole, parse_number, parse_finite):
        with pytest.raises(ValueError, match="is no"):
            parse(text)


@pytest.mark.parametrize("text", ["1.5", "1e3", "inf", "1."])
def test_what_is_not_whole(text):
    with pytest.raises(ValueError, match="is no whole number"):
        parse_whole(text)
    assert parse_number(text) == float(text)


@pytest.mark.parametrize("text", ["inf", "-Infinity", "1e999", "-1e999"])
def test_what_is_not_finite(text):
    assert abs(parse_number(text)) == float("inf")
    with pytest.raises(ValueError, match="is not finite"):
        parse_finite(text)


def test_numbers():
    assert [parse_whole(text) for text in ("0", "-12", "+3", "007")] == [0, -12, 3, 7]
    assert parse_finite("-1.5e-3") == -0.0015
    assert parse_number(".5") == 0.5
