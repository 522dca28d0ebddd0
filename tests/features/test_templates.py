"""Sparse features of rules against the obvious twins, on random aligned text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import sparse_templates as twin
from reference.tiny_tables import random_table
from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError
from tunesmith.features import (
    CountBin,
    LengthBin,
    RuleFeatures,
    TargetUnaligned,
    WordPair,
    build_features,
    template,
)
from tunesmith.grammar.moses import import_moses_table


@given(seed=st.integers(0, 10_000), size=st.integers(0, 4), exact=st.booleans())
@settings(max_examples=25)
def test_templates_equal_their_twins(seed, size, exact, tmp_path_factory):
    folder = tmp_path_factory.mktemp("t")
    tables = [random_table(seed + i, folder / f"{i}.bin", sentences=20 + 60 * i) for i in range(2)]
    templates = [
        TargetUnaligned(size=size),
        CountBin(exact=exact),
        WordPair(size=size),
        LengthBin(),
    ]
    features = build_features(tables, templates, folder / "f.bin", engine=2)
    rules = [rule for table in tables for rule in table]
    unaligned = twin.frequent(rules, twin.unaligned, size)
    sources = twin.frequent(rules, lambda rule: rule.source.split(), size)
    targets = twin.frequent(rules, lambda rule: rule.target.split(), size)
    names = set()
    for table in tables:
        for number, rule in enumerate(table):
            expected = (
                twin.tgt_unal(rule, unaligned)
                + twin.count_bin(rule, exact)
                + twin.word_pair(rule, sources, targets)
                + twin.length_bin(rule)
            )
            assert features.of_rule(table, number) == dict(expected)
            names |= set(expected)
    assert set(features.names) == names
    assert len(features) == len(names)


def test_bins_of_paper_a(tmp_path):
    """1, 2, 4, … 128, 1k, 10k, ∞, each bin with its upper bound; 0 is no count."""
    lines = [f"a{count} ||| x ||| 1 1 1 1 ||| 0-0 ||| {count} {count} {count}" for count in COUNTS]
    (tmp_path / "t").write_text("\n".join(lines) + "\n")
    table = import_moses_table(tmp_path / "t", tmp_path / "t.bin")
    features = build_features([table], [CountBin()], tmp_path / "f.bin")
    found = {}
    for i in range(table.sources):
        begin, _ = table.native.rules_of(i)
        found[table.native.source(i)] = list(features.of_rule(table, begin))
    assert found == {f"a{count}": names for count, names in COUNTS.items()}


COUNTS = {
    0: [],
    1: ["count_bin:1"],
    2: ["count_bin:2"],
    3: ["count_bin:4"],
    4: ["count_bin:4"],
    5: ["count_bin:8"],
    128: ["count_bin:128"],
    129: ["count_bin:1000"],
    1001: ["count_bin:10000"],
    10001: ["count_bin:inf"],
}


def test_the_file_does_not_depend_on_threads(tmp_path):
    table = random_table(3, tmp_path / "t.bin", sentences=900)
    templates = [TargetUnaligned(), CountBin(exact=True), WordPair(), LengthBin()]
    files = []
    for threads in (1, 2, 3):
        path = tmp_path / f"{threads}.bin"
        build_features([table], templates, path, engine=threads)
        files.append(path.read_bytes())
    assert files[0] == files[1] == files[2]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("der", "der"),
        ("a_b", "a\\_b"),
        ("|||", "\\|\\|\\|"),
        ("<other>", "\\<other>"),
        ("a<", "a<"),
        ("\\", "\\\\"),
        ("a\u00a0b", "a\\u{A0}b"),
        ("\u3000", "\\u{3000}"),
        ("größe", "größe"),
    ],
)
def test_words_in_names(word, name):
    assert _core.name_part(word) == name


@given(words=st.lists(st.text(alphabet="_|\\<>aé \u00a0", min_size=1), min_size=2, max_size=2))
def test_different_words_have_different_names(words):
    one, other = words
    assert (_core.name_part(one) == _core.name_part(other)) == (one == other)


def test_bad_templates(tmp_path):
    table = random_table(1, tmp_path / "t.bin", sentences=3)
    for templates, message in [
        ([WordPair(source_words=("a", "a"))], "word 'a' twice in a list"),
        ([CountBin(bounds=(2.0, 1.0))], "bounds of count_bin must be above 0 and ascend"),
        ([CountBin(bounds=())], "count_bin has no bounds, expected at least one"),
        ([TargetUnaligned(size=-1)], "tgt_unal: size is -1, expected at least 0"),
        ([LengthBin(), LengthBin()], "template 'length_bin' twice"),
    ]:
        with pytest.raises(OptionError) as caught:
            build_features([table], templates, tmp_path / "f.bin")
        assert str(caught.value) == message
        assert not (tmp_path / "f.bin").exists()
    with pytest.raises(OptionError, match="template 'lengths', expected one of: tgt_unal, "):
        template("lengths")


def test_broken_files(tmp_path):
    table = random_table(1, tmp_path / "t.bin", sentences=3)
    path = tmp_path / "f.bin"
    build_features([table], [LengthBin()], path)
    whole = path.read_bytes()
    for broken, message in [
        (b"", "not a tunesmith binary file"),
        (whole[: len(whole) // 2], "the file is cut short or has bytes added"),
        (whole.replace(b"length_bin:src_1", b"length_bin:src_9"), "'names' have changed"),
        ((tmp_path / "t.bin").read_bytes(), "kind 'phrase-table'"),
    ]:
        path.write_bytes(broken)
        with pytest.raises(InputError) as caught:
            RuleFeatures(path).names  # noqa: B018 - what is used is checked
        assert message in str(caught.value)
        assert str(path) in str(caught.value)
    with pytest.raises(InputError, match="No such file"):
        RuleFeatures(tmp_path / "none.bin")


def test_broken_arrays(tmp_path):
    """Files with the right checksums and wrong contents."""
    from tunesmith.base.array_file import read_arrays, write_arrays

    table = random_table(1, tmp_path / "t.bin", sentences=3)
    path = tmp_path / "f.bin"
    build_features([table], [LengthBin()], path)
    good = {name: array.copy() for name, array in read_arrays(path, "rule-features", 1).items()}
    many = np.full_like(good["ids.0"], 1_000_000)
    for change, message in [
        ({"ids.0": many}, "values of array 'ids.0' that make no sense"),
        ({"ids.0": many[:-1]}, "arrays of the features do not fit together"),
        ({"ends.0": good["ends.0"][::-1]}, "values of array 'ends.0' that make no sense"),
        ({"values.0": np.full(len(many), np.nan, np.float32)}, "values of array 'values.0' that"),
        ({"values.0": np.ones(1, np.float32)}, "arrays of the features do not fit together"),
        ({"tables": good["tables"][:1]}, "arrays of the features do not fit together"),
        ({"name_ends": good["name_ends"][:-1]}, "arrays of the features do not fit together"),
        ({"ids.0": good["ids.0"].astype(np.uint64)}, "the type this version reads"),
    ]:
        write_arrays(path, "rule-features", 1, {**good, **change})
        with pytest.raises(InputError) as caught:
            RuleFeatures(path).of_rule(table, 0)
        assert message in str(caught.value)


def test_features_of_another_table_are_refused(tmp_path):
    one, other = (random_table(i, tmp_path / f"{i}.bin", sentences=5) for i in range(2))
    features = build_features([one], [LengthBin()], tmp_path / "f.bin")
    with pytest.raises(InputError) as caught:
        features.of_rule(other, 0)
    assert str(caught.value) == (
        f"{tmp_path}/f.bin: no features of the rules of {tmp_path}/1.bin, expected those of "
        "every table of the model; make the features again"
    )
