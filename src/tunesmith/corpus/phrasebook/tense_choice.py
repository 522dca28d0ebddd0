"""Which tense a clause has, and how English puts it."""

from tunesmith.corpus.phrasebook.lexicon import Frame
from tunesmith.corpus.phrasebook.phrases import Chance
from tunesmith.corpus.phrasebook.pronouns import THOU, YOU
from tunesmith.corpus.phrasebook.urn import Urn

# "planned" is a present that means the future, "since" one that has lasted, "gern" liking to,
# "plain" a present without progressive, "told" a perfect that English tells in the past.
TENSES = Urn(
    [
        "present",
        "perfect",
        "preterite",
        "modal",
        "future",
        "modal_past",
        "planned",
        "pluperfect",
        "conditional",
        "since",
        "gern",
    ],
    [0.33, 0.23, 0.13, 0.12, 0.05, 0.04, 0.04, 0.015, 0.015, 0.015, 0.025],
)
PAST = Urn(["told", "preterite", "modal_past"], [0.55, 0.35, 0.1])
PRESENT = Urn(["present", "modal", "future", "planned"], [0.6, 0.25, 0.1, 0.05])
PLAIN = Urn(["plain", "modal"], [0.8, 0.2])
PLUPERFECT = Urn(["pluperfect"])
IMPERATIVE = Urn(["order"])
CONDITIONAL = Urn(["conditional"])

# Tense → English styles of actions, and the adverbials of time that fit each.
_STYLES = {
    "present": Urn([("simple", "habit"), ("progressive", "now")], [0.55, 0.45]),
    "plain": Urn([("simple", "present")]),
    "order": Urn([("simple", "future")]),
    "perfect": Urn([("past", "past"), ("perfect", "")], [0.84, 0.16]),
    "told": Urn([("past", "past")]),
    "preterite": Urn([("past", "past"), ("past_progressive", "past")], [0.93, 0.07]),
    "pluperfect": Urn([("past_perfect", "")]),
    "future": Urn([("will", "future"), ("going", "future")], [0.75, 0.25]),
    "planned": Urn([("will", "future"), ("progressive", "future"), ("going", "future")], [5, 3, 2]),
    "conditional": Urn([("would", "future")]),
    "since": Urn([("perfect", ""), ("perfect_progressive", "")], [0.4, 0.6]),
    "modal": Urn([("modal", "future"), ("modal", "present")]),
    "modal_past": Urn([("modal", "past")]),
    "gern": Urn([("simple", "habit")]),
}
_STATIVE = {
    "present": ("simple", "present"),
    "preterite": ("past", "past"),
    "since": ("perfect", ""),
    "planned": ("will", "future"),
    "perfect": ("past", "past"),
}
# What German has where English distinguishes.
GERMAN_TENSE = {
    "planned": "present",
    "since": "present",
    "gern": "present",
    "plain": "present",
    "order": "present",
    "told": "perfect",
}


def choose(chance: Chance, frame: Frame, tense: str, person: int) -> tuple[str, str, str]:
    """Tense, English style and kind of time adverbial; mends what nobody would say."""
    stative = "st" in frame.flags
    lasts = not ("sein" in frame.flags or frame.fixed)
    liked = not (stative or frame.fixed)
    if (tense == "since" and not lasts) or (tense == "gern" and not liked):
        tense = "present"
    elif tense == "preterite" and person in {THOU, YOU}:
        tense = "told"
    if tense in {"perfect", "told"} and frame.verb.infinitive in {"sein", "haben"}:
        tense = "preterite"
    if stative and tense in _STATIVE:
        style, when = _STATIVE[tense]
    else:
        style, when = chance.pick(_STYLES[tense])
    return tense, style, when
