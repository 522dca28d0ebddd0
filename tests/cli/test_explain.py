"""`rerank --explain`: what every feature says for the first text against the second."""

import pytest

from reference.tiny_lists import write_lists
from tunesmith.cli.main import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lists(tmp_path)
    (tmp_path / "w").write_text("lm\t0.5\ntm_0\t1\ntm_1\t2\nlen\t2\n")
    return tmp_path


def test_the_differences_by_hand(folder, capsys):
    assert main(["rerank", "--nbest", "list", "--weights", "w", "--explain", "0,3"]) == 0
    # lm −4, tm −3 −1, len 6 against lm −3, tm −2 −2, len 6.
    assert capsys.readouterr().out == (
        "sentence 0\n"
        "first   the cat sat on the mat  (score 5.0000, no. 1 of its list)\n"
        "second  a cat sat on a mat  (score 4.5000, no. 2 of its list)\n"
        "feature     weight      first     second       adds\n"
        "tm_1        2.0000         -1         -2    +2.0000\n"
        "tm_0        1.0000         -3         -2    -1.0000\n"
        "lm          0.5000         -4         -3    -0.5000\n"
        "rest                                        +0.0000\n"
        "                                            +0.5000\n"
        "\n"
        "sentence 3\n"
        "first   we saw a small house there  (score 5.5000, no. 1 of its list)\n"
        "second  we saw house small  (score 1.0000, no. 2 of its list)\n"
        "feature     weight      first     second       adds\n"
        "len         2.0000          6          4    +4.0000\n"
        "tm_1        2.0000         -1         -2    +2.0000\n"
        "tm_0        1.0000         -2         -1    -1.0000\n"
        "lm          0.5000         -5         -4    -0.5000\n"
        "                                            +4.5000\n"
    )


def test_names_sources_and_equal_texts(folder, capsys):
    (folder / "list.csv").write_text(
        "id,text,src,lm\ns7,a,eins,3\ns7,a,eins,2\ns7,b,eins,1\ns8,c,zwei,1\n"
    )
    (folder / "v").write_text("lm\t1\n")
    arguments = ["rerank", "--nbest", "list.csv", "--weights", "v", "--source-column", "src"]
    assert main([*arguments, "--explain", "s7,s8", "--out", "why"]) == 0
    assert (folder / "why").read_text() == (
        "sentence s7\n"
        "source  eins\n"
        "first   a  (score 3.0000, no. 1 of its list)\n"
        "second  b  (score 1.0000, no. 3 of its list)\n"
        "feature     weight      first     second       adds\n"
        "lm          1.0000          3          1    +2.0000\n"
        "                                            +2.0000\n"
        "\n"
        "sentence s8\n"
        "source  zwei\n"
        "first   c  (score 1.0000, no. 1 of its list)\n"
        "no other text in the list\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--explain", "4"], "the list has no sentence '4', expected 0 to 3"),
        (["--explain", "x"], "the list has no sentence 'x', expected 0 to 3"),
        (["--explain", "0", "--nbest-out", "o"], "--explain goes without --nbest-out"),
    ],
)
def test_refused(folder, options, message, capsys):
    assert main(["rerank", "--nbest", "list", "--weights", "w", *options]) == 2
    assert capsys.readouterr() == ("", f"tunesmith rerank: {message}\n")
