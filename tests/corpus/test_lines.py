"""Lines remember their characters: whatever is cut, joining it gives back the line."""

import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sentencepiece import SentencePieceTrainer

from tunesmith.corpus import Preprocessor
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.lines import cut
from tunesmith.corpus.marks import mark_pairs
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.protected import find_units
from tunesmith.corpus.spacing import SPACES
from tunesmith.corpus.tokenizers import (
    CharTokenizer,
    MosesTokenizer,
    NoTokenizer,
    SentencePieceTokenizer,
    UnigramTokenizer,
)


def sentencepiece(folder):
    model = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(["das ist ein haus am see", "ein haus ist gut"] * 50),
        model_writer=model, vocab_size=16, minloglevel=2,
    )  # fmt: skip
    (folder / "sp.model").write_bytes(model.getvalue())
    return SentencePieceTokenizer(folder / "sp.model")


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory):
    return [
        *(MosesTokenizer(language) for language in ("de", "en", "fr", "uk", "zh")),
        MosesTokenizer("en", split_hyphens=True),
        UnigramTokenizer(),
        UnigramTokenizer().fit(["使用 网站 的 网站。", "网站 使用"] * 30),
        CharTokenizer(),
        NoTokenizer(),
        sentencepiece(tmp_path_factory.mktemp("sp")),
    ]


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            ["Das", "ist", "z.B.", "l'eau", "Tom’s", "<b>", "</b>", "<br>", "{x}", "%d", "3,5",
             "new-born", " ", "\u00a0", "\t", "  ", "\u200b", "\x01", "使用", "网站", "。", "…",
             "…", "''", '"', "(", ")", "...", "é", "▁", "👨‍👩‍👧", "https://a.org/"]
        ),
        st.text(max_size=4).filter(lambda text: "\n" not in text and "\r" not in text),
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(PIECES)
@example("Das<b>Das")  # no token of single characters reaches across the tag
@example(" ▁")  # the sign that stands for a space
@settings(max_examples=300, deadline=None)
def test_tokens_and_what_stands_between_them_are_the_line(tokenizers, raw):
    units = find_units(raw)
    for tokenizer in tokenizers:
        [line] = cut([raw], [units], tokenizer)
        covered = set()
        for token, unit, (begin, end) in zip(line.tokens, line.unit_of, line.spans, strict=True):
            assert begin <= end
            covered.update(range(begin, end))
            if unit < 0 and tokenizer.name == "moses":
                inside = "".join(
                    raw[at]
                    for at in range(begin, end)
                    if raw[at] >= " "
                    and raw[at] not in SPACES
                    and not any(u.begin <= at < u.end for u in units if u.kind == "tag")
                )
                assert inside == token.text or token.text == "@-@"
        left = "".join(raw[at] for at in range(len(raw)) if at not in covered)
        if tokenizer.name != "sentencepiece":  # which leaves out characters of its own choice
            assert all(c in SPACES or c < " " for c in left), (tokenizer.name, left)
        plain = [span for span, unit in zip(line.spans, line.unit_of, strict=True) if unit < 0]
        assert plain == sorted(plain)


def test_reading_a_line_gives_the_words_that_training_sees():
    side = Preprocessor(MosesTokenizer("de"), protection=Protection())
    side.compounds = CompoundSplitter().fit(["der Hund vor der Hütte", "ein Hund , eine Hütte"])
    raw = ["Die Hundehütte {x}, bitte.", "<i>Der</i> Hund", ""]
    assert [" ".join(w for w in line.words if w != "⟦tag⟧") for line in side.read(raw)] == (
        side.encode(raw)
    )
    [line, *_] = side.read(raw)
    assert [line.tokens[owner].text for owner in line.owners][:3] == ["Die", *["Hundehütte"] * 2]


@pytest.mark.parametrize(
    ("raw", "tokens"),
    [
        ("<b>g</b>ut", ["<b>", "gut", "</b>"]),
        ("sehr <b>g</b>ute Idee", ["sehr", "<b>", "gute", "</b>", "Idee"]),
        ("be<i>schaff</i>en", ["<i>", "beschaffen", "</i>"]),
        ("H<sub>2</sub>O", ["H", "<sub>", "2", "</sub>", "O"]),
        ("eins<br>zwei", ["eins", "<br>", "zwei"]),
        ("a<b>b</b><i>c</i>d", ["a", "<b>", "b", "</b>", "<i>", "c", "</i>", "d"]),
    ],
)
def test_a_tag_does_not_cut_a_word(raw, tokens):
    [line] = cut([raw], [find_units(raw)], MosesTokenizer("de"))
    assert [token.text for token in line.tokens] == tokens


@pytest.mark.parametrize(
    ("words", "pairs"),
    [
        ("( a )", [(0, 2)]),
        ("( a ( b ) c )", [(0, 6), (2, 4)]),
        ("„ a “ b », « c »", [(0, 2), (5, 7)]),
        ('" a " b " c', [(0, 2)]),
        ("( a [ b ) c ]", [(0, 4)]),
        (") a (", []),
        ("( )", []),
        ("« « a » »", [(0, 4), (1, 3)]),
    ],
)
def test_brackets_and_quotes_are_paired(words, pairs):
    assert mark_pairs(words.split()) == pairs


def test_an_apostrophe_opens_nothing():
    words = ["the", "boys", "'", "room", "'", "Red", "'"]
    assert mark_pairs(words, closing={2, 6}) == [(4, 6)]
