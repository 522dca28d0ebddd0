"""The list of stages: what each asks for comes before it, and a run has some of them."""

from dataclasses import replace

import pytest

from tunesmith.train import TrainOptions
from tunesmith.train.corpora import Corpora
from tunesmith.train.learning import LearnOptions
from tunesmith.train.stages import STAGE_NAMES, STAGES
from tunesmith.train.workplace import TrainFiles, Workplace

LEARNED = TrainOptions(features="medium", learn=LearnOptions(learner="maxforce"))


@pytest.mark.parametrize(
    "options",
    [TrainOptions(), TrainOptions(features="big"), TrainOptions(second_table="forced"), LEARNED],
)
def test_a_stage_asks_only_for_those_before_it(tmp_path, options):
    for name in ("s", "t", "ds", "dt"):
        (tmp_path / name).write_text("a b\n")
    corpora = Corpora.of(tmp_path / "s", tmp_path / "t")
    files = TrainFiles(corpora, tmp_path / "ds", [tmp_path / "dt"])
    kinds = [kind for kind in STAGES if kind.is_part_of(options)]
    names = tuple(kind.name for kind in kinds)
    assert len(set(names)) == len(names)
    place = Workplace(files, options, tmp_path / "work", 1, names)
    found = {}
    for kind in kinds:
        found[kind.name] = kind(place).stage()  # a KeyError if it asks for a later one
        place.stages[kind.name] = found[kind.name]
    keys = [stage.key for stage in found.values()]
    assert len(set(keys)) == len(keys)
    assert place.path(names[-1], "x") == tmp_path / "work" / names[-1] / "x"


def test_second_tables_are_of_one_kind_at_a_time():
    assert STAGE_NAMES.count("phrases2") == 1
    for options in (LEARNED, replace(TrainOptions(), second_table="forced")):
        made = [kind for kind in STAGES if kind.name == "phrases2" and kind.is_part_of(options)]
        assert len(made) == 1
