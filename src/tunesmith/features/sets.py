"""Feature sets: what people train with, and those of Cherry & Foster (2012, paper A, §4.2)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from tunesmith.base.errors import OptionError
from tunesmith.features.scfg_templates import (
    GrammarTemplate,
    RuleEdges,
    RuleId,
    RuleShape,
    SourceNgrams,
)
from tunesmith.features.templates import (
    CountBin,
    LengthBin,
    RuleTemplate,
    TargetUnaligned,
    WordPair,
)


@dataclass(frozen=True)
class FeatureSet:
    """What a model of this set has: so many tables and language models, which other features."""

    name: str
    meaning: str
    tables: int = 1
    language_models: int = 1
    reordering: bool = True
    templates: tuple[RuleTemplate, ...] = ()
    """Of the sparse features."""
    unused: tuple[str, ...] = ()
    """Dense features that the decoder has and the set has not: their weight is 0."""
    kinds: tuple[str, ...] = ("phrase",)
    """Of models that may have the set; what is said of tables is for phrases."""
    rules: tuple[GrammarTemplate, ...] = ()
    """Of the sparse features of hierarchical rules."""
    edges: bool = False
    """Hierarchical rules have WordEdges too, with the word classes of the training text."""

    def is_sparse(self, kind: str) -> bool:
        """Whether models of this kind have sparse features."""
        return bool(self.rules or self.edges) if kind == "hiero" else bool(self.templates)

    def accepts_rules(self, names: Collection[str]) -> bool:
        """Whether templates of these names have all of the set for hierarchical rules."""
        own = {one.name for one in self.rules} | ({RuleEdges.name} if self.edges else set())
        return own <= set(names)

    def accepts(self, meta: Mapping[str, Any]) -> bool:
        """Whether features that were made so (`RuleFeatures.meta`) have all of this set."""
        made = [_kind(entry) for entry in meta.get("templates", [])]
        return all(_kind(one.describe()) in made for one in self.templates)


def _kind(entry: Mapping[str, Any]) -> tuple[str, bool]:
    return str(entry.get("template")), bool(entry.get("exact", False))


BOTH = ("phrase", "hiero")
_PENALTIES = ("phrase_penalty", "unknown")
_LISTS = (TargetUnaligned(), WordPair(), LengthBin())

FEATURE_SETS: Mapping[str, FeatureSet] = {
    one.name: one
    for one in (
        FeatureSet(
            "standard",
            "dense and a class-based language model: 16",
            language_models=2,
            kinds=BOTH,
        ),
        FeatureSet(
            "dense",
            "one table, one language model, reordering, all penalties: 15",
            kinds=BOTH,
        ),
        FeatureSet(
            "small",
            "4 of the table, language model, length, distortion: 7",
            reordering=False,
            unused=_PENALTIES,
        ),
        FeatureSet(
            "medium",
            "small, a second table and language model, reordering: 18",
            tables=2,
            language_models=2,
            unused=_PENALTIES,
        ),
        FeatureSet(
            "big",
            "medium and the sparse templates tgt_unal, count_bin, word_pair, length_bin",
            tables=2,
            language_models=2,
            templates=(*_LISTS, CountBin()),
            unused=_PENALTIES,
            kinds=BOTH,
            rules=(*_LISTS, RuleShape()),
        ),
        FeatureSet(
            "overfit",
            "big with every joint count its own count_bin (Figure 1)",
            tables=2,
            language_models=2,
            templates=(*_LISTS, CountBin(exact=True)),
            unused=_PENALTIES,
        ),
        FeatureSet(
            "rules",
            "of hiero models: standard and rule_id, src_ngram, shape (Simianer et al. 2012)",
            language_models=2,
            kinds=("hiero",),
            rules=(RuleId(), SourceNgrams(), RuleShape()),
        ),
        FeatureSet(
            "edges",
            "of hiero models: standard, rule_id and WordEdges (Yu et al. 2013)",
            language_models=2,
            kinds=("hiero",),
            rules=(RuleId(),),
            edges=True,
        ),
    )
}


def sets_of(kind: str) -> list[str]:
    """The sets that models of this kind may have."""
    return [one.name for one in FEATURE_SETS.values() if kind in one.kinds]


def feature_set(name: str) -> FeatureSet:
    """The set of that name.

    >>> feature_set("small").unused
    ('phrase_penalty', 'unknown')
    """
    if name not in FEATURE_SETS:
        raise OptionError(f"feature set '{name}', expected one of: {', '.join(FEATURE_SETS)}")
    return FEATURE_SETS[name]
