"""Claim: better links than fast_align and no worse than eflomal's, in less CPU time than either.

Protocol: the gold text first, then the first 100,000 training pairs (tokenised by sacremoses and
lower-cased; pairs with more than 80 words dropped for ja-en), all aligned without supervision, both
directions; the gold part is scored. Every system is one process; CPU is user + system seconds,
memory its largest resident set. All systems' links are symmetrised by the same code; the best
symmetrisation of each is compared. eflomal takes its chance from the system, so it runs several
times and its mean counts.

    pip install -r bench/requirements.txt
    python bench/align_quality.py [--sets ja-en en-es] [--no-peers] [--repeats 3] [--threads 2]
"""

import argparse
import json
import lzma
import statistics
import sys
import sysconfig
import tempfile
from pathlib import Path

from measure import measured
from shared_data import add_data_option

from tunesmith.align import Links, alignment_quality, symmetrise
from tunesmith.formats.pharaoh import read_links, write_links

PAIRS = 100_000
METHODS = ("intersection", "grow-diag", "grow-diag-final-and", "grow-diag-final", "union")
# name: gold set, its languages, training corpus, languages to tokenise, longest training sentence
SETS = {
    "ja-en": ("awesome.jaen", "ja", "en", "kyoto-ja-en", ("en",), 80),
    "en-es": ("mb.es_golden", "en", "es", "europarl-4way", ("en", "es"), None),
    "en-fr": ("mb.fr_golden", "en", "fr", "europarl-4way", ("en", "fr"), None),
    "hansards": ("hansards.trial", "en", "fr", "europarl-4way", ("en", "fr"), None),
}
# fast_align -d -o -v on an idle machine with 2 cores, its best symmetrisation (it is not on PyPI).
FAST_ALIGN = {
    "ja-en": ("grow-diag-final-and", 0.543, 246.0, 145.0, 530.0),
    "en-es": ("intersection", 0.233, 281.0, 172.0, None),
}
COMPARED_WITH_PEERS = ("ja-en", "en-es")


def unpack(path, limit=None):
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        lines = stream.read().split("\n")[:-1]
    return lines[:limit]


def prepare(name, data, work):
    """Write the text to be aligned; returns (source, target, gold) paths."""
    gold, one, other, corpus, tokenised, longest = SETS[name]
    paths = work / f"{name}.{one}", work / f"{name}.{other}", work / f"{name}.gold"
    if all(path.exists() for path in paths):
        return paths
    from sacremoses import MosesTokenizer

    sides = []
    for language in (one, other):
        lines = unpack(data / corpus / f"train.{language}.xz", PAIRS)
        if language in tokenised:
            tokenizer = MosesTokenizer(lang=language)
            lines = [tokenizer.tokenize(line, return_str=True, escape=False) for line in lines]
        sides.append([line.lower() for line in lines])
    if longest is not None:
        kept = [
            pair
            for pair in zip(*sides, strict=True)
            if all(len(line.split()) <= longest for line in pair)
        ]
        sides = [[pair[side] for pair in kept] for side in range(2)]
    folder = data / "gold-alignments"
    for path, language, lines in zip(paths, (one, other), sides, strict=False):
        head = [line.lower() for line in unpack(folder / f"{gold}.{language}.xz")]
        path.write_text("\n".join(head + lines) + "\n", encoding="utf-8")
    paths[2].write_text("\n".join(unpack(folder / f"{gold}.align.xz")) + "\n", encoding="utf-8")
    return paths


def with_ours(source, target, gold, work, threads):
    """Trains and aligns everything; the other symmetrisations come from the saved model."""
    command = [sys.executable, "-m", "tunesmith.cli.main", "align", "--threads", threads]
    model, out = work / "ours.align", work / "ours.links"
    cost = measured(
        [*command, "--src", source, "--tgt", target, "--out", out, "--model-out", model]
    )
    from tunesmith.align import Aligner

    aligner = Aligner.load(model)
    default = aligner.symmetrisation
    heads = [path.read_text(encoding="utf-8").split("\n")[: len(gold)] for path in (source, target)]
    found = {}
    for method in ("posterior", *METHODS):
        aligner.symmetrisation = method
        found[method] = alignment_quality(aligner.align(*heads), gold)
    found[default] = alignment_quality(read_links(out).select(range(len(gold))), gold)
    return cost, found


def from_directions(forward, reverse, gold):
    forward, reverse = (read_links(path).select(range(len(gold))) for path in (forward, reverse))
    return {
        method: alignment_quality(symmetrise(forward, reverse, method), gold) for method in METHODS
    }


