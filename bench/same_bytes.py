"""Do two installed versions of Tunesmith write the same bytes?

    python bench/same_bytes.py OLD/bin/tunesmith NEW/bin/tunesmith [--data FOLDER] [--pairs 4000]
                               [--work FOLDER] [--only STEP,STEP…]

Both do the same work on Multi30k de-en, each in a folder of its own: `align`, `lm`, `train`
(standard, big, with the learner), `translate` with lists, graphs and explanations, `tune` with
every tuner, `force`, `compare`. Then all that they wrote and printed is compared, but for times,
records of runs and work folders. It ends with 1 if anything differs.

With `--work`, folders are kept, and work that was done there is not done again.
"""

import argparse
import hashlib
import lzma
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from shared_data import add_data_option

from tunesmith.tune.registry import GRAPH_TUNERS, TUNERS

DEV = "--dev-src dev.de --dev-ref dev.en --quiet"
TRAIN = f"train --src train.de --tgt train.en {DEV} --tokenizer none"
LEARNER = "--learner maxforce --maxforce-epochs 1 --maxforce-folds 3 --retune 1"
TEST = "--pretokenised --input test.de"
LISTS = "--nbest 20 --graph-density 5 --explain"
FEW_RUNS = "--tuners kb-mira,pro,lb-mira --replicates 2 --iterations 2"
# Records of times, versions and files; times in what is printed.
RECORDS = {"run.json", "result.json", "results.json", "time.json", "times.tsv"}
TIMES = re.compile(rb" \(\d+ s\)|## Convergence and time.*", re.DOTALL)


def steps():
    """The work: a name and a command, in an order in which each finds its files."""
    yield "align", "align --src train.de --tgt train.en --probabilities --out links --quiet"
    yield "lm", "lm train train.en --order 4 --out lm.bin --quiet"
    yield "perplexity", "lm perplexity lm.bin dev.en"
    for name in ("standard", "big"):
        yield f"train-{name}", f"{TRAIN} --features {name} --iterations 3 --out {name}"
        outputs = f"--out {name}.en --nbest-out {name}.nbest --graph-out {name}.graphs"
        yield f"translate-{name}", f"translate {name} {TEST} {LISTS} {outputs}"
    yield "train-learner", f"{TRAIN} {LEARNER} --iterations 2 --out learner"
    yield "translate-learner", f"translate learner {TEST}"
    for tuner in (*TUNERS, *GRAPH_TUNERS):
        yield tuner, f"tune standard {DEV} --tuner {tuner} --iterations 2 --out {tuner}"
    yield "force", "force standard --src dev.de --tgt dev.en --leave-out none --quiet"
    test = "--test-src test.de --test-ref test.en"
    yield "compare", f"compare standard {DEV} {test} {FEW_RUNS} --out comparison"


def write_texts(data, pairs, folder):
    for language in ("de", "en"):
        packed = (data / f"train.{language}.xz").read_bytes()
        lines = lzma.decompress(packed).splitlines(keepends=True)
        (folder / f"train.{language}").write_bytes(b"".join(lines[:pairs]))
        for name, source, size in (("dev", "val", 200), ("test", "test_2016", 150)):
            lines = (data / f"{source}.{language}").read_bytes().splitlines(keepends=True)
            (folder / f"{name}.{language}").write_bytes(b"".join(lines[:size]))


def do(program, name, words, folder):
    """Run a command in the folder, unless it was; what it prints becomes files there."""
    if (folder / f"{name}.printed").exists():
        return
    with (
        (folder / f"{name}.partial").open("wb") as printed,
        (folder / f"{name}.messages").open("wb") as messages,
    ):
        command = [program, *words.split()]
        done = subprocess.run(command, cwd=folder, stdout=printed, stderr=messages, check=False)
    if done.returncode != 0:
        sys.exit(f"{words}: exit code {done.returncode}, see {messages.name}")
    (folder / f"{name}.partial").rename(folder / f"{name}.printed")


def outputs(folder):
    """The sums of all outputs, by name."""
    sums = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        in_work = any(part.endswith(".work") for part in name.parts)
        if path.is_file() and path.name not in RECORDS and not in_work:
            content = path.read_bytes()
            if path.suffix in (".printed", ".md"):
                content = TIMES.sub(b"", content)
            sums[str(name)] = hashlib.sha256(content).hexdigest()
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--pairs", type=int, default=4000)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--only", default="", help="names of steps")
    add_data_option(parser)
    given = parser.parse_args()
    only = set(filter(None, given.only.split(",")))
    with tempfile.TemporaryDirectory() as scratch:
        work = given.work or Path(scratch)
        sums = []
        for name, program in (("old", given.old.absolute()), ("new", given.new.absolute())):
            folder = work / name
            folder.mkdir(parents=True, exist_ok=True)
            write_texts(given.data / "multi30k", given.pairs, folder)
            for step, words in steps():
                if not only or step in only:
                    print(f"{name}: {step}", file=sys.stderr)
                    do(program, step, words, folder)
            sums.append(outputs(folder))
    old, new = sums
    # With some of the steps only, an older folder may have the outputs of others too.
    names = sorted(new if only else old.keys() | new.keys())
    different = [name for name in names if old.get(name) != new.get(name)]
    for name in different:
        print(f"differs: {name}" + ("" if name in old and name in new else " (in one only)"))
    print(f"{len(names) - len(different)} of {len(names)} outputs are equal")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
