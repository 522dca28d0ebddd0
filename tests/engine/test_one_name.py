"""Who works is said in one way: `engine`, and all cores where nothing is said."""

import ast
from pathlib import Path

import tunesmith
from tunesmith.cli.main import main

ROOT = Path(tunesmith.__file__).parent
# Below the room `engine`: native methods take a number.
NATIVE = {"base/pool.py"}


def functions():
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield str(path.relative_to(ROOT)), node


def test_no_function_takes_a_number_of_threads():
    found = {
        path
        for path, function in functions()
        if any(item.arg == "threads" for item in [*function.args.args, *function.args.kwonlyargs])
    }
    assert found == NATIVE


def test_absent_means_all_cores_everywhere():
    seen = 0
    for path, function in functions():
        for item, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
            if item.arg == "engine" and default is not None:
                seen += 1
                own = function.name == "session"  # of a decoder, which has an engine
                expected = "None" if own else "ALL_CORES"
                assert ast.unparse(default) == expected, (path, function.name)
    assert seen > 50


def test_the_aligner_takes_all_cores(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("de").write_text("das haus\ndas buch\n" * 3)
    Path("en").write_text("the house\nthe book\n" * 3)
    links = set()
    for threads in ([], ["--threads", "0"], ["--threads", "2"]):
        assert main(["align", "--src", "de", "--tgt", "en", "--out", "links", *threads]) == 0
        links.add(Path("links").read_text())
    assert len(links) == 1
    assert main(["align", "--src", "de", "--tgt", "en", "--threads", "-1"]) == 2
    assert "argument --threads: '-1', expected 0 to 4096 threads, 0: all cores" in (
        capsys.readouterr().err
    )
