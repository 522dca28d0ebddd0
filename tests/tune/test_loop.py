"""The tuning loop: what it returns, that a kill does not change it, and other people's decoders."""

import sys
from dataclasses import dataclass
from typing import ClassVar

import pytest

from reference.scripted_loop import ScriptedSource
from reference.tiny_models import random_model
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.base.weights import Weights
from tunesmith.decode import open_command, open_decoder
from tunesmith.metrics import Bleu
from tunesmith.tune import make_tuner
from tunesmith.tune.base import AnyTuner
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.loop_state import POOL_FILE, STATE_FILE, WEIGHTS_FILE
from tunesmith.tune.sources import DecoderSource
from tunesmith.tune.turns import LoopSetting, Turn

SENTENCES = ["a b c a b", "b c a c b a", "c a b a b c", "a a b c b"]
REFERENCES = [["w x y z w", "x y z w x y", "w w x y z", "z y x w x y"]]


class Killed(Exception):
    pass


@pytest.fixture
def model(tmp_path):
    return random_model(3, tmp_path / "m")[0]


def loop(model, threads=1, tuner="kb-mira", **options):
    source = DecoderSource(open_decoder(model, engine=threads), SENTENCES)
    return TuningLoop(
        source,
        make_tuner(tuner, engine=threads),
        Bleu(order=2, tokenize="none"),
        REFERENCES,
        size=20,
        **options,
    )


def test_the_best_iteration_is_the_result(model, tmp_path):
    result = loop(model, iterations=4).run(model.initial_weights(), tmp_path / "run")
    scores = [turn.score for turn in result.iterations]
    assert result.score == max(scores)
    assert result.score >= scores[0]
    best = result.iterations[scores.index(max(scores))]
    assert dict(result.weights) == best.weights
    sizes = [turn.hypotheses for turn in result.iterations]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("killed_after", [1, 2, 3])
def test_killed_and_resumed_ends_the_same(model, tmp_path, killed_after):
    whole = loop(model, iterations=4).run(model.initial_weights(), tmp_path / "whole")

    def kill(number, iteration):
        if number == killed_after:
            raise Killed

    with pytest.raises(Killed):
        loop(model, iterations=4).run(model.initial_weights(), tmp_path / "killed", report=kill)
    resumed = loop(model, iterations=4, threads=2).run(model.initial_weights(), tmp_path / "killed")
    assert repr(resumed) == repr(whole)
    assert (tmp_path / "killed" / STATE_FILE).read_bytes() == (
        tmp_path / "whole" / STATE_FILE
    ).read_bytes()


@pytest.mark.parametrize("tuner", ["kb-mira", "kb-mert", "pro", "lb-mira", "lb-risk", "mira"])
def test_a_loop_that_fell_goes_on_after_a_kill(model, tmp_path, tuner, monkeypatch):
    # Every second turn falls.
    monkeypatch.setattr("tunesmith.tune.loop.has_fallen", lambda *_: next(falls))

    def kill(number, iteration):
        if number == 3:
            raise Killed

    def run(name, **options):
        turns = loop(model, iterations=4, tuner=tuner)
        return turns.run(model.initial_weights(), tmp_path / name, **options)

    falls = iter([True, False, True, False])
    whole = run("whole")
    assert [turn.fell for turn in whole.iterations] == [False, True, False, True, False]
    falls = iter([True, False])
    with pytest.raises(Killed):
        run("killed", report=kill)
    falls = iter([True, False])
    assert repr(run("killed")) == repr(whole)


def test_a_folder_of_other_settings_is_refused(model, tmp_path):
    loop(model, iterations=1).run(model.initial_weights(), tmp_path / "run")
    with pytest.raises(
        OptionError, match=r"holds a tuning run with other settings \(tuner differ\)"
    ):
        loop(model, iterations=1, tuner="random").run(model.initial_weights(), tmp_path / "run")
    (tmp_path / "run" / STATE_FILE).write_text("{}")
    with pytest.raises(InputError, match="no tuning state; delete the folder"):
        loop(model, iterations=1).run(model.initial_weights(), tmp_path / "run")


