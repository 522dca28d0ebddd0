"""Estimation against KenLM's reference model and against the obvious twin."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.arpa import ngrams_of
from reference.kneser_ney import estimate as twin
from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.text import read_bytes, read_lines
from tunesmith.lm import KneserNey, NgramLM


def arpa_of(estimate, folder):
    estimate.save_arpa(folder / "out.arpa")
    return ngrams_of((folder / "out.arpa").read_text(encoding="utf-8"))


def assert_same(ours, expected, tolerance):
    assert ours.keys() == expected.keys()
    pairs = np.array([(ours[gram], numbers) for gram, numbers in expected.items()])
    np.testing.assert_allclose(pairs[:, 0], pairs[:, 1], rtol=0, atol=tolerance)


@pytest.fixture(scope="module")
def train(data):
    return data / "multi30k" / "train.en.xz"


def test_equals_lmplz_on_multi30k(data, train, tmp_path):
    estimate = KneserNey(order=4).fit_files([train])
    assert not any(discounts.fallback for discounts in estimate.discounts)
    expected = ngrams_of(read_bytes(data / "moses-model" / "lm.arpa.gz").decode())
    assert_same(arpa_of(estimate, tmp_path), expected, 1e-5)


def test_threads_do_not_change_a_byte(train, tmp_path):
    written = []
    for threads in (1, 2, 3):
        path = tmp_path / f"{threads}.arpa"
        KneserNey(order=3, engine=threads, prune=(0, 1)).fit_files([train]).save_arpa(path)
        written.append(path.read_bytes())
    assert written[0] == written[1] == written[2]


@pytest.mark.parametrize("memory", [1, 100_000, 2_000_000])
@pytest.mark.parametrize("options", [{}, {"prune": (0, 1, 2)}, {"max_words": 500}])
def test_files_instead_of_memory_do_not_change_a_byte(train, tmp_path, memory, options):
    lines = read_lines(train)[:4000]
    small = KneserNey(order=4, memory=memory, temporary_folder=str(tmp_path), **options)
    through_files = small.fit(lines)
    assert through_files.used_files
    through_files.save_arpa(tmp_path / "files.arpa")
    in_memory = KneserNey(order=4, **options).fit(lines)
    assert not in_memory.used_files
    in_memory.save_arpa(tmp_path / "memory.arpa")
    assert through_files.discounts == in_memory.discounts
    assert through_files.counts_unpruned == in_memory.counts_unpruned
    assert (tmp_path / "files.arpa").read_bytes() == (tmp_path / "memory.arpa").read_bytes()
    scores = through_files.model().scores(lines[:50])
    assert scores.tobytes() == in_memory.model().scores(lines[:50]).tobytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["files.arpa", "memory.arpa"]


def test_lines_files_and_models_agree(train, tmp_path):
    lines = read_lines(train)[:500]
    (tmp_path / "a.txt").write_text("\n".join(lines[:200]) + "\n")
    (tmp_path / "b.txt").write_text("\n".join(lines[200:]))
    options = KneserNey(order=3)
    from_files = options.fit_files([tmp_path / "a.txt", tmp_path / "b.txt"])
    from_files.save_arpa(tmp_path / "files.arpa")
    estimate = options.fit(lines)
    estimate.save_arpa(tmp_path / "lines.arpa")
    lm = estimate.model()
    lm.save_arpa(tmp_path / "model.arpa")
    assert (tmp_path / "files.arpa").read_bytes() == (tmp_path / "lines.arpa").read_bytes()
    assert (tmp_path / "files.arpa").read_bytes() == (tmp_path / "model.arpa").read_bytes()
    read_back = NgramLM.load(tmp_path / "files.arpa")
    assert lm.scores(lines).tobytes() == read_back.scores(lines).tobytes()


corpora = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d", "<s>", "\\</s>", "é"]), max_size=7).map(" ".join),
    min_size=1,
    max_size=25,
)


@settings(max_examples=120)
@given(
    lines=corpora,
    order=st.integers(1, 5),
    prune=st.lists(st.integers(0, 2), max_size=3).map(sorted),
    allowed=st.none() | st.sets(st.sampled_from(["a", "b", "é"]), min_size=1),
    threads=st.integers(1, 2),
    memory=st.sampled_from([0, 1]),
)
def test_equals_the_twin(lines, order, prune, allowed, threads, memory, tmp_path_factory):
    options = KneserNey(
        order=order,
        prune=prune,
        vocabulary=None if allowed is None else sorted(allowed),
        engine=threads,
        memory=memory,
    )
    estimate = options.fit(lines)
    expected, fallbacks = twin(lines, order, prune, allowed)
    folder = tmp_path_factory.mktemp("lm")
    assert_same(arpa_of(estimate, folder), expected, 2e-5)
    assert [discounts.fallback for discounts in estimate.discounts] == fallbacks


@settings(max_examples=40)
@given(
    lines=corpora, order=st.integers(1, 4), context=st.lists(st.sampled_from("abcd"), max_size=3)
)
def test_probabilities_sum_to_one(lines, order, context):
    native = NgramLM.fit(lines, order=order).native
    for start in (native.begin_state(), native.null_state()):
        state = start
        for word in context:
            _, _, state = native.score_word(state, native.word_id(word))
        total = sum(
            10 ** native.score_word(state, word)[0]
            for word in range(native.vocabulary_size)
            if word != 1  # <s> is never predicted
        )
        assert total == pytest.approx(1.0, abs=1e-4)


def test_pruned_probabilities_sum_to_one(train):
    lm = NgramLM.fit(read_lines(train)[:3000], order=3, prune=(0, 1, 2), max_words=800)
    native = lm.native
    assert native.vocabulary_size == 803
    for context in ("a man", "two dogs", "in the", "zzz"):
        state = native.begin_state()
        for word in context.split():
            _, _, state = native.score_word(state, native.word_id(word))
        words = (w for w in range(native.vocabulary_size) if w != 1)
        total = sum(10 ** native.score_word(state, word)[0] for word in words)
        assert total == pytest.approx(1.0, abs=1e-4)


def test_max_words_keeps_the_most_frequent(train):
    lines = read_lines(train)[:2000]
    lm = NgramLM.fit(lines, order=2, max_words=50)
    counts = Counter(word for line in lines for word in line.split())
    expected = sorted(counts, key=lambda word: -counts[word])[:50]  # stable: first seen first
    assert [lm.native.spelling(i) for i in range(3, lm.native.vocabulary_size)] == sorted(
        expected, key=list(counts).index
    )


def test_small_data_is_answered_with_fallback_discounts(caplog):
    estimate = KneserNey(order=2).fit(["a b"])
    assert all(discounts.fallback for discounts in estimate.discounts)
    assert (estimate.discounts[0].once, estimate.discounts[0].more) == (0.5, 1.5)
    with caplog.at_level("WARNING", logger="tunesmith"):
        estimate.report()
    assert "too little or too regular text for the discounts of 1-grams" in caplog.text


def test_empty_lines_count_as_sentences():
    lm = NgramLM.fit(["", "", "a"], order=2)
    assert lm.counts == [4, 3]
    assert lm.score("") > lm.score("a")


def test_a_long_sentence_and_odd_words():
    chance = random.Random(1)
    long = " ".join(
        chance.choice(["|", "|||", "[X]", "<b>", "😀", "\u202f", "e\u0301"]) for _ in range(10_000)
    )
    lm = NgramLM.fit([long, "a"], order=3)
    assert lm.counts[0] == 11
    assert "\u202f" in lm


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a b\nc \xff d\n", "t.txt:2: invalid UTF-8 at byte 3, expected UTF-8; convert the file"),
        (b"a b\n\nc\0d\n", "t.txt:3: a NUL byte at byte 2, expected text; remove it"),
        (b"", "t.txt: no lines, expected text to train on"),
    ],
)
def test_bad_text(tmp_path, content, message):
    (tmp_path / "t.txt").write_bytes(content)
    with pytest.raises(InputError) as error:
        KneserNey().fit_files([tmp_path / "t.txt"])
    assert str(error.value).removeprefix(f"{tmp_path}/").startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temporary_folder": "/no/such/folder", "memory": 1}, "No such file or directory, "),
        ({"order": 0}, "order is 0, expected at least 1"),
        ({"order": 13}, "order is 13, expected at most 12"),
        ({"prune": [-1]}, "prune has -1, expected 0 to 2147483647"),
        ({"prune": [0, 2**40]}, "prune has 1099511627776, expected 0 to 2147483647"),
        ({"prune": (1, 0)}, "pruning thresholds must not fall from one order to the next"),
        ({"vocabulary": []}, "the vocabulary is empty, expected words that may stay"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises((OptionError, InputError), match=message):
        KneserNey(**options).fit(["a"])


def test_a_byte_order_mark_is_no_part_of_the_first_word(tmp_path):
    (tmp_path / "text").write_bytes(b"\xef\xbb\xbfa b\n")
    KneserNey(order=1).fit_files([tmp_path / "text"]).save_arpa(tmp_path / "arpa")
    assert "\ufeff" not in (tmp_path / "arpa").read_text(encoding="utf-8")
