"""cdec's models as model directories."""

import gzip
import math

import pytest

from tunesmith.base.errors import InputError
from tunesmith.cli.main import main
from tunesmith.decode import open_decoder
from tunesmith.lm import NgramLM
from tunesmith.model.cdec import import_cdec, is_cdec_ini

INI = """\
formalism=scfg
# a comment
add_pass_through_rules=true
scfg_max_span_limit=12
cubepruning_pop_limit=77
feature_function=WordPenalty
feature_function=KLanguageModel lm.arpa
grammar=rules
weights=w
"""
RULES = "[X] ||| a ||| one ||| p=1\n[X] ||| [X,1] b ||| two [X,1] ||| p=2 q=3\n"
WEIGHTS = "p 0.5\nq -1\nGlue 0.25\nPassThrough -2\nWordPenalty -0.7\nLanguageModel 0.3\n"
WEIGHTS += "LanguageModel_OOV -0.1\n"


@pytest.fixture
def cdec(tmp_path):
    (tmp_path / "cdec.ini").write_text(INI)
    (tmp_path / "rules").write_text(RULES)
    (tmp_path / "w").write_text(WEIGHTS)
    NgramLM.fit(["one two", "two one one"], order=2).save_arpa(tmp_path / "lm.arpa")
    return tmp_path


def test_all_is_read_and_put_on_our_scale(cdec):
    model = import_cdec(cdec / "cdec.ini", cdec / "model")
    assert model.kind == "hiero"
    assert model.search == {
        "table_limit": 0,
        "pass_through": "all",
        "span_limit": 12,
        "pop_limit": 77,
    }
    expected = {
        "tm.p": 0.5,
        "tm.q": -1.0,
        "glue": 0.25,
        "unknown": 2.0,
        "word_penalty": -0.7 / math.log(10),
        "lm": 0.3 / math.log(10),
        "lm_unknown": 0.1,
    }
    assert dict(model.weights) == pytest.approx(expected)
    assert open_decoder(model).decode(["a b"]).best() == ["two one"]


def test_given_weights_and_grammars_go_before_those_of_the_file(cdec):
    (cdec / "other").write_text("[X] ||| a ||| uno ||| p=1\n[X] ||| a ||| uno ||| p=9\n")
    (cdec / "v").write_text("p 1\n")
    model = import_cdec(
        cdec / "cdec.ini", cdec / "model", weights=cdec / "v", grammars=[cdec / "other"]
    )
    assert len(model.grammar) == 1
    assert {name: value for name, value in model.weights.items() if value} == {"tm.p": 1.0}


def test_models_of_moses_are_told_apart(cdec):
    (cdec / "moses.ini").write_text("[feature]\nDistortion\n")
    assert is_cdec_ini(cdec / "cdec.ini")
    assert not is_cdec_ini(cdec / "moses.ini")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("formalism=scfg", "formalism=fst", r"cdec.ini:1: formalism=fst, expected formalism=scfg"),
        ("=12", "=x", r"cdec.ini:4: scfg_max_span_limit=x, expected a number above 0"),
        ("=77", "=0", r"cdec.ini:5: cubepruning_pop_limit=0, expected a number above 0"),
        ("add_pass", "subtract_pass", r"cdec.ini:3: setting 'subtract_pass_through_rules'"),
        ("WordPenalty", "Magic", r"cdec.ini:6: feature function 'Magic', expected KLanguageModel"),
        ("lm.arpa", "gone.arpa", r"cdec.ini:7: gone.arpa, which does not exist"),
        ("KLanguageModel lm.arpa", "KLanguageModel", r"cdec.ini:7: 'KLanguageModel', expected"),
        ("grammar=rules\n", "", r"cdec.ini: no grammar"),
        ("weights=w\n", "", r"cdec.ini: no weights"),
        ("# a comment", "nonsense", r"cdec.ini:2: 'nonsense', expected key=value"),
    ],
)
def test_what_cannot_be_taken_is_refused_by_line(cdec, old, new, message):
    (cdec / "cdec.ini").write_text(INI.replace(old, new))
    with pytest.raises(InputError, match=message):
        import_cdec(cdec / "cdec.ini", cdec / "model")
    assert not (cdec / "model").exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[X] ||| a ||| b", "3 fields, expected [X] ||| source ||| target ||| features"),
        (b"[X] ||| [X,1] a ||| [X,2] ||| p=1", "non-terminal '[X,2]', expected one of the 1 of"),
        (b"[X] ||| [X,1] ||| [X,1] ||| p=1", "a rule by which [X] becomes itself, expected no"),
        (b"[X] ||| \xff ||| b ||| p=1", "byte 0xff"),
        (b"[X] ||| a ||| b ||| p=1e300", "'1e300', expected a finite number"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_broken_rules_are_refused_in_one_line(cdec, capsys, line, message, packed):
    text = RULES.encode() + line + b"\n"
    (cdec / "rules").write_bytes(gzip.compress(text) if packed else text)
    assert main(["import", str(cdec / "cdec.ini"), "--out", str(cdec / "model")]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith(f"tunesmith import: {cdec / 'rules'}:3: {message}")
    assert len(said) == 1
    assert not (cdec / "model").exists()


def test_a_model_whose_grammar_is_broken_is_refused(cdec, capsys):
    model = import_cdec(cdec / "cdec.ini", cdec / "model")
    whole = (model.folder / "grammar.gz").read_bytes()
    (model.folder / "grammar.gz").write_bytes(whole[:-9])
    (cdec / "in").write_text("a b\n")
    command = ["translate", str(model.folder), "--input", str(cdec / "in")]
    assert main([*command, "--out", str(cdec / "out")]) == 2
    assert "grammar.gz: cannot be unpacked" in capsys.readouterr().err
    assert not (cdec / "out").exists()


def test_a_weight_of_no_feature_is_refused(cdec):
    (cdec / "w").write_text(WEIGHTS + "Arity_0 1\n")
    with pytest.raises(InputError, match="a weight for 'Arity_0'"):
        import_cdec(cdec / "cdec.ini", cdec / "model")
