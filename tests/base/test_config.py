from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest

from tunesmith.base.config import from_mapping, read_config
from tunesmith.base.errors import ConfigError, InputError


@dataclass(frozen=True)
class Inner:
    order: int = 5
    rate: float = 0.5


@dataclass(frozen=True)
class Outer:
    name: str = ""
    kind: Literal["a", "b"] = "a"
    inner: Inner = field(default_factory=Inner)
    files: list[Path] = field(default_factory=list)
    limit: int | None = None
    flag: bool = False
    more: dict[str, float] = field(default_factory=dict)


def test_values_land_in_their_fields(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text(
        'name = "x"\nkind = "b"\nfiles = ["p", "q"]\nlimit = 3\nflag = true\n'
        "[inner]\norder = 2\nrate = 1\n[more]\nC = 1\n"
    )
    assert read_config(path, Outer) == Outer(
        "x", "b", Inner(2, 1.0), [Path("p"), Path("q")], 3, True, {"C": 1.0}
    )
    assert read_config(_written(path, ""), Outer) == Outer()


def test_what_a_table_does_not_say_is_as_without_it():
    @dataclass
    class Holder:
        inner: Inner = field(default_factory=lambda: Inner(order=9))

    assert from_mapping({"inner": {"rate": 1.0}}, Holder) == Holder(Inner(9, 1.0))


def test_what_a_class_finds_out_by_itself_is_no_key():
    @dataclass
    class Learner:
        passes: int = 1
        learned_: float = field(init=False)

    assert from_mapping({"passes": 2}, Learner).passes == 2
    with pytest.raises(ConfigError, match="unknown key 'learned_', expected one of: passes"):
        from_mapping({"learned_": 1.0}, Learner)


def _written(path, text):
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "nmae = 1",
            "unknown key 'nmae', expected one of: name, kind, inner, files, limit, flag, more",
        ),
        ("[inner]\nordre = 1", "unknown key 'inner.ordre', expected one of: order, rate"),
        ("[inner]\norder = 1.5", "key 'inner.order' is 1.5, expected a whole number"),
        ('[inner]\nrate = "x"', "key 'inner.rate' is 'x', expected a number"),
        ("name = 1", "key 'name' is 1, expected text"),
        ("[inner]\norder = true", "key 'inner.order' is True, expected a whole number"),
        ('kind = "c"', "key 'kind' is 'c'"),
        ("files = 1", "key 'files' is 1"),
        ("more = 1", "key 'more' is 1, expected dict[str, float]"),
        ('[more]\nC = "x"', "key 'more.C' is 'x', expected a number"),
        ("name = ", "Invalid value"),
        ("\x00", "c.toml: "),
    ],
)
def test_what_does_not_fit_is_named(tmp_path, text, message):
    with pytest.raises(InputError) as caught:
        read_config(_written(tmp_path / "c.toml", text), Outer)
    assert message in str(caught.value)


def test_missing_files_and_mappings():
    with pytest.raises(InputError, match="No such file or directory, expected a readable TOML"):
        read_config("nowhere.toml", Outer)
    with pytest.raises(ConfigError):
        from_mapping({"x": 1}, Outer)


def test_a_missing_key_without_a_default_is_named():
    @dataclass(frozen=True)
    class Needy:
        size: int
        order: int = 5

    with pytest.raises(ConfigError, match=r"^no key 'size'$"):
        from_mapping({"order": 1}, Needy)
    assert from_mapping({"size": 1}, Needy) == Needy(1)