def with_eflomal(source, target, gold, work, threads):
    program = Path(sysconfig.get_path("scripts")) / "eflomal-align"
    forward, reverse = work / "eflomal.forward", work / "eflomal.reverse"
    cost = measured(
        [program, "--overwrite", "-m", 3, "-s", source, "-t", target, "-f", forward, "-r", reverse]
    )
    return cost, from_directions(forward, reverse, gold)


def with_thot(source, target, gold, work, threads):
    forward, reverse = work / "thot.forward", work / "thot.reverse"
    cost = measured(
        [sys.executable, __file__, "--thot", source, target, forward, reverse, len(gold)]
    )
    return cost, from_directions(forward, reverse, gold)


def run_thot(source, target, forward, reverse, size):
    """Model 1 and the HMM, five iterations each, in both directions; the gold part is aligned."""
    from thot.alignment import HmmAlignmentModel, Ibm1AlignmentModel

    def five_iterations(model):
        model.start_training()
        for _ in range(5):
            model.train()
        model.end_training()

    texts = [
        [line.split() for line in Path(path).read_text(encoding="utf-8").split("\n")[:-1]]
        for path in (source, target)
    ]
    for out, given, seen in ((forward, *texts), (reverse, texts[1], texts[0])):
        start = Ibm1AlignmentModel()
        for pair in zip(given, seen, strict=True):
            start.add_sentence_pair(*pair)
        five_iterations(start)
        hmm = HmmAlignmentModel(start)
        five_iterations(hmm)
        links = []
        for number in range(size):
            matrix = hmm.get_best_alignment(given[number], seen[number])[1].to_numpy()
            pairs = [(int(i), int(j)) for i, j in zip(*matrix.nonzero(), strict=True)]
            links.append(pairs if out == forward else [(j, i) for i, j in pairs])
        write_links(out, Links.from_lists(links))


def best(found):
    return min(found.items(), key=lambda item: item[1].aer)


def show(name, system, method, aer, precision, recall, cost):
    cpu, wall, memory = cost
    size = "    –" if memory is None else f"{memory:5.0f}"
    scores = f"{aer:.4f}  {precision:>9}  {recall:>6}"
    print(f"{name:9} {system:22} {method:20} {scores}  {cpu:6.1f}  {wall:6.1f}  {size}", flush=True)


def show_all(name, system, cost, found):
    for method, quality in sorted(found.items(), key=lambda item: item[1].aer):
        precision, recall = f"{quality.precision:.4f}", f"{quality.recall:.4f}"
        show(name, system, method, quality.aer, precision, recall, cost)


def compare(name, data, work, arguments):
    source, target, gold_path = prepare(name, data, work)
    gold = read_links(gold_path)
    ours_cost, ours = with_ours(source, target, gold, work, arguments.threads)
    show_all(name, "tunesmith", ours_cost, ours)
    record = {"set": name, "ours": best(ours)[1].aer, "ours_cpu": ours_cost[0]}
    held = True
    if name in FAST_ALIGN:
        method, aer, cpu, wall, memory = FAST_ALIGN[name]
        show(name, "fast_align (recorded)", method, aer, "–", "–", (cpu, wall, memory))
        held &= record["ours"] < aer and record["ours_cpu"] < cpu
    if arguments.no_peers or name not in COMPARED_WITH_PEERS:
        return record, held
    runs = []
    for number in range(arguments.repeats):
        cost, found = with_eflomal(source, target, gold, work, arguments.threads)
        show_all(name, f"eflomal, run {number + 1}", cost, found)
        runs.append((best(found)[1].aer, cost[0]))
    record["eflomal"], record["eflomal_cpu"] = (
        statistics.mean(each) for each in zip(*runs, strict=True)
    )
    held &= record["ours"] <= record["eflomal"] and record["ours_cpu"] < record["eflomal_cpu"]
    cost, found = with_thot(source, target, gold, work, arguments.threads)
    show_all(name, "sil-thot, HMM", cost, found)
    record["thot"], record["thot_cpu"] = best(found)[1].aer, cost[0]
    return record, held


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add_data_option(parser)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--repeats", type=int, default=3, help="runs of eflomal")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--work", type=Path, help="keep prepared text here")
    parser.add_argument("--thot", nargs=5, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.thot:
        run_thot(*arguments.thot[:4], int(arguments.thot[4]))
        return 0
    header = f"{'set':9} {'system':22} {'symmetrisation':20} AER     precision  recall  "
    print(header + " CPU s  wall s     MB")
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.work or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        results = [compare(name, arguments.data, work, arguments) for name in arguments.sets]
    for record, held in results:
        print(json.dumps(record | {"claim": "held" if held else "NOT held"}))
    return 0 if all(held for _, held in results) else 1


if __name__ == "__main__":
    sys.exit(main())
