"""Lists in tables: separators, quotes, ids, order of rows, columns that are features or are not."""

import csv
import gzip
import io
import warnings
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.nbest_rows import rows_of
from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.nbest import TableOptions, as_nbest, read_nbest

ROWS = [
    {"id": 0, "text": "a b", "lm": -1.5, "qe": 0.25},
    {"id": 0, "text": 'say "hi", friend', "lm": -2.0, "qe": 0.5},
    {"id": 1, "text": "", "lm": 3.0, "qe": -1.0},
    {"id": 2, "text": "ä; ö\tü", "lm": 0.0, "qe": 7.0},
]
EXPECTED = [(row["id"], row["text"], {"lm": row["lm"], "qe": row["qe"]}) for row in ROWS]


def written(rows, **style):
    """As Python's csv module writes it, which pandas uses."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator=style.pop("end", "\n"), **style)
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode()


def read(tmp_path, content, name="list", **options):
    path = tmp_path / name
    path.write_bytes(content)
    return read_nbest(path, **options)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"])
def test_every_style_is_found(tmp_path, separator, quoting, end, before):
    content = before + written(ROWS, delimiter=separator, quoting=quoting, end=end)
    nbest = read(tmp_path, content)
    assert rows_of(nbest) == EXPECTED
    assert nbest.dialect == ("tsv" if separator == "\t" else "csv")
    assert rows_of(read(tmp_path, gzip.compress(content))) == EXPECTED


def test_line_breaks_in_other_columns_end_no_row(tmp_path):
    rows = [{"prompt": 'Translate:\n"a"\n', **row} for row in ROWS]
    assert rows_of(read(tmp_path, written(rows))) == EXPECTED
    rows[2]["lm"] = "x"
    with pytest.raises(InputError, match=r"list:8: value 'x' of feature 'lm', expected a finite"):
        read(tmp_path, written(rows))


TEXT = st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"]), max_size=8)


@given(
    texts=st.lists(TEXT, min_size=1, max_size=6),
    style=st.sampled_from([(",", csv.QUOTE_MINIMAL), (";", csv.QUOTE_ALL), ("\t", csv.QUOTE_ALL)]),
    threads=st.sampled_from([1, 2]),
)
def test_any_text_is_read_as_csv_reads_it(texts, style, threads, tmp_path_factory):
    rows = [{"id": i, "text": text, "lm": i} for i, text in enumerate(texts)]
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(written(rows, delimiter=style[0], quoting=style[1]))
    assert list(read_nbest(path, engine=threads).texts) == texts


@pytest.mark.parametrize(
    ("cells", "expected", "warned"),
    [
        # Nothing else would write these: a doubled quote, a tab, all names in quotes.
        (['"a ""b"""', "c"], ['a "b"', "c"], False),
        (['"a\tb"', "c"], ["a\tb", "c"], False),
        # Text that begins with a quote and is no cell in quotes.
        (['"a" , b', "c"], ['"a" , b', "c"], False),
        (['" a', "c"], ['" a', "c"], False),
        (['"a"', '"b" c'], ['"a"', '"b" c'], False),
        (['a "b" c', "c"], ['a "b" c', "c"], False),
        # Both could be meant.
        (['"a"', "c"], ["a", "c"], True),
    ],
)
def test_quotes_in_tsv(tmp_path, cells, expected, warned, caplog):
    content = "id\ttext\tlm\n" + "".join(f"{i}\t{cell}\t1\n" for i, cell in enumerate(cells))
    assert list(read(tmp_path, content.encode()).texts) == expected
    assert ("cells in quotes are read without them; --quotes no" in caplog.text) == warned
    plain = TableOptions(quotes="no")
    if "\t" not in cells[0]:
        assert list(read(tmp_path, content.encode(), table=plain).texts) == cells


def test_ids_from_1_and_ids_that_are_names(tmp_path):
    from_1 = read(tmp_path, b"id,text,lm\n1,a,1\n1,b,2\n2,c,3\n")
    assert from_1.offsets.tolist() == [0, 2, 3]
    assert list(from_1.ids) == ["1", "2"]
    names = read(tmp_path, b"id,text,lm\nnews-7,a,1\nnews-7,b,2\nnews-3,c,3\n")
    assert names.offsets.tolist() == [0, 2, 3]
    assert [one.id for one in names] == ["news-7", "news-3"]
    assert read(tmp_path, b"id,text,lm\n0,a,1\n").ids is None


