"""What a learner keeps between epochs: found again, refused with other settings or when broken."""

import pytest

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.lock import locked
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.features import LexicalFeatures, SideClasses
from tunesmith.learn import Maxforce
from tunesmith.learn.checkpoint import STATE_FILE, Checkpoint

IDENTITY = {"options": {"rate": 0.1}, "dev": 7}
VALUES = {"state": [[1.0], [0.0], 3.0], "epochs": [{"number": 1}], "start_score": 20.0}


@pytest.fixture
def kept(tmp_path):
    lexical = LexicalFeatures().build(SideClasses(), SideClasses())
    Checkpoint.open(tmp_path, IDENTITY).save(lexical, lexical, Weights({"lm": 1.0}), VALUES)
    return tmp_path


def test_found_again(kept):
    again = Checkpoint.open(kept, IDENTITY)
    assert again.state == VALUES["state"]
    assert again.epochs == VALUES["epochs"]
    assert again.start_score == 20.0
    assert again.lexical is not None
    _, weights = again.best
    assert weights == {"lm": 1.0}


def test_only_the_last_and_the_best_are_kept(kept):
    lexical = LexicalFeatures().build(SideClasses(), SideClasses())
    checkpoint = Checkpoint.open(kept, IDENTITY)
    checkpoint.save(lexical, None, None, {**VALUES, "epochs": [{}, {}]})
    names = sorted(path.name for path in kept.iterdir())
    assert names == ["best-1.bin", "best-1.tsv", "learner-2.bin", STATE_FILE]


def test_other_settings_are_refused(kept):
    with pytest.raises(OptionError) as caught:
        Checkpoint.open(kept, {**IDENTITY, "options": {"rate": 0.2}})
    assert str(caught.value) == (
        f"{kept} holds a run with other settings (options differ); give the old settings to go on "
        "with it, or delete the folder"
    )


def test_a_folder_that_another_run_uses_is_refused_before_the_work(tmp_path):
    nothing = ([], [])
    with locked(tmp_path), pytest.raises(OptionError, match=f"{tmp_path} is in use by process"):
        Maxforce(folds=0).fit(None, None, Bitext.from_lines([], []), nothing, folder=tmp_path)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"identity": 1, "epochs": 2}'])
def test_a_broken_state_is_answered(kept, text):
    (kept / STATE_FILE).write_text(text)
    with pytest.raises(InputError, match="no state of a learner"):
        Checkpoint.open(kept, IDENTITY)
