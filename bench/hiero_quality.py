"""Hierarchical models beside models of phrases: test BLEU over replicates of tuning, with a test.

    python bench/hiero_quality.py [techdocs kyoto multi30k] [--pairs 100000] [--replicates 3]
        [--tuners kb-mira lb-mira] [--hiero=--hiero-max-symbols=7] [--out FOLDER] [--threads 1]

Both kinds of model are trained by `tunesmith train` on the same text, with the same language
models. A replicate is tuned on a part of the dev set of its own: sentence i belongs to replicate
i mod R. Scores are of the whole test set: BLEU of running text (13a; Multi30k, which comes
tokenised: none). The differences are tested as `tunesmith compare` does it, over runs and segments.
A killed run goes on where it was if it is given the same --out.
"""

import argparse
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from shared_data import add_data_option

from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.evaluate import sample_scores, two_way_test
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.train.options import TUNING_POP_LIMIT
from tunesmith.tune import make_tuner
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.sources import DecoderSource


@dataclass(frozen=True)
class Corpus:
    folder: str
    source: str  # the language: without it, Moses' rules cut words of Chinese into characters
    tokenize: str  # of BLEU
    names: tuple[str, str, str]
    options: tuple[str, ...]


FILES = ("train", "dev", "test")
CORPORA = {
    "techdocs": Corpus("techdocs-zh-en", "zh", "13a", FILES, ()),
    "kyoto": Corpus("kyoto-ja-en", "ja", "13a", FILES, ()),
    "multi30k": Corpus(
        "multi30k", "de", "none", ("train", "val", "test_2016"), ("--tokenizer", "none")
    ),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=", ".join(CORPORA))
    add_data_option(parser)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--replicates", type=int, default=3)
    parser.add_argument("--tuners", nargs="+", default=["kb-mira", "lb-mira"])
    parser.add_argument("--kinds", nargs="+", default=["phrase", "hiero"])
    parser.add_argument("--train", nargs="*", default=[], help="options of both kinds of model")
    parser.add_argument("--hiero", action="append", default=[], help="option of hierarchical ones")
    parser.add_argument("--iterations", type=int, default=15)
    parser.add_argument("--patience", type=int, default=3)
    parser.add_argument("--pop-limit", type=int, help="while tuning; default: that of train")
    parser.add_argument("--test-pop-limit", type=int, help="of charts on the test set")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        for name in options.corpora or CORPORA:
            one_corpus(name, options, (options.out or Path(temporary)) / name)


def one_corpus(name, options, folder):
    """Trains the models, tunes them, prints a line for each kind and one for the difference."""
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
    found = {(tuner, kind): [] for tuner in options.tuners for kind in models}
    # Replicate by replicate: what is not finished can be compared as far as it goes.
    for r in range(options.replicates):
        for (tuner, kind), runs in found.items():
            out = folder / f"{kind}-{tuner}-{r}.out"
            if not out.exists():
                write(out, tuned_translation(models[kind], tuner, r, texts, options, folder))
            runs.append(metric.stats(read_lines(out), None, prepared))
            score = metric.score(runs[-1].sum(axis=0))
            print(f"{name}, {tuner}, {kind}, replicate {r}: {score:.2f}", flush=True)
    for tuner in options.tuners:
        systems = [found[tuner, kind] for kind in models]
        if options.replicates > 1 and len(systems) == 2:
            report(name, tuner, sample_scores(metric, systems, engine=options.threads))


def trained(kind, corpus, options, folder):
    """A model with its initial weights, or nearly: replicates begin with the initial ones."""
    out = folder / kind
    if not out.exists():
        # What is tuned here is thrown away: a few sentences are enough.
        for side in ("src", "tgt"):
            write(folder / f"few.{side}", read_lines(folder / f"dev.{side}")[:20])
        command = [sys.executable, "-m", "tunesmith.cli.main", "train", "--model", kind]
        # Links and language models are those of both kinds.
        command += ["--work", folder / "work"]
        command += ["--src", folder / "train.src", "--tgt", folder / "train.tgt"]
        command += ["--dev-src", folder / "few.src", "--dev-ref", folder / "few.tgt"]
        command += ["--source-language", corpus.source, *corpus.options, *options.train]
        command += options.hiero if kind == "hiero" else []
        command += ["--iterations", 1, "--threads", options.threads, "--out", out]
        subprocess.run(list(map(str, command)), check=True)
    return TranslationModel.load(out)


def tuned_translation(model, tuner, replicate, texts, options, folder):
    """The test set, translated with weights that were tuned on the replicate's part of dev."""
    engine = options.threads
    source, target = model.preprocessors
    part = slice(replicate, None, options.replicates)
    dev = source.encode(texts["dev", "src"][part], engine=engine)
    references = target.encode(texts["dev", "tgt"][part], engine=engine)
    search = SearchOptions.of_model(model)
    tuning = replace(search, pop_limit=options.pop_limit or TUNING_POP_LIMIT[model.kind])
    if model.kind == "hiero" and options.test_pop_limit:
        search = replace(search, pop_limit=options.test_pop_limit)
    loop = TuningLoop(
        DecoderSource(open_decoder(model, search=tuning, engine=engine), dev),
        make_tuner(tuner, in_loop=True, engine=engine),
        Bleu(tokenize="none"),
        [references],
        iterations=options.iterations,
        size=100,
        patience=options.patience,
    )
    began = process_time()
    result = loop.run(model.initial_weights(), folder / f"{model.folder.name}-{tuner}-{replicate}")
    shown = " ".join(f"{turn.score:.2f}" for turn in result.iterations)
    print(f"  dev by decodings {shown}; {process_time() - began:.0f} CPU s", flush=True)
    lines = source.encode(texts["test", "src"], engine=engine)
    best = open_decoder(model, search=search, engine=engine).decode(lines, result.weights).best()
    return target.decode(list(best), engine=engine)


def report(name, tuner, samples):
    test = two_way_test(*samples)
    means = [f"{one.runs.mean():.2f} ± {one.runs.std(ddof=1):.2f}" for one in samples]
    low, high = test.interval
    print(
        f"{name}, {tuner}: phrases {means[0]}, hierarchical {means[1]}, difference "
        f"{test.difference:+.2f} ({low:+.2f} to {high:+.2f}), p = {test.p_value:.3g}",
        flush=True,
    )


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
