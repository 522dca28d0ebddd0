"""Explanations as text and JSON: of phrases, and of rules with gaps."""

import json

from tunesmith.base.explanation import (
    ExplainedFeature,
    ExplainedStep,
    ExplainedUnknown,
    Explanation,
)
from tunesmith.formats.explanations import explanation_json, explanation_text

FEATURES = (
    ExplainedFeature("lm", -4.0, 0.5, -2.0, True),
    ExplainedFeature("pair:a", 1.0, 0.0, 0.0, False),
    ExplainedFeature("distortion", 0.0, 0.25, 0.0, True),
    ExplainedFeature("pair:b", 1.0, 3.0, 3.0, False),
)
NOUN = ExplainedStep("Haus", "house", (2, 3), True, 0.75, 3.0, 4.0)
NAME = ExplainedStep("Anna", "Anna", (0, 1), False)


def test_phrases_follow_each_other():
    explanation = Explanation(7, "Anna Haus", "Anna house", 1.0, (NAME, NOUN), FEATURES)
    assert explanation_text(explanation).splitlines() == [
        "[7] Anna Haus",
        "  → Anna house",
        "  score 1.000",
        f"    {'Anna → Anna':<50} (not in the table)",
        f"    {'Haus → house':<50} p = 0.750, 3 of 4",
        "    feature                              value    weight      adds",
        "    pair:b                               1.000    3.0000     3.000",
        "    lm                                  -4.000    0.5000    -2.000",
        "    distortion                           0.000    0.2500     0.000",
        "    and 1 sparse features of weight 0",
    ]


def test_unknown_words_come_with_what_was_translated_for_them():
    unknown = (
        ExplainedUnknown("Korbs", "Korb", "inflection", (0, 1)),
        ExplainedUnknown("Anna", "Anna", "copied", (1, 2)),
    )
    explanation = Explanation(0, "Korb Anna", "basket Anna", 1.0, (NAME,), (), unknown)
    assert explanation_text(explanation).splitlines()[2:5] == [
        "  score 1.000",
        "  unknown: Korbs → Korb (inflection)",
        "  unknown: Anna, copied",
    ]
    assert json.loads(explanation_json(explanation))["unknown"][0] == {
        "source": "Korbs", "seen": "Korb", "reason": "inflection", "span": [0, 1],
    }  # fmt: skip


def test_what_stands_in_a_gap_is_beneath_its_rule():
    inner = ExplainedStep("[1] hat", "[1] has", (0, 3), True, children=(NAME,))
    rule = ExplainedStep("[2] [1]", "[1] a [2]", (0, 4), True, 0.5, children=(inner, NOUN))
    explanation = Explanation(0, "s", "t", 1.0, (rule, NOUN), ())
    assert [(depth, step.source) for depth, step in explanation.walk()] == [
        (0, "[2] [1]"), (1, "[1] hat"), (2, "Anna"), (1, "Haus"), (0, "Haus"),
    ]  # fmt: skip
    assert explanation_text(explanation).splitlines()[3:8] == [
        f"    {'[2] [1] → [1] a [2]':<50} p = 0.500",
        "      [1] hat → [1] has",
        f"    {'    Anna → Anna':<50} (not in the table)",
        f"    {'  Haus → house':<50} p = 0.750, 3 of 4",
        f"    {'Haus → house':<50} p = 0.750, 3 of 4",
    ]


def test_lexical_features_of_each_step():
    weights = {"a": 1.0, "b": -4.0, "c": 2.0, "d": 0.5}
    step = ExplainedStep("Haus", "house", (0, 1), True, features=weights)
    explanation = Explanation(0, "s", "t", 1.0, (step,), (), lexical_weight=0.5)
    assert explanation_text(explanation).splitlines()[5:] == [
        f"    {'lexical features':<62}      adds",
        f"    {'Haus → house':<62}   -0.2500",
        f"      {'b':<60}   -2.0000",
        f"      {'c':<60}    1.0000",
        f"      {'a':<60}    0.5000",
        "      and 1 others",
    ]


def test_json_has_everything():
    rule = ExplainedStep("[1] é", "[1]", (0, 4), True, 0.5, children=(NOUN,))
    explanation = Explanation(3, "s é", "t", 1.5, (rule,), FEATURES[:1], (), 0.25)
    text = explanation_json(explanation)
    assert "\n" not in text
    assert "é" in text
    noun = {"source": "Haus", "target": "house", "span": [2, 3], "in_table": True,
            "probability": 0.75, "together": 3.0, "seen": 4.0, "scores": {}, "features": {},
            "children": []}  # fmt: skip
    assert json.loads(text) == {
        "number": 3,
        "source": "s é",
        "translation": "t",
        "score": 1.5,
        "unknown": [],
        "steps": [{**noun, "source": "[1] é", "target": "[1]", "span": [0, 4], "probability": 0.5,
                   "together": 0.0, "seen": 0.0, "children": [noun]}],
        "features": [
            {"name": "lm", "value": -4.0, "weight": 0.5, "adds": -2.0, "dense": True}
        ],
        "lexical_weight": 0.25,
    }  # fmt: skip
