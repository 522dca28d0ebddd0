"""The stage that prepares text: tokenised, cased, cleaned and coded."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.log import log
from tunesmith.base.rundir import file_hash
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.cleaning import CleanOptions
from tunesmith.corpus.coding import TextCoding
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.segmented import tokeniser_language
from tunesmith.corpus.split import sentence_keys, warn_of_overlap
from tunesmith.formats.parallel import read_parallel
from tunesmith.formats.plf import Lattice
from tunesmith.formats.text import read_lines
from tunesmith.train.stages.base import TrainingStage


class Corpus(TrainingStage):
    """Texts → ``bitext.bin``, ``source.json`` and ``target.json`` (preprocessors), the dev set."""

    name = "corpus"

    def inputs(self) -> list[Any]:
        """The section text and the files' contents."""
        return [asdict(self.options.text), [file_hash(path) for path in self.place.files.paths()]]

    def write(self, folder: Path) -> None:
        """Prepare training text in bounded memory, and the dev set as it is prepared."""
        text, files, engine = self.options.text, self.place.files, self.engine
        dev, references = self._dev_set()
        source, target = (
            Preprocessor.create(
                text.tokenizer,
                text.resolved_casing,
                language=tokeniser_language(language, lines, side)
                if text.tokenizer == "moses"
                else language,
            )
            for side, language, lines in (
                ("source", text.source_language, dev),
                ("target", text.target_language, references[0]),
            )
        )
        if text.protects:
            source.protection, target.protection = Protection(), Protection()
        coding = TextCoding(
            source,
            target,
            CleanOptions(max_words=text.max_words, keep_duplicates=text.keep_duplicates),
            split=None if text.split_compounds == "no" else self._is_split,
            engine=engine,
        )
        bitext = coding.write(folder / "bitext.bin", read_parallel(files.source, files.target))
        source.save(folder / "source.json")
        target.save(folder / "target.json")
        if source.compounds is not None and source.compounds.keep_whole:
            lattices = source.encode_input(dev, engine=engine)
            _write_lines(
                folder / "dev.plf",
                [str(Lattice.of_words(one) if isinstance(one, str) else one) for one in lattices],
            )
        dev = source.encode(dev, engine=engine)
        references = [target.encode(lines, engine=engine) for lines in references]
        dev_keys = [sentence_keys(lines, engine=engine) for lines in (dev, references[0])]
        warn_of_overlap(coding.keys, (dev_keys[0], dev_keys[1]), "dev")
        log.info(coding.cleaner.report())
        if not len(bitext):
            raise InputError(files.source, 0, "no usable sentence pairs", "parallel text")
        _write_lines(folder / "dev.source", dev)
        for number, lines in enumerate(references):
            _write_lines(folder / f"dev.reference{number}", lines)

    def _is_split(self, splitter: CompoundSplitter) -> bool:
        """Whether the compounds of the source side are split."""
        text = self.options.text
        if text.split_compounds == "auto" and not splitter.is_of_use(text.source_language):
            return False
        splitter.keep_whole = text.split_compounds == "both"
        kept = ", and kept whole beside them" if splitter.keep_whole else ""
        words = f"{len(splitter.parts or {}):,}"
        log.info("source: compounds are split into %s words%s", words, kept)
        return True

    def _dev_set(self) -> tuple[list[str], list[list[str]]]:
        """Source and references as they are in the files; refused where nothing can be tuned on."""
        files = self.place.files
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


def _write_lines(path: Path, lines: list[str]) -> None:
    with atomic_text(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)
