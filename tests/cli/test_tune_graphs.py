"""The verb `tune` with tuners of search graphs."""

import os

import pytest

from reference.tiny_lists import write_lists
from reference.tiny_models import random_model
from tunesmith.base.lock import locked
from tunesmith.cli.main import main
from tunesmith.formats.weights import read_weights
from tunesmith.model import TranslationModel
from tunesmith.tune import GRAPH_TUNERS

SOURCES = ["a b c a b", "b c a c b a", "c a b a b c", "a a b c b"]
REFERENCES = ["w x y z w", "x y z w x y", "w w x y z", "z y x w x y"]
FEWER = {"lb-mert": ["--restarts", "1", "--combinations", "1"], "lb-mira": ["--passes", "3"]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random_model(3, tmp_path / "m")
    (tmp_path / "dev.src").write_text("".join(f"{line}\n" for line in SOURCES))
    (tmp_path / "dev.ref").write_text("".join(f"{line}\n" for line in REFERENCES))
    return tmp_path


def tune(name, *more):
    return main(["tune", "m/model", "--tuner", name, "--dev-src", "dev.src", "--dev-ref", "dev.ref",
                 "--iterations", "2", "--out", "tuned", *more])  # fmt: skip


@pytest.mark.parametrize("name", list(GRAPH_TUNERS))
def test_a_model_is_tuned_on_its_graphs(folder, name, capsys):
    assert tune(name, *FEWER.get(name, [])) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:3]] == [["iteration", str(n)] for n in (1, 2, 3)]
    scores = [float(line.split()[2]) for line in lines[:3]]
    assert lines[3].split()[:2] == ["best", f"{max(scores):.2f}"]
    tuned, untuned = (read_weights(folder / m / "weights.tsv") for m in ("tuned", "m/model"))
    assert set(tuned) == set(untuned)


def test_a_folder_that_another_run_uses_is_refused(folder, capsys):
    with locked("tuned.work"):
        assert tune("kb-mira") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"tunesmith tune: tuned.work is in use by process {os.getpid()} on ")
    assert not (folder / "tuned").exists()


@pytest.mark.parametrize("part", ["language model", "search"])
def test_a_run_goes_on_only_with_the_model_that_it_was_begun_with(folder, part, capsys):
    assert tune("kb-mira") == 0
    model = TranslationModel.load("m/model")
    if part == "search":
        (folder / "m/model/model.toml").open("a").write("pop_limit = 7\n")
    else:
        random_model(4, folder / "other")
        (name,) = [one.name for one in model.files() if one.name.startswith("lm")]
        (folder / "m/model" / name).write_bytes((folder / "other/model" / name).read_bytes())
    capsys.readouterr()
    assert tune("kb-mira") == 2
    assert "tuned.work holds a tuning run with other settings" in capsys.readouterr().err


def test_names_of_the_start_that_do_not_match_are_told(folder, capsys):
    (folder / "start").write_text("distortion\t1\nunheard\t5\n")
    assert tune("kb-mira", "--start", "start") == 0
    other, missing = capsys.readouterr().err.splitlines()[:2]
    assert other == ("warning: start: weights of features that the model does not have: unheard")
    assert missing.startswith("warning: start: features without a weight count nothing: tm.")
    (folder / "start").write_text("unheard\t5\n")
    assert tune("kb-mira", "--start", "start", "--work", "new") == 2
    assert "start: weights of unheard, expected names of the model's" in capsys.readouterr().err


@pytest.mark.parametrize("name", list(GRAPH_TUNERS))
def test_lists_are_refused(folder, name, capsys):
    write_lists(folder)
    assert main(["tune", "--nbest", "list", "--refs", "ref", "--tuner", name, "--out", "w"]) == 2
    assert capsys.readouterr().err == (
        f"tunesmith tune: {name} tunes on search graphs: give a model and --dev-src, not --nbest\n"
    )


@pytest.mark.parametrize("name", [name for name in GRAPH_TUNERS if name != "lb-mert"])
def test_metrics_that_no_edge_knows_are_refused(folder, name, capsys):
    assert tune(name, "--metric", "chrf") == 2
    assert capsys.readouterr().err == (
        f"tunesmith tune: {name} looks for n-grams along the words of the graphs: it takes BLEU "
        "with the tokeniser 'none', not chrf\n"
    )
    assert not (folder / "tuned").exists()


def test_line_searches_take_any_metric_of_text(folder):
    assert tune("lb-mert", *FEWER["lb-mert"], "--metric", "chrf") == 0
