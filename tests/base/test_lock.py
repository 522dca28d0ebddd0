"""A folder for one process at a time: the second is told who is there, a kill leaves nothing."""

import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.lock import LOCK_FILE, locked

HOLD = """
import sys
from tunesmith.base.lock import locked
with locked(sys.argv[1]):
    print("ready", flush=True)
    sys.stdin.read()
"""
COUNT = """
import sys
from pathlib import Path
from tunesmith.base.lock import locked
folder, counter = map(Path, sys.argv[1:])
for _ in range(50):
    with locked(folder, wait=True):
        counter.write_text(str(int(counter.read_text()) + 1))
"""


@pytest.fixture
def other(tmp_path):
    """A process that works in `tmp_path / "work"`."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "work")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout.readline() == b"ready\n"
    yield process
    process.kill()
    process.communicate()


def test_the_other_process_is_named_and_its_end_ends_the_lock(tmp_path, other):
    work = tmp_path / "work"
    with pytest.raises(OptionError) as caught, locked(work):
        pass
    message = str(caught.value)
    assert message.startswith(
        f"{work} is in use by process {other.pid} on {socket.gethostname()}, which began at 20"
    )
    assert message.endswith("; wait until it has ended, or give another folder")
    other.communicate()
    with locked(work):
        assert (work / LOCK_FILE).read_text().startswith(f"process {os.getpid()} on ")


def test_a_kill_leaves_no_lock(tmp_path, other):
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert (tmp_path / "work" / LOCK_FILE).exists()
    with locked(tmp_path / "work"):
        pass
    assert not (tmp_path / "work" / LOCK_FILE).exists()


def test_one_at_a_time(tmp_path):
    # The file comes and goes while others are opening it.
    counter = tmp_path / "counter"
    counter.write_text("0")
    command = [sys.executable, "-c", COUNT, str(tmp_path / "work"), str(counter)]
    with ThreadPoolExecutor(4) as threads:
        codes = list(threads.map(lambda _: subprocess.call(command), range(4)))
    assert codes == [0] * 4
    assert counter.read_text() == "200"


def test_a_folder_that_goes_while_it_is_looked_for_is_made_again(tmp_path, monkeypatch):
    mkdir, failures = Path.mkdir, [FileExistsError(), FileNotFoundError()]

    def gone_meanwhile(self, *arguments, **options):
        if failures:
            raise failures.pop()
        mkdir(self, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", gone_meanwhile)
    with locked(tmp_path / "work"):
        assert (tmp_path / "work" / LOCK_FILE).exists()


def test_a_folder_that_stays_empty_goes_again_if_it_is_new(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "new"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
    with locked(tmp_path / "new"):
        (tmp_path / "new" / "file").touch()
    with locked(tmp_path / "new"):
        pass
    assert [path.name for path in tmp_path.rglob("*")] == ["new", "file"]


def test_what_cannot_be_a_folder_is_said(tmp_path):
    (tmp_path / "file").touch()
    message = "file: File exists, expected a writable folder"
    with pytest.raises(InputError, match=message), locked(tmp_path / "file"):
        pass
