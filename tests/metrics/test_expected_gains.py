"""Expected scores of the texts of lists, against sacreBLEU's sentence scores of single pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

from reference.consensus import aggregated_bleu, aggregated_chrf, expected_score
from tunesmith.base.errors import OptionError
from tunesmith.formats.nbest import Texts
from tunesmith.metrics import parse_metric

WORDS = ["a", "b", "cat", "sat", ".", "Straße", "it's"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
LISTS = st.lists(st.lists(TEXTS, max_size=6), min_size=1, max_size=3)

SACREBLEU = {
    "bleu": BLEU(tokenize="none", effective_order=True),
    "chrf": CHRF(),
    "chrf++": CHRF(word_order=2),
    "ter": TER(),
}


def gains(name, lists, weights=None, **options):
    """Ours: one array over all lists."""
    metric = parse_metric(name, tokenize=options.pop("tokenize", "none"))
    texts = Texts.of([text for one in lists for text in one])
    offsets = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    if weights is None:
        weights = [1 / len(one) for one in lists for _ in one]
    return metric.expected_gains(
        texts.data, texts.offsets, offsets, np.array(weights, dtype=np.float64), **options
    )


@pytest.mark.parametrize("name", SACREBLEU)
@settings(deadline=None, max_examples=60)
@given(lists=LISTS)
def test_every_pair_counts_with_its_weight(name, lists):
    scorer = SACREBLEU[name]
    sign = -1 if name == "ter" else 1
    weights = [(1 + i) / sum(range(1, len(one) + 1)) for one in lists for i in range(len(one))]
    expected, rest = [], list(weights)
    for one in lists:
        own, rest = rest[: len(one)], rest[len(one) :]
        expected += [sign * expected_score(scorer, text, one, own) for text in one]
    assert 100 * gains(name, lists, weights) == pytest.approx(expected, abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(lists=LISTS)
def test_the_average_reference_has_average_counts(lists):
    for name, twin in (("bleu", aggregated_bleu), ("chrf", aggregated_chrf)):
        expected = [twin(text, one) for one in lists for text in one]
        assert 100 * gains(name, lists, aggregate=True) == pytest.approx(expected, abs=1e-9)


def test_tokenisers_count_as_in_sacrebleu():
    texts = ["It's 3.5%, really.", "It's 3%, really!", "Its 3.5 %"]
    scorer = BLEU(effective_order=True)
    expected = [expected_score(scorer, text, texts, [1 / 3] * 3) for text in texts]
    assert 100 * gains("bleu", [texts], tokenize="13a") == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
def test_threads_change_nothing(name):
    chance = np.random.default_rng(1)
    lists = [
        [" ".join(chance.choice(WORDS, size=chance.integers(0, 12))) for _ in range(size)]
        for size in chance.integers(0, 20, size=30)
    ]
    one, many = (gains(name, lists, engine=threads) for threads in (1, 3))
    assert one.tobytes() == many.tobytes()


def test_what_has_no_average_is_refused():
    with pytest.raises(OptionError, match="no average of references for ter, expected bleu, chrf"):
        gains("ter", [["a"]], aggregate=True)


def test_bad_arrays_are_refused():
    with pytest.raises(OptionError, match="1 weights of 2 texts"):
        gains("bleu", [["a", "b"]], [1.0])
    texts = Texts.of(["a"])
    for offsets in ([0, 2], [1, 1], [0, 1, 0], []):
        with pytest.raises(OptionError, match="do not fit"):
            parse_metric("bleu").expected_gains(
                texts.data, texts.offsets, np.array(offsets, dtype=np.int64), np.ones(1)
            )
