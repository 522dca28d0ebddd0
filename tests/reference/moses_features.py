"""Moses' feature names in an n-best list, in the order of ours."""

MOSES_ORDER = (
    *(f"TranslationModel0_{i}" for i in range(4)),
    *(f"LexicalReordering0_{i}" for i in range(6)),
    "Distortion0",
    "WordPenalty0",
    "PhrasePenalty0",
    "LM0",
)
# Ours has one more, the unknown words, before the language model.
UNKNOWN = 13


def moses_vector(features):
    """The 14 values of a line in our order; the unknown words are only in Moses' total."""
    return [features[name] for name in MOSES_ORDER]
