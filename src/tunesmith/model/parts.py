"""`ModelParts`: what is in a model directory, each file opened when it is first used."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from tunesmith.base.languages import known_locale
from tunesmith.base.rundir import read_record
from tunesmith.corpus import Preprocessor
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.engine.packing import Resident
from tunesmith.features import GrammarTemplates, LexicalModel, RuleFeatures
from tunesmith.formats.plf import Lattice
from tunesmith.grammar import HieroIndex, PhraseTable, ScfgGrammar
from tunesmith.lm import NgramLM
from tunesmith.model.description import MODEL_FILE, Description, read_description
from tunesmith.model.layer import Layer
from tunesmith.reorder import MaxentModel


class ModelParts(Resident):
    """The tables, grammars, language models and preprocessing of a model."""

    def __init__(self, folder: str | Path, description: Description, *, view: bool = False) -> None:
        self.folder = Path(folder)
        self._description = description
        self._view = view
        self._taught: LexicalModel | None = None
        self._layer: Layer | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Where it is and what is in it: another process maps the files itself."""
        names = ("folder", "_description", "_view", "_taught", "_layer")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def load(cls, folder: str | Path) -> Self:
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
    def layer(self) -> Layer | None:
        """What stands on top of the model's own files; see `TranslationModel.layered`."""
        return self._layer

    @cached_property
    def layer_table(self) -> PhraseTable | None:
        """The phrase pairs of a layer."""
        if self._layer is None or self.kind != "phrase":
            return None
        return PhraseTable(self._layer.rules)

    @property
    def rule_tables(self) -> list[PhraseTable]:
        """The phrase tables as derivations number them: that of a layer is the last."""
        layer = self.layer_table
        return self.tables if layer is None else [*self.tables, layer]

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

    def files(self) -> list[Path]:
        """All that its translations depend on but the weights."""
        named = self._description
        texts = {name for name in (named.source, named.target) if name}
        own = {self.folder / name for name in {MODEL_FILE, *named.files(), *texts}}
        return sorted({*own, *self.sparse_files()})

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

    @cached_property
    def languages(self) -> tuple[str | None, str | None]:
        """The codes of source and target; None where a language is undetermined."""
        own = self._description
        codes = own.source_language, own.target_language
        source, target = codes if any(codes) else self._unstated_languages()
        return known_locale(source), known_locale(target)

    def _unstated_languages(self) -> tuple[str, str]:
        """The languages of a model that was made before models stated them.

        Those given for its training, otherwise those of its tokenisers, which were English by
        default: two equal ones say nothing.
        """
        record = (read_record(self.folder) or {}).get("options", {})
        text = record.get("text", {}) if isinstance(record, dict) else {}
        given = [
            text.get(f"{side}_language", "") if isinstance(text, dict) else ""
            for side in ("source", "target")
        ]
        codes = [
            str(code or getattr(side.tokenizer, "language", ""))
            for code, side in zip(given, self.preprocessors, strict=True)
        ]
        if not all(given) and codes[0] == codes[1]:
            codes = given
        return codes[0], codes[1]

    def encode_source(
        self, lines: list[str], *, engine: EngineLike = ALL_CORES
    ) -> Sequence[str | Lattice]:
        """Source text in the model's tokens; lattices where its compounds are kept whole too."""
        source = self.preprocessors[0]
        encode = source.encode_input if self.arc_features else source.encode
        return encode(lines, engine=engine)
