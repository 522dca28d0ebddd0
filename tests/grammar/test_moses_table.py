"""Moses' text tables: what is read is what is there, and broken lines are named."""

import gzip
import math
import shutil

import numpy as np
import pytest

from tunesmith.base.array_file import read_arrays, write_arrays
from tunesmith.base.errors import InputError
from tunesmith.grammar import PhraseTable
from tunesmith.grammar.extraction import reordering_names
from tunesmith.grammar.moses import (
    export_moses_reordering,
    export_moses_table,
    import_moses_table,
)

NAMES = reordering_names("bidirectional", "msd")
PHRASES = """das Haus ||| the house ||| 0.5 0.25 1 0 ||| 0-0 1-1 ||| 4 3 2 ||| |||
das ||| the ||| 0.5 0.5 0.5 0.5
das ||| that ||| 0.1 0.2 0.3 0.4 ||| 0-0
nichts ||| ||| 1 1 1 1
"""
REORDERING = """das Haus ||| the house ||| 0.6 0.2 0.2 0.8 0.1 0.1
das Auto ||| the car ||| 0.6 0.2 0.2 0.8 0.1 0.1
"""


def read(folder, phrases=PHRASES, reordering=REORDERING):
    for name, text in (("phrases", phrases), ("reordering", reordering)):
        data = text.encode() if isinstance(text, str) else text
        (folder / name).write_bytes(data)
    return import_moses_table(
        folder / "phrases",
        folder / "table.bin",
        reordering=folder / "reordering",
        reordering_names=NAMES,
    )


def test_every_field_is_read(tmp_path):
    table = read(tmp_path)
    assert (len(table), table.sources) == (4, 3)
    rule = table.rules("das Haus")[0]
    assert (rule.target, rule.links, rule.counts) == ("the house", ((0, 0), (1, 1)), (4, 3, 2))
    # 0 has no logarithm: Moses floors at −100.
    np.testing.assert_allclose(rule.scores, [math.log(0.5), math.log(0.25), 0, -100])
    np.testing.assert_allclose(rule.reordering, np.log([0.6, 0.2, 0.2, 0.8, 0.1, 0.1]), rtol=1e-6)
    # Rules without fields or a reordering line of their own; an empty translation.
    the, that = table.rules("das")
    assert (the.target, the.links, the.counts, the.reordering) == ("the", (), (0,) * 3, (0,) * 6)
    assert (that.target, that.links) == ("that", ((0, 0),))
    assert [rule.target for rule in table.rules("nichts")] == [""]
    assert table.rules("das Auto") == []


GOOD = "a ||| b ||| 1 1 1 1\n"


@pytest.mark.parametrize(
    ("phrases", "reordering", "message"),
    [
        (GOOD + "a ||| b\n", "", "phrases:2: 2 fields, expected source ||| target ||| scores"),
        ("\n", "", "phrases:1: 1 fields, expected source ||| target ||| scores"),
        (" ||| b ||| 1 1 1 1", "", "phrases:1: an empty source phrase, expected words"),
        (
            "a ||| b ||| 1 1 1\n",
            "",
            "phrases:1: 3 scores, expected 4; compare num-features in moses.ini",
        ),
        (
            GOOD + "a ||| c ||| 1 1 1 1 2.718\n",
            "",
            "phrases:2: 5 scores, expected 4; compare num-features in moses.ini",
        ),
        ("a ||| b ||| 1 1 x 1\n", "", "phrases:1: 'x', expected a finite number"),
        ("a ||| b ||| 1 1 nan 1\n", "", "phrases:1: 'nan', expected a finite number"),
        ("a ||| b ||| 1 1 1e999 1\n", "", "phrases:1: '1e999', expected a finite number"),
        ("a ||| b ||| 1 1 0.5x 1\n", "", "phrases:1: '0.5x', expected a finite number"),
        ("a ||| b ||| 1 -0.5 1 1\n", "", "phrases:1: '-0.5', expected a probability"),
        (
            "a ||| b ||| 1 1 1 1 ||| 0-0 1-0\n",
            "",
            "phrases:1: '1-0', expected a link i-j inside the phrases",
        ),
        (
            "a ||| b ||| 1 1 1 1 ||| 0-1\n",
            "",
            "phrases:1: '0-1', expected a link i-j inside the phrases",
        ),
        (
            "a ||| b ||| 1 1 1 1 ||| 0:0\n",
            "",
            "phrases:1: '0:0', expected a link i-j inside the phrases",
        ),
        (
            "a ||| b ||| 1 1 1 1 ||| 0-0 ||| many\n",
            "",
            "phrases:1: 'many', expected a finite number",
        ),
        (
            GOOD + "c ||| d ||| 1 1 1 1\n" + GOOD,
            "",
            "phrases:3: the phrase pair 'a ||| b ||| 1 1 1 1' for a second time, "
            "expected every pair once",
        ),
        (
            GOOD.encode() + b"a ||| \xff ||| 1 1 1 1\n",
            "",
            "phrases:2: byte 0xff at column 7, expected UTF-8; "
            "convert the file, for example with `iconv -t utf-8`",
        ),
        (
            gzip.compress(GOOD.encode() * 50, mtime=0)[:-12],
            "",
            "phrases: cannot be unpacked: Compressed file ended before the end-of-stream marker "
            "was reached; the file is cut off or damaged",
        ),
        (GOOD, "a ||| b\n", "reordering:1: 2 fields, expected source ||| target ||| scores"),
        (
            GOOD,
            "a ||| b ||| 1 1 1 1 1 1\na ||| b ||| 1 1 1\n",
            "reordering:2: 3 scores, expected 6; compare num-features in moses.ini",
        ),
        (
            GOOD,
            "c ||| d ||| 1 1 1 1 1 one\n",
            "reordering:1: 'one', expected a finite number",
        ),
        (
            GOOD,
            b"\xc3",
            "reordering:1: byte 0xc3 at column 1, expected UTF-8; "
            "convert the file, for example with `iconv -t utf-8`",
        ),
    ],
)
def test_broken_lines_are_named(phrases, reordering, message, tmp_path):
    with pytest.raises(InputError) as caught:
        read(tmp_path, phrases, reordering)
    assert str(caught.value) == f"{tmp_path}/{message}"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["phrases", "reordering"]


