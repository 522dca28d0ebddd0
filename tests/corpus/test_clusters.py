import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import clusters as reference
from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.cli.main import main
from tunesmith.corpus import Sentences, WordClusters, phrasebook
from tunesmith.corpus.clusters import Clustering
from tunesmith.formats.clusters import WordClass
from tunesmith.lm import read_classes

SMALL_TEXTS = st.lists(
    st.lists(st.sampled_from("abcdefgh"), max_size=6).map(" ".join), min_size=1, max_size=12
).filter(lambda lines: any(lines))


def exchange(lines, classes, *, min_count=1, threads=1):
    text = Sentences.from_lines(lines)
    native = _core.WordExchange(
        text.offsets, text.ids, len(text.vocabulary), classes, min_count, threads
    )
    return text, native


def classes_by_word(text, native):
    numbers = native.assignment().tolist()
    return {word: n for word, n in zip(text.vocabulary, numbers, strict=True) if n != 0xFFFFFFFF}


def zipf_text(seed, *, words=60, lines=300):
    random = np.random.default_rng(seed)
    ranks = np.minimum(random.zipf(1.3, size=(lines, 9)), words)
    return [" ".join(f"w{rank}" for rank in row[: 3 + number % 7])
            for number, row in enumerate(ranks)]  # fmt: skip


@given(SMALL_TEXTS, st.integers(1, 5))
def test_sweeps_raise_the_information_to_a_local_optimum(lines, classes):
    text, native = exchange(lines, classes)
    counts = reference.bigrams(lines)
    before = native.information
    while native.sweep():
        class_of = classes_by_word(text, native)
        assert native.information == pytest.approx(
            reference.information(counts, class_of), abs=1e-9
        )
        assert native.information > before
        before = native.information
    class_of = classes_by_word(text, native)
    assert len(set(class_of.values())) == min(classes, len(class_of))
    if len(set(class_of.values())) > 1:
        assert reference.best_exchange(counts, class_of) <= before + 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_the_information_is_that_of_the_classes(seed):
    lines = zipf_text(seed)
    text, native = exchange(lines, 8)
    for _ in range(3):
        assert native.information == pytest.approx(
            reference.information(reference.bigrams(lines), classes_by_word(text, native)),
            abs=1e-9,
        )
        native.sweep()


def test_rare_words_are_one_class_that_stays_outside():
    lines = zipf_text(5)
    text, native = exchange(lines, 6, min_count=20)
    native.sweep()
    class_of = classes_by_word(text, native)
    frequent = {w for w, n in zip(text.vocabulary, text.counts(), strict=True) if n >= 20}
    assert set(class_of) == frequent != set(text.vocabulary)
    with_rare = {w: class_of.get(w, "rare") for w in text.vocabulary}
    assert native.information == pytest.approx(
        reference.information(reference.bigrams(lines), with_rare), abs=1e-9
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_tree_joins_the_cheapest_pairs(seed):
    lines = zipf_text(seed, words=40)
    text, native = exchange(lines, 9)
    native.sweep()
    class_of = classes_by_word(text, native)
    expected = reference.greedy_paths(reference.bigrams(lines), class_of)
    assert native.paths() == [expected[number] for number in range(9)]


def test_large_counts_too():
    # More than the table of logarithms holds.
    lines = ["a b c", "a c b", "d b a", "b b"] * 30_000
    text, native = exchange(lines, 3)
    counts = reference.bigrams(lines)
    while native.sweep():
        pass
    class_of = classes_by_word(text, native)
    assert native.information == pytest.approx(reference.information(counts, class_of), abs=1e-9)
    assert reference.best_exchange(counts, class_of) <= native.information + 1e-9
    expected = reference.greedy_paths(counts, class_of)
    assert native.paths() == [expected[number] for number in range(3)]


def test_hidden_classes_are_found():
    random = np.random.default_rng(3)
    words = {kind: [f"{kind}{i}" for i in range(12)] for kind in "dnv"}
    order = ["d", "n", "v", "d", "n"]
    lines = [" ".join(random.choice(words[kind]) for kind in order) for _ in range(2000)]
    clusters = WordClusters.fit(lines, classes=3)
    found = {kind: {clusters.bits(word) for word in words[kind]} for kind in "dnv"}
    assert all(len(paths) == 1 for paths in found.values())
    assert len(set.union(*found.values())) == 3


def test_any_number_of_threads_gives_the_same(tmp_path):
    lines = [pair.target for pair in phrasebook.sample(1500)]
    for threads in (1, 2, 5):
        WordClusters.fit(lines, classes=150, engine=threads).save(tmp_path / str(threads))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert (tmp_path / "1").read_bytes() == (tmp_path / "5").read_bytes()


def test_paths_name_classes_and_prefixes_larger_ones():
    clusters = WordClusters.fit(zipf_text(1), classes=12)
    paths = clusters.paths()
    assert len(paths) == 12
    assert sum(2.0 ** -len(path) for path in paths) == 1.0  # a full binary tree
    for word in clusters:
        bits = clusters.bits(word)
        assert clusters.prefix(word, 2) == bits[:2]
        assert clusters.prefix(word, 99) == bits
    assert clusters.prefix("never seen", 4) is None
    assert clusters.count("never seen") == 0
    assert sum(clusters.count(word) for word in clusters) == sum(
        len(line.split()) for line in zipf_text(1)
    )


def test_fewer_words_than_classes():
    assert len(WordClusters.fit(["a b c"], classes=500).paths()) == 3
    assert WordClusters.fit(["a a", ""], classes=500).bits("a") == "0"


@given(st.dictionaries(
    st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters=" "), min_size=1),
    st.tuples(st.text("01", min_size=1), st.integers(0, 10**9)), min_size=1))  # fmt: skip
