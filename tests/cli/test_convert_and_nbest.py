"""The verbs `convert` and `nbest add-feature`: what they write, say and refuse."""

import sys

import pytest

from tunesmith.cli.main import main
from tunesmith.formats.nbest import read_nbest
from tunesmith.formats.weights import read_weights

LIST = (
    "0 ||| a b ||| LM= 1 TM= 2 3 ||| -1\n"
    "0 |||  ||| LM= 4 TM= 5 6 ||| -2\n"
    "1 ||| c ||| LM= 7 TM= 8 9 ||| -3\n"
)


@pytest.fixture
def path(tmp_path):
    (tmp_path / "list").write_text(LIST)
    return tmp_path / "list"


@pytest.mark.parametrize(
    "dialect", ["tunesmith", "cdec", "joshua", "marian", "moses", "tsv", "csv"]
)
def test_there_and_back(path, tmp_path, dialect):
    middle, back = tmp_path / "middle.gz", tmp_path / "back"
    assert main(["convert", str(path), str(middle), "--to", dialect]) == 0
    assert main(["convert", str(middle), str(back), "--from", dialect, "--to", "moses"]) == 0
    assert back.read_text() == LIST


@pytest.mark.parametrize("dialect", ["sockeye", "ctranslate2", "huggingface"])
def test_there_and_back_without_totals(path, tmp_path, dialect):
    middle, back = tmp_path / "middle.xz", tmp_path / "back"
    assert main(["convert", str(path), str(middle), "--to", dialect]) == 0
    assert read_nbest(middle).dialect == dialect
    assert main(["convert", str(middle), str(back), "--to", "moses"]) == 0
    assert back.read_text() == "".join(
        line[: line.rfind(" |||")] + "\n" for line in LIST.splitlines()
    )


def test_to_standard_output(path, capsys):
    assert main(["convert", str(path), "-", "--to", "tsv"]) == 0
    assert capsys.readouterr().out == (
        "id\ttext\tLM\tTM_0\tTM_1\ttotal\n"
        "0\ta b\t1\t2\t3\t-1\n0\t\t4\t5\t6\t-2\n1\tc\t7\t8\t9\t-3\n"
    )


def test_weights(tmp_path):
    (tmp_path / "ini").write_text("[feature]\nLM\n[weight]\nLM= 0.5\nTM= 1 2\n")
    assert main(["convert", "--weights", str(tmp_path / "ini"), str(tmp_path / "w")]) == 0
    assert (tmp_path / "w").read_text() == "LM\t0.5\nTM_0\t1.0\nTM_1\t2.0\n"
    arguments = ["convert", "--weights", str(tmp_path / "w"), str(tmp_path / "v"), "--to", "cdec"]
    assert main(arguments) == 0
    assert read_weights(tmp_path / "v") == read_weights(tmp_path / "w")


