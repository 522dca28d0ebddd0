"""Work for the tests of clusters, in a module that workers can import."""

import errno
import os
import signal
from pathlib import Path

from reference.standstill import wait_until
from tunesmith.base.errors import InputError
from tunesmith.engine.packing import Resident


def square(number):
    return number * number


def meet(number, *, folder):
    """Waits until three work side by side: each on a worker of its own."""
    (folder / f"here.{number}").touch()
    wait_until(lambda: len(list(folder.glob("here.*"))) == 3)
    return os.getpid()


def bracketed(one, other):
    return f"({one}{other})"


def fail(number):
    raise InputError("file", 7, "two", "another number")


def fill_the_disk(number):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/some/file")


def die(number):
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(number, *, folder):
    """The first worker that gets number 1 dies of it."""
    if number == 1 and not (folder / "died").exists():
        (folder / "died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def on_a_node(number, *, folder):
    """Tells where it works, and works until it is told to go on."""
    import ray

    (folder / f"began.{number}.{ray.get_runtime_context().get_node_id()}").touch()
    wait_until((folder / "go").exists)
    return bytes([number]) * 300_000  # too much to travel with the answer


def first_two(one, other):
    return one[:200_000] + other[:200_000]


def text_of(path, *, other):
    """What is in a file, and in one below a folder; and a file that it makes there."""
    made = other / f"made.{path.name}"
    made.write_text(path.read_text() + (other / "below" / "b").read_text())
    return str(path), made


class Opened(Resident):
    """Counts how often it was used where it is."""

    def __init__(self):
        self.uses = 0

    def __getstate__(self):
        return {"uses": 0}


def use(number, *, opened: Opened, folder: Path):
    meet(number, folder=folder)
    opened.uses += 1
    return opened.uses
