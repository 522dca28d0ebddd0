"""Claim: models are estimated in no more CPU seconds than KenLM's lmplz takes.

Text in, ARPA file out, both as commands, one thread for ours (lmplz uses what it wants: CPU seconds
of all its threads count); in turn, medians. LMPLZ names the binary of lmplz; without it only ours
is timed. Models are compared by their first lines, the counts of n-grams.

    LMPLZ=/path/to/lmplz python bench/lm_estimation.py [--data FOLDER] [--rounds 3] [--only NAME]
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from shared_data import add_data_option, europarl_lines

from tunesmith.formats.text import read_lines


def multi30k(data, path):
    write(path, read_lines(data / "multi30k" / "train.en.xz"))


def europarl(data, path):
    write(path, europarl_lines(data, "en"))


CASES = {"multi30k": (multi30k, 4), "europarl": (europarl, 5)}


def write(path, lines):
    with open(path, "w", encoding="utf-8") as stream:
        for line in lines:
            stream.write(line + "\n")


def run(command, text, arpa):
    """CPU seconds, wall seconds, megabytes."""
    start = time.perf_counter()
    with open(text, "rb") as stdin, open(arpa, "wb") as stdout:
        process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed")
    kilobytes = usage.ru_maxrss if sys.platform != "darwin" else usage.ru_maxrss / 1024
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, kilobytes / 1024


def counts(arpa):
    with open(arpa, encoding="utf-8") as stream:
        return [
            line for line in (next(stream).strip() for _ in range(8)) if line.startswith("ngram")
        ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=CASES)
    arguments = parser.parse_args()
    lmplz = os.environ.get("LMPLZ") or shutil.which("lmplz")
    ours = [
        str(Path(sys.executable).parent / "tunesmith"),
        "lm",
        "--quiet",
        "train",
        "--threads",
        "1",
    ]

    missed = False
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text"
        for name, (make, order) in CASES.items():
            if arguments.only not in (None, name):
                continue
            make(arguments.data, text)
            commands = {"tunesmith": [*ours, "--order", str(order)]}
            if lmplz:
                commands["lmplz"] = [lmplz, "-o", str(order), "-T", folder]
            figures = {program: [] for program in commands}
            for _ in range(arguments.rounds):
                for program, command in commands.items():
                    figures[program].append(run(command, text, Path(folder) / f"{program}.arpa"))
            cpu = {}
            for program, rows in figures.items():
                cpu[program], wall, memory = (statistics.median(c) for c in zip(*rows, strict=True))
                print(
                    f"{name}, order {order}, {program}: {cpu[program]:.2f} CPU s, {wall:.2f} s, "
                    f"{memory:.0f} MB",
                    flush=True,
                )
            if lmplz:
                if counts(Path(folder) / "tunesmith.arpa") != counts(Path(folder) / "lmplz.arpa"):
                    sys.exit("the models have different numbers of n-grams")
                ratio = cpu["lmplz"] / cpu["tunesmith"]
                missed |= ratio < 1.0
                print(f"{name}: {ratio:.2f} times as fast per CPU second (claim: 1)", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
