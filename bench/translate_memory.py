"""How much memory `translate` takes, and how fast it is, on texts of several lengths.

    python bench/translate_memory.py tunesmith model text.de --lines 10000 30000 100000 \\
        -- --pop-limit 30 --threads 1

Prints the largest resident set, mapped files included, and the lines per second for the first lines
of the text, in each way that it can be asked for; what stands behind ``--`` goes to `translate`.
Memory should not grow with the lines, but for documents, which are held whole.
"""

import argparse
import os
import sys
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import measured


def main() -> None:
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("version", metavar="TUNESMITH", help="an installed program")
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("text", type=Path, metavar="TEXT")
    parser.add_argument("--lines", type=int, nargs="+", default=[10_000, 30_000, 100_000])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    arguments = parser.parse_args(given[:cut])
    print(f"load {os.getloadavg()[0]:.1f}")
    command = [arguments.version, "translate", arguments.model, *given[cut + 1 :]]
    for name in arguments.ways:
        for lines in arguments.lines:
            with TemporaryDirectory() as folder:
                cost = measure(name, command, arguments.text, lines, Path(folder))
            print(f"{name:<12}{lines:>9,} lines  {cost}", flush=True)


def measure(way: str, command: list[str], text: Path, lines: int, folder: Path) -> str:
    """Memory and speed for the first lines of a text."""
    source = folder / f"source{DOCUMENTS.get(way, '.txt')}"
    with text.open(encoding="utf-8") as whole, source.open("w", encoding="utf-8") as part:
        for number, line in enumerate(islice(whole, lines)):
            part.write(_segment(way, line.rstrip("\n"), number))
    words = [word.format(folder=folder, source=source) for word in WAYS[way]]
    with source.open() as stream:
        _, wall, megabytes = measured([*command, *words], stdin=stream)
    return f"{megabytes:>6,.0f} MB  {lines / wall:>7,.0f} lines/s"


def _segment(way: str, line: str, number: int) -> str:
    """A line of text as a line, or as a paragraph of a document."""
    if way == "srt":
        begin = f"{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}"
        return f"{number + 1}\n{begin},000 --> {begin},900\n{line}\n\n"
    if way == "html":
        return f"<p>{line.replace('&', '&amp;').replace('<', '&lt;')}</p>\n"
    return f"{line}\n\n" if way == "markdown" else f"{line}\n"


FILES = ("--input", "{source}", "--out", "{folder}/out")
DOCUMENTS = {"markdown": ".md", "html": ".html", "srt": ".srt"}
WAYS = {
    "file": FILES,
    "stream": (),
    "split": (*FILES, "--split"),
    "split stream": ("--split",),
    "nbest": (*FILES, "--nbest", "10", "--nbest-out", "{folder}/nbest"),
    "explain": (*FILES, "--explain-out", "{folder}/explained"),
    **dict.fromkeys(DOCUMENTS, FILES),
}


if __name__ == "__main__":
    main()
