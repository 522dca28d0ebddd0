"""Translators with each kind of reordering model, from a small phrasebook."""

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook
from tunesmith.model import TranslationModel
from tunesmith.reorder import MaxentReordering
from tunesmith.train import TrainOptions


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=5, dev=30, test=10, train=600)
    return folder


def arguments(corpus, out, *more):
    return [
        "train", "--src", f"{corpus}/train.de", "--tgt", f"{corpus}/train.en",
        "--dev-src", f"{corpus}/dev.de", "--dev-ref", f"{corpus}/dev.en", "--quiet",
        "--source-language", "de", "--iterations", "1", "--size", "10", "--order", "2",
        "--features", "dense", "--threads", "1", "--work", f"{corpus}/work", "--out", str(out),
        *more,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "prefixes"),
    [
        ("lexicalized", {"reorder"}),
        ("maxent", {"maxent"}),
        ("both", {"reorder", "maxent"}),
        ("none", set()),
    ],
)
def test_a_model_has_the_features_of_its_kind(corpus, tmp_path, kind, prefixes, capsys):
    out = tmp_path / "model"
    assert main(arguments(corpus, out, "--reordering-model", kind)) == 0
    names = TranslationModel.load(out).feature_names
    found = {name.partition(".")[0] for name in names} & {"reorder", "maxent"}
    assert found == prefixes
    assert (out / "maxent.bin").exists() == ("maxent" in prefixes)
    assert main(["translate", str(out), "--input", f"{corpus}/test.de", "--explain"]) == 0
    assert len(capsys.readouterr().out.splitlines()) >= 10


def test_options_of_the_section_reach_the_model(corpus, tmp_path):
    out = tmp_path / "model"
    options = ("--maxent-scores", "single", "--maxent-direction", "backward")
    assert main(arguments(corpus, out, "--reordering-model", "maxent", *options)) == 0
    model = TranslationModel.load(out)
    assert model.maxent.names == ["maxent.previous"]
    assert "maxent.previous" in model.feature_names
    assert not list(corpus.glob("work/reorder.*"))


def test_values_outside_the_limits_are_refused_before_any_work():
    with pytest.raises(OptionError, match="variance is 0"):
        TrainOptions(maxent=MaxentReordering(variance=0.0)).check()
