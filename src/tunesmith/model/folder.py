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

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.features import (
    FeatureSet,
    GrammarTemplates,
    LexicalModel,
    feature_set,
    sets_of,
)
from tunesmith.formats.weights import write_weights
from tunesmith.model.description import (
    MODEL_FILE,
    Description,
    read_description,
    write_description,
)
from tunesmith.model.feature_vector import ModelFeatures
from tunesmith.model.files import (
    LEXICAL_FEATURE,
    LEXICAL_FILE,
    RULES_FILE,
    TEMPLATES_FILE,
    WEIGHTS_FILE,
    link_or_copy,
    new_model,
)
from tunesmith.model.layer import Layer

# What a model has opened that a layer does not change.
UNDER_LAYERS = (
    "tables", "grammar", "language_models", "rule_features", "grammar_templates", "lexical",
    "maxent", "preprocessors", "reordering",
)  # fmt: skip


class TranslationModel(ModelFeatures):
    """A phrase-based or hierarchical model in its directory; files are mapped when first used."""

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

    def layered(self, layer: Layer) -> "TranslationModel":
        """The model with a layer on top, in the place of its own if it has one.

        A view of the same folder, with what is open of it.
        """
        view = TranslationModel(self.folder, self._description, view=True)
        shared = {name: self.__dict__[name] for name in UNDER_LAYERS if name in self.__dict__}
        view.__dict__.update(shared, _taught=self._taught, _layer=layer)
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
        write_maxent: Callable[[Path], None],
    ) -> "TranslationModel":
        """A model like this one in `folder`, with tables and models of its own.

        The functions get the number of a part and the path to write it to; a grammar is written as
        `ScfgGrammar.save` does. Sparse features belong to the tables that they were made for: a
        model that has any cannot be rebuilt.
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
            if own.maxent:
                write_maxent(temporary / own.maxent)
            for name in filter(None, (own.source, own.target)):
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
