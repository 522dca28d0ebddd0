"""Minimum Bayes risk choices and their cost: ours beside the package mbrs, on one core.

    python bench/mbr.py [--data FOLDER] [--sentences 200] [--mbrs PYTHON] [--only DECODER …]

The first sentences of `nbest-nmt` (50 entries each), every entry a pseudo-reference. Each side gets
the texts in memory; its start and imports are not timed. Seconds are those of the processor, of all
processes of a side. --mbrs is a Python that has mbrs and what it imports (PyPI; it needs torch);
without it only ours is measured. mbrs runs with one worker process. "same" counts equal choices;
where they differ, "apart" is the largest difference of the two choices by our scores (0: a tie).
Then the memory that lists of growing length take.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
from shared_data import add_data_option

from tunesmith.formats.nbest import Texts, read_nbest
from tunesmith.metrics import parse_metric

DECODERS = {
    "bleu": ("bleu", {"num_workers": 1}, "mbr"),
    "chrf": ("chrf", {"num_workers": 1}, "mbr"),
    "chrf, fastchrf": ("chrf", {"fastchrf": True}, "mbr"),
    "bleu, aggregated": ("bleu", {"num_workers": 1}, "aggregate_mbr"),
    "chrf, aggregated": ("chrf", {"num_workers": 1}, "aggregate_mbr"),
}

PEER = """
import json, resource, sys
import torch
torch.set_num_threads(1)
from mbrs.decoders import get_decoder
from mbrs.metrics import get_metric
metric, options, decoder = json.loads(sys.argv[1])
lists = json.load(sys.stdin)
cls = get_metric(metric)
kind = get_decoder(decoder)
made = kind(kind.Config(), cls(cls.Config(**options)))
def seconds():
    each = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in each)
begin = seconds()
chosen = [int(made.decode(texts, texts).idx[0]) for texts in lists]
print(json.dumps([chosen, seconds() - begin]))
"""


def ours(name, lists, *, aggregate):
    """Expected scores of all texts and the seconds that they took."""
    metric = parse_metric(name, tokenize="13a")
    texts = Texts.of([text for one in lists for text in one])
    sizes = np.array([len(one) for one in lists])
    offsets = np.cumsum([0, *sizes], dtype=np.int64)
    begin = time.process_time()
    gains = metric.expected_gains(
        texts.data, texts.offsets, offsets, np.repeat(1.0 / sizes, sizes),
        aggregate=aggregate, engine=1,
    )  # fmt: skip
    seconds = time.process_time() - begin
    return [gains[a:b] for a, b in pairwise(offsets)], seconds


def theirs(python, decoder, lists):
    """Choices of mbrs and the seconds that they took."""
    command = [python, "-c", PEER, json.dumps(decoder)]
    done = subprocess.run(
        command, input=json.dumps(lists), text=True, stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def memory(entries):
    """Megabytes that a process holds more at most for one list of so many entries."""
    code = (
        "import resource, numpy as np\n"
        "from tunesmith.formats.nbest import Texts\n"
        "from tunesmith.metrics import ChrF\n"
        "words = [f'word{i}' for i in range(200)]\n"
        "chance = np.random.default_rng(1)\n"
        f"texts = Texts.of([' '.join(chance.choice(words, 12)) for _ in range({entries})])\n"
        "usage = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024\n"
        "before = usage()\n"
        f"ChrF().expected_gains(texts.data, texts.offsets, np.array([0, {entries}]),\n"
        f"    np.full({entries}, 1 / {entries}), engine=1)\n"
        "print(usage() - before)"
    )
    return float(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--mbrs", metavar="PYTHON", help="an interpreter with mbrs")
    parser.add_argument("--only", nargs="+", choices=DECODERS, default=list(DECODERS))
    arguments = parser.parse_args()
    nbest = read_nbest(arguments.data / "nbest-nmt" / "nbest.val.tsv.gz")
    bounds = nbest.offsets[: arguments.sentences + 1].tolist()
    lists = [nbest.texts[a:b] for a, b in pairwise(bounds)]
    print(f"{len(lists)} lists, {bounds[-1]:,} entries, load {os.getloadavg()[0]:.1f}")
    print(f"{'':18}{'ours':>9}{'mbrs':>10}{'ratio':>8}{'same':>10}{'apart':>10}")
    for title in arguments.only:
        decoder = DECODERS[title]
        aggregate = decoder[2] == "aggregate_mbr"
        scores, seconds = ours(decoder[0], lists, aggregate=aggregate)
        line = f"{title:18}{seconds:8.3f}s"
        if arguments.mbrs:
            chosen, peer = theirs(arguments.mbrs, decoder, lists)
            best = [one.argmax() for one in scores]
            same = sum(a == b for a, b in zip(best, chosen, strict=True))
            apart = max(one[a] - one[b] for one, a, b in zip(scores, best, chosen, strict=True))
            line += f"{peer:9.2f}s{peer / seconds:8.0f}{same:6}/{len(lists)}{apart:10.1e}"
        print(line, flush=True)
    for entries in (1000, 2000, 4000, 8000):
        print(f"one list of {entries:5,} entries, chrF: {memory(entries):7.1f} MB")


if __name__ == "__main__":
    main()
