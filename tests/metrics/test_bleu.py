"""BLEU: equal to sacreBLEU on real and random text, and to a slow twin where that has no word."""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from reference.bleu import (
    add_1_bleu,
    bleu_stats,
    interpolated_bleu,
    longer_add_1_bleu,
    plain_bleu,
)
from reference.random_text import CORPORA
from reference.sacrebleu_stats import sacrebleu_stats
from tunesmith.base.errors import OptionError
from tunesmith.metrics import Bleu


def in_our_order(rows):
    return [row[2:] + row[:2] for row in rows]


@pytest.mark.parametrize("tokenize", ["none", "13a", "intl", "char", "zh"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_equals_sacrebleu_on_an_nbest_list(nbest, tokenize, lowercase):
    ids, texts, references = nbest
    ours = Bleu(tokenize=tokenize, lowercase=lowercase)
    theirs = sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase)
    stats = ours.stats(texts, ids, ours.prepare(references), engine=2)
    assert stats.tolist() == in_our_order(sacrebleu_stats(theirs, texts, ids, references))


@pytest.mark.parametrize("corpus", ["bible", "japanese"])
@pytest.mark.parametrize("tokenize", ["13a", "zh"])
def test_equals_sacrebleu_on_raw_text(request, corpus, tokenize):
    hypotheses, references = request.getfixturevalue(corpus)
    theirs = sacrebleu.BLEU(tokenize=tokenize)
    score = Bleu(tokenize=tokenize).corpus_score(hypotheses, references)
    assert score == pytest.approx(theirs.corpus_score(hypotheses, references).score, abs=1e-6)


SMOOTHINGS = [
    ("none", None),
    ("floor", None),
    ("floor", 0.01),
    ("add-k", None),
    ("add-k", 0.5),
    ("exp", None),
]


@given(
    CORPORA,
    st.sampled_from(["none", "13a"]),
    st.booleans(),
    st.integers(1, 6),
    st.sampled_from(SMOOTHINGS),
)
def test_equals_sacrebleu_on_random_text(corpus, tokenize, lowercase, order, smoothing):
    hypotheses, references = corpus
    method, value = smoothing
    options = {"tokenize": tokenize, "lowercase": lowercase}
    ours = Bleu(order=order, smoothing=method, smoothing_value=value, **options)
    options |= {"smooth_method": method, "smooth_value": value, "max_ngram_order": order}
    theirs = sacrebleu.BLEU(force=True, **options)
    expected = theirs.corpus_score(hypotheses, references)
    assert ours.corpus_score(hypotheses, references) == pytest.approx(expected.score, abs=1e-6)
    if order == 4:
        assert ours.signature(len(references)) == str(theirs.get_signature())

    by_sentence = sacrebleu.BLEU(effective_order=True, **options)
    stats = ours.stats(hypotheses, None, ours.prepare(references))
    gains = ours.sentence_gains(stats, "sacrebleu")
    for gain, hypothesis, *refs in zip(gains, hypotheses, *references, strict=True):
        score = by_sentence.sentence_score(hypothesis, refs).score
        assert 100 * gain == pytest.approx(score, abs=1e-6)


@given(CORPORA, st.integers(1, 5), st.sampled_from(["closest", "shortest", "average"]))
def test_equals_the_twin(corpus, order, length):
    hypotheses, references = corpus
    bleu = Bleu(order=order, tokenize="none", smoothing="none", reference_length=length)
    stats = bleu.stats(hypotheses, None, bleu.prepare(references))
    twins = [
        bleu_stats(hypothesis, refs, order, length)
        for hypothesis, *refs in zip(hypotheses, *references, strict=True)
    ]
    assert stats[:, : 2 * order].tolist() == [matches + totals for matches, totals, _, _ in twins]
    whole = len(references) if length == "average" else 1
    assert stats[:, 2 * order :].tolist() == [[own * whole, ref * whole] for *_, own, ref in twins]

    kinds = {
        "add-1": add_1_bleu,
        "add-1-longer": longer_add_1_bleu,
        "interpolated": interpolated_bleu,
    }
    for kind, function in kinds.items():
        expected = [function(*twin) for twin in twins]
        assert bleu.sentence_gains(stats, kind) == pytest.approx(expected, abs=1e-9)
    sums = stats.sum(axis=0)
    corpus = plain_bleu(
        sums[:order].tolist(), sums[order : 2 * order].tolist(), *map(int, sums[2 * order :])
    )
    assert bleu.score(sums) == pytest.approx(100 * corpus, abs=1e-9)


@given(CORPORA, st.floats(0.0, 5.0))
def test_pseudo_corpus_and_substitution(corpus, weight):
    hypotheses, references = corpus
    bleu = Bleu(tokenize="none")
    stats = bleu.stats(hypotheses, None, bleu.prepare(references))
    background = weight * np.ones(bleu.size)
    assert bleu.sentence_gains(stats, "pseudo-corpus", background=background) == pytest.approx(
        [bleu.gain(background + row) for row in stats], abs=1e-12
    )
    # Every hypothesis in the place of every sentence's choice.
    count = len(stats)
    rows = np.repeat(stats, count, axis=0)
    sentences = np.tile(np.arange(count), count)
    expected = [
        bleu.gain((stats.sum(axis=0) - stats[s] + row).astype(np.float64))
        for row, s in zip(rows, sentences, strict=True)
    ]
    gains = bleu.sentence_gains(rows, "substitution", sentence_ids=sentences, chosen=stats)
    assert gains == pytest.approx(expected, abs=1e-12)


def test_signature_says_what_sacrebleu_cannot():
    assert (
        "|order:2|reflen:average (not sacreBLEU's)|"
        in Bleu(order=2, reference_length="average").signature()
    )


def test_threads_change_nothing(nbest):
    ids, texts, references = nbest
    bleu = Bleu(lowercase=True)
    prepared = bleu.prepare(references)
    one = bleu.stats(texts, ids, prepared, engine=1)
    assert np.array_equal(one, bleu.stats(texts, ids, prepared, engine=3))
    gains = bleu.sentence_gains(one, engine=1)
    assert gains.tobytes() == bleu.sentence_gains(one, engine=3).tobytes()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Bleu().prepare([]), "no references"),
        (
            lambda: Bleu().prepare([["a", "b"], ["a"]]),
            "reference 1 has 2 sentences, but reference 2 has 1",
        ),
        (
            lambda: Bleu().prepare([["a", None]]),
            "reference 1 is not a string; every sentence needs one in every file",
        ),
        (
            lambda: Bleu().prepare([["a\ud800"]]),
            "reference 0 cannot be written as UTF-8 (a lone surrogate)",
        ),
        (
            lambda: Bleu().stats(["a"], [1], Bleu().prepare([["a"]])),
            "hypothesis 0 belongs to sentence 1, but there are references for 1 sentences only",
        ),
        (
            lambda: Bleu().stats(["a"], None, Bleu().prepare([["a", "b"]])),
            "1 hypotheses, but references for 2 sentences; give sentence_ids, or one hypothesis "
            "per sentence",
        ),
        (
            lambda: Bleu().sentence_gains(np.zeros((1, 3), np.int32)),
            "there are 3 statistics a hypothesis, expected 10",
        ),
        (
            lambda: Bleu().sentence_gains(np.zeros((1, 10), np.int32), "plus"),
            "no sentence-level 'plus' for bleu, expected add-1, add-1-longer, interpolated, "
            "sacrebleu, pseudo-corpus, substitution",
        ),
        (lambda: Bleu(order=0), "the order of BLEU is 0, expected 1 to 64"),
        (lambda: Bleu(smoothing="x"), "no smoothing 'x', expected one of exp, floor, add-k, none"),
        (
            lambda: Bleu(reference_length="longest"),
            "no reference length 'longest', expected one of closest, shortest, average",
        ),
        (
            lambda: Bleu(tokenize="14a"),
            "no tokeniser '14a', expected one of none, 13a, char, flores101, flores200, intl, "
            "ja-mecab, ko-mecab, spBLEU-1K, zh",
        ),
    ],
)
def test_refused(call, message):
    with pytest.raises(OptionError) as error:
        call()
    assert str(error.value) == message
