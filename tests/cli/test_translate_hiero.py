"""The verb `translate` with hierarchical models: lattices, glue, options of other models."""

import io
import json
import sys

import pytest

from reference.tiny_moses import write_moses_model
from tunesmith.base.weights import Weights
from tunesmith.cli.main import main
from tunesmith.formats.nbest import read_nbest
from tunesmith.formats.weights import write_weights
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE

RULES = """
[X] ||| ein ||| a ||| p=-1
[X] ||| haus ||| house ||| p=-1
[X] ||| boot ||| boat ||| p=-1
[X] ||| hausboot ||| houseboat ||| p=-1
[X] ||| ein [X,1] ||| a [X,1] ||| p=-1
"""
LATTICE = "((('ein',1.0,1),),(('haus',{},1),('hausboot',{},2),),(('boot',1.0,1),),)"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, arcs in (("model", 0), ("arcs", 1)):
        with new_model(tmp_path / name) as temporary:
            (temporary / "grammar").write_text(RULES.strip() + "\n")
            write_description(temporary, grammar="grammar", language_models=[], arc_features=arcs)
            weights = {"tm.p": 1.0, "glue": -0.5, "unknown": 1.0, "word_penalty": 0.0}
            write_weights(
                temporary / WEIGHTS_FILE, Weights(weights | ({"arc": 1.0} if arcs else {}))
            )
    return tmp_path


@pytest.fixture
def translate(folder, monkeypatch, capsys):
    """Run the verb on lines; the exit code, and what it said on both streams."""

    def run(text, *options, model="model"):
        capsys.readouterr()
        stream = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", stream)
        code = main(["translate", model, *options])
        return code, *capsys.readouterr()

    return run


PLF = ("--input-type", "plf")


def test_a_lattice_is_translated_by_its_best_path(translate):
    even, apart = LATTICE.format(1.0, 1.0), LATTICE.format(1.0, 0.01)
    code, out, err = translate(f"{even}\n\n{apart}\n", *PLF, model="arcs")
    assert (code, out.splitlines()) == (0, ["a houseboat", "", "a house boat"])
    assert err == ""


def test_empty_arcs_are_passed_over(translate):
    text = "((('ein',1.0,1),),(('haus',0.5,1),('*EPS*',0.5,1),),(('boot',1.0,1),),)"
    code, out, _ = translate(f"{text}\n", *PLF, "--nbest", "9", "--nbest-out", "n", model="arcs")
    assert (code, out) == (0, "a boat\n")
    assert list(read_nbest("n").texts) == ["a boat", "a house boat"]
    code, _, err = translate("((('*EPS*',1.0,1),),)\n", *PLF)
    assert code == 2
    assert err.endswith("-:1: a path of no words, expected words on all of them\n")


def test_scores_without_a_weight_are_told(translate):
    text = LATTICE.format(0.5, 0.01)
    code, out, err = translate(f"{text}\n{text}\n", *PLF)
    assert (code, out.splitlines()) == (0, ["a houseboat"] * 2)
    assert err.count("-:1: scores of arcs count nothing, as the model has no weight") == 1


def test_lists_and_explanations_of_a_lattice(translate, folder):
    options = ("--nbest", "9", "--nbest-out", "n", "--explain-out", "e", "--graph-out", "g")
    code, _, _ = translate(LATTICE.format(0.5, 0.25) + "\n", *PLF, *options, model="arcs")
    assert code == 0
    listed = read_nbest("n")
    assert list(listed.texts) == ["a houseboat", "a house boat"]
    arcs = listed.dense[:, list(listed.dense_names).index("arc")]
    assert arcs.tolist() == pytest.approx([-1.386294, -0.693147], abs=1e-5)
    explained = json.loads((folder / "e").read_text())
    assert explained["source"] == "ein hausboot"
    assert explained["steps"][0]["source"] == "ein [1]"


def test_broken_lattices_are_refused_by_their_line(translate):
    good = LATTICE.format(1.0, 1.0)
    for model, bad, message in (
        ("model", "ein haus", "'ein' at character 1, expected '('"),
        ("arcs", "((('a',0.5,0.5,1),),)", "2 scores of an arc, expected 1"),
        ("arcs", "((('a',-3,1),),)", "score -3, expected a probability; --arc-scores logarithms"),
    ):
        code, _, err = translate(f"{good}\n{bad}\n", *PLF, model=model)
        assert code == 2
        assert err.splitlines()[-1].startswith(f"tunesmith translate: -:2: {message}")
    code, out, _ = translate("((('a',-3,1),),)\n", *PLF, "--arc-scores", "logarithms", model="arcs")
    assert (code, out) == (0, "a\n")


def test_long_sentences_are_refused_by_their_line(translate, folder):
    (folder / "in").write_text("ein haus\n" * 300 + "ein " * 2001 + "\n")
    code, _, err = translate("", "--input", "in", "--out", "out")
    assert code == 2
    assert err.splitlines()[-1] == (
        "tunesmith translate: in:301: a sentence of 2,001 words, expected at most 2,000"
    )
    assert not (folder / "out").exists()


