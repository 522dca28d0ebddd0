"""From raw parallel text to the `Bitext` that a translator is trained on, in bounded memory.

1. Tokenise, block by block; words wait on disk (text is tokenised once).
2. Train the casing of each side on all of its words.
3. Train a splitter of compounds on the cased source words, where one is of use.
4. Case, split and clean block by block; what stays becomes word ids.

`prepare` (preparation.py) makes a corpus for others and takes dev and test pairs out of it, so it
cleans before anything is trained.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import compress
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from tunesmith.base.progress import progress
from tunesmith.corpus.bitext import Bitext, Origins, write_bitext
from tunesmith.corpus.cleaning import Cleaner, CleanOptions
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.masking import NumberCounts, shared_units
from tunesmith.corpus.preprocess import Preprocessor
from tunesmith.corpus.scripts import ScriptCounts
from tunesmith.corpus.sentences import blocks
from tunesmith.corpus.split import Keys, sentence_keys
from tunesmith.corpus.spool import Lines, PairSpool
from tunesmith.engine import ALL_CORES, EngineLike

Pairs = Iterable[tuple[str, str]]
#: Beside the bitext: the source lines with their compounds whole, where those are kept too.
WHOLE_FILE = "whole.source"
#: Whether a trained splitter is worth its while.
SplitChoice = Callable[[CompoundSplitter], bool]


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
        self._numbers = NumberCounts()

    @property
    def keys(self) -> tuple[Keys, Keys]:
        """A number for each sentence of either side, as it is learned from."""
        none = [np.empty(0, np.uint64)]
        return np.concatenate(none + self._keys[0]), np.concatenate(none + self._keys[1])

    def write(
        self, path: Path, pairs: Pairs, origins: Callable[[], Origins] | None = None
    ) -> Bitext:
        """Code `pairs` into the file `path`; more files wait beside it until it is done.

        Of several corpora `origins` says, when all is read, which each of the pairs is from.
        """
        words = PairSpool(path.parent, "words")
        with words:
            self._tokenise(pairs, words)
        for number, side in enumerate(self.sides):
            side.casing.fit(words.lines(number))
        if self.split is not None:
            source = self.sides[0]
            splitter = CompoundSplitter().fit(
                line for block in blocks(words.lines(0)) for line in source.casing.apply(block)
            )
            if self.split(splitter):
                source.compounds = splitter
        with self._whole(path.parent) as whole:
            bitext = write_bitext(
                path,
                self._kept(words, whole),
                origins=lambda: self._origins(origins),
                engine=self.engine,
            )
        words.unlink()
        return bitext

    def _origins(self, of_all: Callable[[], Origins] | None) -> tuple[Origins | None, int]:
        """Of the pairs that stay."""
        if of_all is None:
            return None, 1
        origins = of_all()
        return origins[np.concatenate(self._masks)], int(origins.max()) + 1

    def _tokenise(self, pairs: Pairs, words: PairSpool) -> None:
        """Tokenise and count scripts: the one of most letters is a side's own."""
        scripts = (ScriptCounts(), ScriptCounts())
        with progress("tokenising") as bar:
            for block in blocks(pairs):
                tokens = self._tokens(block)
                for counts, lines in zip(scripts, tokens, strict=True):
                    counts.add(lines, engine=self.engine)
                words.add(tokens)
                bar.advance(len(block))
        if self.sides[0].protection is not None:
            self._numbers.teach(self.sides[0].protection)
        own = [self.clean.source_script, self.clean.target_script]
        own = [name or counts.main for name, counts in zip(own, scripts, strict=True)]
        self.cleaner = Cleaner(
            replace(self.clean, source_script=own[0] or None, target_script=own[1] or None),
            engine=self.engine,
        )

    def _tokens(self, block: list[tuple[str, str]]) -> list[Lines]:
        """Both sides in words; units that both have are masked, if they are protected."""
        lines = [list(side) for side in zip(*block, strict=True)]
        if self.sides[0].protection is None:
            return [
                side.tokenizer.tokenize(own, engine=self.engine)
                for side, own in zip(self.sides, lines, strict=True)
            ]
        found = [shared_units(*pair) for pair in block]
        for (source, _), shared in zip(block, found, strict=True):
            self._numbers.add(source, shared)
        return [
            side.tokenize(own, [units[number] for units in found], engine=self.engine)
            for number, (side, own) in enumerate(zip(self.sides, lines, strict=True))
        ]

    def _whole(self, folder: Path) -> AbstractContextManager[IO[str] | None]:
        """Where source lines go before they are split, if their compounds are kept whole too."""
        compounds = self.sides[0].compounds
        if compounds is None or not compounds.keep_whole:
            return nullcontext()
        return (folder / WHOLE_FILE).open("w", encoding="utf-8", newline="\n")

    def _kept(self, words: PairSpool, whole: IO[str] | None) -> Iterator[tuple[str, str]]:
        """The pairs that stay, as they are learned from."""
        for block in words.blocks():
            sources, targets = map(self._final, self.sides, block)
            for keys, lines in zip(self._keys, (sources, targets), strict=True):
                keys.append(sentence_keys(lines, engine=self.engine))
            mask = self.cleaner.mask(sources, targets)
            self._masks.append(mask)
            if whole is not None:
                cased = self.sides[0].casing.apply(block[0])
                whole.writelines(f"{line}\n" for line in compress(cased, mask))
            yield from compress(zip(sources, targets, strict=True), mask)

    def _final(self, side: Preprocessor, words: Lines) -> Lines:
        cased = side.casing.apply(words)
        return side.compounds.apply(cased, engine=self.engine) if side.compounds else cased
