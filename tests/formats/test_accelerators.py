"""Accelerators of labels: found by what the other labels of a file say, and put back once."""

import pytest

from tunesmith.formats.accelerators import (
    Accelerator,
    Accelerators,
    take_from_line,
    with_accelerator,
    without_accelerator,
)
from tunesmith.formats.po import read_po

GTK = ["_Cancel", "Paste the text"]
QT = ["&Cancel", "Paste the text"]


@pytest.mark.parametrize(
    ("others", "label", "text", "letter"),
    [
        (GTK, "_Open", "Open", "O"),
        (GTK, "Save _As…", "Save As…", "A"), (GTK, "E_xit", "Exit", "x"),
        (GTK, "Don't pas_te", "Don't paste", "t"), (GTK, "打开(_O)…", "打开…", "O"),
        (GTK, "_1. %s", "1. %s", "1"), (GTK, "_Datei öffnen", "Datei öffnen", "D"),
        (QT, "E&xit", "Exit", "x"), (QT, "Fish && &Chips", "Fish && Chips", "C"),
        (QT, "ファイル(&F)", "ファイル", "F"), (["~File"], "~Edit", "Edit", "E"),
        (["&amp;File"], "&amp;Edit &lt;b&gt;", "Edit &lt;b&gt;", "E"),
    ],
)  # fmt: skip
def test_a_label_loses_its_accelerator(others, label, text, letter):
    taken, accelerator = Accelerators([*others, label]).take(label)
    assert (taken, accelerator.letter) == (text, letter)


@pytest.mark.parametrize(
    ("others", "label"),
    [
        (GTK, "Set max_size"), (GTK, "GTK_DEBUG is set"), (GTK, "__init__"), (GTK, "%(a_b)s _"),
        (GTK, "see http://a.org/_b"), (GTK, "_one or _two"), ([], "call _exit()"),
        (GTK, "_One_ or two"), (GTK, "_A_b c_"),
        (QT, "AT&T"), (QT, "a & b"), (QT, "&lt;b"), (QT, "&A-b; c"), (QT, "R&D"),
        (["~File"], "in ~/x"), (GTK, "_Two\nlines"),
    ],
)  # fmt: skip
def test_other_text_has_none(others, label):
    assert Accelerators([*others, label]).take(label) == (label, None)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("&Open", "Open"), ("_Save all", "Save all"), ("Save &As…", "Save As…"), ("E&xit", "Exit"),
        ("打开(_O)", "打开"), ("R&D", None), ("a & b", None), ("set max_size", None), ("_", None),
        ("__init__", None), ("_so_ it is", None), ("a?b=c&de=f", None), ("_exit()", None),
        ("", None), ("GTK_DEBUG", None), ("_FOO", None),
    ],
)  # fmt: skip
def test_a_line_that_can_be_nothing_but_a_label(line, text):
    taken, accelerator = take_from_line(line)
    assert (taken, accelerator is None) == ((line, True) if text is None else (text, False))


@pytest.mark.parametrize(
    ("letter", "translation", "label"),
    [
        ("O", "Ordner", "_Ordner"),
        ("O", "Foto öffnen", "F_oto öffnen"), ("S", "Als Set", "Als _Set"),
        ("O", "Ablage", "_Ablage"), ("O", "Файл", "_Файл"), ("O", "打开", "打开(_O)"),
        ("n", "名前:", "名前(_N):"), ("f", "{file} %f <f> Auf", "{file} %f <f> Au_f"),
        ("O", "%d", "%d(_O)"), ("1", "%s 1.", "%s _1."),
    ],
)  # fmt: skip
def test_a_translation_gets_one(letter, translation, label):
    assert with_accelerator(translation, Accelerator("_", letter)) == label
    assert without_accelerator(label, "_") == translation


def test_training_text_has_no_accelerators(tmp_path):
    path = tmp_path / "x.po"
    messages = [("_Open", "Ö_ffnen"), ("_Close", "关闭(_C)"), ("O_ff", "Aus"), ("max_a", "max_a")]
    path.write_text("".join(f'msgid "{one}"\nmsgstr "{other}"\n\n' for one, other in messages))
    read = list(read_po(path))
    assert read == [("Open", "Öffnen"), ("Close", "关闭"), ("Off", "Aus"), ("max_a", "max_a")]
