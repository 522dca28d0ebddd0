"""Scores and states of a real model, against the kenlm package."""

import random

import kenlm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.arpa import ngrams_of
from tunesmith import _core
from tunesmith.base.errors import InputError
from tunesmith.formats.text import read_bytes, read_lines
from tunesmith.lm import NgramLM


@pytest.fixture(scope="module")
def arpa(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("lm") / "lm.arpa"
    path.write_bytes(read_bytes(data / "moses-model" / "lm.arpa.gz"))
    return path


@pytest.fixture(scope="module")
def lm(arpa):
    NgramLM.load(arpa).save(arpa.with_suffix(".bin"))
    return NgramLM.load(arpa.with_suffix(".bin"))


@pytest.fixture(scope="module")
def peer(arpa):
    return kenlm.Model(str(arpa))


@pytest.fixture(scope="module")
def sentences(data):
    lines = read_lines(data / "multi30k" / "test_2016.en") + read_lines(
        data / "multi30k" / "val.en"
    )
    chance = random.Random(1)
    shuffled = [" ".join(chance.sample(line.split(), len(line.split()))) for line in lines]
    return [*lines, *shuffled, "", "  ", "zzz", "a\ttab and  spaces "]


def test_every_word_equals_kenlm(lm, peer, sentences):
    scored = lm.word_scores(sentences, engine=2)
    expected = [word for sentence in sentences for word in peer.full_scores(sentence)]
    assert len(scored.log10) == len(expected)
    np.testing.assert_allclose(scored.log10, [word[0] for word in expected], atol=1e-5)
    assert scored.length.tolist() == [word[1] for word in expected]
    assert (scored.words == 0).tolist() == [word[2] for word in expected]
    assert len(scored.offsets) == len(sentences) + 1


def test_sentences_equal_kenlm(lm, peer, sentences):
    for begin in (True, False):
        for end in (True, False):
            expected = [peer.score(sentence, bos=begin, eos=end) for sentence in sentences]
            scores = lm.scores(sentences, begin=begin, end=end)
            np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-5)
    assert lm.score(sentences[0]) == lm.scores(sentences)[0]
    assert lm.perplexity(sentences[:5]).perplexity == pytest.approx(
        10
        ** (
            -sum(peer.score(s) for s in sentences[:5])
            / sum(len(s.split()) + 1 for s in sentences[:5])
        )
    )


def test_any_number_of_threads_gives_the_same_bytes(lm, sentences):
    one = lm.word_scores(sentences, engine=1)
    two = lm.word_scores(sentences, engine=3)
    assert one.log10.tobytes() == two.log10.tobytes()
    assert lm.scores(sentences, engine=1).tobytes() == lm.scores(sentences, engine=3).tobytes()


def test_states_are_as_short_as_kenlms(lm, peer, sentences):
    """Two contexts that kenlm takes for the same are the same for us, and the other way round."""
    pairs = {}
    for sentence in sentences[::10]:
        native = lm.native
        ours, theirs = native.begin_state(), kenlm.State()
        peer.BeginSentenceWrite(theirs)
        for word in sentence.split():
            _, _, ours = native.score_word(ours, native.word_id(word))
            after = kenlm.State()
            peer.BaseScore(theirs, word, after)
            theirs = after
            assert pairs.setdefault(ours, theirs) == theirs
    assert len(set(map(hash, pairs.values()))) == len(pairs)


def whole(lm, words):
    native, state, total = lm.native, lm.native.null_state(), 0.0
    for word in words:
        score, _, state = native.score_word(state, word)
        total += score
    return total, state


@st.composite
def split_sentences(draw):
    """A sentence, and a tree over it: lists of words and lists."""
    tree = st.recursive(
        st.integers(0, 10**6), lambda inner: st.lists(inner, max_size=5), max_leaves=12
    )
    return draw(st.lists(tree, max_size=6)), draw(st.booleans()), draw(st.integers(0, 10**6))


def flat(tree):
    return [word for part in tree for word in (flat(part) if isinstance(part, list) else [part])]


