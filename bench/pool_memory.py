"""Claim: building a pool takes at most 1.3 times the memory of its finished arrays.

Three lists are generated and merged in a process of its own; its peak resident memory while it
reads is compared with the arrays of the pool. Dense features only, and 50 sparse ones beside them.

    python bench/pool_memory.py [--megabytes 100 300] [--threads 2]
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.3
SENTENCES, DENSE, SPARSE, SPARSE_NAMES, LISTS = 500, 20, 50, 20_000, 3
WORDS = 3_000


def generate(folder: Path, rows: int, sparse: bool) -> None:
    """Lists with `rows` different hypotheses in all, and one reference."""
    chance = random.Random(1)
    words = [f"w{i}" for i in range(WORDS)]
    texts = [" ".join(chance.choices(words, k=chance.randint(5, 25))) for _ in range(2_000)]
    dense = [
        " ".join(f"f{i}= {chance.gauss(0, 10):.5g}" for i in range(DENSE)) for _ in range(2_000)
    ]
    sparse_part = [
        " ".join(f"s_{i}= 1" for i in chance.sample(range(SPARSE_NAMES), SPARSE))
        for _ in range(2_000 if sparse else 0)
    ]
    (folder / "reference").write_text("".join(f"{texts[s]}\n" for s in range(SENTENCES)))
    size = rows // SENTENCES // LISTS
    for number in range(LISTS):
        with open(folder / f"list{number}", "w", encoding="utf-8") as stream:
            for s in range(SENTENCES):
                for _ in range(size):
                    more = f" {chance.choice(sparse_part)}" if sparse else ""
                    stream.write(
                        f"{s} ||| {chance.choice(texts)} ||| {chance.choice(dense)}{more} ||| 0\n"
                    )


def measure(folder: Path, threads: int) -> None:
    """In the process of its own: read, and print what it took."""
    from tunesmith.formats.references import read_references
    from tunesmith.metrics import Bleu
    from tunesmith.tune.pool import read_pool

    metric = Bleu(tokenize="none")
    references = read_references(folder / "reference")
    warm_up = folder / "warm"
    warm_up.write_text("0 ||| a ||| f= 1\n")
    read_pool(warm_up, [["a"]], metric, texts=False)
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here
    before = status("VmRSS")
    lists = [folder / f"list{i}" for i in range(LISTS)]
    pool = read_pool(lists, references, metric, engine=threads, texts=False)
    peak = status("VmHWM")
    raw = sum(array.nbytes for array in pool._arrays().values())
    print(json.dumps({"rows": pool.rows, "raw": raw, "growth": peak - before}))


def status(key: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) * 1024
    raise KeyError(key)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[100, 300])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.measure, arguments.threads)
        return
    print("features      rows       arrays    peak growth  ratio")
    worst = 0.0
    for sparse in (False, True):
        row_bytes = DENSE * 4 + 10 * 4 + 16 + (SPARSE * 8 if sparse else 0)
        for megabytes in arguments.megabytes:
            with tempfile.TemporaryDirectory() as folder:
                generate(Path(folder), megabytes * 1_000_000 // row_bytes, sparse)
                command = [
                    sys.executable, __file__, "--measure", folder,
                    "--threads", str(arguments.threads),
                ]  # fmt: skip
                found = json.loads(
                    subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
                )
            ratio = found["growth"] / found["raw"]
            worst = max(worst, ratio)
            kind = "dense+sparse" if sparse else "dense"
            print(
                f"{kind:<13} {found['rows']:<10,} {found['raw'] / 1e6:>5.0f} MB  "
                f"{found['growth'] / 1e6:>8.0f} MB  {ratio:>5.2f}"
            )
    print(
        f"worst ratio {worst:.2f}, claim at most {LIMIT}: {'holds' if worst <= LIMIT else 'FAILS'}"
    )
    sys.exit(worst > LIMIT)


if __name__ == "__main__":
    main()
