import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.array_file import read_arrays, write_arrays
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.base.vocabulary import UNKNOWN, Vocabulary
from tunesmith.corpus import Bitext, Sentences
from tunesmith.corpus.bitext import KIND, VERSION, write_bitext

# Words that are special to other tools, and none to us.
ODD_WORDS = [
    "|", "|||", "[X]", "[X,1]", "<s>", "</s>", "<unk>", "<b>", "&amp;", "&", "@-@",
    "👩‍👩‍👧", "e\u0301",
    "שלום", "مرحبا", "\u200f", "\u2028", "\u00a0", "\u0085", "\ufeff", "\\n", "नमस्ते", "𝒳", "\u3000",
]  # fmt: skip

words = st.one_of(
    st.sampled_from(ODD_WORDS),
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\v\f\r"),
        min_size=1,
        max_size=5,
    ),
)
sentences = st.lists(words, max_size=8)
texts = st.lists(sentences, max_size=12)


def encode_by_dict(lines):
    """The obvious way: a dict that grows."""
    index, offsets, ids = {}, [0], []
    for line in lines:
        ids += [index.setdefault(word, len(index)) for word in line]
        offsets.append(len(ids))
    return offsets, ids, list(index)


@given(texts)
def test_ids_are_those_of_a_growing_dict_and_lines_come_back(text):
    lines = [" ".join(sentence) for sentence in text]
    coded = Sentences.from_lines(lines)
    offsets, ids, vocabulary = encode_by_dict(text)
    assert coded.offsets.tolist() == offsets
    assert coded.ids.tolist() == ids
    assert list(coded.vocabulary) == vocabulary
    assert coded.lines() == lines
    assert coded.lengths.tolist() == [len(sentence) for sentence in text]
    assert coded.counts().tolist() == [ids.count(i) for i in range(len(vocabulary))]


@given(text=texts, numbers=st.lists(st.integers(0, 11), max_size=15))
def test_select_is_indexing(text, numbers):
    lines = [" ".join(sentence) for sentence in text]
    numbers = [number for number in numbers if number < len(lines)]
    chosen = Sentences.from_lines(lines).select(numbers)
    assert chosen.lines() == [lines[number] for number in numbers]


@pytest.fixture(scope="module")
def many_lines():
    """Enough lines for several threads, with new words up to the end."""
    generator = np.random.Generator(np.random.PCG64(7))
    numbers = (generator.pareto(0.7, size=60_000) * 3).astype(np.int64)
    return [" ".join(f"w{n}" for n in numbers[i : i + 6]) for i in range(0, 60_000, 6)]


def test_any_number_of_threads_gives_the_same_arrays(many_lines):
    one = Sentences.from_lines(many_lines, engine=1)
    assert len(one.vocabulary) > 1_500
    assert one.ids.tolist() == encode_by_dict(line.split() for line in many_lines)[1]
    for threads in (2, 3, 5):
        several = Sentences.from_lines(many_lines, engine=threads)
        np.testing.assert_array_equal(several.offsets, one.offsets)
        np.testing.assert_array_equal(several.ids, one.ids)
        assert several.vocabulary == one.vocabulary


def test_any_number_of_threads_gives_the_same_file(many_lines, tmp_path):
    pairs = list(zip(many_lines, reversed(many_lines), strict=True))
    for threads in (1, 2, 4):
        write_bitext(tmp_path / f"{threads}", pairs, engine=threads)
    Bitext.from_lines(many_lines, reversed(many_lines)).save(tmp_path / "memory")
    contents = {path.read_bytes() for path in tmp_path.iterdir()}
    assert len(contents) == 1


@given(text=texts)
def test_a_frozen_vocabulary_marks_unknown_words(text):
    known = Vocabulary(["|", "<s>", "e\u0301"])
    coded = Sentences.from_lines(map(" ".join, text), vocabulary=known, grow=False, engine=2)
    flat = [word for sentence in text for word in sentence]
    assert coded.ids.tolist() == [UNKNOWN if known.get(w) is None else known[w] for w in flat]
    assert len(known) == 3


@given(source=texts)
def test_save_and_load(source, tmp_path_factory):
    path = tmp_path_factory.mktemp("bitext") / "b.bin"
    target = [sentence[::-1] for sentence in source]
    pairs = Bitext.from_lines(map(" ".join, source), map(" ".join, target))
    pairs.save(path)
    back = Bitext.load(path)
    assert list(back.pairs()) == list(pairs.pairs())
    assert back.source.vocabulary == pairs.source.vocabulary
    assert back.target.vocabulary == pairs.target.vocabulary
    np.testing.assert_array_equal(back.reversed().source.ids, pairs.target.ids)


def test_only_ascii_white_space_separates_words():
    coded = Sentences.from_lines(["  a\tb \r\n c\u00a0d\u2028e \x1c f  "])
    assert list(coded.vocabulary) == ["a", "b", "c\u00a0d\u2028e", "\x1c", "f"]


def test_unequal_sides_are_refused():
    with pytest.raises(
        OptionError,
        match=r"^2 source sentences and 1 target sentences, expected equally many$",
    ):
        Bitext.from_lines(["a", "b"], ["a"])


def test_a_lone_surrogate_is_refused():
    with pytest.raises(OptionError, match=r"^line 2 has a lone surrogate, expected text that can"):
        Sentences.from_lines(["fine", "not \ud800 fine"])
    with pytest.raises(OptionError, match=r"^line 1 is not a string$"):
        Sentences.from_lines([b"bytes"])


