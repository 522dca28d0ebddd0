import gzip
import lzma
import os
from pathlib import Path

import numpy as np
import pytest

from tunesmith.base.array_file import write_arrays
from tunesmith.base.atomic import atomic_directory, atomic_path, atomic_text, is_special
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


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    # Never tried on a real device: as root, a mistake here would replace it.
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with atomic_text(path) as stream:
        stream.write("through\n")
    assert os.read(reader, 100) == b"through\n"
    os.close(reader)
    assert path.is_fifo()
    assert [entry.name for entry in tmp_path.iterdir()] == ["pipe"]


def test_what_stands_where_devices_do_is_never_renamed_over(tmp_path):
    assert is_special(Path("/dev/null"))
    assert is_special(Path("/dev/stdout"))  # also when it leads to a file
    assert is_special(Path("/dev/fd/1"))
    (tmp_path / "devices").symlink_to("/dev")
    assert is_special(tmp_path / "devices" / "null")
    assert not is_special(Path("/dev/shm/new"))
    assert not is_special(tmp_path / "new")
    (tmp_path / "old").write_text("")
    assert not is_special(tmp_path / "old")


def test_binary_files_take_the_place_of_files_only(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(InputError, match="no ordinary file, expected a file"):
            write_arrays(path, "test", 1, {"x": np.zeros(3)})
    assert (tmp_path / "pipe").is_fifo()
