"""Claim: BLEU statistics of an n-best list come at least 50 times as fast as sacreBLEU's.

Run 1 of the Moses n-best lists (73k hypotheses, tokenize=none), one core, references cached on both
sides; ours and theirs in turn, medians of CPU seconds. The other metrics beside their peers, which
get every 20th hypothesis where they are slow (rates are per hypothesis, so they compare).

    python bench/metrics_speed.py [--data FOLDER] [--rounds 5]
"""

import argparse
import lzma
import statistics
import sys
import time

import jiwer
import numpy as np
import rapidfuzz
import sacrebleu
from shared_data import add_data_option

from tunesmith.metrics import Bleu, Cer, ChrF, Ter, Wer

CLAIM = 50.0


def read(folder):
    ids, texts = [], []
    with lzma.open(folder / "run1.nbest.xz", "rt", encoding="utf-8") as file:
        for line in file:
            number, text = line.split(" ||| ", 2)[:2]
            ids.append(int(number))
            texts.append(text)
    references = (folder / "val.ref.en").read_text(encoding="utf-8").split("\n")[:-1]
    return np.array(ids, dtype=np.uint32), texts, references


def with_sacrebleu(metric, references):
    cache = metric._cache_references([references])

    def run(texts, ids):
        for text, i in zip(texts, ids, strict=True):
            metric._compute_segment_statistics(metric._preprocess_segment(text), cache[i])

    return run


def with_jiwer(function, references):
    def run(texts, ids):
        function([references[i] for i in ids], texts)

    return run


def with_rapidfuzz(split, references):
    """What jiwer calls in the end: the bare distance, with split references."""
    cache = [split(reference) for reference in references]

    def run(texts, ids):
        distance = rapidfuzz.distance.Levenshtein.distance
        for text, i in zip(texts, ids, strict=True):
            distance(cache[i], split(text))

    return run


def with_ours(metric, references):
    prepared = metric.prepare([references])
    return lambda texts, ids: metric.stats(texts, ids, prepared, engine=1)


def seconds(run, texts, ids):
    start = time.process_time()
    run(texts, ids)
    return time.process_time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    ids, texts, references = read(arguments.data / "nbest/moses-de-en")

    table = [
        ("BLEU none", Bleu(tokenize="none"), "sacreBLEU",
         with_sacrebleu(sacrebleu.BLEU(tokenize="none"), references), 1),
        ("BLEU 13a", Bleu(), "sacreBLEU", with_sacrebleu(sacrebleu.BLEU(), references), 20),
        ("chrF", ChrF(), "sacreBLEU", with_sacrebleu(sacrebleu.CHRF(), references), 20),
        ("chrF++", ChrF(word_order=2), "sacreBLEU",
         with_sacrebleu(sacrebleu.CHRF(word_order=2), references), 20),
        ("TER", Ter(), "sacreBLEU", with_sacrebleu(sacrebleu.TER(), references), 20),
        ("WER", Wer(), "jiwer", with_jiwer(jiwer.wer, references), 20),
        ("WER", Wer(), "rapidfuzz", with_rapidfuzz(str.split, references), 5),
        ("CER", Cer(), "jiwer", with_jiwer(jiwer.cer, references), 20),
        ("CER", Cer(), "rapidfuzz", with_rapidfuzz(str.strip, references), 5),
    ]  # fmt: skip
    print(f"{len(texts):,} hypotheses, 1 thread, medians of {arguments.rounds}, CPU µs each")
    failed = False
    for name, metric, peer, theirs, step in table:
        ours = with_ours(metric, references)
        mine, others = [], []
        for i in range(arguments.rounds):
            mine.append(seconds(ours, texts, ids) / len(texts))
            # Others in each round, because sacreBLEU remembers the texts that it has tokenised.
            some = slice(i % step, None, step)
            others.append(seconds(theirs, texts[some], ids[some]) / len(texts[some]))
        own, other = statistics.median(mine), statistics.median(others)
        ratio = other / own
        print(f"{name:10} ours {own * 1e6:8.3f}   {peer:9} {other * 1e6:9.2f}   {ratio:7.1f}×")
        failed |= name == "BLEU none" and ratio < CLAIM
    if failed:
        sys.exit(f"BLEU's statistics are less than {CLAIM:.0f} times as fast as sacreBLEU's")


if __name__ == "__main__":
    main()
