"""N-best lists: real files against a slow reading of them, and what no reader may do."""

import gzip
import lzma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.moses_nbest import parse_moses, unpack
from reference.nbest_rows import rows_of
from tunesmith import _core
from tunesmith.base.errors import InputError
from tunesmith.formats.nbest import read_nbest


def test_a_real_moses_list_equals_a_slow_reading(data):
    path = data / "nbest" / "moses-de-en" / "run1.nbest.xz"
    nbest = read_nbest(path)
    slow = parse_moses(unpack(path))
    assert nbest.dialect == "moses"
    assert (nbest.rows, nbest.sentences) == (len(slow), 1014)
    assert nbest.sparse_names == ()
    assert nbest.sentence_ids().tolist() == [number for number, _, _ in slow]
    assert list(nbest.texts) == [text for _, text, _ in slow]
    expected = np.array([list(features.values()) for _, _, features in slow], dtype=np.float32)
    assert nbest.dense_names == tuple(slow[0][2])
    np.testing.assert_array_equal(nbest.dense, expected)
    assert nbest.totals is not None
    assert nbest.totals[0] == -103.732
    assert nbest.features["LM0"].log_base == "e"


def test_a_real_cdec_list(data):
    nbest = read_nbest(data / "cdec-model" / "expected" / "test_2016.first100.mert.100best.xz")
    assert (nbest.dialect, nbest.rows, nbest.sentences) == ("cdec", 9976, 100)
    # On every line, or on many: all twelve are dense.
    assert set(nbest.dense_names) == {
        "EgivenFCoherent", "LanguageModel", "PassThrough", "Glue", "WordPenalty", "CountEF",
        "LanguageModel_OOV", "IsSingletonFE", "IsSingletonF", "MaxLexEgivenF", "MaxLexFgivenE",
        "SampleCountF",
    }  # fmt: skip
    assert nbest.features["LanguageModel"].log_base == "10"
    # cdec's total is w · h under its weights.
    weights = {
        name: float(value)
        for name, value in (
            line.split() for line in (data / "cdec-model" / "weights.mert").open(encoding="utf-8")
        )
    }
    np.testing.assert_allclose(nbest.scores(weights), nbest.totals, atol=2e-4)


def test_candidates_with_a_label(data):
    nbest = read_nbest(data / "rerank-wmt" / "newstest2021.de-en.cands.xz")
    assert (nbest.dialect, nbest.sentences) == ("labels", 1000)
    assert len(nbest.sparse_names) == 19
    assert nbest.sparse_values.tolist() == [1.0] * nbest.rows


SPARSE = (
    "0 ||| a b ||| LM0= -1.5 TM= 1 2 wt_a= 1 wt_b= 0.5 ||| -3 ||| 0-0 1-1\n"
    "0 |||  ||| LM0= -2 TM= 3 4 ||| -4 ||| \n"
    "1 ||| c ||| wt_c= 2 TM= 5 6 LM0= 1e-3 ||| -5 ||| 0-0\n"
)


def test_sparse_features_empty_text_alignments_any_order(tmp_path):
    path = tmp_path / "list"
    path.write_text(SPARSE)
    nbest = read_nbest(path)
    assert nbest.dense_names == ("LM0", "TM_0", "TM_1")
    assert nbest.sparse_names == ("wt_a", "wt_b", "wt_c")
    assert rows_of(nbest) == [
        (0, "a b", {"LM0": -1.5, "TM_0": 1, "TM_1": 2, "wt_a": 1, "wt_b": 0.5}),
        (0, "", {"LM0": -2, "TM_0": 3, "TM_1": 4}),
        (1, "c", {"LM0": pytest.approx(1e-3), "TM_0": 5, "TM_1": 6, "wt_c": 2}),
    ]
    assert list(nbest.extras) == ["0-0 1-1", "", "0-0"]
    assert nbest.totals.tolist() == [-3, -4, -5]
    assert nbest.column("wt_b").tolist() == [0.5, 0, 0]
    assert nbest.scores({"LM0": 1.0, "wt_c": 10.0}).tolist() == pytest.approx([-1.5, -2, 20.001])
    assert nbest.best({"TM_0": 1.0}).tolist() == [1, 2]


def test_dense_on_request(tmp_path):
    path = tmp_path / "list"
    path.write_text(SPARSE)
    nbest = read_nbest(path, dense=["wt_b"])
    assert nbest.dense_names == ("wt_b", "LM0", "TM_0", "TM_1")
    assert nbest.column("wt_b").tolist() == [0.5, 0, 0]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
