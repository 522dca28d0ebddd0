"""Hierarchical models as cdec's files, and back again."""

import gzip

import numpy as np
import pytest

from reference.chart import ScfgRule
from reference.tiny_grammars import SOURCE, hiero_model, random_rule
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.cli.main import main
from tunesmith.corpus import Bitext
from tunesmith.decode import open_decoder
from tunesmith.decode.want import KBest
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.text import read_lines
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.grammar import HieroOptions
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.cdec import import_cdec
from tunesmith.model.cdec_export import export_cdec
from tunesmith.model.files import WEIGHTS_FILE

LISTS = KBest(20)
PAIRS = [
    ("das alte Haus", "the old house"),
    ("das alte Buch", "the old book"),
    ("ein Buch", "a book"),
    ("das Haus ist alt", "the house is old"),
]
TEXT = ["das Buch ist alt", "ein neues Haus", "", "nie ist das"]


def given_model(folder, *, lms=1, **search):
    """A model of a grammar, and sentences with words that it does not know."""
    chance = np.random.default_rng(5)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(40)]
    rules.append(ScfgRule("X", (SOURCE[0],), (), (("p", 0.5),)))
    limits = {"table_limit": 0, "pop_limit": 50, "span_limit": 6, **search}
    model = hiero_model(folder / "model", rules, chance, lms=lms, search=limits)
    words = [*SOURCE, "nie", "&amp;"]
    return model, [" ".join(chance.choice(words, chance.integers(1, 9))) for _ in range(12)]


def indexed_model(folder, pairs=PAIRS):
    """A model whose rules are looked up."""
    text = Bitext.from_lines(*zip(*pairs, strict=True))
    links = Links.from_lists([[(i, i) for i in range(len(one.split()))] for one, _ in pairs])
    with new_model(folder / "model") as temporary:
        HieroOptions().run(text, links, temporary / "grammar.bin")
        NgramLM.fit([target for _, target in pairs], order=2).save(temporary / "lm.bin")
        write_description(
            temporary,
            grammar="grammar.bin",
            language_models=["lm.bin"],
            search={"table_limit": 0, "pop_limit": 100},
        )
        names = TranslationModel.load(temporary).feature_names
        vector = np.random.default_rng(2).normal(size=len(names))
        write_weights(temporary / WEIGHTS_FILE, Weights.from_vector(names, vector))
    return TranslationModel.load(folder / "model")


def check_same(model, again, text):
    ours, theirs = (open_decoder(one).decode(text, want=LISTS) for one in (model, again))
    assert ours.texts == theirs.texts
    np.testing.assert_array_equal(ours.offsets, theirs.offsets)
    np.testing.assert_allclose(ours.scores, theirs.scores, atol=1e-5)


@pytest.mark.parametrize("pass_through", ["all", "unknown"])
@pytest.mark.parametrize("with_text", [True, False])
def test_a_grammar_comes_back(tmp_path, pass_through, with_text):
    model, text = given_model(tmp_path, pass_through=pass_through)
    export_cdec(model, tmp_path / "cdec", text=text if with_text else None)
    again = import_cdec(tmp_path / "cdec" / "cdec.ini", tmp_path / "again")
    assert again.search == model.search
    check_same(model, again, text)


def test_rules_of_a_text_come_back(tmp_path):
    model = indexed_model(tmp_path)
    export_cdec(model, tmp_path / "cdec", text=TEXT)
    check_same(model, import_cdec(tmp_path / "cdec" / "cdec.ini", tmp_path / "again"), TEXT)
    assert read_lines(tmp_path / "cdec" / "input.txt") == TEXT


def test_every_sentence_may_have_its_grammar(tmp_path):
    model = indexed_model(tmp_path)
    cdec = tmp_path / "cdec"
    export_cdec(model, cdec, text=TEXT, single=True)
    assert read_lines(cdec / "input.sgm")[1] == (
        '<seg id="1" grammar="grammars/grammar.1.gz">ein neues Haus</seg>'
    )
    grammars = sorted(cdec.glob("grammars/*.gz"))
    assert len(grammars) == len(TEXT)
    again = import_cdec(cdec / "cdec.ini", tmp_path / "again", grammars=grammars)
    check_same(model, again, TEXT)


SIGNS = [
    ("das [1] Haus |||", "the [1] house |||"),
    ("a|||b [X,1] Buch", "a|||b [X,1] book"),
    ("das [1] Buch", "the [1] book"),
]


