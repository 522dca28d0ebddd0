"""`tunesmith report` and `evaluate --html`: what is written, and one line for what is wrong."""

import json
import sys
import xml.etree.ElementTree as ET

import pytest

from tunesmith.cli.main import main

EPOCH = {"dev_score": 31.0, "pairs": 10, "reached": 0.5, "updates": 4, "features": 12}
STATE = {"identity": {}, "state": [], "start_score": 30.0, "epochs": [EPOCH]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two small runs and some outputs."""
    monkeypatch.chdir(tmp_path)
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "maxforce.json").write_text(json.dumps(STATE))
    (tmp_path / "src").write_text("Der Hund lief .\n<b>Die Katze</b> .\n")
    (tmp_path / "ref").write_text("the dog ran .\nthe <b>cat</b> .\n")
    (tmp_path / "base").write_text("a dog ran .\nthe cat .\n")
    (tmp_path / "new").write_text("the dog ran .\n<script>alert(1)</script> cat .\n")
    return tmp_path


def page(path):
    text = path.read_text(encoding="utf-8")
    return ET.fromstring(text.removeprefix("<!DOCTYPE html>\n"))


def test_a_page_and_its_pictures(folder, capsys):
    command = ["report", "one", "--title", "A & B", "--pictures", "pictures/here", "--threads", "1"]
    assert main([*command, "--out", "page.html"]) == 0
    assert capsys.readouterr().out == "page.html\n"
    root = page(folder / "page.html")
    assert root.find("head/title").text == "A & B"
    names = sorted(path.name for path in (folder / "pictures" / "here").iterdir())
    assert names == ["curves-1.png", "curves-1.svg", "curves-2.png", "curves-2.svg"]
    assert main([*command, "--out", "again.html"]) == 0
    assert (folder / "page.html").read_bytes() == (folder / "again.html").read_bytes()


def test_the_default_name_and_standard_output(folder, capsys):
    assert main(["report", "one", "other"]) == 0
    assert capsys.readouterr().out == "report.html\n"
    assert page(folder / "report.html").find("head/title").text == "one, other"
    assert main(["report", "one", "other", "--out", "-"]) == 0
    assert capsys.readouterr().out == (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "nope: it does not exist, expected the folder of a run"),
        (["src"], "src: a file, expected the folder of a run"),
        (["one", "./one"], "the same run is given twice"),
        (["one", "--out", "no/page.html"],
         "no/page.html: its folder does not exist, expected an existing folder"),
        (["one", "--pictures", "src"], "src: a file, expected the name of a folder to write"),
    ],
)  # fmt: skip
def test_what_is_wrong_gets_one_line(folder, capsys, arguments, message):
    assert main(["report", *arguments]) == 2
    assert capsys.readouterr().err == f"tunesmith report: {message}\n"
    assert not (folder / "report.html").exists()


def test_a_folder_that_is_no_run(folder, capsys):
    (folder / "empty").mkdir()
    assert main(["report", "empty"]) == 2
    assert capsys.readouterr().err == (
        "tunesmith report: empty: no run, expected a model of `train` or its work folder, a work "
        "folder of `tune`, or a folder of `compare` or of a learner\n"
    )


def test_without_the_package_that_draws(folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    needed = "pictures need the package matplotlib; pip install 'tunesmith[plots]'\n"
    assert main(["report", "one"]) == 2
    assert capsys.readouterr().err == f"tunesmith report: {needed}"
    assert main(["evaluate", "--hyp", "new", "--refs", "ref", "--html", "x.html"]) == 2
    assert capsys.readouterr().err == f"tunesmith evaluate: {needed}"
    assert main(["evaluate", "--hyp", "new", "--refs", "ref", "--bootstrap-samples", "9"]) == 0


EVALUATE = [
    "evaluate", "--hyp", "base", "--hyp", "new", "--refs", "ref", "--tokenize", "none",
    "--bootstrap-samples", "20", "--randomisation-trials", "20", "--threads", "1",
]  # fmt: skip


def test_evaluate_writes_a_page_too(folder, capsys):
    assert main(EVALUATE) == 0
    printed = capsys.readouterr().out
    assert main([*EVALUATE, "--html", "page.html", "--src", "src"]) == 0
    assert capsys.readouterr().out == printed
    root = page(folder / "page.html")
    # What is printed is on the page.
    cells = {cell.text for cell in root.iter("td")}
    scores = [line.split()[1] for line in printed.splitlines() if line.startswith(("base", "new"))]
    assert len(scores) == 6
    assert set(scores) <= cells
    texts = [" ".join("".join(one.itertext()).split()) for one in root.iter("dd")]
    assert "<script>alert(1)</script> cat ." in texts
    assert "<b>Die Katze</b> ." in texts
    assert not list(root.iter("script"))
    assert main([*EVALUATE, "--html", "few.html", "--sentences", "0"]) == 0
    assert not list(page(folder / "few.html").iter("dd"))


def test_wrong_options_of_evaluate(folder, capsys):
    assert main([*EVALUATE, "--src", "src"]) == 2
    assert capsys.readouterr().err == (
        "tunesmith evaluate: --src is for a page: give --html FILE too\n"
    )
    (folder / "short").write_text("eins\n")
    assert main([*EVALUATE, "--html", "x.html", "--src", "short"]) == 2
    assert capsys.readouterr().err == (
        "tunesmith evaluate: short:2: the file ends after 1 lines, expected 2 lines as in ref; "
        "outputs and references must be of the same sentences in the same order\n"
    )
    assert main([*EVALUATE, "--html", "no/x.html"]) == 2
    assert not list(folder.glob("*.html"))