@pytest.mark.parametrize("part_bytes", [1, 7, 64, 100_000])
def test_any_threads_any_parts_any_packing_same_bytes(tmp_path, pack, part_bytes):
    lines = [
        f"{s} ||| {'w ' * (s % 5)}x{k} ||| LM0= {k}.5 TM= {s} -{k} wt_{(s * k) % 7}= 1 ||| {k}\n"
        for s in range(40)
        for k in range(s % 3 + 1)
    ]
    path = tmp_path / "list"
    path.write_bytes(pack("".join(lines).encode()))
    from tunesmith.formats.text import unpacked_blocks

    whole = read_nbest(path, engine=1)
    for threads in (1, 2, 3):
        read = _core.read_nbest(
            str(path), unpacked_blocks(path), "auto", False, threads, [], "", part_bytes
        )
        for name in ("offsets", "dense", "sparse_offsets", "sparse_ids", "sparse_values"):
            assert getattr(read, name).tobytes() == getattr(whole, name).tobytes()
        assert read.text_bytes.tobytes() == whole.texts.data.tobytes()
        assert tuple(read.sparse_names) == whole.sparse_names
        assert read.lines == len(lines)


def test_byte_order_mark_and_windows_line_ends(tmp_path):
    path = tmp_path / "list"
    path.write_bytes(b"\xef\xbb\xbfid\ttext\tlm\r\n0\ta b\t1\r\n1\t\t2\r\n")
    assert rows_of(read_nbest(path)) == [(0, "a b", {"lm": 1.0}), (1, "", {"lm": 2.0})]


def test_a_last_line_without_its_end(tmp_path):
    path = tmp_path / "list"
    path.write_bytes(b"0 ||| a ||| LM= 1\n1 ||| b ||| LM= 2")
    assert list(read_nbest(path).texts) == ["a", "b"]


def test_fairseq_in_any_order(tmp_path):
    path = tmp_path / "log"
    path.write_text(
        "2026-01-01 | INFO | fairseq.tasks | [de] dictionary: 10 types\n"
        "S-1\tquelle\nT-1\ttarget\n"
        "H-1\t-0.5\tb @-@ b\nD-1\t-0.5\tb-b\nP-1\t-0.5 -1.5\n"
        "H-1\t-0.7\tc\nD-1\t-0.7\tC\nP-1\t-0.25\n"
        "S-0\t\nH-0\t-0.1\t\nD-0\t-0.1\t\nP-0\t\n"
        "Generate test with beam=5: BLEU4 = 20.00\n"
    )
    nbest = read_nbest(path)
    assert nbest.dialect == "fairseq"
    assert rows_of(nbest) == [
        (0, "", {"score": pytest.approx(-0.1), "logprob": 0.0}),
        (1, "b-b", {"score": -0.5, "logprob": -2.0}),
        (1, "C", {"score": pytest.approx(-0.7), "logprob": -0.25}),
    ]
    assert nbest.features["score"].log_base == "2"
    assert nbest.features["score"].length_normalised


def test_lists_of_nmt_toolkits(tmp_path):
    path = tmp_path / "list"
    path.write_text('{"hypotheses": [["a", "b"], []], "scores": [-1, -2], "qe": [3, 4]}\n')
    assert rows_of(read_nbest(path)) == [
        (0, "a b", {"score": -1.0, "qe": 3.0}),
        (0, "", {"score": -2.0, "qe": 4.0}),
    ]
    path.write_text('{"sentence_id": 1, "translations": ["a"], "scores": [[0.5, 2]]}\n')
    assert rows_of(read_nbest(path)) == [(0, "a", {"score_0": 0.5, "score_1": 2.0})]
    path.write_text('[{"generated_text": "\\u00e4 \\ud83d\\ude00", "score": 1, "label": "x"}]\n')
    assert rows_of(read_nbest(path)) == [(0, "ä 😀", {"score": 1.0})]


def test_marian_alignments_come_before_the_features(tmp_path):
    path = tmp_path / "list"
    path.write_text("0 ||| a ||| 0-0 ||| F0= -1 F1= 2 ||| -1\n1 ||| b ||| F0=-1 F1=3 ||| -2\n")
    nbest = read_nbest(path)
    assert nbest.dialect == "marian"
    assert list(nbest.extras) == ["0-0", ""]
    assert nbest.totals.tolist() == [-1, -2]
    assert nbest.column("F1").tolist() == [2, 3]


@given(st.binary(max_size=12))
def test_what_is_utf8_is_what_python_decodes(tmp_path_factory, raw):
    raw = raw.translate(None, b"\n\r\t")
    path = tmp_path_factory.getbasetemp() / "utf8"
    path.write_bytes(b"id\ttext\n0\t" + raw + b"\n")
    try:
        bad = raw.decode().find("\0")
        bad = len(raw.decode()[:bad].encode()) if bad >= 0 else None
    except UnicodeDecodeError as error:
        bad = error.start
        if b"\0" in raw[:bad]:
            bad = raw.index(b"\0")
    if bad is None:
        assert list(read_nbest(path).texts) == [raw.decode()]
    else:
        with pytest.raises(InputError, match=rf":2: byte 0x{raw[bad]:02x} at column {bad + 3}, "):
            read_nbest(path)
