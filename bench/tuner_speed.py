"""Claim: kb-mert is ten times as fast as Moses' mert on the same lists, and ends higher.

The whole command `tunesmith tune --tuner kb-mert`, process start, reading and the estimate on
held-out halves included, on the unpacked Moses lists with 20 restarts and 2 threads; medians of
wall-clock and CPU seconds. Moses' mert (20 restarts, 2 threads, without its extractor) was measured
on an otherwise idle machine of this kind: on a busy one compare the CPU seconds. Where MOSES_BIN is
set, its extractor and mert run beside ours. The score is sacreBLEU's, of the hypotheses that
`tunesmith rerank` chooses. kb-mira stands in gradient_tuners.py.

    python bench/tuner_speed.py [--data FOLDER] [--rounds 3]
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import sacrebleu
from measure import timed, timed_verb
from shared_data import add_data_option, joined, moses_lists

# lists: (wall-clock seconds, CPU seconds, score)
MOSES = {1: (18.7, 36.0, 40.82), 3: (51.0, 91.0, 40.94)}
FACTOR = 10.0


def moses(lists, references, start, work):
    """Seconds of extractor and mert, which read and write files of their own."""
    folder = Path(os.environ["MOSES_BIN"])
    values = " ".join(line.split("=")[1].strip() for line in start.read_text().splitlines())
    count = len(values.split())
    (work / "init.opt").write_text(f"{values}\n{'0 ' * count}\n{'1 ' * count}\n")
    extracted = 0.0
    for path in lists:
        wall, _ = timed(
            [folder / "extractor", "--sctype", "BLEU", "--scconfig", "case:true", "-r", references,
             "-n", path, "-S", f"{path}.scores", "-F", f"{path}.features"],
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        extracted += wall
    wall, cpu = timed(
        [folder / "mert", "-d", str(count), "-n", "20", "--sctype", "BLEU",
         "--scconfig", "case:true", "--ifile", "init.opt", "--threads", "2",
         "--scfile", ",".join(f"{path}.scores" for path in lists),
         "--ffile", ",".join(f"{path}.features" for path in lists)],
        cwd=work, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return extracted, wall, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    folder = arguments.data / "nbest" / "moses-de-en"
    references, start = folder / "val.ref.en", folder / "start.weights"

    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        lists = moses_lists(folder, work)
        print(f"{'':34} {'wall':>7}  {'CPU':>7}   BLEU   (load {os.getloadavg()[0]:.1f})")
        for count, (seconds, cpu_seconds, moses_score) in MOSES.items():
            chosen = lists[:count]
            everything = joined(chosen, work / "all.nbest")
            title = "run 1" if count == 1 else f"runs 1–{count}"
            row = "{:34} {:5.2f} s  {:5.2f} s  {}"
            name = f"Moses mert, {title}"
            print(row.format(f"{name} (recorded)", seconds, cpu_seconds, f"{moses_score:.2f}"))
            if os.environ.get("MOSES_BIN"):
                extracted, seconds, cpu_seconds = moses(chosen, references, start, work)
                note = f"(and {extracted:.2f} s extractor)"
                print(row.format(f"{name} (now)", seconds, cpu_seconds, note))
            for extra, options in (("", ("--no-held-out",)), (" and estimate", ())):
                times = [
                    timed_verb(
                        *("tune", "--quiet", "--tuner", "kb-mert"),
                        *("--restarts", 20, "--threads", 2),
                        *("--nbest", *chosen, "--refs", references, "--start", start),
                        *("--out", work / "w.tsv", *options),
                    )
                    for _ in range(arguments.rounds)
                ]
                wall, cpu = (statistics.median(values) for values in zip(*times, strict=True))
                timed_verb(
                    *("rerank", "--nbest", everything, "--weights", work / "w.tsv"),
                    *("--out", work / "best"),
                )
                score = sacrebleu.corpus_bleu(
                    (work / "best").read_text().splitlines(),
                    [references.read_text().splitlines()],
                    tokenize="none",
                    force=True,
                ).score
                against = "run beside" if os.environ.get("MOSES_BIN") else "recorded"
                ratios = f"{seconds / wall:.1f} × wall, {cpu_seconds / cpu:.1f} × CPU ({against})"
                print(row.format(f"kb-mert, {title}{extra}", wall, cpu, f"{score:.2f}  {ratios}"))
                failed |= score < moses_score or (count == 3 and seconds / wall < FACTOR)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
