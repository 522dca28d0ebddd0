"""Claim: tokenising, writing and translating are at least 0.97 times as fast as in another version.

Both versions work in turn, each in a process of its own with its own model of multi30k-raw, on one
thread: they tokenise lines of multi30k-raw and Europarl, prepare them for search (`encode`), write
the English words of those lines as running text (`decode`), and translate the test set. Ratios of
CPU seconds, the other version's divided by ours, by the medians of both.

    python bench/text_speed.py MODEL --other PYTHON --other-model MODEL [--rounds 5] [--data FOLDER]
"""

import argparse
import json
import lzma
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from shared_data import add_data_option, write_lines

CLAIM = 0.97
LINES = 29_000
TEXTS = {"multi30k": ("multi30k-raw", "train"), "europarl": ("europarl-4way", "train")}


def read(data, text, language):
    folder, name = TEXTS[text]
    with lzma.open(data / folder / f"{name}.{language}.xz", "rt", encoding="utf-8") as stream:
        return [line.rstrip("\n") for line in islice(stream, LINES)]


def measure(data, model):
    """CPU seconds of each piece of work of the version that runs this.

    Unknown words have a benchmark of their own: nothing takes their place here.
    """
    from tunesmith.corpus import Preprocessor
    from tunesmith.corpus.protected import find_units
    from tunesmith.engine import ThreadEngine

    engine = ThreadEngine(1)
    source, target = (Preprocessor.load(model / f"{side}.json") for side in ("source", "target"))
    source.known = source.compounds = None
    find_units("{x}")  # compiles the patterns
    found = {}

    def timed(name, function, lines):
        begin = time.process_time()
        result = function(lines, engine=engine)
        found[name] = time.process_time() - begin
        return result

    for text in TEXTS:
        german, english = (read(data, text, language) for language in ("de", "en"))
        words = target.tokenizer.tokenize(english, engine=engine)
        timed(f"tokenise {text}", source.tokenizer.tokenize, german)
        timed(f"encode {text}", source.encode, german)
        timed(f"decode {text}", target.decode, words)
    return found


def translate(python, model, lines):
    """CPU seconds of `tunesmith translate`."""
    code = (
        "import resource, sys; from tunesmith.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime, file=sys.stderr)"
    )
    command = [python, "-c", code, "translate", model, "--input", lines, "--threads", "1"]
    done = subprocess.run([*command, "--quiet"], capture_output=True, text=True, cwd="/")
    return float(done.stderr.split()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--other", help="Python of the other version")
    parser.add_argument("--other-model", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    add_data_option(parser)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.data, options.model)))
        return 0
    sides = ((sys.executable, options.model.resolve()), (options.other, options.other_model))
    times = [{}, {}]
    with tempfile.TemporaryDirectory() as place:
        test = Path(place) / "test.de"
        write_lines(test, (options.data / "multi30k-raw/test_2016.de").read_text().splitlines())
        for _ in range(options.rounds):
            for (python, model), kept in zip(sides, times, strict=True):
                done = subprocess.run(
                    [python, __file__, "--measure", model, "--data", options.data.resolve()],
                    check=True, capture_output=True, text=True,
                )  # fmt: skip
                row = json.loads(done.stdout) | {"translate": translate(python, model, test)}
                for name, seconds in row.items():
                    kept.setdefault(name, []).append(seconds)
    worst = 9.0
    print(f"{'CPU seconds':20} {'ours':>8} {'theirs':>8} {'ratio':>8}")
    for name in times[0]:
        ours, theirs = (statistics.median(kept[name]) for kept in times)
        worst = min(worst, theirs / ours)
        print(f"{name:20} {ours:8.2f} {theirs:8.2f} {theirs / ours:8.2f}")
    print(f"the least ratio is {worst:.2f}, claim {CLAIM}")
    return 0 if worst >= CLAIM else 1


if __name__ == "__main__":
    sys.exit(main())
