import gzip
import lzma
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import InputError
from tunesmith.formats.pharaoh import Links, parse_links, read_links, write_links

links = st.lists(st.tuples(st.integers(0, 999_999), st.integers(0, 999_999)), max_size=6)


@given(st.lists(links))
def test_round_trip(pairs):
    found = Links.from_lists(pairs)
    assert list(found) == pairs
    assert found.text() == "".join(" ".join(f"{i}-{j}" for i, j in p) + "\n" for p in pairs)
    assert parse_links(found.text()) == found


def test_possible_links_and_probabilities():
    found = parse_links("0-0 1p2\n\n3-4:0.25 \t5-6\r\n")
    assert list(found) == [[(0, 0), (1, 2)], [], [(3, 4), (5, 6)]]
    np.testing.assert_array_equal(found.possible, [0, 1, 0, 0])
    np.testing.assert_array_equal(found.probability, [1, 1, 0.25, 1])
    assert found.text() == "0-0:1.0000 1p2:1.0000\n\n3-4:0.2500 5-6:1.0000\n"


def test_the_last_line_needs_no_newline():
    assert list(parse_links("0-0\n1-1")) == [[(0, 0)], [(1, 1)]]
    assert len(parse_links("")) == 0


EXPECTED = "expected links such as 0-1, 0p1 or 0-1:0.97"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0-0\nhello\n", f"x:2: link 'hello', {EXPECTED}"),
        ("0-\n", f"x:1: link '0-', {EXPECTED}"),
        ("-1-0\n", f"x:1: link '-1-0', {EXPECTED}"),
        ("0--1\n", f"x:1: link '0--1', {EXPECTED}"),
        ("0\n", f"x:1: link '0', {EXPECTED}"),
        ("0-1-2\n", f"x:1: link '0-1-2', {EXPECTED}"),
        ("0:1\n", f"x:1: link '0:1', {EXPECTED}"),
        ("0-0\0\n", f"x:1: link '0-0\\x00', {EXPECTED}"),
        (b"0-\xff\xc3\xa9\n", f"x:1: link '0-\\xffé', {EXPECTED}"),
        ("0-1000000\n", "x:1: link '0-1000000', expected positions below 1000000"),
        ("99999999999999-0\n", "x:1: link '99999999999999-0', expected positions below 1000000"),
        ("0-0:\n", "x:1: link '0-0:', expected a probability from 0 to 1 after ':'"),
        ("0-0:1.5\n", "x:1: link '0-0:1.5', expected a probability from 0 to 1 after ':'"),
        ("0-0:nan\n", "x:1: link '0-0:nan', expected a probability from 0 to 1 after ':'"),
        ("0-0:0.5x\n", "x:1: link '0-0:0.5x', expected a probability from 0 to 1 after ':'"),
        ("ein haus ||| a house\n", f"x:1: link 'ein', {EXPECTED}"),
    ],
)
def test_broken_links(text, message):
    with pytest.raises(InputError) as caught:
        parse_links(text, "x")
    assert str(caught.value) == message


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(data):
    refusal = ""
    try:
        found = parse_links(data, "x")
    except InputError as error:
        refusal = str(error)
    if refusal:
        assert re.match(r"x:\d+: .", refusal)
        return
    assert len(found) == data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
    assert all(0 <= i < 1_000_000 > j >= 0 for links in found for i, j in links)


def test_packed_files(tmp_path):
    found = parse_links("0-0 1-2\n\n")
    for name in ("a.links", "a.gz", "a.xz"):
        write_links(tmp_path / name, found)
        assert read_links(tmp_path / name) == found
    packed = [(tmp_path / name).read_bytes() for name in ("a.gz", "a.xz")]
    assert gzip.decompress(packed[0]) == lzma.decompress(packed[1]) == b"0-0 1-2\n\n"
    (tmp_path / "b.gz").write_bytes((tmp_path / "a.gz").read_bytes()[:-9])
    with pytest.raises(InputError, match=r"b\.gz: cannot be unpacked: "):
        read_links(tmp_path / "b.gz")
    with pytest.raises(InputError, match=r"none: cannot be read: No such file or directory"):
        read_links(tmp_path / "none")


def test_index_and_first():
    found = parse_links("0-0\n1-1 2-2\n")
    assert found[-1] == [(1, 1), (2, 2)]
    assert list(found.select(range(1))) == [[(0, 0)]]
    with pytest.raises(IndexError):
        found[2]


def test_selected_pairs_keep_what_is_known_of_their_links():
    links = parse_links("0-0 1p2\n2p0\n\n0-1 1-1 2p2\n")
    chosen = links.select([3, 0, 3, 2])
    assert list(chosen) == [links[3], links[0], links[3], []]
    assert chosen.possible.tolist() == [0, 0, 1, 0, 1, 0, 0, 1]
    scored = parse_links("0-0:0.5 1-2:0.25\n2-0:0.75\n")
    assert scored.select([1, 0]).probability.tolist() == [0.75, 0.5, 0.25]
