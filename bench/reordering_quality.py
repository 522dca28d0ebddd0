"""Reordering models in translation: test BLEU over replicates of tuning, with a test, and the cost.

    python bench/reordering_quality.py [multi30k kyoto techdocs] [--pairs 30000] [--replicates 3]
        [--kind NAME=OPTIONS …] [--tuner kb-mira] [--out FOLDER] [--threads 1]

Table 3 of Alrajeh & Niranjan (2014). Kinds are options of `tunesmith train`; the first is the one
that others are compared with. All share the stages before tuning. A replicate is tuned on a part of
the dev set of its own: sentence i belongs to replicate i mod R. Scores are of the whole test set,
differences are tested over runs and segments as `tunesmith compare` does it. At the end the test
set is translated again, kind by kind in turns, for the CPU seconds of decoding alone. A killed run
goes on where it was if it is given the same --out.
"""

import argparse
import shlex
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from hiero_quality import CORPORA, FILES, tuned_translation, write
from shared_data import add_data_option

from tunesmith.decode import open_decoder
from tunesmith.evaluate import sample_scores, two_way_test
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel

KINDS = (
    "lexicalized=--reordering-model lexicalized",
    "maxent=--reordering-model maxent",
    "both=--reordering-model both",
)
TURNS = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=", ".join(CORPORA))
    add_data_option(parser)
    parser.add_argument("--pairs", type=int, default=30_000)
    parser.add_argument("--replicates", type=int, default=3)
    parser.add_argument("--kind", action="append", default=[], metavar="NAME=OPTIONS")
    parser.add_argument("--train", default="", help="options of all kinds")
    parser.add_argument("--tuner", default="kb-mira")
    parser.add_argument("--iterations", type=int, default=15)
    parser.add_argument("--patience", type=int, default=3)
    parser.add_argument("--pop-limit", type=int, default=200, help="while tuning")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    options.kinds = dict(one.split("=", 1) for one in options.kind or KINDS)
    with TemporaryDirectory() as temporary:
        for name in options.corpora or CORPORA:
            one_corpus(name, options, (options.out or Path(temporary)) / name)


def one_corpus(name, options, folder):
    """Trains the models, tunes them, prints a line for each kind."""
    corpus = CORPORA[name]
    folder.mkdir(parents=True, exist_ok=True)
    texts = {}
    for part, file in zip(FILES, corpus.names, strict=True):
        for side, language in (("src", corpus.source), ("tgt", "en")):
            path = options.data / corpus.folder / f"{file}.{language}"
            packed = path.with_name(f"{path.name}.xz")
            lines = read_lines(packed if packed.exists() else path)
            texts[part, side] = lines[: options.pairs] if part == "train" else lines
            write(folder / f"{part}.{side}", texts[part, side])
    metric = Bleu(tokenize=corpus.tokenize)
    prepared = metric.prepare([texts["test", "tgt"]])
    models = {kind: trained(kind, corpus, options, folder) for kind in options.kinds}
    systems = {kind: [] for kind in models}
    # Replicate by replicate: what is not finished can be compared as far as it goes.
    for replicate in range(options.replicates):
        for kind, model in models.items():
            out = folder / f"{kind}-{replicate}.out"
            if not out.exists():
                lines = tuned_translation(model, options.tuner, replicate, texts, options, folder)
                write(out, lines)
            systems[kind].append(metric.stats(read_lines(out), None, prepared))
            score = metric.score(systems[kind][-1].sum(axis=0))
            print(f"{name}, {kind}, replicate {replicate}: {score:.2f}", flush=True)
    print_scores(name, metric, systems, options)
    print_costs(name, models, texts["test", "src"], options)


def trained(kind, corpus, options, folder):
    """A model with its initial weights, or nearly: replicates begin with the initial ones."""
    out = folder / kind
    if not out.exists():
        # What is tuned here is thrown away: a few sentences are enough.
        for side in ("src", "tgt"):
            write(folder / f"few.{side}", read_lines(folder / f"dev.{side}")[:20])
        command = [sys.executable, "-m", "tunesmith.cli.main", "train"]
        command += ["--src", folder / "train.src", "--tgt", folder / "train.tgt"]
        command += ["--dev-src", folder / "few.src", "--dev-ref", folder / "few.tgt"]
        command += ["--source-language", corpus.source, *corpus.options]
        command += [*shlex.split(options.train), *shlex.split(options.kinds[kind])]
        command += ["--work", folder / "work", "--iterations", 1, "--size", 10]
        command += ["--threads", options.threads, "--out", out, "--quiet"]
        subprocess.run(list(map(str, command)), check=True)
    return TranslationModel.load(out)


def print_scores(name, metric, systems, options):
    """A line for each kind, with what it is to the first."""
    samples = sample_scores(metric, list(systems.values()), engine=options.threads)
    for kind, sample in zip(systems, samples, strict=True):
        runs = " ".join(f"{score:.2f}" for score in sample.runs)
        line = f"{name}, {kind}: {runs}, mean {sample.runs.mean():.2f}"
        if sample is not samples[0] and options.replicates > 1:
            test = two_way_test(samples[0], sample)
            low, high = test.interval
            line += f", {test.difference:+.2f} ({low:+.2f} to {high:+.2f}), p = {test.p_value:.3g}"
        print(line, flush=True)


def print_costs(name, models, lines, options):
    """CPU seconds of translating the test set with the weights of a first iteration."""
    seconds = {kind: [] for kind in models}
    for _ in range(TURNS):
        for kind, model in models.items():
            decoder = open_decoder(model, engine=1)
            text = model.preprocessors[0].encode(lines[:300], engine=1)
            decoder.decode(text[:5], model.weights)
            start = time.process_time()
            decoder.decode(text, model.weights)
            seconds[kind].append(time.process_time() - start)
    first = median(next(iter(seconds.values())))
    for kind, found in seconds.items():
        print(
            f"{name}, {kind}: {median(found):.2f} CPU s for {min(len(lines), 300)} sentences, "
            f"{median(found) / first:.2f} times the first",
            flush=True,
        )


if __name__ == "__main__":
    main()
