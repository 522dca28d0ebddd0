"""Learning from corrections: simulated post-editing, and a correction that is made twice.

    python bench/adaptation.py [multi30k techdocs …] [--kind phrase|hiero] [--part test|held-out]
        [--updates mira expected violation none] [--set NAME=VALUE …] [--lines N] [--cases 200]
        [--work FOLDER] [--pairs 30000] [--threads 1]

A text is translated sentence by sentence in the order of its documents; after each sentence its
reference is the correction that is learned (`tunesmith adapt`). The score is of the translations
that were made before their corrections were seen, beside those of the model as it was trained; BLEU
with 13a, of Multi30k, which comes tokenised, with none; tests are paired. `held-out` is training
text that the models have not seen, on which options were chosen: lines 45,001 to 45,600 and 70,001
to 70,600 of techdocs, whose models have the first `--pairs` lines, and val of Multi30k, which the
weights were tuned on. Then sentences of dev are corrected twice by themselves: how many are right
the third time? A model that is in `--work` is used again.
"""

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time

from shared_data import add_data_option

from tunesmith.adapt import AdaptedModel, AdaptOptions
from tunesmith.decode import open_decoder
from tunesmith.decode.translate import Translator
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.metrics.resample import approximate_randomisation, paired_bootstrap
from tunesmith.model import TranslationModel


@dataclass(frozen=True)
class Corpus:
    folder: str
    source: str
    tokenize: str
    names: tuple[str, str, str]  # train, dev, test
    held_out: tuple[tuple[str, int, int], ...]  # a file and its lines
    options: tuple[str, ...] = ()


CORPORA = {
    "multi30k": Corpus(
        "multi30k", "de", "none", ("train", "val", "test_2016"), (("val", 0, 1014),),
        ("--tokenizer", "none"),
    ),
    "techdocs": Corpus(
        "techdocs-zh-en", "zh", "13a", ("train", "dev", "test"),
        (("train", 45_000, 45_600), ("train", 70_000, 70_600)),
    ),
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=", ".join(CORPORA))
    add_data_option(parser)
    parser.add_argument("--kind", default="phrase", choices=("phrase", "hiero"))
    parser.add_argument("--part", default="test", choices=("test", "held-out"))
    parser.add_argument("--updates", nargs="+", default=[AdaptOptions().update])
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="AdaptOptions")
    parser.add_argument("--lines", type=int, help="of a text, the first")
    parser.add_argument("--cases", type=int, default=200, help="corrections that are made twice")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--pairs", type=int, default=30_000, help="to train on")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        work = options.work or Path(temporary)
        for name in options.corpora or CORPORA:
            measure(name, CORPORA[name], options, work, Path(temporary))


def measure(name, corpus, options, work, temporary):
    model = trained(name, corpus, options, work)
    decoder = open_decoder(model, engine=options.threads)
    _, dev, test = corpus.names
    parts = [(test, 0, None)] if options.part == "test" else corpus.held_out
    own = dict(item.split("=") for item in options.set)
    for file, begin, end in parts:
        pairs = text(corpus, options, file)[begin:end][: options.lines]
        for update in options.updates:
            settings = {key: type(getattr(AdaptOptions(), key))(own[key]) for key in own}
            learner = AdaptOptions(update=update, **settings)
            label = f"{name} {options.kind}, {file} {begin + 1:,}–{begin + len(pairs):,}, {update}"
            post_edit(label, decoder, learner, corpus, pairs, temporary, options)
    if options.part == "test" and options.cases:
        repeat(name, decoder, text(corpus, options, dev)[: options.cases], temporary)


def post_edit(label, decoder, learner, corpus, pairs, temporary, options):
    """Scores of a text before and with learning, and whether they differ."""
    metric = Bleu(tokenize=corpus.tokenize)
    references = metric.prepare([[target for _, target in pairs]])
    rows = range(len(pairs))
    static = Translator(decoder).translate([source for source, _ in pairs])
    with TemporaryDirectory(dir=temporary) as folder:
        adapted = AdaptedModel(decoder, Path(folder) / "layer", learner)
        begin, wall = process_time(), monotonic()
        shown = [adapted.correct(source, target, time="").before for source, target in pairs]
        seconds, wall = process_time() - begin, monotonic() - wall
    runs = [metric.stats(texts, rows, references) for texts in (static, shown)]
    scores = [metric.score(run.sum(axis=0)) for run in runs]
    low, high = paired_bootstrap(metric, runs, engine=options.threads).difference_interval(1)
    p = approximate_randomisation(metric, *runs, engine=options.threads).p_value
    print(
        f"{label}: static {scores[0]:.2f}, adapted {scores[1]:.2f}, difference "
        f"{scores[1] - scores[0]:+.2f} ({low:+.2f} to {high:+.2f}), p = {p:.3g}; a correction "
        f"takes {seconds / len(pairs):.3f} CPU s, {wall / len(pairs):.3f} s at load "
        f"{os.getloadavg()[0]:.1f}",
        flush=True,
    )


def repeat(name, decoder, pairs, temporary):
    """How many corrections are right after one and after two."""
    before = once = twice = alone = 0
    with TemporaryDirectory(dir=temporary) as folder:
        for number, (source, target) in enumerate(pairs):
            adapted = AdaptedModel(decoder, Path(folder) / str(number))
            first = adapted.correct(source, target)
            second = adapted.correct(source, target)
            before += first.before == target
            once += second.before == target
            twice += adapted.translate(source) == target
        together = AdaptedModel(decoder, Path(folder) / "together")
        for source, target in pairs * 2:
            together.correct(source, target)
        alone = sum(together.translate(source) == target for source, target in pairs)
    print(
        f"{name}, {len(pairs)} sentences of dev: right before any correction {before}, after one "
        f"{once}, after two {twice}; with all of them in one layer, twice, {alone}",
        flush=True,
    )


def text(corpus, options, part):
    sides = []
    for language in (corpus.source, "en"):
        path = options.data / corpus.folder / f"{part}.{language}"
        packed = path.with_name(f"{path.name}.xz")
        sides.append(read_lines(packed if packed.exists() else path))
    return list(zip(*sides, strict=True))


def trained(name, corpus, options, work):
    out = work / (name if options.kind == "phrase" else f"{name}-{options.kind}")
    if not out.exists():
        work.mkdir(parents=True, exist_ok=True)
        files = []
        train, dev, _ = corpus.names
        for part, flags in ((train, ("--src", "--tgt")), (dev, ("--dev-src", "--dev-ref"))):
            lines = text(corpus, options, part)
            lines = lines[: options.pairs] if part == train else lines
            for flag, side in zip(flags, zip(*lines, strict=True), strict=True):
                path = work / f"{name}{flag}"
                path.write_text("".join(f"{line}\n" for line in side))
                files += [flag, path]
        command = [sys.executable, "-m", "tunesmith.cli.main", "train", "--model", options.kind,
                   "--source-language", corpus.source, "--target-language", "en",
                   *corpus.options, *files, "--threads", options.threads,
                   "--work", work / f"work-{name}", "--out", out]  # fmt: skip
        subprocess.run(list(map(str, command)), check=True)
    return TranslationModel.load(out)


if __name__ == "__main__":
    main()
