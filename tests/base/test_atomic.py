import gzip
import lzma
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tunesmith.base.array_file import write_arrays
from tunesmith.base.atomic import (
    atomic_directory,
    atomic_path,
    atomic_text,
    check_writable,
    check_writable_folder,
    is_special,
)
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
    for name, found in (("pipe", "no ordinary file, expected a file"), ("", "a folder, expected")):
        with pytest.raises(InputError, match=found):
            write_arrays(tmp_path / name, "test", 1, {"x": np.zeros(3)})
    assert (tmp_path / "pipe").is_fifo()


def text(path):
    with atomic_text(path) as stream:
        stream.write("x")


def arrays(path):
    write_arrays(path, "test", 1, {"x": np.zeros(3)})


def folder(path):
    with atomic_directory(path):
        pass


# Writes until it is killed.
ENDLESS = """
import sys, time
from tunesmith.base.atomic import atomic_directory, atomic_path, atomic_text
kind = {"text": atomic_text, "arrays": atomic_path, "folder": atomic_directory}[sys.argv[1]]
with kind(sys.argv[2]) as place:
    if kind is atomic_text:
        place.write("half")
        place.flush()
    elif kind is atomic_path:
        place.write_text("half")
    print("writing", flush=True)
    time.sleep(1000)
"""


@pytest.mark.parametrize("write", [text, arrays, folder])
def test_what_a_killed_process_left_goes_when_the_same_is_written_again(tmp_path, write):
    command = [sys.executable, "-c", ENDLESS, write.__name__, str(tmp_path / "o")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"writing\n"
        left = [f".o.tmp{process.pid}"]
        assert os.listdir(tmp_path) == left
        text(tmp_path / "other")
        write(tmp_path / "o")  # it lives, so what it writes is its own
        assert sorted(os.listdir(tmp_path)) == [*left, "o", "other"]
        process.kill()
    text(tmp_path / "other")
    assert sorted(os.listdir(tmp_path)) == [*left, "o", "other"]
    write(tmp_path / "o")
    assert sorted(os.listdir(tmp_path)) == ["o", "other"]


def test_what_native_code_had_on_disk_goes_too(tmp_path):
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    (tmp_path / f".o.tmp{ended.pid}.spill.lALpJ7").write_bytes(b"")
    text(tmp_path / "o")
    assert os.listdir(tmp_path) == ["o"]


def test_a_number_that_another_process_has_now_keeps_nothing(tmp_path):
    left = tmp_path / f".o.tmp{os.getppid()}"
    left.write_text("")
    text(tmp_path / "o")
    assert left.exists()
    os.utime(left, (1e9, 1e9))  # before that process began
    text(tmp_path / "o")
    assert os.listdir(tmp_path) == ["o"]


def test_an_error_names_the_file_that_the_user_knows(tmp_path):
    def fail(kind, name):
        with kind(tmp_path / "o") as temporary:
            raise InputError(temporary / name, 3, "nothing", "something", "write it")

    with pytest.raises(InputError) as caught:
        fail(atomic_path, "")
    assert str(caught.value) == f"{tmp_path}/o:3: nothing, expected something; write it"
    with pytest.raises(InputError) as caught:
        fail(atomic_directory, "model.toml")
    assert caught.value.path == f"{tmp_path}/o/model.toml"


def test_of_two_files_the_full_one_is_named(tmp_path):
    with (
        pytest.raises(
            InputError, match=r"^/dev/full: No space left on device, expected a writable"
        ),
        atomic_text("/dev/full") as full,
        atomic_text(tmp_path / "o"),
    ):
        full.write("x" * 100_000)
    assert os.listdir(tmp_path) == []


def test_errors_of_other_files_stay_theirs(tmp_path):
    for kind in (atomic_text, atomic_directory):
        with pytest.raises(FileNotFoundError), kind(tmp_path / "o"):
            (tmp_path / "none").read_text()


def test_the_same_file_is_not_written_twice_at_once(tmp_path):
    with (
        pytest.raises(InputError, match="o: to be written twice, expected different names"),
        atomic_text(tmp_path / "o"),
        atomic_text(tmp_path / "." / "o"),
    ):
        pass
    text(tmp_path / "o")


def test_what_cannot_be_written_is_known_before(tmp_path):
    (tmp_path / "file").write_text("old")
    for path, message in [
        (tmp_path, "a folder, expected the name of a file to write"),
        (tmp_path / "none" / "o", "its folder does not exist, expected an existing folder"),
        (tmp_path / "file" / "o", "its folder does not exist, expected an existing folder"),
        (tmp_path / ("o" * 300), "File name too long"),
    ]:
        with pytest.raises(InputError, match=message):
            check_writable(path)
    for path, message in [
        (tmp_path / "file", "a file, expected the name of a folder to write"),
        (tmp_path / "file" / "o", "Not a directory, expected a writable folder"),
        (Path("."), "a folder, expected the name of something to write"),
    ]:
        with pytest.raises(InputError, match=message):
            check_writable_folder(path)
    for path in (tmp_path / "new", tmp_path / "file", "-", None, "/dev/null"):
        check_writable(path)
    for path in (tmp_path / "new", tmp_path / "a" / "b", tmp_path):
        check_writable_folder(path)
        check_writable_folder(path, replaced=False)
    assert os.listdir(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text() == "old"
