"""Example lists for the guides: sentences of the phrasebook, hypotheses with mistakes, scores.

    python tests/docs/example_lists.py FOLDER

writes what the guides start from, so that a reader can follow them with the same files.
"""

import random
import sys
from pathlib import Path

from tunesmith.corpus import phrasebook
from tunesmith.lm import NgramLM

SENTENCES, HYPOTHESES, TRAIN = 300, 20, 4000


def with_mistakes(words, chance, vocabulary):
    """The words with a few edits, and how many there were."""
    words, edits = list(words), min(int(chance.expovariate(0.6)), 5)
    for _ in range(edits):
        place = chance.randrange(len(words))
        kind = chance.choice(("drop", "add", "replace", "swap"))
        if kind == "drop" and len(words) > 2:
            del words[place]
        elif kind == "add":
            words.insert(place, chance.choice(vocabulary))
        elif kind == "swap":
            words[place : place + 2] = reversed(words[place : place + 2])
        else:
            words[place] = chance.choice(vocabulary)
    return words, edits


def lists(references, chance, vocabulary):
    """For every reference: (text, edits) of distinct hypotheses."""
    for reference in references:
        found = {}
        while len(found) < HYPOTHESES:
            words, edits = with_mistakes(reference.split(), chance, vocabulary)
            found.setdefault(" ".join(words), edits)
        yield list(found.items())


def corpus():
    """Lines to learn from, of the dev set and of the test set."""
    pairs = phrasebook.sample(TRAIN + 2 * SENTENCES, seed=9)
    lines = [pair.target.lower() for pair in pairs]
    return lines[2 * SENTENCES :], lines[:SENTENCES], lines[SENTENCES : 2 * SENTENCES]


def write_nmt(folder: Path) -> None:
    """``dev.nbest`` and ``test.nbest`` as Marian writes them; their references; ``train.en``."""
    chance = random.Random(1)
    train, dev, test = corpus()
    vocabulary = sorted({word for line in train for word in line.split()})
    (folder / "train.en").write_text("".join(f"{line}\n" for line in train))
    for name, references in (("dev", dev), ("test", test)):
        (folder / f"{name}.en").write_text("".join(f"{line}\n" for line in references))
        rows = []
        for number, hypotheses in enumerate(lists(references, chance, vocabulary)):
            scored = []
            for text, edits in hypotheses:
                length = len(text.split())
                # As of a model that likes short output and knows mistakes only roughly.
                score = -0.9 * length - 0.8 * edits + chance.gauss(0, 1.5)
                scored.append((score / (length + 1), score, text))
            rows += [
                f"{number} ||| {text} ||| F0= {score:.4f} ||| {total:.4f}\n"
                for total, score, text in sorted(scored, reverse=True)
            ]
        (folder / f"{name}.nbest").write_text("".join(rows))


def write_scores(folder: Path) -> None:
    """``dev.tsv`` and ``test.tsv``: a system's score, a language model's, the length."""
    write_nmt(folder)
    lm = NgramLM.fit((folder / "train.en").read_text().splitlines(), order=3)
    for name in ("dev", "test"):
        rows = ["id\ttext\tsystem\tlm\tlength\n"]
        for line in (folder / f"{name}.nbest").read_text().splitlines():
            number, text, features, _ = line.split(" ||| ")
            score = features.removeprefix("F0= ")
            rows.append(f"{number}\t{text}\t{score}\t{lm.score(text):.2f}\t{len(text.split())}\n")
        (folder / f"{name}.tsv").write_text("".join(rows))


def write_speech(folder: Path) -> None:
    """``dev.tsv``, ``test.tsv`` with two columns of scores; ``dev.txt``, ``test.txt``."""
    chance = random.Random(2)
    train, dev, test = ([_spoken(line) for line in part] for part in corpus())
    vocabulary = sorted({word for line in train for word in line.split()})
    lm = NgramLM.fit(train, order=3)
    for name, references in (("dev", dev), ("test", test)):
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in references))
        rows = ["id\ttext\tacoustic\tlm\n"]
        for number, hypotheses in enumerate(lists(references, chance, vocabulary)):
            for text, edits in hypotheses:
                acoustic = -400 - 60 * edits + chance.gauss(0, 90)
                rows.append(f"{number}\t{text}\t{acoustic:.2f}\t{lm.score(text):.4f}\n")
        (folder / f"{name}.tsv").write_text("".join(rows))


def _spoken(line: str) -> str:
    return " ".join(word for word in line.split() if any(map(str.isalnum, word)))


if __name__ == "__main__":
    write_nmt(Path(sys.argv[1]))
    write_speech(Path(sys.argv[1]))
