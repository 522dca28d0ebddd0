"""What travels: files are looked for where they arrive, residents are unpacked once."""

import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.sparse_vector import packed_vector, unpacked_vector
from tunesmith.engine import packing
from tunesmith.engine.copies import UNUSED, Copies
from tunesmith.engine.packing import MissingFiles, Resident, Unpacker, packed, stamp
from tunesmith.engine.reduction import reduced
from tunesmith.engine.tree import Tree


class Opened(Resident):
    def __init__(self, path):
        self.path = path


def test_plain_values_arrive_as_they_are():
    value = {"a": [1, 2.5], "b": np.arange(5), "error": InputError("f", 1, "x")}
    found = Unpacker()(packed(value))
    assert found["a"] == value["a"]
    assert str(found["error"]) == "f:1: x"
    found["b"][0] = 7  # as in the process that sent it, it can be changed


def test_a_file_is_used_where_it_is(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("a")
    monkeypatch.chdir(tmp_path)
    assert Unpacker()(packed([Path("a"), Path("new")])) == [tmp_path / "a", tmp_path / "new"]


def test_all_missing_files_are_told(tmp_path):
    (tmp_path / "folder" / "below").mkdir(parents=True)
    (tmp_path / "folder" / "below" / "b").write_text("bb")
    (tmp_path / "a").write_text("a")
    data = packed([tmp_path / "a", tmp_path / "folder"])
    wanted = [(str(path), stamp(path)) for path in (tmp_path / "a", tmp_path / "folder")]
    assert Unpacker()(data) == [tmp_path / "a", tmp_path / "folder"]
    (tmp_path / "folder" / "more").touch()  # of another worker, say
    Unpacker()(data)
    (tmp_path / "a").write_text("other")
    (tmp_path / "folder" / "below" / "b").unlink()
    with pytest.raises(MissingFiles) as caught:
        Unpacker()(data)
    assert caught.value.files == wanted


def test_copies_take_the_place_of_missing_files(tmp_path):
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    for name in ("below/b", "c"):
        (folder / name).write_text(name)
    data, (place, wanted) = packed(folder), (str(folder), stamp(folder))
    folder.rename(tmp_path / "elsewhere")
    copies = Copies(tmp_path / "copies")
    assert copies.lacks(["1", "2"]) == ["1", "2"]
    copies.add("1", iter([b"below", b"/b"]))
    copies.add("2", iter([b"c"]))
    assert copies.lacks(["1", "3"]) == ["3"]
    copies.arrange(place, wanted, ["1", "2"])
    copies.arrange(place, wanted, ["1", "2"])  # as another worker does at the same time
    copy = Unpacker(copies.find)(data)
    assert copy != folder
    assert [(copy / name).read_text() for name in ("below/b", "c")] == ["below/b", "c"]
    (copy / "made").write_text("new")
    folder.mkdir()  # at the sender's it is there
    back = Unpacker()(packed({"made": copy / "made"}, copies.sent_back))
    assert back == {"made": folder / "made"}
    assert (folder / "made").read_text() == "new"
    assert not (copy / "made").exists()


def test_copies_that_nobody_used_go(tmp_path):
    copies = Copies(tmp_path / "copies")
    for content in ("1", "2"):
        copies.add(content, iter([b"x"]))
    os.utime(tmp_path / "copies" / "content" / "1", (0, os.stat(tmp_path).st_mtime - UNUSED - 60))
    assert Copies(tmp_path / "copies").lacks(["1", "2"]) == ["1"]


def test_the_folder_of_another_user_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(OptionError, match="is another user's"):
        Copies(tmp_path / "copies")


def test_residents_are_unpacked_once_while_they_are_the_same(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("a")
    unpack = Unpacker()
    first, second = (unpack(packed([n, Opened(tmp_path / "a")]))[1] for n in (1, 2))
    assert first is second
    (tmp_path / "a").write_text("other")
    assert unpack(packed([Opened(tmp_path / "a")]))[0] is not first
    monkeypatch.setattr(packing, "KEPT", 1)
    assert unpack(packed([Opened("x")]))[0] is not unpack(packed([Opened("y")]))[0]
    assert unpack(packed([Opened(tmp_path / "a")]))[0] is not first


@given(
    arrays(np.float64, st.integers(0, 50), elements=st.sampled_from([0.0, -0.0, 1.5, float("nan")]))
)
def test_vectors_arrive_bit_for_bit(vector):
    travelled = unpacked_vector(*pickle.loads(pickle.dumps(packed_vector(vector))))
    assert travelled.tobytes() == vector.tobytes()


def test_weights_of_five_million_features_that_are_mostly_0_are_small():
    vector = np.zeros(5_000_000)
    vector[::50] = 1.5
    assert len(pickle.dumps(packed_vector(vector))) < 100_000 * 12 + 1000
    assert len(pickle.dumps(packed_vector(vector + 1))) < 40_000_500


@given(st.integers(1, 40))
def test_a_tree_is_that_of_results_merged_in_order(shards):
    tree, join = Tree(shards), "({}{})".format

    def at(node):
        children = tree.children(node)
        assert all(tree.parent(child) == node for child in children)
        values = [at(child) for child in children]
        return join(*values) if len(values) == 2 else values[0] if values else str(node[1])

    assert at(tree.top) == reduced(map(str, range(shards)), join)


def test_a_tree_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no results to merge"):
        Tree(0)
