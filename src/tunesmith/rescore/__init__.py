"""Features of whole translations: computed from the texts of n-best lists and their sources."""

from tunesmith.rescore.adding import add_features
from tunesmith.rescore.base import ListFeature, Lists
from tunesmith.rescore.registry import FEATURES, feature_class, parse_feature
from tunesmith.rescore.store import keep_features, kept_features

__all__ = [
    "FEATURES",
    "ListFeature",
    "Lists",
    "add_features",
    "feature_class",
    "keep_features",
    "kept_features",
    "parse_feature",
]
