"""The verb corpus: from files to files, and one line for bad input."""

import gzip
import io
import json
import sys

import pytest

from tunesmith.cli.main import main


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = range(40)
    (tmp_path / "a.de").write_text("".join(f"Das ist Satz {i}, ja.\n" for i in lines))
    (tmp_path / "a.en").write_text("".join(f"That is sentence {i}, yes.\n" for i in lines))
    return tmp_path


def stdin(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


PREPARE = ["corpus", "prepare", "a.de", "a.en", "-s", "de", "-t", "en", "-o", "out"]


def test_prepare_encode_decode(files, monkeypatch, capsys):
    assert main([*PREPARE, "--dev-size", "3", "--test-size", "2", "--max-words", "50"]) == 0
    assert "kept 35 of 35 pairs" in capsys.readouterr().err
    assert json.loads((files / "out/report.json").read_text())["pairs"] == {
        "train": 35,
        "dev": 3,
        "test": 2,
    }
    record = json.loads((files / "out/run.json").read_text())
    assert record["options"]["clean"]["max_words"] == 50
    assert set(record["inputs"]) == {"a.de", "a.en"}
    stdin(monkeypatch, "Ist das Satz 99, ja?\n\nJa.\n")
    assert main(["corpus", "encode", "--preprocessor", "out/source.json"]) == 0
    words = capsys.readouterr().out
    assert words == "ist das Satz 99 , ja ?\n\nja .\n"
    stdin(monkeypatch, words)
    assert main(["corpus", "decode", "--preprocessor", "out/source.json"]) == 0
    assert capsys.readouterr().out == "Ist das Satz 99, ja?\n\nJa.\n"
    assert main(["corpus", "stats", "out/bitext.bin"]) == 0
    assert capsys.readouterr().out.startswith("pairs\t35\nsource words\t245\n")


def test_languages_that_are_not_given_are_recognised(files, capsys):
    languages = PREPARE.index("-s")
    assert main([*PREPARE[:languages], "-o", "out"]) == 0
    assert "languages: German → English\n" in capsys.readouterr().err
    for side, language in (("source", "de"), ("target", "en")):
        made = json.loads((files / f"out/{side}.json").read_text())
        assert made["tokenizer"]["language"] == language


def test_tokenize_takes_the_language_from_the_name(files, capsys):
    for name in ("text.fr.gz", "text.en"):
        write = gzip.open if name.endswith("gz") else open
        with write(files / name, "wt") as stream:
            stream.write("l'homme\n")
    assert main(["corpus", "tokenize", "text.fr.gz"]) == 0
    assert main(["corpus", "tokenize", "text.en"]) == 0
    assert main(["corpus", "tokenize", "text.fr.gz", "--language", "English"]) == 0
    assert capsys.readouterr().out == "l' homme\nl 'homme\nl 'homme\n"


def test_prepare_again_does_nothing_unless_something_changed(files, capsys):
    assert main(PREPARE) == 0
    before = (files / "out/bitext.bin").stat().st_mtime_ns
    capsys.readouterr()
    assert main(PREPARE) == 0
    assert capsys.readouterr().err == "out is up to date\n"
    assert (files / "out/bitext.bin").stat().st_mtime_ns == before
    (files / "a.de").write_text((files / "a.de").read_text().replace("ja", "nein"))
    assert main([*PREPARE, "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    assert "nein" in (files / "out/train.source").read_text()


def test_tokenize_and_back(monkeypatch, capsys, files):
    stdin(monkeypatch, "L'eau, c'est bon.\n\nM. X\n")
    assert main(["corpus", "tokenize", "--language", "fr", "-o", "words"]) == 0
    assert (files / "words").read_text() == "L' eau , c' est bon .\n\nM. X\n"
    assert main(["corpus", "detokenize", "--language", "fr", "words"]) == 0
    assert capsys.readouterr().out == "L'eau, c'est bon.\n\nM. X\n"
    stdin(monkeypatch, "日本 x\n")
    assert main(["corpus", "tokenize", "--tokenizer", "char"]) == 0
    assert capsys.readouterr().out == "日 本 ▁ x\n"


def test_clean_and_convert(monkeypatch, capsys):
    stdin(monkeypatch, "a b\tc d\n\tx\na b\tc d\nOK\tOK\n")
    assert main(["corpus", "clean", "-", "--format", "tsv", "--keep-identical"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "a b\tc d\nOK\tOK\n"
    assert captured.err == (
        "kept 2 of 4 pairs (empty side 1, too long 0, length ratio 0, wrong script 0, "
        "identical sides 0, duplicate 1)\n"
    )


def test_convert_to_two_files(files, monkeypatch, capsys):
    stdin(monkeypatch, "a ||| b\n ||| \n")
    assert main(["corpus", "convert", "-", "--format", "bars", "-o", "x.s", "x.t.gz"]) == 0
    assert main(["corpus", "convert", "x.s", "x.t.gz"]) == 0
    assert capsys.readouterr().out == "a\tb\n\t\n"


def test_split(files):
    command = "corpus split a.de a.en --dev-size 4 --test-size 6 --seed 3 -o s"
    assert main(command.split()) == 0
    lines = [
        (files / f"s.{name}.source").read_text().splitlines() for name in ("train", "dev", "test")
    ]
    assert [len(part) for part in lines] == [30, 4, 6]
    assert sorted(line for part in lines for line in part) == sorted(
        (files / "a.de").read_text().splitlines()
    )
    for name in ("train", "dev", "test"):
        sides = [
            (files / f"s.{name}.{side}").read_text().splitlines() for side in ("source", "target")
        ]
        for source, target in zip(*sides, strict=True):
            assert source.split()[3] == target.split()[3]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("corpus split - --format tsv -o x", "standard input cannot be read twice, expected files"),
        ("corpus clean a b c", "3 input files, expected one or two"),
        ("corpus convert a.de a.en -o 1 2 3", "3 output files, expected one or two"),
        ("corpus convert a.de short.en -o x", "short.en: 1 lines, expected 40 as in a.de; the fil"),
        ("corpus convert a.de bad.en -o x", "bad.en:1: byte 0xff at column 1, expected UTF-8; con"),
        ("corpus convert none.tsv -o x", "none.tsv: cannot be read: No such file or directory"),
        ("corpus clean a.de a.en --max-words 0", "max_words is 0, expected at least 1"),
        (
            "corpus encode --preprocessor none a.de",
            "none: No such file or directory, expected a",
        ),
        ("corpus tokenize --tokenizer sentencepiece a.de", "tokenizer sentencepiece: expected the"),
        ("corpus stats a.de", "a.de: not a tunesmith binary file"),
        (
            "corpus prepare a.de none -s de -t en -o out",
            "none: cannot be read: No such file or directory",
        ),
        (
            "corpus prepare a.de a.en -s de -t en -o .",
            ".: a folder, expected the name of something to write",
        ),
        (
            "corpus prepare a.de a.en -s de -t en -o out --dev-size 50",
            "50 dev and 0 test pairs of only 40 pairs",
        ),
    ],
)
def test_one_line_and_exit_2(files, capsys, command, message):
    (files / "short.en").write_text("x\n")
    (files / "bad.en").write_bytes(b"\xff\n" * 40)
    before = sorted(files.iterdir())
    assert main(command.split()) == 2
    error = capsys.readouterr().err
    # What is told before, of pairs kept, is no error.
    assert error.splitlines()[-1].startswith(f"tunesmith corpus: {message}")
    assert "Traceback" not in error
    assert sorted(files.iterdir()) == before
