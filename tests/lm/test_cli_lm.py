"""`tunesmith lm`: every action, bad input, and what a killed run leaves behind."""

import gzip
import json
import os
import signal
import subprocess
import sys

import pytest

from tunesmith.cli.main import main
from tunesmith.formats.text import read_bytes, read_lines
from tunesmith.lm import KneserNey, NgramLM


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    lines = read_lines(data / "multi30k" / "train.en.xz")[:2000]
    (folder / "train.txt").write_text("\n".join(lines[:1500]) + "\n")
    (folder / "other.txt").write_text("\n".join(lines[1500:1900]) + "\n")
    (folder / "test.txt").write_text("\n".join([*lines[1900:], "", "zzz <s>"]) + "\n")
    assert main(["lm", "train", "--order", "3", "-o", f"{folder}/a.lm", f"{folder}/train.txt"]) == 0
    return folder


def test_train_writes_what_the_name_says(folder, tmp_path):
    text = str(folder / "train.txt")
    assert main(["lm", "train", "--order", "3", "--out", str(tmp_path / "b.arpa.gz"), text]) == 0
    assert gzip.decompress((tmp_path / "b.arpa.gz").read_bytes()).startswith(b"\\data\\\nngram 1=")
    lines = read_lines(folder / "test.txt")
    binary, arpa = NgramLM.load(folder / "a.lm"), NgramLM.load(tmp_path / "b.arpa.gz")
    assert binary.scores(lines).tobytes() == arpa.scores(lines).tobytes()


def test_train_options_reach_the_estimator(folder, tmp_path, capfd):
    (tmp_path / "words").write_text("a man dog\nin the\n")
    options = ["--order", "2", "--prune", "0", "1", "--vocabulary", str(tmp_path / "words")]
    more = ["--memory", "1K", "--threads", "2", "--temporary-folder", str(tmp_path)]
    assert main(["lm", "train", *options, *more, str(folder / "train.txt")]) == 0
    expected = KneserNey(order=2, prune=(0, 1), vocabulary=["a", "man", "dog", "in", "the"])
    expected.fit(read_lines(folder / "train.txt")).save_arpa(tmp_path / "e.arpa")
    out, err = capfd.readouterr()
    assert out == (tmp_path / "e.arpa").read_text()
    assert "1-grams: 8 of " in err


def test_quiet_may_stand_behind_the_action(folder, tmp_path, capfd):
    options = ["--order", "2", "-o", str(tmp_path / "c.lm"), str(folder / "train.txt")]
    assert main(["lm", "train", *options]) == 0
    assert "2-grams:" in capfd.readouterr().err
    assert main(["lm", "train", "--quiet", *options]) == 0
    assert capfd.readouterr().err == ""


def test_class_models(folder, tmp_path):
    words = {word for line in read_lines(folder / "train.txt") for word in line.split()}
    (tmp_path / "classes").write_text("".join(f"{w}\t{len(w)}\n" for w in sorted(words)))
    options = ["--classes", str(tmp_path / "classes"), "--out", str(tmp_path / "c.lm")]
    assert main(["lm", "train", "--order", "4", *options, str(folder / "train.txt")]) == 0
    lm = NgramLM.load(tmp_path / "c.lm")
    assert lm.has_classes
    assert lm.perplexity(read_lines(folder / "test.txt")).perplexity < 1000


