"""Weights in files: round trips, files of Moses and cdec, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.weights import Weights
from tunesmith.formats.weights import read_weights, write_weights

names = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8
).filter(lambda name: not name.startswith(("#", "[")))
weights = st.dictionaries(
    st.one_of(names, st.builds("{}_{}".format, names, st.integers(0, 3))),
    st.floats(-1e20, 1e20),
    min_size=1,
    max_size=8,
).map(Weights)


@pytest.mark.parametrize("format", ["tsv", "moses", "cdec"])
@given(written=weights)
def test_round_trip(written, format, tmp_path_factory):
    path = tmp_path_factory.mktemp("w") / "weights"
    write_weights(path, written, format, comments=["made by a test"])
    assert read_weights(path, format) == written


@pytest.mark.parametrize("format", ["tsv", "moses", "cdec"])
@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_formats_are_recognised(tmp_path, format, suffix):
    written = Weights({"tm_0": 0.1, "tm_1": -0.25, "lm": 1e-7})
    path = tmp_path / f"weights{suffix}"
    write_weights(path, written, format)
    assert read_weights(path) == written


def test_files_of_moses_and_cdec(data):
    start = read_weights(data / "nbest" / "moses-de-en" / "start.weights")
    assert len(start) == 14
    assert start["TranslationModel0_3"] == 0.2
    assert start["WordPenalty0"] == -1.0
    ini = read_weights(data / "moses-model" / "moses.mert.ini")
    assert len(ini) == 15
    assert ini["LM0"] != 0.0
    assert ini["LexicalReordering0_5"] != 0.0
    cdec = read_weights(data / "cdec-model" / "weights.pro")
    assert cdec["LanguageModel_OOV"] == -0.75131483019132606


def test_moses_lines(tmp_path):
    path = tmp_path / "weights"
    write_weights(path, Weights({"TM_0": 1.0, "LM": 2.0, "TM_1": 3.0, "x_0": 4.0}), "moses")
    assert path.read_text() == "TM= 1.0 3.0\nLM= 2.0\nx_0= 4.0\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "{path}: no weights, expected at least one"),
        ("# nothing\n\n", "{path}: no weights, expected at least one"),
        (
            "lm\n",
            "{path}:1: 'lm', expected a weight: 'name<TAB>value', 'name= value' or 'name value'",
        ),
        ("lm\t1\nlm\t2\n", "{path}:2: feature 'lm' twice, expected every feature once"),
        ("lm\t1\ntm\n", "{path}:2: 'tm', expected 'name<TAB>value'"),
        ("lm\t1\n\t2\n", "{path}:2: '\t2', expected 'name<TAB>value'"),
        ("lm\tabc\n", "{path}:1: weight 'abc' of 'lm', expected a finite number"),
        ("lm\t1_000\n", "{path}:1: weight '1_000' of 'lm', expected a finite number"),
        ("lm\t٣\n", "{path}:1: weight '٣' of 'lm', expected a finite number"),
        (
            f"lm\t{'9' * 10_000}\n",
            f"{{path}}:1: weight '{'9' * 139} … {'9' * 41}' of 'lm', expected a finite number",
        ),
        ("lm\tnan\n", "{path}:1: weight 'nan' of 'lm', expected a finite number"),
        (
            "lm 1\ntm -1e21\n",
            "{path}:2: weight '-1e21' of 'tm', expected a number of at most 1e+20; "
            "divide all weights by the same number",
        ),
        ("lm 1\ntm 1e999\n", "{path}:2: weight '1e999' of 'tm', expected a finite number"),
        ("lm 1\ntm 1 2\n", "{path}:2: 'tm 1 2', expected 'name value'"),
        ("lm= 1\ntm=\n", "{path}:2: 'tm=', expected 'Name= value' or 'Name= v v v'"),
        ("lm= 1\ntm 1\n", "{path}:2: 'tm 1', expected 'Name= value' or 'Name= v v v'"),
        (
            "lm= 1\ntm= 1\nlm= 2\n",
            "{path}:3: feature 'lm' again, expected the values of a name in one place",
        ),
        ("lm= 1 2\nlm_1= 2\n", "{path}:2: feature 'lm_1' twice, expected every feature once"),
        ("[feature]\nLM\n", "{path}: no section [weight], expected one, as in every moses.ini"),
        ("[weight]\nlm= x\n", "{path}:2: weight 'x' of 'lm', expected a finite number"),
    ],
)
def test_refused(tmp_path, text, message):
    path = tmp_path / "weights"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_weights(path)
    assert str(error.value) == message.format(path=path)


@pytest.mark.parametrize("format", ["moses", "cdec"])
@pytest.mark.parametrize("name", ["a b", "", " a", "#a", "a\u2028"])
def test_names_that_would_not_come_back(tmp_path, name, format):
    with pytest.raises(OptionError, match="cannot be written"):
        write_weights(tmp_path / "w", Weights({name: 1.0}), format)
    assert not (tmp_path / "w").exists()


def test_unknown_format(tmp_path):
    (tmp_path / "w").write_text("a\t1\n")
    for call in (
        lambda: read_weights(tmp_path / "w", "xml"),
        lambda: write_weights(tmp_path / "v", Weights({"a": 1.0}), "xml"),
    ):
        with pytest.raises(OptionError, match="unknown format of weights 'xml'"):
            call()
