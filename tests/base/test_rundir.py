from importlib.machinery import EXTENSION_SUFFIXES

import pytest

import tunesmith
from tunesmith.base.errors import InputError
from tunesmith.base.rundir import (
    RECORD_NAME,
    code_hash,
    file_hash,
    read_record,
    run_record,
    write_record,
)


def test_record_round_trip(tmp_path):
    (tmp_path / "in").write_text("text")
    record = run_record("train", {"order": 5}, [tmp_path / "in"])
    write_record(tmp_path, record)
    assert read_record(tmp_path) == record
    assert record["inputs"][str(tmp_path / "in")] == file_hash(tmp_path / "in")
    assert record["options"] == {"order": 5}


def test_hashes_follow_contents(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("x")
    two.write_text("x")
    assert file_hash(one) == file_hash(two)
    two.write_text("y")
    assert file_hash(one) != file_hash(two)
    with pytest.raises(InputError, match="No such file"):
        file_hash(tmp_path / "three")


def test_the_code_hash_tells_a_changed_program(tmp_path, monkeypatch):
    def fresh(**options):
        code_hash.cache_clear()
        return code_hash(**options)

    (tmp_path / "tune").mkdir()
    (tmp_path / "cli").mkdir()
    native = tmp_path / f"_core{EXTENSION_SUFFIXES[0]}"
    native.write_bytes(b"1")
    (tmp_path / "tune" / "mira.py").write_text("C = 1")
    (tmp_path / "cli" / "main.py").write_text("x")
    with monkeypatch.context() as patch:
        patch.setattr(tunesmith, "__path__", [str(tmp_path)])
        first, all_of_it = fresh(without=("cli",)), fresh()
        (tmp_path / "cli" / "main.py").write_text("y")
        assert fresh(without=("cli",)) == first
        assert fresh() != all_of_it
        (tmp_path / "tune" / "mira.py").write_text("C = 2")
        second = fresh(without=("cli",))
        assert second != first
        native.write_bytes(b"2")
        assert fresh(without=("cli",)) not in (first, second)
    code_hash.cache_clear()


def test_no_record_and_a_broken_one(tmp_path):
    assert read_record(tmp_path) is None
    for text in ("{", "[]", "[" * 100_000, '{"inputs": []}'):
        (tmp_path / RECORD_NAME).write_text(text)
        with pytest.raises(InputError, match=r"not a run record, .*; delete this file: only the"):
            read_record(tmp_path)
