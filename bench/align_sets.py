"""Gold alignments and the text to train on, for the benchmark of the aligner.

The gold text stands first, then the first training pairs (tokenised by sacremoses and lower-cased;
pairs with more than 80 words dropped for ja-en).
"""

import lzma
from dataclasses import dataclass
from pathlib import Path

from tunesmith.formats.pharaoh import Links, read_links

# name: gold set, its languages, training corpus, languages to tokenise, longest training sentence
SETS = {
    "ja-en": ("awesome.jaen", "ja", "en", "kyoto-ja-en", ("en",), 80),
    "en-es": ("mb.es_golden", "en", "es", "europarl-4way", ("en", "es"), None),
    "en-fr": ("mb.fr_golden", "en", "fr", "europarl-4way", ("en", "fr"), None),
    "hansards": ("hansards.trial", "en", "fr", "europarl-4way", ("en", "fr"), None),
}


@dataclass(frozen=True)
class Case:
    """Two files whose first lines have gold links, and these links."""

    name: str
    source: Path
    target: Path
    gold: Links

    def text(self, pairs):
        """Both sides of the gold text and of the first training pairs."""
        return [lines_of(path)[: len(self.gold) + pairs] for path in (self.source, self.target)]


def lines_of(path):
    """The lines of a plain or packed file."""
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8") as stream:
        return stream.read().split("\n")[:-1]


def prepare(name, data, work, pairs):
    """The case of a set; its text is written to `work` unless it is there."""
    gold, one, other, corpus, tokenised, longest = SETS[name]
    paths = tuple(work / f"{name}.{pairs}.{part}" for part in (one, other, "gold"))
    if not all(path.exists() for path in paths):
        sides = [
            training_side(data / corpus, language, pairs, language in tokenised)
            for language in (one, other)
        ]
        if longest is not None:
            sides = without_long(sides, longest)
        folder = data / "gold-alignments"
        for path, language, lines in zip(paths, (one, other), sides, strict=False):
            head = [line.lower() for line in lines_of(folder / f"{gold}.{language}.xz")]
            path.write_text("\n".join(head + lines) + "\n", encoding="utf-8")
        links = lines_of(folder / f"{gold}.align.xz")
        paths[2].write_text("\n".join(links) + "\n", encoding="utf-8")
    return Case(name, paths[0], paths[1], read_links(paths[2]))


def training_side(folder, language, pairs, tokenise):
    from sacremoses import MosesTokenizer

    lines = lines_of(folder / f"train.{language}.xz")[:pairs]
    if tokenise:
        tokenizer = MosesTokenizer(lang=language)
        lines = [tokenizer.tokenize(line, return_str=True, escape=False) for line in lines]
    return [line.lower() for line in lines]


def without_long(sides, longest):
    kept = [
        pair
        for pair in zip(*sides, strict=True)
        if all(len(line.split()) <= longest for line in pair)
    ]
    return [[pair[side] for pair in kept] for side in range(2)]
