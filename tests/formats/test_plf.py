"""Lattices in PLF: read, written, and refused where they are broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.lattices import lattices
from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.plf import MAX_NODES, Arc, Lattice

EXAMPLE = "((('ein',1.0,1),),(('haus',0.5,1),('hausboot',0.5,2),),(('boot',1.0,1),),)"


@given(lattices())
def test_what_is_written_is_read(lattice):
    text = str(lattice)
    assert Lattice.parse(text) == lattice
    assert str(Lattice.parse(text)) == text
    assert "\n" not in text
    assert eval(repr(lattice), {"Lattice": Lattice}) == lattice


def test_the_example_of_moses_and_cdec():
    lattice = Lattice.parse(EXAMPLE)
    assert str(lattice) == EXAMPLE
    paths = [[arc.word for arc in path] for path in lattice.paths()]
    assert paths == [["ein", "haus", "boot"], ["ein", "hausboot"]]
    assert (len(lattice.nodes), lattice.scores) == (3, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("((('a', 1.0, 1),), (('b', .5, 1), ('c', 5e-1, 1)))", ["a b", "a c"]),  # Python's blanks
        ("((('a',1,1)))", ["a"]),  # commas at the end are not needed
        (r"((('it\'s',1,1),),)", ["it's"]),
        (r"""((("it's",1,1),),)""", ["it's"]),
        (r"((('a\\b',1,1),),)", ["a\\b"]),
        ("((('家',0.25,0.5,1),),)", ["家"]),
        ("()", [""]),
        ("", [""]),
        ("  ", [""]),
    ],
)
def test_other_ways_to_write_one(text, words):
    assert [" ".join(arc.word for arc in path) for path in Lattice.parse(text).paths()] == words


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ein Haus", "'ein' at character 1, expected '('"),
        ("((('a',1.0,1),)", "the end of the line, expected ',' or ')'"),
        ("(('a',1,1),)", "''a'' at character 3, expected '('"),
        ("(((a,1,1),),)", "'a' at character 4, expected a word in quotes"),
        ("((('a,1,1),),)", "a word whose quotes are not closed, expected a quote behind it"),
        ("((('a',1,1),),) x", "'x' at character 17, expected the end of the line"),
        ("((('a'),),)", "0 numbers behind 'a', expected scores and a step"),
        ("((('a',1),),)", "1 numbers behind 'a', expected scores and a step"),
        ("((('a',,1),),)", "',' at character 8, expected a number"),
        ("((('a',x,1),),)", "'x' is no number, expected finite scores and a whole step"),
        ("((('a',inf,1),),)", "'inf' is not finite, expected finite scores and a whole step"),
        ("((('a',nan,1),),)", "'nan' is no number, expected finite scores and a whole step"),
        ("((('a',1e999,1),),)", "'1e999' is not finite, expected finite scores and a whole step"),
        ("((('a',1,1.5),),)", "'1.5' is no whole number, expected finite scores and a whole step"),
        ("((('a',1,0),),)", "'a' leads 0 nodes on from node 0, expected 1 to 1"),
        ("((('a',1,-1),),)", "'a' leads -1 nodes on from node 0, expected 1 to 1"),
        ("((('a',1,2),),)", "'a' leads 2 nodes on from node 0, expected 1 to 1"),
        ("((),)", "node 0 without arcs, expected a way to the end"),
        ("((('a',1,2),),(('b',1,1),),)", "node 1, to which no arc leads, expected a way from 0"),
        ("((('a b',1,1),),)", "word 'a b' of node 0, expected one without blanks"),
        ("((('',1,1),),)", "word '' of node 0, expected one without blanks"),
        ("((('a',1,1),('b',1,2,1),),)", "2 scores of 'b', expected 1"),
        ("(" * 100_000, "'(' at character 4, expected a word in quotes"),
    ],
)
def test_broken_lattices_are_refused_by_file_and_line(text, message):
    with pytest.raises(InputError) as caught:
        Lattice.parse(text, "dev.plf", 7)
    assert str(caught.value) == f"dev.plf:7: {message}"


@given(st.text(alphabet="()',a1.\\ \"-"))
def test_any_text_is_read_or_refused(text):
    try:
        lattice = Lattice.parse(text)
    except InputError:
        return
    assert Lattice.parse(str(lattice)) == lattice


def test_sizes_are_limited():
    with pytest.raises(OptionError, match=r"2,001 nodes, expected at most 2,000"):
        Lattice.of_words(["a"] * 2001)
    with pytest.raises(OptionError, match=r"20,001 arcs, expected at most 20,000"):
        Lattice(((Arc("a"),) * 20_001,))
    with pytest.raises(OptionError, match=r"101 scores of 'a', expected 100"):
        Lattice(((Arc("a", (1.0,) * 101),),))
    assert MAX_NODES == _core.MOST_CHART_WORDS
