"""TER: equal to sacreBLEU, with its beam, its order of shifts and its limits."""

import random

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from reference.random_text import CORPORA
from reference.sacrebleu_stats import sacrebleu_stats
from tunesmith.metrics import Ter


def check_stats(ours, theirs, texts, ids, references):
    stats = ours.stats(texts, ids, ours.prepare(references), engine=2)
    expected = sacrebleu_stats(theirs, texts, ids, references)
    count = len(references)
    assert stats.tolist() == [[edits * count, round(length * count)] for edits, length in expected]


def test_equals_sacrebleu_on_an_nbest_list(nbest):
    ids, texts, references = nbest
    check_stats(Ter(), sacrebleu.TER(), texts[::3], ids[::3], references)


@pytest.mark.parametrize("options", [{}, {"normalized": True, "asian_support": True}])
@pytest.mark.parametrize("corpus", ["bible", "japanese"])
def test_equals_sacrebleu_on_raw_text(request, corpus, options):
    hypotheses, references = request.getfixturevalue(corpus)
    hypotheses, references = hypotheses[:12], [file[:12] for file in references]
    ours, theirs = Ter(**options), sacrebleu.TER(**options)
    check_stats(ours, theirs, hypotheses, range(len(hypotheses)), references)
    expected = theirs.corpus_score(hypotheses, references)
    assert ours.corpus_score(hypotheses, references) == pytest.approx(expected.score, abs=1e-6)
    assert ours.signature(len(references)) == str(theirs.get_signature())


@given(CORPORA, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_equals_sacrebleu_on_random_text(corpus, normalized, no_punct, asian, case):
    hypotheses, references = corpus
    options = {
        "normalized": normalized,
        "no_punct": no_punct,
        "asian_support": asian,
        "case_sensitive": case,
    }
    ours, theirs = Ter(**options), sacrebleu.TER(**options)
    expected = theirs.corpus_score(hypotheses, references)
    assert ours.corpus_score(hypotheses, references) == pytest.approx(expected.score, abs=1e-6)
    assert ours.signature(len(references)) == str(theirs.get_signature())
    gains = ours.sentence_gains(ours.stats(hypotheses, None, ours.prepare(references)))
    for gain, hypothesis, *refs in zip(gains, hypotheses, *references, strict=True):
        score = theirs.sentence_score(hypothesis, refs).score
        assert -100 * gain == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize(
    ("seed", "length", "words"),
    [
        (0, 24, 3),
        (0, 25, 3),
        (1, 26, 3),
        (0, 55, 30),
        *[
            pytest.param(seed, length, words, marks=pytest.mark.slow)
            for seed in range(3)
            for length in (55, 130)
            for words in (3, 30)
        ],
    ],
)
def test_long_and_shuffled(seed, length, words):
    """Around and beyond the beam, the limits of size and distance, and the number of tries."""
    chance = random.Random(seed)
    reference = [str(chance.randrange(words)) for _ in range(length)]
    texts = [" ".join(reference[:3]), "1", " ".join(chance.sample(reference, length))]
    for _ in range(2):
        hypothesis = reference[:]
        for _ in range(chance.randrange(6)):
            start, target = chance.randrange(length), chance.randrange(length)
            block = hypothesis[start : start + chance.randrange(1, 14)]
            del hypothesis[start : start + len(block)]
            hypothesis[target:target] = block
        hypothesis += ["x"] * chance.choice([0, 3, 60])
        texts.append(" ".join(hypothesis))
    check_stats(Ter(), sacrebleu.TER(), texts, [0] * len(texts), [[" ".join(reference)]])
