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
    return {
        path.name: read_lines(path) for path in sorted(folder.iterdir()) if path.suffix != ".txt"
        and path.is_file()
    }  # fmt: skip


def test_the_demo(small, tmp_path):
    report = demo.train_demo(tmp_path, pairs=300, seed=3, engine=1)
    found = texts(tmp_path)
    sizes = {name: len(lines) for name, lines in found.items()}
    assert sizes == {
        "dev.de": 20, "dev.en": 20, "test.de": 30, "test.en": 30, "train.de": 300, "train.en": 300,
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


def test_the_corpus_is_written_once_for_the_same_wish(small, tmp_path):
    demo._write_corpus(tmp_path, 50, 1)
    before = texts(tmp_path)
    (tmp_path / "train.de").write_text("mine\n")
    demo._write_corpus(tmp_path, 50, 1)
    assert (tmp_path / "train.de").read_text() == "mine\n"
    demo._write_corpus(tmp_path, 51, 1)
    assert len(texts(tmp_path)["train.de"]) == 51
    demo._write_corpus(tmp_path, 50, 1)
    assert texts(tmp_path) == before
    demo._write_corpus(tmp_path, 50, 2)
    assert texts(tmp_path)["train.de"] != before["train.de"]


def test_no_pairs(tmp_path):
    with pytest.raises(OptionError, match="pairs is 0, expected at least 1"):
        demo.train_demo(tmp_path / "x", pairs=0)
    assert not (tmp_path / "x").exists()