@pytest.mark.parametrize("file", [WEIGHTS_FILE, POOL_FILE])
def test_broken_files_of_an_iteration_are_named(model, tmp_path, file):
    loop(model, iterations=2).run(model.initial_weights(), tmp_path / "run")
    path = tmp_path / "run" / file.format(2)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(InputError, match=path.name):
        loop(model, iterations=3).run(model.initial_weights(), tmp_path / "run")
    path.unlink()
    with pytest.raises(InputError, match=path.name):
        loop(model, iterations=3).run(model.initial_weights(), tmp_path / "run")
    path.write_bytes(whole)
    more = loop(model, iterations=3).run(model.initial_weights(), tmp_path / "run")
    assert len(more.iterations) == 4


@dataclass
class Loaded:
    """What one turn of the tuner below keeps: the number of turns so far."""

    count: int

    def save(self, path):
        path.write_text(str(self.count))


@dataclass
class CountingTurns:
    setting: LoopSetting
    count: int = 0

    def resume(self, paths, fell):
        self.count = int(paths[-1].read_text())

    def search(self, weights):
        return self.setting.references[0]

    def tune(self, start, *, fell, last):
        self.count += 1
        weights = None if last else Weights({"turns": float(self.count)})
        return Turn(Loaded(self.count), self.count, "turns", weights)


@dataclass
class CountingTuner(AnyTuner):
    """Neither lists nor graphs."""

    name: ClassVar[str] = "counting"
    title: ClassVar[str] = "for tests"

    def turns(self, setting):
        return CountingTurns(setting)


@pytest.mark.parametrize("killed_after", [None, 2])
def test_a_tuner_brings_its_own_kind_of_turns(tmp_path, killed_after):
    def report(number, _):
        if number == killed_after:
            raise Killed

    def run(**options):
        loop = TuningLoop(ScriptedSource([]), CountingTuner(), Bleu(), REFERENCES, iterations=3)
        return loop.run(Weights({"turns": 9.0}), tmp_path / "run", **options)

    if killed_after:
        with pytest.raises(Killed):
            run(report=report)
    result = run()
    assert [turn.weights["turns"] for turn in result.iterations] == [9.0, 1.0, 2.0, 3.0]
    assert [turn.hypotheses for turn in result.iterations] == [1, 2, 3, 4]


def test_patience_ends_the_loop_early(model, tmp_path):
    result = loop(model, iterations=15, patience=2).run(model.initial_weights(), tmp_path / "run")
    assert len(result.iterations) < 15
    assert result.stopped


DECODER = """
import sys
from dataclasses import dataclass
from typing import ClassVar
weights = dict(line.split("\\t") for line in open(sys.argv[1]) if not line.startswith("#"))
good = float(weights["a"]) > float(weights["b"])
with open(sys.argv[2], "w") as out:
    for i, words in enumerate(["w x y z w", "x y z w x y"]):
        lines = [f"{i} ||| {words} ||| a= 1 b= 0 ||| 0\\n", f"{i} ||| z z z ||| a= 0 b= 1 ||| 0\\n"]
        out.writelines(lines if good else reversed(lines))
"""


def command_loop(tmp_path, command):
    references = [["w x y z w", "x y z w x y"]]
    source = DecoderSource(open_command(command, tmp_path / "files"), ["a", "b"])
    return TuningLoop(source, make_tuner("kb-mira"), Bleu(), references, iterations=3)


def test_any_command_that_prints_nbest_lists_can_be_tuned(tmp_path):
    script = tmp_path / "decoder.py"
    script.write_text(DECODER)
    command = f"{sys.executable} {script} {{weights}} {{nbest}}"
    result = command_loop(tmp_path, command).run(Weights({"a": 0.1, "b": 1.0}), tmp_path / "run")
    assert result.iterations[0].score == 0.0
    assert result.score == pytest.approx(100.0)
    assert result.weights["a"] > result.weights["b"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("true", "the decoder command has no {weights}: true"),
        ("echo why >&2; exit 3 # {weights} {nbest}", "ended with exit code 3: why"),
        ("true # {weights} {nbest}", "left no n-best list: it said nothing"),
    ],
)
def test_broken_commands_are_named(tmp_path, command, message):
    with pytest.raises(TunesmithError) as caught:
        command_loop(tmp_path, command).run(Weights({"a": 1.0}), tmp_path / "run")
    assert message in str(caught.value)
