"""The text that a learner in a comparison learns from, and models that have not seen parts of it.

Either files, of which links and models of parts are made once for all runs, or the work folder of
``tunesmith train``, which has them.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.align import Aligner
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.json_text import parse_json
from tunesmith.base.resume import check_settings
from tunesmith.base.rundir import file_hash
from tunesmith.corpus import Bitext
from tunesmith.corpus.coding import BITEXT_FILE
from tunesmith.decode.table_links import check_link_count
from tunesmith.engine import EngineLike
from tunesmith.evaluate.training_files import KEY_FILE
from tunesmith.formats.parallel import read_parallel
from tunesmith.formats.pharaoh import Links, links_file, read_links
from tunesmith.grammar import PhraseExtraction
from tunesmith.learn import LmEstimation, Maxforce, fold_models
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel

_IDENTITY = "learning.json"


@dataclass(frozen=True)
class LearningText:
    """What a run learns from."""

    bitext: Bitext
    links: list[Links]
    """Of every extracted table."""
    folds: list[TranslationModel]
    """Models that have not seen a part of the text; none: rules are left out instead."""


@dataclass(frozen=True)
class WorkFolder:
    """The work folder of a training run of the model."""

    folder: str

    @property
    def default_folds(self) -> int:
        """As many as there are; `train` makes them for a learner."""
        return len(list(Path(self.folder).glob("folds/fold-*")))

    def inputs(self) -> dict[str, str]:
        """Hashes of what decides the results."""
        for needed in (Path(self.folder) / "corpus" / BITEXT_FILE, self._links_file("")):
            if not needed.exists():
                raise InputError(needed, 0, "missing", "the work folder of `tunesmith train`")
        stages = ("corpus", "align", "align2", "folds")
        paths = [Path(self.folder) / stage / KEY_FILE for stage in stages]
        return {path.parent.name: file_hash(path) for path in paths if path.exists()}

    def prepare(
        self,
        models: Mapping[str, TranslationModel],
        folds: Iterable[tuple[str, int]],
        folder: Path,
        identity: Mapping[str, Any],
        engine: EngineLike,
    ) -> None:
        """Nothing is to be made; folds that are not there are refused."""
        for _, count in folds:
            if count not in (0, self.default_folds):
                raise OptionError(
                    f"{self.folder} has models of {self.default_folds} folds, and maxforce.folds "
                    f"is {count}; expected as many, or 0"
                )

    def load(
        self, model: TranslationModel, features: str | None, folds: int, folder: Path
    ) -> LearningText:
        """What a run with so many folds and a feature set (None: the model's own) needs."""
        place = Path(self.folder)
        links = [read_links(path) for path in map(self._links_file, ("", "2")) if path.exists()]
        models = [
            TranslationModel.load(place / "folds" / f"fold-{number}") for number in range(folds)
        ]
        return LearningText(
            Bitext.load(place / "corpus" / BITEXT_FILE),
            links[: sum(not table.is_recounted for table in model.tables)],
            models if features is None else [one.restricted(features) for one in models],
        )

    def _links_file(self, suffix: str) -> Path:
        return links_file(Path(self.folder) / f"align{suffix}")


@dataclass(frozen=True)
class TextFiles:
    """Parallel text as the model was trained on, in files."""

    source: str
    target: str | None = None
    """None: both sides are in one file."""
    links: tuple[str, ...] = ()
    """Files with word links, one for each extracted table; without them the text is aligned."""

    @property
    def default_folds(self) -> int:
        """As in `train`."""
        return Maxforce().folds

    def inputs(self) -> dict[str, str]:
        """Hashes of what decides the results."""
        paths = filter(None, (self.source, self.target, *self.links))
        return {path: file_hash(path) for path in paths}

    def prepare(
        self,
        models: Mapping[str, TranslationModel],
        folds: Iterable[tuple[str, int]],
        folder: Path,
        identity: Mapping[str, Any],
        engine: EngineLike,
    ) -> None:
        """Make in `folder` what the runs share; what is there already is kept.

        `folds` are the feature sets, keys of `models`, with the numbers of parts that they need.
        """
        _claim(folder, {**identity, "text": self.inputs()})
        first = next(iter(models.values()))
        if not (folder / BITEXT_FILE).exists():
            self._write(first, folder, engine)
        for features, count in folds:
            if count:
                bitext, links = self._read(models[features], folder)
                fold_models(
                    models[features], bitext, links, _estimations(models[features], engine),
                    _fold_folder(folder, features, count), folds=count,
                    extraction=_extraction(models[features]), engine=engine,
                )  # fmt: skip

    def load(
        self, model: TranslationModel, features: str | None, folds: int, folder: Path
    ) -> LearningText:
        """What a run with so many folds and a feature set (None: the model's own) needs."""
        place = _fold_folder(folder, features, folds)
        models = [TranslationModel.load(place / f"fold-{number}") for number in range(folds)]
        return LearningText(*self._read(model, folder), models)

    def _read(self, model: TranslationModel, folder: Path) -> tuple[Bitext, list[Links]]:
        tables = sum(not table.is_recounted for table in model.tables)
        links = [read_links(_links_file(folder, number)) for number in range(tables)]
        return Bitext.load(folder / BITEXT_FILE), links

    def _write(self, model: TranslationModel, folder: Path, engine: EngineLike) -> None:
        """The text as the model sees it, without pairs that lack a side, and its links."""
        pairs = list(read_parallel(self.source, self.target))
        sides = [
            one.encode([pair[side] for pair in pairs], engine=engine)
            for side, one in enumerate(model.preprocessors)
        ]
        kept = np.flatnonzero(
            [bool(one.strip() and other.strip()) for one, other in zip(*sides, strict=True)]
        )
        if not len(kept):
            raise InputError(self.source, 0, "no sentence pairs", "parallel text")
        bitext = Bitext.from_lines(
            *([lines[int(i)] for i in kept] for lines in sides), engine=engine
        )
        for number, links in enumerate(self._links(model, bitext, len(pairs), kept, engine)):
            links.save(_links_file(folder, number))
        bitext.save(folder / BITEXT_FILE)

    def _links(
        self,
        model: TranslationModel,
        bitext: Bitext,
        pairs: int,
        kept: npt.NDArray[np.intp],
        engine: EngineLike,
    ) -> list[Links]:
        if not self.links:
            check_link_count(model, 1)
            aligner = Aligner(symmetrisation="grow-diag-final-and", engine=engine)
            return [aligner.fit(bitext).align(bitext)]
        check_link_count(model, len(self.links))
        found = [read_links(path) for path in self.links]
        for path, links in zip(self.links, found, strict=True):
            if len(links) != pairs:
                raise InputError(path, 0, f"{len(links):,} lines", f"{pairs:,} as in {self.source}")
        return [links.select(kept) for links in found]


#: Where the text comes from.
TrainingText = WorkFolder | TextFiles


def _claim(folder: Path, identity: Mapping[str, Any]) -> None:
    """Refuse a folder with what was made of another text or model."""
    folder.mkdir(parents=True, exist_ok=True)
    path, plain = folder / _IDENTITY, json.loads(json.dumps(identity))
    if path.exists():
        try:
            known = parse_json(path.read_text(encoding="utf-8"))
            check_settings(folder, known, plain)
        except (ValueError, AttributeError) as error:
            raise InputError(path, 0, "no settings", "", "delete the folder") from error
    with atomic_text(path) as stream:
        json.dump(plain, stream, indent=1)


def _links_file(folder: Path, table: int) -> Path:
    return folder / f"links-{table}.bin"


def _fold_folder(folder: Path, features: str | None, folds: int) -> Path:
    return folder / f"{features or 'own'}-{folds}"


def _extraction(model: TranslationModel) -> PhraseExtraction:
    """How the model's first table was made."""
    options = model.tables[0].meta.get("options", {})
    try:
        return PhraseExtraction(**options)
    except TypeError:
        raise InputError(
            model.tables[0].path, 0, "a phrase table of another program",
            "one of `tunesmith train`, to make such tables of parts of the text",
            "--set maxforce.folds=0 learns without them",
        ) from None  # fmt: skip


def _estimations(model: TranslationModel, engine: EngineLike) -> list[LmEstimation]:
    """How language models like the model's own are made of a text."""

    def estimation(order: int) -> LmEstimation:
        def fit(pairs: Bitext) -> NgramLM:
            return NgramLM.fit(pairs.target.lines(), order=order, engine=engine)

        return fit

    for one in model.language_models:
        if one.has_classes:
            raise OptionError(
                f"{model.folder} has a class-based language model, which cannot be made of parts "
                "of the text; give the work folder of its training, --train-work, or --set "
                "maxforce.folds=0"
            )
    return [estimation(one.order) for one in model.language_models]
