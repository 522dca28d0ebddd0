import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.pools import random_pool
from tunesmith.base.pool import KBestPool


@given(seed=st.integers(0, 10_000), threads=st.sampled_from([1, 2]))
def test_scores_and_best_equal_plain_python(seed, threads):
    pool = random_pool(seed)
    weights = np.random.default_rng(seed).normal(size=len(pool.names))
    features = np.zeros((pool.rows, len(pool.names)))
    features[:, : len(pool.dense_names)] = pool.dense
    for row in range(pool.rows):
        for i in range(pool.sparse_offsets[row], pool.sparse_offsets[row + 1]):
            features[row, len(pool.dense_names) + pool.sparse_ids[i]] += pool.sparse_values[i]
    np.testing.assert_allclose(pool.scores(weights, threads=threads), features @ weights)
    best = pool.best(weights, threads=threads)
    for s in range(pool.sentences):
        rows = range(pool.offsets[s], pool.offsets[s + 1])
        assert best[s] in rows
        assert features[best[s]] @ weights == pytest.approx(
            max(features[r] @ weights for r in rows)
        )


@given(seed=st.integers(0, 10_000))
def test_selected_sentences_keep_their_hypotheses(seed):
    pool = random_pool(seed)
    chosen = np.random.default_rng(seed).permutation(pool.sentences)[: pool.sentences // 2 + 1]
    part = pool.select(chosen)
    weights = np.random.default_rng(seed).normal(size=len(pool.names))
    whole = pool.scores(weights)
    expected = [whole[pool.offsets[s] : pool.offsets[s + 1]] for s in chosen]
    np.testing.assert_allclose(part.scores(weights), np.concatenate(expected))
    assert part.stats.tolist() == [
        row for s in chosen for row in pool.stats[pool.offsets[s] : pool.offsets[s + 1]].tolist()
    ]


@given(seed=st.integers(0, 10_000))
def test_saved_and_mapped_back(seed, tmp_path_factory):
    pool = random_pool(seed)
    path = tmp_path_factory.mktemp("pool") / "pool.bin"
    pool.save(path)
    back = KBestPool.load(path)
    assert back.names == pool.names
    for name, array in pool._arrays().items():
        np.testing.assert_array_equal(back._arrays()[name], array)


@given(seed=st.integers(0, 10_000))
def test_scaling_features_is_scaling_weights(seed):
    pool = random_pool(seed)
    chance = np.random.default_rng(seed)
    factors = chance.uniform(0.5, 2.0, size=len(pool.names))
    weights = chance.normal(size=len(pool.names))
    np.testing.assert_allclose(
        pool.scaled(factors).scores(weights), pool.scores(weights * factors), rtol=1e-4, atol=1e-4
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"offsets": np.array([0, 1])}, "sentence offsets do not cover the rows"),
        ({"offsets": np.array([0, 0, 3])}, "a sentence without hypotheses"),
        ({"stats": np.zeros((2, 2), np.int32)}, "different numbers of rows"),
        ({"sparse_offsets": np.array([0, 0, 0, 1])}, "do not cover the sparse values"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change, message):
    arrays = {
        "offsets": np.array([0, 1, 3]),
        "dense": np.zeros((3, 2), np.float32),
        "dense_names": ("a", "b"),
        "sparse_offsets": np.zeros(4, np.int64),
        "sparse_ids": np.zeros(0, np.uint32),
        "sparse_values": np.zeros(0, np.float32),
        "sparse_names": (),
        "stats": np.zeros((3, 2), np.int32),
        "keys": np.arange(3, dtype=np.uint64),
    }
    with pytest.raises(ValueError, match=message):
        _ = KBestPool(**{**arrays, **change}).native
