"""Pictures of explanations: valid, escaped, nothing over something else, in any script."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith.base.explanation import (
    ExplainedFeature,
    ExplainedStep,
    Explanation,
    FeatureDifference,
    differences,
)
from tunesmith.formats.pictures import derivation_svg
from tunesmith.formats.pictures.canvas import width

SVG = "{http://www.w3.org/2000/svg}"
FEATURES = tuple(
    ExplainedFeature(name, 1.0, adds, adds, True)
    for name, adds in [("lm", -4.25), ("word_penalty", 2.0), ("tm.p", -0.5), ("zero", 0.0)]
)


def phrase(source, target, begin, end, *, in_table=True):
    return ExplainedStep(source, target, (begin, end), in_table, 0.5 if in_table else None)


def explained(*steps, features=FEATURES, text=None, score=-2.75):
    target = " ".join(step.target for step in steps) if text is None else text
    return Explanation(0, "source", target, score, tuple(steps), features)


def boxes(picture):
    """(left, top, right, bottom) of all boxes with an edge, in the order of the file."""
    found = [one for one in ET.fromstring(picture).iter(f"{SVG}rect") if one.get("stroke")]
    places = [[float(one.get(name)) for name in ("x", "y", "width", "height")] for one in found]
    return [(x, y, x + w, y + h) for x, y, w, h in places]


def texts(picture):
    return [one.text for one in ET.fromstring(picture).iter(f"{SVG}text") if one.text]


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


GERMAN = explained(
    phrase("der Hund", "the dog", 0, 2), phrase("hat", "has", 2, 3), phrase("schläft", "", 4, 5),
    phrase("{x}", "{x}", 3, 4, in_table=False),
)  # fmt: skip


def test_phrases_of_both_sides_are_joined():
    picture = derivation_svg([(GERMAN, None)])
    assert texts(picture)[:12] == [
        "der Hund", "the dog", "p = 0.50", "hat", "has", "p = 0.50", "schläft", "∅", "p = 0.50",
        "{x}", "{x}", "not in the table",
    ]  # fmt: skip
    links = re.findall(r'<path d="M[\d.]+ [\d.]+ C', picture)
    assert len(links) == 4
    found = boxes(picture)
    assert len(found) == 8
    # Sources in their order, targets in theirs: the third step is the last word of the source.
    sources, targets = found[::2], found[1::2]
    assert sorted(range(4), key=lambda i: sources[i][0]) == [0, 1, 3, 2]
    assert sorted(range(4), key=lambda i: targets[i][0]) == [0, 1, 2, 3]
    assert picture.count("stroke-dasharray") == 2
    assert "score −2.75 = sum of weight × feature" in texts(picture)
    assert texts(picture)[-6:] == ["lm", "−4.25", "word_penalty", "+2.00", "tm.p", "−0.50"]


def test_the_difference_to_another_translation():
    other = explained(
        phrase("a", "the hound", 0, 2), score=-3.0,
        features=(ExplainedFeature("lm", 1.0, 1.0, -4.5, True),
                  ExplainedFeature("new", 1.0, 1.0, 1.5, False)),
    )  # fmt: skip
    assert differences(GERMAN, other)[:3] == [
        FeatureDifference("word_penalty", 2.0, 0.0, 2.0),
        FeatureDifference("new", 0.0, 1.5, -1.5),
        FeatureDifference("tm.p", -0.5, 0.0, -0.5),
    ]
    shown = texts(derivation_svg([(GERMAN, other)]))
    assert "the hound" in shown
    assert "score −2.75: 0.25 before this one, by these features" in shown
    assert shown[-8:] == [
        "word_penalty", "+2.00", "new", "−1.50", "tm.p", "−0.50", "lm", "+0.25",
    ]  # fmt: skip


def test_a_tree_has_its_parts_beneath_it():
    noun, name = phrase("Haus", "house", 2, 3), phrase("Anna", "Anna", 0, 1)
    inner = ExplainedStep("[1] hat", "[1] has", (0, 3), True, children=(name,))
    rule = ExplainedStep("[2] [1]", "[1] a [2]", (0, 4), True, 0.5, children=(inner, noun))
    picture = derivation_svg([(explained(rule, phrase(".", ".", 4, 5)), None)])
    found = boxes(picture)
    assert [texts(picture)[i : i + 2] for i in (0, 2)] == [["[2] [1]", "[1] a [2]"], ["[1]", "[2]"]]
    root, end, first, second, leaf = found
    assert root[1] == end[1] < first[1] == second[1] < leaf[1]
    assert first[0] < second[0]
    assert (leaf[0] + leaf[2]) / 2 == pytest.approx((first[0] + first[2]) / 2, abs=0.2)
    assert not any(overlap(a, b) for i, a in enumerate(found) for b in found[:i])


def test_words_from_right_to_left_stand_so():
    picture = derivation_svg(
        [(explained(phrase("this", "هذا", 0, 1), phrase("house", "البيت", 1, 2)), None)]
    )
    (this, here), (house, there) = boxes(picture)[:2], boxes(picture)[2:]
    assert this[0] < house[0]
    assert here[0] > there[0]
    assert 'direction="rtl"' in picture


def test_several_sentences_stand_one_under_the_other():
    one = boxes(derivation_svg([(GERMAN, None)]))
    both = boxes(derivation_svg([(GERMAN, None), (GERMAN, GERMAN)]))
    assert both[: len(one)] == one
    assert min(box[1] for box in both[len(one) :]) > max(box[3] for box in one)


def test_nothing_to_draw():
    picture = derivation_svg([(explained(features=(), score=0.0, text=""), None)])
    assert boxes(picture) == []
    ET.fromstring(derivation_svg([]))


WORDS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("<>&\"'字漢あ한안שלוםالبيتहिन्दीไทย\x00\x1b\ufffe🙂WWiil"),
    ),
    max_size=12,
)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=8), st.randoms())
@settings(max_examples=150)
def test_any_text_is_valid_and_boxes_do_not_overlap(pairs, chance):
    order = list(range(len(pairs)))
    chance.shuffle(order)
    steps = [
        phrase(source, target, place, place + 1)
        for (source, target), place in zip(pairs, order, strict=True)
    ]
    picture = derivation_svg([(explained(*steps), None)])
    root = ET.fromstring(picture)
    found = boxes(picture)
    assert not any(overlap(a, b) for i, a in enumerate(found) for b in found[:i])
    wide, high = float(root.get("width")), float(root.get("height"))
    assert all(x >= 0 and y >= 0 and r <= wide and b <= high for x, y, r, b in found)
    for (source, target), box in zip(pairs, found[::2], strict=True):
        assert width(source) < box[2] - box[0]
        del target


def test_widths_of_scripts():
    assert width("漢字") > 2 * 15
    assert width("e\u0301") == width("é")
    assert width("ill") < width("www")
