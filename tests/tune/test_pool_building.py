"""Pools from lists: against counting by hand, merged in any way, whatever the threads."""

import numpy as np
import pytest

from reference.moses_nbest import parse_moses, unpack
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.pool import KBestPool
from tunesmith.formats.references import read_references
from tunesmith.metrics import Bleu, Column
from tunesmith.tune.pool import PoolBuilder, merge_pools, read_pool

METRIC = Bleu(tokenize="none")


def same_pool(a: KBestPool, b: KBestPool) -> bool:
    return all(
        np.array_equal(array, b._arrays()[name]) and array.dtype == b._arrays()[name].dtype
        for name, array in a._arrays().items()
    )


def described(pool: KBestPool) -> list[list[tuple]]:
    """Per sentence its hypotheses: all features that are not 0, and the statistics."""
    out = []
    for s in range(pool.sentences):
        rows = []
        for row in range(pool.offsets[s], pool.offsets[s + 1]):
            named = dict(zip(pool.dense_names, pool.dense[row].tolist(), strict=True))
            for i in range(pool.sparse_offsets[row], pool.sparse_offsets[row + 1]):
                named[pool.sparse_names[pool.sparse_ids[i]]] = float(pool.sparse_values[i])
            features = tuple(sorted((n, v) for n, v in named.items() if v))
            rows.append((features, tuple(pool.stats[row].tolist())))
        out.append(rows)
    return out


def by_hand(lists, references):
    """The same from a slow reading of the lists."""
    prepared = METRIC.prepare(references)
    sentences = [[] for _ in references[0]]
    seen = set()
    for rows in lists:
        stats = METRIC.stats([text for _, text, _ in rows], [s for s, _, _ in rows], prepared)
        for (s, text, named), row in zip(rows, stats.tolist(), strict=True):
            features = tuple(
                sorted((n, float(np.float32(v))) for n, v in named.items() if np.float32(v))
            )
            if (s, text, features) not in seen:
                seen.add((s, text, features))
                sentences[s].append((features, tuple(row)))
    return sentences


def test_real_lists_equal_counting_by_hand(data):
    folder = data / "nbest" / "moses-de-en"
    paths = [folder / f"run{i}.nbest.xz" for i in (1, 2)]
    references = read_references(folder / "val.ref.en")
    pool = read_pool(paths, folder / "val.ref.en", METRIC, engine=2)
    assert described(pool) == by_hand([parse_moses(unpack(path)) for path in paths], references)
    assert pool.dense_names[2] == "TranslationModel0_0"
    assert same_pool(pool, read_pool(paths, references, METRIC, engine=1))
    pools = [read_pool(path, references, METRIC) for path in paths]
    assert same_pool(pool, merge_pools(pools))


LISTS = [
    "0 ||| a b ||| LM= 1 x_1= 2\n0 ||| a ||| LM= 2 x_2= 1\n1 |||  ||| LM= 3\n",
    # Once more, one of them with its features in another order; and new ones.
    "0 ||| a b ||| x_1= 2 LM= 1\n0 ||| a ||| LM= 2 x_3= 1\n1 ||| d ||| LM= 0 x_1= 0\n",
]
REFERENCES = [["a b c d", "d e f g"]]


@pytest.fixture
def lists(tmp_path):
    paths = []
    for i, text in enumerate(LISTS):
        paths.append(tmp_path / f"list{i}")
        paths[-1].write_text(text)
    return paths


def test_merging_keeps_the_first_of_equals(lists):
    builder = PoolBuilder(METRIC, REFERENCES)
    for path in lists:
        builder.read(path)
    pool = builder.finish()
    assert builder.report.duplicates == 1
    assert builder.report.lines == 6
    assert pool.names == ("LM", "x_1", "x_2", "x_3")
    assert pool.offsets.tolist() == [0, 3, 5]
    assert described(pool) == by_hand([parse_moses(text) for text in LISTS], REFERENCES)
    assert len(set(pool.keys[:3].tolist())) == 3


