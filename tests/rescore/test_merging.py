"""Lists of several systems as one, against dictionaries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.nbest_rows import make_nbest, rows_of
from tunesmith.base.errors import OptionError
from tunesmith.rescore.merging import MISSING, concatenated, merge_systems, read_outputs

A = make_nbest(
    [(0, "x", {"s": 1, "l": 5}), (0, "y", {"s": 2, "l": 6}), (1, "z", {"s": 3, "l": 7})], ["s", "l"]
)
B = make_nbest([(0, "y", {"s": 9, "q": 1.0}), (1, "w", {"s": 8})], ["s"])


def test_equal_entries_become_one_with_the_scores_of_both():
    merged = merge_systems({"a": A, "b": B}, missing="lowest")
    assert merged.dense_names == ("system:a", "first:a", "system:b", "a.s", "a.l", "b.s")
    one = {"system:a": 1, "system:b": 0, "first:a": 1}
    assert rows_of(merged) == [
        (0, "x", {**one, "a.s": 1, "a.l": 5, "b.s": 9}),
        (0, "y", {"system:a": 1, "first:a": 0, "system:b": 1,
                  "a.s": 2, "a.l": 6, "b.s": 9, "b.q": 1}),
        (1, "z", {**one, "a.s": 3, "a.l": 7, "b.s": 8}),
        (1, "w", {"system:a": 0, "first:a": 0, "system:b": 1, "a.s": 3, "a.l": 7, "b.s": 8}),
    ]  # fmt: skip


TEXTS = st.lists(st.sampled_from("uvwxyz"), max_size=5)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4), st.sampled_from(MISSING))
def test_against_dictionaries(sentences, missing):
    # Every system has an entry of every sentence; scores are distinct.
    score = iter(range(1, 10_000))
    rows = [
        [
            (s, text, {"f": float(next(score))})
            for s, lists in enumerate(sentences)
            for text in ["-", *lists[i]]
        ]
        for i in range(3)
    ]
    names = ["a", "b", "c"]
    merged = merge_systems(
        {n: make_nbest(r, ["f"]) for n, r in zip(names, rows, strict=True)}, missing=missing
    )
    expected = {}
    for name, own in zip(names, rows, strict=True):
        for s, text, features in own:
            expected.setdefault((s, text), {}).setdefault(name, features["f"])
    order = [key for s in range(len(sentences)) for key in expected if key[0] == s]
    assert [(s, text) for s, text, _ in rows_of(merged)] == order
    fill = {"lowest": min, "highest": max, "mean": np.mean, "zero": lambda values: 0.0}[missing]
    for s, text, features in rows_of(merged):
        for name in names:
            known = [e[name] for (t, _), e in expected.items() if t == s and name in e]
            has = name in expected[s, text]
            assert features[f"system:{name}"] == has
            value = expected[s, text][name] if has else fill(known)
            assert features[f"{name}.f"] == pytest.approx(value)


def test_a_system_without_entries_of_a_sentence_is_imputed_from_all():
    short = make_nbest([(0, "y", {"s": 9.0}), (1, "w", {"s": 8.0})], ["s"])
    none = make_nbest([(1, "v", {"s": 4.0})], ["s"])
    merged = merge_systems({"a": short, "b": none})
    assert merged.column("b.s").tolist() == [4, 4, 4]


def test_sources_of_any_system_are_kept():
    merged = merge_systems({"a": A, "b": B.with_sources(["p", "q"])})
    assert list(merged.sources) == ["p", "q"]
    assert merge_systems({"a": A, "b": B}).sources is None


def test_plain_outputs_are_lists_of_one(tmp_path):
    (tmp_path / "out").write_text("a b\n\nc\n")
    outputs = read_outputs(tmp_path / "out")
    assert rows_of(outputs) == [(0, "a b", {}), (1, "", {}), (2, "c", {})]
    merged = merge_systems({"one": outputs, "two": outputs})
    assert merged.dense_names == ("system:one", "system:two")
    assert merged.dense.tolist() == [[1, 1]] * 3


def test_lists_of_one_system_follow_each_other():
    other = make_nbest([(0, "v", {"s": 5, "q": 2.0}), (1, "y", {"s": 6, "q": 3.0})], ["s"])
    mine = make_nbest([(0, "y", {"s": 9, "q": 1.0}), (1, "w", {"s": 8})], ["s"])
    both = concatenated([mine, other])
    assert rows_of(both) == [*(rows_of(mine)[:1] + rows_of(other)[:1]),
                             *(rows_of(mine)[1:] + rows_of(other)[1:])]  # fmt: skip
    with pytest.raises(OptionError, match=r"lists with different features: .*nbest merge"):
        concatenated([A, B])


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ({"a": A}, "1 system, expected two or more to merge"),
        ({"a": A, "b c": B}, "system 'b c', expected a name without spaces, '=' and ':'"),
        ({"a": A, "b": make_nbest([(0, "x", {})], [])},
         "lists of different numbers of sentences: a 2, b 1"),
    ],
)  # fmt: skip
def test_refused(systems, message):
    with pytest.raises(OptionError, match=message):
        merge_systems(systems)
    with pytest.raises(OptionError, match="missing is 'none', expected one of: mean, lowest"):
        merge_systems({"a": A, "b": B}, missing="none")
