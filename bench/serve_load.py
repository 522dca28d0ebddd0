"""The server under load: errors, latency beside the bare decode time, memory, overload.

    python bench/serve_load.py MODEL [--text FILE] [--clients 16] [--seconds 60] [--share 0.5]

Clients ask for one sentence at a time, each over a connection of its own. First they do not pause,
which keeps each of them waiting for all others and tells how many answers a second can be had; then
they pause between requests, so that `--share` of these are asked for; then they ask a server whose
queue is too short for them. What a sentence takes alone is the time of `Translator.translate` on
one thread in this process, before and behind each load. The server remembers no sentences.
"""

import argparse
import atexit
import http.client
import json
import os
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from shared_data import add_data_option

from tunesmith.decode import open_decoder
from tunesmith.decode.translate import Translator
from tunesmith.formats.text import read_lines
from tunesmith.model import TranslationModel

MEASURED = ("sentence", "request")
HEADERS = {"Content-Type": "application/json"}


class Load:
    """What clients saw in some seconds."""

    def __init__(self, port, lines, clients, seconds, pause):
        self.port, self.lines, self.pause = port, lines, pause
        self.end = time.monotonic() + seconds
        self.statuses, self.answers, self.longest = Counter(), [], 0.0
        self._lock = threading.Lock()
        threads = [threading.Thread(target=self._client, args=(n,)) for n in range(clients)]
        for thread in threads:
            thread.start()
        self.memory = [metrics(port)["process_resident_memory_bytes"]]
        for _ in range(3):
            time.sleep(seconds / 3)
            self.memory.append(metrics(port)["process_resident_memory_bytes"])
        for thread in threads:
            thread.join()

    @property
    def times(self):
        return [taken for _, taken in self.answers]

    def _client(self, number):
        chance = random.Random(number)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while time.monotonic() < self.end:
            if self.pause:
                time.sleep(chance.expovariate(1 / self.pause))
            line = chance.choice(self.lines)
            begin = time.perf_counter()
            try:
                body = json.dumps({"sentences": [line]}).encode()
                connection.request("POST", "/api/translate", body, HEADERS)
                answer = connection.getresponse()
                answer.read()
                status = str(answer.status)
            except (OSError, http.client.HTTPException) as error:
                status = type(error).__name__
                connection.close()
            taken = time.perf_counter() - begin
            with self._lock:
                self.statuses[status] += 1
                self.longest = max(self.longest, taken)
                if status == "200":
                    self.answers.append((line, taken))
            if status == "429":
                time.sleep(0.05)


def percentile(values, share):
    return sorted(values)[int(share * (len(values) - 1))]


class Bare:
    """What sentences take alone: wall-clock times, and CPU seconds of each."""

    def __init__(self, translator, lines):
        self.translator, self.lines, self.cpu = translator, lines, 0.0
        self.of = {line: [] for line in lines}

    def measure(self):
        used = time.process_time()
        for line in self.lines:
            begin = time.perf_counter()
            self.translator.translate([line])
            self.of[line].append(time.perf_counter() - begin)
        self.cpu += time.process_time() - used
        return self

    @property
    def times(self):
        return [taken for own in self.of.values() for taken in own]


