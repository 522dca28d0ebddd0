"""N-best lists: real files against a slow reading of them, and what no reader may do."""

import gzip
import lzma

import numpy as np
import pytest

from reference.moses_nbest import parse_moses, unpack
from reference.nbest_rows import rows_of
from tunesmith import _core
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

    whole = read_nbest(path, threads=1)
    for threads in (1, 2, 3):
        read = _core.read_nbest(
            str(path), unpacked_blocks(path), "auto", False, threads, [], "", part_bytes
        )
        for name in ("offsets", "dense", "sparse_offsets", "sparse_ids", "sparse_values"):
            assert read[name].tobytes() == getattr(whole, name).tobytes()
        assert read["text_bytes"].tobytes() == whole.texts.data.tobytes()
        assert read["sparse_names"] == whole.sparse_names
        assert read["lines"] == len(lines)
