"""`tunesmith force`: tables, figures, refusals."""

import json

import numpy as np
import pytest

from reference.tiny_grammars import hiero_model, random_rule
from reference.tiny_models import random_model
from tunesmith.cli.main import main
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.weights import write_weights
from tunesmith.grammar import HieroOptions
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel, new_model, write_description


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
        assert (folder / "plots" / name).read_text().count('id="series-') == 2


@pytest.fixture
def hierarchical(tmp_path):
    """A model with an index of its text, the text, and its word-for-word links."""
    sources = ["das alte Haus", "das alte Buch", "ein Haus", "ein Buch und das Haus"]
    targets = ["the old house", "the old book", "a house", "a book and the house"]
    links = Links.from_lists([[(i, i) for i in range(len(line.split()))] for line in sources])
    chance = np.random.default_rng(1)
    model = hiero_model(tmp_path / "given", [random_rule(chance, "X", ("X",))], chance)
    with new_model(tmp_path / "model") as folder:
        text = Bitext.from_lines(sources, targets)
        HieroOptions().run(text, links, folder / "grammar.bin")
        NgramLM.fit(targets, order=2).save(folder / "lm.bin")
        write_description(folder, grammar="grammar.bin", language_models=["lm.bin"])
        weights = TranslationModel.load(folder).initial_weights()
        write_weights(folder / "weights.tsv", weights)
    for name, lines in (("s", sources), ("t", targets)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    text = ["--src", str(tmp_path / "s"), "--tgt", str(tmp_path / "t")]
    return tmp_path / "model", model.folder, text


def test_what_a_hierarchical_model_can_make(hierarchical, capsys):
    model, _, text = hierarchical
    command = ["force", str(model), *text, "--pretokenised"]
    assert main([*command, "--json", "--explain", "2"]) == 0
    printed = capsys.readouterr()
    (report,) = json.loads(printed.out)
    assert report["whole_pairs"] == 1.0
    assert report["distortion_limit"] is None
    assert all(row["derivations"] >= 1 for row in report["rows"])
    assert "at most" not in printed.err
    assert printed.err.count("the old house") >= 1
    assert main([*command, "--json", "--leave-out", "own"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["whole_pairs"] == 0.75  # nothing else has und
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["rules", "100.0"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--limits", "2"], "--limits is for phrase models"),
        (["--links", "x"], "--links is for phrase models"),
        (["--min-prefix", "2"], "--min-prefix is for phrase models"),
        (["--leave-out", "singletons"], "leave_out is singletons, expected none or own"),
        (["--leave-out", "own", "--src", "DEV", "--tgt", "DEV"], "1 pairs, expected the 4 that"),
    ],
)
def test_what_is_for_phrases_is_refused_in_one_line(hierarchical, tmp_path, capsys, more, message):
    model, _, text = hierarchical
    (tmp_path / "dev").write_text("x\n")
    more = [word.replace("DEV", str(tmp_path / "dev")) for word in more]
    capsys.readouterr()
    assert main(["force", str(model), *text, "--pretokenised", *more]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("tunesmith force: ")
    assert message in printed
    assert printed.count("\n") == 1


def test_rules_of_a_file_have_no_text_to_leave_out(hierarchical, capsys):
    _, given, text = hierarchical
    capsys.readouterr()
    assert main(["force", str(given), *text, "--pretokenised", "--leave-out", "own"]) == 2
    assert "has a grammar, expected an index of its text" in capsys.readouterr().err


def test_phrase_derivations_are_explained_too(files, capsys):
    folder, _ = files
    assert command(folder, "--explain", "1") == 0
    assert "[0]" in capsys.readouterr().err


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
