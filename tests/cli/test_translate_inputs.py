"""The verb `translate` on what people type: files, sentences, many files, kinds it cannot read."""

import io
import sys

import pytest

from reference.tiny_moses import write_moses_model
from tunesmith.base.journal import journal_path
from tunesmith.cli.main import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_moses_model(tmp_path)
    assert main(["import", "moses.ini", "--out", "model", "--quiet"]) == 0
    (tmp_path / "in.txt").write_text("haus\nklein\n")
    return tmp_path


@pytest.fixture
def translate(folder, monkeypatch, capsys):
    def run(*words, stdin=b""):
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        return main(["translate", *words, "--threads", "1"]), *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("words", "out"),
    [
        (["model", "in.txt"], "house\nsmall\n"),
        (["model", "--format", "text", "in.txt"], "house\nsmall\n"),
        (["model", "das haus ist klein"], "the house is small\n"),
        (["model", "haus\nklein\n"], "house\nsmall\n"),
        (["model", "haus / klein"], "house / small\n"),
        (["model", "-"], "is\n"),
        (["model"], "is\n"),
    ],
)
def test_an_input_is_a_file_or_text(translate, words, out):
    assert translate(*words, stdin=b"ist\n")[:2] == (0, out)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["model", "no.txt"], "no.txt: no such file, expected the name of a file"),
        (["model", "no.de"], "no.de: no such file, expected the name of a file"),
        (["model", "no/haus"], "no/haus: no such file, expected the name of a file"),
        (["model", "das", "haus"],
         "das: no such file, expected the name of a file; quote a sentence as one argument"),
        (["model", "haus", "--input", "in.txt"],
         "--input in.txt and 'haus', expected one of the two"),
        (["model", "haus", "--format", "html"],
         "--format html with text, expected a file or standard input"),
        (["model", "in.txt", "in.txt"], "2 inputs, expected --out FOLDER"),
        (["model", "in.txt", "in.txt", "--out", "new"],
         "new/in.txt: the translation of both in.txt and in.txt"),
        (["model", "in.txt", "--out", "."], "./in.txt: the file to translate, expected another"),
        (["model", "a.properties"], "a.properties: .properties files are not supported, expected "
         "plain text or one of: html, markdown, srt, po, xliff, tmx, json"),
        (["model", "--input", "a.PDF.gz"], "a.PDF.gz: .pdf files are not supported, expected "),
    ],
)  # fmt: skip
def test_refused(folder, translate, words, message):
    for name in ("a.properties", "a.PDF.gz"):
        (folder / name).write_text("x=haus\n")
    code, out, err = translate(*words)
    assert (code, out) == (2, "")
    assert err.startswith(f"tunesmith translate: {message}")
    if "not supported" in message:
        assert err.endswith("or `--format text` translates it as plain text\n")
        assert translate(*words, "--format", "text")[0] == 0


def test_lines_end_as_the_first_one_does(folder, translate):
    (folder / "dos").write_bytes(b"haus\r\n\r\nklein\r\n")
    for options in ([], ["--split"]):
        assert translate("model", "dos", "--out", "out", *options)[0] == 0
        assert (folder / "out").read_bytes() == b"house\r\n\r\nsmall\r\n"
        assert translate("model", "dos", *options)[1] == "house\r\n\r\nsmall\r\n"


def test_files_into_a_folder(folder, translate):
    (folder / "a.html").write_text("<p>haus")
    (folder / "b.srt").write_text("haus\n")
    code, _, err = translate("model", "in.txt", "b.srt", "a.html", "--out", "new")
    assert code == 2
    assert err.splitlines()[-4:] == [
        "in.txt -> new/in.txt: lines of text",
        "a.html -> new/a.html: 1 segment of html",
        "warning: b.srt: no line with times and -->, expected subtitles; "
        "00:00:01,000 --> 00:00:02,500",
        "tunesmith translate: 1 of 3 files are not translated",
    ]
    assert (folder / "new/in.txt").read_text() == "house\nsmall\n"
    assert (folder / "new/a.html").read_text() == "<p>house"
    assert sorted(path.name for path in (folder / "new").iterdir()) == ["a.html", "in.txt"]


def test_files_that_are_done_are_not_done_again(folder, translate, monkeypatch):
    from tunesmith.cli import _documents

    done = []

    def killed(translator, source, out, format):
        done.append(source.path)
        if done == ["a.po", "b.po"]:
            raise KeyboardInterrupt
        return 1

    monkeypatch.setattr(_documents, "translate_document", killed)
    for name in "abc":
        (folder / f"{name}.po").write_text("")
    words = ["model", "a.po", "b.po", "c.po", "--out", "new"]
    assert translate(*words)[0] == 130
    assert translate(*words)[0] == 0
    assert done == ["a.po", "b.po", "b.po", "c.po"]
    assert not journal_path("new").exists()
