"""`tunesmith force`: tables, figures, refusals."""

import json

import numpy as np
import pytest

from reference.tiny_grammars import hiero_model, random_rule
from reference.tiny_models import random_model
from tunesmith.cli.main import main


@pytest.fixture
def files(tmp_path):
    model, *_ = random_model(3, tmp_path / "f")
    rules = list(model.tables[0])
    (tmp_path / "s").write_text("".join(f"{rule.source}\n" for rule in rules) + "a b c\n")
    (tmp_path / "t").write_text("".join(f"{rule.target}\n" for rule in rules) + "nothing\n")
    return tmp_path, len(rules)


def command(folder, *more):
    model, source, target = folder / "f" / "model", folder / "s", folder / "t"
    return main(["force", str(model), "--src", str(source), "--tgt", str(target), *more])


def test_what_is_reachable(files, capsys):
    folder, rules = files
    assert command(folder, "--limits", "0,6", "--plots", str(folder / "plots")) == 0
    text = capsys.readouterr().out
    share = f"{100 * rules / (rules + 1):.1f} %"
    assert [line.split()[0] for line in text.splitlines()[1:3]] == ["dist-0", "dist-6"]
    assert text.splitlines()[1].split("dist-0")[1].strip().startswith(share)
    assert command(folder, "--json") == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["pairs"] == rules + 1
    assert report["whole_pairs"] == pytest.approx(rules / (rules + 1))
    assert sum(row["pairs"] for row in report["rows"]) == rules + 1
    for name in ("reachability.svg", "derivations.svg"):
        assert (folder / "plots" / name).read_text().count("<polyline") == 2


def test_a_hierarchical_model_is_refused_in_one_line(files, tmp_path, capsys):
    folder, _ = files
    chance = np.random.default_rng(1)
    model = hiero_model(tmp_path / "h", [random_rule(chance, "X", ("X",))], chance)
    capsys.readouterr()
    text = ["--src", str(folder / "s"), "--tgt", str(folder / "t")]
    assert main(["force", str(model.folder), *text]) == 2
    assert capsys.readouterr().err == (
        f"tunesmith force: {model.folder} is a hiero model, expected a phrase model: forced "
        "decoding, lexical features and learning from the stacks of a search are for these alone\n"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--limits", "2,x"], "--limits is '2,x', expected numbers such as 0,2,4,6; -1: no limit"),
        (["--max-words", "0"], "argument --max-words: 0, expected at least 1"),
        (["--limits", "99999999999"], "--limits is '99999999999', expected numbers such as"),
        (["--links", "LINKS"], "links: 1 lines, expected"),
        (["--links", "ALL", "ALL"], "links of 2 phrase tables, expected 1: those that phrases.bin"),
        (["--tgt", "LINKS"], "1 lines"),
    ],
)
def test_refused(files, change, message, capsys):
    folder, rules = files
    (folder / "links").write_text("0-0\n")
    (folder / "all").write_text("0-0\n" * (rules + 1))
    paths = {"LINKS": str(folder / "links"), "ALL": str(folder / "all")}
    more = [paths.get(word, word) for word in change]
    assert command(folder, *more) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
