"""Work in processes: all of it is done, its errors arrive, memory decides how much runs at once."""

import os
import signal
import time

import pytest

from tunesmith.base.errors import InputError, TunesmithError
from tunesmith.engine import processes
from tunesmith.engine.processes import available_memory, peak_memory, run_in_processes


def square(number):
    return number * number, os.getpid()


def fail_at_two(number):
    if number == 2:
        raise InputError("file", 7, "two", "another number")
    time.sleep(0.01)
    return number


def peak_with_megabytes(number):
    b"x" * (number * 1_000_000)
    return peak_memory()


def die(number):
    os.kill(os.getpid(), signal.SIGKILL)


def test_everything_is_done_once_elsewhere():
    results = dict(run_in_processes([3, 4, 5], square, jobs=2))
    assert {number: value for number, (value, _) in results.items()} == {0: 9, 1: 16, 2: 25}
    workers = {worker for _, worker in results.values()}
    assert len(workers) == 3
    assert os.getpid() not in workers


def test_no_work_is_done_at_once():
    assert list(run_in_processes([], square, jobs=3)) == []


def test_what_one_takes_is_not_counted_to_the_next():
    (_, large), (_, small) = run_in_processes([300, 0], peak_with_megabytes, jobs=1)
    assert large - small > 200e6


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_workers_error_arrives_whole(jobs):
    with pytest.raises(InputError, match="file:7: two, expected another number"):
        list(run_in_processes([1, 2, 3], fail_at_two, jobs=jobs))


def test_a_killed_worker_is_named():
    with pytest.raises(TunesmithError, match="a worker process ended with exit code -9"):
        list(run_in_processes([1], die, jobs=2))


def test_memory_decides(monkeypatch):
    room = processes._has_room
    assert room(0, 0)
    assert not room(0, 1)  # nobody knows yet what one takes
    monkeypatch.setattr(processes, "available_memory", lambda: 1000)
    assert room(400, 1)
    assert not room(400, 2)
    assert room(10**9, 0)  # what does not fit beside nothing is tried all the same
    monkeypatch.setattr(processes, "available_memory", lambda: None)
    assert room(400, 7)


def test_memory_is_known():
    assert peak_memory() > 10**7
    available = available_memory()
    assert available is None or available > 0
