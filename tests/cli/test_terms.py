"""`translate --terms` and `--forbid`: text, documents, engines, a kill, wrong files."""

import io
import sys

import pytest

from reference.tiny_text_model import text_model
from tunesmith.cli.main import main


@pytest.fixture
def translate(tmp_path, monkeypatch, capsys):
    """Run the verb; the exit code, and what it said on both streams."""
    monkeypatch.chdir(tmp_path)
    text_model(tmp_path / "model")

    def run(text, *options):
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        code = main(["translate", "model", *options])
        return code, *capsys.readouterr()

    return run


def test_terms_of_files_and_options(translate, tmp_path):
    (tmp_path / "one.tsv").write_text("de\ten\nHund\tcanine\n!hut\n")
    (tmp_path / "two.tbx").write_text(
        '<martif><text><body><termEntry><langSet xml:lang="de"><tig><term>Haus</term></tig>'
        '</langSet><langSet xml:lang="en"><tig><term>HQ</term></tig></langSet></termEntry></body>'
        "</text></martif>"
    )
    options = ["--terms", "one.tsv", "--terms", "two.tbx", "--forbid", "good", "--quiet"]
    code, out, _ = translate("Der Hund, das Haus ist gut.\nHütte\n", *options)
    assert (code, out) == (0, "The canine, the HQ is gut.\nCottage\n")
    assert translate("Hund", *options, "--engine", "processes")[1] == "Canine\n"
    assert translate("Hund ist. Haus!", *options, "--split")[1] == "Canine is. HQ!\n"
    code, out, err = translate("Haus", "--terms", "two.tbx", "--term-languages", "fr", "en")
    assert code == 2
    assert err == (
        "tunesmith translate: two.tbx: no terms in the languages fr and en, only de, en; name two "
        "languages of the file\n"
    )


def test_documents(translate, tmp_path):
    (tmp_path / "terms.tsv").write_text("Hund\tK-9\n")
    (tmp_path / "page.html").write_text("<p>Der <b>Hund</b> ist <i>gut</i>.</p>\n<p>Das Haus</p>\n")
    code, out, _ = translate("", "--input", "page.html", "--terms", "terms.tsv")
    assert (code, out) == (0, "<p>The <b>K-9</b> is <i>good</i>.</p>\n<p>The house</p>\n")


def test_a_journal_knows_its_terms(translate, tmp_path):
    (tmp_path / "terms.tsv").write_text("Hund\tK-9\n")
    assert translate("Hund", "--out", "out.txt", "--terms", "terms.tsv", "--quiet")[0] == 0
    assert (tmp_path / "out.txt").read_text() == "K-9\n"


def test_what_has_no_effect_is_told(translate, tmp_path):
    (tmp_path / "terms.tsv").write_text("Hund\tdog\nHund\tcanine\n")
    code, out, err = translate("Hund", "--terms", "terms.tsv")
    assert (code, out) == (0, "Dog\n")
    assert "'Hund' is 'dog' already, so 'canine' has no effect" in err


def test_broken_files_get_one_line(translate, tmp_path):
    (tmp_path / "terms.tsv").write_text("Hund dog\n")
    code, _, err = translate("Hund", "--terms", "terms.tsv")
    assert code == 2
    assert err == (
        "tunesmith translate: terms.tsv:1: 'Hund dog' without a tab, expected a source and a "
        "target with a tab between them, or !word\n"
    )
    code, _, err = translate("Hund", "--forbid", " ")
    assert (code, err) == (
        2,
        "tunesmith translate: forbidden word 1 is empty, expected a word at least\n",
    )