def test_bad_input_is_one_line_and_nothing_is_left(path, tmp_path, capsys):
    path.write_text(LIST + "x\n")
    assert main(["convert", str(path), str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == (
        f"tunesmith convert: {path}:4: 'x' without '|||', expected id ||| text ||| features ||| "
        "total\n"
    )
    assert sorted(tmp_path.iterdir()) == [path]
    assert main(["convert", str(path), str(tmp_path / "out"), "--on-bad-line", "skip"]) == 0
    assert capsys.readouterr().err == f"warning: {path}: 1 of 4 lines skipped as bad\n"


def add(path, out, *source):
    return main(
        ["nbest", "add-feature", "--nbest", str(path), "--name", "new", "--out", str(out), *source]
    )


def test_a_feature_from_a_file(path, tmp_path):
    (tmp_path / "column").write_text("0.5\n-1\n1e3\n")
    assert add(path, tmp_path / "out", "--from-file", str(tmp_path / "column")) == 0
    assert (tmp_path / "out").read_text() == (
        "0 ||| a b ||| LM= 1 TM= 2 3 new= 0.5 ||| -1\n"
        "0 |||  ||| LM= 4 TM= 5 6 new= -1 ||| -2\n"
        "1 ||| c ||| LM= 7 TM= 8 9 new= 1000 ||| -3\n"
    )


def test_a_feature_from_python(path, tmp_path):
    (tmp_path / "my_features.py").write_text(
        "def words(batch):\n    return [10 * s + len(text.split()) for s, text in batch]\n"
    )
    function = f"{tmp_path}/my_features.py:words"
    assert (
        add(path, tmp_path / "out", "--python", function, "--log-base", "e", "--to", "tunesmith")
        == 0
    )
    new = read_nbest(tmp_path / "out")
    assert new.column("new").tolist() == [2, 0, 11]
    assert new.features["new"].log_base == "e"


def test_a_function_gets_whole_lists(tmp_path):
    # More rows than a batch, in lists that no multiple of a batch ends with.
    sizes = (700, 700, 3, 1500, 1)
    lines = [f"{s} ||| {i % 7} ||| f= 0 |||\n" for s, size in enumerate(sizes) for i in range(size)]
    (tmp_path / "long").write_text("".join(lines))
    (tmp_path / "f.py").write_text(
        "from collections import Counter\n"
        "def agreement(batch):\n"
        "    same = Counter(batch)\n"
        "    return [same[entry] for entry in batch]\n"
        "def copied(batch, sources):\n"
        "    return [sources[s] == text for s, text in batch]\n"
    )
    assert add(tmp_path / "long", tmp_path / "out", "--python", f"{tmp_path}/f.py:agreement") == 0
    expected = [(size - i % 7 + 6) // 7 for size in sizes for i in range(size)]
    assert read_nbest(tmp_path / "out").column("new").tolist() == expected
    (tmp_path / "src").write_text("0\n1\n2\n3\n9\n")
    source = ["--python", f"{tmp_path}/f.py:copied", "--src", f"{tmp_path}/src"]
    assert add(tmp_path / "long", tmp_path / "out", *source) == 0
    expected = [i % 7 == s < 4 for s, size in enumerate(sizes) for i in range(size)]
    assert read_nbest(tmp_path / "out").column("new").tolist() == expected


def test_features_of_our_own(path, tmp_path):
    (tmp_path / "src").write_text("a 1\nc\n")
    out = tmp_path / "out"
    command = ["nbest", "add-feature", "--nbest", str(path), "--out", str(out), "--to", "tunesmith"]
    added = ["--add", "length", "--add", "copy", "--add", "mbr:metric=chrf,name=consensus"]
    assert main([*command, *added, "--src", f"{tmp_path}/src"]) == 0
    new = read_nbest(out)
    assert new.dense_names[-3:] == ("length", "copy", "consensus")
    assert new.column("length").tolist() == [2, 0, 1]
    assert new.column("copy").tolist() == [1, 1, 0]


def test_systems_are_merged(path, tmp_path):
    (tmp_path / "other").write_text("a b\nd\n")
    out = tmp_path / "out"
    systems = ["--nbest", f"one={path}", "--text", f"two={tmp_path}/other"]
    assert main(["nbest", "merge", *systems, "--out", str(out)]) == 0
    new = read_nbest(out)
    assert list(new.texts) == ["a b", "", "c", "d"]
    assert new.column("system:two").tolist() == [1, 0, 0, 1]
    assert new.column("one.LM").tolist() == [1, 4, 7, 7]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "nothing to add: give --add, --python, --command or --from-file"),
        (["--command", "cat"], "the new feature has no name: give --name"),
        (["--add", "length", "--name", "l"],
         "--name is not for --add, where it is an option: --add KIND:name=NAME"),
        (["--add", "length", "--command", "cat"],
         "--add goes with none of --python, --command and --from-file"),
        (["--add", "copy"], "feature 'copy' reads the source: give --src"),
        (["--add", "copy", "--src", "{folder}/one"],
         "{folder}/one: 1 lines, expected 2, the sentences of {folder}/list"),
        (["--python", "{folder}/f.py:both", "--name", "x"],
         "{folder}/f.py:both takes the source sentences too: give --src"),
    ],
)  # fmt: skip
def test_what_cannot_be_added(path, tmp_path, capsys, options, message):
    (tmp_path / "one").write_text("a\n")
    (tmp_path / "f.py").write_text("def both(batch, sources): return batch\n")
    given = [one.format(folder=tmp_path) for one in options]
    out = tmp_path / "out"
    assert main(["nbest", "add-feature", "--nbest", str(path), "--out", str(out), *given]) == 2
    assert capsys.readouterr().err == f"tunesmith nbest: {message.format(folder=tmp_path)}\n"
    assert not out.exists()


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        (["--nbest", "{folder}/list"], "--nbest '{folder}/list', expected SYSTEM=FILE"),
        (["--nbest", "a={folder}/list", "--text", "a={folder}/list"],
         "system 'a' twice, expected different names"),
        (["--nbest", "a={folder}/list"], "1 system, expected two or more to merge"),
        (["--nbest", "a={folder}/list", "--text", "b={folder}/none"],
         "{folder}/none: cannot be read: No such file or directory"),
        (["--nbest", "a={folder}/list", "--text", "b={folder}/list"],
         "lists of different numbers of sentences: a 2, b 3"),
    ],
)  # fmt: skip
def test_what_cannot_be_merged(path, tmp_path, capsys, systems, message):
    given = [one.format(folder=tmp_path) for one in systems]
    assert main(["nbest", "merge", "--out", f"{tmp_path}/out", *given]) == 2
    assert capsys.readouterr().err == f"tunesmith nbest: {message.format(folder=tmp_path)}\n"


