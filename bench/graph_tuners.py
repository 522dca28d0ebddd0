"""Tuners of search graphs beside those of k-best lists: CPU seconds of an iteration, and memory.

    python bench/graph_tuners.py [--data FOLDER] [--iterations 3] [--pop-limit 200] [--tuner …]

`tunesmith tune` on Multi30k's val with moses-model, from the model's initial weights, one thread;
a run of its own for every tuner. An iteration decodes and tunes; the decoding that ends a run, and
loading, are counted to the iterations too.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import measured
from shared_data import add_data_option

from tunesmith.model.moses import import_moses


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--pop-limit", type=int, default=200)
    parser.add_argument(
        "--tuner",
        nargs="+",
        default=["kb-mira", "lb-mira", "kb-mert", "lb-mert", "mira", "lb-risk"],
    )
    arguments = parser.parse_args()
    dev = arguments.data / "multi30k"
    with TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        import_moses(arguments.data / "moses-model" / "moses.kbmira.ini", model)
        text = (model / "model.toml").read_text(encoding="utf-8")
        limit = f"pop_limit = {arguments.pop_limit}\n"
        if "[search]" in text:
            text = text.replace("[search]\n", f"[search]\n{limit}")
        else:
            text += f"\n[search]\n{limit}"
        (model / "model.toml").write_text(text, encoding="utf-8")
        print(f"{'tuner':<10}{'CPU s':>8}{'a turn':>8}{'MB':>8}   pop limit {arguments.pop_limit}")
        for name in arguments.tuner:
            command = [
                sys.executable, "-m", "tunesmith.cli.main", "tune", model, "--tuner", name,
                "--dev-src", dev / "val.de", "--dev-ref", dev / "val.en", "--threads", "1",
                "--iterations", arguments.iterations, "--out", Path(folder) / name,
            ]  # fmt: skip
            cpu, _, megabytes = measured(command)
            turn = cpu / arguments.iterations
            print(f"{name:<10}{cpu:8.1f}{turn:8.1f}{megabytes:8.0f}", flush=True)


if __name__ == "__main__":
    main()
