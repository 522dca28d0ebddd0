"""The verb `translate` on documents and paragraphs, and after a kill; the same from Python."""

import subprocess
import sys
from xml.etree import ElementTree

import pytest

import tunesmith
from reference.standstill import Written, kill_when
from reference.tiny_moses import write_moses_model
from tunesmith._core import MOST_PHRASE_WORDS
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.journal import SUFFIX
from tunesmith.cli.main import main
from tunesmith.corpus.splitting import SentenceSplitter
from tunesmith.model import TranslationModel

SMALL, SMALL_TOO = "das haus ist klein", "the house is small"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_moses_model(tmp_path)
    assert main(["import", "moses.ini", "--out", "model", "--quiet"]) == 0
    return tmp_path


def translate(*options):
    return main(["translate", "model", *options])


@pytest.mark.parametrize(
    ("name", "text", "answer"),
    [
        ("a.html", "<p>haus <b>ist</b><p>ist\nklein", "<p>house <b>is</b><p>is small"),
        ("a.md", "# haus *ist*\n\nist [klein](x)\n", "# house *is*\n\nis [small](x)\n"),
        ("a.srt", "1\n00:01,0 --> 00:02,0\nhaus\n", "1\n00:01,0 --> 00:02,0\nhouse\n"),
        ("a.po", 'msgid "haus %d"\nmsgstr ""\n',
         '#\n#, fuzzy\nmsgid "haus %d"\nmsgstr "house %d"\n'),
        (
            "a.xlf",
            '<xliff version="1.2"><trans-unit><source>haus</source></trans-unit></xliff>',
            '<xliff version="1.2"><trans-unit><source>haus</source><target '
            'state="needs-review-translation" state-qualifier="mt-suggestion">house</target>'
            "</trans-unit></xliff>",
        ),
        ("a.txt", "haus\n<b>\n", "house\n<b>\n"),
    ],
)  # fmt: skip
def test_documents_by_their_names(folder, capsys, name, text, answer):
    (folder / name).write_text(text)
    assert translate("--input", name, "--out", "out") == 0
    said = (folder / "out").read_text()
    assert said == answer or said.endswith(answer.removeprefix("#\n"))
    assert translate("--input", name) == 0
    assert capsys.readouterr().out == said
    assert sorted(path.name for path in folder.glob(".*")) == []
    assert not list(folder.glob(f"*{SUFFIX}"))


PAGE = """<html lang="de"><head><title>haus</title><style>p > b { color: red }</style></head><body>
<!-- haus --><h1 id="h">das   <em>haus</em></h1>
<p>ist <a href="x?a=1&amp;b=2">haus <b>klein</b></a>, {name}! haus&#160;ist
<i>klein <u>haus</u></i>.<br/>haus</p>
<ul><li>haus 12:30</li><li>ist <code>haus()</code></li></ul><pre>das haus
  ist</pre><p translate="no">das haus</p><img src="a.png" alt="haus"/></body></html>
"""


def test_a_page_is_the_same_page_to_a_parser(folder):
    (folder / "a.html").write_text(PAGE)
    assert translate("--input", "a.html", "--out", "out.html", "--threads", "1") == 0
    before, after = (
        ElementTree.fromstring(text) for text in (PAGE, (folder / "out.html").read_text())
    )

    def tags(page):
        return sorted((one.tag, sorted(one.items())) for one in page.iter())

    assert after.find(".//img").get("alt") == "house"
    after.find(".//img").set("alt", "haus")
    assert tags(after) == tags(before)
    assert after.find(".//title").text == "house"
    assert after.find(".//a/b").text == "small"
    assert after.find(".//i/u").text == "house"
    for same in (".//style", ".//pre", ".//code", ".//p[@translate]"):
        assert ElementTree.tostring(after.find(same)) == ElementTree.tostring(before.find(same))
    text = (folder / "out.html").read_text()
    for unit in ("{name}", "&#160;", "12:30", "<!-- haus -->"):
        assert text.count(unit) == 1


def test_sentences_of_a_line(folder):
    (folder / "in").write_text("Das haus.  Haus? Klein!\n\nhaus\n")
    assert translate("--input", "in", "--split", "--out", "out") == 0
    lines = (folder / "out").read_text().splitlines()
    assert lines[1:] == ["", "house"]
    assert "  " in lines[0]


