"""Sparse features of rules: by template, ours or a user's, computed once when a model is made."""

from tunesmith.features.build import build_features, carry_features
from tunesmith.features.grammar_templates import GrammarTemplates
from tunesmith.features.lexical import LexicalFeatures, LexicalModel, SideClasses, word_type
from tunesmith.features.scfg_templates import (
    GrammarTemplate,
    PairNgrams,
    RuleEdges,
    RuleId,
    RuleShape,
    SourceNgrams,
    TargetNgrams,
)
from tunesmith.features.sets import FEATURE_SETS, FeatureSet, feature_set, sets_of
from tunesmith.features.store import RuleFeatures
from tunesmith.features.templates import (
    CountBin,
    LengthBin,
    RuleTemplate,
    TargetUnaligned,
    WordPair,
    template,
)
from tunesmith.features.user import UserTemplate, load_template

__all__ = [
    "FEATURE_SETS",
    "CountBin",
    "FeatureSet",
    "GrammarTemplate",
    "GrammarTemplates",
    "LengthBin",
    "LexicalFeatures",
    "LexicalModel",
    "PairNgrams",
    "RuleEdges",
    "RuleFeatures",
    "RuleId",
    "RuleShape",
    "RuleTemplate",
    "SideClasses",
    "SourceNgrams",
    "TargetNgrams",
    "TargetUnaligned",
    "UserTemplate",
    "WordPair",
    "build_features",
    "carry_features",
    "feature_set",
    "load_template",
    "sets_of",
    "template",
    "word_type",
]