def test_a_pool_may_come_before_the_lists():
    """As in a loop that keeps what it has decoded and adds what it decodes next."""

    def rows(builder, number):
        builder.add(
            [0, 1],
            [f"a {number}", f"b c {number}"],
            [[number, 1.0], [2.0, number]],
            ["lm", "tm"],
            ([0, 1, 2], [0, 0], [1.0, number]),
            [f"sparse{number}"],
        )

    whole, first, second = (PoolBuilder(METRIC, [["a b", "b c d"]]) for _ in range(3))
    rows(whole, 1)
    rows(whole, 2)
    rows(first, 1)
    second.add_pool(first.finish())
    rows(second, 2)
    assert same_pool(whole.finish(), second.finish())


def test_from_memory_as_from_files(lists):
    builder = PoolBuilder(METRIC, REFERENCES, engine=2)
    builder.add(
        [0, 0, 1], ["a b", "a", ""], [[1], [2], [3]], ["LM"],
        ([0, 1, 2, 2], [0, 1], [2, 1]), ["x_1", "x_2"],
    )  # fmt: skip
    builder.read(lists[1])
    assert same_pool(builder.finish(), read_pool(lists, REFERENCES, METRIC))


def test_without_sparse_features(lists):
    pool = read_pool(lists, REFERENCES, METRIC, drop_sparse=True)
    assert pool.names == ("LM",)
    assert pool.offsets.tolist() == [0, 2, 4]


def test_a_column_as_metric_is_no_feature(tmp_path):
    path = tmp_path / "list"
    path.write_text("id\ttext\tcomet\tlm\n0\ta\t0.5\t-1\n0\tb\t0.25\t-2\n")
    metric = Column("comet")
    pool = read_pool(path, [["a"]], metric)
    assert pool.names == ("lm",)
    assert pool.stats.tolist() == [[500_000, 1], [250_000, 1]]
    assert pool.dense.tolist() == [[-1.0], [-2.0]]
    assert metric.score(pool.stats_of(np.array([1]))) == 0.25


def test_columns_need_no_references(tmp_path):
    paths = [tmp_path / "a", tmp_path / "b"]
    paths[0].write_text("id\ttext\tqe\n0\ta\t1\n1\tb\t2\n")
    paths[1].write_text("id\ttext\tqe\n0\tc\t3\n1\tb\t2\n")
    pool = read_pool(paths, [], Column("qe"))
    assert pool.offsets.tolist() == [0, 2, 3]
    assert pool.stats[:, 0].tolist() == [1_000_000, 3_000_000, 2_000_000]
    paths[1].write_text("id\ttext\tqe\n0\tc\t3\n")
    with pytest.raises(InputError, match="1 sentences, expected 2"):
        read_pool(paths, [], Column("qe"))
    with pytest.raises(OptionError, match="metric bleu needs references"):
        read_pool(paths, [], METRIC)


def test_the_total_as_a_feature(tmp_path):
    path = tmp_path / "list"
    path.write_text("0 ||| a ||| F0= -4 ||| -2\n0 ||| b ||| F0= -4 ||| -1\n")
    pool = read_pool(path, [["a"]], METRIC, total="normalised")
    assert pool.names == ("normalised", "F0")
    assert pool.dense.tolist() == [[-2, -4], [-1, -4]]
    path.write_text("0 ||| a ||| F0= -4\n")
    with pytest.raises(InputError, match=":1: no feature 'normalised', expected it on every line"):
        read_pool(path, [["a"]], METRIC, total="normalised")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "0 ||| a ||| LM= 1\n",
            "{path}: 1 sentences, expected 2, as the references have; "
            "list and references must be of the same text",
        ),
        (
            "0 ||| a ||| LM= 1\n1 ||| a ||| LM= 1\n2 ||| a ||| LM= 1\n",
            "{path}:3: sentence id 2, expected ids below 2; the references have 2 lines",
        ),
    ],
)
def test_lists_that_do_not_fit_the_references(tmp_path, text, message):
    path = tmp_path / "list"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_pool(path, REFERENCES, METRIC)
    assert str(error.value) == message.format(path=path)