def test_shuffled_rows_are_grouped_and_that_is_said(tmp_path, caplog):
    content = b"id,text,lm\n1,c,1\n0,a,2\n1,d,3\n0,b,4\n"
    nbest = read(tmp_path, content)
    assert rows_of(nbest) == [(0, "a", {"lm": 2}), (0, "b", {"lm": 4}), (1, "c", {"lm": 1}),
                              (1, "d", {"lm": 3})]  # fmt: skip
    assert caplog.messages == [
        f"{tmp_path / 'list'}: the rows of the sentences are not in order: sorted, of each the "
        "first row is taken for its first entry, for want of a 'total'"
    ]
    caplog.clear()
    names = read(tmp_path, content.replace(b"\n1", b"\nx").replace(b"\n0", b"\ny"))
    assert list(names.texts) == ["c", "d", "a", "b"]
    assert list(names.ids) == ["x", "y"]
    caplog.clear()
    totals = read(tmp_path, b"id,text,lm,total\n1,c,1,5\n0,a,2,6\n1,d,3,7\n0,b,4,8\n")
    assert list(totals.texts) == ["b", "a", "d", "c"]
    assert totals.totals.tolist() == [8, 6, 7, 5]
    assert caplog.messages[0].endswith("are not in order: sorted, the highest total first")


def test_columns_that_are_no_features(tmp_path, caplog):
    caplog.set_level("INFO", "tunesmith")
    content = b"id,system,text,lm,src,qe,ref\n0,A,a,1,eins,3,one\n0,B,b,2,eins,4,one\n1,A,c,5,,6,\n"
    nbest = read(tmp_path, content)
    assert nbest.dense_names == ("lm", "qe")
    assert caplog.messages == [
        f"{tmp_path / 'list'}: columns that are no numbers are left out: system, src, ref"
    ]
    named = TableOptions(source_column="src", reference_column="ref", columns=("qe",))
    nbest = read(tmp_path, content, table=named)
    assert nbest.dense_names == ("qe",)
    assert list(nbest.sources) == ["eins", ""]
    assert list(nbest.references) == ["one", ""]
    dropped = read(tmp_path, content, table=TableOptions(drop=("lm",)))
    assert (dropped.dense_names, dropped.dense.tolist()) == (("qe",), [[3], [4], [6]])
    others = TableOptions(id_column="src", text_column="system")
    assert list(read(tmp_path, content, table=others, on_bad_line="skip").ids) == ["eins"]


def test_row_numbers_are_no_features(tmp_path, caplog):
    """pandas writes them unless told not to, and reads them again as `Unnamed: 0`."""
    caplog.set_level("INFO", "tunesmith")
    content = b",Unnamed: 0,id,text,lm\n0,0,0,a,1\n1,1,0,b,2\n"
    assert read(tmp_path, content).dense_names == ("lm",)
    assert caplog.messages == [
        f"{tmp_path / 'list'}: columns without a name of their own are left out: '', 'Unnamed: 0'"
    ]
    asked = TableOptions(columns=("lm", "Unnamed: 0"))
    assert read(tmp_path, content, table=asked).dense_names == ("Unnamed: 0", "lm")
    frame = {"__index_level_0__": [0, 1], "id": [0, 0], "text": ["a", "b"], "lm": [1.0, 2.0]}
    assert as_nbest(frame).dense_names == ("lm",)


def test_a_sentence_that_is_a_number_makes_no_feature_of_a_text(tmp_path):
    content = b"id,text,lm,src\n0,a,1,2016\n1,b,,zwei\n2,c,3,drei\n"
    with pytest.raises(InputError, match=r"list:3: value '' of feature 'lm', expected a finite"):
        read(tmp_path, content)
    nbest = read(tmp_path, content.replace(b"b,,", b"b,2,"))
    assert nbest.dense_names == ("lm",)
    columns = {"id": [0, 1, 2], "text": list("abc"), "src": ["2016", "zwei", "drei"]}
    assert as_nbest(columns | {"lm": [1, 2, 3]}).dense_names == ("lm",)


