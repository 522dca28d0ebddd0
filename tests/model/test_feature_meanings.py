"""What features are said to mean: all that our own models have."""

import pytest

from tunesmith import _core
from tunesmith.grammar.extraction import reordering_names
from tunesmith.model.feature_meanings import feature_meaning
from tunesmith.model.layer import LAYER_FEATURES


def test_all_features_have_a_meaning():
    reordering = [
        f"reorder.{name}"
        for classes in ("msd", "mslr")
        for name in reordering_names("bidirectional", classes)
    ]
    rules = [f"tm.{name}" for name in _core.HieroExtractor.feature_names()]
    plain = [*_core.plain_features(), *_core.plain_chart_features(), *LAYER_FEATURES]
    others = ["lm", "lm2", "lm_unknown", "lm4", "arc", "arc2", "lexical", "tm.lex_f_given_e"]
    names = [*reordering, *rules, *plain, *others]
    assert [name for name in names if not feature_meaning(name)] == []
    assert len({feature_meaning(name) for name in reordering}) == len(set(reordering))


@pytest.mark.parametrize("name", ["", "own", "tm.own", "reorder", "lmx"])
def test_what_is_not_known_is_not_explained(name):
    assert feature_meaning(name) == ""


def test_second_tables_are_told_apart():
    assert feature_meaning("tm2.p_e_given_f").startswith("second table: ")
    assert feature_meaning("lm3").startswith("third language model")
