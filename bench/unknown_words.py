"""What becomes of unknown words: substituted rightly or wrongly, copied, moved.

A substitution is right where a word of its translation stands in the reference (the hundred
commonest words of the references do not count), and wrong where the unknown word itself does. A
copied word is right where the reference has it. A word is moved where the phrase of it does not
follow the phrase of the word before it; known words, translated alone, are counted for comparison.

    python bench/unknown_words.py MODEL held-out.de held-out.en --out held-out.translated
"""

import argparse
from collections import Counter
from pathlib import Path

from tunesmith.decode.translate import Translator
from tunesmith.formats.text import read_lines
from tunesmith.model import TranslationModel

COMMON = 100


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("model", "source", "reference"):
        parser.add_argument(name)
    parser.add_argument("--out", type=Path, help="a file for the translations")
    parser.add_argument("--show", type=int, default=0, help="examples of each kind to print")
    arguments = parser.parse_args()
    lines, references = read_lines(arguments.source), read_lines(arguments.reference)
    model = TranslationModel.load(arguments.model)
    tokens = [
        line.lower().split() for line in model.preprocessors[1].tokenizer.tokenize(references)
    ]
    common = {word for word, _ in Counter(w for line in tokens for w in line).most_common(COMMON)}
    judge = Judge(common, arguments.show)
    texts = []
    for block in Translator(model).stream(lines):
        texts += block.texts
        for number in range(len(block.sources)):
            sentence = block.source(number)
            steps = block.output.derivation(int(block.output.offsets[number])).steps
            target = block.output.best()[number].lower().split()
            judge.add(sentence.words, sentence.unknown, steps, target, {*tokens[len(judge)]})
    judge.print()
    if arguments.out:
        arguments.out.write_text("".join(f"{text}\n" for text in texts))


class Judge:
    """Counts what has become of unknown words."""

    def __init__(self, common, show):
        self.common, self.show = common, show
        self.counts, self.examples, self.sentences = Counter(), {}, 0

    def __len__(self):
        return self.sentences

    def add(self, words, unknown, steps, target, reference):
        self.sentences += 1
        flat = list(in_order(steps))
        moved = {
            step.begin: step.begin != before
            for step, before in zip(flat, [0, *(step.end for step in flat)], strict=False)
        }
        copies = set()
        for one in unknown:
            if not any(map(str.isalpha, one.word)):
                continue
            begin, end = one.place, one.place + len(one.words)
            in_reference = one.word.lower() in reference
            if one.reason == "copied":
                copies.add(begin)
                kind = "copied, in the reference" if in_reference else "copied, not in it"
                if begin in moved:
                    self.counts["unknown, alone or first", moved[begin]] += 1
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
            self.counts[kind] += 1
            self.examples.setdefault(kind, []).append(f"{one.word} → {' '.join(one.words)}")
        for step in flat:
            if step.end - step.begin == 1 and step.rule >= 0:
                self.counts["known, alone", moved[step.begin]] += 1

    def print(self):
        for kind, count in sorted(self.counts.items(), key=str):
            if isinstance(kind, str):
                print(f"{kind:<32}{count:>8}  {'; '.join(self.examples[kind][: self.show])}")
        for kind in ("unknown, alone or first", "known, alone"):
            moved, still = self.counts[kind, True], self.counts[kind, False]
            share = moved / max(1, moved + still)
            print(f"{kind + ', moved':<32}{moved:>8} of {moved + still:,} ({share:.1%})")


def in_order(steps):
    """The steps that make words, in the order of the translation."""
    flat = []
    for step in steps:
        flat += [step, *in_order(step.children)]
    return sorted(flat, key=lambda step: (step.target_begin, step.begin))


if __name__ == "__main__":
    main()
