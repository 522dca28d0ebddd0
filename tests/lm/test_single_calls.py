"""A sentence alone is cut into pieces; its scores are those that it has among others."""

import functools
import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import OptionError
from tunesmith.lm import KneserNey, NgramLM

WORDS = "abcdefgh"
TEXT = ["a b c d e f g h a b c d", "b a d c f e h g", "a a b b c c d d", "h g f e d c b a b c"]


@functools.cache
def model(order, classes=False):
    given = {word: f"C{i // 3}" for i, word in enumerate(WORDS)} if classes else None
    return KneserNey(order=order, classes=given).fit(TEXT * 3).model()


sentences = st.lists(st.sampled_from([*WORDS, "zzz"]), max_size=70).map(" ".join)


@given(
    order=st.integers(1, 6),
    classes=st.booleans(),
    sentence=sentences,
    begin=st.booleans(),
    end=st.booleans(),
)
def test_alone_as_among_others(order, classes, sentence, begin, end):
    lm = model(order, classes)
    assert lm.score(sentence, begin=begin, end=end) == lm.scores([sentence], begin=begin, end=end)
    together = lm.word_scores([sentence], begin=begin, end=end)
    assert lm.full_scores(sentence, begin=begin, end=end) == list(
        zip(
            together.log10.tolist(),
            together.length.tolist(),
            (together.words == 0).tolist(),
            strict=True,
        )
    )


def test_a_sentence_longer_than_a_piece_of_work():
    lm = model(4)
    sentence = " ".join(WORDS[i * i % 7] for i in range(20_000))
    assert lm.score(sentence) == lm.scores([sentence])[0]


def test_words_have_names():
    scored = model(3).full_scores("a zzz")
    assert [word.oov for word in scored] == [False, True, False]
    assert scored[0]._replace(length=9) == (scored[0].log10, 9, False)
    assert all(type(word) is type(scored[0]) for word in scored)
    assert type(scored[0]).__name__ == "WordScore"
    gc.collect()
    assert scored[0].log10 < 0


@pytest.mark.parametrize("sentence", [b"a", ["a"], 3])
def test_what_is_no_sentence_is_refused(sentence):
    lm = NgramLM.fit(TEXT, order=2)
    for call in (lm.score, lm.full_scores):
        with pytest.raises(OptionError, match="line 1 is not a string"):
            call(sentence)


def test_half_a_character_is_refused():
    with pytest.raises(OptionError, match="line 1 has a lone surrogate"):
        model(2).score("a \udcff")