@settings(max_examples=300)
@given(case=split_sentences())
def test_any_split_gives_the_same_score_and_states(lm, text_words, case):
    """Property: fragments joined in any way score like the words in a row."""
    tree, begin, start = case

    def word_of(number):  # mostly words that stand together in the corpus
        return text_words[(start + number % 7) % len(text_words)]

    def build(parts, at_start):
        scorer = _core.LmScorer(lm.native)
        below = 0.0
        if at_start:
            scorer.begin_sentence()
        for part in parts:
            if isinstance(part, list):
                fragment, score = build(part, False)
                scorer.fragment(fragment)
                below += score
            else:
                scorer.word(word_of(part))
        return scorer.result, scorer.score + below

    words = [word_of(number) for number in flat(tree)]
    fragment, score = build(tree, begin)
    direct, direct_score = build(flat(tree), begin)
    assert score == pytest.approx(direct_score, abs=1e-4)
    assert fragment == direct
    assert hash(fragment) == hash(direct)
    # The same behind a known state, in one step or word by word.
    total, state = whole(lm, [text_words[start % len(text_words)], *words])
    _, before = whole(lm, [text_words[start % len(text_words)]])
    first, _ = whole(lm, [text_words[start % len(text_words)]])
    if not begin:
        change, after = lm.native.extend(before, fragment)
        assert score + change + first == pytest.approx(total, abs=1e-4)
        assert after == state


@pytest.fixture(scope="module")
def text_words(lm, sentences):
    return [lm.native.word_id(word) for sentence in sentences[:400] for word in sentence.split()]


def test_left_contexts_are_short(lm, text_words):
    """Left words beyond the first that no n-gram extends are not kept."""
    lengths = []
    for start in range(0, 2000, 7):
        scorer = _core.LmScorer(lm.native)
        for word in text_words[start : start + 8]:
            scorer.word(word)
        assert scorer.result.full
        lengths.append(len(scorer.result.left))
    assert max(lengths) == 3
    assert np.mean(lengths) < 2.5


@pytest.mark.parametrize("kept", [10, 100, 1000, 100_000, 15_000_000])
def test_a_binary_cut_short_is_refused(lm, arpa, tmp_path, kept):
    whole_file = arpa.with_suffix(".bin").read_bytes()
    (tmp_path / "cut.bin").write_bytes(whole_file[:kept])
    with pytest.raises(InputError, match=r"cut\.bin: .*expected a"):
        NgramLM.load(tmp_path / "cut.bin")


def test_all_of_a_large_binary_is_checked(tmp_path):
    """Models above 48 MB were used unseen: zeros in the table doubled the perplexity."""
    chance = np.random.default_rng(1)
    words = chance.integers(0, 3000, (80_000, 12)).astype(str)
    path = tmp_path / "large.bin"
    NgramLM.fit(map(" ".join, words), order=3).save(path)
    size = path.stat().st_size
    assert size > 50e6
    with path.open("r+b") as stream:
        stream.seek(size // 2)
        stream.write(bytes(8 << 20))
    with pytest.raises(InputError, match=r"large.bin: the contents of array 'buckets' have chang"):
        NgramLM.load(path)


def test_a_binary_with_a_changed_byte_is_refused(lm, arpa, tmp_path):
    broken = bytearray(arpa.with_suffix(".bin").read_bytes())
    broken[len(broken) // 2] ^= 1
    (tmp_path / "broken.bin").write_bytes(broken)
    with pytest.raises(InputError, match=r"the contents of array '\w+' have changed"):
        NgramLM.load(tmp_path / "broken.bin")


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        NgramLM.load(tmp_path / "none.arpa")


def test_arpa_there_and_back(lm, arpa, tmp_path):
    lm.save_arpa(tmp_path / "back.arpa")
    again = NgramLM.load(tmp_path / "back.arpa")
    assert ngrams_of((tmp_path / "back.arpa").read_text()) == ngrams_of(arpa.read_text())
    again.save_arpa(tmp_path / "again.arpa")
    assert (tmp_path / "again.arpa").read_bytes() == (tmp_path / "back.arpa").read_bytes()
