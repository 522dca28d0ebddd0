import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import oracle as slow
from reference.pools import random_pool
from tunesmith import _core
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.column import Column
from tunesmith.tune.oracle import greedy_oracle

BLEU = Bleu(tokenize="none")


@given(seed=st.integers(0, 10_000), lowest=st.booleans())
def test_greedy_search_equals_the_slow_twin(seed, lowest):
    pool = random_pool(seed)
    start = pool.best(np.random.default_rng(seed).normal(size=len(pool.names)))
    rows = _core.greedy_oracle(pool.native, BLEU.gain, start, lowest, 2)
    assert rows.tolist() == slow.greedy_oracle(pool, BLEU.gain, start, lowest=lowest)


@given(seed=st.integers(0, 10_000), worst=st.booleans())
def test_between_every_single_choice_and_the_true_oracle(seed, worst):
    pool = random_pool(seed, sentences=3, hypotheses=5)
    sign = -1 if worst else 1
    found = sign * greedy_oracle(pool, BLEU, worst=worst).score
    bound = sign * 100 * slow.exhaustive_oracle(pool, BLEU.gain, lowest=worst)
    assert found <= bound + 1e-9
    first = sign * BLEU.score(pool.stats_of(pool.offsets[:-1]))
    from_first = greedy_oracle(pool, BLEU, pool.offsets[:-1].copy(), worst=worst)
    assert sign * from_first.score >= first - 1e-9


@given(seed=st.integers(0, 10_000), worst=st.booleans())
def test_exact_for_means_over_sentences(seed, worst):
    pool = random_pool(seed, sentences=4, hypotheses=4)
    values = np.random.default_rng(seed).integers(-9, 10, size=pool.rows)
    stats = np.column_stack([values, np.ones(pool.rows)]).astype(np.int32)
    pool = dataclasses.replace(pool, stats=stats)
    metric = Column("x")
    found = greedy_oracle(pool, metric, worst=worst).score
    assert found == metric.score(
        [slow.exhaustive_oracle(pool, lambda sums: sums[0], lowest=worst), pool.sentences]
    )


def test_a_row_of_another_sentence_is_refused():
    pool = random_pool(1, sentences=2)
    with pytest.raises(ValueError, match="outside its sentence"):
        greedy_oracle(pool, BLEU, np.array([0, 0]))