def test_a_feature_from_a_command(path, tmp_path):
    count = f"{sys.executable} -c 'import sys; [print(len(line) - 1) for line in sys.stdin]'"
    assert add(path, tmp_path / "out", "--command", count) == 0
    assert read_nbest(tmp_path / "out").column("new").tolist() == [3, 0, 1]
    first = f"{sys.executable} -c 'import sys; [print(line.split()[0]) for line in sys.stdin]'"
    assert add(path, tmp_path / "out", "--command", first, "--with-ids") == 0
    assert read_nbest(tmp_path / "out").column("new").tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (["--from-file", "{folder}/short"],
         "{folder}/short: 2 lines, expected 3, one number per hypothesis"),
        (["--from-file", "{folder}/nan"], "{folder}/nan:2: 'nan', expected a finite number"),
        (["--from-file", "{folder}/word"], "{folder}/word:3: 'x', expected a finite number"),
        (["--from-file", "{folder}/none"],
         "{folder}/none: cannot be read: No such file or directory"),
        (["--command", "head -n 1 | wc -l"],
         "command `head -n 1 | wc -l`: 1 lines, expected 3, one number per line of its input"),
        (["--command", "cat"], "command `cat`:1: 'a b', expected a finite number"),
        (["--command", "cat > /dev/null; exit 3"],
         "command `cat > /dev/null; exit 3` ended with exit code 3"),
        (["--python", "words"],
         "'words' names no function, expected module:function or file.py:function"),
        (["--python", "{folder}/f.py:missing"], "{folder}/f.py has no function 'missing'"),
        (["--python", "no_such_module:f"],
         "no_such_module cannot be imported: ModuleNotFoundError: "
         "No module named 'no_such_module'"),
        (["--python", "{folder}/f.py:short"],
         "{folder}/f.py:short: values of shape (1,) for 3 hypotheses, expected one number for "
         "each"),
        (["--python", "{folder}/f.py:fails"], "{folder}/f.py:fails: KeyError: 'oh'"),
        (["--python", "{folder}/f.py:nan"],
         "{folder}/f.py:nan: nan for hypothesis 0, expected a finite number"),
        (["--from-file", "{folder}/good", "--name", "LM"], "the list already has a feature 'LM'"),
    ],
)  # fmt: skip
def test_refused(path, tmp_path, capsys, source, message):
    (tmp_path / "good").write_text("1\n2\n3\n")
    (tmp_path / "short").write_text("1\n2\n")
    (tmp_path / "nan").write_text("1\nnan\n3\n")
    (tmp_path / "word").write_text("1\n2\nx\n")
    (tmp_path / "f.py").write_text(
        "def short(batch): return [1.0]\n"
        "def fails(batch): raise KeyError('oh')\n"
        "def nan(batch): return [float('nan')] * len(batch)\n"
    )
    assert add(path, tmp_path / "out", *(one.format(folder=tmp_path) for one in source)) == 2
    assert capsys.readouterr().err == f"tunesmith nbest: {message.format(folder=tmp_path)}\n"
    assert not (tmp_path / "out").exists()
