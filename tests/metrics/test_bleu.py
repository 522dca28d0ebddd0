"""BLEU: equal to sacreBLEU on real and on random text, and to a slow twin where it has no word."""

import lzma

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import OptionError
from tunesmith.metrics import Bleu


@pytest.fixture(scope="module")
def nbest(data):
    """Every 40th hypothesis of a real n-best list, with its sentence."""
    ids, texts = [], []
    with lzma.open(data / "nbest/moses-de-en/run1.nbest.xz", "rt", encoding="utf-8") as file:
        for line in list(file)[::40]:
            number, text = line.split(" ||| ")[:2]
            ids.append(int(number))
            texts.append(text)
    return np.array(ids, dtype=np.uint32), texts


@pytest.fixture(scope="module")
def references(data):
    return [(data / "nbest/moses-de-en/val.ref.en").read_text(encoding="utf-8").split("\n")[:-1]]


def sacrebleu_stats(metric, texts, ids, references):
    """sacreBLEU's statistics in our order."""
    cache = metric._cache_references(references)
    rows = [
        metric._compute_segment_statistics(metric._preprocess_segment(text), cache[i])
        for text, i in zip(texts, ids, strict=True)
    ]
    return [row[2:] + row[:2] for row in rows]


@pytest.mark.parametrize("tokenize", ["none", "13a", "intl", "char"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_equals_sacrebleu_on_real_text(nbest, references, tokenize, lowercase):
    ids, texts = nbest
    ours = Bleu(tokenize=tokenize, lowercase=lowercase)
    theirs = sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase)
    stats = ours.stats(texts, ids, ours.prepare(references))
    assert stats.tolist() == sacrebleu_stats(theirs, texts, ids, references)


# Few words, so that n-grams match; and all that str.split() takes for white space.
WORDS = st.sampled_from(["a", "b", "the", "1.5", "it's", "x-y", "Ä", "ΑΣ", "😀", "long" * 5])
SPACES = st.sampled_from([" ", "  ", "\t", "\u00a0", "\u2003", "\u3000", "\x1c", "\u2028", "\x85"])
TEXTS = st.one_of(
    st.lists(st.one_of(WORDS, SPACES), max_size=12).map(" ".join), st.text(max_size=20)
)
SEGMENTS = st.integers(1, 3).flatmap(
    lambda references: st.lists(
        st.tuples(TEXTS, st.tuples(*[TEXTS] * references)), min_size=1, max_size=4
    )
)


@given(
    SEGMENTS,
    st.sampled_from(["none", "13a"]),
    st.booleans(),
    st.integers(1, 6),
    st.sampled_from(
        [
            ("none", None),
            ("floor", None),
            ("floor", 0.01),
            ("add-k", None),
            ("add-k", 0.5),
            ("exp", None),
        ]
    ),
)
def test_equals_sacrebleu_on_random_text(segments, tokenize, lowercase, order, smoothing):
    hypotheses = [hypothesis for hypothesis, _ in segments]
    references = [list(file) for file in zip(*(refs for _, refs in segments), strict=True)]
    method, value = smoothing
    options = {"tokenize": tokenize, "lowercase": lowercase}
    ours = Bleu(order=order, smoothing=method, smoothing_value=value, **options)
    theirs = sacrebleu.BLEU(
        max_ngram_order=order, smooth_method=method, smooth_value=value, force=True, **options
    )
    expected = theirs.corpus_score(hypotheses, references)
    assert ours.corpus_score(hypotheses, references) == pytest.approx(expected.score, abs=1e-6)
    if order == 4:
        assert ours.signature(len(references)) == str(theirs.get_signature())

    by_sentence = sacrebleu.BLEU(
        max_ngram_order=order,
        smooth_method=method,
        smooth_value=value,
        force=True,
        effective_order=True,
        **options,
    )
    gains = ours.sentence_gains(ours.stats(hypotheses, None, ours.prepare(references)), "sacrebleu")
    for gain, hypothesis, *refs in zip(gains, hypotheses, *references, strict=True):
        score = by_sentence.sentence_score(hypothesis, refs).score
        assert 100 * gain == pytest.approx(score, abs=1e-6)


def test_unequal_references_are_refused():
    with pytest.raises(OptionError, match=r"^reference 1 has 2 sentences, but reference 2 has 1$"):
        Bleu().prepare([["a", "b"], ["a"]])
    with pytest.raises(OptionError, match=r"^reference 1 is not a string; every sentence needs one"):
        Bleu().prepare([["a", None]])
