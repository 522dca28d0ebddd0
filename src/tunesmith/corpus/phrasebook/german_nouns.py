"""German declension: nouns, articles, adjectives.

Cases count nominative, accusative, dative, genitive = 0…3; genders masculine, feminine, neuter,
plural = 0…3 (the plural has no gender, so it takes the fourth place).
"""

NOMINATIVE, ACCUSATIVE, DATIVE, GENITIVE = range(4)
MASCULINE, FEMININE, NEUTER, PLURAL = range(4)
GENDERS = {"m": MASCULINE, "w": MASCULINE, "f": FEMININE, "n": NEUTER, "p": PLURAL}

_VOWELS = "aeiouyäöüé"

DEFINITE = (
    ("der", "die", "das", "die"),
    ("den", "die", "das", "die"),
    ("dem", "der", "dem", "den"),
    ("des", "der", "des", "der"),
)
RELATIVE = (
    ("der", "die", "das", "die"),
    ("den", "die", "das", "die"),
    ("dem", "der", "dem", "denen"),
    ("dessen", "deren", "dessen", "deren"),
)
# Endings of dieser, jeder, welcher; they are the strong endings of the adjective but for the
# genitive, where an adjective has -en (guten Mutes, dieses Mutes).
_DER_ENDINGS = (
    ("er", "e", "es", "e"),
    ("en", "e", "es", "e"),
    ("em", "er", "em", "en"),
    ("es", "er", "es", "er"),
)
_EIN_ENDINGS = (("", "e", "", "e"), ("en", "e", "", "e"), *_DER_ENDINGS[2:])
# Adjectives after der, after ein, and without article.
WEAK = (("e", "e", "e", "en"), ("en", "e", "e", "en"), ("en",) * 4, ("en",) * 4)
MIXED = (("er", "e", "es", "en"), ("en", "e", "es", "en"), ("en",) * 4, ("en",) * 4)
STRONG = (*_DER_ENDINGS[:3], ("en", "er", "en", "er"))

CONTRACTIONS = {
    ("in", "dem"): "im",
    ("in", "das"): "ins",
    ("an", "dem"): "am",
    ("an", "das"): "ans",
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
    ("bei", "dem"): "beim",
    ("von", "dem"): "vom",
}

Forms = tuple[tuple[str, ...], ...]


def der_word(stem: str) -> Forms:
    """All forms of a determiner that is declined like *dieser*.

    >>> der_word("dies")[DATIVE][FEMININE]
    'dieser'
    """
    return tuple(tuple(stem + ending for ending in row) for row in _DER_ENDINGS)


def ein_word(stem: str) -> Forms:
    """All forms of a determiner that is declined like *mein*.

    >>> ein_word("euer")[ACCUSATIVE][MASCULINE]
    'euren'
    """
    shorter = "eur" if stem == "euer" else stem
    return tuple(
        tuple(shorter + ending if ending else stem for ending in row) for row in _EIN_ENDINGS
    )


def adjective_stem(word: str) -> str:
    """The form that endings are added to.

    >>> [adjective_stem(word) for word in ("hoch", "teuer", "dunkel", "müde", "klein")]
    ['hoh', 'teur', 'dunkl', 'müd', 'klein']
    """
    if word == "hoch":
        return "hoh"
    if word.endswith("el") or (word.endswith("er") and word[-3] in "u"):
        return word[:-2] + word[-1]
    return word.removesuffix("e")


def comparative(word: str) -> str:
    """The regular comparative; umlaut and suppletion are the lexicon's to say."""
    return adjective_stem(word) + "er"


def superlative_stem(word: str) -> str:
    """The stem of the regular superlative: *am schönsten*, *am lautesten*."""
    word = word.removesuffix("e")
    sharp = word.endswith(("t", "d", "s", "ß", "z", "sch", "x", "eu", "au"))
    sharp = sharp and not word.endswith(("end", "isch"))
    return word + ("est" if sharp else "st")


def _syllables(word: str) -> int:
    lower = word.lower().replace("ie", "i").replace("ei", "e").replace("au", "a")
    lower = lower.replace("eu", "e").replace("äu", "e").replace("aa", "a").replace("ee", "e")
    return sum(letter in _VOWELS for letter in lower)


def genitive(singular: str) -> str:
    """The genitive of a strong masculine or neuter.

    >>> [genitive(noun) for noun in ("Haus", "Mann", "Lehrer", "Zeugnis", "Auto", "Bus")]
    ['Hauses', 'Mannes', 'Lehrers', 'Zeugnisses', 'Autos', 'Busses']
    """
    if singular.endswith("nis") or singular == "Bus":
        return singular + "ses"
    if singular.endswith(("s", "ß", "x", "z", "tz")):
        return singular + "es"
    foreign = singular in {"Park", "Chef", "Schal", "Team", "Test", "Film", "Streik"}
    if _syllables(singular) == 1 and singular[-1].lower() not in _VOWELS + "h" and not foreign:
        return singular + "es"
    if singular.endswith("sch"):
        return singular + "es"
    return singular + "s"


def decline(
    gender: str, singular: str, plural: str, *, genitive_form: str = "", oblique: str = ""
) -> tuple[str, ...]:
    """Eight forms: singular nominative … genitive, plural nominative … genitive.

    `gender` is m, f, n, p (plural only) or w (weak masculine: *den Studenten*).
    A missing number is ``"-"`` and gives empty strings.

    >>> decline("n", "Kind", "Kinder")
    ('Kind', 'Kind', 'Kind', 'Kindes', 'Kinder', 'Kinder', 'Kindern', 'Kinder')
    >>> decline("w", "Junge", "Jungen")[:4]
    ('Junge', 'Jungen', 'Jungen', 'Jungen')
    """
    if singular == "-":
        ones = ("",) * 4
    elif gender == "w":
        form = oblique or plural
        ones = (singular, form, form, genitive_form or form)
    elif gender == "f":
        ones = (singular,) * 4
    else:
        ones = (singular,) * 3 + (genitive_form or genitive(singular),)
    if plural == "-":
        return ones + ("",) * 4
    dative = plural + "n" if plural.endswith(("e", "l", "r")) else plural
    return (*ones, plural, plural, dative, plural)
