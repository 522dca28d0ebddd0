"""Grammars in the text formats of cdec and Joshua."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.tiny_grammars import random_rule
from tunesmith.base.array_file import read_arrays, write_arrays
from tunesmith.base.errors import InputError
from tunesmith.grammar import ScfgGrammar

LINES = """\
[X] ||| [X,1] ein [X,2] ||| [X,2] a [X,1] ||| EgivenF=0.5 CountEF=2 ||| 1-1
[X] ||| haus ||| house ||| CountEF=1
[NP] ||| [X,1] ||| [X,1] |||
"""


def read(tmp_path, text):
    path = tmp_path / "grammar"
    path.write_text(text)
    return ScfgGrammar.read(path)


def test_rules_come_back_as_they_were(tmp_path):
    grammar = read(tmp_path, LINES)
    assert len(grammar) == 3
    assert grammar.features == ["EgivenF", "CountEF"]
    assert list(grammar.lines()) == LINES.splitlines()


def test_packed_files_are_read_and_written(tmp_path):
    grammar = read(tmp_path, LINES)
    grammar.write(tmp_path / "packed.gz")
    assert gzip.decompress((tmp_path / "packed.gz").read_bytes()).startswith(b"[X] ||| [X,1] ein")
    assert list(ScfgGrammar.read(tmp_path / "packed.gz").lines()) == list(grammar.lines())


@given(st.integers(0, 2**32 - 1))
def test_random_rules_survive_a_round_trip(tmp_path_factory, seed):
    chance = np.random.default_rng(seed)
    lines = [random_rule(chance, "X", ("X", "Y")).line() for _ in range(5)]
    grammar = read(tmp_path_factory.mktemp("grammar"), "\n".join(lines) + "\n")
    again = read(tmp_path_factory.mktemp("again"), "\n".join(grammar.lines()) + "\n")
    assert list(again.lines()) == list(grammar.lines())
    values = [
        [float(pair.partition("=")[2]) for pair in line.split(" ||| ")[3].split()]
        for line in (*lines, *grammar.lines())
    ]
    np.testing.assert_allclose(values[:5], values[5:], rtol=1e-6)


@given(st.integers(0, 2**32 - 1))
def test_rules_of_a_binary_file_are_the_same(tmp_path_factory, seed):
    chance, folder = np.random.default_rng(seed), tmp_path_factory.mktemp("grammar")
    lines = [random_rule(chance, "X", ("X", "Y")).line() for _ in range(chance.integers(0, 9))]
    grammar = read(folder, "".join(f"{line}\n" for line in lines))
    grammar.save(folder / "grammar.scfg")
    again = ScfgGrammar.load(folder / "grammar.scfg")
    assert len(again) == len(grammar)
    assert again.features == grammar.features
    assert list(again.lines()) == list(grammar.lines())
    assert list(again.distinct().lines()) == list(grammar.distinct().lines())


def test_cycles_in_a_binary_file_are_refused(tmp_path):
    read(tmp_path, "[X] ||| [Y,1] ||| [1] |||\n").save(tmp_path / "g.scfg")
    arrays = dict(read_arrays(tmp_path / "g.scfg", "scfg", 1))
    arrays["source"] = -1 - arrays["labels"].astype(np.int32)  # [X] ||| [X,1]
    write_arrays(tmp_path / "cyclic.scfg", "scfg", 1, arrays)
    with pytest.raises(InputError, match=r"cyclic.scfg: a rule by which \[X\] becomes itself"):
        ScfgGrammar.load(tmp_path / "cyclic.scfg")


def test_joshuas_numbers_are_called_by_their_places(tmp_path):
    grammar = read(tmp_path, "[X] ||| das [X,1] ||| the [X,1] ||| 0.5 1.25 0\n")
    assert grammar.features == ["0", "1", "2"]


def test_target_sides_may_leave_labels_out_and_comments_are_passed_over(tmp_path):
    grammar = read(tmp_path, "# a comment\n\n[X] ||| [X,1] der [Y,2] ||| [2] of [1] ||| p=1\n")
    assert next(grammar.lines()) == "[X] ||| [X,1] der [Y,2] ||| [Y,2] of [X,1] ||| p=1"


def test_brackets_that_are_no_non_terminals_are_words(tmp_path):
    text = "[X] ||| [ a ] [b] ||| [] [b] ||| p=1\n"
    assert next(read(tmp_path, text).lines()) == text.rstrip()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[X] ||| a ||| b", r":2: 3 fields, expected \[X\] \|\|\| source \|\|\| target"),
        ("X ||| a ||| b ||| p=1", r":2: left-hand side 'X', expected a non-terminal"),
        ("[X] ||| ||| b ||| p=1", r":2: an empty source side"),
        ("[X] ||| [X,2] a ||| [X,2] b ||| p=1", r":2: non-terminal '\[X,2\]', expected index 1"),
        ("[X] ||| [X,0] a ||| [X,0] b ||| p=1", r":2: non-terminal '\[X,0\]', expected index 1"),
        ("[X] ||| [X,1] a [X,1] ||| [X,1] ||| p=1", r":2: non-terminal .* expected index 2"),
        ("[X] ||| [X,1] a [X,2] b [X,3] ||| x ||| p=1", r":2: a third non-terminal"),
        ("[X] ||| [X,1] a ||| [X,2] b ||| p=1", r":2: non-terminal '\[X,2\]', expected one of the"),
        ("[X] ||| [X,1] a ||| [X,1] [X,1] ||| p=1", r":2: .* for a second time"),
        ("[X] ||| [X,1] a ||| b ||| p=1", r":2: 0 non-terminals on the target side, expected 1"),
        ("[X] ||| a ||| b ||| p=x", r":2: 'x', expected a finite number"),
        ("[X] ||| a ||| b ||| p=nan", r":2: 'nan', expected a finite number"),
        ("[X] ||| a ||| b ||| =1", r":2: feature '=1', expected name=value"),
        ("[X] ||| a ||| b ||| p=1 p=2", r":2: feature 'p' for a second time"),
        ("[X] ||| a ||| b ||| p=1 ||| 0-1", r":2: '0-1', expected a link"),
        ("[X] ||| a ||| b ||| p=inf", r":2: 'inf', expected a finite number"),
        ("[X] ||| a ||| b ||| p=1e39", r":2: '1e39', expected a finite number"),
        ("[X] ||| a ||| b ||| p=-1e999", r":2: '-1e999', expected a finite number"),
        ("[X] ||| [X,1] ||| [X,1] ||| p=1", r":2: a rule by which \[X\] becomes itself"),
        ("[X] ||| a ||| b ||| p=1 ||| 0-0 ||| x", r":2: 6 fields, expected"),
        (
            "[X] ||| a |||" + " b" * 1001 + " ||| p=1",
            r":2: a side of 1001 symbols, expected at most",
        ),
        (
            "[X] |||" + " a" * 1001 + " ||| b ||| p=1",
            r":2: a side of 1001 symbols, expected at most",
        ),
        (
            "[X] ||| a ||| b ||| " + " ".join(f"f{i}=1" for i in range(5000)),
            r":2: feature 'f4095', one of too many, expected at most 4096 features",
        ),
    ],
)
def test_broken_lines_are_refused_by_line(tmp_path, line, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, "[X] ||| a ||| b ||| p=1\n" + line + "\n")


def test_the_line_that_ends_a_cycle_is_named(tmp_path):
    cycle = ["[X] ||| [Y,1] ||| [Y,1] ||| p=1", "[Y] ||| [Z,1] ||| [Z,1] ||| p=1"] * 2
    with pytest.raises(InputError, match=r"grammar:6: a rule by which \[Z\] becomes itself"):
        read(tmp_path, "\n".join(["# a comment", *cycle, "[Z] ||| [X,1] ||| [X,1] ||| p=1", ""]))


def test_labels_are_limited(tmp_path):
    chain = "".join(f"[L{i}] ||| [L{i + 1},1] ||| [1] |||\n" for i in range(40_000, 0, -1))
    with pytest.raises(InputError, match=r":32768: label 'L7233', one of too many, expected at"):
        read(tmp_path, chain)


def test_a_packed_grammar_that_is_cut_off_is_refused(tmp_path):
    whole = gzip.compress((LINES * 1000).encode())
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"cut.gz: cannot be unpacked: .*cut off or damaged"):
        ScfgGrammar.read(tmp_path / "cut.gz")


def test_a_grammar_that_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "grammar"
    path.write_bytes(b"[X] ||| a ||| b ||| p=1\n[X] ||| \xff ||| b ||| p=1\n")
    with pytest.raises(InputError, match="grammar:2:"):
        ScfgGrammar.read(path)


def test_of_equal_rules_the_first_stays(tmp_path):
    text = "[X] ||| a ||| b ||| p=1\n[X] ||| a ||| c ||| p=2\n[X] ||| a ||| b ||| p=3\n"
    grammar = read(tmp_path, text).distinct()
    assert list(grammar.lines()) == text.splitlines()[:2]
