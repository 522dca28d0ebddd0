"""Features kept beside weights: the same where the weights are used, or refused."""

import json
import shutil

import pytest

from reference.nbest_rows import make_nbest
from tunesmith.base.errors import InputError
from tunesmith.rescore import add_features, keep_features, kept_features, parse_feature
from tunesmith.rescore.store import comment

NBEST = make_nbest([(0, "a b c", {}), (0, "c", {}), (1, "b a", {})], [])
SOURCES = ["A B", "B A"]


@pytest.fixture
def features(tmp_path):
    (tmp_path / "text").write_text("a b c\nb a\n")
    (tmp_path / "de").write_text("A B\nB\nA\n")
    (tmp_path / "en").write_text("a b\nb\na\n")
    (tmp_path / "f.py").write_text("def words(batch): return [len(t.split()) for _, t in batch]\n")
    specs = (
        f"lm:text={tmp_path}/text,order=2",
        f"align:src={tmp_path}/de,tgt={tmp_path}/en",
        "mbr:metric=chrf,aggregate=yes",
        f"python:function={tmp_path}/f.py:words",
    )
    return [parse_feature(spec) for spec in specs]


def values(features):
    return add_features(NBEST, features, SOURCES)


def test_what_is_kept_gives_the_same_values_without_the_training_text(tmp_path, features):
    weights = tmp_path / "w.tsv"
    keep_features(weights, features)
    for name in ("text", "de", "en"):
        (tmp_path / name).unlink()
    kept = kept_features(weights)
    again = values(kept)
    assert [feature.kind for feature in kept] == ["lm", "align", "mbr", "python"]
    assert again.dense.tobytes() == values(features).dense.tobytes()
    assert again.dense_names == (
        "lm",
        "align.forward",
        "align.reverse",
        "align.missing",
        "mbr",
        "words",
    )
    # The whole may be moved: what was trained is found beside the weights.
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    shutil.move(f"{weights}.features", moved / "w.tsv.features")
    assert values(kept_features(moved / "w.tsv")).dense.tobytes() == again.dense.tobytes()


def test_a_file_that_has_changed_is_refused(tmp_path, features):
    keep_features(tmp_path / "w.tsv", features)
    (tmp_path / "f.py").write_text("def words(batch): return [0 for _ in batch]\n")
    with pytest.raises(InputError, match=r"f.py: another content than when the weights were tuned"):
        kept_features(tmp_path / "w.tsv")
    (tmp_path / "f.py").unlink()
    with pytest.raises(
        InputError, match=r"f.py: no such file, expected what the weights were tuned"
    ):
        kept_features(tmp_path / "w.tsv")


def test_weights_without_features_keep_none(tmp_path, features):
    weights = tmp_path / "w.tsv"
    assert kept_features(weights) == []
    keep_features(weights, features)
    keep_features(weights, [])
    assert kept_features(weights) == []
    assert not (tmp_path / "w.tsv.features").exists()


def test_weights_that_lost_their_features_are_refused(tmp_path):
    weights = tmp_path / "w.tsv"
    weights.write_text(f"# {comment(weights)}\nlm\t1.0\n")
    with pytest.raises(InputError, match=r"w.tsv.features: no such folder, expected the features"):
        kept_features(weights)


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{", '{"version": 2, "features": []}', '{"version": 1}',
     '{"version": 1, "features": [{"kind": "x", "options": {}, "hashes": {}}]}',
     '{"version": 1, "features": [{"kind": "mbr", "options": {"x": 1}, "hashes": {}}]}',
     '{"version": 1, "features": [{"kind": "mbr", "options": {"scale": -1}, "hashes": {}}]}',
     '{"version": 1, "features": [{"kind": "mbr"}]}', '{"version": 1, "features": [3]}',
     '{"version": 1, "features": 3}', "\\xff"],
)  # fmt: skip
def test_broken_records_are_refused(tmp_path, content):
    folder = tmp_path / "w.tsv.features"
    folder.mkdir()
    (folder / "features.json").write_text(content)
    with pytest.raises(
        InputError, match=r"features.json: .*, expected what `tunesmith tune --add`"
    ):
        kept_features(tmp_path / "w.tsv")


def test_the_record_names_what_was_trained_without_a_path(tmp_path, features):
    keep_features(tmp_path / "w.tsv", features)
    record = json.loads((tmp_path / "w.tsv.features" / "features.json").read_text())
    assert [entry["options"].get("model") for entry in record["features"]][:2] == [
        "lm.lm",
        "align.align",
    ]
