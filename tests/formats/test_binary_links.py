"""Links in binary files: the same links as in text, and refused by name when they are none."""

import numpy as np
import pytest

from tunesmith.base.array_file import write_arrays
from tunesmith.base.errors import InputError
from tunesmith.formats.pharaoh import KIND, VERSION, Links, links_file, read_links, write_links

PLAIN = Links.from_lists([[(0, 0), (1, 2)], [], [(3, 1)]])
GOLD = Links(
    PLAIN.offsets, PLAIN.source, PLAIN.target, np.array([0, 1, 0], np.uint8),
    np.array([0.5, 1.0, 0.1234567], np.float32),
)  # fmt: skip


@pytest.mark.parametrize("links", [PLAIN, GOLD, Links.from_lists([])])
def test_what_is_written_is_read(tmp_path, links):
    links.save(tmp_path / "a.bin")
    assert read_links(tmp_path / "a.bin") == links


def arrays(**changes):
    own = {name: getattr(PLAIN, name) for name in ("offsets", "source", "target")}
    none = {"possible": np.empty(0, np.uint8), "probability": np.empty(0, np.float32)}
    return {**own, **none, **changes}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"offsets": np.array([0, 2, 1, 3], np.uint64)}, "offsets must rise from 0"),
        ({"target": np.zeros(2, np.uint32)}, "arrays of links differ in length"),
        ({"possible": np.zeros(2, np.uint8)}, "arrays of links differ in length"),
        ({"source": np.array([0, 1 << 31, 0], np.uint32)}, "a link of a place that no sentence"),
        ({"probability": np.array([0, 2, 0], np.float32)}, "a probability that is none"),
        ({"source": np.zeros(3, np.int32)}, "array 'source' of type int32 with 1 dimensions"),
    ],
)
def test_other_contents_are_refused_by_name(tmp_path, changes, message):
    write_arrays(tmp_path / "a.bin", KIND, VERSION, arrays(**changes))
    with pytest.raises(InputError, match=rf"a\.bin: {message}"):
        read_links(tmp_path / "a.bin")


def test_links_of_an_older_version_are_found(tmp_path):
    assert links_file(tmp_path) == tmp_path / "links.bin"
    write_links(tmp_path / "links.gz", PLAIN)
    assert read_links(links_file(tmp_path)) == PLAIN
    GOLD.save(tmp_path / "links.bin")
    assert read_links(links_file(tmp_path)) == GOLD
