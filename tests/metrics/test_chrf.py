"""chrF and chrF++: equal to sacreBLEU on real and random text."""

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from reference.random_text import CORPORA
from reference.sacrebleu_stats import sacrebleu_stats
from tunesmith.base.errors import OptionError
from tunesmith.metrics import ChrF


@pytest.mark.parametrize("word_order", [0, 2])
def test_equals_sacrebleu_on_an_nbest_list(nbest, word_order):
    ids, texts, references = nbest
    ours, theirs = ChrF(word_order=word_order), sacrebleu.CHRF(word_order=word_order)
    stats = ours.stats(texts, ids, ours.prepare(references), engine=2)
    assert stats.tolist() == sacrebleu_stats(theirs, texts, ids, references)


@pytest.mark.parametrize("corpus", ["bible", "japanese"])
@pytest.mark.parametrize("word_order", [0, 2])
def test_equals_sacrebleu_on_raw_text(request, corpus, word_order):
    hypotheses, references = request.getfixturevalue(corpus)
    ours, theirs = ChrF(word_order=word_order), sacrebleu.CHRF(word_order=word_order)
    numbers = range(len(hypotheses))
    stats = ours.stats(hypotheses, None, ours.prepare(references))
    assert stats.tolist() == sacrebleu_stats(theirs, hypotheses, numbers, references)
    expected = theirs.corpus_score(hypotheses, references)
    assert ours.score(stats.sum(axis=0)) == pytest.approx(expected.score, abs=1e-6)
    assert ours.signature(len(references)) == str(theirs.get_signature())


@given(
    CORPORA,
    st.integers(1, 7),
    st.integers(0, 3),
    st.sampled_from([1, 2, 3]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_equals_sacrebleu_on_random_text(corpus, chars, words, beta, lower, space, eps):
    hypotheses, references = corpus
    options = {
        "char_order": chars,
        "word_order": words,
        "beta": beta,
        "lowercase": lower,
        "whitespace": space,
        "eps_smoothing": eps,
    }
    ours, theirs = ChrF(**options), sacrebleu.CHRF(**options)
    numbers = range(len(hypotheses))
    stats = ours.stats(hypotheses, None, ours.prepare(references))
    assert stats.tolist() == sacrebleu_stats(theirs, hypotheses, numbers, references)
    expected = theirs.corpus_score(hypotheses, references)
    assert ours.score(stats.sum(axis=0)) == pytest.approx(expected.score, abs=1e-6)
    signature = str(theirs.get_signature())
    assert ours.signature(len(references)).replace(f"beta:{beta}|", "") == signature
    for gain, hypothesis, *refs in zip(
        ours.sentence_gains(stats), hypotheses, *references, strict=True
    ):
        score = theirs.sentence_score(hypothesis, refs).score
        assert 100 * gain == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"char_order": 0}, "the character order is 0, expected 1 to 64"),
        ({"word_order": 65}, "the word order is 65, expected 0 to 64"),
        ({"beta": 0}, "beta is 0, expected 1 or more"),
    ],
)
def test_refused(options, message):
    with pytest.raises(OptionError) as error:
        ChrF(**options)
    assert str(error.value) == message
