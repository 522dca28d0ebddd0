"""Gains in standard units, and sizes of features, by hand."""

import dataclasses

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.metrics import Bleu
from tunesmith.tune.gains import costs_of, spread_within, standard_gains
from tunesmith.tune.scaling import feature_scale, feature_spread

BLEU = Bleu(tokenize="none")


def by_hand(pool, values):
    parts = np.split(values, pool.offsets[1:-1])
    return np.sqrt(sum(((part - part.mean()) ** 2).sum() for part in parts) / pool.rows)


def test_spread_is_the_deviation_within_sentences():
    pool = random_pool(2, sentences=9, hypotheses=7)
    values = np.random.default_rng(1).normal(size=pool.rows)
    shift = np.repeat(np.arange(9) * 100.0, np.diff(pool.offsets))  # between sentences: no matter
    assert spread_within(pool, values + shift) == pytest.approx(by_hand(pool, values))
    assert spread_within(pool, shift) == 1.0
    assert spread_within(pool, np.zeros(pool.rows)) == 1.0
    # Specks of rounding are none, small values are some.
    assert spread_within(pool, 1e9 + 1e-6 * values) == 1.0
    assert spread_within(pool, 1e-9 * values) == pytest.approx(1e-9 * by_hand(pool, values))


def test_standard_gains_have_a_spread_of_1():
    pool = random_pool(2, sentences=9, hypotheses=7)
    for kind in ("", *BLEU.sentence_kinds):
        gains = standard_gains(pool, BLEU, kind)
        raw = BLEU.sentence_gains(pool.stats, kind or None)
        assert gains == pytest.approx(raw / by_hand(pool, raw))
    costs = costs_of(pool, gains)
    for begin, end in zip(pool.offsets, pool.offsets[1:], strict=False):
        assert costs[begin:end] == pytest.approx(gains[begin:end].max() - gains[begin:end])


def test_sizes_of_features():
    pool = random_pool(3, sentences=9, hypotheses=7, dense=3, sparse=4)
    dense = pool.dense.copy()
    dense[:, 1] = 5.0
    dense[:, 2] = np.repeat(np.arange(9), np.diff(pool.offsets))
    pool = dataclasses.replace(pool, dense=dense)
    spread = feature_spread(pool)
    assert spread[0] == pytest.approx(by_hand(pool, dense[:, 0].astype(float)), rel=1e-5)
    assert spread[1:3].tolist() == [0.0, 0.0]
    values = pool.sparse_values.astype(float)
    assert spread[3:] == pytest.approx([np.sqrt((values**2).mean())] * 4)
    assert feature_scale(pool).tolist() == [spread[0], 1.0, 1.0, *spread[3:]]


def test_sizes_of_features_in_other_lists():
    pool = random_pool(3, sentences=9, hypotheses=7, dense=3, sparse=4)
    other = random_pool(4, sentences=5, hypotheses=9, dense=3, sparse=4)
    turned = dataclasses.replace(
        other, dense=other.dense[:, ::-1].copy(), dense_names=other.dense_names[::-1]
    )
    scale = feature_scale(pool, measured_on=turned)
    assert scale.tolist() == feature_scale(other).tolist()
    few = random_pool(5, sentences=5, hypotheses=9, dense=2, sparse=0)
    # A feature that the other lists do not have keeps its size.
    assert feature_scale(pool, measured_on=few).tolist() == [*feature_scale(few), *[1.0] * 5]
