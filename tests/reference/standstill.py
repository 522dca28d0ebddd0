"""Commands that stop at a state of their files, so that a test can look at them or kill them there.

The command stops itself as soon as it has written what the test waits for. So the test is neither
too early nor too late, however busy the machine is.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path

# Seconds after which what is waited for counts as failed.
DEADLINE = 600.0
_STATE = "TUNESMITH_STANDSTILL"
# Calls after which files may have changed.
_WRITES = {"write", "flush", "close", "__exit__", "replace", "rename", "mkdir"}


@dataclass(frozen=True)
class Written:
    """A state: there are `times` files or folders below `place` whose names match `name`.

    With `text`, these files contain it so many times in all. `place` may be a file itself.
    """

    place: str | Path
    name: str = "*"
    times: int = 1
    text: str = ""

    def is_reached(self) -> bool:
        """Whether the files are in this state now."""
        return sum(map(self._count, self._paths())) >= self.times

    def _paths(self):
        if not os.path.isdir(self.place):
            yield from [self.place] * os.path.exists(self.place)
            return
        # Folders go away while they are looked at, which os.walk takes calmly and rglob does not.
        for folder, folders, files in os.walk(self.place):
            for one in (*folders, *files):
                if fnmatch(one, self.name):
                    yield os.path.join(folder, one)

    def _count(self, path):
        if not self.text:
            return 1
        try:
            return Path(path).read_bytes().count(self.text.encode())
        except OSError:
            return 0


@contextmanager
def standing_still(arguments, state, **options):
    """Run `tunesmith ARGUMENTS` until `state` is reached, yield the stopped process, then kill it.

    The processes that it has started are stopped too. SIGCONT lets it go on.
    """
    tests = str(Path(__file__).parents[1])
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), tests]))
    known = json.dumps({**asdict(state), "place": os.path.abspath(state.place)})
    process = subprocess.Popen(
        [sys.executable, "-m", "reference.standstill", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path, _STATE: known},
        start_new_session=True, **options,
    )  # fmt: skip
    try:
        _wait_until_stopped(process, state)
        yield process
    finally:
        process.kill()
        process.wait()
        with suppress(ProcessLookupError):  # its workers go on, and end because it has ended
            os.killpg(process.pid, signal.SIGCONT)


def kill_when(state, arguments, **options):
    """Run `tunesmith ARGUMENTS` and kill it at `state`; it is an error if it ends before that."""
    with standing_still(arguments, state, **options):
        pass


def wait_until(reached):
    """Wait until `reached()` is true, and return it."""
    end = time.monotonic() + DEADLINE
    while not (found := reached()):
        assert time.monotonic() < end, f"not within {DEADLINE:g} seconds"
        time.sleep(0.01)
    return found


def _wait_until_stopped(process, state):
    def status():
        number, status = os.waitpid(process.pid, os.WUNTRACED | os.WNOHANG)
        return number and (status,)

    (status,) = wait_until(status)
    if not os.WIFSTOPPED(status):
        process.returncode = os.waitstatus_to_exitcode(status)
        raise AssertionError(f"ended with exit code {process.returncode} before {state}")


def _stop_at(state):
    def profile(frame, event, argument):
        if _STATE not in os.environ:
            sys.setprofile(None)
        elif (
            event == "c_return"
            and argument.__name__ in _WRITES
            and state.is_reached()
            and os.environ.pop(_STATE, None)  # once, and never in processes that it starts later
        ):
            os.kill(0, signal.SIGSTOP)

    threading.setprofile(profile)
    sys.setprofile(profile)


if _STATE in os.environ:  # also in the workers that the command starts
    _stop_at(Written(**json.loads(os.environ[_STATE])))

if __name__ == "__main__":
    from tunesmith.cli.main import main

    sys.exit(main())
