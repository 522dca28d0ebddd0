"""What a run would do and cost, from its sizes alone."""

from dataclasses import replace

import pytest

from tunesmith.train import Training, TrainOptions
from tunesmith.train.learning import LearnOptions
from tunesmith.train.options import TextOptions, TuneOptions
from tunesmith.train.plan import plan

PAIRS, DEV = 1000, 500


@pytest.fixture
def training(tmp_path):
    """A thousand pairs of 5 and 15 words, that is 20,000 words, and 500 dev sentences of 8."""
    (tmp_path / "s").write_text("a b c d e\n" * PAIRS)
    (tmp_path / "t").write_text(" ".join(["x"] * 15) + "\n" + ("x " * 15 + "\n") * (PAIRS - 1))
    (tmp_path / "dev").write_text("a b c d e f g h\n" * DEV)
    options = TrainOptions(features="dense", tune=TuneOptions(iterations=4), threads=1)
    return Training(
        tmp_path / "s", tmp_path / "t", tmp_path / "dev", [tmp_path / "dev"], tmp_path / "m",
        options=options,
    )  # fmt: skip


def rows(training):
    head, titles, *lines = plan(training, slowness=1.0).splitlines()
    return head, titles, {line.split()[0]: line.split()[1:] for line in lines}


def test_costs_grow_with_the_text(training):
    head, titles, stages = rows(training)
    assert head == "about 1,000 pairs, 0.0 million words"
    assert titles.split() == ["stage", "state", "CPU", "s", "memory", "MB", "disk", "MB"]
    assert list(stages) == ["corpus", "align", "lm", "phrases", "tune", "all"]
    # Costs for a million words times 0.02, and 100 MB for the program itself.
    assert stages["corpus"] == ["to", "do", "0", "101", "0"]
    assert stages["phrases"] == ["to", "do", "0", "104", "7"]
    # 0.004 million words, decoded once more than there are iterations; 120 MB for 1,000 sentences.
    assert stages["tune"] == ["to", "do", "4", "160", "60"]
    # Time and disk add up, memory does not.
    assert stages["all"] == ["to", "do", "4", "160", "68"]


def test_a_machine_that_is_slower_takes_longer(training):
    slower = plan(training, slowness=10.0).splitlines()
    assert slower[-1].split() == ["all", "to", "do", "39", "160", "68"]
    measured = plan(training).splitlines()
    assert [line.split()[0] for line in measured] == [line.split()[0] for line in slower]


def test_learning_costs_its_epochs(training):
    learns = replace(training.options, learn=LearnOptions(learner="maxforce"))
    twice = replace(learns, maxforce=replace(learns.maxforce, epochs=2 * learns.maxforce.epochs))
    seconds = [rows(replace(training, options=one))[2]["learn"][2] for one in (learns, twice)]
    assert seconds == ["11", "22"]


def test_hierarchical_models_have_costs_of_their_own(training):
    options = replace(training.options, model="hiero", learn=LearnOptions(learner="maxforce"))
    _, _, stages = rows(replace(training, options=options))
    assert list(stages) == [
        "corpus", "align", "lm", "grammar", "tune", "folds", "learn", "retune", "all",
    ]  # fmt: skip
    assert stages["tune"] == ["to", "do", "9", "160", "60"]
    assert stages["folds"] == ["to", "do", "2", "110", "52"]


def test_the_words_are_estimated_from_a_sample(training, monkeypatch, tmp_path):
    monkeypatch.setattr("tunesmith.train.plan.SAMPLE", 10)
    (tmp_path / "s").write_text("a b c d e\n" * 100_000)
    (tmp_path / "t").write_text(("x " * 15 + "\n") * 100_000)
    head, _, stages = rows(training)
    assert head == "about 100,000 pairs, 2.0 million words"
    # 0.18 s for a million words of sentences of one word, here of ten.
    assert stages["align"] == ["to", "do", "4", "220", "12"]
    (tmp_path / "s").write_text("")
    (tmp_path / "t").write_text("")
    assert rows(training)[0] == "about 0 pairs, 0.0 million words"


def test_every_stage_has_its_costs(training):
    options = replace(
        training.options,
        features="big",
        tune=TuneOptions(iterations=9, patience=0),
        learn=LearnOptions(learner="maxforce", retune=4),
        maxforce=replace(training.options.maxforce, folds=0),
    )
    _, _, stages = rows(replace(training, options=options))
    assert list(stages) == [
        "corpus", "align", "align2", "lm", "lm2", "phrases", "phrases2", "features", "tune",
        "learn", "retune", "all",
    ]  # fmt: skip
    assert stages["align2"] == stages["align"]
    assert stages["phrases2"] == stages["phrases"]
    assert stages["tune"] == ["to", "do", "8", "160", "60"]
    assert stages["retune"] == ["to", "do", "4", "160", "60"]
    assert stages["learn"] == ["to", "do", "11", "105", "6"]


def test_what_is_kept_is_kept_up_to_the_stage_to_repeat(training):
    for stage in training.stages.values():
        if stage.name != "tune":
            stage_folder = stage.folder(training.work)
            stage_folder.mkdir(parents=True)
            (stage_folder / "stage.json").write_text(f'{{"key": "{stage.key}"}}')
    states = {name: cells[0] for name, cells in rows(training)[2].items()}
    assert states == {
        "corpus": "kept", "align": "kept", "lm": "kept", "phrases": "kept", "tune": "to",
        "all": "to",
    }  # fmt: skip
    again = {name: cells[0] for name, cells in rows(replace(training, from_stage="lm"))[2].items()}
    assert again == {
        "corpus": "kept", "align": "kept", "lm": "to", "phrases": "to", "tune": "to", "all": "to",
    }  # fmt: skip


def test_tuning_that_stops_by_itself_costs_less(training):
    patient = replace(training.options, tune=TuneOptions(iterations=15, patience=0))
    assert rows(replace(training, options=patient))[2]["tune"][2] == "12"
    usual = replace(training.options, tune=TuneOptions(iterations=15, patience=3))
    assert rows(replace(training, options=usual))[2]["tune"][2] == "5"


def test_a_dev_set_that_is_held_out_has_about_so_many_words(training):
    options = replace(training.options, tune=TuneOptions(iterations=15, patience=0, dev_size=500))
    held_out = replace(training, dev_source=None, dev_references=[], options=options)
    # 500 sentences of 10 words: half of the 20 of a pair.
    assert rows(held_out)[2]["tune"] == ["to", "do", "15", "160", "60"]


def test_running_text_of_scripts_without_spaces_has_words(training, tmp_path):
    (tmp_path / "s").write_text("本仓库包含了所有用于构建的资产文档。\n" * PAIRS)
    assert rows(training)[0] == "about 1,000 pairs, 0.0 million words"
    (tmp_path / "s").write_text("本仓库包含了所有用于构建的资产文档。\n" * 100 * PAIRS)
    (tmp_path / "t").write_text("x y\n" * 100 * PAIRS)
    assert rows(training)[0] == "about 100,000 pairs, 1.3 million words"


def test_text_that_is_tokenised_is_sooner_prepared(training, tmp_path):
    (tmp_path / "s").write_text("a b c d e\n" * 200 * PAIRS)
    (tmp_path / "t").write_text("x y z v w\n" * 200 * PAIRS)
    assert rows(training)[2]["corpus"][2] == "5"
    tokenised = replace(training.options, text=TextOptions(tokenizer="none"))
    assert rows(replace(training, options=tokenised))[2]["corpus"][2] == "1"
