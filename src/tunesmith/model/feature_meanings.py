"""What the dense features of models mean, in a few words each."""

import re

_TABLE = {
    "p_f_given_e": "how often the target phrase was the translation of this source phrase (log)",
    "p_e_given_f": "how often the source phrase was translated like this (log)",
    "lex_f_given_e": "how well the source words are explained by the target words (log)",
    "lex_e_given_f": "how well the target words are explained by the source words (log)",
    "max_lex_f_given_e": "how well each source word is explained by its best target word (log)",
    "max_lex_e_given_f": "how well each target word is explained by its best source word (log)",
    "coherent_e_given_f": "share of this translation among all places of the source side (log)",
    "sample_count_f": "in how many places the source side was looked at (log)",
    "count_ef": "how often both sides of a rule were seen together (log)",
    "singleton_f": "rules whose source side was seen once",
    "singleton_fe": "rules that were seen once",
    "swapped": "rules whose two gaps change places",
    "moved": "rules whose only gap goes from one end to the other",
    "deleted": "rules that translate into nothing",
}
_PLAIN = {
    "distortion": "−(source words jumped over) from each phrase to the next",
    "word_penalty": "−1 for each target word: a negative weight makes translations longer",
    "phrase_penalty": "1 for each phrase: a positive weight prefers many short ones",
    "unknown": "−1 for each word that was copied because no rule has it",
    "glue": "1 for each time that parts are only put side by side",
    "layer.pair": "1 for each phrase pair that corrections have",
    "layer.new": "1 for each of them that only corrections have",
    "layer.words": "source words of phrase pairs that corrections have",
    "layer.share": "how often corrections have this among others of the phrase (log)",
    "layer.times": "how often corrections have this (log)",
    "layer.whole": "1 for a whole sentence that was corrected to this",
    "lexical": "what was learned of single words and their neighbours on the training text",
}
_CLASSES = {
    "monotone": "in the same order",
    "swap": "in the opposite order",
    "discontinuous": "apart",
    "left": "apart, to the left",
    "right": "apart, to the right",
}
_NUMBERED = re.compile(r"(tm|lm|arc)(\d*)(_unknown)?(?:\.(.+))?")
_ORDINAL = {"": "", "2": "second ", "3": "third "}


def feature_meaning(name: str) -> str:
    """What a dense feature measures; empty for one that only its maker knows.

    >>> feature_meaning("lm2"), feature_meaning("reorder.next.swap")
    ('second language model: how fluent the translation is (log)', 'phrases in the opposite order \
than those behind them (log)')
    """
    if name in _PLAIN:
        return _PLAIN[name]
    if name.startswith("reorder."):
        return _reordering(name.split("."))
    found = _NUMBERED.fullmatch(name)
    if found is None:
        return ""
    kind, number, unknown, score = found.groups()
    which = _ORDINAL.get(number, f"{number}. ")
    if kind == "arc":
        return f"what the {which}score of the lattice says of its words"
    if kind == "lm":
        if unknown:
            return f"−1 for each target word that the {which}language model does not know"
        return f"{which}language model: how fluent the translation is (log)"
    meaning = _score(score or "")
    return f"{which}table: {meaning}" if which and meaning else meaning


def _score(score: str) -> str:
    if score.startswith("gaps:"):
        return f"rules with gaps: {score[5:]}"
    if score.startswith("count_bin:"):
        return f"rules that were seen {score[10:]} times or a few less"
    return _TABLE.get(score, "")


def _reordering(parts: list[str]) -> str:
    if len(parts) != 3 or parts[2] not in _CLASSES:
        return "where phrases go (log)"
    other = "before" if parts[1] == "previous" else "behind"
    if parts[2] in ("monotone", "swap"):
        towards = "as" if parts[2] == "monotone" else "than"
        return f"phrases {_CLASSES[parts[2]]} {towards} those {other} them (log)"
    return f"phrases {_CLASSES[parts[2]]} from those {other} them (log)"
