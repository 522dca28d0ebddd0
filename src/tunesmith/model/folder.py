"""`TranslationModel`: a directory with ``model.toml``, binary tables and weights.

MODEL/
model.toml      what is in it: files, search limits, preprocessing
weights.tsv     one line per feature
phrases.bin     phrase table with reordering scores
grammar.bin     training text of a hierarchical model, indexed for its rules (grammar.gz: the rules
                themselves; grammar.scfg: the same in binary)
features.bin    sparse features of the rules, where the model has any
features.json   templates of the sparse features of a hierarchical model, where it has any
lexical.bin     lexical features with learned weights, where the model has any
maxent.bin      maximum-entropy reordering model, where the model has one
lm.bin          language model
source.json     preprocessing of the source side (target.json: of the target side)
run.json        where it came from: options, version, hashes of the inputs
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.atomic import atomic_directory
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.base.weights import Weights
from tunesmith.corpus import Preprocessor
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.engine.packing import Resident
from tunesmith.features import (
    FeatureSet,
    GrammarTemplates,
    LexicalModel,
    RuleFeatures,
    feature_set,
    sets_of,
)
from tunesmith.formats.plf import Lattice
from tunesmith.formats.weight_names import matching_weights
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.grammar import HieroIndex, PhraseTable, ScfgGrammar
from tunesmith.lm import NgramLM
from tunesmith.model.description import (
    MODEL_FILE,
    Description,
    read_description,
    write_description,
)
from tunesmith.model.kinds import chart_names, chart_start, numbered
from tunesmith.reorder import MaxentModel

WEIGHTS_FILE = "weights.tsv"
LEXICAL_FILE = "lexical.bin"
MAXENT_FILE = "maxent.bin"
TEMPLATES_FILE = "features.json"
LEXICAL_FEATURE = "lexical"
RULES_FILE = "grammar.scfg"


class TranslationModel(Resident):
    """A phrase-based or hierarchical model in its directory; files are mapped when first used."""

    def __init__(self, folder: str | Path, description: Description, *, view: bool = False) -> None:
        self.folder = Path(folder)
        self._description = description
        self._view = view
        self._taught: LexicalModel | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Where it is and what is in it: another process maps the files itself."""
        names = ("folder", "_description", "_view", "_taught")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def load(cls, folder: str | Path) -> "TranslationModel":
        """Open the model in `folder`."""
        return cls(folder, read_description(folder))

    @property
    def kind(self) -> str:
        """What it is made of, and so which decoder it needs: ``phrase`` or ``hiero``."""
        return self._description.kind

    @property
    def search(self) -> dict[str, Any]:
        """The model's own search limits (keywords of `SearchOptions`)."""
        return dict(self._description.search)

    @property
    def arc_features(self) -> int:
        """How many scores of a lattice's arcs are features: ``arc``, ``arc2``, …"""
        return self._description.arc_features

    @cached_property
    def tables(self) -> list[PhraseTable]:
        """The phrase tables."""
        return [PhraseTable(self.folder / name) for name in self._description.tables]

    @property
    def grammar_path(self) -> Path:
        """The file of a hierarchical model's rules, or of the text that they are looked up in."""
        return self.folder / self._description.grammar

    @cached_property
    def grammar(self) -> ScfgGrammar | HieroIndex:
        """The rules of a hierarchical model, or the indexed text that they are looked up in."""
        path = self.grammar_path
        if path.suffix == ".bin":
            return HieroIndex(path)
        return ScfgGrammar.load(path) if path.suffix == ".scfg" else ScfgGrammar.read(path)

    @cached_property
    def language_models(self) -> list[NgramLM]:
        """The language models."""
        return [NgramLM.load(self.folder / name) for name in self._description.language_models]

    @cached_property
    def weights(self) -> Weights:
        """The weights of ``weights.tsv``; features that have none are told, and count nothing."""
        path = self.folder / WEIGHTS_FILE
        weights = read_weights(path)
        unknown = [name for name in weights if not self.is_feature(name)]
        if unknown and not self._view:
            raise InputError(path, 0, f"a weight for '{unknown[0]}'", "features of this model only")
        own = Weights({name: value for name, value in weights.items() if self.is_feature(name)})
        return self._matching(own, path)

    def read_weights(self, path: str | Path) -> Weights:
        """Weights of another file than the model's own; names that do not match are told."""
        return self._matching(read_weights(path), path)

    def _matching(self, weights: Weights, path: str | Path) -> Weights:
        return matching_weights(weights, path, "model", self.feature_names, self.is_feature)

    @cached_property
    def rule_features(self) -> RuleFeatures | None:
        """The sparse features of all rules of the tables; None if the model has none."""
        name = self._description.features
        return RuleFeatures(self.folder / name) if name and self.kind == "phrase" else None

    @cached_property
    def grammar_templates(self) -> GrammarTemplates | None:
        """How a grammar's rules get sparse features; None if the model has none of these.

        Which there are is known only from the rules of a text: they go by name everywhere.
        """
        name = self._description.features
        return GrammarTemplates.load(self.folder / name) if name and self.kind == "hiero" else None

    @property
    def has_sparse(self) -> bool:
        """Whether rules have sparse features."""
        return bool(self._description.features)

    def sparse_files(self) -> list[Path]:
        """The files that say which sparse features rules have."""
        names = [self._description.features] if self.has_sparse else []
        if self.grammar_templates is not None:
            names += self.grammar_templates.files()
        return [self.folder / name for name in names]

    @cached_property
    def lexical(self) -> LexicalModel | None:
        """Lexical features with learned weights; None if the model has none."""
        if self._taught is not None:
            return self._taught
        name = self._description.lexical
        return LexicalModel.load(self.folder / name) if name else None

    @cached_property
    def maxent(self) -> MaxentModel | None:
        """The maximum-entropy reordering model; None if the model has none."""
        name = self._description.maxent
        return MaxentModel(self.folder / name) if name else None

    @cached_property
    def preprocessors(self) -> tuple[Preprocessor, Preprocessor]:
        """What the model does to source text, and to target text."""

        def load(name: str) -> Preprocessor:
            if not name:
                return Preprocessor.create("none", "none")
            return Preprocessor.load(self.folder / name)

        return load(self._description.source), load(self._description.target)

    def encode_source(
        self, lines: list[str], *, engine: EngineLike = ALL_CORES
    ) -> Sequence[str | Lattice]:
        """Source text in the model's tokens; lattices where its compounds are kept whole too."""
        source = self.preprocessors[0]
        encode = source.encode_input if self.arc_features else source.encode
        return encode(lines, engine=engine)

    @cached_property
    def reordering(self) -> list[str]:
        """The scores of the reordering model, as the first table names them.

        The tables behind it have the same or none.
        """
        if not self.tables:
            return []
        first, *others = (list(table.meta.get("reordering", [])) for table in self.tables)
        for table, names in zip(self.tables[1:], others, strict=True):
            if names not in ([], first):
                raise InputError(
                    table.path,
                    0,
                    f"a reordering model with {', '.join(names)}",
                    f"that of {self.tables[0].path.name}: {', '.join(first) or 'none'}",
                )
        return first

    @property
    def join_floors(self) -> list[float]:
        """What a phrase pair gets for each score of a table that lacks it; empty: not joined."""
        floor = self._description.join_floor
        if floor is None:
            return []
        return [floor for table in self.tables for _ in table.meta["scores"]]

    @property
    def reordering_classes(self) -> str:
        """``msd`` or ``mslr``."""
        return "mslr" if any(name.endswith(".left") for name in self.reordering) else "msd"

    @property
    def uses_reordering(self) -> bool:
        """Whether any score of the reordering model is a feature."""
        unused = set(self._description.unused)
        return any(f"reorder.{name}" not in unused for name in self.reordering)

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """All dense features, in the order in which the decoder counts them."""
        unused = set(self._description.unused)
        own = {*self.decoder_names, *(f"reorder.{name}" for name in self.reordering)}
        wrong = unused - own
        if wrong:
            path = self.folder / MODEL_FILE
            raise InputError(path, 0, f"unused '{min(wrong)}'", "dense features of the model")
        return tuple(name for name in self.decoder_names if name not in unused)

    @cached_property
    def decoder_names(self) -> tuple[str, ...]:
        """`feature_names`, and those that the search counts although they are not used."""
        if self.kind == "hiero":
            return chart_names(
                self.grammar.features, len(self._description.language_models), self.arc_features
            )
        names: list[str] = []
        for number, table in enumerate(self.tables):
            names += [f"{numbered('tm', number)}.{score}" for score in table.meta["scores"]]
        if self.uses_reordering:
            names += [f"reorder.{name}" for name in self.reordering]
        if self.maxent is not None:
            names += self.maxent.names
        names += _core.plain_features()
        models = len(self._description.language_models)
        names += [numbered("lm", number) for number in range(models)]
        return (*names, *([LEXICAL_FEATURE] if self._description.lexical else []))

    @property
    def sparse_names(self) -> Vocabulary:
        """The sparse features: names ↔ ids. Their weights stand behind the dense ones."""
        return self._no_names if self.rule_features is None else self.rule_features.names

    @cached_property
    def _no_names(self) -> Vocabulary:
        return Vocabulary()

    @cached_property
    def all_names(self) -> tuple[str, ...]:
        """Dense and sparse features, in the order of a weight vector."""
        return (*self.feature_names, *self.sparse_names)

    @cached_property
    def searched_names(self) -> tuple[str, ...]:
        """`all_names`, and those that the search counts although they are not used."""
        return (*self.decoder_names, *self.sparse_names)

    @cached_property
    def used_columns(self) -> npt.NDArray[np.intp] | None:
        """Where `feature_names` are among `decoder_names`; None if they are all."""
        everything, used = self.decoder_names, self.feature_names
        if everything == used:
            return None
        return np.array([everything.index(name) for name in used], dtype=np.intp)

    def search_vector(self, vector: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """A `weight_vector` in the order of `searched_names`: 0 for what is not used."""
        columns = self.used_columns
        if columns is None:
            return np.ascontiguousarray(vector, dtype=np.float64)
        if len(vector) < len(columns):
            raise OptionError(f"{len(vector)} weights for {len(columns)} dense features")
        dense = np.zeros(len(self.decoder_names))
        dense[columns] = vector[: len(columns)]
        return np.concatenate([dense, vector[len(columns) :]])

    def is_feature(self, name: str) -> bool:
        """Whether the model has, or its rules may have, a feature of this name."""
        return name in self.feature_names or name in self.sparse_names or self.may_have(name)

    def may_have(self, name: str) -> bool:
        """Whether rules of a grammar may have a sparse feature of this name."""
        return self.grammar_templates is not None and self.grammar_templates.makes(name)

    def weight_vector(self, weights: Mapping[str, float]) -> npt.NDArray[np.float64]:
        """Weights in the decoder's order: `feature_names`, then `sparse_names`; 0 if not named."""
        places = {name: place for place, name in enumerate(self.feature_names)}
        sparse = self.rule_features
        vector = np.zeros(len(places) + (0 if sparse is None else len(sparse)))
        for name, value in weights.items():
            place = places.get(name)
            if place is None:
                found = self.sparse_names.get(name)
                if found is None:
                    raise OptionError(
                        f"weight for '{name}', which is no feature of the model "
                        f"(features: {', '.join(self.feature_names)}"
                        + (f" and {len(self.sparse_names):,} sparse ones)" if sparse else ")")
                    )
                place = len(places) + found
            vector[place] = value
        return vector

    def initial_weights(self) -> Weights:
        """Paper A's start: 1 for translation models, language models and distortion, else 0.

        Of a grammar's features those that are probabilities count as translation models.
        """
        if self.kind == "hiero":
            return Weights(chart_start(self.feature_names))
        return Weights(
            {
                name: float(
                    name.startswith(("tm", "lm")) or name in ("distortion", LEXICAL_FEATURE)
                )
                for name in self.feature_names
            }
        )

    def restricted(self, name: str) -> "TranslationModel":
        """The model with the features of a set alone (`tunesmith.features.FEATURE_SETS`).

        A view of the same folder: tables and language models that the set does not have are not
        searched either, so that a model trained as ``big`` gives what one trained as ``small``
        would. The weights are those of the features that stay. No set has lexical features.
        """
        wanted, own = feature_set(name), self._description
        if self.kind not in wanted.kinds:
            raise OptionError(
                f"{self.folder} is a {self.kind} model and has no feature set '{name}'; expected "
                f"one of: {', '.join(sets_of(self.kind))}"
            )
        tables = wanted.tables if self.kind == "phrase" else 0
        for what, found, needed in (
            ("phrase tables", len(own.tables), tables),
            ("language models", len(own.language_models), wanted.language_models),
        ):
            if found < needed:
                raise OptionError(
                    f"{self.folder} has {found} of {needed} {what} of the feature set '{name}'; "
                    f"train it with --features {name}"
                )
        sparse = wanted.is_sparse(self.kind)
        if sparse and not self._has_templates_of(wanted):
            raise OptionError(
                f"{self.folder} does not have the sparse features of the feature set '{name}'; "
                f"train it with --features {name}"
            )
        off = () if wanted.reordering else tuple(f"reorder.{score}" for score in self.reordering)
        description = replace(
            own,
            tables=own.tables[: wanted.tables],
            language_models=own.language_models[: wanted.language_models],
            features=own.features if sparse else "",
            unused=[*off, *wanted.unused] if self.kind == "phrase" else [],
            lexical="",
            maxent=own.maxent if wanted.reordering else "",
        )
        return TranslationModel(self.folder, description, view=True)

    def _has_templates_of(self, wanted: FeatureSet) -> bool:
        if self.grammar_templates is not None:
            return wanted.accepts_rules(self.grammar_templates.names)
        return self.rule_features is not None and wanted.accepts(self.rule_features.meta)

    def taught(self, lexical: LexicalModel) -> "TranslationModel":
        """The model with lexical features that are in no file yet, in the place of its own.

        A view of the same folder; its weights lack the one of these features.
        """
        description = replace(self._description, lexical=LEXICAL_FILE)
        view = TranslationModel(self.folder, description, view=True)
        view._taught = lexical
        return view

    def with_arc_features(self, count: int, scores: str | None = None) -> "TranslationModel":
        """The model with features for the scores of a lattice's arcs, which are taken as `scores`.

        A view of the same folder; its weights lack those of features that it did not have.
        """
        if self.kind != "hiero":
            raise OptionError(f"{self.folder} is a phrase model: lattices need a hiero model")
        search = self._description.search | ({"arc_scores": scores} if scores else {})
        description = replace(self._description, arc_features=count, search=search)
        return TranslationModel(self.folder, description, view=True)

    def with_weights(self, weights: Weights, folder: str | Path) -> "TranslationModel":
        """A copy of the model in `folder` with other weights; tables are linked where possible."""
        with self._copied(self._description, folder) as temporary:
            write_weights(temporary / WEIGHTS_FILE, weights)
        return TranslationModel.load(folder)

    def with_lexical(
        self, lexical: LexicalModel, weights: Weights, folder: str | Path
    ) -> "TranslationModel":
        """A copy of the model in `folder` with lexical features; its own are replaced."""
        with self._copied(replace(self._description, lexical=LEXICAL_FILE), folder) as temporary:
            (temporary / LEXICAL_FILE).unlink(missing_ok=True)  # it may be the old model's own file
            lexical.save(temporary / LEXICAL_FILE)
            write_weights(temporary / WEIGHTS_FILE, weights)
        return TranslationModel.load(folder)

    def with_templates(
        self, templates: GrammarTemplates, weights: Weights, folder: str | Path
    ) -> "TranslationModel":
        """A copy of a hierarchical model in `folder` whose rules have these sparse features."""
        if self.kind != "hiero":
            raise OptionError(f"{self.folder} is a {self.kind} model, expected a hierarchical one")
        described = replace(self._description, features=TEMPLATES_FILE)
        with self._copied(described, folder) as temporary:
            templates.save(temporary / TEMPLATES_FILE)
            write_weights(temporary / WEIGHTS_FILE, weights)
        return TranslationModel.load(folder)

    def rebuilt(
        self,
        folder: str | Path,
        write_table: Callable[[int, Path], None],
        write_language_model: Callable[[int, Path], None],
        write_grammar: Callable[[Path], None],
    ) -> "TranslationModel":
        """A model like this one in `folder`, with tables and language models of its own.

        The functions get the number of a part and the path to write it to; a grammar is written as
        `ScfgGrammar.save` does. Sparse features belong
        to the tables that they were made for: a model that has any cannot be rebuilt.
        """
        own = replace(self._description, lexical="", grammar="")
        if self.kind == "hiero":
            own = replace(own, grammar=RULES_FILE)
        if own.features:
            raise OptionError(f"{self.folder} has sparse features, expected a model without them")
        with new_model(folder) as temporary:
            for number, name in enumerate(own.tables):
                write_table(number, temporary / name)
            if own.grammar:
                write_grammar(temporary / own.grammar)
            for number, name in enumerate(own.language_models):
                write_language_model(number, temporary / name)
            for name in filter(None, (own.source, own.target, own.maxent)):
                link_or_copy(self.folder / name, temporary / name)
            _write(own, temporary)
            weights = {n: value for n, value in self.weights.items() if n != LEXICAL_FEATURE}
            write_weights(temporary / WEIGHTS_FILE, Weights(weights))
        return TranslationModel.load(folder)

    @contextmanager
    def _copied(self, description: Description, folder: str | Path) -> Iterator[Path]:
        """The model's files in a new folder, to be completed by the block."""
        whole = read_description(self.folder)
        left_out = whole.files() - description.files() | {WEIGHTS_FILE, MODEL_FILE}
        with new_model(folder) as temporary:
            for entry in sorted(self.folder.iterdir()):
                if entry.is_file() and entry.name not in left_out:
                    link_or_copy(entry, temporary / entry.name)
            if description == whole:
                link_or_copy(self.folder / MODEL_FILE, temporary / MODEL_FILE)
            else:
                _write(description, temporary)
            yield temporary


def _write(description: Description, folder: Path) -> None:
    values = {item.name: getattr(description, item.name) for item in fields(description)}
    del values["format"], values["kind"]  # a model with a grammar is hierarchical
    write_description(folder, **values)


def check_replaceable(folder: str | Path) -> None:
    """Refuse to write a model in the place of anything but a model or an empty folder."""
    folder = Path(folder)
    if folder.exists() and not (
        folder.is_dir() and ((folder / MODEL_FILE).exists() or not any(folder.iterdir()))
    ):
        raise InputError(folder, 0, "exists and is not a model", "a new name or a model to replace")


@contextmanager
def new_model(folder: str | Path) -> Iterator[Path]:
    """A temporary directory that becomes the model `folder` when the block ends well.

    A directory that is not a model is never replaced.
    """
    check_replaceable(folder)
    with atomic_directory(folder) as temporary:
        yield temporary


def link_or_copy(source: Path, destination: Path) -> None:
    """Give a file of one model to another; files of models are replaced, never changed."""
    try:
        os.link(source, destination)
    except OSError:
        shutil.copyfile(source, destination)
