import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.corpus.split import (
    DEV,
    LEFT_OUT,
    TEST,
    TRAIN,
    PairSets,
    sentence_keys,
    split_pairs,
    warn_of_overlap,
)  # fmt: skip

pairs = st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)), max_size=40)


def groups_by_search(pairs):
    """Follow shared sentences from pair to pair."""
    group = [None] * len(pairs)
    for start in range(len(pairs)):
        waiting = [start]
        while waiting:
            i = waiting.pop()
            if group[i] is None:
                group[i] = start
                waiting += [
                    j
                    for j, other in enumerate(pairs)
                    if other[0] == pairs[i][0] or other[1] == pairs[i][1]
                ]
    return group


@given(pairs=pairs)
def test_groups_are_connected_components(pairs):
    keys = np.array(pairs, np.uint64).reshape(-1, 2)
    found = _core.group_by_sentence(keys[:, 0].copy(), keys[:, 1].copy())
    assert found.tolist() == groups_by_search(pairs)


@given(pairs=pairs, dev=st.integers(0, 6), test=st.integers(0, 6), seed=st.integers(0, 5))
def test_no_sentence_is_in_two_sets(pairs, dev, test, seed):
    sources = sentence_keys(f"Satz {s}" for s, _ in pairs)
    targets = sentence_keys(f"sentence {t}" for _, t in pairs)
    try:
        sets = split_pairs(sources, targets, dev=dev, test=test, seed=seed)
    except OptionError:
        return
    assert (np.sum(sets == DEV), np.sum(sets == TEST)) == (dev, test)
    for keys in (sources, targets):
        for key in set(keys.tolist()):
            assert len(set(sets[keys == key].tolist())) == 1
    np.testing.assert_array_equal(
        sets, split_pairs(sources, targets, dev=dev, test=test, seed=seed)
    )


def test_sizes_are_exact_and_seeds_differ():
    keys = sentence_keys(map(str, range(5000))), sentence_keys(map(str, range(5000, 10000)))
    one = split_pairs(*keys, dev=1000, test=500, seed=1)
    two = split_pairs(*keys, dev=1000, test=500, seed=2)
    assert np.bincount(one).tolist() == np.bincount(two).tolist() == [3500, 1000, 500]
    assert 0.5 < np.mean(one == two) < 0.65  # what chance gives: 0.7² + 0.2² + 0.1² = 0.54


def test_the_same_sentence_in_other_words_of_capitals_and_space():
    keys = sentence_keys(["Das ist gut", "das  ist GUT ", "das ist schlecht", "STRASSE", "straße"])
    assert keys[0] == keys[1] != keys[2]
    assert keys[3] == keys[4]


@pytest.mark.parametrize(
    ("dev", "test", "message"),
    [
        (-1, 0, "-1 dev and 0 test pairs, expected no negative number"),
        (3, 2, "3 dev and 2 test pairs of only 4 pairs"),
        (
            1,
            1,
            "only 0 dev and 1 test pairs can be had without a sentence in two sets; ask for fewer, "
            "or remove duplicates before",
        ),
    ],
)
def test_what_cannot_be(dev, test, message):
    keys = sentence_keys(["a", "a", "a", "b"]), sentence_keys(["x", "y", "z", "w"])
    with pytest.raises(OptionError) as caught:
        split_pairs(*keys, dev=dev, test=test)
    assert str(caught.value) == message


def test_overlap_is_warned_of(caplog):
    train = sentence_keys(["a", "b", "c"]), sentence_keys(["x", "y", "z"])
    dev = sentence_keys(["A", "d", "e", "f"]), sentence_keys(["q", "Y", "r", "s"])
    assert warn_of_overlap(train, dev, "dev") == 2
    assert caplog.messages == [
        "2 of 4 dev pairs have a sentence that is in the training set too (50.0 %); scores on them "
        "are too good"
    ]
    caplog.clear()
    assert warn_of_overlap(train, (dev[0][2:], dev[1][2:]), "test") == 0
    assert caplog.messages == []


def test_pairs_beside_the_usable_ones_are_left_out_if_they_share_a_sentence():
    text = [("a", "x"), ("b", "y"), ("A ", "long"), ("other", "Y"), ("b", "y"), ("c", "z")]
    sets = PairSets(lambda: iter(text), lambda sources, targets: [1, 1, 0, 0, 0, 0])
    sets.choose(dev=1, test=1)
    assert sets.sets.tolist()[2:] == [LEFT_OUT] * 3 + [TRAIN]
    assert sorted([*sets.read(DEV), *sets.read(TEST)]) == text[:2]
    assert list(sets.read(TRAIN)) == [("c", "z")]
    sets.choose(dev=1)
    assert sets.size(LEFT_OUT) in (1, 2)  # of ("a", "x") one, of ("b", "y") two
    assert sets.size(TEST) == 0
