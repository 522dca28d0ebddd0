"""The command itself: its verbs, its version, and how it ends when something is wrong."""

import errno
import re
import subprocess
import sys

import pytest

import tunesmith
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
         "tunesmith: unrecognized arguments: --nope; see `tunesmith --help`\n"),
        (["translate", "model", "--nbest", "many"],
         "tunesmith translate: argument --nbest: invalid int value: 'many'; "
         "see `tunesmith translate --help`\n"),
        (["translate", "model", "--threads", "-2"],
         "tunesmith translate: argument --threads: '-2', expected a number of threads, 0: all "
         "cores; see `tunesmith translate --help`\n"),
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
    ],
)
def test_the_systems_refusals_are_one_line_too(error, code, message, monkeypatch, capsys):
    failing(monkeypatch, error)
    assert ended(["demo"], capsys) == (code, "", f"tunesmith demo: {message}\n")


def test_a_mistake_of_ours_is_not_hidden(monkeypatch):
    failing(monkeypatch, AssertionError("a bug"))
    with pytest.raises(AssertionError):
        main(["demo"])


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    command = f"{sys.executable} -m tunesmith.cli.main phrasebook 20000 - | head -n 1"
    finished = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert finished.stderr == ""
    assert finished.stdout.count("\n") == 1
    assert finished.returncode == 0


def test_the_command_starts_without_heavy_packages():
    code = (
        "import sys; from tunesmith.cli.main import build_parser; build_parser('rerank');"
        "print([m for m in ('scipy', 'sklearn', 'rich', 'sacrebleu', 'ray') if m in sys.modules])"
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
