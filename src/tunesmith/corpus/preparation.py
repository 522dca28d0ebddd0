"""A folder that training starts from, made of raw parallel text for any use (see coding.py).

Dev and test pairs are taken out without leaks, if asked for. Beside the files of `TextCoding` there
are:

==================================  ==========================================================
``train.source``, ``train.target``  the training pairs as text, tokenised and cased
``report.json``                     pairs removed by reason, sizes, overlaps
``run.json``                        the options, version and hashes of inputs
==================================  ==========================================================
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tunesmith.base.atomic import atomic_directory, atomic_text
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.json_text import parse_json
from tunesmith.base.log import log
from tunesmith.base.rundir import RECORD_NAME, write_record
from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.corpus.bitext import Bitext
from tunesmith.corpus.cleaning import Cleaner, CleanOptions
from tunesmith.corpus.coding import (
    BITEXT_FILE,
    Pairs,
    PairSpool,
    TextCoding,
    set_file,
)
from tunesmith.corpus.preprocess import DEFAULT_CASING, DEFAULT_TOKENIZER, Preprocessor
from tunesmith.corpus.split import DEV, LEFT_OUT, TEST, TRAIN, PairMask, PairSets
from tunesmith.engine import ALL_CORES, EngineLike


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

    def preprocessors(self) -> tuple[Preprocessor, Preprocessor]:
        """Untrained ones of both sides."""
        source, target = (
            Preprocessor.create(self.tokenizer, self.casing, language=language, model=model)
            for language, model in (
                (self.source_language, self.source_model),
                (self.target_language, self.target_model),
            )
        )
        return source, target


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
        """A file: ``source`` or ``target`` of ``train``, ``source`` or ``reference0`` of others.

        The training set is not kept raw.
        """
        return self.folder / set_file(name, side, raw=raw)

    def train(self) -> Bitext:
        """The training pairs."""
        return Bitext.load(self.folder / BITEXT_FILE)

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

    Training pairs are cleaned; dev and test pairs that are given stay as they are, empty lines
    included. `record` is kept in the folder (see `tunesmith.base.rundir`).
    """
    given = {name: pairs for name, pairs in (("dev", dev), ("test", test)) if pairs is not None}
    for name, size in (("dev", options.dev_size), ("test", options.test_size)):
        if name in given and size:
            raise OptionError(f"both a {name} set and its size are given, expected one of them")
    check_replaceable(folder)
    try:
        with atomic_directory(folder) as temporary:
            report = _write(temporary, train, given, options, engine)
            with atomic_text(temporary / "report.json") as stream:
                json.dump(report, stream, indent=2)
                stream.write("\n")
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


def _write(
    folder: Path,
    train: Pairs,
    given: Mapping[str, Pairs],
    options: PrepareOptions,
    engine: EngineLike,
) -> dict[str, Any]:
    """Write all sets and return the report of it."""
    raw = PairSpool(folder, "raw").write(train)
    sets = PairSets(raw.pairs, _fit_to_score_on(options.clean, engine), engine=engine)
    sets.choose(dev=options.dev_size, test=options.test_size, seed=options.seed)
    coding = TextCoding(*options.preprocessors(), options.clean, engine=engine)
    bitext = coding.write(folder, sets.read(TRAIN))
    if not len(bitext):
        raise OptionError(f"no pair is left to train on: {coding.cleaner.report()}")
    log.info("%s", coding.cleaner.report())
    PairSpool(folder, "train").write(bitext.pairs())
    coding.save_preprocessors(folder)
    sizes, overlaps = {"train": len(bitext)}, {}
    for number, name in ((DEV, "dev"), (TEST, "test")):
        if name in given or sets.size(number):
            pairs = list(given[name] if name in given else sets.read(number))
            source, target = [one for one, _ in pairs], [other for _, other in pairs]
            overlaps[name] = coding.write_set(folder, name, source, [target])
            sizes[name] = len(pairs)
    raw.unlink()
    removed = {**coding.cleaner.counts, "sentence of dev or test": sets.size(LEFT_OUT)}
    return {"cleaning": removed, "overlap": overlaps, "pairs": sizes}


def _fit_to_score_on(clean: CleanOptions, engine: EngineLike) -> PairMask:
    """As of training pairs, but for the ratio of words: raw text may have no spaces."""
    return Cleaner(replace(clean, max_ratio=math.inf), engine=engine).mask
