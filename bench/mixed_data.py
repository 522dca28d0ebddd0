"""Little text of a domain, more of others: what corpora kept apart and monolingual text give.

    python bench/mixed_data.py [alone joined corpora mono both] [--on halves|test] [--data FOLDER]

Multi30k de-en, the first 10,000 pairs, and the first 60,000 of Tatoeba de-en, tokenised and
lower-cased alike. `joined` has them as one text, `corpora` as two; `mono` has the first alone and
monolingual text, 100,000 sentences of Europarl, 101,123 others of Tatoeba and, unless
--without-captions is given, the 19,000 other captions, in one heap; `both` has all. Tuned on the
first half of val and scored on the second, or with `--on test` tuned on val and scored on
test_2016. BLEU with tokenize=none. Options behind `--` go to `train`.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from shared_data import add_data_option, write_lines

from tunesmith.corpus import Preprocessor
from tunesmith.formats.text import read_lines

CAPTIONS, OTHERS, SPEECHES = 10_000, 60_000, 100_000
ROWS = {
    "alone": ("captions", []),
    "joined": ("joined", []),
    "corpora": ("captions others", []),
    "mono": ("captions", ["--mono", "heap.en"]),
    "both": ("captions others", ["--mono", "heap.en"]),
}


def prepare(data: Path, folder: Path, sizes: tuple[int, int, int], has_captions: bool) -> None:
    """Write all texts; of English what is left over goes into the heap."""
    captions, others, speeches = sizes
    for language in ("de", "en"):
        own = read_lines(data / "multi30k" / f"train.{language}.xz")
        made = Preprocessor.create("moses", "lowercase", language=language)
        tatoeba = read_lines(data / "tatoeba-de-en" / f"train.{language}.xz")
        more = made.encode(tatoeba[:others])
        write_lines(folder / f"captions.{language}", own[:captions])
        write_lines(folder / f"others.{language}", more)
        write_lines(folder / f"joined.{language}", own[:captions] + more)
        val = read_lines(data / "multi30k" / f"val.{language}")
        half = len(val) // 2
        test = read_lines(data / "multi30k" / f"test_2016.{language}")
        for name, lines in (("first", val[:half]), ("second", val[half:]), ("val", val)):
            write_lines(folder / f"{name}.{language}", lines)
        write_lines(folder / f"test.{language}", test)
    europarl = made.encode(read_lines(data / "europarl-4way" / "train.en.xz")[:speeches])
    rest = own[captions:] if has_captions else []
    write_lines(folder / "heap.en", europarl + rest + made.encode(tatoeba[others:]))


def main() -> None:
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rows", nargs="*", default=list(ROWS), metavar="ROW")
    parser.add_argument("--on", choices=("halves", "test"), default="halves")
    parser.add_argument("--without-captions", action="store_true")
    sizes = (CAPTIONS, OTHERS, SPEECHES)
    parser.add_argument("--sizes", type=int, nargs=3, default=sizes, metavar="N")
    add_data_option(parser)
    arguments = parser.parse_args(given[:cut])
    dev, test = ("first", "second") if arguments.on == "halves" else ("val", "test")
    with TemporaryDirectory() as name:
        folder = Path(name)
        prepare(arguments.data, folder, tuple(arguments.sizes), not arguments.without_captions)
        for row in arguments.rows:
            corpora, more = ROWS[row]
            sides = [[f"{one}.{side}" for one in corpora.split()] for side in ("de", "en")]
            print(f"== {row}", flush=True)
            subprocess.run(
                [sys.executable, "-m", "tunesmith.cli.main", "train", "--tokenizer", "none",
                 "--src", *sides[0], "--tgt", *sides[1], *more, "--out", f"{row}.model",
                 "--dev-src", f"{dev}.de", "--dev-ref", f"{dev}.en",
                 "--test-src", f"{test}.de", "--test-ref", f"{test}.en", *given[cut + 1 :]],
                check=True, cwd=folder,
            )  # fmt: skip


if __name__ == "__main__":
    main()
