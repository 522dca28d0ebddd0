"""From raw parallel text to a folder that a translator is trained from, in bounded memory.

1. Tokenise block by block, and learn what raw lines beside their words show; words wait on disk
   (text is tokenised once).
2. Train the casing of each side on all of its words.
3. Train a splitter of compounds on the cased source words, where one is of use.
4. Case, split and clean block by block; what stays becomes word ids.

The stage ``corpus`` of `train` and `prepare` (preparation.py) write the same files:

=============================================  ==================================================
``source.json``, ``target.json``               the preprocessors
``bitext.bin``                                 the training pairs as word ids
``whole.source``                               their sources with whole compounds, if kept
``dev.raw.source``, ``dev.raw.reference0``, …  the dev set as it was read, for scoring
``dev.source``, ``dev.reference0``, …          the same tokenised and cased; the same for ``test``
``dev.plf``                                    lattices of its sources, if compounds are kept whole
=============================================  ==================================================
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import compress
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from tunesmith.base.atomic import atomic_text
from tunesmith.base.progress import progress
from tunesmith.corpus.bitext import Bitext, Origins, write_bitext
from tunesmith.corpus.cleaning import Cleaner, CleanOptions
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.lines import Units, cut
from tunesmith.corpus.marks import KnownMarks
from tunesmith.corpus.masking import NumberCounts, shared_units
from tunesmith.corpus.preprocess import Preprocessor
from tunesmith.corpus.scripts import ScriptCounts
from tunesmith.corpus.sentences import blocks
from tunesmith.corpus.spacing import Spacing
from tunesmith.corpus.split import Keys, joined_keys, sentence_keys, warn_of_overlap
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.plf import Lattice

Lines = list[str]
Pairs = Iterable[tuple[str, str]]
SIDES = ("source", "target")
BITEXT_FILE, WHOLE_FILE = "bitext.bin", "whole.source"
# The white space of a language is learned from so many lines.
SPACING_LINES = 200_000
#: Whether a trained splitter is worth its while.
SplitChoice = Callable[[CompoundSplitter], bool]


def set_file(name: str, side: str, *, raw: bool = False) -> str:
    """The file of a side, ``source`` or ``reference0``, of the set ``dev`` or ``test``."""
    return f"{name}.raw.{side}" if raw else f"{name}.{side}"


class TextCoding:
    """Trains both preprocessors on the way; `keys` are those of all pairs, kept or not."""

    def __init__(
        self,
        source: Preprocessor,
        target: Preprocessor,
        clean: CleanOptions,
        *,
        split: SplitChoice | None = None,
        engine: EngineLike = ALL_CORES,
    ) -> None:
        self.sides, self.clean, self.split, self.engine = (source, target), clean, split, engine
        self.cleaner = Cleaner(clean, engine=engine)
        self._keys: tuple[list[Keys], list[Keys]] = ([], [])
        self._masks: list[npt.NDArray[np.bool_]] = []
        self._scripts = ScriptCounts(), ScriptCounts()
        self._numbers = NumberCounts()
        self._spacing_lines = 0
        if target.tokenizer.has_rules:
            usual = target.tokenizer.spacing
            target.spacing = Spacing(usual.language, spaced=usual.spaced)

    @property
    def keys(self) -> tuple[Keys, Keys]:
        """A number for each sentence of either side, as it is learned from."""
        return joined_keys(self._keys)

    def write(
        self, folder: Path, pairs: Pairs, origins: Callable[[], Origins] | None = None
    ) -> Bitext:
        """Code training pairs into ``bitext.bin``; more files wait beside it until it is done.

        Of several corpora `origins` says, when all is read, which each of the pairs is from.
        """
        words = PairSpool(folder, "words")
        with words, progress("tokenising") as bar:
            for block in blocks(pairs):
                raw = [list(side) for side in zip(*block, strict=True)]
                tokens = self._tokens(raw)
                for counts, lines in zip(self._scripts, tokens, strict=True):
                    counts.add(lines)
                words.add(tokens)
                bar.advance(len(block))
        self._finish_learning()
        self.sides[0].casing.fit(words.lines(0))
        self.sides[1].casing.fit(words.lines(1), words.lines(0))
        if self.split is not None:
            source = self.sides[0]
            splitter = CompoundSplitter().fit(
                line for block in blocks(words.lines(0)) for line in source.casing.apply(block)
            )
            if self.split(splitter):
                source.compounds = splitter
        with self._whole(folder) as whole:
            bitext = write_bitext(
                folder / BITEXT_FILE,
                self._kept(words, whole),
                origins=lambda: self._origins(origins),
                engine=self.engine,
            )
        words.unlink()
        seen = zip(bitext.source.vocabulary, bitext.source.counts().tolist(), strict=True)
        self.sides[0].marks = KnownMarks(dict(seen))
        return bitext

    def save_preprocessors(self, folder: Path) -> None:
        """Write ``source.json`` and ``target.json``."""
        for name, side in zip(SIDES, self.sides, strict=True):
            side.save(folder / f"{name}.json")

    def write_set(self, folder: Path, name: str, source: Lines, references: Sequence[Lines]) -> int:
        """Write a set to tune or score on; warn of its sentences that are learned from.

        Returns the number of these sentences.
        """
        preprocessor, target = self.sides
        texts = {"source": source}
        texts |= {f"reference{number}": lines for number, lines in enumerate(references)}
        for side, lines in texts.items():
            write_lines(folder / set_file(name, side, raw=True), lines)
        if preprocessor.compounds is not None and preprocessor.compounds.keep_whole:
            lattices = preprocessor.encode_input(source, engine=self.engine)
            write_lines(
                folder / set_file(name, "plf"),
                [str(Lattice.of_words(one) if isinstance(one, str) else one) for one in lattices],
            )
        encoded = {
            side: (preprocessor if side == "source" else target).encode(lines, engine=self.engine)
            for side, lines in texts.items()
        }
        for side, lines in encoded.items():
            write_lines(folder / set_file(name, side), lines)
        own = [
            sentence_keys(encoded[side], engine=self.engine) for side in ("source", "reference0")
        ]
        return warn_of_overlap(self.keys, (own[0], own[1]), name)

    def _tokens(self, raw: list[Lines]) -> list[Lines]:
        """Both sides in words; units that both have are masked, if they are protected."""
        units: list[list[Units]] = [[[] for _ in raw[0]]] * 2
        if self.sides[0].protection is not None:
            found = [shared_units(*pair) for pair in zip(*raw, strict=True)]
            for source, shared in zip(raw[0], found, strict=True):
                self._numbers.add(source, shared)
            units = [[shared.source for shared in found], [shared.target for shared in found]]
        tokens = []
        for side, lines, own in zip(self.sides, raw, units, strict=True):
            read = cut(lines, own, side.tokenizer, engine=self.engine)
            if side.spacing is not None and self._spacing_lines < SPACING_LINES:
                self._spacing_lines += len(lines)
                side.spacing.add(lines, [line.plain_spans() for line in read])
            tokens.append(side.search_forms(line.surfaces for line in read))
        return tokens

    def _finish_learning(self) -> None:
        """Give the preprocessors and the cleaner what was learned from all blocks.

        The script of most letters is a side's own.
        """
        if self.sides[0].protection is not None:
            self._numbers.teach(self.sides[0].protection)
        own = [self.clean.source_script, self.clean.target_script]
        own = [name or counts.main for name, counts in zip(own, self._scripts, strict=True)]
        self.cleaner = Cleaner(
            replace(self.clean, source_script=own[0] or None, target_script=own[1] or None),
            engine=self.engine,
        )

    def _origins(self, of_all: Callable[[], Origins] | None) -> tuple[Origins | None, int]:
        """Of the pairs that stay."""
        if of_all is None:
            return None, 1
        origins = of_all()
        return origins[np.concatenate(self._masks)], int(origins.max()) + 1

    def _whole(self, folder: Path) -> AbstractContextManager[IO[str] | None]:
        """Where source lines go before they are split, if their compounds are kept whole too."""
        compounds = self.sides[0].compounds
        if compounds is None or not compounds.keep_whole:
            return nullcontext()
        return (folder / WHOLE_FILE).open("w", encoding="utf-8", newline="\n")

    def _kept(self, words: "PairSpool", whole: IO[str] | None) -> Iterator[tuple[str, str]]:
        """The pairs that stay, as they are learned from."""
        compounds = self.sides[0].compounds
        for block in words.blocks():
            cased, targets = (
                side.casing.apply(lines) for side, lines in zip(self.sides, block, strict=True)
            )
            sources = cased if compounds is None else compounds.apply(cased, engine=self.engine)
            for keys, lines in zip(self._keys, (sources, targets), strict=True):
                keys.append(sentence_keys(lines, engine=self.engine))
            mask = self.cleaner.mask(sources, targets)
            self._masks.append(mask)
            if whole is not None:
                whole.writelines(f"{line}\n" for line in compress(cased, mask))
            yield from compress(zip(sources, targets, strict=True), mask)


class PairSpool:
    """Pairs of lines that wait in two files, ``NAME.source`` and ``NAME.target``.

    They are written once, inside a ``with``, and read any number of times; `unlink` removes them.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.paths = [folder / f"{name}.{side}" for side in SIDES]
        self._files: list[IO[str]] = []

    def __enter__(self) -> "PairSpool":
        self._files = [path.open("w", encoding="utf-8", newline="\n") for path in self.paths]
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            file.close()

    def add(self, sides: Iterable[Iterable[str]]) -> None:
        """Lines of the one side and as many of the other; a line has no line end."""
        for file, lines in zip(self._files, sides, strict=True):
            file.writelines(f"{line}\n" for line in lines)

    def write(self, pairs: Pairs) -> "PairSpool":
        """All lines of both sides."""
        with self:
            for block in blocks(pairs):
                self.add(zip(*block, strict=True))
        return self

    def lines(self, side: int) -> Iterator[str]:
        """The lines of a side."""
        with self.paths[side].open(encoding="utf-8", newline="\n") as file:
            yield from (line[:-1] for line in file)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The lines of both sides."""
        return zip(self.lines(0), self.lines(1), strict=True)

    def blocks(self) -> Iterator[tuple[Lines, Lines]]:
        """Both sides, a block of lines at a time."""
        return zip(blocks(self.lines(0)), blocks(self.lines(1)), strict=True)

    def unlink(self) -> None:
        """Remove the files."""
        for path in self.paths:
            path.unlink()


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a file of lines, which appears when it is complete."""
    with atomic_text(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)