def test_sentences_that_need_glue_are_counted(translate):
    code, out, err = translate("ein haus\nhaus boot\nboot boot\n\n")
    assert (code, out.splitlines()) == (0, ["a house", "house boat", "boat boat", ""])
    assert err.splitlines() == [
        "2 of 4 sentences are not parsed by the grammar alone: glue joined parts"
    ]


@pytest.mark.parametrize(
    "option", ["distortion-limit", "stack-size", "early-discarding", "diversity"]
)
def test_options_of_phrase_models_are_refused(translate, option):
    value = [] if option == "early-discarding" else ["3"]
    code, out, err = translate("ein\n", f"--{option}", *value)
    assert (code, out) == (2, "")
    assert (
        err == f"tunesmith translate: --{option} is for phrase models, and model is a hiero model\n"
    )


@pytest.mark.parametrize(
    "option",
    [
        ("--span-limit", "3"),
        ("--pass-through", "all"),
        ("--arc-scores", "logarithms"),
        ("--cubes", "grown"),
    ],
)
def test_options_of_hierarchical_models_are_refused(translate, folder, option):
    write_moses_model(folder)
    assert main(["import", "moses.ini", "--out", "moses", "--quiet"]) == 0
    code, out, err = translate("haus\n", *option, model="moses")
    assert (code, out) == (2, "")
    assert (
        err
        == f"tunesmith translate: {option[0]} is for hiero models, and moses is a phrase model\n"
    )
    code, _, err = translate("haus\n", *PLF, model="moses")
    assert code == 2
    assert "a lattice for a phrase model, expected sentences" in err


@pytest.mark.parametrize("name", ["moses", "plf"])
def test_formats_of_lattices_hold_no_forests(translate, folder, name):
    code, out, err = translate("ein\n", "--graph-out", "g", "--graph-format", name)
    assert (code, out) == (2, "")
    assert err.startswith(f"tunesmith translate: --graph-format {name} holds lattices only")
    code, _, _ = translate("ein boot\n\n", "--graph-out", "g", "--graph-format", "cdec")
    assert code == 0
    assert (folder / "g").exists()


def test_markup_and_lattices_exclude_each_other(translate):
    code, _, err = translate("\n", *PLF, "--markup")
    assert (code, err) == (2, "tunesmith translate: markup in lattices, expected one of the two\n")


def test_prescribed_words_may_be_longer_than_rules(translate):
    text = f'ein <t is="much">{"boot " * 20}</t> haus'
    assert translate(f"{text}\n", "--markup")[1] == "a much house\n"


def test_trees_that_are_too_deep_are_not_explained(translate, folder):
    options = ("--span-limit", "500", "--pop-limit", "1", "--explain-out", "e")
    assert translate("ein " * 100 + "\n", *options)[0] == 0
    assert json.loads((folder / "e").read_text())["steps"][0]["span"] == [0, 100]
    (folder / "e").unlink()
    code, _, err = translate("ein " * 300 + "\n", *options)
    assert code == 2
    assert "sentence 1: 300 rules one inside the other, expected at most 100 to explain" in err
    assert not (folder / "e").exists()


def test_lattices_are_tuned_on(folder, capsys):
    (folder / "dev.plf").write_text(
        "".join(
            "(" + "(('ein',1.0,1),)," * 3 + LATTICE.format(*scores)[1:] + "\n"
            for scores in [(0.9, 0.1), (0.2, 0.8)] * 4
        )
    )
    (folder / "dev.en").write_text("a a a a house boat\na a a a houseboat\n" * 4)
    command = ["tune", "model", "--dev-src", "dev.plf", "--dev-ref", "dev.en", *PLF]
    for tuner in ("kb-mira", "lb-mira"):
        assert main([*command, "--tuner", tuner, "--out", tuner]) == 0
        model = TranslationModel.load(tuner)
        assert model.arc_features == 1
        assert model.weights["arc"] > 0
    # Other scores, or other rules, are another run.
    work = ("--work", "w", "--out", "o")
    assert main([*command, *work]) == 0
    assert main([*command, *work, "--arc-scores", "logarithms"]) == 2
    (folder / "model" / "grammar").write_text(RULES.strip().replace("-1", "-2") + "\n")
    assert main([*command, *work]) == 2
    assert capsys.readouterr().err.count("with other settings (inputs differ)") == 2
    assert main([*command[:-2], "--arc-scores", "logarithms", "--out", "x"]) == 2
    assert capsys.readouterr().err.endswith("--arc-scores needs --input-type plf\n")


def test_a_weight_of_cdec_for_lattices_is_imported(folder):
    (folder / "cdec.ini").write_text("formalism=scfg\ngrammar=model/grammar\n")
    (folder / "w").write_text("p 1\nGlue 0.5\nLatticeCost 0.25\n")
    assert main(["import", "cdec.ini", "--weights", "w", "--out", "imported", "--quiet"]) == 0
    model = TranslationModel.load("imported")
    assert (model.arc_features, model.weights["arc"]) == (1, 0.25)
    assert model.search["arc_scores"] == "logarithms"
