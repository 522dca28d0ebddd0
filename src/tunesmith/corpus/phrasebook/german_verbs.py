"""German conjugation: weak, strong and mixed verbs, separable and inseparable prefixes.

Persons count ich, du, er, wir, ihr, sie = 0…5.
"""

from dataclasses import dataclass

from tunesmith.corpus.phrasebook.tables import rows

ICH, DU, ER, WIR, IHR, SIE = range(6)

# Prefixes that are never separated and take the place of ge- in the participle.
_INSEPARABLE = ("be", "emp", "ent", "er", "ge", "miss", "ver", "zer")
# Weak verbs that only look as if they had such a prefix.
_NOT_PREFIXED = {"bellen", "beten", "erben", "ernten", "enden"}

_IRREGULAR_PRESENT = {
    "sein": ("bin", "bist", "ist", "sind", "seid", "sind"),
    "haben": ("habe", "hast", "hat", "haben", "habt", "haben"),
    "werden": ("werde", "wirst", "wird", "werden", "werdet", "werden"),
    "wissen": ("weiß", "weißt", "weiß", "wissen", "wisst", "wissen"),
    "tun": ("tue", "tust", "tut", "tun", "tut", "tun"),
    "können": ("kann", "kannst", "kann", "können", "könnt", "können"),
    "müssen": ("muss", "musst", "muss", "müssen", "müsst", "müssen"),
    "wollen": ("will", "willst", "will", "wollen", "wollt", "wollen"),
    "sollen": ("soll", "sollst", "soll", "sollen", "sollt", "sollen"),
    "dürfen": ("darf", "darfst", "darf", "dürfen", "dürft", "dürfen"),
    "mögen": ("mag", "magst", "mag", "mögen", "mögt", "mögen"),
    "möchten": ("möchte", "möchtest", "möchte", "möchten", "möchtet", "möchten"),
}
_IRREGULAR_PAST = {  # preterite of the first person, participle, auxiliary
    "sein": ("war", "gewesen", "s"),
    "haben": ("hatte", "gehabt", "h"),
    "werden": ("wurde", "geworden", "s"),
    "können": ("konnte", "gekonnt", "h"),
    "müssen": ("musste", "gemusst", "h"),
    "wollen": ("wollte", "gewollt", "h"),
    "sollen": ("sollte", "gesollt", "h"),
    "dürfen": ("durfte", "gedurft", "h"),
    "mögen": ("mochte", "gemocht", "h"),
    "möchten": ("wollte", "gewollt", "h"),
}
SUBJUNCTIVE = {
    "sein": ("wäre", "wärst", "wäre", "wären", "wärt", "wären"),
    "haben": ("hätte", "hättest", "hätte", "hätten", "hättet", "hätten"),
    "werden": ("würde", "würdest", "würde", "würden", "würdet", "würden"),
    "können": ("könnte", "könntest", "könnte", "könnten", "könntet", "könnten"),
}


@dataclass(frozen=True, slots=True)
class GermanVerb:
    """All forms that the grammar needs; finite forms are without the separable prefix."""

    infinitive: str
    prefix: str
    present: tuple[str, ...]
    preterite: tuple[str, ...]
    participle: str
    zu_infinitive: str
    imperative: str
    takes_sein: bool


def _strong_table() -> dict[str, tuple[str, str, str, str]]:
    table = {}
    for row in rows("strong_verbs.txt"):
        infinitive, present, past, participle, *auxiliary = row.split()
        table[infinitive] = (present, past, participle, auxiliary[0] if auxiliary else "h")
    return table


_STRONG = _strong_table()


def _stem(infinitive: str) -> str:
    return infinitive[:-2] if infinitive.endswith("en") else infinitive[:-1]


def _needs_e(stem: str) -> bool:
    """Whether an -e- goes between stem and ending: *arbeitet*, *öffnet*, but *lernt*, *kommt*."""
    if stem.endswith(("t", "d")):
        return True
    if not stem.endswith(("m", "n")) or len(stem) < 2:
        return False
    before = stem[-2]
    return before not in "aeiouäöürlhmn" or stem.endswith(("chn", "thm"))


def _regular_present(infinitive: str) -> tuple[str, ...]:
    stem = _stem(infinitive)
    link = "e" if _needs_e(stem) else ""
    first = stem + "e"
    if infinitive.endswith("eln"):
        first = stem[:-2] + "le"
    second = stem + ("t" if stem.endswith(("s", "ß", "z", "x")) else link + "st")
    return (first, second, stem + link + "t", infinitive, stem + link + "t", infinitive)


