"""Chinese and Japanese as they are written beside the same text in given words: test BLEU of both.

    python bench/raw_scripts.py [techdocs kyoto] [--pairs 100000] [--data FOLDER] [-- OPTION …]

Techdocs zh-en and kyoto ja-en are segmented (by jieba and MeCab); the raw text is made from them by
leaving out all spaces but those between two Latin words or numbers. One plain `tunesmith train`
each, BLEU of running text (13a). Options behind `--` go to `train`.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from shared_data import add_data_option, unsegmented, write_lines

from tunesmith.formats.text import read_lines

CORPORA = {"techdocs": ("techdocs-zh-en", "zh"), "kyoto": ("kyoto-ja-en", "ja")}


def main() -> None:
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpora", nargs="*", default=list(CORPORA), metavar="CORPUS")
    parser.add_argument("--pairs", type=int, default=100_000)
    add_data_option(parser)
    arguments = parser.parse_args(given[:cut])
    for corpus in arguments.corpora:
        name, language = CORPORA[corpus]
        for kind in ("raw", "segmented"):
            with TemporaryDirectory() as folder:
                for part in ("train", "dev", "test"):
                    for side in (language, "en"):
                        lines = read_lines(arguments.data / name / f"{part}.{side}.xz")
                        lines = lines[: arguments.pairs if part == "train" else None]
                        if kind == "raw" and side == language:
                            lines = map(unsegmented, lines)
                        path = Path(folder) / f"{part}.{'tgt' if side == 'en' else 'src'}"
                        write_lines(path, lines)
                print(f"== {corpus}, {kind}", flush=True)
                subprocess.run(
                    [sys.executable, "-m", "tunesmith.cli.main", "train", "--out", "model",
                     "--src", "train.src", "--tgt", "train.tgt", "--dev-src", "dev.src",
                     "--dev-ref", "dev.tgt", "--test-src", "test.src", "--test-ref", "test.tgt",
                     *given[cut + 1 :]],
                    check=True, cwd=folder,
                )  # fmt: skip


if __name__ == "__main__":
    main()