def test_words_that_look_like_a_grammars_own_signs_are_written_with_entities(tmp_path):
    model = indexed_model(tmp_path, [*PAIRS, *SIGNS])
    text = ["das [1] Buch |||", "[X,1] Haus a|||b [X,2] [X]"]
    cdec = tmp_path / "cdec"
    export_cdec(model, cdec, text=text)
    written = read_lines(cdec / "input.txt")
    assert written == [
        "das &#91;1&#93; Buch &#124;&#124;&#124;",
        "&#91;X,1&#93; Haus a&#124;&#124;&#124;b &#91;X,2&#93; [X]",
    ]
    again = import_cdec(cdec / "cdec.ini", tmp_path / "again")
    ours = open_decoder(model).decode(text, want=LISTS)
    theirs = open_decoder(again).decode(written, want=LISTS)
    for entity, sign in (("&#91;", "["), ("&#93;", "]"), ("&#124;", "|")):
        theirs.texts[:] = [line.replace(entity, sign) for line in theirs.texts]
    assert ours.texts == theirs.texts
    assert "the [1] book |||" in ours.texts
    np.testing.assert_allclose(ours.scores, theirs.scores, atol=1e-5)
    assert sorted(path.name for path in cdec.iterdir()) == [
        "cdec.ini", "grammar.gz", "input.txt", "lm.arpa.gz", "weights.txt"
    ]  # fmt: skip
    export_cdec(model, tmp_path / "single", text=text, single=True)
    assert read_lines(tmp_path / "single" / "input.sgm")[0].endswith(f">{written[0]}</seg>")


def test_files_are_as_cdec_reads_them(tmp_path):
    model = indexed_model(tmp_path)
    export_cdec(model, tmp_path / "cdec", text=TEXT)
    assert read_lines(tmp_path / "cdec" / "cdec.ini") == [
        "formalism=scfg",
        "grammar=grammar.gz",
        "scfg_max_span_limit=15",
        "intersection_strategy=cube_pruning",
        "cubepruning_pop_limit=100",
        "weights=weights.txt",
        "feature_function=WordPenalty",
        "feature_function=KLanguageModel -n LanguageModel lm.arpa.gz",
    ]
    lines = gzip.decompress((tmp_path / "cdec" / "grammar.gz").read_bytes()).decode().splitlines()
    assert [line for line in lines if "PassThrough" in line] == [
        f"[X] ||| {word} ||| {word} ||| PassThrough=1" for word in ("neues", "nie")
    ]
    ours, theirs = model.weights, read_weights(tmp_path / "cdec" / "weights.txt")
    assert theirs["LanguageModel"] == pytest.approx(ours["lm"] * np.log(10))
    assert theirs["WordPenalty"] == pytest.approx(ours["word_penalty"] * np.log(10))
    assert theirs["PassThrough"] == -ours["unknown"]
    assert theirs["LanguageModel_OOV"] == -ours["lm_unknown"]
    assert theirs["count_ef"] == ours["tm.count_ef"]
    assert "LatticeCost" not in theirs


def test_what_stays_behind_is_told(tmp_path, caplog):
    model, text = given_model(tmp_path, lms=2, table_limit=3)
    export_cdec(model, tmp_path / "cdec", text=text)
    assert "a class-based language model stays behind" in caplog.text
    assert "cdec has no --table-limit, and this model has 3" in caplog.text
    assert "LanguageModel2" not in read_weights(tmp_path / "cdec" / "weights.txt")


def test_an_index_needs_a_text(tmp_path):
    model = indexed_model(tmp_path)
    with pytest.raises(OptionError, match="rules for any text, and cdec reads those of a given"):
        export_cdec(model, tmp_path / "cdec")
    assert not (tmp_path / "cdec").exists()
    given, _ = given_model(tmp_path / "other")
    with pytest.raises(OptionError, match="single sentences need their text: expected --text"):
        export_cdec(given, tmp_path / "cdec", single=True)


def test_from_the_command_line(tmp_path, monkeypatch, capsys):
    indexed_model(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in TEXT))
    assert main(["export", "model", "--text", "text", "--out", "cdec", "--single-grammars"]) == 0
    assert sorted(path.name for path in (tmp_path / "cdec").iterdir()) == [
        "cdec.ini",
        "grammars",
        "input.sgm",
        "input.txt",
        "lm.arpa.gz",
        "weights.txt",
    ]
    assert main(["export", "model", "--text", "text", "--out", "cdec"]) == 2
    assert capsys.readouterr().err.endswith("cdec: exists, expected a new folder\n")
    assert main(["export", "model", "--out", "other"]) == 2
    assert capsys.readouterr().err.endswith("expected --text FILE\n")