def _strong_present(infinitive: str, third: str) -> tuple[str, ...]:
    first, second, _, we, you, they = _regular_present(infinitive)
    if _stem(infinitive).endswith("t"):
        second = third + "st"
    else:
        base = third.removesuffix("t")
        second = base + ("t" if base.endswith(("s", "ß", "z")) else "st")
    return (first, second, third, we, you, they)


def _preterite(first: str) -> tuple[str, ...]:
    if first.endswith("e"):
        return (first, first + "st", first, first + "n", first + "t", first + "n")
    second = first + ("est" if first.endswith(("t", "d", "s", "ß", "z")) else "st")
    fifth = first + ("et" if first.endswith(("t", "d")) else "t")
    return (first, second, first, first + "en", fifth, first + "en")


def _inseparable_base(infinitive: str) -> tuple[str, str]:
    """Split *verstehen* into *ver* and *stehen*; the prefix is empty where there is none."""
    if infinitive in _NOT_PREFIXED or infinitive in _STRONG:
        return "", infinitive
    for prefix in _INSEPARABLE:
        rest = infinitive.removeprefix(prefix)
        if rest != infinitive and len(rest) > 3:
            return prefix, rest
    return "", infinitive


def conjugate(word: str, *, auxiliary: str = "", weak: bool = False) -> GermanVerb:
    """Conjugate a verb in the lexicon's notation: ``an|fangen``, ``über_setzen``, ``kaufen``.

    `auxiliary` ("s" or "h") overrules what the verb's base would take; `weak` overrules the table
    of strong verbs (*erschrecken* is both).

    >>> verb = conjugate("an|fangen")
    >>> verb.present[ER], verb.prefix, verb.participle, verb.zu_infinitive
    ('fängt', 'an', 'angefangen', 'anzufangen')
    >>> conjugate("über_setzen").participle
    'übersetzt'
    """
    separable, _, rest = word.rpartition("|")
    inseparable, _, base = rest.rpartition("_")
    automatic = ""
    if not inseparable:
        automatic, base = _inseparable_base(base)
    fused = inseparable or automatic
    present, past, participle, takes = _parts(base, weak)
    if fused:
        present = tuple(fused + form for form in present)
        past = tuple(fused + form for form in past)
        participle = fused + participle.removeprefix("ge")
        takes = "h"
    simple = fused + base
    return GermanVerb(
        infinitive=separable + simple,
        prefix=separable,
        present=present,
        preterite=past,
        participle=separable + participle,
        zu_infinitive=f"{separable}zu{simple}" if separable else f"zu {simple}",
        imperative=fused + _imperative(base, weak),
        takes_sein=(auxiliary or takes) == "s",
    )


def _imperative(base: str, weak: bool) -> str:
    """What one says to *du*: *gib*, *lies*, *fahr*, *warte*, *öffne*."""
    if base == "sein":
        return "sei"
    stem = _stem(base)
    third = "-" if weak or base not in _STRONG else _STRONG[base][0]
    if "i" in third and "i" not in stem:
        return third if stem.endswith("t") else third.removesuffix("t")
    if _needs_e(stem) or base.endswith(("eln", "ern", "igen")):
        return _regular_present(base)[ICH]
    return stem


def _parts(base: str, weak: bool) -> tuple[tuple[str, ...], tuple[str, ...], str, str]:
    """Present, preterite, participle and auxiliary of a verb without prefixes."""
    if base in _IRREGULAR_PRESENT and base not in _STRONG:
        first, participle, takes = _IRREGULAR_PAST[base]
        return _IRREGULAR_PRESENT[base], _preterite(first), participle, takes
    if base in _STRONG and not weak:
        third, first, participle, takes = _STRONG[base]
        present: tuple[str, ...]
        if base in _IRREGULAR_PRESENT:
            present = _IRREGULAR_PRESENT[base]
        elif third == "-":
            present = _regular_present(base)
        else:
            present = _strong_present(base, third)
        return present, _preterite(first), participle, takes
    stem = _stem(base)
    link = "e" if _needs_e(stem) else ""
    past = _preterite(stem + link + "te")
    start = "" if base.endswith("ieren") else "ge"
    return _regular_present(base), past, start + stem + link + "t", "h"
