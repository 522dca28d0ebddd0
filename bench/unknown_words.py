"""Report what becomes of unknown words: substituted rightly or wrongly, copied, moved.

A substitution is right where a word of its translation stands in the reference (the hundred
commonest words of the references do not count), and wrong where the unknown word itself does. A
copied word is right where the reference has it. A word is moved where its phrase does not follow
the phrase of the word before it; known words translated alone are counted for comparison. The last
lines compare with the same model copying all unknown words (sacreBLEU, paired bootstrap).

    python bench/unknown_words.py MODEL held-out.de held-out.en --sample 60
"""

import argparse
import random
from collections import Counter
from itertools import combinations, pairwise

from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

from tunesmith.decode.translate import Translator
from tunesmith.formats.text import read_lines
from tunesmith.model import TranslationModel

COMMON = 100


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("model", "source", "reference"):
        parser.add_argument(name)
    parser.add_argument("--sample", type=int, default=0, help="substitutions to print")
    arguments = parser.parse_args()
    lines, references = read_lines(arguments.source), read_lines(arguments.reference)
    model = TranslationModel.load(arguments.model)
    source, target = model.preprocessors
    tokens = [line.lower().split() for line in target.tokenizer.tokenize(references)]
    common = {word for word, _ in Counter(w for line in tokens for w in line).most_common(COMMON)}
    judge, texts = Judge(common), []
    for block in Translator(model).stream(lines):
        for number, text in enumerate(block.texts):
            sentence = block.source(number)
            steps = block.output.derivation(int(block.output.offsets[number])).steps
            made = block.output.best()[number].lower().split()
            judge.add(sentence.words, sentence.unknown, steps, made, tokens[len(texts)], text)
            texts.append(text)
    judge.print(arguments.sample)
    source.known = None
    copied = [text for block in Translator(model).stream(lines) for text in block.texts]
    compare(copied, texts, references)


def compare(copied, texts, references):
    changed = sum(map(str.__ne__, copied, texts))
    print(f"{'translations that differ':<32}{changed:>8} of {len(texts):,}")
    if not changed:
        return
    systems = [("all copied", copied), ("substituted", texts)]
    metrics = {"BLEU": BLEU(), "chrF2": CHRF()}
    _, scores = PairedTest(systems, metrics, [references], test_type="bs", n_samples=1000)()
    for name in metrics:
        without, with_them = scores[name]
        print(f"{name + ', all copied':<32}{without.score:>8.2f}")
        print(f"{name + ', substituted':<32}{with_them.score:>8.2f}  p = {with_them.p_value:.3f}")


class Judge:
    """Counts what has become of unknown words."""

    def __init__(self, common):
        self.common = common
        self.counts, self.examples = Counter(), []

    def add(self, words, unknown, steps, target, reference, text):
        flat = list(in_order(steps))
        turns = {place: turn for turn, step in enumerate(flat) for place in spanned(step)}
        moved = {
            step.begin: step.begin != before
            for step, before in zip(flat, [0, *(step.end for step in flat)], strict=False)
        }
        copies = []
        for one in unknown:
            if not any(map(str.isalpha, one.word)):
                continue
            begin, end = one.place, one.place + len(one.words)
            in_reference = one.word.lower() in reference
            if one.reason == "copied":
                copies.append(one)
                kind = "copied, in the reference" if in_reference else "copied, not in it"
                if begin in moved:
                    self.counts["unknown, alone or first, moved", moved[begin]] += 1
            else:
                made = {
                    word
                    for step in flat
                    if step.begin < end and begin < step.end
                    for word in target[step.target_begin : step.target_end]
                }
                is_right = not (made - self.common).isdisjoint(reference)
                kind = f"{one.reason}, " + (
                    "right" if is_right else "wrong" if in_reference else "neither"
                )
                self.examples.append(f"{one.word} → {' '.join(one.words)} | {kind} | {text}")
            self.counts[kind] += 1
        for step in flat:
            if step.end - step.begin == 1 and step.rule >= 0:
                self.counts["known, alone, moved", moved[step.begin]] += 1
        for one, other in pairwise(copies):
            if one.place + 1 == other.place:
                is_apart = turns[other.place] - turns[one.place] not in (0, 1)
                self.counts["unknown side by side, parted", is_apart] += 1
        once = [one for one in copies if reference.count(one.word.lower()) == 1]
        for one, other in combinations(once, 2):
            there = reference.index(one.word.lower()) < reference.index(other.word.lower())
            here = turns[one.place] <= turns[other.place]
            self.counts["two copied, not in its order", here != there] += 1

    def print(self, sample):
        for example in random.Random(1).sample(self.examples, min(sample, len(self.examples))):
            print(example)
        for kind, count in sorted(self.counts.items(), key=str):
            if isinstance(kind, str):
                print(f"{kind:<32}{count:>8}")
        for kind in sorted({kind[0] for kind in self.counts if isinstance(kind, tuple)}):
            yes, no = self.counts[kind, True], self.counts[kind, False]
            print(f"{kind:<32}{yes:>8} of {yes + no:,} ({yes / (yes + no):.1%})")


def spanned(step):
    return range(step.begin, step.end)


def in_order(steps):
    """The steps that make words, in the order of the translation."""
    flat = []
    for step in steps:
        flat += [step, *in_order(step.children)]
    return sorted(flat, key=lambda step: (step.target_begin, step.begin))


if __name__ == "__main__":
    main()
