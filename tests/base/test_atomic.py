import gzip
import lzma

import pytest

from tunesmith.base.atomic import atomic_directory, atomic_path, atomic_text
from tunesmith.base.errors import InputError


@pytest.mark.parametrize(
    ("name", "opener"), [("a", open), ("a.gz", gzip.open), ("a.xz", lzma.open)]
)
def test_text_appears_whole_and_packed_as_its_name_says(tmp_path, name, opener):
    with atomic_text(tmp_path / name) as stream:
        stream.write("ä\n\u2028b\n")
        assert not (tmp_path / name).exists()
    with opener(tmp_path / name, "rb") as stream:
        assert stream.read() == "ä\n\u2028b\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_equal_contents_are_equal_bytes_when_packed(tmp_path):
    for name in ("a.gz", "b.gz"):
        with atomic_text(tmp_path / name) as stream:
            stream.write("x" * 1000)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_nothing_is_left_of_a_failure_and_the_old_file_stays(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")

    def fail():
        with atomic_text(path) as stream:
            stream.write("new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_standard_output(capsys):
    with atomic_text(None) as stream:
        stream.write("x\n")
    with atomic_text("-") as stream:
        stream.write("y\n")
    assert capsys.readouterr().out == "x\ny\n"


def test_a_missing_folder_is_named(tmp_path):
    with (
        pytest.raises(InputError, match=r"none/a: its folder does not exist, expected an existing"),
        atomic_path(tmp_path / "none" / "a"),
    ):
        pass


def test_directories_take_the_place_of_old_ones(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "old").write_text("old")
    with atomic_directory(tmp_path / "d") as folder:
        (folder / "new").write_text("new")
    assert [path.name for path in (tmp_path / "d").iterdir()] == ["new"]

    def fail():
        with atomic_directory(tmp_path / "d") as folder:
            (folder / "half").write_text("")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [path.name for path in (tmp_path / "d").iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["d"]
