import pytest

from tunesmith.base import progress as module
from tunesmith.base.progress import progress


@pytest.fixture(autouse=True)
def _is_shown(monkeypatch):
    """Whatever an earlier test of a command with --quiet has left behind, and conftest.py says."""
    monkeypatch.setattr(module, "_silent", False)
    monkeypatch.setattr(module, "LINE_INTERVAL", 10.0)


def test_lines_with_rate_and_time_left_where_there_is_no_terminal(monkeypatch, capsys):
    clock = iter([0.0, 5.0, 20.0, 21.0])
    monkeypatch.setattr(module.time, "monotonic", lambda: next(clock))
    with progress("reading", 100) as bar:
        bar.advance(10)
        bar.advance(30)
        bar.advance(1)
    assert capsys.readouterr().err == "reading: 40 of 100 (2/s, 30 s left)\n"
    assert bar.done == 41


def test_what_was_done_before_is_no_part_of_the_rate(monkeypatch, capsys):
    clock = iter([0.0, 20.0])
    monkeypatch.setattr(module.time, "monotonic", lambda: next(clock))
    with progress("reading", 1000) as bar:
        bar.skip(900)
        bar.advance(40)
    assert capsys.readouterr().err == "reading: 940 of 1,000 (2/s, 30 s left)\n"


def test_silence(monkeypatch, capsys):
    monkeypatch.setattr(module, "LINE_INTERVAL", 0.0)
    module.silence()
    try:
        with progress("reading", 100) as bar:
            bar.advance(10)
    finally:
        module.silence(False)
    assert capsys.readouterr().err == ""
    with progress("reading") as bar:
        bar.advance(10)
    assert capsys.readouterr().err.startswith("reading: 10 (")


def test_a_bar_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with progress("reading", 10) as bar:
        bar.skip(4)
        assert bar.rich.tasks[0].completed == 4
        bar.advance(6)
    assert bar.done == 10