def test_features_of_other_lists_are_chosen_too(tmp_path):
    content = b"0 ||| a ||| LM= 1 TM= 2 3 w_x= 5 w_y= 6 ||| 0\n1 ||| b ||| LM= 4 TM= 5 6 ||| 0\n"
    some = read(tmp_path, content, table=TableOptions(columns=("TM_1", "w_y")))
    assert rows_of(some) == [(0, "a", {"TM_1": 3, "w_y": 6}), (1, "b", {"TM_1": 6})]
    others = read(tmp_path, content, table=TableOptions(drop=("LM", "w_x")))
    assert others.names == ("TM_0", "TM_1", "w_y")


def test_the_total_is_no_feature_unless_it_is_asked_for(tmp_path):
    content = b"id,text,total,lm\n0,a,5,1\n0,b,6,2\n"
    nbest = read(tmp_path, content)
    assert (nbest.dense_names, nbest.totals.tolist()) == (("lm",), [5, 6])
    nbest = read(tmp_path, content, total="system")
    assert nbest.column("system").tolist() == [5, 6]
    lines = (
        b'{"id": 0, "text": "a", "total": 5, "lm": 1}\n{"id": 0, "text": "b", "total": 6, "lm": 2}'
    )
    assert read(tmp_path, lines, total="system").column("system").tolist() == [5, 6]
    moses = b"0 ||| a ||| lm= 1 ||| 5\n0 ||| b ||| lm= 2 ||| 6\n"
    assert read(tmp_path, moses, total="system").column("system").tolist() == [5, 6]


def test_the_same_for_any_number_of_threads(tmp_path):
    rows = [{"id": f"s{i // 3}", "text": f'text "{i}"', "lm": i / 7} for i in range(100_000)]
    content = written(rows)
    one, two = (read(tmp_path, content, engine=threads) for threads in (1, 2))
    assert one.texts.data.tobytes() == two.texts.data.tobytes()
    assert one.dense.tobytes() == two.dense.tobytes()
    assert list(one.ids) == list(two.ids)
    assert one.texts[99_999] == 'text "99999"'


def test_tables_in_memory():
    assert rows_of(as_nbest(ROWS)) == EXPECTED
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    assert rows_of(as_nbest(columns)) == EXPECTED
    arrays = columns | {"id": np.array(columns["id"]), "lm": np.array(columns["lm"], np.float32)}
    assert rows_of(as_nbest(arrays)) == EXPECTED
    texts = columns | {"id": list(map(str, columns["id"])), "lm": list(map(str, columns["lm"]))}
    assert rows_of(as_nbest(texts)) == EXPECTED
    texts["lm"][2] = "3,0"
    with pytest.raises(InputError, match=r"table:3: value '3,0' of feature 'lm', expected a fin"):
        as_nbest(texts)
    again = as_nbest(as_nbest(ROWS), table=TableOptions(drop=("lm",)))
    assert again.dense_names == ("qe",)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_data_frames_and_parquet(library, tmp_path):
    module = pytest.importorskip(library)
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    frame = (module.table if library == "pyarrow" else module.DataFrame)(columns)
    assert rows_of(as_nbest(frame)) == EXPECTED
    path = tmp_path / "list.parquet"
    if library == "pandas":
        pytest.importorskip("pyarrow")
        with pytest.raises(InputError, match="table:1: column 'lm' twice, expected every column"):
            as_nbest(module.concat([frame, frame[["lm"]]], axis=1))
        exact = frame.assign(lm=[Decimal(str(value)) for value in columns["lm"]])
        assert rows_of(as_nbest(exact)) == EXPECTED
        frame.to_parquet(path)
        frame.to_csv(tmp_path / "list.tsv", sep="\t", index=False)
        assert rows_of(read_nbest(tmp_path / "list.tsv")) == EXPECTED
    elif library == "polars":
        lazy = frame.lazy()
        with warnings.catch_warnings(record=True) as said:
            with pytest.raises(OptionError, match="a lazy frame, expected its rows"):
                as_nbest(lazy)
            assert not said
        frame.write_parquet(path)
        frame.write_csv(tmp_path / "list.csv")
        assert rows_of(read_nbest(tmp_path / "list.csv")) == EXPECTED
    else:
        pytest.importorskip("pyarrow.parquet").write_table(frame, path)
    assert rows_of(read_nbest(path)) == EXPECTED
    assert rows_of(read(tmp_path, gzip.compress(path.read_bytes()))) == EXPECTED