def test_files_come_back(tmp_path_factory, words):
    clusters = WordClusters({word: WordClass(*found) for word, found in words.items()})
    path = tmp_path_factory.mktemp("clusters") / "c"
    clusters.save(path)
    assert WordClusters.load(path) == clusters
    assert read_classes(path) == {word: bits for word, (bits, _) in words.items()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("01\tcat\t3\n01 dog\n", "c:2: 2 fields, expected path, word and count"),
        ("cat\t3\n", "c:1: 2 fields, expected path, word and count"),
        ("01\tcat\t3\n021\tdog\t3\n", "c:2: the path '021', expected 0s and 1s"),
        ("01\tcat\tthree\n", "c:1: the count 'three', expected a whole number"),
        ("01\tcat\t-3\n", "c:1: the count '-3', expected a whole number"),
        ("01\tcat\t3\n\n00\tcat\t3\n",
         "c:3: a second class for 'cat', expected one class for a word"),
        ("", "c: no words, expected lines with word and class"),
        ("01\tc\0at\t3\n", "c:1: a NUL byte at column 5, expected UTF-8 text; "
         "is it a binary file, or text in UTF-16?"),
    ],
)  # fmt: skip
def test_broken_files(tmp_path, text, message):
    (tmp_path / "c").write_text(text)
    with pytest.raises(InputError) as error:
        WordClusters.load(tmp_path / "c")
    assert str(error.value).removeprefix(f"{tmp_path}/") == message


def test_wrong_options():
    with pytest.raises(OptionError, match="classes is 0, expected at least 1"):
        WordClusters.fit(["a"], classes=0)
    with pytest.raises(OptionError, match="lines is one string"):
        WordClusters.fit("a b")
    with pytest.raises(TunesmithError, match="the text has no words, expected some to cluster"):
        WordClusters.fit(["", " "])
    with pytest.raises(TunesmithError, match="no words that occur 3 times"):
        Clustering(min_count=3).fit(["a b", "a"])


def test_the_verb(tmp_path, capsys):
    text = tmp_path / "text"
    text.write_text("\n".join(zipf_text(2)) + "\n")
    out = tmp_path / "clusters"
    assert main(["clusters", "--text", str(text), "--classes", "10", "--out", str(out)]) == 0
    assert WordClusters.load(out) == WordClusters.fit(zipf_text(2), classes=10)
    assert "words in 10 classes, mutual information " in capsys.readouterr().err
    assert main(["clusters", "--text", str(text), "--classes", "10", "--threads", "1"]) == 0
    assert capsys.readouterr().out == out.read_text()

    text.write_text("\n \n")
    assert main(["clusters", "--text", str(text)]) == 2
    assert capsys.readouterr().err == (
        f"tunesmith clusters: {text}: no words, expected sentences, one per line\n"
    )


def test_real_words(data):
    from tunesmith.formats.text import read_lines

    clusters = WordClusters.fit(read_lines(data / "multi30k" / "train.en.xz"), classes=200)
    colours = ["red", "blue", "green", "yellow", "orange", "purple"]
    assert len({clusters.prefix(word, 5) for word in colours}) == 1
    assert clusters.prefix("red", 4) != clusters.prefix("man", 4)
    assert clusters.information > 1.71  # the start has 1.04