@pytest.mark.parametrize("out", ["-", "/dev/stdout", None])
def test_lines_are_cut_only_if_that_is_asked_for(folder, capfd, monkeypatch, out):
    (folder / "in").write_text("haus. Haus.\n")
    cut = []
    monkeypatch.setattr(SentenceSplitter, "spans", lambda *_: cut.append(1) or [(0, 11)])
    assert translate("--input", "in", *(["--out", out] if out else [])) == 0
    assert not cut
    assert capfd.readouterr().out.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--split", "--nbest", "2", "--nbest-out", "n"],
         "--nbest-out is for lines of text, and cannot be had with --split"),
        (["--input", "a.html", "--markup"],
         "--markup is for lines of text, and cannot be had with --format html"),
        (["--format", "srt", "--explain"],
         "--explain is for lines of text, and cannot be had with --format srt"),
        (["--input", "out.partial", "--out", "out"],
         "out.partial: where what is done for out is kept, expected another name"),
        (["--out", "out", "--nbest", "2", "--nbest-out", "out.partial"],
         "out.partial: where what is done for out is kept, expected another name"),
        (["--input", "no.html"], "no.html: cannot be read: No such file or directory"),
    ],
)  # fmt: skip
def test_what_does_not_go_together(folder, capsys, options, message):
    assert translate(*options) == 2
    assert message in capsys.readouterr().err


def test_errors_name_the_line_of_the_file(folder, capsys):
    words = MOST_PHRASE_WORDS + 1
    (folder / "in").write_text("haus\n" * 300 + "haus " * words + "\n")
    assert translate("--input", "in", "--out", "out") == 2
    assert f"in:301: a sentence of {words:,} words" in capsys.readouterr().err
    assert not list(folder.glob("out*"))
    assert translate("--input", "in", "--split", "--out", "out") == 0
    assert (folder / "out").read_text().splitlines()[300] == " ".join(["house"] * words)


LISTS = ("--nbest", "5", "--nbest-out", "{}.nbest", "--explain-out", "{}.json")


@pytest.mark.parametrize(
    ("name", "options"),
    [("text", ()), ("page.html", ()), ("text", LISTS)],
    ids=["text", "page", "lists"],
)
def test_a_kill_costs_nothing(folder, name, options):
    line = "das haus ist klein und " * 4
    lines = [f"{line}{i} ." for i in range(1200)]
    text = "\n".join(lines) + "\n"
    if name == "page.html":
        text = "".join(f"<p class=c{i % 7}>{one} <b>haus</b></p>\n" for i, one in enumerate(lines))
    (folder / name).write_text(text)
    verb = ["translate", "model", "--input", name, "--threads", "1", "--out", "{}", *options]
    whole, command = ([word.format(out) for word in verb] for out in ("whole", "killed"))
    assert main(whole) == 0
    journal = folder / f"killed{SUFFIX}"
    kill_when(Written(journal, text="\n", times=3), command)  # the settings and two blocks
    assert not (folder / "killed").exists()
    again = subprocess.run(
        [sys.executable, "-m", "tunesmith.cli.main", *command],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "512 lines were translated before: going on behind them" in again.stderr
    for end in ("", ".nbest", ".json") if options else ("",):
        assert (folder / f"killed{end}").read_bytes() == (folder / f"whole{end}").read_bytes()
    assert not journal.exists()


def test_from_python(folder):
    translator = tunesmith.Translator("model")
    assert translator.translate(SMALL) == SMALL_TOO
    assert translator.translate([SMALL, "", "haus"]) == [SMALL_TOO, "", "house"]
    assert translator.translate((SMALL,)) == [SMALL_TOO]
    assert translator.translate([]) == []
    assert translator.translate(f"{SMALL}\n\nhaus\n") == f"{SMALL_TOO}\n\nhouse\n"
    assert tunesmith.Translator(TranslationModel.load("model")).translate("haus") == "house"
    assert tunesmith.Translator(folder / "model", protect=True).translate("haus {x}") == "house {x}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (3, "text is 3 (int), expected a string or a list of strings"),
        (None, "text is None (NoneType), expected a string or a list of strings"),
        (b"haus", "text is b'haus' (bytes), expected a string or a list of strings"),
        ({"a": 1}, "text is {'a': 1} (dict), expected a string or a list of strings"),
        (["haus", 3], "text 2 is 3 (int), expected a string"),
        (["haus\n"], "text 1 has a line end in it, expected one line"),
        (["\0"], "text 1 has a NUL character in it, expected one line"),
        ("\0", "text 1 has a NUL character in it, expected one line"),
    ],
)
def test_what_is_no_text(folder, text, message):
    with pytest.raises(OptionError) as caught:
        tunesmith.Translator("model").translate(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"size": "3"}, "size is '3', expected 1 to 100000"),
        ({"size": None}, "size is None, expected 1 to 100000"),
        ({"weights": 5}, "weights is 5 (int), expected numbers by features' names"),
        ({"terms": "haus"}, "terms is 'haus' (str), expected Terms"),
    ],
)
def test_options_of_another_type(folder, option, message):
    with pytest.raises(OptionError) as caught:
        tunesmith.Translator("model", **option)
    assert str(caught.value) == message


def test_what_is_no_model(folder):
    with pytest.raises(OptionError, match=r"model is 3 \(int\), expected a model directory"):
        tunesmith.Translator(3)
    with pytest.raises(InputError, match=r"nowhere: no readable model\.toml in it"):
        tunesmith.Translator("nowhere")
