"""The verbs `import`, `export` and `inspect`: a Moses model there and back, and broken ones."""

import gzip
import json

import pytest

from reference.tiny_moses import INI, PHRASES, REORDERING, write_moses_model
from tunesmith.cli.main import main
from tunesmith.formats.weights import read_weights
from tunesmith.model import TranslationModel


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_moses_model(tmp_path)
    return tmp_path


@pytest.fixture
def model(folder):
    assert main(["import", "moses.ini", "--out", "model", "--quiet"]) == 0
    return folder / "model"


def test_what_is_imported(folder, capsys):
    assert main(["import", "moses.ini", "--out", "model"]) == 0
    assert capsys.readouterr().out == "model: 7 rules, 15 features\n"
    model = TranslationModel.load("model")
    assert model.search == {"distortion_limit": 4}
    assert model.weights["tm.lex_f_given_e"] == 0.1
    assert model.weights["unknown"] == 100  # Moses charges 100 for each unknown word
    assert model.weights["lm"] == 0.5
    assert model.language_models[0].order == 2


def test_scores_are_the_sum_that_moses_would_print(model, capsys, monkeypatch, tmp_path):
    (tmp_path / "in").write_text("das haus ist klein\n")
    assert main(["translate", "model", "--input", "in", "--nbest", "2", "--nbest-out", "n"]) == 0
    assert capsys.readouterr().out == "the house is small\n"
    line = (tmp_path / "n").read_text().splitlines()[0]
    values = dict(zip(*[iter(line.split(" ||| ")[2].replace("=", "").split())] * 2, strict=True))
    # log10 of: the | <s>, house | the, is | house, small | is, </s> | small
    lm = (-0.3 - 1) - 0.2 - 0.4 - 0.3 - 1
    assert float(values["lm"]) == pytest.approx(lm * 2.302585093, rel=1e-6)
    assert float(values["tm.p_f_given_e"]) == pytest.approx(-1.4916549)  # log(0.5 × 0.9 × 0.5)
    assert float(values["reorder.previous.monotone"]) == pytest.approx(-1.5324769)  # log 0.6 ³
    assert (values["word_penalty"], values["phrase_penalty"]) == ("-4", "3")


def test_a_packed_model_is_the_same(folder, model):
    for name, text in (("phrases", PHRASES), ("reorder", REORDERING)):
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    (folder / "packed.ini").write_text(INI.replace("=phrases", "=phrases.gz"))
    (folder / "reorder").unlink()  # Moses adds .gz by itself
    assert main(["import", "packed.ini", "--out", "other"]) == 0
    for name in ("phrases.bin", "lm.bin", "weights.tsv"):
        assert (folder / "other" / name).read_bytes() == (model / name).read_bytes()


def test_exported_as_it_came(folder, model):
    assert main(["export", "model", "--out", "moses"]) == 0
    lines = gzip.decompress((folder / "moses" / "phrase-table.gz").read_bytes()).decode()
    for ours, theirs in zip(sorted(lines.splitlines()), sorted(PHRASES.splitlines()), strict=True):
        one, other = ours.split(" ||| "), theirs.split(" ||| ")
        assert [*one[:2], one[3]] == [*other[:2], other[3]]
        scores = [list(map(float, row[2].split())) for row in (one, other)]
        assert scores[0] == pytest.approx(scores[1], rel=1e-6)
    table = gzip.decompress((folder / "moses" / "reordering-table.gz").read_bytes()).decode()
    assert sorted(table.splitlines()) == sorted(REORDERING.splitlines())
    theirs = read_weights("moses/weights.txt", "moses")
    assert dict(theirs) == dict(read_weights("moses.ini", "moses"))


def changed(old, new):
    assert old in INI
    return INI.replace(old, new)


BROKEN_INI = [
    (changed("path=phrases", "path=nowhere"),
     "bad.ini:12: path=nowhere, which does not exist, expected an existing file"),
    (changed("path=lm.arpa", "path=nowhere"),
     "bad.ini:15: path=nowhere, which does not exist, expected an existing file"),
    (changed(" path=reorder", ""),
     "bad.ini:13: LexicalReordering without path=, expected path=FILE"),
    (changed("Distortion\n", "Distortion\nOpSequenceModel path=x\n"),
     "bad.ini:15: feature function OpSequenceModel, expected one that Tunesmith has"),
    (changed("KENLM name=LM0", "KENLM lazy name=LM0"), "bad.ini:15: 'lazy', expected key=value"),
    (changed("num-features=4", "num-features=four"),
     "bad.ini:12: num-features=four, expected a number from 1 to 999"),
    (changed("num-features=4", "num-features=5"),
     "phrases:1: 4 scores, expected 5; compare num-features in moses.ini"),
    (changed("TranslationModel0= 0.2 0.1 0.2 0.1", "TranslationModel0= 0.2 0.1"),
     "bad.ini: 2 weights for TranslationModel0, expected 4"),
    (changed("TranslationModel0= 0.2", "TranslationModel0= 0.2 0.2"),
     "bad.ini: 5 weights for TranslationModel0, expected 4"),
    (changed("LexicalReordering0= 0.3", "LexicalReordering0= 0.3 0.3"),
     "bad.ini: 7 weights for LexicalReordering0, expected 6"),
    (changed("LM0= 0.5\n", ""), "bad.ini: 0 weights for LM0, expected 1"),
    (changed("LM0= 0.5", "LM0= half"),
     "bad.ini:23: weight 'half' of 'LM0', expected a finite number"),
    (changed("\n4\n", "\nfour\n"), "bad.ini:7: 'four', expected a whole number"),
    (changed("wbe-msd", "hier-other"),
     "bad.ini:13: reordering type 'hier-other-bidirectional-fe', expected a word-based msd or "
     "mslr model, as wbe-msd-bidirectional-fe"),
    (changed("wbe-msd", "wbe-mslr"),
     "reorder:1: 6 scores, expected 8; compare num-features in moses.ini"),
    (changed("PhraseDictionaryMemory", "# PhraseDictionaryMemory"),
     "bad.ini: no phrase table, expected a PhraseDictionary in [feature]"),
    (changed("path=phrases", "path=lm.arpa"),
     "lm.arpa:1: 1 fields, expected source ||| target ||| scores"),
    (changed("path=phrases", "path=."), ".: cannot be read: Is a directory"),
    (changed("path=phrases", "path=empty"),
     "empty: no rules, expected source ||| target ||| scores"),
    (changed("path=lm.arpa", "path=phrases"),
     "phrases:1: 'das haus ||| the house ||| 0.5 0.4 0.3 0.2 ||| 0-0 1-1 ||| 1…', expected "
     "'\\data\\' at the start; give an ARPA file or a model made by `tunesmith lm`"),
    (changed("path=phrases", "path=cut.gz"),
     "cut.gz: cannot be unpacked: Compressed file ended before the end-of-stream marker was "
     "reached; the file is cut off or damaged"),
]  # fmt: skip


