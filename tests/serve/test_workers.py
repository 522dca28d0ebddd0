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


def test_detection_among_the_served_languages():
    detector = Detector(["de", "en", "ru", "nb", "ti", "de"])
    assert detector.languages == ["de", "en", "ru", "nb", "ti"]
    for text, language, least in (
        ("Guten Morgen, wie geht es Ihnen?", "de", 0.99), ("zwei Männer", "de", 0.9),
        ("What time does the train leave?", "en", 0.99), ("Доброе утро", "ru", 0.6),
        ("Hva heter du? Jeg heter Kari.", "nb", 0.9), ("the " * 100_000, "en", 0.5),
    ):  # fmt: skip
        ranked = detector.detect(text)
        assert ranked[0][0] == language
        assert ranked[0][1] > least
        assert sum(share for _, share in ranked) <= 1
    assert [share for _, share in detector.detect("12 !?")] == [0] * 5


def test_text_in_none_of_the_served_languages_is_taken_for_none():
    detector = Detector(["de", "en"])
    for text in ("Où est la gare, s'il vous plaît ?", "Gdzie jest dworzec?", "Где вокзал?"):
        assert max(share for _, share in detector.detect(text)) < 0.1
    assert detector.likeliest("Gdzie jest dworzec?")[0] == "pl"
    assert Detector([]).detect("Where?") == []


def test_sentences_of_a_corpus_are_identified(data):
    detector = Detector(["de", "en"])
    for code in ("de", "en"):
        lines = (data / f"multi30k/val.{code}").read_text().splitlines()
        right = sum(detector.detect(line)[0][0] == code for line in lines)
        assert right >= 0.995 * len(lines)