def test_query(folder, capsys):
    assert main(["lm", "query", f"{folder}/a.lm", f"{folder}/test.txt"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    lm, lines = NgramLM.load(folder / "a.lm"), read_lines(folder / "test.txt")
    assert [float(row[0]) for row in rows] == pytest.approx(lm.scores(lines), abs=1e-5)
    assert rows[-1][1:] == ["3", "2"]
    assert rows[-2][1:] == ["1", "0"]

    assert main(["lm", "query", "--words", f"{folder}/a.lm", f"{folder}/test.txt"]) == 0
    last = capsys.readouterr().out.splitlines()[-1].split("\t")
    scores = lm.full_scores("zzz <s>")
    assert [field.split()[:2] for field in last] == [["zzz", "0"], ["<s>", "0"], ["</s>", "1"]]
    assert float(last[0].split()[2]) == pytest.approx(scores[0].log10, abs=1e-6)


def test_query_answers_a_pipe_line_by_line(folder):
    command = [sys.executable, "-m", "tunesmith.cli.main", "lm", "query", f"{folder}/a.lm"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for sentence, tokens in ((b"a man\n", b"3"), (b"two young men\n", b"4")):
            process.stdin.write(sentence)
            process.stdin.flush()
            assert process.stdout.readline().split(b"\t")[1] == tokens
        process.stdin.close()
        assert process.wait() == 0


def test_perplexity(folder, capsys):
    assert main(["lm", "perplexity", "--json", f"{folder}/a.lm", f"{folder}/test.txt"]) == 0
    row = json.loads(capsys.readouterr().out)
    expected = NgramLM.load(folder / "a.lm").perplexity(read_lines(folder / "test.txt"))
    assert row["perplexity"] == expected.perplexity
    assert row["oov"] == expected.oov
    assert main(["lm", "perplexity", f"{folder}/a.lm", f"{folder}/test.txt"]) == 0
    assert f"{expected.perplexity:.4f}" in capsys.readouterr().out


def test_convert_there_and_back(folder, tmp_path):
    assert main(["lm", "convert", f"{folder}/a.lm", f"{tmp_path}/a.arpa.xz"]) == 0
    assert main(["lm", "convert", f"{tmp_path}/a.arpa.xz", f"{tmp_path}/b.lm"]) == 0
    assert main(["lm", "convert", f"{tmp_path}/b.lm", f"{tmp_path}/b.arpa"]) == 0
    assert main(["lm", "convert", f"{folder}/a.lm", f"{tmp_path}/a.arpa"]) == 0
    assert (tmp_path / "a.arpa").read_bytes() == (tmp_path / "b.arpa").read_bytes()


def test_interpolate(folder, tmp_path, capfd):
    other = str(tmp_path / "other.lm")
    assert main(["lm", "train", "--order", "2", "-o", other, f"{folder}/other.txt"]) == 0
    models = [f"{folder}/a.lm", other]
    capfd.readouterr()
    assert main(["lm", "interpolate", *models, "--tune", f"{folder}/test.txt"]) == 0
    out, err = capfd.readouterr()
    weights = [float(weight) for weight in out.split()]
    assert sum(weights) == pytest.approx(1.0, abs=1e-5)
    assert "perplexity of the mixture" in err
    given = [str(weight) for weight in (weights[0], 1 - weights[0])]
    mixed = str(tmp_path / "mixed.lm")
    assert main(["lm", "interpolate", *models, "--weights", *given, "-o", mixed]) == 0
    lines = read_lines(folder / "test.txt")
    mixture = float(err.split("perplexity of the mixture: ")[1].split()[0])
    assert NgramLM.load(mixed).perplexity(lines).perplexity == pytest.approx(mixture, rel=0.03)


ARPA_WITHOUT_END = "\\data\\\nngram 1=2\n\n\\1-grams:\n0\t<s>\n-1\t</s>\n"


@pytest.mark.parametrize(
    ("arguments", "content", "message"),
    [
        (["query", "F"], b"hello", "F:1: 'hello', expected '\\data\\' at the start; give an ARPA"),
        (["query", "F"], ARPA_WITHOUT_END.encode(), "F:7: the end of the file, expected '\\end\\'"),
        (["convert", "F", "G"], b"TUNESMTH" + b"\0" * 30, "F: not a tunesmith binary file, expec"),
        (["perplexity", "none"], b"", "none: cannot be read: No such file or directory"),
        (["train", "F"], b"a\nb\xff\n", "F:2: invalid UTF-8 at byte 2, expected UTF-8; convert"),
        (["train", "F"], b"a\n\0\n", "F:2: a NUL byte at byte 1, expected text; remove it"),
        (["train", "F"], b"", "F: no lines, expected text to train on"),
        (["train", "--order", "99", "F"], b"a", "argument --order: 99, expected at most 12"),
        (["train", "F", "--prune", "-1"], b"a", "argument --prune: -1, expected at least 0"),
        (["train", "--memory", "1_0G", "F"], b"a", "argument --memory: '1_0G' is not a size such"),
        (["train", "--prune", "1", "0", "--order", "2", "F"], b"a", "pruning thresholds must not"),
        (["train", "-o", "none/x.lm", "F"], b"a", "none/x.lm: its folder does not exist, expecte"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    tmp_path, monkeypatch, capsys, arguments, content, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "F").write_bytes(content)
    assert main(["lm", *arguments]) == 2
    error = [line for line in capsys.readouterr().err.splitlines() if "grams" not in line]
    assert len(error) == 1
    assert error[0].startswith((f"tunesmith lm: {message}", f"tunesmith lm train: {message}"))
    assert [path.name for path in tmp_path.iterdir()] == ["F"]


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_training_leaves_nothing_behind(data, tmp_path, stop):
    text = read_bytes(data / "multi30k" / "train.en.xz")
    out = tmp_path / "out.arpa"
    options = ["--memory", "1M", "--temporary-folder", str(tmp_path), "--out", str(out)]
    command = [sys.executable, "-m", "tunesmith.cli.main", "lm", "train", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        process.stdin.write(text)  # far more than a pipe holds: it has been read, and more may come
        process.stdin.flush()
        process.send_signal(stop)
        process.wait()
    assert process.returncode == -stop
    assert os.listdir(tmp_path) == []
    # An attempt that was killed while it wrote its result: the next one clears that away.
    (tmp_path / f".out.arpa.tmp{process.pid}").write_text("half")
    small = tmp_path / "small.txt"
    small.write_text("a b\n")
    assert main(["lm", "train", "--order", "2", "-o", str(out), str(small)]) == 0
    assert sorted(os.listdir(tmp_path)) == ["out.arpa", "small.txt"]
    NgramLM.load(out)