def test_line_numbers_go_on_over_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("tunesmith.formats.text.BLOCK_BYTES", 16)
    lines = [f"a{i} ||| b{i} ||| 1 1 1 1\n" for i in range(50)]
    assert len(read(tmp_path, "".join(lines), "")) == 50
    with pytest.raises(InputError, match=r"phrases:51: 1 fields"):
        read(tmp_path, "".join([*lines, "broken"]), "")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"/none: cannot be read: No such file or directory"):
        import_moses_table(tmp_path / "none", tmp_path / "table.bin")


def test_written_tables_are_read_back(tmp_path):
    table = read(tmp_path)
    export_moses_table(table, tmp_path / "p.gz")
    export_moses_reordering([table], tmp_path / "r.gz")
    again = import_moses_table(
        tmp_path / "p.gz",
        tmp_path / "again.bin",
        reordering=tmp_path / "r.gz",
        reordering_names=NAMES,
    )
    ours, theirs = ({(r.source, r.target): r for r in rules} for rules in (table, again))
    assert set(ours) == set(theirs)
    for pair, rule in ours.items():
        other = theirs[pair]
        assert (rule.links, rule.counts) == (other.links, other.counts)
        np.testing.assert_allclose(rule.scores, other.scores, atol=1e-5)
        np.testing.assert_allclose(rule.reordering, other.reordering, atol=1e-5)


def cut(data):
    return data[:-1]


def other_version(data):
    return data[:24] + (99).to_bytes(4, "little") + data[28:]


def other_kind(data):
    return data[:8] + b"bitext\0\0\0\0\0\0\0\0\0\0" + data[24:]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (
            cut,
            "the file is cut short or has bytes added, expected a whole file; "
            "copy or make it again",
        ),
        (
            other_version,
            "version 99, expected version 1; make the file again with this version of tunesmith",
        ),
        (other_kind, "kind 'bitext', expected a tunesmith file of kind 'phrase-table'"),
        (
            lambda data: b"source ||| target\n",
            "not a tunesmith binary file, expected a tunesmith file of kind 'phrase-table'",
        ),
        (
            lambda data: b"",
            "not a tunesmith binary file, expected a tunesmith file of kind 'phrase-table'",
        ),
    ],
)
def test_broken_binary_tables_are_named(damage, message, tmp_path):
    path = read(tmp_path).path
    broken = tmp_path / "broken.bin"
    broken.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError) as caught:
        PhraseTable(broken)
    assert str(caught.value) == f"{broken}: {message}"


@pytest.mark.parametrize(
    ("name", "position", "value"),
    [
        ("target_words", 0, 1000),
        ("source_words", -1, 2**32 - 1),
        ("target_ends", 0, 2**60),
        ("link_ends", 1, 2**60),
        ("rule_ends", 0, 4000),
        ("source_ends", 0, 4000),
        ("scores", 3, np.nan),
    ],
)
def test_indices_that_lead_outside_are_refused(name, position, value, tmp_path):
    """Even where the checksums are right."""
    arrays = dict(read_arrays(read(tmp_path).path, "phrase-table", 1))
    arrays = {key: np.array(array) for key, array in arrays.items()}
    arrays[name][position] = value
    broken = tmp_path / "broken.bin"
    write_arrays(broken, "phrase-table", 1, arrays)
    with pytest.raises(InputError) as caught:
        list(PhraseTable(broken))
    assert str(caught.value) == (
        f"{broken}: values of array '{name}' that make no sense, expected a whole file; "
        "make it again"
    )


def test_what_is_used_is_checked_and_nothing_else(tmp_path):
    """A table is opened and asked without a look at what is not needed."""
    path = read(tmp_path).path
    links = read_arrays(path, "phrase-table", 1)["links"].tobytes()
    data = path.read_bytes()
    assert data.count(links) == 1
    path.write_bytes(data.replace(links, bytes(len(links) - 1) + b"\1"))
    table = PhraseTable(path)
    assert [table.native.target(rule) for rule in range(*table.native.find(["das"]))] == [
        "the",
        "that",
    ]
    with pytest.raises(InputError, match=r"table.bin: the contents of array 'links' have changed"):
        table.rules("das")


def test_any_changed_byte_is_found_or_harmless(tmp_path):
    """A byte of the file changed: an error when it is opened or used, or nothing."""
    path = read(tmp_path).path
    rules = list(PhraseTable(path))
    whole = path.read_bytes()
    broken = tmp_path / "broken.bin"
    chance = np.random.default_rng(5)
    found = 0
    for position in chance.choice(len(whole), 300, replace=False):
        shutil.copyfile(path, broken)
        with broken.open("r+b") as stream:
            stream.seek(int(position))
            stream.write(bytes([whole[position] ^ 0x55]))
        try:
            table = PhraseTable(broken)
            assert list(table) == rules
            table.rules("das Haus")  # by its key
        except InputError as error:
            found += str(error).startswith(f"{broken}: ")
    assert found > 100  # the rest lies in the padding between arrays