def metrics(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    found = re.findall(r"^(\w+)(?:\{([^}]*)\})? (\S+)$", text, re.MULTILINE)
    return {
        name: float(value)
        for name, labels, value in found
        if "route" not in labels or 'route="/api/translate"' in labels
    }


def _mean(before, after, name):
    """The mean of a histogram between two looks at it."""
    sums, counts = (
        after[f"{name}_{what}"] - before.get(f"{name}_{what}", 0.0) for what in ("sum", "count")
    )
    return sums / counts


def show(name, load, bare, before, after, seconds):
    errors = sum(n for status, n in load.statuses.items() if status not in ("200", "429"))
    median, alone = statistics.median(load.times), statistics.median(bare.times)
    inside, handled = (_mean(before, after, f"tunesmith_{what}_seconds") for what in MEASURED)
    print(
        f"{name}: {sum(load.statuses.values())} requests "
        f"({sum(load.statuses.values()) / seconds:.0f}/s), {dict(load.statuses)}, errors {errors}"
    )
    print(
        f"  latency median {median * 1e3:.1f} ms, p95 {percentile(load.times, 0.95) * 1e3:.1f} ms, "
        f"longest {load.longest * 1e3:.0f} ms; alone median {alone * 1e3:.1f} ms, "
        f"p95 {percentile(bare.times, 0.95) * 1e3:.1f} ms; ratio of medians {median / alone:.2f}"
    )
    ratios = [taken / statistics.mean(bare.of[line]) for line, taken in load.answers]
    print(
        f"  latency of a sentence by its time alone: median {statistics.median(ratios):.2f}, "
        f"p95 {percentile(ratios, 0.95):.2f}"
    )
    print(
        f"  means: {inside * 1e3:.1f} ms of a worker, {handled * 1e3:.1f} ms in the server, "
        f"{statistics.mean(load.times) * 1e3:.1f} ms for the client, "
        f"{statistics.mean(bare.times) * 1e3:.1f} ms alone"
    )
    cpu = after["process_cpu_seconds_total"] - before["process_cpu_seconds_total"]
    print(
        f"  CPU of the server {cpu / sum(load.statuses.values()) * 1e3:.1f} ms a request, alone "
        f"{bare.cpu / len(bare.times) * 1e3:.1f} ms a sentence (means)"
    )
    sizes = " → ".join(f"{size / 1e6:.1f}" for size in load.memory)
    print(f"  memory at the beginning, after thirds and at the end: {sizes} MB")


def started(model, *options):
    command = [sys.executable, "-m", "tunesmith.cli.main", "serve", f"de-en={model}", "--port", "0",
               "--remembered", "0", *options]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    atexit.register(process.kill)
    port = int(json.loads(process.stdout.readline())["address"].rpartition(":")[2])
    threading.Thread(target=process.stdout.read, daemon=True).start()
    return process, port


def stopped(process):
    process.terminate()
    return process.wait(60)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    add_data_option(parser)
    parser.add_argument("--text", type=Path, help="default: the test set of Multi30k, German")
    parser.add_argument("--sentences", type=int, default=300, help="of it, chosen at random")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each load")
    parser.add_argument("--share", type=float, default=0.5, help="of the answers that can be had")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    lines = list(
        dict.fromkeys(read_lines(arguments.text or arguments.data / "multi30k" / "test_2016.de"))
    )
    lines = random.Random(0).sample(lines, min(arguments.sentences, len(lines)))
    translator = Translator(open_decoder(TranslationModel.load(arguments.model), engine=1))
    translator.translate(lines)
    process, port = started(arguments.model, "--workers", str(arguments.workers))
    Load(port, lines, arguments.clients, min(10.0, arguments.seconds), 0.0)  # until it is warm
    pause = 0.0
    for name in ("without pauses", "with pauses"):
        bare = Bare(translator, lines).measure()
        before = metrics(port)
        load = Load(port, lines, arguments.clients, arguments.seconds, pause)
        after = metrics(port)
        show(name, load, bare.measure(), before, after, arguments.seconds)
        # The time between two requests of a client, less what an answer takes then.
        rate = arguments.share * len(load.times) / arguments.seconds
        pause = max(0.0, arguments.clients / rate - statistics.mean(bare.times))
    print(f"  stopped with exit code {stopped(process)}")
    process, port = started(
        arguments.model, "--workers", str(arguments.workers), "--queue", str(arguments.workers)
    )
    load = Load(port, lines, arguments.clients, min(10.0, arguments.seconds), 0.0)
    print(
        f"queue of {arguments.workers}: {dict(load.statuses)}, "
        f"longest {load.longest * 1e3:.0f} ms, stopped with exit code {stopped(process)}"
    )
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
