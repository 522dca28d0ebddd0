"""Reading ARPA files: what is refused and with which words; what comes back out."""

import gzip
import lzma
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.arpa import ngrams_of
from tunesmith.base.errors import InputError
from tunesmith.lm import NgramLM

GOOD = """\\data\\
ngram 1=5
ngram 2=3
ngram 3=1

\\1-grams:
-1.5\t<unk>\t0
0\t<s>\t-0.5
-0.7\t</s>\t0
-0.6\ta\t-0.25
-0.9\tb\t0

\\2-grams:
-0.2\t<s> a\t-0.125
-0.3\ta b\t0
-0.4\ta </s>\t0

\\3-grams:
-0.1\t<s> a b

\\end\\
"""


@pytest.fixture
def load(tmp_path):
    def load_text(text):
        path = tmp_path / "lm.arpa"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return NgramLM.load(path)

    return load_text


def test_scores_by_hand(load):
    lm = load(GOOD)
    assert lm.order == 3
    assert lm.counts == [5, 3, 1]
    scores = lm.full_scores("a b")
    assert [s.length for s in scores] == [2, 3, 1]
    assert [s.log10 for s in scores] == pytest.approx([-0.2, -0.1, -0.7])
    # c is unknown: it costs the back-off weights of "<s> a" and "a".
    scores = lm.full_scores("a c")
    assert [s.oov for s in scores] == [False, True, False]
    assert scores[1].log10 == pytest.approx(-0.125 - 0.25 - 1.5)
    assert lm.score("a c") == pytest.approx(sum(s.log10 for s in scores))
    assert lm.score("a b", begin=False, end=False) == pytest.approx(-0.6 - 0.3)
    assert lm.score("", end=False) == 0.0
    assert lm.score("") == pytest.approx(-0.5 - 0.7)


def test_markers_in_text_are_ordinary_words(load):
    lm = load(GOOD)
    assert [s.oov for s in lm.full_scores("<s> </s> <unk>")] == [True, True, True, False]
    escaped = load(GOOD.replace("\tb\t", "\t\\<s>\t").replace(" b", " \\<s>"))
    assert [s.oov for s in escaped.full_scores("<s> \\<s>")] == [False, True, False]
    assert "<s>" in escaped
    assert "</s>" not in escaped


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_packed_files(load, pack):
    assert load(pack(GOOD.encode())).counts == [5, 3, 1]


def test_windows_line_ends_and_missing_last_newline(load):
    assert load(GOOD.replace("\n", "\r\n")).counts == [5, 3, 1]
    assert load(GOOD.rstrip("\n")).counts == [5, 3, 1]


def test_without_unk_it_costs_what_kenlm_charges(load):
    lm = load(GOOD.replace("-1.5\t<unk>\t0\n", "").replace("ngram 1=5", "ngram 1=4"))
    assert lm.score("c", begin=False, end=False) == -100.0
    assert lm.counts == [4, 3, 1]


def test_there_and_back(load, tmp_path):
    lm = load(GOOD)
    lm.save(tmp_path / "lm.bin")
    back = NgramLM.load(tmp_path / "lm.bin")
    back.save_arpa(tmp_path / "back.arpa")
    text = (tmp_path / "back.arpa").read_text()
    assert ngrams_of(text) == ngrams_of(GOOD)
    last_word_first = ["-0.4\ta </s>\t0", "-0.2\t<s> a\t-0.125", "-0.3\ta b\t0"]
    assert text.split("\n")[13:16] == last_word_first
    NgramLM.load(tmp_path / "back.arpa").save_arpa(tmp_path / "again.arpa")
    assert (tmp_path / "again.arpa").read_text() == text


def test_a_pruned_model_without_its_suffixes(load, tmp_path):
    # "a b" is pruned while "<s> a b" is kept, as SRILM does.
    pruned = GOOD.replace("-0.3\ta b\t0\n", "").replace("ngram 2=3", "ngram 2=2")
    lm = load(pruned)
    assert [s.length for s in lm.full_scores("a b")] == [2, 3, 1]
    scored = lm.score("a b", begin=False, end=False)
    assert scored == pytest.approx(-0.6 - 0.25 - 0.9)
    lm.save_arpa(tmp_path / "back.arpa")
    assert ngrams_of((tmp_path / "back.arpa").read_text()) == ngrams_of(pruned)