def test_a_missing_folder(tmp_path):
    with pytest.raises(InputError, match="its folder does not exist, expected an existing folder"):
        write_bitext(tmp_path / "none" / "b.bin", [])


def test_nothing_is_left_when_the_stream_fails(tmp_path):
    def pairs():
        yield "a", "b"
        raise InputError("x", 2, "broken")

    with pytest.raises(InputError, match="x:2: broken"):
        write_bitext(tmp_path / "b.bin", pairs())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("source.offsets", np.array([0, 2, 1, 3], np.uint64), "sentence offsets out of order"),
        ("source.offsets", np.array([0, 2, 2, 9], np.uint64), "that do not fit the words"),
        ("source.offsets", np.array([], np.uint64), "that do not fit the words"),
        ("source.offsets", np.array([0, 2, 3], np.uint64), "2 source sentences and 3 target"),
        ("source.offsets", np.array([0, 1, 2, 3], np.int64), "sentences of the wrong type"),
        ("source.ids", np.array([0, 1, 7], np.uint32), "a word id outside the vocabulary"),
        ("source.vocabulary.ends", np.array([2, 1], np.uint64), "string ends out of order"),
        ("source.vocabulary.ends", np.array([1, 1, 2], np.uint64), None),
        ("source.vocabulary.ends", np.array([1], np.uint64), "bytes after the last string"),
        ("source.vocabulary.bytes", np.array([97, 97], np.uint8), "a string occurs twice"),
        ("source.vocabulary.bytes", np.array([0xC3, 0xA4], np.uint8), "a string that is not UTF-8"),
        ("source.vocabulary.bytes", np.array([97, 0xFF], np.uint8), "a string that is not UTF-8"),
    ],
)
def test_a_file_whose_arrays_do_not_fit(tmp_path, name, values, message):
    path = tmp_path / "b.bin"
    Bitext.from_lines(["a b", "", "a"], ["x", "y", ""]).save(path)
    arrays = read_arrays(path, KIND, VERSION)
    write_arrays(path, KIND, VERSION, {**arrays, name: values})
    if message is None:  # an empty string is a legal word, if a useless one
        Bitext.load(path)
        return
    with pytest.raises(InputError, match=f"b.bin: .*{message}.*, expected a bitext; make the file"):
        Bitext.load(path)


def test_an_array_that_is_missing(tmp_path):
    write_arrays(tmp_path / "b.bin", KIND, VERSION, {"source.offsets": np.zeros(1, np.uint64)})
    with pytest.raises(InputError, match=r"b.bin: no array 'source.ids' of sentences, expected a"):
        Bitext.load(tmp_path / "b.bin")


def test_an_id_that_is_no_word_cannot_become_text():
    coded = Sentences.from_lines(["a x"], vocabulary=Vocabulary(["a"]), grow=False)
    with pytest.raises(TunesmithError, match="word id 4294967295 is not in a vocabulary of 1 word"):
        coded.lines()


def test_pairs_of_several_corpora_keep_where_they_are_from(tmp_path):
    origins = np.array([0, 1, 0, 2], np.uint8)
    pairs = [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")]
    text = write_bitext(tmp_path / "t", iter(pairs), origins=lambda: (origins, 3))
    assert (text.origins.tolist(), text.corpora) == ([0, 1, 0, 2], 3)
    some = text.select([3, 0])
    assert (some.origins.tolist(), some.corpora) == ([2, 0], 3)
    some.save(tmp_path / "some")
    again = Bitext.load(tmp_path / "some").reversed()
    assert (again.origins.tolist(), again.corpora) == ([2, 0], 3)
    assert list(text.of_corpus(0).pairs()) == [("a", "A"), ("c", "C")]
    assert text.of_corpus(0).corpora == 1
    plain = Bitext.from_lines(["a"], ["b"])
    assert plain.of_corpus(0) is plain


@pytest.mark.parametrize(
    ("origins", "corpora", "message"),
    [
        (None, 2, "origins of 2 corpora, expected them of two or more"),
        (np.zeros(1, np.uint8), 1, "origins of 1 corpora, expected them of two or more"),
        (np.zeros(2, np.uint8), 2, "origins that do not fit 1 pairs of 2 corpora"),
        (np.full(1, 2, np.uint8), 2, "origins that do not fit 1 pairs of 2 corpora"),
    ],
)
def test_origins_that_do_not_fit_are_refused(origins, corpora, message):
    text = Bitext.from_lines(["a"], ["b"])
    with pytest.raises(OptionError, match=f"^{message}$"):
        Bitext(text.source, text.target, origins=origins, corpora=corpora)


@pytest.mark.parametrize(
    "more",
    [
        {"origins": np.zeros(1, np.uint8)},
        {"corpora": np.full(1, 2, np.uint8)},
        {"origins": np.zeros(1, np.uint32), "corpora": np.full(1, 2, np.uint8)},
        {"origins": np.zeros(1, np.uint8), "corpora": np.full(2, 2, np.uint8)},
        {"origins": np.full(1, 7, np.uint8), "corpora": np.full(1, 2, np.uint8)},
    ],
)
def test_files_with_broken_origins_are_refused(tmp_path, more):
    path = tmp_path / "t"
    Bitext.from_lines(["a"], ["b"]).save(path)
    write_arrays(path, KIND, VERSION, {**read_arrays(path, KIND, VERSION), **more})
    with pytest.raises(InputError):
        Bitext.load(path)
