"""Threads that take turns; what is remembered; which language a text is in."""

import asyncio
import threading

import pytest

from reference.standstill import DEADLINE
from reference.tiny_server import run_apart
from tunesmith.serve.detecting import Detector
from tunesmith.serve.failures import Failure
from tunesmith.serve.models import Remembered
from tunesmith.serve.workers import Workers


@pytest.fixture
def workers():
    one = Workers(1, 3)
    yield one
    one.close()


def test_results_come_in_the_order_of_the_parts():
    several = Workers(4, 1)
    done = [threading.Event() for _ in range(20)]

    def part(number):
        if number % 2 == 0:
            assert done[number + 1].wait(DEADLINE)
        done[number].set()
        return number

    async def work():
        return await several.run([lambda n=n: part(n) for n in range(20)])

    assert run_apart(work()) == list(range(20))
    several.close()


def test_jobs_take_turns(workers):
    order = []

    async def work():
        gate = threading.Event()
        first = asyncio.create_task(workers.run([gate.wait]))
        jobs = [
            asyncio.create_task(workers.run([lambda n=n, i=i: order.append((n, i)) for i in parts]))
            for n, parts in enumerate((range(3), range(1), range(2)))
        ]
        await asyncio.sleep(0)  # all have asked now
        gate.set()
        await asyncio.gather(first, *jobs)

    run_apart(work())
    assert order == [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2)]


def test_an_error_ends_a_job_and_nothing_else(workers):
    done = []

    def fail():
        raise ValueError("a fault")

    async def work():
        parts = [lambda: done.append(1), fail, lambda: done.append(3), lambda: done.append(4)]
        with pytest.raises(ValueError, match="a fault"):
            await workers.run(parts)
        return await workers.run([lambda: "well"])

    assert run_apart(work()) == ["well"]
    assert done == [1]


def test_nobody_is_admitted_when_all_places_are_taken(workers):
    with workers.admission(), workers.admission(), workers.admission():
        with pytest.raises(Failure, match="3 requests are waiting already") as refused:
            workers.admission().__enter__()
        assert refused.value.status == 429
        assert int(refused.value.headers["Retry-After"]) >= 1
    assert workers.admitted == 0
    with workers.admission():
        assert workers.admitted == 1


def test_what_is_given_up_is_not_done(workers):
    done = []

    async def work():
        gate = threading.Event()
        first = asyncio.create_task(workers.run([gate.wait]))
        given_up = asyncio.create_task(workers.run([lambda: done.append(1)]))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.sleep(0)
        gate.set()
        await first
        await workers.run([lambda: done.append(2)])

    run_apart(work())
    assert done == [2]


def test_the_oldest_is_forgotten():
    some = Remembered(3)
    for key in "abc":
        some.put(key, key.upper())
    assert some.get("a") == "A"
    some.put("d", "D")
    assert [some.get(key) for key in "abcd"] == ["A", None, "C", "D"]
    some.put("e", "E", 3)
    assert [some.get(key) for key in "acde"] == [None, None, None, "E"]
    some.put("f", "F", 4)
    assert some.get("f") is None
    nothing = Remembered(0)
    nothing.put("a", 1)
    assert nothing.get("a") is None


def test_languages_are_told_apart_by_words_and_letters():
    words = {
        "de": {"der": 50, "und": 40, "schön": 3, "straße": 2, "machen": 4},
        "en": {"the": 50, "and": 40, "nice": 3, "street": 2, "make": 4},
        "ru": {"и": 50, "улица": 2},
    }
    detector = Detector(words)
    assert detector.detect("und der")[0][0] == "de"
    assert detector.detect("lachen größe")[0][0] == "de"  # by letters alone
    assert detector.detect("и ночь")[0][0] == "ru"
    assert sum(share for _, share in detector.detect("the")) == pytest.approx(1)
    assert [share for _, share in detector.detect("12 !?")] == [0, 0, 0]
    assert detector.detect("the " * 100_000)[0][0] == "en"


def test_a_word_is_held_to_be_of_its_text(data):
    """Sentences of a corpus whose first half was learned from."""
    counts, texts = {}, {}
    for code in ("de", "en"):
        lines = (data / f"multi30k/val.{code}").read_text().splitlines()
        counts[code] = {}
        for word in " ".join(lines[:500]).split():
            counts[code][word] = counts[code].get(word, 0) + 1
        texts[code] = lines[500:]
    detector = Detector(counts)
    for code, lines in texts.items():
        right = sum(detector.detect(line)[0][0] == code for line in lines)
        assert right >= 0.995 * len(lines)