def test_skipping_leaves_out_lines_and_sentences(tmp_path, caplog):
    path = tmp_path / "list"
    path.write_text("0 ||| a ||| LM= nan\n1 ||| a ||| LM= 1\n7 ||| a ||| LM= 1\n")
    builder = PoolBuilder(METRIC, REFERENCES, on_bad_line="skip")
    builder.read(path)
    pool = builder.finish()
    assert pool.offsets.tolist() == [0, 1]
    assert (builder.report.skipped, builder.report.empty_sentences) == (2, 1)
    assert "1 sentences have no usable hypothesis and are left out" in caplog.text


def test_features_that_only_one_list_has(tmp_path):
    paths = [tmp_path / "a", tmp_path / "b"]
    paths[0].write_text("0 ||| a ||| LM= 1 TM= 1 2\n")
    paths[1].write_text("0 ||| a ||| LM= 1\n")
    with pytest.raises(InputError) as error:
        read_pool(paths, [["a"]], METRIC)
    assert str(error.value) == (
        f"{paths[1]}:1: no feature 'TM_0', expected it on every line; "
        "if lines may lack it, name it with --dense"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sentences": [1, 0]}, "the sentences of a batch must ascend"),
        ({"sentences": [0, 5]}, "sentence 5 of a batch has no references"),
        ({"sentences": [0]}, "sentences, texts and features of a batch differ in number"),
        ({"dense": [[1], [np.nan]]}, "hypothesis 1: value 'nan' of feature 'LM', expected a"),
        ({"sparse": ([0, 1, 2], [0, 7], [1, 1])}, "a sparse id without a name"),
        ({"sparse": ([0, 2, 1], [0], [1])}, "sparse offsets must not fall"),
        ({"sparse": ([0, 1, 1], [0, 0], [1, 1])}, "sparse offsets do not cover"),
        ({"sparse": ([0, 2, 2], [0, 0], [1, 1])}, "hypothesis 0: feature 'x' twice"),
    ],
)
def test_batches_that_do_not_fit(change, message):
    batch = {
        "sentences": [0, 1],
        "texts": ["a", "b"],
        "dense": [[1], [2]],
        "dense_names": ["LM"],
        "sparse_names": ["x"],
    }
    with pytest.raises(OptionError, match=message):
        PoolBuilder(METRIC, REFERENCES).add(**{**batch, **change})


def test_pools_that_cannot_be_merged(lists):
    one = read_pool(lists[0], REFERENCES, METRIC)
    with pytest.raises(OptionError, match="no pools"):
        merge_pools([])
    with pytest.raises(OptionError, match="numbers of sentences cannot be merged: 2, 1"):
        merge_pools([one, one.select([0])])


def test_texts_stay_with_their_rows(tmp_path):
    """Duplicates are gone, lists merged and sentences chosen: a row still has its text."""
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("0 ||| a ||| lm= 1\n0 ||| b ||| lm= 2\n1 ||| ä ||| lm= 3\n")
    second.write_text("id\ttext\tlm\n0\tb\t2\n0\tc\t4\n1\t\t5\n")
    pool = read_pool([first, second], [["a", "b"]], METRIC)
    assert list(pool.texts) == ["a", "b", "c", "ä", ""]
    assert list(pool.select([1]).texts) == ["ä", ""]
    assert list(merge_pools([pool, pool]).texts) == list(pool.texts)
    assert read_pool(first, [["a", "b"]], METRIC, texts=False).texts is None
    assert repr(pool) == "<pool: 2 sentences, 5 hypotheses, 1 features: lm>"
    fairseq = tmp_path / "c"
    fairseq.write_text("H-1\t-1\tx\nP-1\t-1\nH-0\t-1\ty\nP-0\t-1\n")
    assert list(read_pool(fairseq, [["a", "b"]], METRIC).texts) == ["y", "x"]
