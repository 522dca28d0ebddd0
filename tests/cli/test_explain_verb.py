"""`tunesmith explain`: rules, features, alternatives; as text, JSON and a picture."""

import io
import json
import sys
from xml.etree import ElementTree as ET

import pytest

from reference.tiny_text_model import text_model
from tunesmith.cli.main import main


@pytest.fixture(params=["phrase", "hiero"])
def explain(request, tmp_path, monkeypatch, capsys):
    """Run the verb; the exit code, and what it said on both streams."""
    monkeypatch.chdir(tmp_path)
    text_model(tmp_path / "model", request.param)

    def run(*options, stdin=""):
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(["explain", "model", *options])
        return code, *capsys.readouterr()

    return run


def test_it_begins_with_what_translate_explains(explain, monkeypatch, capsys):
    text = "Die Hütte ist gut.\nHaus\n"
    code, out, err = explain("--nbest", "1", "--quiet", stdin=text)
    assert (code, err) == (0, "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["translate", "model", "--explain", "--quiet"]) == 0
    assert capsys.readouterr().err == out


def test_alternatives_side_by_side(explain):
    code, out, _ = explain("Die Hütte ist gut.", "--nbest", "2")
    assert code == 0
    lines = out.splitlines()
    place = lines.index("  other translations")
    assert lines[place + 2].endswith("  The cottage is good.")
    assert lines[place + 3 : place + 6] == [
        "  why 1 is before 2",
        "    only 1: Hütte → hut",
        "    only 2: Hütte → cottage",
    ]
    assert lines[place + 6].split() == ["feature", "adds", "to", "1", "to", "2", "1", "gains"]
    rows = [line.split() for line in lines[place + 7 :]]
    assert rows[-1][0] == "sum"
    gains = sum(float(row[-1]) for row in rows[:-1])
    assert gains == pytest.approx(float(rows[-1][-1]), abs=0.002)
    first, second = float(lines[2].split()[1]), float(lines[place + 2].split()[1])
    assert first - second == pytest.approx(float(rows[-1][-1]), abs=0.002)


def test_against_another_one(explain):
    _, out, _ = explain("Hütte und Hütte", "--nbest", "4", "--against", "4")
    assert "  why 1 is before 4\n" in out
    code, _, err = explain("Hütte", "--nbest", "2", "--against", "3")
    assert (code, err) == (
        2,
        "tunesmith explain: --against 3 of 2 translations, expected --nbest 3 too\n",
    )


def test_no_other_translation(explain):
    _, out, _ = explain("gut")
    assert out.endswith("  no other translation\n")


def test_json(explain):
    code, out, _ = explain("--json", stdin="Die Hütte\nHaus\n")
    found = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [one["number"] for one in found] == [0, 1]
    assert found[0]["translation"] == "The hut"
    assert [one["translation"] for one in found[0]["alternatives"]] == ["The cottage"]
    adds = sum(one["adds"] for one in found[0]["features"])
    assert adds == pytest.approx(found[0]["score"], abs=1e-4)
    [alone] = explain("Haus", "--json", "--nbest", "1")[1].splitlines()
    assert "alternatives" not in json.loads(alone)


def test_a_picture(explain, tmp_path):
    code, out, _ = explain(
        "Die <Hütte> & Haus", "--svg", "why.svg", "--terms", "-", stdin="Haus\t<HQ>"
    )
    assert (code, out != "") == (0, True)
    root = ET.parse(tmp_path / "why.svg").getroot()
    texts = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Haus" in texts
    assert any("<HQ>" in text for text in texts)
    code, _, err = explain("Haus", "--svg", "no/such.svg")
    assert code == 2
    assert err.startswith("tunesmith explain: ")
    assert err.count("\n") == 1


def test_terms_weights_and_markup(explain, tmp_path):
    (tmp_path / "terms.tsv").write_text("Hütte\tlodge\n")
    assert "  → the lodge\n" in explain("die Hütte", "--terms", "terms.tsv")[1]
    assert "  → the cottage\n" in explain("die Hütte", "--forbid", "hut")[1]
    assert "  → The X\n" in explain('die <t is="X">Hütte</t>', "--markup")[1]
    assert "  → the hut\n" in explain("die Hütte", "--pretokenised")[1]
    (tmp_path / "w").write_text("lm\t1\n")
    assert explain("Haus", "--weights", "w")[0] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--nbest", "0"], "argument --nbest: 0, expected at least 1"),
        (["--nbest", "1001"], "argument --nbest: 1001, expected at most 1000"),
        (["--weights", "none"], "none: cannot be read: No such file or directory"),
        (["--terms", "none"], "none: cannot be read: No such file or directory"),
    ],
)
def test_wrong_options(explain, options, message):
    code, _, err = explain("Haus", *options)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
