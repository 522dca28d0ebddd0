"""Moses models: imported, they score as in Moses; broken ones are named; exported, they return."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from reference.tiny_models import random_model
from tunesmith.base.errors import InputError
from tunesmith.cli.main import main
from tunesmith.decode import KBest, SearchOptions
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.formats.text import read_lines
from tunesmith.model import TranslationModel
from tunesmith.model.moses import export_moses, import_moses

# Mean model score of the 1-best on test_2016 as Moses' decoders report it, −100 for each unknown
# word included: (weights, pop limit) → score.
MOSES = {
    ("mert", 200): -42.9034,
    ("mert", None): -42.9008,
    ("kbmira", None): -41.3038,  # moses2 at pop limit 1000; Moses itself reports -41.3037
}


@pytest.fixture(scope="module", params=["mert", "kbmira"])
def imported(request, data, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    model = import_moses(data.moses_ini(request.param), folder / "model")
    return request.param, model


@pytest.fixture(scope="module")
def source(data):
    return read_lines(data / "multi30k/test_2016.de")


@pytest.mark.parametrize(
    "pop_limit",
    [200, pytest.param(None, marks=pytest.mark.slow)],
    ids=["as moses2", "default"],
)
def test_search_is_as_good_as_moses(imported, source, pop_limit):
    weights, model = imported
    expected = MOSES.get((weights, pop_limit))
    if expected is None:
        pytest.skip("no figure of Moses' for this")
    options = {} if pop_limit is None else {"pop_limit": pop_limit}
    decoder = PhraseDecoder(
        model, search=replace(SearchOptions.of_model(model), **options), engine=2
    )
    output = decoder.decode(source)
    assert round(float(output.scores.mean()), 4) >= expected
    # As many unknown words as in the 1-bests of Moses.
    assert output.features[:, model.feature_names.index("unknown")].sum() == -377


def test_imported_model_says_where_it_came_from(imported):
    weights, model = imported
    assert len(model.feature_names) == 15
    assert model.search == {"distortion_limit": 6}
    assert model.weights["unknown"] == 100
    assert model.weights["lm"] == {"mert": 0.118864, "kbmira": 0.10170933300991}[weights]
    record = (model.folder / "run.json").read_text(encoding="utf-8")
    for name in (f"moses.{weights}.ini", "phrase-table.gz", "reordering-table.gz", "lm.arpa.gz"):
        assert name in record


def test_exported_and_imported_again_a_model_scores_the_same(tmp_path):
    model, _, chance = random_model(11, tmp_path / "f")
    export_moses(model, tmp_path / "moses")
    again = import_moses(tmp_path / "moses/moses.ini", tmp_path / "again")
    assert again.feature_names == model.feature_names
    assert dict(again.weights) == pytest.approx(dict(model.weights), abs=1e-12)
    texts = [" ".join(chance.choice(list("abcd"), 8)) for _ in range(30)]
    ours, theirs = (PhraseDecoder(m, engine=1).decode(texts, want=KBest(5)) for m in (model, again))
    np.testing.assert_allclose(ours.scores, theirs.scores, atol=1e-5, rtol=1e-5)
    # Every one of our derivations is there too, with the same values (ties may stand elsewhere).
    rows = np.repeat(np.arange(30), np.diff(ours.offsets))
    forced = PhraseDecoder(again, engine=1).force([texts[i] for i in rows], ours.texts, size=500)
    for row, features in enumerate(ours.features):
        block = forced.features[forced.offsets[row] : forced.offsets[row + 1]]
        assert np.isclose(block, features, atol=1e-5, rtol=1e-5).all(axis=1).any()


INI = """[distortion-limit]
6
[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=phrase-table.gz
LexicalReordering name=LexicalReordering0 type=wbe-msd-bidirectional-fe path=reordering-table
Distortion
KENLM name=LM0 path=lm.arpa.gz order=3
[weight]
WordPenalty0= -1
PhrasePenalty0= 0.2
TranslationModel0= 0.1 0.2 0.3 0.4
LexicalReordering0= 0.1 0.1 0.1 0.1 0.1 0.1
Distortion0= 0.3
LM0= 0.5
"""


@pytest.fixture
def folder(tmp_path):
    model, _, _ = random_model(3, tmp_path / "f")
    export_moses(model, tmp_path / "moses")
    return tmp_path / "moses"


def test_the_table_below_begins_with_a_good_file(folder):
    (folder / "x.ini").write_text(INI)
    model = import_moses(folder / "x.ini", folder / "model")
    assert model.weights["tm.p_e_given_f"] == 0.3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[feature]", "[features]", ": no phrase table, expected a PhraseDictionary in [feature]"),
        (
            "path=phrase-table.gz",
            "path=none.gz",
            ":7: path=none.gz, which does not exist, expected an existing file",
        ),
        (
            "path=reordering-table",
            "path=none",
            ":8: path=none, which does not exist, expected an existing file",
        ),
        (" path=lm.arpa.gz", "", ":10: KENLM without path=, expected path=FILE"),
        (
            "Distortion\n",
            "Distortion\nOpSequenceModel name=OSM0 path=osm\n",
            ":10: feature function OpSequenceModel, expected one that Tunesmith has",
        ),
        (
            "type=wbe-msd-bidirectional-fe",
            "type=hier-bidirectional-fe",
            ":8: reordering type 'hier-bidirectional-fe', expected a word-based msd or mslr model, "
            "as wbe-msd-bidirectional-fe",
        ),
        (
            "num-features=4",
            "num-features=four",
            ":7: num-features=four, expected a number from 1 to 999",
        ),
        ("Distortion\n", "Distortion now\n", ":9: 'now', expected key=value"),
        ("6\n[feature]", "six\n[feature]", ":2: 'six', expected a whole number"),
        (
            "6\n[feature]",
            "99999999999999999999\n[feature]",
            ":2: distortion_limit is 99999999999999999999, expected at most 2147483647",
        ),
        ("6\n[feature]", "-2\n[feature]", ":2: distortion_limit is -2, expected at least -1"),
        ("LM0= 0.5\n", "LM0= 1_0\n", ":17: weight '1_0' of 'LM0', expected a finite number"),
        (
            "LM0= 0.5\n",
            "",
            ": 0 weights for LM0, expected 1",
        ),
        (
            "TranslationModel0= 0.1 0.2 0.3 0.4",
            "TranslationModel0= 0.1 0.2 0.3",
            ": 3 weights for TranslationModel0, expected 4",
        ),
        ("Distortion0= 0.3\n", "", ": 0 weights for Distortion0, expected 1"),
        (
            "LM0= 0.5\n",
            "LM0= 0.5\nOSM0= 1\n",
            ": a weight for 'OSM0', expected weights of the [feature]s only",
        ),
        ("LM0= 0.5\n", "LM0= half\n", ":17: weight 'half' of 'LM0', expected a finite number"),
        (
            "[weight]",
            "[weights]",
            ": no section [weight], expected one, as in every moses.ini",
        ),
    ],
)
def test_broken_moses_ini_is_named(old, new, message, folder, capsys):
    ini = folder / "x.ini"
    assert INI.count(old) >= 1
    ini.write_text(INI.replace(old, new, 1))
    assert main(["import", str(ini), "--out", str(folder / "model")]) == 2
    assert capsys.readouterr().err.strip().endswith(f"{ini}{message}")
    assert not (folder / "model").exists()
    assert not [path for path in folder.iterdir() if "model" in path.name]


@pytest.mark.parametrize("name", ["phrase-table.gz", "lm.arpa.gz", "reordering-table.gz"])
def test_a_packed_file_that_is_cut_short_is_named(name, folder, capsys):
    ini = folder / "moses.ini"
    (folder / name).write_bytes((folder / name).read_bytes()[:-9])
    assert main(["import", str(ini), "--out", str(folder / "model")]) == 2
    error = capsys.readouterr().err
    assert f"{folder / name}: cannot be unpacked" in error
    assert not (folder / "model").exists()


@pytest.fixture
def model_folder(tmp_path):
    return random_model(3, tmp_path / "f")[0].folder


def translate(folder, tmp_path, capsys):
    (tmp_path / "in").write_text("a b\n")
    code = main(["translate", str(folder), "--input", str(tmp_path / "in")])
    return code, capsys.readouterr().err.strip()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", "format = 2", "format 2, expected 1"),
        ('kind = "phrase"', 'kind = "neural"', "kind 'neural', expected 'phrase'"),
        (
            '["phrases.bin"]',
            '["../phrases.bin"]',
            "file '../phrases.bin', expected a name without a folder",
        ),
        ('["lm.arpa"]', '["/lm.arpa"]', "file '/lm.arpa', expected a name without a folder"),
        ('["phrases.bin"]', "[]", "no tables, expected at least one"),
        ("format = 1", 'format = 1\nsize = "big"', "unknown key 'size'"),
        ("format = 1", 'format = "1"', "key 'format'"),
        ("format = 1", "", "no key 'format'"),
        ("format = 1", "format = ", "expected valid TOML"),
        ("[search]", "[search]\npop_limit = 0", "pop_limit"),
        ("[search]", "[search]\npop_limit = 99999999999", "pop_limit is 99999999999, expected at"),
        ("[search]", "[search]\ntime_limit = inf", "time_limit is inf, expected a finite number"),
        (
            "[search]",
            "[search]\nstack_size = 2.5",
            "key 'search.stack_size' is 2.5, expected a whole number",
        ),
        ("format = 1", "format = " + "[" * 9999, "model.toml: values nested too deeply"),
        ("format = 1", "format = " + "9" * 9999, "expected valid TOML"),
        ("[search]", "[search]\nbeam = 3", "unknown key 'search.beam', expected one of: pop_"),
    ],
)
def test_broken_descriptions_are_named(old, new, message, model_folder, tmp_path, capsys):
    path = model_folder / "model.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    code, error = translate(model_folder, tmp_path, capsys)
    assert code == 2
    assert message in error
    assert "\n" not in error


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("weights.tsv", b"nonsense\t1\n", "weights.tsv: a weight for 'nonsense', expected "),
        ("weights.tsv", b"lm\tone\n", "weights.tsv:1: weight 'one' of 'lm', expected a finite num"),
        ("weights.tsv", None, "weights.tsv: cannot be read: No such file or directory"),
        ("phrases.bin", b"", "phrases.bin: not a tunesmith binary file, expected a tunesmith file"),
        ("phrases.bin", None, "phrases.bin"),
        ("lm.arpa", b"", "lm.arpa"),
        ("model.toml", None, "no readable model.toml in it, expected a model directory; make one"),
    ],
)
def test_broken_parts_of_a_model_are_named(name, content, message, model_folder, tmp_path, capsys):
    if content is None:
        (model_folder / name).unlink()
    else:
        (model_folder / name).write_bytes(content)
    code, error = translate(model_folder, tmp_path, capsys)
    assert code == 2
    assert message in error
    assert "\n" not in error


def test_a_folder_that_is_no_model_is_never_replaced(folder):
    (folder / "x.ini").write_text(INI)
    other = folder / "notes"
    other.mkdir()
    (other / "diary.txt").write_text("dear diary")
    with pytest.raises(InputError, match="exists and is not a model"):
        import_moses(folder / "x.ini", other)
    assert (other / "diary.txt").read_text() == "dear diary"


def test_a_model_is_a_folder_that_can_be_moved(model_folder, tmp_path):
    before = PhraseDecoder(TranslationModel.load(model_folder), engine=1).decode(["a b c a"])
    shutil.move(model_folder, tmp_path / "moved")
    after = PhraseDecoder(TranslationModel.load(tmp_path / "moved"), engine=1).decode(["a b c a"])
    assert before.texts == after.texts
    assert before.scores.tolist() == after.scores.tolist()