def refused(folder, capsys):
    before = sorted(folder.iterdir())
    assert main(["import", "bad.ini", "--out", "model"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert sorted(folder.iterdir()) == before
    return captured.err.removeprefix("tunesmith import: ").rstrip("\n")


@pytest.mark.parametrize(("ini", "message"), BROKEN_INI)
def test_a_broken_moses_ini_gets_one_line(folder, ini, message, capsys):
    (folder / "empty").write_text("")
    (folder / "cut.gz").write_bytes(gzip.compress(PHRASES.encode(), mtime=0)[:60])
    (folder / "bad.ini").write_text(ini)
    assert refused(folder, capsys) == message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dach ||| roof", "2 fields, expected source ||| target ||| scores"),
        ("dach ||| roof ||| 0.5 0.4 x 0.2 ||| 0-0", "'x', expected a finite number"),
        ("dach ||| roof ||| 0.5 0.4 nan 0.2 ||| 0-0", "'nan', expected a finite number"),
        ("dach ||| roof ||| 0.5 0.4 0.3 ||| 0-0",
         "3 scores, expected 4; compare num-features in moses.ini"),
        ("dach ||| roof ||| 0.5 0.4 0.3 -1 ||| 0-0", "'-1', expected a probability"),
        ("dach ||| roof ||| 0.5 0.4 0.3 0.2 ||| 0-7",
         "'0-7', expected a link i-j inside the phrases"),
    ],
)  # fmt: skip
def test_a_broken_line_of_a_phrase_table_is_named(folder, line, message, capsys):
    (folder / "phrases").write_text(f"{PHRASES}{line}\n")
    (folder / "bad.ini").write_text(INI)
    assert refused(folder, capsys) == f"phrases:8: {message}"


def test_only_a_model_is_replaced(folder, model, capsys):
    assert main(["import", "moses.ini", "--out", "model"]) == 0
    assert main(["import", "moses.ini", "--out", "."]) == 2
    assert main(["import", "moses.ini", "--out", "moses.ini"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "tunesmith import: moses.ini: a file, expected the name of a folder to write"
    )
    assert (folder / "moses.ini").read_text() == INI
    assert main(["export", "model", "--out", "phrases"]) == 2
    assert main(["export", "model", "--out", "phrases/x"]) == 2
    assert (folder / "phrases").read_text() == PHRASES


def test_inspect(model, capsys):
    assert main(["inspect", "model"]) == 0
    out = capsys.readouterr().out
    assert "phrases.bin: 7 rules of 5 phrases" in out
    assert "language model of order 2: 9, 3 n-grams" in out
    assert "from moses.ini  " in out
    assert main(["inspect", "model", "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described["weights"]["word_penalty"] == -1
    assert described["bytes"]["phrases.bin"] == (model / "phrases.bin").stat().st_size


def test_inspect_a_phrase(model, capsys):
    assert main(["inspect", "model", "--phrase", "das haus"]) == 0
    assert (
        capsys.readouterr().out == "  0.3000        5  the house\n  0.2000        2  that house\n"
    )
    assert main(["inspect", "model", "--phrase", "unheard"]) == 0
    assert capsys.readouterr().out == "no rules\n"
    assert main(["inspect", "model", "--phrase", "klein", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["target"] for row in rows] == ["small", "little"]
    assert rows[0]["p_e_given_f"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("model.toml", "format = 2\n", "model/model.toml: no key 'kind'"),
        ("model.toml", "format = \n", "model/model.toml: Invalid value (at line 1, column 10)"),
        ("phrases.bin", "short", "model/phrases.bin: "),
        ("lm.bin", None, "model/lm.bin: cannot be read: No such file or directory"),
        ("weights.tsv", "nonsense\t1\n",
         "model/weights.tsv: a weight for 'nonsense', expected features of this model only"),
        ("weights.tsv", "lm\tnan\n", "model/weights.tsv:1: "),
        ("run.json", "{", "model/run.json: not a run record, expected JSON"),
    ],
)  # fmt: skip
def test_inspect_a_broken_model(model, name, content, message, capsys):
    (model / name).unlink()
    if content is not None:
        (model / name).write_text(content)
    assert main(["inspect", "model"]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"tunesmith inspect: {message}")
    assert captured.err.count("\n") == 1
