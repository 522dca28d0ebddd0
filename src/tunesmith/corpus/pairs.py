"""Which brackets and quotes of a sentence belong together."""

from collections.abc import Sequence

_BRACKETS = {"(": ")", "[": "]", "{": "}", "（": "）", "［": "］", "【": "】", "〈": "〉",
             "《": "》", "「": "」", "『": "』", "〔": "〕", "⟨": "⟩"}  # fmt: skip
# Opening quotes and what closes each, over all languages: „Das“, “That”, »So«, «Ainsi», ”Ja”.
_QUOTES = {
    '"': '"', "``": "''", "“": "”", "„": "“”", "‟": "”", "”": "”", "«": "»", "»": "«»",
    "‘": "’", "‚": "‘’", "‹": "›", "›": "‹",
}  # fmt: skip
_CLOSES = {**_BRACKETS, **_QUOTES}
_MARKS = frozenset("".join(_CLOSES) + "".join(_CLOSES.values())) | {"``", "''"}


def mark_pairs(words: Sequence[str]) -> list[tuple[int, int]]:
    """The places of brackets and quotes that enclose something, outer pairs before inner ones.

    Pairs do not cross; a mark without a partner is in none of them.

    >>> mark_pairs("er ( der „ Chef “ ) sagt )".split())
    [(1, 6), (3, 5)]
    """
    if _MARKS.isdisjoint(words):
        return []
    waiting: list[tuple[int, str]] = []
    pairs: list[tuple[int, int]] = []
    for place, word in enumerate(words):
        if word not in _MARKS:
            continue
        depth = next(
            (n for n, (_, closing) in enumerate(reversed(waiting), 1) if word in closing), 0
        )
        if depth:
            opening, _ = waiting[-depth]
            del waiting[-depth:]
            pairs.append((opening, place))
        elif word in _CLOSES:
            waiting.append((place, _CLOSES[word]))
    return sorted(pair for pair in pairs if pair[1] - pair[0] > 1)
