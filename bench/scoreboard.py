"""BLEU, time and memory of one installed version on all our corpora, to compare it with another.

    python bench/scoreboard.py WORK [--program TUNESMITH] [--rows NAME …] [--compare WORK] \\
        [--threads 1] [--data FOLDER] [-- OPTION …]

A row trains a model with file options alone, translates the test set and scores what is printed;
`nbest-nmt` tunes on n-best lists and reranks others. Everything is kept in WORK: the same command
goes on where it was killed, and --compare puts the rows beside those of another version with the
p-value of a paired test. A row is no worse unless it dropped with p < 0.05. Options after `--` go
to `train`. To measure a row again, delete its folder.

BLEU is that of sacreBLEU: 13a and case-sensitive for running text, the words as they are
(tokenize=none) for `multi30k-tokens` and `nbest-nmt`; `lower` has both sides lower-cased. The
largest resident set includes mapped files. Only scores can be compared between machines.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from measure import measured
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from shared_data import add_data_option, unsegmented, write_lines

from tunesmith.formats.text import read_lines

ENDINGS = ("", ".xz", ".ref0", ".ref0.xz")


@dataclass(frozen=True)
class Corpus:
    """Parallel text in the shared data, as a user would have it."""

    folder: str
    source: str
    target: str
    dev: str = "dev"
    test: str = "test"
    pairs: int | None = None
    dev_pairs: int | None = None
    source_change: Callable[[str], str] = str

    def write(self, data: Path, folder: Path) -> None:
        """Write train.de, train.en, dev.de, …"""
        for part, name in (("train", "train"), ("dev", self.dev), ("test", self.test)):
            count = {"train": self.pairs, "dev": self.dev_pairs}.get(part)
            for side in (self.source, self.target):
                names = [data / self.folder / f"{name}.{side}{end}" for end in ENDINGS]
                lines = read_lines(next(path for path in names if path.exists()))[:count]
                change = self.source_change if side == self.source else str
                write_lines(folder / f"{part}.{side}", map(change, lines))


@dataclass(frozen=True)
class Row:
    """A line of the scoreboard: a corpus, and options of `train` beside its files."""

    corpus: Corpus
    options: tuple[str, ...] = ()
    tokenize: str = "13a"


CAPTIONS = {"source": "de", "target": "en", "dev": "val", "test": "test_2016"}
MULTI30K = Corpus("multi30k", **CAPTIONS)
ROWS = {
    "multi30k-raw": Row(Corpus("multi30k-raw", **CAPTIONS)),
    "multi30k": Row(MULTI30K),
    "multi30k-tokens": Row(MULTI30K, ("--pretokenised",), tokenize="none"),
    "europarl": Row(Corpus("europarl-4way", "es", "en", pairs=100_000, dev_pairs=1_000)),
    "techdocs": Row(Corpus("techdocs-zh-en", "zh", "en", pairs=20_000, source_change=unsegmented)),
    "tatoeba": Row(Corpus("tatoeba-de-en", "de", "en", pairs=20_000)),
    "bible": Row(Corpus("bible-multiref", "de", "en", pairs=5_000)),
    "nbest-nmt": Row(MULTI30K, tokenize="none"),
    "multi30k-hiero": Row(MULTI30K, ("--model", "hiero")),
}


@dataclass
class Measurement:
    """What a row's commands took: CPU seconds and MB of each; and which program did it."""

    program: str
    options: list[str]
    cost: dict[str, tuple[float, float]] = field(default_factory=dict)


