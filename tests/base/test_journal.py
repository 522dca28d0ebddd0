"""The journal of a long command: what it keeps, what it does again, what it refuses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.journal import SUFFIX, journal

LINES = [f"line {i}\u2028é" for i in range(10)]


class Killed(BaseException):
    pass


def upper(out, lines, *, settings=None, size=3, kill_after=None):
    """What `lines` become, and how many were done now; killed before one block more."""
    done = 0
    with journal(out, settings or {"a": 1}) as kept:
        for number, block in enumerate(kept.missing(iter(lines), size)):
            if number == kill_after:
                raise Killed
            kept.add(block, [line.upper() for line in block])
            done += len(block)
        return list(kept.results()), done


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def kill(out, after, **options):
    with pytest.raises(Killed):
        upper(out, LINES, kill_after=after, **options)


def test_a_killed_run_goes_on_where_it_was(out):
    kill(out, 2)
    assert upper(out, LINES) == ([line.upper() for line in LINES], 4)
    assert not list(out.parent.iterdir())


@given(st.integers(0, 400), st.integers(0, 3), st.integers(1, 4))
def test_cut_anywhere_the_result_is_the_same(tmp_path_factory, cut, after, size):
    out = tmp_path_factory.mktemp("journal") / "out"
    kill(out, after)
    path = out.with_name(out.name + SUFFIX)
    path.write_bytes(path.read_bytes()[:cut])
    assert upper(out, LINES, size=size)[0] == [line.upper() for line in LINES]


def test_what_another_run_has_left_is_not_used(out):
    kill(out, 2)
    assert upper(out, LINES, settings={"a": 2})[1] == 10


def test_lines_that_have_changed_are_done_again(out, capsys):
    kill(out, 3)
    changed = [*LINES[:4], "new", *LINES[5:]]
    assert upper(out, changed) == ([line.upper() for line in changed], 7)
    kill(out, 3)
    assert upper(out, LINES[:5])[0] == [line.upper() for line in LINES[:5]]


def test_nothing_is_left_of_what_is_refused(out):
    def lines():
        yield from LINES
        raise InputError("x", 1, "y")

    with pytest.raises(InputError):
        upper(out, lines())
    assert not list(out.parent.iterdir())


def test_one_process_at_a_time(out):
    with journal(out, {}), pytest.raises(OptionError) as caught, journal(out, {}):
        pass
    assert str(caught.value) == f"{out} is being written by another process"


def test_a_folder_that_is_not_there(tmp_path):
    path = tmp_path / "no" / "out"
    with pytest.raises(InputError, match="No such file or directory, expected a writable file"):
        upper(path, LINES)
