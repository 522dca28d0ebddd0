"""Cross-entropy differences against their definition, sentence by sentence."""

import math

import numpy as np
import pytest

from tunesmith.lm import NgramLM
from tunesmith.lm.selection import differences, entropy_difference

CATS = ["the cat sleeps", "a cat sleeps here", "the cat eats fish", "a fish swims"] * 5
CARS = ["the car is fast", "a fast car", "the road is long", "a car on the road"] * 5


def entropy(model, others, line):
    """Of a line by one of two models; a new word has its part of what is left for such words."""
    spellings = [
        {one.native.spelling(i) for i in range(one.native.vocabulary_size)}
        for one in (model, *others)
    ]
    share = len(set.union(*spellings)) - len(spellings[0]) + 1
    logs = [
        word.log10 * math.log(10) - (math.log(share) if word.oov else 0.0)
        for word in model.full_scores(line)
    ]
    return -sum(logs) / len(logs)


def test_the_difference_is_that_of_two_entropies_per_word():
    cats, cars = (NgramLM.fit(text, order=2) for text in (CATS, CARS))
    lines = ["the cat sleeps", "the fast car", "a zebra", ""]
    expected = [entropy(cats, [cars], line) - entropy(cars, [cats], line) for line in lines]
    found = entropy_difference(cats, cars, lines, engine=1)
    assert found == pytest.approx(expected, rel=1e-5)
    assert found[0] < 0 < found[1]
    assert entropy_difference(cats, cars, [], engine=1).tolist() == []


@pytest.mark.parametrize("block", [4, 1000])
def test_a_text_is_judged_by_models_of_its_other_half(monkeypatch, block):
    monkeypatch.setattr("tunesmith.corpus.sentences.BLOCK_LINES", block)
    cats, text = NgramLM.fit(CATS, order=2), [*CARS[:9], *CATS[:7], "a cat"]
    words = sum(len(line.split()) for line in text)
    found = differences(cats, lambda: iter(text), words=words, sample=words, order=2, engine=1)
    halves = [NgramLM.fit(text[half::2], order=2) for half in (0, 1)]
    expected = [
        entropy_difference(cats, halves[1 - number % 2], [line], engine=1)[0]
        for number, line in enumerate(text)
    ]
    assert found == pytest.approx(expected)


def test_a_sample_has_about_as_many_words_as_asked(monkeypatch):
    seen = []
    own = NgramLM.fit(CATS, order=1)

    class Method:
        def __init__(self, **options):
            pass

        def fit(self, lines):
            seen.append(list(lines))
            return self

        def model(self):
            return own

    monkeypatch.setattr("tunesmith.lm.selection.KneserNey", Method)
    text = [f"line {i}" for i in range(100)]
    scores = differences(own, lambda: iter(text), words=200, sample=25, order=1, engine=1)
    # A quarter of either half, none of them of both.
    assert seen == [text[0::8], text[1::8]]
    assert np.all(scores == 0)
