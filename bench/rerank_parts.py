"""What each part adds to reranking a neural system: given scores, features, a second system.

    python bench/rerank_parts.py [--data FOLDER] [--work FOLDER] [--threads 1]

`nbest-nmt`: 50-best lists of a transformer with five scores. Two phrase models of the same training
text (`tunesmith train`, some 100 CPU s each) give lists of a second system: one is tuned on val, as
one would at first, and its lists of val are better than those of any other text; the other on the
last 1,000 pairs of the training text, which its tables do not see. Language and alignment models
use all training text. The reranker is tuned on val by kb-mira; held out is each eighth of
val scored with weights of the others; test_2016 is scored once with the weights of all of val. The
test of differences on test_2016 is paired, against the five given scores.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from shared_data import add_data_option

from tunesmith.formats.nbest import read_nbest
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.metrics.resample import approximate_randomisation, paired_bootstrap
from tunesmith.rescore import add_features, parse_feature
from tunesmith.rescore.merging import merge_systems
from tunesmith.tune import make_tuner
from tunesmith.tune.held_out import held_out
from tunesmith.tune.pool import read_pool

BLEU = Bleu(tokenize="none")
PARTS = ("val", "test_2016")
HELD_BACK = 1000
# A phrase model's training and dev text.
MODELS = {"phrases-val": ("train", "val"), "phrases-rest": ("most", "rest")}


def phrase_lists(data, work, threads):
    """Lists of both phrase models, made once in `work`."""
    texts = {
        name: read_lines(data / "multi30k" / name)
        for name in ("train.de.xz", "train.en.xz", "val.de", "val.en", "test_2016.de")
    }
    for name, lines in texts.items():
        write(work / name.removesuffix(".xz"), lines)
        if name.startswith("train"):
            language = name.split(".")[1]
            write(work / f"most.{language}", lines[:-HELD_BACK])
            write(work / f"rest.{language}", lines[-HELD_BACK:])
    for model, (train, dev) in MODELS.items():
        make_lists(model, train, dev, work, threads)


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def make_lists(model, train, dev, work, threads):
    """Train a phrase model and translate val and test_2016, unless that has been done."""
    program = [sys.executable, "-m", "tunesmith.cli.main"]
    if not (work / model).exists():
        subprocess.run(
            [*program, "train", "--tokenizer", "none", "--src", f"{train}.de", "--tgt",
             f"{train}.en", "--dev-src", f"{dev}.de", "--dev-ref", f"{dev}.en", "--threads",
             str(threads), "--out", model],
            cwd=work, check=True,
        )  # fmt: skip
    for part in PARTS:
        if not (work / f"{model}.{part}").exists():
            with open(work / f"{part}.de") as text:
                subprocess.run(
                    [*program, "translate", model, "--nbest", "50", "--nbest-out",
                     f"{model}.{part}", "--threads", str(threads)],
                    cwd=work, stdin=text, stdout=subprocess.DEVNULL, check=True,
                )  # fmt: skip


def rows_of(data, work, threads):
    """Title → lists of val and of test_2016."""
    kinds = {
        "lm": f"lm:text={work}/train.en",
        "align": f"align:src={work}/train.de,tgt={work}/train.en",
        "mbr": "mbr",
    }
    features = {name: parse_feature(text) for name, text in kinds.items()}
    sources = {part: read_lines(data / "multi30k" / f"{part}.de") for part in PARTS}
    given = {
        part: read_nbest(data / "nbest-nmt" / f"nbest.{part}.tsv.gz", engine=threads)
        for part in PARTS
    }
    merged = {
        model: {
            part: merge_systems(
                {"nmt": given[part], "phrases": read_nbest(work / f"{model}.{part}")},
                engine=threads,
            )
            for part in PARTS
        }
        for model in MODELS
    }

    def with_(lists, *names):
        chosen = [features[name] for name in names]
        return {
            part: add_features(lists[part], chosen, sources[part], engine=threads) for part in PARTS
        }

    return {
        "five given scores": given,
        "… and mbr": with_(given, "mbr"),
        "… and align": with_(given, "align"),
        "… and lm": with_(given, "lm"),
        "… and lm, align": with_(given, "lm", "align"),
        "… and lm, align, mbr": with_(given, "lm", "align", "mbr"),
        "phrases tuned on val merged in": merged["phrases-val"],
        "… and lm, align, mbr, too": with_(merged["phrases-val"], "lm", "align", "mbr"),
        "phrases tuned elsewhere merged in": merged["phrases-rest"],
        "… and lm, align, mbr, as well": with_(merged["phrases-rest"], "lm", "align", "mbr"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--work", type=Path, help="where the phrase model is kept")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    with TemporaryDirectory() as temporary:
        work = arguments.work or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        phrase_lists(arguments.data, work, arguments.threads)
        show(rows_of(arguments.data, work, arguments.threads), arguments)


def show(rows, arguments):
    """The table."""
    references = {part: [read_lines(arguments.data / "multi30k" / f"{part}.en")] for part in PARTS}
    print(f"{'':40}{'features':>9}{'val':>8}{'held out':>10}{'test':>8}{'diff':>7}{'p':>8}")
    base = None
    for title, lists in rows.items():
        pools = {
            part: read_pool(lists[part], references[part], BLEU, engine=arguments.threads)
            for part in PARTS
        }
        val, test = pools["val"], pools["test_2016"]
        if base is None:
            firsts = [BLEU.score(pool.stats_of(pool.offsets[:-1])) for pool in pools.values()]
            print(f"{'first entries':40}{'':9}{firsts[0]:8.2f}{'':10}{firsts[1]:8.2f}")
        tuner = make_tuner("kb-mira", engine=arguments.threads)
        result = tuner.fit(val, BLEU)
        held = held_out(tuner, val, BLEU, parts=8).score
        chosen = test.stats[test.best(result.weights.vector(test.names))]
        score = BLEU.score(chosen.sum(axis=0))
        line = f"{title:40}{len(val.names):9}{result.score:8.2f}{held:10.2f}{score:8.2f}"
        if base is None:
            base = chosen
        else:
            drawn = paired_bootstrap(BLEU, [base, chosen], engine=arguments.threads)
            p = approximate_randomisation(BLEU, chosen, base, engine=arguments.threads).p_value
            low, high = drawn.difference_interval(1)
            line += f"{score - drawn.scores[0]:+7.2f}{p:8.4f}  95 %: {low:+.2f} to {high:+.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
