"""The demo's job: its corpus, what it trains, and the scores that it tells."""

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.base.rundir import read_record
from tunesmith.decode import open_decoder
from tunesmith.decode.translate import Translator
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.train import demo


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(demo, "DEV_PAIRS", 20)
    monkeypatch.setattr(demo, "TEST_PAIRS", 30)


def texts(folder):
    return {path.name: read_lines(path) for path in sorted(folder.iterdir()) if path.is_file()}


def test_the_demo(small, tmp_path):
    report = demo.train_demo(tmp_path, pairs=300, seed=3, engine=1)
    found = texts(tmp_path)
    sizes = {name: len(lines) for name, lines in found.items()}
    assert sizes == {
        "dev.de": 20, "dev.en": 20, "dev.links": 20,
        "test.de": 30, "test.en": 30, "test.links": 30,
        "train.de": 300, "train.en": 300, "train.links": 300,
    }  # fmt: skip
    assert not set(found["train.de"]) & {*found["dev.de"], *found["test.de"]}
    assert not set(found["dev.de"]) & set(found["test.de"])
    options = read_record(tmp_path / "model")["options"]
    assert (options["lm"]["order"], options["tune"]["iterations"], options["seed"]) == (4, 6, 3)
    assert options["text"]["source_language"] == "de"
    assert options["text"]["target_language"] == "en"
    scores = [
        Bleu().corpus_score(
            Translator(open_decoder(report.model, engine=1), weights=weights).translate(
                found["test.de"]
            ),
            [found["test.en"]],
        )
        for weights in (report.model.initial_weights(), report.model.weights)
    ]
    assert [report.untuned_score, report.test_score] == scores
    assert scores[0] != scores[1]
    assert report.signature == Bleu().signature()
    assert report.seconds > 0


@pytest.mark.parametrize("pairs", [0, 29_201])
def test_the_phrasebook_has_so_many_training_pairs(pairs, tmp_path):
    with pytest.raises(OptionError, match=f"^pairs is {pairs}, expected 1 to 29200$"):
        demo.train_demo(tmp_path / "x", pairs=pairs)
    assert not (tmp_path / "x").exists()
