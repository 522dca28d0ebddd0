"""The first stage of training: text tokenised, cased, cleaned and coded."""

from collections.abc import Sequence
from pathlib import Path

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.log import log
from tunesmith.corpus import Bitext, Preprocessor
from tunesmith.corpus.cleaning import Cleaner, CleanOptions
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.split import sentence_keys, warn_of_overlap
from tunesmith.engine import EngineLike
from tunesmith.formats.parallel import read_parallel
from tunesmith.formats.text import read_lines
from tunesmith.train.options import TextOptions


def prepare_text(
    folder: Path,
    train: tuple[Path, Path | None],
    dev_set: tuple[Path, Sequence[Path]],
    text: TextOptions,
    *,
    engine: EngineLike,
) -> None:
    """Write the coded training text, the dev set in tokens and both preprocessors into `folder`."""
    dev_source, dev_references = dev_set
    sources, targets = [], []
    for one, other in read_parallel(*train):
        sources.append(one)
        targets.append(other)
    dev = read_lines(dev_source)
    references = [read_lines(path) for path in dev_references]
    for path, lines in zip(dev_references, references, strict=True):
        if len(lines) != len(dev):
            raise InputError(
                path,
                0,
                f"{len(lines):,} lines",
                f"{len(dev):,} as in {dev_source}",
                "dev source and references must be parallel",
            )
    if not dev:
        raise InputError(dev_source, 0, "no lines", "sentences to tune on")
    for path, lines in zip((dev_source, *dev_references), (dev, *references), strict=True):
        if not any(line.strip() for line in lines):
            raise InputError(path, 0, "no words", "sentences to tune on")
    for side, lines, language in (
        ("source", sources, text.source_language),
        ("target", targets, text.target_language),
    ):
        preprocessor = Preprocessor.create(text.tokenizer, text.resolved_casing, language=language)
        preprocessor.fit(lines, engine=engine)
        lines[:] = preprocessor.encode(lines, engine=engine)
        if side == "source":
            preprocessor.compounds = _compounds(lines, text)
            if preprocessor.compounds:
                lines[:] = preprocessor.compounds.apply(lines, engine=engine)
        preprocessor.save(folder / f"{side}.json")
        if side == "source":
            dev = preprocessor.encode(dev, engine=engine)
        else:
            references = [preprocessor.encode(lines, engine=engine) for lines in references]
    keys = [sentence_keys(lines, engine=engine) for lines in (sources, targets)]
    dev_keys = [sentence_keys(lines, engine=engine) for lines in (dev, references[0])]
    warn_of_overlap((keys[0], keys[1]), (dev_keys[0], dev_keys[1]), "dev")
    cleaner = Cleaner(
        CleanOptions(max_words=text.max_words, keep_duplicates=text.keep_duplicates),
        engine=engine,
    )
    kept = cleaner.mask(sources, targets)
    log.info(cleaner.report())
    if not kept.any():
        raise InputError(train[0], 0, "no usable sentence pairs", "parallel text")
    bitext = Bitext.from_lines(
        [line for line, keep in zip(sources, kept, strict=True) if keep],
        [line for line, keep in zip(targets, kept, strict=True) if keep],
        engine=engine,
    )
    bitext.save(folder / "bitext.bin")
    _write_lines(folder / "dev.source", dev)
    for number, lines in enumerate(references):
        _write_lines(folder / f"dev.reference{number}", lines)


def _compounds(lines: list[str], text: TextOptions) -> CompoundSplitter | None:
    """What splits the compounds of the source side, if anything does."""
    if text.split_compounds == "no":
        return None
    splitter = CompoundSplitter().fit(lines)
    if text.split_compounds == "auto" and not splitter.is_of_use(text.source_language):
        return None
    log.info("source: compounds are split into %s words", f"{len(splitter.parts or {}):,}")
    return splitter


def _write_lines(path: Path, lines: list[str]) -> None:
    with atomic_text(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)
