"""What a number in an n-best list means: base of its logarithm, division by the length.

Scores can be compared and combined only by who knows this, so it travels with the features.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

LOG_BASES = ("e", "10", "2")


@dataclass(frozen=True)
class FeatureInfo:
    """What is known of a feature."""

    log_base: str | None = None
    """``"e"``, ``"10"`` or ``"2"``; None if it is no logarithm, or not known to be one."""
    length_normalised: bool = False
    """Divided by the length of the hypothesis."""


# Per dialect: names (as a pattern of the whole name) and what its system writes there.
_KNOWN: dict[str, tuple[tuple[str, FeatureInfo], ...]] = {
    # Moses turns ARPA's log10 into natural logarithms.
    "moses": ((r"(LM|TranslationModel|LexicalReordering|PhraseDictionary)\w*", FeatureInfo("e")),),
    "marian": ((r"F\d+", FeatureInfo("e")),),
    # cdec takes grammar costs and language models as −log10 and log10.
    "cdec": ((r"LanguageModel\d*|EgivenF\w*|FgivenE\w*|MaxLex\w+", FeatureInfo("10")),),
    # fairseq prints base 2; H- lines are divided by the length, P- lines (summed) are not.
    "fairseq": (
        ("score", FeatureInfo("2", length_normalised=True)),
        ("logprob", FeatureInfo("2")),
    ),
    "sockeye": ((r"score(_\d+)?", FeatureInfo("e", length_normalised=True)),),
    "ctranslate2": ((r"score", FeatureInfo("e", length_normalised=True)),),
    "huggingface": ((r"score", FeatureInfo("e", length_normalised=True)),),
}


def known_features(dialect: str, names: Iterable[str]) -> dict[str, FeatureInfo]:
    """What a dialect's system is known to mean by the names it gives.

    >>> known_features("cdec", ["LanguageModel", "Glue"])
    {'LanguageModel': FeatureInfo(log_base='10', length_normalised=False)}
    """
    patterns = [(re.compile(pattern), info) for pattern, info in _KNOWN.get(dialect, ())]
    found = {}
    for name in names if patterns else ():
        for pattern, info in patterns:
            if pattern.fullmatch(name):
                found[name] = info
                break
    return found
