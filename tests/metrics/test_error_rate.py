"""WER and CER: equal to jiwer."""

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.random_text import CORPORA
from tunesmith.metrics import Cer, Wer

PAIRS = [(Wer, jiwer.wer), (Cer, jiwer.cer)]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_equals_jiwer_on_an_nbest_list(nbest, ours, theirs):
    ids, texts, references = nbest
    stats = ours().stats(texts, ids, ours().prepare(references), engine=2)
    expected = theirs([references[0][i] for i in ids], texts)
    assert ours().score(stats.sum(axis=0)) == pytest.approx(100 * expected, abs=1e-6)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_equals_jiwer_on_long_raw_text(bible, ours, theirs):
    """Verses have several hundred characters: several blocks of bits."""
    hypotheses, references = bible
    gains = ours().sentence_gains(
        ours().stats(hypotheses, None, ours().prepare(references[:1])), engine=2
    )
    for gain, hypothesis, reference in zip(gains, hypotheses, references[0], strict=True):
        assert -gain == pytest.approx(theirs(reference, hypothesis), abs=1e-6)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
@given(corpus=CORPORA)
def test_equals_jiwer_on_random_text(corpus, ours, theirs):
    hypotheses, references = corpus
    metric, reference = ours(), references[0]
    expected = theirs(reference, hypotheses)
    assert metric.corpus_score(hypotheses, [reference]) == pytest.approx(100 * expected, abs=1e-6)
    gains = metric.sentence_gains(metric.stats(hypotheses, None, metric.prepare([reference])))
    for gain, hypothesis, text in zip(gains, hypotheses, reference, strict=True):
        assert -gain == pytest.approx(theirs(text, hypothesis), abs=1e-6)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
@given(corpus=CORPORA, lowercase=st.booleans())
def test_of_several_references_the_one_with_fewest_errors(corpus, lowercase, ours, theirs):
    hypotheses, references = corpus
    metric = ours(lowercase=lowercase)
    stats = metric.stats(hypotheses, None, metric.prepare(references))
    alone = np.stack(
        [metric.stats(hypotheses, None, metric.prepare([file])) for file in references]
    )
    for row, rows in zip(stats.tolist(), alone.transpose(1, 0, 2).tolist(), strict=True):
        assert row == min(rows, key=lambda pair: (pair[0], -pair[1]))
    if lowercase:
        lower = [text.lower() for text in hypotheses]
        expected = theirs([text.lower() for text in references[0]], lower)
        alone = metric.corpus_score(hypotheses, references[:1])
        assert alone == pytest.approx(100 * expected, abs=1e-6)
