"""The whole way from text to a tuned translator: time, memory and BLEU beside Moses' parts.

    python bench/pipeline.py [multi30k|europarl] [--data FOLDER] [--pairs 100000] [--threads 2]

Multi30k de-en comes tokenised; Europarl es-en (the first pairs, dev = first 1,000) is tokenised and
lower-cased first, which is not timed. Moses does not run here: its figures are recorded ones, of an
idle machine with 2 cores, printed part by part; BLEU with tokenize=none.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from shared_data import add_data_option, write_lines

from tunesmith.corpus import Preprocessor
from tunesmith.formats.text import read_lines

# What Moses' parts took (CPU s), and what was reached on the test set.
PEERS = {
    "multi30k": (
        {
            "fast_align, twice one direction": 9.4,
            "lmplz": 0.65,
            "extraction, scoring and reordering, with sorting": 50.0,
            "tuning with kbmira, 8 iterations": 105.0,
        },
        "40.17 (kbmira, 12 iterations, whose time was not recorded), 40.50 (PRO)",
    ),
    "europarl": (
        {
            "fast_align, both directions": 281.0,
            "extraction and scoring": 480.0,
            "tuning with kbmira, 7 iterations": 436.0,
        },
        "38.32 (kbmira), 38.77 (MERT, whose tuning took 590 CPU s)",
    ),
}


def multi30k(data: Path, folder: Path, pairs: int) -> None:
    names = {"train": ("train.de.xz", "train.en.xz"), "dev": ("val.de", "val.en"),
             "test": ("test_2016.de", "test_2016.en")}  # fmt: skip
    for part, files in names.items():
        for side, name in zip(("src", "tgt"), files, strict=True):
            write_lines(folder / f"{part}.{side}", read_lines(data / "multi30k" / name)[:pairs])


def europarl(data: Path, folder: Path, pairs: int) -> None:
    for side, language in (("src", "es"), ("tgt", "en")):
        preprocessor = Preprocessor.create("moses", "lowercase", language=language)
        for part, count in (("train", pairs), ("dev", 1000), ("test", 2000)):
            lines = read_lines(data / "europarl-4way" / f"{part}.{language}.xz")
            if part == "train" and pairs > len(lines):
                extra = f"train-extra.es-en.{language}.xz"
                lines += read_lines(data / "europarl-4way" / extra)
            write_lines(folder / f"{part}.{side}", preprocessor.encode(lines[:count]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", default="multi30k", choices=tuple(PEERS))
    add_data_option(parser)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        {"multi30k": multi30k, "europarl": europarl}[arguments.corpus](
            arguments.data, folder, arguments.pairs
        )
        command = [
            sys.executable, "-m", "tunesmith.cli.main", "train", "--tokenizer", "none",
            "--src", f"{name}/train.src", "--tgt", f"{name}/train.tgt",
            "--dev-src", f"{name}/dev.src", "--dev-ref", f"{name}/dev.tgt",
            "--test-src", f"{name}/test.src", "--test-ref", f"{name}/test.tgt",
            "--threads", str(arguments.threads), "--out", f"{name}/model",
        ]  # fmt: skip
        begin = time.monotonic()
        subprocess.run(command, check=True)
        wall = time.monotonic() - begin
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    parts, bleu = PEERS[arguments.corpus]
    together = sum(parts.values())
    print(f"load {os.getloadavg()[0]:.1f}")
    print(
        f"ours, run now   {wall:7.1f} s wall  {seconds:7.1f} CPU s  {used.ru_maxrss / 1024:,.0f} MB"
    )
    for part, cpu in parts.items():
        print(f"{part} (recorded)   {cpu:7.1f} CPU s")
    print(f"Moses' parts together (recorded)   {together:7.1f} CPU s, test BLEU {bleu}")
    print(f"ratio of CPU time, theirs recorded, ours run now: {together / seconds:.1f}")


if __name__ == "__main__":
    main()
