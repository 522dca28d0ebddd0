"""The tables that justify defaults: tuned on some text, scored on text that nothing has seen.

    python bench/held_out.py TABLE [--on pairs|halves] [--rows NAME …] [--threads 2] [-- OPTION …]

Multi30k de-en. `pairs`: trained without the last 2,000 pairs of the training text, tuned on val,
scored on these pairs (translations there are free, so scores are low). `halves`: trained on all
pairs, tuned on every second sentence of val, scored on the others, and the other way round. No test
set is read. A row is one `tunesmith train` with the row's options, its stages kept in --work and
shared by the rows; options behind `--` are given to all rows. `lists` tunes on Moses' three lists
instead, on each half of the sentences for the other, with three splits: `held out` of `tunesmith
tune --seed`.

BLEU with tokenize=none. One run a row: differences below 0.3 are noise. The figures on the pages
were made by hand, before there was this script, with the code of their day: it makes the same
comparisons, not the same digits.
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean

from shared_data import add_data_option, moses_lists, write_lines

from tunesmith.formats.text import read_lines

HELD_OUT = 2_000
PLAIN_LOOP = {"interpolation": 1, "passes": 30}


def rows(**columns):
    """One row for every combination of the columns' values."""
    combined = (
        dict(zip(columns, values, strict=True)) for values in itertools.product(*columns.values())
    )
    return {", ".join(f"{k} {v}" for k, v in row.items()): row for row in combined}


# TABLE: the page with the figures, what its rows are measured on, and their options of `train`.
TABLES = {
    "features": (
        "docs/features.md",
        "pairs",
        rows(features=["dense", "standard", "medium", "big"]) | rows(second_table=["ibm2"]),
    ),
    "classes": ("docs/features.md", "pairs", rows(lm2_classes=[100, 200, 400, 800])),
    "cap": (
        "docs/tuners/kb-mira.md",
        "halves",
        {
            name: row | PLAIN_LOOP
            for name, row in rows(features=["dense", "standard", "big"], C=[0.2, 0.02]).items()
        },
    ),
    "loop": (
        "docs/tuners/kb-mira.md",
        "pairs",
        rows(features=["standard", "big"], interpolation=[1, 0.7], passes=[30, 10, 5]),
    ),
    "lb-mira": (
        "docs/tuners/lb-mira.md",
        "pairs",
        {
            name: row | {"tuner": "lb-mira", "features": "big"}
            for name, row in (
                rows(C=[0.05], interpolation=[1, 0.5], passes=[30])
                | rows(C=[0.02], interpolation=[0.4, 0.7], passes=[30])
                | rows(C=[0.02], interpolation=[0.7], passes=[10])
            ).items()
        },
    ),
    "smoothing": (
        "docs/phrases.md",
        "halves",
        rows(smoothing=["none", "good-turing", "kneser-ney"]) | rows(classes=["mslr"]),
    ),
    "compounds": ("docs/corpus.md", "halves", rows(split_compounds=["no", "yes"])),
    "known": (
        "docs/corpus.md",
        "pairs",
        rows(set=[f"text.known_words={value}" for value in ("false", "true")]),
    ),
    "lists": (
        "docs/tuners/kb-mert.md",
        "lists",
        rows(tuner=["kb-mira", "kb-mert"])
        | rows(tuner=["kb-mert"], combinations=[0], window=[0, 3])
        | rows(tuner=["svm-1-slack"], rivals_only=["false", "true"]),
    ),
}


def options_of(row):
    return [word for name, value in row.items() for word in ("--" + name.replace("_", "-"), value)]


def verb(*words):
    """What a verb prints."""
    command = [sys.executable, "-m", "tunesmith.cli.main", *map(str, words)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def scores(printed, *names):
    """The numbers behind these words."""
    return [float(re.search(rf"^{name} +(\S+)", printed, re.M)[1]) for name in names]


def splits(data, on, pairs, folder):
    """(training pairs, dev, test), each the stem of two files."""
    folder.mkdir(parents=True, exist_ok=True)

    def text(name, pack=""):
        return [read_lines(data / "multi30k" / f"{name}.{side}{pack}") for side in ("de", "en")]

    def written(name, lines):
        for side, kept in zip(("de", "en"), lines, strict=True):
            write_lines(folder / f"{name}.{side}", kept)
        return folder / name

    train, val = text("train", ".xz"), text("val")
    if on == "pairs":
        learned = written("train", [side[:-HELD_OUT][:pairs] for side in train])
        return [(learned, written("val", val), written("held", [s[-HELD_OUT:] for s in train]))]
    learned = written("train-all", [side[:pairs] for side in train])
    halves = [written(f"half{k}", [side[k::2] for side in val]) for k in (0, 1)]
    return [(learned, halves[0], halves[1]), (learned, halves[1], halves[0])]


def trained(row, split, work, arguments):
    """(dev, held-out) BLEU of a `train` with the row's options."""
    text, dev, test = split
    printed = verb(
        *("train", "--tokenizer", "none", "--quiet", "--threads", arguments.threads),
        *("--src", f"{text}.de", "--tgt", f"{text}.en"),
        *("--dev-src", f"{dev}.de", "--dev-ref", f"{dev}.en"),
        *("--test-src", f"{test}.de", "--test-ref", f"{test}.en"),
        *("--out", work / "model", "--work", work / f"{text.name}.work"),
        *options_of(row),
        *arguments.options,
    )
    return scores(printed, "dev", "test")


def tuned(row, seed, lists, folder, arguments):
    """(all lists, held-out) BLEU of `tune` on Moses' lists."""
    printed = verb(
        *("tune", "--quiet", "--threads", arguments.threads, "--seed", seed),
        *("--nbest", *lists, "--refs", folder / "val.ref.en"),
        *("--start", folder / "start.weights", "--out", lists[0].parent / "w.tsv"),
        *options_of(row),
        *arguments.options,
    )
    return [
        float(re.search(rf"^{part} +(\S+)", printed, re.M)[1]) for part in ("tuned", "held out")
    ]


def main():
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table", choices=TABLES)
    add_data_option(parser)
    parser.add_argument("--on", choices=("pairs", "halves"))
    parser.add_argument("--rows", nargs="+", help="of the table; all by default")
    parser.add_argument("--pairs", type=int, help="to train on; all by default")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=Path, help="keep the stages of training here")
    arguments = parser.parse_args(words[:cut])
    arguments.options = words[cut + 1 :]
    page, on, table = TABLES[arguments.table]
    on = on if on == "lists" else arguments.on or on
    print(f"{arguments.table}, on {on}, shown in {page}; load {os.getloadavg()[0]:.1f}")
    print(f"{'':52} tuned on  held out")
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.work or Path(temporary)
        if on == "lists":
            folder = arguments.data / "nbest" / "moses-de-en"
            lists = moses_lists(folder, Path(temporary))
            score = [lambda row, k=k: tuned(row, k, lists, folder, arguments) for k in (1, 2, 3)]
        else:
            cases = splits(arguments.data, on, arguments.pairs, work / "text")
            score = [lambda row, case=case: trained(row, case, work, arguments) for case in cases]
        for name, row in table.items():
            if arguments.rows is None or name in arguments.rows:
                dev, held = (mean(each) for each in zip(*(run(row) for run in score), strict=True))
                print(f"{name:52} {dev:8.2f}  {held:8.2f}", flush=True)


if __name__ == "__main__":
    main()
