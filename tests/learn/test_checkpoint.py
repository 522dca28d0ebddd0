"""What a learner keeps between epochs: found again, refused with other settings or when broken."""

from dataclasses import replace

import pytest

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.lock import locked
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.features import LexicalFeatures, SideClasses
from tunesmith.learn import Epoch, Maxforce
from tunesmith.learn.checkpoint import STATE_FILE, Checkpoint
from tunesmith.learn.learner import Learned

IDENTITY = {"options": {"rate": 0.1}, "dev": 7}
EPOCH = Epoch(1, 30.0, 5, 0.5, 2, 0, 0.0, 0.1, 3, 1.5, [0] * 10)


class Learner:
    """Keeps a number in its file and another beside it."""

    value = 5

    def save(self, path):
        path.write_text(str(self.value))
        return [self.value + 1]

    def restore(self, path, state):
        self.value = int(path.read_text()), *state


def epochs(count):
    return [replace(EPOCH, number=number) for number in range(1, count + 1)]


@pytest.fixture
def kept(tmp_path):
    lexical = LexicalFeatures().build(SideClasses(), SideClasses())
    checkpoint = Checkpoint.open(tmp_path, IDENTITY)
    assert checkpoint.restore(Learner()) == []
    checkpoint.start_score = 20.0
    checkpoint.save(Learner(), Learned(Weights({"lm": 1.0}), lexical), epochs(1))
    return tmp_path


def test_found_again(kept):
    again, learner = Checkpoint.open(kept, IDENTITY), Learner()
    assert again.restore(learner) == epochs(1)
    assert learner.value == (5, 6)
    assert again.start_score == 20.0
    assert again.best.weights == {"lm": 1.0}
    assert again.best.lexical is not None


def test_only_the_last_and_the_best_are_kept(kept):
    checkpoint = Checkpoint.open(kept, IDENTITY)
    checkpoint.save(Learner(), None, epochs(2))
    names = sorted(path.name for path in kept.iterdir())
    assert names == ["best-1.bin", "best-1.tsv", "learner-2.bin", STATE_FILE]
    checkpoint.save(Learner(), Learned(Weights({"lm": 3.0})), epochs(3))
    names = sorted(path.name for path in kept.iterdir())
    assert names == ["best-3.tsv", "learner-3.bin", STATE_FILE]
    assert checkpoint.best == Learned(Weights({"lm": 3.0}))


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
