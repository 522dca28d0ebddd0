"""How much memory `train` takes, of one installed version or of several side by side.

    python bench/train_memory.py new/bin/tunesmith old/bin/tunesmith --pairs 20000 \\
        --src train.es --tgt train.en --dev-src dev.es --dev-ref dev.en -- --source-language es

Prints the largest resident set, mapped files included, and the CPU seconds of each version on the
first pairs of the text; what stands behind ``--`` goes to `train`. The load of the machine does not
change the memory.
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
    parser.add_argument("versions", nargs="+", metavar="TUNESMITH", help="installed programs")
    for name in ("--src", "--tgt", "--dev-src", "--dev-ref"):
        parser.add_argument(name, required=True, metavar="FILE")
    parser.add_argument("--pairs", type=int, default=20_000)
    arguments = parser.parse_args(given[:cut])
    print(f"load {os.getloadavg()[0]:.1f}; the first {arguments.pairs:,} pairs")
    first = None
    with TemporaryDirectory() as folder:
        texts = []
        for number, path in enumerate((arguments.src, arguments.tgt)):
            texts.append(Path(folder) / f"text.{number}")
            with open(path, encoding="utf-8") as whole, texts[-1].open("w") as part:
                part.writelines(islice(whole, arguments.pairs))
        for number, version in enumerate(arguments.versions):
            cpu, _, megabytes = measured(
                [version, "train", "--quiet", "--src", texts[0], "--tgt", texts[1],
                 "--dev-src", arguments.dev_src, "--dev-ref", arguments.dev_ref,
                 "--out", Path(folder) / f"model.{number}", *given[cut + 1 :]]
            )  # fmt: skip
            first = first or megabytes
            print(f"{version}: {megabytes:,.0f} MB ({megabytes / first:.2f}), {cpu:.0f} CPU s")


if __name__ == "__main__":
    main()
