"""Hypothesis strategies for lines of text that break tools: any script, any special character."""

import unicodedata

from hypothesis import strategies as st

ODD_PIECES = [
    "|", "|||", "[X]", "[X,1]", "<s>", "</s>", "<unk>", "<b>", "</b>", "&amp;", "&#124;", "&",
    "@-@", "@", "\\", "e\u0301", "👩‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇩🇪", "👍🏽", "1️⃣", "שלום", "مرحبا",
    "می‌خواهم", "\u200f", "\u2028", "\u00a0", "\u0085", "\u3000", "\ufeff", "नमस्ते", "한국어",
    "日本語", "𝒳", "▁", "▁▁", "\u0301", "ß", "İ", "ǆ",
]  # fmt: skip

# What decides the rules of a tokeniser.
PUNCTUATION = [
    ".", "..", "...", ". . .", ",", ",,", "'", "''", "`", "``", '"', "„", "“", "”", "-", "--",
    "–", "?", "!", ":", ";", "%", "(", ")", "[", "]", "{", "}", "$", "€", "¿", "¡", "/", "#", "*",
    "1", "2.5", "3,000", "No.", "Mr.", "z.B.", "U.S.", "Dr", "s", "'s", "n't", "l'", "d'", "a",
    "B", "word", "Word", "WORD", "é", "я",
]  # fmt: skip

pieces = st.one_of(
    st.sampled_from(ODD_PIECES),
    st.sampled_from(PUNCTUATION),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0"), max_size=4),
)


def lines(max_pieces=12):
    """Lines of such pieces, with and without spaces between them."""
    return st.lists(st.tuples(pieces, st.sampled_from(["", "", " "])), max_size=max_pieces).map(
        lambda parts: "".join(piece + gap for piece, gap in parts)
    )


def without_space(text):
    """The characters of a text that are neither white space nor control characters."""
    return "".join(c for c in text if not c.isspace() and not (c < " "))


def has_marks(text):
    """Whether some character belongs to the one before it."""
    return any(
        unicodedata.category(c)[0] == "M"
        or c in "\u200c\u200d"
        or 0x1F1E6 <= ord(c) <= 0x1F1FF
        or 0x1F3FB <= ord(c) <= 0x1F3FF
        or 0xE0020 <= ord(c) <= 0xE007F
        for c in text
    )