BROKEN = {
    "too few n-grams": (
        GOOD.replace("ngram 2=3", "ngram 2=4"),
        "lm.arpa:17: 3 2-grams, expected 4 as line 3 says; the counts in the header are wrong or "
        "the file is cut short: make it again",
    ),
    "too many n-grams": (
        GOOD.replace("ngram 2=3", "ngram 2=2"),
        "lm.arpa:16: more than 2 2-grams, expected as many as line 3 says; the counts in the "
        "header are wrong or the file was edited: make it again",
    ),
    "no end": (
        GOOD.replace("\\end\\\n", ""),
        "lm.arpa:21: the end of the file, expected '\\end\\'; the file is cut short: copy or make "
        "it again",
    ),
    "cut in a section": (
        GOOD[: GOOD.index("-0.4")],
        "lm.arpa:16: the end of the file, expected '\\end\\'; the file is cut short: copy or make "
        "it again",
    ),
    "positive": (
        GOOD.replace("-0.3", "0.3"),
        "lm.arpa:15: log-probability 0.3, expected at most 0; probabilities are log10: the file "
        "is damaged or was written by a broken tool",
    ),
    "not a number": (
        GOOD.replace("-0.3", "-0,3"),
        "lm.arpa:15: '-0,3' as log-probability, expected a finite number",
    ),
    "infinite": (
        GOOD.replace("-0.3", "-inf"),
        "lm.arpa:15: '-inf' as log-probability, expected a finite number",
    ),
    "back-off": (
        GOOD.replace("-0.125", "nan"),
        "lm.arpa:14: 'nan' as back-off weight, expected a finite number",
    ),
    "fields": (
        GOOD.replace("<s> a b", "<s> a b b"),
        "lm.arpa:19: 5 fields in '-0.1\\x09<s> a b b', expected a log-probability and 3 words",
    ),
    "few fields": (
        GOOD.replace("\ta </s>\t0", "\ta"),
        "lm.arpa:16: 2 fields in '-0.4\\x09a', expected a log-probability, 2 words and a back-off "
        "weight",
    ),
    "unknown word": (
        GOOD.replace("\ta b\t", "\ta x\t"),
        "lm.arpa:15: word 'x', expected words of the 1-grams only",
    ),
    "repeated": (
        GOOD.replace("\ta </s>\t", "\ta b\t"),
        "lm.arpa:16: 'a b' for the second time, expected every n-gram once",
    ),
    "repeated word": (
        GOOD.replace("\tb\t", "\ta\t"),
        "lm.arpa:11: 'a' for the second time, expected every n-gram once",
    ),
    "no context": (
        GOOD.replace("\t<s> a\t", "\tb a\t"),
        "lm.arpa:19: the context of '<s> a b' is missing, expected it among the 2-grams; prune "
        "with a tool that keeps the contexts of what it keeps",
    ),
    "no boundary": (
        GOOD.replace("<s>", "<x>"),
        "lm.arpa:12: no <s> among the 1-grams, expected a model with sentence boundaries; train "
        "it with <s> and </s>",
    ),
    "count line": (
        GOOD.replace("ngram 2=", "ngram 3="),
        "lm.arpa:3: 'ngram 3=3', expected 'ngram 2=COUNT'",
    ),
    "section": (
        GOOD.replace("\\2-grams:", "\\3-grams:"),
        "lm.arpa:13: '\\3-grams:', expected '\\2-grams:'",
    ),
    "after the end": (
        GOOD + "x\n",
        "lm.arpa:22: 'x' after '\\end\\', expected the end of the file",
    ),
    "empty": ("", "lm.arpa:1: an empty file, expected an ARPA file"),
    "text": (
        "hello\nworld\n",
        "lm.arpa:1: 'hello', expected '\\data\\' at the start; give an ARPA file or a model made "
        "by `tunesmith lm`",
    ),
    "kenlm": (
        b"mmap lm http://kheafield.com/code format version 5\n\0" + b"\0\1" * 100 + b"\n",
        "lm.arpa:1: 'mmap lm http://kheafield.com/code format version 5', expected '\\data\\' at "
        "the start; this is a KenLM binary, which no other tool reads; give the ARPA file it was "
        "made from",
    ),
    "utf-8": (
        GOOD.encode().replace(b"\tb\t", b"\tb\xff\t"),
        "lm.arpa:11: invalid UTF-8 at byte 7, expected UTF-8; convert the file, for example with "
        "`iconv -t utf-8`",
    ),
    "gzip": (
        gzip.compress(GOOD.encode(), mtime=0)[:-20],
        "lm.arpa: cannot be unpacked: Compressed file ended before the end-of-stream marker was "
        "reached; the file is cut off or damaged",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_answered(load, tmp_path, case):
    content, message = BROKEN[case]
    with pytest.raises(InputError) as error:
        load(content)
    assert str(error.value).removeprefix(f"{tmp_path}/") == message


def test_perplexity(load):
    lm = load(GOOD)
    result = lm.perplexity(["a b", "a c", ""])
    assert (result.sentences, result.tokens, result.oov) == (3, 7, 1)
    assert result.log10 == pytest.approx(sum(lm.scores(["a b", "a c", ""])))
    assert result.perplexity == pytest.approx(10 ** (-result.log10 / 7))
    assert result.log10_without_oov == pytest.approx(result.log10 + 1.875)
    assert math.isnan(lm.perplexity([]).perplexity)


@settings(max_examples=300)
@given(edits=st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=3)), max_size=4))
def test_broken_in_any_way_it_is_read_or_refused(edits, tmp_path_factory):
    """Whatever bytes stand where: a model whose scores are numbers, or an InputError."""
    content = bytearray(GOOD.encode())
    for place, replacement in edits:
        place %= len(content) + 1
        content[place : place + len(replacement) or place + 1] = replacement
    path = tmp_path_factory.mktemp("arpa") / "lm.arpa"
    path.write_bytes(content)
    try:
        lm = NgramLM.load(path)
    except InputError as error:
        assert str(error).startswith(str(path))  # noqa: PT017
    else:
        assert math.isfinite(lm.score("a b c a a"))
