"""From raw parallel text to a folder that training starts from, in bounded memory.

1. Read, tokenise and clean, block by block; what stays is written to temporary files.
2. Choose dev and test pairs without leaks, if asked for.
3. Train the casing of each side on the training pairs, and apply it to all.
4. Write the sets as text, the training set also as a `Bitext`.

The folder appears when it is complete:

========================================  =======================================================
``source.json``, ``target.json``          the preprocessors
``train.source``, ``train.target``        tokenised and cased text; the same for dev and test
``dev.source.raw``, ``dev.target.raw``    as they were read, for scoring; the same for test
``train.bitext``                          the training pairs as word ids
``report.json``                           pairs removed by reason, sizes, overlaps
========================================  =======================================================
"""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.atomic import atomic_directory
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.json_text import parse_json
from tunesmith.base.log import log
from tunesmith.base.progress import progress
from tunesmith.base.rundir import RECORD_NAME, write_record
from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.corpus.bitext import Bitext, write_bitext
from tunesmith.corpus.cleaning import Cleaner, CleanOptions
from tunesmith.corpus.preprocess import DEFAULT_CASING, DEFAULT_TOKENIZER, Preprocessor
from tunesmith.corpus.sentences import blocks
from tunesmith.corpus.split import SETS, TRAIN, Keys, sentence_keys, split_pairs, warn_of_overlap
from tunesmith.corpus.spool import SIDES, PairSpool
from tunesmith.engine import ALL_CORES, EngineLike

Pairs = Iterable[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class PrepareOptions:
    """How a corpus is prepared."""

    # Two letters each; decide about abbreviations and apostrophes.
    source_language: str
    target_language: str
    # Of both sides: moses, none, char or sentencepiece.
    tokenizer: str = DEFAULT_TOKENIZER
    # SentencePiece's model files.
    source_model: str | None = None
    target_model: str | None = None
    # Of both sides: none, lowercase or truecase.
    casing: str = DEFAULT_CASING
    # Pairs to take out of the training set for dev and test.
    dev_size: int = 0
    test_size: int = 0
    seed: int = DEFAULT_SEED
    clean: CleanOptions = field(default_factory=CleanOptions)


class PreparedCorpus:
    """A folder that `prepare` made."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not (self.folder / "report.json").is_file():
            raise InputError(
                folder, 0, "no report.json", "a prepared corpus", "run `tunesmith corpus prepare`"
            )

    def preprocessor(self, side: str) -> Preprocessor:
        """That of ``source`` or ``target``."""
        return Preprocessor.load(self.folder / f"{side}.json")

    def text(self, name: str, side: str, *, raw: bool = False) -> Path:
        """The text file of one side of ``train``, ``dev`` or ``test``."""
        return self.folder / (f"{name}.{side}" + ".raw" * raw)

    def train(self) -> Bitext:
        """The training pairs."""
        return Bitext.load(self.folder / "train.bitext")

    def report(self) -> dict[str, Any]:
        """Pairs removed by reason, sizes, overlaps."""
        path = self.folder / "report.json"
        try:
            report = parse_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(path, 0, "not JSON", "the report of a prepared corpus") from error
        return dict(report)


def prepare(
    folder: str | Path,
    train: Pairs,
    options: PrepareOptions,
    *,
    dev: Pairs | None = None,
    test: Pairs | None = None,
    record: Mapping[str, Any] | None = None,
    engine: EngineLike = ALL_CORES,
) -> PreparedCorpus:
    """Prepare the pairs `train`, and `dev` and `test` with them, in `folder`.

    Training pairs are cleaned; dev and test pairs stay as they are, empty lines included.
    `record` is kept in the folder (see `tunesmith.base.rundir`).
    """
    given = {name: pairs for name, pairs in (("dev", dev), ("test", test)) if pairs is not None}
    for name, size in (("dev", options.dev_size), ("test", options.test_size)):
        if name in given and size:
            raise OptionError(f"both a {name} set and its size are given, expected one of them")
    check_replaceable(folder)
    try:
        with atomic_directory(folder) as temporary:
            _Preparation(temporary, options, engine).run(train, given)
            write_record(temporary, record or {"command": "corpus prepare"})
    except OSError as error:
        raise InputError(folder, 0, error.strerror or str(error), "a folder to write to") from error
    return PreparedCorpus(folder)


def check_replaceable(folder: str | Path) -> None:
    """Refuse to overwrite a folder that is not ours."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder} is a file, expected a folder to make")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / RECORD_NAME).is_file():
        raise OptionError(f"{folder} has other files in it, expected a folder to make")


