"""Engines: all shards are worked on, results come in their order, errors arrive whole."""

import operator
import os
import pickle
import signal
import threading
from functools import partial

import pytest

from reference.standstill import DEADLINE, wait_until
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.base.numbers import MAX_THREADS
from tunesmith.engine import ALL_CORES, ThreadEngine, as_engine, memory, processes
from tunesmith.engine.memory import available_memory, has_room, peak_memory
from tunesmith.engine.processes import ProcessEngine
from tunesmith.engine.shards import ranges
from tunesmith.engine.watched import Watched

ENGINES = [ThreadEngine(1), ThreadEngine(3), ProcessEngine(1), ProcessEngine(3)]


def square(number):
    return number * number, os.getpid()


def late_if_first(number, *, scale, folder):
    """The first shard is done after the second, where both are worked on at the same time."""
    if folder is not None and number == 1:
        wait_until((folder / "2").exists)
    elif folder is not None:
        (folder / str(number)).touch()
    return scale * number


def fail_at_two(number):
    if number == 2:
        raise InputError("file", 7, "two", "another number")
    return number


def peak_with_megabytes(number):
    b"x" * (number * 1_000_000)
    return peak_memory()


def die(number):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def tenfold(engine, tmp_path, monkeypatch):
    """Work of which the first shard is late if the engine can do two at a time."""
    monkeypatch.setattr(processes, "has_room", lambda largest, running: True)
    one_by_one = engine in (ThreadEngine(1), ProcessEngine(1))
    return partial(late_if_first, scale=10, folder=None if one_by_one else tmp_path)


@pytest.mark.parametrize("engine", ENGINES, ids=str)
class TestEveryEngine:
    def test_results_come_in_the_order_of_the_shards(self, engine, tenfold):
        assert engine.map(tenfold, [1, 2, 3, 4]) == [10, 20, 30, 40]

    def test_as_done_gives_every_number_once(self, engine, tenfold):
        found = list(engine.as_done(tenfold, [1, 2, 3]))
        assert sorted(found) == [(0, 10), (1, 20), (2, 30)]

    def test_who_watches_hears_of_every_shard_once(self, engine, tenfold):
        heard = []
        watched = Watched(engine, heard.append)
        assert (watched.threads, watched.workers) == (engine.threads, engine.workers)
        assert watched.share(2) == engine.share(2)
        assert watched.map(tenfold, [1, 2, 3]) == [10, 20, 30]
        assert watched.reduce(tenfold, [1, 2, 3], operator.add) == 60
        assert sorted(heard) == [0, 0, 1, 1, 2, 2]

    def test_nothing_to_do_is_done_at_once(self, engine):
        assert engine.map(square, []) == list(engine.as_done(square, [])) == []

    def test_the_error_of_a_shard_arrives_whole(self, engine):
        for gather in (engine.map, lambda *work: list(engine.as_done(*work))):
            with pytest.raises(InputError, match="file:7: two, expected another number"):
                gather(fail_at_two, [1, 2, 3])

    def test_it_can_travel(self, engine):
        assert pickle.loads(pickle.dumps(engine)) == engine


def test_threads_share_the_memory_and_processes_do_not():
    assert {who for _, who in ThreadEngine(2).map(square, [3, 4, 5])} == {os.getpid()}
    workers = {who for _, who in ProcessEngine(2).map(square, [3, 4, 5])}
    assert len(workers) == 3
    assert os.getpid() not in workers
    assert ThreadEngine(5).workers == 1
    assert ProcessEngine(3, 5).workers == 3


def test_what_is_done_first_is_given_first():
    second_is_given = threading.Event()

    def late_if_first(number):
        assert number == 2 or second_is_given.wait(DEADLINE)
        return number

    done = ThreadEngine(2).as_done(late_if_first, [1, 2])
    assert next(done) == (1, 2)
    second_is_given.set()
    assert list(done) == [(0, 1)]


def test_the_number_of_threads():
    cores = len(os.sched_getaffinity(0))
    assert ALL_CORES.threads == ThreadEngine().threads == ProcessEngine().threads == cores
    assert ProcessEngine().workers == cores
    assert as_engine(0) == ALL_CORES
    assert as_engine(3).threads == 3
    engine = ProcessEngine(2)
    assert as_engine(engine) is engine


@pytest.mark.parametrize("engine", [ThreadEngine(8), ProcessEngine(5, 8)], ids=str)
def test_parts_share_out_the_threads(engine):
    assert [engine.share(parts).threads for parts in (0, 1, 3, 4)] == [8, 8, 2, 2]
    assert ThreadEngine(8).share(20).threads == 1
    assert ProcessEngine(2, 8).share(20).threads == 4  # two run at a time


@pytest.mark.parametrize("threads", [-1, MAX_THREADS + 1, True])
def test_a_number_that_makes_no_sense_is_refused(threads):
    for make in (as_engine, ThreadEngine, partial(ProcessEngine, 1)):
        with pytest.raises(OptionError, match=rf"threads is {threads}, expected 0 \(all cores\) "):
            make(threads)
    with pytest.raises(OptionError, match="processes is -1, expected at least 0"):
        ProcessEngine(-1)


def test_what_one_takes_is_not_counted_to_the_next():
    large, small = ProcessEngine(1).map(peak_with_megabytes, [300, 0])
    assert large - small > 200e6


def test_a_killed_worker_is_named():
    with pytest.raises(TunesmithError, match="a worker process ended with exit code -9"):
        ProcessEngine(2).map(die, [1])


def test_memory_decides(monkeypatch):
    assert has_room(0, 0)
    assert not has_room(0, 1)  # nobody knows yet what one takes
    monkeypatch.setattr(memory, "available_memory", lambda: 1000)
    assert has_room(400, 1)
    assert not has_room(400, 2)
    assert has_room(10**9, 0)  # what does not fit beside nothing is tried all the same
    monkeypatch.setattr(memory, "available_memory", lambda: None)
    assert has_room(400, 7)


def test_memory_is_known():
    assert peak_memory() > 10**7
    available = available_memory()
    assert available is None or available > 0


@pytest.mark.parametrize("parts", [1, 2, 7, 100])
def test_ranges_follow_one_another(parts):
    for total in (0, 1, 5, 23):
        cut = ranges(total, parts)
        assert [i for begin, end in cut for i in range(begin, end)] == list(range(total))
        assert len(cut) == min(parts, total)