def program_version(program: Path) -> str:
    """The version of an installed program, with its commit if it runs from a checkout."""
    printed = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)
    python = program.parent / "python"
    where = subprocess.run(
        [python, "-c", "import tunesmith; print(tunesmith.__path__[0])"],
        check=False, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    describe = ["git", "-C", where or "/", "describe", "--always", "--dirty=+", "--exclude=*"]
    commit = subprocess.run(describe, check=False, capture_output=True, text=True).stdout.strip()
    return f"{printed.stdout.strip()} ({commit or 'no commit'})"


def run_row(name: str, folder: Path, version: str, arguments: argparse.Namespace) -> None:
    """Do what is not done yet of a row; a command that was killed starts anew."""
    record, row = folder / "measurement.json", ROWS[name]
    if is_done(folder):
        return
    new = Measurement(version, [*row.options, *arguments.options])
    done = load(record) if record.exists() else new
    if (done.program, done.options) != (new.program, new.options):
        raise SystemExit(f"{folder} was begun by {done.program} {done.options}; delete it")
    if not record.exists():
        folder.mkdir(parents=True, exist_ok=True)
        row.corpus.write(arguments.data, folder)
        save(record, done)
    for step, (output, words) in commands(name, done.options, arguments.data).items():
        if step in done.cost:
            continue
        print(f"{name}: {step}", file=sys.stderr, flush=True)
        for left in folder.glob(f"{output}*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        command = [arguments.program.absolute(), *words, "--out", output]
        command += ["--threads", arguments.threads]
        messages = folder.resolve() / f"{step}.log"
        cpu, _, megabytes = measured(command, messages=messages, cwd=folder)
        done.cost[step] = (cpu, megabytes)
        save(record, done)


def commands(name: str, options: list[str], data: Path) -> dict[str, tuple[str, list[str | Path]]]:
    """What a row does: the name of each step, what it writes, and the words of its command."""
    corpus, lists = ROWS[name].corpus, data.resolve() / "nbest-nmt"
    dev_source, dev_target = f"dev.{corpus.source}", f"dev.{corpus.target}"
    if name == "nbest-nmt":
        val, test = lists / "nbest.val.tsv.gz", lists / "nbest.test_2016.tsv.gz"
        learn = ["tune", "--nbest", val, "--refs", dev_target]
        use = ["rerank", "--weights", "weights.tsv", "--nbest", test]
        return {"tune": ("weights.tsv", learn), "rerank": ("out.txt", use)}
    files = ["--src", f"train.{corpus.source}", "--tgt", f"train.{corpus.target}"]
    learn = ["train", *files, "--dev-src", dev_source, "--dev-ref", dev_target, *options]
    use = ["translate", "model", "--input", f"test.{corpus.source}"]
    return {"train": ("model", learn), "translate": ("out.txt", use)}


def load(record: Path) -> Measurement:
    return Measurement(**json.loads(record.read_text()))


def save(record: Path, measurement: Measurement) -> None:
    partial = record.with_suffix(".partial")
    partial.write_text(json.dumps(asdict(measurement)))
    partial.replace(record)


def is_done(folder: Path) -> bool:
    record = folder / "measurement.json"
    return record.exists() and len(load(record).cost) == 2


def metric(name: str, lowercase: bool = False) -> BLEU:
    """BLEU as the row is scored. `force` keeps it from warning of tokenised text."""
    return BLEU(tokenize=ROWS[name].tokenize, lowercase=lowercase, force=True)


def texts(name: str, folder: Path) -> tuple[list[str], list[list[str]]]:
    """The output of a row and its references."""
    target = ROWS[name].corpus.target
    return read_lines(folder / "out.txt"), [read_lines(folder / f"test.{target}")]


def cells(name: str, folder: Path) -> list[str]:
    """BLEU, lower-cased BLEU, CPU seconds and MB of learning and of translating."""
    output, references = texts(name, folder)
    scores = [metric(name, lower).corpus_score(output, references).score for lower in (False, True)]
    costs = load(folder / "measurement.json").cost.values()
    return [f"{score:.2f}" for score in scores] + [
        text for seconds, memory in costs for text in (f"{seconds:,.1f}", f"{memory:,.0f}")
    ]


def comparison(name: str, before: Path, after: Path) -> list[str]:
    """The BLEU of both, the difference, and the p-value of paired bootstrap resampling."""
    (old, references), (new, _) = texts(name, before), texts(name, after)
    test = PairedTest([("old", old), ("new", new)], {"BLEU": metric(name)}, references, "bs")
    first, second = test()[1]["BLEU"]
    change, p_value = second.score - first.score, 1.0 if old == new else second.p_value
    worse = change < 0 and p_value < 0.05
    return [
        f"{first.score:.2f}",
        f"{second.score:.2f}",
        f"{change:+.2f}",
        f"{p_value:.3f}",
        "worse" if worse else "no worse",
    ]


def print_table(heads: list[str], lines: list[list[str]]) -> None:
    print("| " + " | ".join(heads) + " |")
    print("|" + "|".join([" --- "] + [" ---: "] * (len(heads) - 1)) + "|")
    for line in lines:
        print("| " + " | ".join(line) + " |")


def print_report(names: list[str], work: Path) -> None:
    """The scoreboard, and which program with which options made it."""
    records = {name: load(work / name / "measurement.json") for name in names}
    for program in sorted({record.program for record in records.values()}):
        print(f"{program}:")
        for name, record in records.items():
            if record.program == program:
                print(f"  {name} {' '.join(record.options)}".rstrip())
    heads = ["row", "BLEU", "lower", "train CPU s", "MB", "translate CPU s", "MB"]
    print()
    print_table(heads, [[name, *cells(name, work / name)] for name in names])


def main() -> None:
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("work", type=Path, metavar="WORK", help="the folder of the rows")
    beside = Path(sys.executable).parent / "tunesmith"
    parser.add_argument("--program", type=Path, default=beside, metavar="TUNESMITH")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="NAME")
    parser.add_argument("--compare", type=Path, metavar="WORK", help="that of another version")
    parser.add_argument("--threads", type=int, default=1)
    add_data_option(parser)
    arguments = parser.parse_args(given[:cut])
    arguments.options = given[cut + 1 :]
    version = program_version(arguments.program.absolute())
    for name in arguments.rows:
        run_row(name, arguments.work / name, version, arguments)
    print(f"load {os.getloadavg()[0]:.1f}")
    print_report(arguments.rows, arguments.work)
    if arguments.compare:
        both = [name for name in arguments.rows if is_done(arguments.compare / name)]
        print()
        print_report(both, arguments.compare)
        print()
        pairs = [(name, arguments.compare / name, arguments.work / name) for name in both]
        print_table(
            ["row", "BLEU before", "BLEU", "change", "p", "verdict"],
            [[pair[0], *comparison(*pair)] for pair in pairs],
        )


if __name__ == "__main__":
    main()
