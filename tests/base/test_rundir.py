import pytest

from tunesmith.base.errors import InputError
from tunesmith.base.rundir import RECORD_NAME, file_hash, read_record, run_record, write_record


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


def test_no_record_and_a_broken_one(tmp_path):
    assert read_record(tmp_path) is None
    for text in ("{", "[]"):
        (tmp_path / RECORD_NAME).write_text(text)
        with pytest.raises(InputError, match="not a run record"):
            read_record(tmp_path)
