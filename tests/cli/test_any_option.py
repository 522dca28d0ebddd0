"""Every option of every verb, with every kind of value that makes no sense: an answer, never a
traceback. What the verbs and their options are is asked of the parser.
"""

import argparse
import io
import sys

import pytest

from reference.tiny_moses import write_moses_model
from tunesmith.cli import _options
from tunesmith.cli.main import VERBS, build_parser, main

NONSENSE = (str(10**30), "9" * 5000, "-1", "nan", "inf", "1_000", "٣", "", "x", "a\nb")

LISTS = ["--nbest", "list", "--refs", "ref"]
TEXT = ["--src", "ref", "--tgt", "ref"]
# Verb → commands that do little and end well; the first word behind a verb may be its action.
COMMANDS = {
    "adapt": [["model", "--layer", "layer", *TEXT]],
    "aer": [["links", "--gold", "links"]],
    "align": [[*TEXT, "--ibm1", "1", "--hmm", "1", "--out", "o"]],
    "clusters": [["--text", "ref", "--classes", "2", "--out", "o"]],
    "compare": [["none", "--dev-src", "ref", "--dev-ref", "ref", "--test-src", "ref",
                 "--test-ref", "ref", "--out", "o"]],
    "convert": [["list", "o"]],
    "corpus": [
        ["prepare", "ref", "ref", "-s", "de", "-t", "en", "-o", "o", "--keep-identical"],
        ["tokenize", "ref", "-o", "o"],
        ["detokenize", "ref", "-o", "o"],
        ["encode", "ref", "--preprocessor", "none", "-o", "o"],
        ["decode", "ref", "--preprocessor", "none", "-o", "o"],
        ["clean", "ref", "ref", "-o", "o"],
        ["convert", "ref", "ref", "-o", "o"],
        ["split", "ref", "ref", "-o", "o"],
        ["stats", "none"],
    ],
    "demo": [["--pairs", "0"], ["--write", "o", "--pairs", "2"]],
    "describe": [[*LISTS, "--weights", "weights"]],
    "evaluate": [["--hyp", "ref", "--refs", "ref", "--bootstrap-samples", "2",
                  "--randomisation-trials", "2"]],
    "explain": [["model", "das haus"]],
    "export": [["model", "--out", "o"]],
    "force": [["model", *TEXT]],
    "graph": [
        ["describe", "graphs"],
        ["convert", "graphs", "o"],
        ["prune", "graphs", "o", "--weights", "model/weights.tsv", "--density", "9"],
        ["nbest", "graphs", "--weights", "model/weights.tsv"],
        ["consensus", "graphs", "--weights", "model/weights.tsv"],
        ["union", "graphs", "--out", "o"],
    ],
    "import": [["moses.ini", "--out", "o"]],
    "inspect": [["model"]],
    "lm": [
        ["train", "ref", "--out", "o"],
        ["query", "lm", "ref"],
        ["perplexity", "lm", "ref"],
        ["convert", "lm", "o"],
        ["interpolate", "lm", "lm", "--tune", "ref"],
    ],
    "model": [["set-language", "model", "--source", "de"]],
    "nbest": [
        ["add-feature", "--nbest", "list", "--name", "f", "--from-file", "values", "--out", "o"],
        ["merge", "--nbest", "a=list", "b=list", "--out", "o"],
    ],
    "oracle": [LISTS],
    "prune": [["model", "--out", "o", "--limit", "2"]],
    "reorder": [
        ["train", *TEXT, "--links", "links", "--out", "o"],
        ["eval", "none", *TEXT, "--links", "links"],
    ],
    "report": [["learned", "--out", "o"]],
    "rerank": [["--nbest", "list", "--weights", "weights"]],
    "serve": [["none"]],
    "shard": [[*TEXT, "--links", "links", "--out", "s"]],
    "train": [[*TEXT, "--dev-src", "ref", "--dev-ref", "ref", "--out", "o", "--dry-run"]],
    "translate": [["model", "--input", "ref"]],
    "tune": [[*LISTS, "--no-held-out", "--out", "o", "--tuner", name]
             for name in ("kb-mira", "kb-mert")],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    write_moses_model(folder)
    (folder / "ref").write_text("das haus\nist klein\n")
    (folder / "links").write_text("0-0 1-1\n0-1\n")
    (folder / "list").write_text(
        "0 ||| das haus ||| f= 1 g= 2 ||| 1\n0 ||| das ||| f= 2 g= 1 ||| 1\n"
        "1 ||| ist ||| f= 1 g= 1 ||| 1\n1 ||| ist klein ||| f= 0 g= 3 ||| 1\n"
    )
    (folder / "weights").write_text("f\t1\ng\t1\n")
    (folder / "learned").mkdir()
    (folder / "learned" / "maxforce.json").write_text(
        '{"identity": {}, "state": [], "start_score": 1, "epochs": [{"dev_score": 2, "pairs": 1, '
        '"reached": 1, "updates": 0, "features": 3}]}'
    )
    (folder / "values").write_text("1\n2\n3\n4\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for command in (
            ["import", "moses.ini", "--out", "model", "--quiet"],
            ["translate", "model", "--input", "ref", "--graph-out", "graphs", "--out", "t"],
            ["lm", "train", "ref", "--order", "2", "--out", "lm", "--quiet"],
        ):
            assert main(command) == 0
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys):
    """The exit code of a command, and what it said on standard error."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"haus\n"), encoding="utf-8"))

    def run(*words):
        try:
            code = main(words)
        except SystemExit as end:  # --help
            code = end.code
        return code, capsys.readouterr().err

    return run


def parser_of(verb, command):
    """The parser of a verb, or of its action."""
    parser = build_parser(verb)
    for word in (verb, *command[:1]):
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction) and word in action.choices:
                parser = action.choices[word]
    return parser


def options_of(verb, command):
    """Each option that takes values, and how many."""
    for action in parser_of(verb, command)._actions:
        if action.option_strings and action.nargs != 0:
            yield action, action.nargs if isinstance(action.nargs, int) else 1


ALL = [(verb, command) for verb, commands in COMMANDS.items() for command in commands]


def test_no_verb_is_left_out():
    assert sorted(COMMANDS) == sorted(VERBS)
    for verb, command in ALL:
        for action in build_parser(verb)._actions[-1].choices[verb]._actions:
            if isinstance(action, argparse._SubParsersAction):
                assert {words[0] for words in COMMANDS[verb]} == set(action.choices), command


@pytest.mark.parametrize(("verb", "command"), ALL, ids=[f"{v} {c[0]}" for v, c in ALL])
def test_nonsense_is_answered(verb, command, run):
    for action, count in options_of(verb, command):
        for value in NONSENSE:
            words = [verb, *command, f"{action.option_strings[-1]}={value}"]
            if count > 1:
                words = [verb, *command, action.option_strings[-1], *[value] * count]
            code, said = run(*words)
            assert code in (0, 2), words
            assert "Traceback" not in said
            if code == 2:
                assert said.splitlines()[-1].startswith("tunesmith"), words
            if action.option_strings[-1] == "--threads":
                assert code == 2, words


WRITES = {_options.output_file, _options.output_folder, _options.filled_folder}


@pytest.mark.parametrize(("verb", "command"), ALL, ids=[f"{v} {c[0]}" for v, c in ALL])
def test_an_output_that_cannot_be_written_is_found_before_the_input_is_read(
    verb, command, run, folder
):
    """No input is there, yet it is the output that the message speaks of."""
    (folder / "file").write_text("")
    absent = ["absent" if (folder / word).exists() else word for word in command]
    actions = int(parser_of(verb, []).prog != parser_of(verb, command).prog)
    for action in parser_of(verb, command)._actions:
        if action.type in WRITES and action.option_strings:
            option = [action.option_strings[-1], "file/below/o"]
            code, said = run(verb, *absent[:actions], *option, *absent[actions:])
            assert (code, said.count("\n")) == (2, 1)
            assert said.startswith(f"tunesmith {verb}: file/below/o: "), (said, action)
