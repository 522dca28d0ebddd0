"""The command itself: its verbs, its version, and how it ends when something is wrong."""

import errno
import os
import re
import subprocess
import sys

import pytest

import tunesmith
from tunesmith.base.errors import InputError
from tunesmith.cli import main as main_module
from tunesmith.cli.main import VERBS, main


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "tunesmith.cli.main", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def ended(arguments, capsys):
    """The exit code, and the two streams."""
    try:
        code = main(arguments)
    except SystemExit as end:
        code = end.code
    return code, *capsys.readouterr()


def test_help_lists_every_verb_with_its_summary(capsys):
    code, out, err = ended(["--help"], capsys)
    assert (code, err) == (0, "")
    shown = " ".join(out.split())
    for verb, summary in VERBS.items():
        assert f"{verb} {summary}" in shown
    assert list(VERBS) == sorted(VERBS)


def test_every_verb_shows_an_example(capsys):
    for verb in VERBS:
        _, out, _ = ended([verb, "--help"], capsys)
        assert re.search(rf"\n +(echo .*)?tunesmith {verb}\b", out), verb


def test_version(capsys):
    assert ended(["--version"], capsys) == (0, f"tunesmith {tunesmith.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "tunesmith: the following arguments are required: VERB; see `tunesmith --help`\n"),
        (["nope"], "tunesmith: argument VERB: invalid choice: 'nope' (choose from "),
        (["rerank", "--weights", "w"],
         "tunesmith rerank: the following arguments are required: --nbest; "
         "see `tunesmith rerank --help`\n"),
        (["demo", "--nope"],
         "tunesmith demo: unrecognized arguments: --nope; see `tunesmith demo --help`\n"),
        (["demo", "--paris=3", "x"],
         "tunesmith demo: unrecognized arguments: --paris=3 x; was --pairs meant? "
         "See `tunesmith demo --help`\n"),
        (["translate", "model", "--nbest", "many"],
         "tunesmith translate: argument --nbest: 'many', expected a whole number; "
         "see `tunesmith translate --help`\n"),
        (["translate", "model", "--threads", "-2"],
         "tunesmith translate: argument --threads: '-2', expected 0 to 4096 threads, 0: all "
         "cores; see `tunesmith translate --help`\n"),
        (["translate", "model", "--pop-limit", "1_000"],
         "tunesmith translate: argument --pop-limit: '1_000', expected a whole number; "
         "see `tunesmith translate --help`\n"),
        (["translate", "model", "--pop-limit", "9999999999"],
         "tunesmith translate: argument --pop-limit: 9999999999, expected at most 2147483647; "
         "see `tunesmith translate --help`\n"),
        (["lm", "train", "text", "--prune", "-1"],
         "tunesmith lm train: argument --prune: -1, expected at least 0; "
         "see `tunesmith lm train --help`\n"),
    ],
)  # fmt: skip
def test_wrong_options_get_one_line_and_exit_code_2(arguments, message, capsys):
    code, out, err = ended(arguments, capsys)
    assert (code, out) == (2, "")
    assert err.startswith(message)
    assert err.count("\n") == 1


def failing(monkeypatch, error):
    def run(arguments):
        raise error

    monkeypatch.setattr(main_module.importlib.import_module("tunesmith.cli.demo"), "run", run)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 2, "No space left on device"),
        (PermissionError(errno.EACCES, "Permission denied", "x"), 2, "x: Permission denied"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 2, "memory is short for this"),
        (InputError("x", 1, "a\nb" + "c" * 500), 2, "x:1: a\\nb" + "c" * 144 + " … " + "c" * 50),
    ],
)
def test_the_systems_refusals_are_one_line_too(error, code, message, monkeypatch, capsys):
    failing(monkeypatch, error)
    assert ended(["demo"], capsys) == (code, "", f"tunesmith demo: {message}\n")


def test_words_that_are_not_utf_8_are_refused(capsys):
    word = b"model\xff".decode("utf-8", "surrogateescape")
    code, _, said = ended(["inspect", word], capsys)
    assert (code, said) == (2, "tunesmith inspect: argument 'model\\udcff', expected UTF-8\n")


def test_two_outputs_of_one_name_are_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.tsv").write_text("ja\tyes\n")
    for command in (
        ["corpus", "convert", "pairs.tsv", "-o", "pairs.tsv", "./pairs.tsv"],
        ["rerank", "--nbest", "n", "--weights", "w", "--out", "o", "--nbest-out", "./o"],
    ):
        code, _, said = ended(command, capsys)
        assert code == 2
        assert said.endswith(": to be written twice, expected different names of the outputs\n")
    assert (tmp_path / "pairs.tsv").read_text() == "ja\tyes\n"


def test_a_mistake_of_ours_is_not_hidden(monkeypatch):
    failing(monkeypatch, AssertionError("a bug"))
    with pytest.raises(AssertionError):
        main(["demo"])


def test_output_is_utf_8_whatever_the_terminal_says(tmp_path):
    (tmp_path / "text").write_text("größer ¾ Ω\n", encoding="utf-8")
    finished = subprocess.run(
        [sys.executable, "-m", "tunesmith.cli.main", "corpus", "tokenize", str(tmp_path / "text")],
        env={**os.environ, "PYTHONIOENCODING": "latin-1"}, capture_output=True, check=True,
    )  # fmt: skip
    assert finished.stdout.decode() == "größer ¾ Ω\n"


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    (tmp_path / "text").write_text("ein Haus .\n" * 50_000)
    command = f"{sys.executable} -m tunesmith.cli.main corpus tokenize {tmp_path}/text | head -n 1"
    finished = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert finished.stderr == ""
    assert finished.stdout.count("\n") == 1
    assert finished.returncode == 0


@pytest.mark.parametrize("verb", ["rerank", "translate", "train", "model"])
def test_the_command_starts_without_heavy_packages(verb):
    heavy = ("scipy", "sklearn", "rich", "sacrebleu", "ray", "py3langid")
    code = (
        f"import sys, tunesmith; from tunesmith.cli.main import build_parser; "
        f"build_parser('{verb}'); print([m for m in {heavy} if m in sys.modules])"
    )
    assert subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout == "[]\n"  # fmt: skip


def test_as_a_module():
    finished = run("rerank", "--nbest", "no-such-file", "--weights", "w")
    assert finished.returncode == 2
    assert finished.stderr == (
        "tunesmith rerank: no-such-file: cannot be read: No such file or directory\n"
    )
