"""The aligners that bench/align_quality.py compares: what each costs, and AER by symmetrisation.

Every system is one process that aligns all of a case's text in both directions; CPU is user +
system seconds, memory its largest resident set. Links of two directions are symmetrised by the
same code.
"""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from align_sets import lines_of
from measure import measured

from tunesmith.align import Aligner, Links, alignment_quality, symmetrise
from tunesmith.formats.pharaoh import read_links, write_links

METHODS = ("intersection", "grow-diag", "grow-diag-final-and", "grow-diag-final", "union")
OWN_METHODS = ("posterior", *METHODS)


def aer_by_method(aligner, case):
    """AER of the gold text under a trained model, by symmetrisation."""
    text, found = case.text(0), {}
    for method in OWN_METHODS:
        aligner.symmetrisation = method
        found[method] = alignment_quality(aligner.align(*text), case.gold).aer
    return found


def aer_on_few_pairs(case, pairs, threads, **settings):
    """The same of a model of the first training pairs; its cost does not matter."""
    aligner = Aligner(engine=threads, **settings).fit(*case.text(pairs))
    return aer_by_method(aligner, case)


def tunesmith(case, work, threads, **settings):
    """Ours, with all pairs."""
    options = [
        word for name, value in settings.items() for word in (f"--{name.replace('_', '-')}", value)
    ]
    model, out = work / "ours.align", work / "ours.links"
    cost = measured(
        [
            *(sys.executable, "-m", "tunesmith.cli.main", "align", "--threads", threads),
            *("--src", case.source, "--tgt", case.target, "--out", out, "--model-out", model),
            *options,
        ]
    )
    return cost, aer_by_method(Aligner.load(model), case)


def eflomal(case, work, threads):
    """eflomal with all three models; it takes its chance from the system and its own threads."""
    places = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    program = shutil.which("eflomal-align", path=places)
    if program is None:
        raise SystemExit("no eflomal-align: pip install -r bench/requirements.txt, or --no-peers")
    forward, reverse = work / "eflomal.forward", work / "eflomal.reverse"
    cost = measured(
        [
            *(program, "--overwrite", "-m", 3, "-s", case.source, "-t", case.target),
            *("-f", forward, "-r", reverse),
        ]
    )
    return cost, aer_of_directions(forward, reverse, case)


def thot(case, work, threads):
    """sil-thot: model 1 and the HMM, five iterations each."""
    forward, reverse = work / "thot.forward", work / "thot.reverse"
    cost = measured(
        [sys.executable, __file__, case.source, case.target, forward, reverse, len(case.gold)]
    )
    return cost, aer_of_directions(forward, reverse, case)


def aer_of_directions(forward, reverse, case):
    size = range(len(case.gold))
    forward, reverse = (read_links(path).select(size) for path in (forward, reverse))
    return {
        method: alignment_quality(symmetrise(forward, reverse, method), case.gold).aer
        for method in METHODS
    }


def run_thot(source, target, forward, reverse, size):
    from thot.alignment import HmmAlignmentModel, Ibm1AlignmentModel

    def five_iterations(model):
        model.start_training()
        for _ in range(5):
            model.train()
        model.end_training()

    texts = [[line.split() for line in lines_of(Path(path))] for path in (source, target)]
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


if __name__ == "__main__":
    run_thot(*sys.argv[1:5], int(sys.argv[5]))
