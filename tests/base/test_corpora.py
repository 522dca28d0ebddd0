"""The helper that decides whether a test has the data that it needs."""

import pytest

from corpora import SharedData


@pytest.fixture
def shared(tmp_path, monkeypatch):
    monkeypatch.setenv("TUNESMITH_DATA", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "train.de").write_text("ja\n")
    return SharedData.here()


def test_a_file_that_is_there_is_a_path(shared):
    assert (shared / "set" / "train.de").read_text() == "ja\n"
    assert [path.name for path in (shared / "set").glob("train.*")] == ["train.de"]


@pytest.mark.parametrize(
    "name",
    [
        lambda shared: shared / "other" / "train.de",
        lambda shared: shared / "set" / "train.en",
        lambda shared: shared / "set/train.en",
        lambda shared: (shared / "set").glob("*.en"),
    ],
)
def test_one_that_is_not_skips_the_test_and_fails_it_under_ci(shared, name, monkeypatch):
    with pytest.raises(pytest.skip.Exception, match=r"no data at .*(other|\.en) \(set TUNESMITH"):
        name(shared)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no data at"):
        name(shared)
