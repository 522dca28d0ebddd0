"""Random corpora for metrics: few words, so that n-grams match, among everything Unicode has."""

from hypothesis import strategies as st

# Letters with odd lower cases (final sigma, dotted I), emoji with modifiers, words of over 16
# bytes that differ in the middle only, numbers and marks that tokenisers treat specially.
WORDS = st.sampled_from(
    ["a", "b", "A", "the", "The", "1.5", "2-3", "it's", "x-y", "Ä", "ΑΣ", "Σ", "İ", "😀", "👍🏽",
     "字", "longlonglonglong1longlong", "longlonglonglong2longlong", ".", ",", "..", "&quot;",
     "&amp;lt;", "<skipped>", "(hi)", "!", "...", "“q”"]
)  # fmt: skip
SPACES = st.sampled_from(
    [" ", "  ", "\t", "\u00a0", "\u2003", "\u3000", "\x1c", "\u2028", "\x85", "\u200b", "\ufeff",
     "\r", "\n", "-\n"]
)  # fmt: skip
SENTENCES = st.lists(st.one_of(WORDS, WORDS, SPACES), max_size=14).map(" ".join)
SQUEEZED = st.lists(st.one_of(WORDS, SPACES), max_size=8).map("".join)
TEXTS = st.one_of(SENTENCES, SENTENCES, SQUEEZED, st.text(max_size=20))


def _corpus(references: int) -> st.SearchStrategy:
    segments = st.lists(st.tuples(TEXTS, *[TEXTS] * references), min_size=1, max_size=4)
    return segments.map(lambda rows: [list(column) for column in zip(*rows, strict=True)])


# Hypotheses, and one to three reference files.
CORPORA = st.integers(1, 3).flatmap(_corpus).map(lambda columns: (columns[0], columns[1:]))
