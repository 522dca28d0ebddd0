"""What a number in an n-best list means: base of its logarithm, division by the length.

Scores can be compared and combined only by who knows this, so it travels with the features.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json

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


def header_line(dense: Iterable[str], info: Mapping[str, FeatureInfo]) -> str:
    """The first line of a list in our own schema: its dense features and what is known of all."""
    features: dict[str, dict[str, object]] = {name: {"dense": True} for name in dense}
    for name, known in info.items():
        entry = features.setdefault(name, {})
        if known.log_base is not None:
            entry["log_base"] = known.log_base
        if known.length_normalised:
            entry["length_normalised"] = True
    header = {"tunesmith": "nbest", "version": 1, "features": features}
    return json.dumps(header, ensure_ascii=False)


def read_header(path: object, line: str) -> dict[str, FeatureInfo]:
    """What such a line says of the features; nothing if it is empty."""
    found: dict[str, FeatureInfo] = {}
    for name, entry in (parse_json(line).get("features") or {}).items() if line else ():
        if not isinstance(entry, dict):
            raise InputError(path, 1, f"{entry!r} as description of feature '{name}'", "an object")
        unknown = [key for key in entry if key not in ("dense", "log_base", "length_normalised")]
        if unknown:
            raise InputError(
                path, 1, f"key '{unknown[0]}' of feature '{name}'",
                "one of: dense, log_base, length_normalised",
            )  # fmt: skip
        base = entry.get("log_base")
        if base is not None and base not in LOG_BASES:
            raise InputError(
                path, 1, f"log_base {base!r} of feature '{name}'", f"one of: {', '.join(LOG_BASES)}"
            )
        for key in ("dense", "length_normalised"):
            if not isinstance(entry.get(key, False), bool):
                raise InputError(
                    path, 1, f"{key} {entry[key]!r} of feature '{name}'", "true or false"
                )
        known = FeatureInfo(base, entry.get("length_normalised", False))
        if known != FeatureInfo():
            found[name] = known
    return found
