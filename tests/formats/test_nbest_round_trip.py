"""What is written in a dialect is read back: any text and any features that it can hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.nbest_rows import make_nbest, rows_of
from tunesmith.base.errors import OptionError
from tunesmith.formats.feature_info import FeatureInfo
from tunesmith.formats.nbest import read_nbest
from tunesmith.formats.nbest_write import write_nbest

ANYTHING = st.characters(codec="utf-8", exclude_characters="\n\0")
LINE = st.characters(codec="utf-8", exclude_characters="\n\r\0")
CELL = st.characters(codec="utf-8", exclude_characters="\n\r\t\0")
WORD = st.characters(codec="utf-8", exclude_characters=" \x7f", min_codepoint=0x21)
PRINTED = st.characters(codec="utf-8", exclude_characters="\x7f", min_codepoint=0x20)

numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)


def texts(alphabet):
    words = st.sampled_from(["a", "b c", "", "||", "|", "&#124;", "ü", "\u2028", '"', "\\"])
    return st.one_of(words, st.text(alphabet, max_size=12))


def outside_pipes(text):
    return not any(part == "|||" for part in text.split(" "))


def name_lists(names, reserved=()):
    numbered = st.builds("{}_{}".format, names, st.integers(0, 2))
    allowed = st.one_of(names, numbered).filter(lambda name: name not in reserved)
    return st.lists(allowed, unique=True, max_size=5)


def lists(text, names, *, sparse=True, rename=str):
    """Lists of one to three sentences: rows (sentence, text, features), and the dense names."""

    @st.composite
    def draw_list(draw):
        all_names = draw(names)
        cut = draw(st.integers(0, len(all_names))) if sparse else len(all_names)
        dense, others = all_names[:cut], [rename(name) for name in all_names[cut:]]
        others = [name for name in others if name not in dense]
        rows = []
        for sentence in range(draw(st.integers(1, 3))):
            for _ in range(draw(st.integers(1, 3))):
                chosen = [name for name in others if draw(st.booleans())]
                features = {name: draw(numbers) for name in dense + chosen}
                rows.append((sentence, draw(text), features))
        return rows, dense

    return draw_list()


PIPES = (
    texts(LINE).filter(outside_pipes).map(lambda text: text.strip(" ")),
    name_lists(st.text(WORD, min_size=1, max_size=4)),
)
JSON_NAMES = st.text(PRINTED, min_size=1, max_size=4)
COLUMN_KEYS = (
    "scores", "sequences_scores", "id", "sentence_id", "translations", "hypotheses", "sequences",
)  # fmt: skip

DIALECTS = {
    "moses": lists(*PIPES, rename="f_{}".format),
    "marian": lists(*PIPES, sparse=False),
    "cdec": lists(*PIPES),
    "joshua": lists(*PIPES),
    "tsv": lists(texts(CELL), name_lists(JSON_NAMES, ("id", "text")), sparse=False),
    "fairseq": lists(texts(LINE), st.sampled_from([["score"], ["score", "logprob"]]), sparse=False),
    "sockeye": lists(texts(ANYTHING), name_lists(JSON_NAMES, COLUMN_KEYS), sparse=False),
    "ctranslate2": lists(texts(ANYTHING), name_lists(JSON_NAMES, COLUMN_KEYS), sparse=False),
    "huggingface": lists(texts(ANYTHING), name_lists(JSON_NAMES, COLUMN_KEYS), sparse=False),
    "tunesmith": lists(texts(ANYTHING), name_lists(JSON_NAMES)),
}


def without_zeros(rows):
    return [(s, text, {n: v for n, v in features.items() if v}) for s, text, features in rows]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_round_trip(dialect, tmp_path_factory):
    path = tmp_path_factory.mktemp("lists") / "list"

    @given(drawn=DIALECTS[dialect], threads=st.sampled_from([1, 2]))
    def check(drawn, threads):
        rows, dense = drawn
        write_nbest(path, make_nbest(rows, dense), dialect)
        back = read_nbest(path, dialect, engine=threads)
        assert back.dialect == dialect
        assert without_zeros(rows_of(back)) == without_zeros(rows)

    check()


@pytest.mark.parametrize("dialect", ["moses", "marian", "cdec", "joshua", "tunesmith"])
def test_totals_and_alignments(tmp_path, dialect):
    nbest = make_nbest(
        [(0, "a", {"F0": 1.0}), (0, "b", {"F0": 2.0}), (1, "c", {"F0": 3.0})],
        ["F0"],
        totals=[-1.5, np.nan, 0.1],
        extras=["0-0", "", "0-0 1-1"],
    )
    path = tmp_path / "list"
    write_nbest(path, nbest, dialect)
    back = read_nbest(path, dialect)
    np.testing.assert_array_equal(back.totals, nbest.totals)
    assert list(back.extras) == list(nbest.extras)


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_packed_by_name(tmp_path, suffix):
    nbest = make_nbest([(0, "a", {"lm": 1.0})], ["lm"])
    for name in (f"a{suffix}", f"b{suffix}"):
        write_nbest(tmp_path / name, nbest, "moses")
    assert rows_of(read_nbest(tmp_path / f"a{suffix}")) == rows_of(nbest)
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_labels(tmp_path):
    nbest = make_nbest([(0, "a b", {"label:x": 1.0}), (1, "", {"label:y": 1.0})], [])
    path = tmp_path / "list"
    write_nbest(path, nbest, "labels")
    assert path.read_text() == "0 ||| a b ||| x\n1 |||  ||| y\n"
    assert rows_of(read_nbest(path)) == rows_of(nbest)


def test_what_is_known_of_features_travels(tmp_path):
    nbest = make_nbest([(0, "a", {"lm": 1.0, "qe": 2.0, "x": 1.0})], ["lm", "qe"])
    info = {"lm": FeatureInfo("10"), "x": FeatureInfo("e", length_normalised=True)}
    nbest = type(nbest)(**{**nbest.__dict__, "features": info})
    write_nbest(tmp_path / "a", nbest)
    back = read_nbest(tmp_path / "a")
    assert back.features == info
    assert (back.dense_names, back.sparse_names) == (("lm", "qe"), ("x",))


def test_a_real_list_through_moses_is_the_same_bytes(data, tmp_path):
    from reference.moses_nbest import unpack

    path = data / "nbest" / "moses-de-en" / "run1.nbest.xz"
    write_nbest(tmp_path / "list", read_nbest(path), "moses")
    assert (tmp_path / "list").read_text() == unpack(path)


@pytest.mark.parametrize(
    ("dialect", "row", "message"),
    [
        ("moses", (0, "a ||| b", {}), "'|||' in the text of hypothesis 0 of sentence 0"),
        ("moses", (0, "a\nb", {}), "a line break in the text of hypothesis 0 of sentence 0"),
        ("cdec", (0, "a\r", {}), "a carriage return in the text of hypothesis 0 of sentence 0"),
        ("moses", (0, "a", {"b c": 1.0}), "a feature called 'b c'"),
        ("tsv", (0, "a\tb", {}), "a tab in the text of hypothesis 0 of sentence 0"),
        ("tsv", (0, "a", {"id": 1.0}), "a feature called 'id'"),
        ("tunesmith", (0, "a\nb", {}), "a line break in the text of hypothesis 0 of sentence 0"),
        ("sockeye", (0, "a", {"scores": 1.0}), "a feature called 'scores'"),
        ("fairseq", (0, "a", {"lm": 1.0}), "a feature called 'lm'"),
        ("fairseq", (0, "a", {}), "a list without the feature 'score'"),
        ("labels", (0, "a", {"lm": 1.0}), "the feature 'lm'"),
        (
            "labels",
            (0, "a", {}),
            "sentence 0: every hypothesis needs one feature 'label:…' of value 1",
        ),
    ],
)
def test_what_a_dialect_cannot_hold(tmp_path, dialect, row, message):
    with pytest.raises(OptionError) as error:
        write_nbest(tmp_path / "list", make_nbest([row], list(row[2])), dialect)
    assert str(error.value) == f"format '{dialect}' cannot hold {message}"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "dialect", ["marian", "tsv", "fairseq", "sockeye", "ctranslate2", "huggingface"]
)
def test_no_room_for_sparse_features(tmp_path, dialect):
    with pytest.raises(OptionError, match="cannot hold sparse features such as 'x'; take moses"):
        write_nbest(tmp_path / "list", make_nbest([(0, "a", {"x": 1.0})], []), dialect)


def test_sparse_features_that_moses_would_call_dense(tmp_path):
    with pytest.raises(OptionError) as error:
        write_nbest(tmp_path / "list", make_nbest([(0, "a", {"x": 1.0})], []), "moses")
    assert str(error.value) == (
        "format 'moses' cannot hold a sparse feature called 'x', only one called 'function_what'; "
        "read the list with --dense x"
    )
