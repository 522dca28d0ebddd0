"""A stage: done once, done again when what it is made from changes, whole or not at all."""

import json

import pytest

from tunesmith.align import Aligner
from tunesmith.base.errors import OptionError
from tunesmith.decode import SearchOptions
from tunesmith.train.keywords import changed, keywords, relevant, replace_parameters
from tunesmith.train.options import TextOptions, TrainOptions, TuneOptions
from tunesmith.train.stage import KEY_FILE, Stage


def writer(text, done):
    def work(folder):
        done.append(folder)
        (folder / "out").write_text(text)

    return work


def test_done_once_and_again_when_it_must(tmp_path, caplog):
    caplog.set_level("INFO", "tunesmith")
    done = []
    first = Stage("lm", {"order": 3}, writer("three", done))
    assert not first.is_done(tmp_path)
    assert first.run(tmp_path) == tmp_path / "lm"
    assert first.is_done(tmp_path)
    assert first.run(tmp_path) == tmp_path / "lm"
    assert len(done) == 1
    assert "lm: done in " in caplog.text
    assert "lm: kept from an earlier run" in caplog.text
    first.run(tmp_path, again=True)
    assert len(done) == 2
    other = Stage("lm", {"order": 4}, writer("four", done))
    assert not other.is_done(tmp_path)
    other.run(tmp_path)
    assert (tmp_path / "lm" / "out").read_text() == "four"
    assert not first.is_done(tmp_path)
    assert json.loads((tmp_path / "lm" / KEY_FILE).read_text()) == {
        "key": other.key, "inputs": {"order": 4},
    }  # fmt: skip


def test_keys_depend_on_name_and_inputs_not_on_their_order():
    def key(name, inputs):
        return Stage(name, inputs, lambda folder: None).key

    assert key("a", {"x": 1, "y": 2}) == key("a", {"y": 2, "x": 1})
    assert len({key("a", {"x": 1}), key("b", {"x": 1}), key("a", {"x": 2})}) == 3


def test_a_stage_that_fails_leaves_nothing(tmp_path):
    def fail(folder):
        (folder / "half").write_text("…")
        raise OptionError("no")

    stage = Stage("x", 1, fail)
    with pytest.raises(OptionError):
        stage.run(tmp_path)
    assert list(tmp_path.iterdir()) == []
    for text in ("", "[]", "{}", '{"key": 5}'):
        (tmp_path / "x").mkdir(exist_ok=True)
        (tmp_path / "x" / KEY_FILE).write_text(text)
        assert not stage.is_done(tmp_path)


def test_keywords():
    aligner = Aligner(engine=3, hmm=2)
    assert keywords(aligner)["hmm"] == 2
    assert keywords(aligner)["engine"] == 3
    assert relevant(aligner) == {k: v for k, v in keywords(aligner).items() if k != "engine"}
    assert keywords(replace_parameters(aligner, hmm=4)) == {**keywords(aligner), "hmm": 4}
    assert changed(SearchOptions()) == {}
    assert changed(SearchOptions(pop_limit=7)) == {"pop_limit": 7}


def test_what_auto_stands_for():
    assert TextOptions().casing_of("moses") == "truecase"
    assert TextOptions().casing_of("none") == "none"
    assert TextOptions(casing="lowercase").casing_of("none") == "lowercase"
    assert TextOptions().tokenizers == ("auto", "auto")
    assert TextOptions(tokenizer="none").tokenizers == ("none", "none")
    mixed = TextOptions(tokenizer="moses", source_tokenizer="char")
    assert mixed.tokenizers == ("char", "moses")
    assert TextOptions(source_language="german").languages == ("de", "")
    two = TrainOptions(features="medium")
    assert (TrainOptions().second_alignment, two.second_alignment) == ("", "ibm2")
    assert TrainOptions(features="medium", align=Aligner(hmm=0)).second_alignment == "hmm"
    assert TrainOptions(second_table="hmm").second_alignment == "hmm"
    assert TrainOptions(second_table="forced").second_alignment == ""
    assert [TrainOptions(features=name).sparse for name in ("small", "medium", "big")] == [
        False, False, True,
    ]  # fmt: skip
    assert TrainOptions(features="small", template=("x.py:f",)).sparse
    assert [TrainOptions(features=name).second_lm for name in ("small", "medium", "standard")] == [
        False, True, True,
    ]  # fmt: skip


def test_the_tuner_of_the_options():
    tuner = TuneOptions(tuner="kb-mira", options={"decay": 0.5}).make_tuner(seed=7, engine=3)
    assert (tuner.name, tuner.decay, tuner.seed, tuner.threads) == ("kb-mira", 0.5, 7, 3)
    assert (tuner.C, tuner.passes, tuner.interpolation) == (0.02, 10, 0.7)
    with pytest.raises(OptionError, match="decay is 2"):
        TuneOptions(options={"decay": 2.0}).make_tuner(seed=1, engine=1)
