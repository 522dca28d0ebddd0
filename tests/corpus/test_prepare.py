import json

import numpy as np
import pytest

from tunesmith.base.errors import InputError, OptionError
from tunesmith.cli.main import main
from tunesmith.corpus import Bitext, PreparedCorpus, PrepareOptions, prepare
from tunesmith.corpus.cleaning import CleanOptions

OPTIONS = PrepareOptions(source_language="de", target_language="en")


def corpus(size):
    for i in range(size):
        yield f"Das ist Satz {i}, ein Haus in Rom.", f"That's sentence {i}, a house in Rome."


def read(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def test_a_folder_with_all_that_training_needs(tmp_path):
    pairs = [*corpus(50), ("", "leer"), ("OK", "OK"), ("w " * 10_000, "v"), *corpus(50)]
    made = prepare(
        tmp_path / "c",
        pairs,
        PrepareOptions(source_language="de", target_language="en", dev_size=5, test_size=4),
    )
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        "bitext.bin", "dev.raw.reference0", "dev.raw.source", "dev.reference0", "dev.source",
        "report.json", "run.json", "source.json", "target.json", "test.raw.reference0",
        "test.raw.source", "test.reference0", "test.source", "train.source", "train.target",
    ]  # fmt: skip
    assert made.report() == {
        "cleaning": {
            "kept": 41, "empty side": 1, "too long": 1, "length ratio": 0, "wrong script": 0,
            "identical sides": 1, "duplicate": 41, "sentence of dev or test": 9,
        },
        "overlap": {"dev": 0, "test": 0},
        "pairs": {"train": 41, "dev": 5, "test": 4},
    }  # fmt: skip
    train = made.train()
    assert train.source.lines() == read(made.text("train", "source"))
    assert train.target.lines() == read(made.text("train", "target"))
    for name in ("dev", "test"):
        for side, file in (("source", "source"), ("target", "reference0")):
            raw = read(made.text(name, file, raw=True))
            words = read(made.text(name, file))
            assert made.preprocessor(side).encode(raw) == words
            assert made.preprocessor(side).decode(words) == raw
    everything = [
        line for name in ("train", "dev", "test") for line in read(made.text(name, "source"))
    ]
    assert len(set(everything)) == 50
    assert read(made.text("train", "target"))[0].startswith("That 's sentence ")


def test_given_sets_stay_as_they_are_and_overlaps_are_warned_of(tmp_path, caplog):
    dev = [("Neu.", "New."), ("", ""), ("das ist Satz 3, ein Haus in Rom.", "Something else.")]
    made = prepare(tmp_path / "c", corpus(20), OPTIONS, dev=dev, test=[("Anders.", "Different.")])
    assert read(made.text("dev", "source")) == ["Neu .", "", "das ist Satz 3 , ein Haus in Rom ."]
    assert read(made.text("dev", "reference0", raw=True)) == ["New.", "", "Something else."]
    assert made.report()["overlap"] == {"dev": 1, "test": 0}
    assert "1 of 3 dev pairs have a sentence that is in the training set too" in caplog.text


@pytest.mark.parametrize("tokenizer", ["moses", "char", "none"])
@pytest.mark.parametrize("casing", ["none", "lowercase", "truecase"])
def test_threads_and_blocks_change_no_byte(tmp_path, monkeypatch, tokenizer, casing):
    options = PrepareOptions(
        source_language="de", target_language="en", tokenizer=tokenizer, casing=casing, dev_size=30,
        clean=CleanOptions(keep_identical=True, source_script="latin", target_script="latin"),
    )  # fmt: skip
    contents = []
    for threads, block in ((1, 1 << 16), (2, 1 << 16), (3, 97)):
        monkeypatch.setattr("tunesmith.corpus.sentences.BLOCK_LINES", block)
        folder = tmp_path / f"{threads}-{block}"
        prepare(folder, corpus(5000), options, engine=threads)
        contents.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert contents[0] == contents[1] == contents[2]


def test_odd_text_survives(tmp_path):
    odd = "| [X] <b> </s> 👩‍👩‍👧 e\u0301 שלום a\u2028b &amp; ▁"
    made = prepare(
        tmp_path / "c",
        [(odd, f"x {odd}")],
        PrepareOptions(source_language="de", target_language="en", tokenizer="none", casing="none"),
    )
    assert list(made.train().pairs()) == [(odd, f"x {odd}")]
    assert read(made.text("train", "source")) == [odd]


def test_nothing_is_left_of_a_failure(tmp_path):
    def broken():
        yield from corpus(10)
        raise InputError("x", 11, "broken")

    with pytest.raises(InputError, match="x:11: broken"):
        prepare(tmp_path / "c", broken(), OPTIONS)
    assert list(tmp_path.iterdir()) == []


def test_other_peoples_folders_are_not_replaced(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    with pytest.raises(OptionError, match="mine has other files in it, expected a folder to make"):
        prepare(tmp_path / "mine", corpus(10), OPTIONS)
    (tmp_path / "file").write_text("x")
    with pytest.raises(OptionError, match="file is a file, expected a folder to make"):
        prepare(tmp_path / "file", corpus(10), OPTIONS)
    for size in (10, 12):
        prepare(tmp_path / "again", corpus(size), OPTIONS)
    assert len(Bitext.load(tmp_path / "again" / "bitext.bin")) == 12


def test_what_makes_no_sense(tmp_path):
    with pytest.raises(OptionError, match="no pair is left to train on: kept 0 of 1 pairs"):
        prepare(tmp_path / "c", [("", "x")], OPTIONS)
    with pytest.raises(OptionError, match="no pair is left to train on: kept 0 of 0 pairs"):
        prepare(tmp_path / "c", [], OPTIONS)
    with pytest.raises(OptionError, match="both a dev set and its size are given, expected one"):
        prepare(
            tmp_path / "c",
            corpus(9),
            PrepareOptions(source_language="de", target_language="en", dev_size=1),
            dev=[],
        )
    with pytest.raises(InputError, match=r"no report.json, expected a prepared corpus; run"):
        PreparedCorpus(tmp_path)


def test_the_report_must_be_json(tmp_path):
    made = prepare(tmp_path / "c", corpus(9), OPTIONS)
    (tmp_path / "c" / "report.json").write_text("{")
    with pytest.raises(InputError, match=r"report.json: not JSON, expected the report of a prepar"):
        made.report()


def test_ids_are_first_appearance(tmp_path):
    made = prepare(tmp_path / "c", corpus(9), OPTIONS)
    ids = made.train().source.ids
    firsts = np.unique(ids, return_index=True)[1]
    assert np.all(np.diff(firsts) > 0)
    assert json.loads((tmp_path / "c" / "source.json").read_text())["tokenizer"]["name"] == "moses"


def test_a_broken_record_means_that_the_work_is_done_again(tmp_path, capsys):
    (tmp_path / "pairs.tsv").write_text("ja\tyes\n")
    command = ["corpus", "prepare", str(tmp_path / "pairs.tsv"), "-s", "de", "-t", "en"]
    command += ["-o", str(tmp_path / "out")]
    assert main(command) == 0
    record = (tmp_path / "out" / "run.json").read_text()
    (tmp_path / "out" / "run.json").write_text("{")
    assert main(command) == 0
    assert "up to date" not in capsys.readouterr().err
    assert (tmp_path / "out" / "run.json").read_text() == record
    assert main(command) == 0
    assert "up to date" in capsys.readouterr().err
