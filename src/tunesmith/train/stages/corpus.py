"""The stage that prepares text: tokenised, cased, cleaned and coded."""

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.base.errors import InputError
from tunesmith.base.log import log
from tunesmith.base.rundir import file_hash
from tunesmith.corpus import Bitext, Preprocessor
from tunesmith.corpus.bitext import Origins
from tunesmith.corpus.cleaning import CleanOptions
from tunesmith.corpus.coding import Pairs, TextCoding, write_lines
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.copied_words import CopiedWords
from tunesmith.corpus.known_words import KnownWords
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.preprocess import TEXT_RULES
from tunesmith.corpus.split import DEV, TRAIN, PairSets
from tunesmith.formats.text import read_lines
from tunesmith.train.corpora import Corpora as TrainCorpora
from tunesmith.train.held_out import hold_out
from tunesmith.train.sides import side_preprocessors
from tunesmith.train.stages.base import TrainingStage
from tunesmith.train.workplace import DEV_LINES


class Corpus(TrainingStage):
    """Texts → ``bitext.bin``, ``source.json`` and ``target.json`` (preprocessors), the dev set."""

    name = "corpus"

    def inputs(self) -> list[Any]:
        """The section text and the files' contents; what is held out if there is no dev set."""
        files, options = self.place.files, self.options
        held_out = [] if files.dev_source else [["held out", options.tune.dev_size, options.seed]]
        # Which of the files are whose; earlier versions knew one corpus.
        several = [["corpora", len(files.corpora)]] if len(files.corpora) > 1 else []
        hashes = [file_hash(path) for path in files.paths()]
        return [asdict(options.text), hashes, *held_out, *several, ["text rules", TEXT_RULES]]

    def write(self, folder: Path) -> None:
        """Prepare training text in bounded memory, and the dev set as it is prepared."""
        text, engine, corpora = self.options.text, self.engine, self.place.files.corpora
        files, several = self.place.files, len(corpora) > 1
        read: Callable[[], Pairs] = corpora.read
        held_out = None if files.dev_source else self._hold_out(folder, read)
        if held_out is not None:
            read = partial(held_out.read, TRAIN)
        dev, references = self._dev_set(held_out)
        source, target = side_preprocessors(text, corpora.read_in_turn if several else read)
        if text.protects:
            source.protection, target.protection = Protection(), Protection()
        coding = TextCoding(
            source,
            target,
            CleanOptions(max_words=text.max_words, keep_duplicates=text.keep_duplicates),
            split=self._is_split if self._may_split(source) else None,
            engine=engine,
        )
        origins = partial(_origins, corpora, held_out) if several else None
        bitext = coding.write(folder, read(), origins)
        if text.known_words:
            source.known = _known_words(bitext, compounds=source.compounds is not None)
        coding.save_preprocessors(folder)
        coding.write_set(folder, "dev", dev, references)
        log.info(coding.cleaner.report())
        corpora.check_all_used(bitext)

    def _hold_out(self, folder: Path, read: Callable[[], Pairs]) -> PairSets:
        """Choose a dev set, and log which it is."""
        tune, path = self.options.tune, self.place.files.corpora.sources[0]
        chosen = hold_out(read, tune.dev_size, path, seed=self.options.seed, engine=self.engine)
        lines = (np.flatnonzero(chosen.sets == DEV) + 1).tolist()
        write_lines(folder / DEV_LINES, map(str, lines))
        log.info(
            "no dev set is given: %s of %s pairs are held out to tune on, lines %s",
            f"{len(lines):,}", f"{len(chosen.sets):,}", self.place.path(self.name, DEV_LINES),
        )  # fmt: skip
        return chosen

    def _may_split(self, source: Preprocessor) -> bool:
        """Whether compounds are looked for; words of unspaced scripts have none."""
        given, unspaced = self.options.text.split_compounds, source.tokenizer.name == "unigram"
        return given != "no" and not (given == "auto" and unspaced)

    def _is_split(self, splitter: CompoundSplitter) -> bool:
        """Whether the compounds of the source side are split."""
        text = self.options.text
        if text.split_compounds == "auto" and not splitter.is_of_use(text.languages[0]):
            return False
        splitter.keep_whole = text.split_compounds == "both"
        kept = ", and kept whole beside them" if splitter.keep_whole else ""
        words = f"{len(splitter.parts or {}):,}"
        log.info("source: compounds are split into %s words%s", words, kept)
        return True

    def _dev_set(self, held_out: PairSets | None) -> tuple[list[str], list[list[str]]]:
        """Source and references as they are in the files; refused where nothing can be tuned on."""
        files = self.place.files
        if held_out is not None or files.dev_source is None:
            assert held_out is not None
            source, target = held_out.lines(DEV)
            return source, [target]
        dev = read_lines(files.dev_source)
        references = [read_lines(path) for path in files.dev_references]
        for path, lines in zip(files.dev_references, references, strict=True):
            if len(lines) != len(dev):
                raise InputError(
                    path,
                    0,
                    f"{len(lines):,} lines",
                    f"{len(dev):,} as in {files.dev_source}",
                    "dev source and references must be parallel",
                )
        if not dev:
            raise InputError(files.dev_source, 0, "no lines", "sentences to tune on")
        for path, lines in zip(
            (files.dev_source, *files.dev_references), (dev, *references), strict=True
        ):
            if not any(line.strip() for line in lines):
                raise InputError(path, 0, "no words", "sentences to tune on")
        return dev, references


def _origins(corpora: TrainCorpora, held_out: PairSets | None) -> Origins:
    """The corpus of every pair that is learned from."""
    origins = corpora.origins()
    return origins if held_out is None else origins[held_out.sets == TRAIN]


def _known_words(bitext: Bitext, *, compounds: bool) -> KnownWords:
    words, counts = bitext.source.vocabulary, bitext.source.counts().tolist()
    seen = dict(zip(words, counts, strict=True))
    copied = CopiedWords.learned(bitext)
    return KnownWords.of(seen, bitext.target.vocabulary, copied, compounds=compounds)