class _Preparation:
    """The steps, with what they share."""

    def __init__(self, folder: Path, options: PrepareOptions, engine: EngineLike) -> None:
        self.folder, self.options, self.engine = folder, options, engine
        self.sides = [
            Preprocessor.create(options.tokenizer, options.casing, language=language, model=model)
            for language, model in (
                (options.source_language, options.source_model),
                (options.target_language, options.target_model),
            )
        ]
        self.cleaner = Cleaner(options.clean, engine=engine)
        self.raw, self.words = PairSpool(folder, "raw"), PairSpool(folder, "words")
        self.report: dict[str, Any] = {}

    def run(self, train: Pairs, given: Mapping[str, Pairs]) -> None:
        keys = self._read(train)
        sets = split_pairs(
            *keys, dev=self.options.dev_size, test=self.options.test_size, seed=self.options.seed
        )
        if not np.any(sets == TRAIN):
            raise OptionError(f"no pair is left to train on: {self.cleaner.report()}")
        for number, (side, name) in enumerate(zip(self.sides, SIDES, strict=True)):
            side.casing.fit(self.words.lines(number, sets == TRAIN))
            side.save(self.folder / f"{name}.json")
        self.report["cleaning"] = dict(self.cleaner.counts)
        self.report["overlap"] = {}
        self.report["pairs"] = {}
        for number, name in enumerate(SETS):
            chosen = sets == number
            if number == TRAIN:
                self._write_train(chosen)
            elif name in given:
                self._write_given(
                    name, given[name], (keys[0][sets == TRAIN], keys[1][sets == TRAIN])
                )
            elif chosen.any():
                self._write_chosen(name, chosen)
        self.words.unlink()
        self.raw.unlink()
        with _text(self.folder / "report.json") as stream:
            json.dump(self.report, stream, indent=2)
            stream.write("\n")

    def _read(self, pairs: Pairs) -> tuple[Keys, Keys]:
        """Tokenise and clean; keep raw and tokenised lines in files, sentence keys in memory."""
        keys: tuple[list[Keys], list[Keys]] = ([], [])
        with self.raw, self.words, progress("tokenising and cleaning") as bar:
            for block in blocks(pairs):
                lines = [list(side) for side in zip(*block, strict=True)]
                tokens = [
                    side.tokenizer.tokenize(text, engine=self.engine)
                    for side, text in zip(self.sides, lines, strict=True)
                ]
                kept = np.flatnonzero(self.cleaner.mask(*tokens)).tolist()
                chosen = [[side[number] for number in kept] for side in lines]
                for side, own in zip(keys, chosen, strict=True):
                    side.append(sentence_keys(own, engine=self.engine))
                self.raw.add(chosen)
                self.words.add([side[number] for number in kept] for side in tokens)
                bar.advance(len(block))
        log.info("%s", self.cleaner.report())
        none = [np.empty(0, np.uint64)]
        return np.concatenate(none + keys[0]), np.concatenate(none + keys[1])

    def _cased(self, chosen: npt.NDArray[np.bool_]) -> Iterator[list[tuple[str, str]]]:
        """Blocks of tokenised and cased pairs."""
        for block in self.words.blocks(chosen):
            sides = [
                preprocessor.casing.apply(lines)
                for preprocessor, lines in zip(self.sides, block, strict=True)
            ]
            yield list(zip(*sides, strict=True))

    def _write_train(self, chosen: npt.NDArray[np.bool_]) -> None:
        with contextlib.ExitStack() as stack, progress("coding", int(chosen.sum())) as bar:
            files = [stack.enter_context(_text(self.folder / f"train.{name}")) for name in SIDES]

            def pairs() -> Iterator[tuple[str, str]]:
                for block in self._cased(chosen):
                    _write_pairs(files, block)
                    yield from block
                    bar.advance(len(block))

            bitext = write_bitext(self.folder / "train.bitext", pairs(), engine=self.engine)
        self.report["pairs"]["train"] = len(bitext)

    def _write_chosen(self, name: str, chosen: npt.NDArray[np.bool_]) -> None:
        raw = [self.raw.lines(side, chosen) for side in range(len(SIDES))]
        self._write_set(name, zip(*raw, strict=True), chain.from_iterable(self._cased(chosen)))

    def _write_given(self, name: str, pairs: Pairs, train: tuple[Keys, Keys]) -> None:
        raw = list(pairs)
        sides = [[source for source, _ in raw], [target for _, target in raw]]
        words = [
            preprocessor.encode(lines, engine=self.engine)
            for preprocessor, lines in zip(self.sides, sides, strict=True)
        ]
        self._write_set(name, raw, zip(*words, strict=True))
        keys = (sentence_keys(sides[0]), sentence_keys(sides[1]))
        self.report["overlap"][name] = warn_of_overlap(train, keys, name)

    def _write_set(self, name: str, raw: Pairs, words: Pairs) -> None:
        for suffix, pairs in ((".raw", raw), ("", words)):
            with contextlib.ExitStack() as stack:
                files = [
                    stack.enter_context(_text(self.folder / f"{name}.{side}{suffix}"))
                    for side in SIDES
                ]
                self.report["pairs"][name] = _write_pairs(files, pairs)


def _write_pairs(files: list[IO[str]], pairs: Pairs) -> int:
    count = 0
    for source, target in pairs:
        files[0].write(f"{source}\n")
        files[1].write(f"{target}\n")
        count += 1
    return count


def _text(path: Path) -> IO[str]:
    return path.open("w", encoding="utf-8", newline="\n")
