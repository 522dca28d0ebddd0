"""Derivations in words: phrases as the search gives them, and a tree as a chart would."""

import pytest

from reference.tiny_models import random_model
from reference.tiny_text_model import text_model
from tunesmith.base.derivation import Derivation, DerivationStep
from tunesmith.decode import open_decoder
from tunesmith.decode.explaining import explain
from tunesmith.decode.sentence import SourceSentence
from tunesmith.decode.translate import Translator


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    return open_decoder(random_model(3, tmp_path_factory.mktemp("m") / "m")[0], engine=1)


def test_the_phrases_of_a_search(decoder):
    block = next(Translator(decoder, pretokenised=True).stream(["b a", "a b c zzz"]))
    derivation, explanation = block.output.derivation(1), block.explanation(1)
    assert explanation.number == 1
    assert explanation.source == "a b c zzz"
    assert explanation.translation == derivation.text == block.texts[1]
    assert explanation.score == derivation.score
    target = derivation.text.split(" ")
    assert " ".join(step.target for step in explanation.steps if step.target) == " ".join(target)
    covered = sorted(step.span for step in explanation.steps)
    assert [covered[0][0], covered[-1][1]] == [0, 4]
    by_source = sorted(explanation.steps, key=lambda step: step.span)
    assert " ".join(step.source for step in by_source) == "a b c zzz"
    assert [step.in_table for step in by_source][-1] is False
    weights = decoder.model.weights
    assert {one.name: one.adds for one in explanation.features} == derivation.contributions(weights)
    assert all(one.dense == (one.name in decoder.names) for one in explanation.features)
    assert explanation.lexical_weight is None


@pytest.mark.parametrize("kind", ["phrase", "hiero"])
def test_unknown_words_and_what_was_translated_for_them(kind, tmp_path):
    lines = ["Der Hundhütte und Xaver.", "Das {x} der Quarkse vor der Hund-Hütte!", "Das Haus"]
    block = next(Translator(text_model(tmp_path / "m", kind)).stream(lines))
    found = [block.explanation(number).unknown for number in range(3)]
    assert [[(one.source, one.seen, one.reason) for one in unknown] for unknown in found] == [
        [("Hundhütte", "Hund Hütte", "compound"), ("Xaver", "Xaver", "copied")],
        [("Quarkse", "Quarkse", "copied"), ("Hund-Hütte", "Hund Hütte", "compound")],
        [],
    ]
    for number, unknown in enumerate(found):
        words = block.explanation(number).source.split(" ")
        assert [" ".join(words[slice(*one.span)]) for one in unknown] == [
            one.seen for one in unknown
        ]


def test_a_tree_of_rules_with_gaps(decoder):
    """X → ⟨X1 b X2, X2 w X1⟩ over «a b c d»; the second gap is filled first in the translation."""
    last = DerivationStep(2, 4, 0, 1, 0, -1)
    first = DerivationStep(0, 1, 2, 4, 0, -1)
    rule = DerivationStep(0, 4, 0, 4, 0, -1, (last, first))
    derivation = Derivation("u w x y", -1.0, {}, (rule,))
    sentence = SourceSentence(["a", "b", "c", "d"])
    [found] = explain(derivation, decoder, decoder.model.weights, sentence, "U w x y.").steps
    assert (found.source, found.target) == ("[2] b [1]", "[1] w [2]")
    assert [(one.source, one.target) for one in found.children] == [("c d", "u"), ("a", "x y")]
