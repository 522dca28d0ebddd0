"""Where the benchmarks find their data, and what several of them make of it."""

import lzma
import os
import re
from pathlib import Path

_TOKEN = re.compile(r"\w+|[^\w\s]")
_SPACE = re.compile(r"(?<![A-Za-z0-9]) | (?![A-Za-z0-9])")


def add_data_option(parser):
    """`--data FOLDER`: the shared corpora, beside the project or where TUNESMITH_DATA says."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    default = Path(os.environ.get("TUNESMITH_DATA", beside))
    parser.add_argument("--data", type=Path, default=default)


def europarl_lines(data, side):
    """One side of all 603,496 pairs of Europarl es-en, in simple lower-cased tokens."""
    for name in ("train", "train-extra.es-en"):
        path = data / "europarl-4way" / f"{name}.{side}.xz"
        with lzma.open(path, "rt", encoding="utf-8", newline="\n") as stream:
            for line in stream:
                yield " ".join(_TOKEN.findall(line.lower()))


def moses_lists(folder, work):
    """Moses' lists of runs 1 to 3, unpacked into `work`."""
    lists = []
    for name in ("run1.nbest", "run2.nbest", "run3.nbest"):
        (work / name).write_bytes(lzma.decompress((folder / f"{name}.xz").read_bytes()))
        lists.append(work / name)
    return lists


def joined(lists, path):
    """One list of all the lists' lines, sentence by sentence."""
    lines = [line for name in lists for line in name.read_text().splitlines(keepends=True)]
    lines.sort(key=lambda line: int(line.split(" ", 1)[0]))
    path.write_text("".join(lines))
    return path


def unsegmented(line):
    """Segmented Chinese or Japanese without spaces but those between two Latin words or numbers."""
    return _SPACE.sub("", line)


def write_lines(path, lines):
    """Text in a file, a line each."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
