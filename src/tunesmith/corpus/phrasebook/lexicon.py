"""The lexicon: data files → inflected entries, by section and by class."""

from dataclasses import dataclass, field
from functools import cache

from tunesmith.corpus.phrasebook import english_words as english
from tunesmith.corpus.phrasebook import german_nouns as german
from tunesmith.corpus.phrasebook.german_verbs import GermanVerb
from tunesmith.corpus.phrasebook.german_verbs import conjugate as conjugate_german
from tunesmith.corpus.phrasebook.tables import rows, sections
from tunesmith.corpus.phrasebook.urn import Urn

# How often the first of several translations is taken.
_FIRST_SHARE = 0.7

_NOUN_FILES = ("nouns_living.txt", "nouns_things.txt", "nouns_places.txt", "nouns_abstract.txt")
_VERB_FILES = ("verbs_transitive.txt", "verbs_other.txt", "idioms.txt", "verbs_clause.txt")


def _shares(count: int) -> list[float]:
    if count == 1:
        return [1.0]
    return [_FIRST_SHARE] + [(1 - _FIRST_SHARE) / (count - 1)] * (count - 1)


@dataclass(frozen=True, slots=True)
class EnglishNoun:
    """One translation of a noun: words of the singular and of the plural."""

    singular: tuple[str, ...]
    plural: tuple[str, ...]
    article: str  # "a", "an"; "" where the noun is not counted
    always_plural: bool
    uncounted: bool


def english_noun(text: str) -> EnglishNoun:
    """Read ``dog``, ``man=men``, ``~trousers`` (plural only) or ``!advice`` (not counted)."""
    if text[0] in "~!":
        words = tuple(text[1:].split())
        return EnglishNoun(words, words, "", text[0] == "~", text[0] == "!")
    one, _, many = text.partition("=")
    words = tuple(one.split())
    plural = tuple(many.split()) if many else (*words[:-1], english.plural(words[-1]))
    return EnglishNoun(words, plural, english.article(one), False, False)


@dataclass(frozen=True, slots=True)
class PlacePrepositions:
    """How one is at a place and goes there: *auf dem Markt* at, *auf den Markt* to."""

    at: str
    at_english: str
    to: str
    to_english: str


def _place(text: str) -> PlacePrepositions:
    there, _, thither = text.lstrip("@").partition(">")
    return PlacePrepositions(*there.split("/"), *thither.split("/"))


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun with all forms; `forms` as from `german_nouns.decline`."""

    lemma: str
    section: str
    gender: int
    forms: tuple[str, ...]
    english: Urn[EnglishNoun]
    place: PlacePrepositions | None = None
    # English pronoun where the grammatical gender would mislead (das Mädchen: she).
    she: bool = False
    # A relative: usually somebody's (meine Mutter).
    relative: bool = False
    mass: bool = False
    # There is but one: *die Sonne*, *die Polizei*.
    unique: bool = False

    @property
    def has_singular(self) -> bool:
        """Whether the noun has a singular."""
        return bool(self.forms[0])

    @property
    def has_plural(self) -> bool:
        """Whether the noun is counted in German and in English."""
        return bool(self.forms[4]) and not self.mass


def _noun(section: str, options: str, line: str) -> Noun:
    left, _, flags_text = line.partition(";")
    gender, singular, plural, translations = left.split(None, 3)
    flags = flags_text.split()
    keyed = dict(flag.split("=") for flag in flags if "=" in flag)
    places = [flag for flag in [*flags, options] if flag.startswith("@")]
    variants = [english_noun(text.strip()) for text in translations.split(" / ")]
    return Noun(
        lemma=singular if singular != "-" else plural,
        section=section,
        gender=german.GENDERS[gender],
        forms=german.decline(
            gender,
            singular,
            plural,
            genitive_form=keyed.get("gen", ""),
            oblique=keyed.get("obl", ""),
        ),
        english=Urn(variants, _shares(len(variants))),
        place=_place(places[0]) if places else None,
        she="she" in flags,
        relative="rel" in flags,
        mass=plural == "-" or "mass" in flags,
        unique="def" in flags,
    )


@dataclass(frozen=True, slots=True)
class EnglishAdjective:
    """One translation of an adjective with its degrees; *more interesting* has two words."""

    word: str
    comparative: tuple[str, ...]
    superlative: tuple[str, ...]
    article: str


def _english_adjective(text: str) -> EnglishAdjective:
    word, *degrees = text.split()
    higher: tuple[str, ...]
    highest: tuple[str, ...]
    if degrees == ["more", "most"]:
        higher, highest = ("more", word), ("most", word)
    elif degrees:
        higher, highest = (degrees[0],), (degrees[1],)
    else:
        one, two = english.compare(word)
        higher, highest = (one,), (two,)
    return EnglishAdjective(word, higher, highest, english.article(word))


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective with its stems; endings are added by the noun phrase."""

    lemma: str
    stem: str
    comparative: str  # "" where it is not compared
    superlative: str  # stem: add "en" for the predicate
    english: Urn[EnglishAdjective]
    classes: tuple[str, ...]
    attributive_only: bool
    needs_owner: bool


def _adjective(line: str) -> Adjective:
    parts = [part.strip() for part in line.split(";")]
    word, *degrees = parts[0].split()
    if degrees == ["-"]:
        higher = highest = ""
    elif degrees:
        higher, highest = degrees
    else:
        higher, highest = german.comparative(word), german.superlative_stem(word)
    variants = [_english_adjective(text.strip()) for text in parts[1].split(" / ")]
    flag = parts[3] if len(parts) > 3 else ""
    return Adjective(
        word,
        german.adjective_stem(word),
        higher,
        highest,
        Urn(variants, _shares(len(variants))),
        tuple(parts[2].split()),
        flag in {"attr", "poss"},
        flag == "poss",
    )


@dataclass(frozen=True, slots=True)
class PrepositionalObject:
    """What a verb governs by a preposition: *warten auf* + accusative, *wait for*."""

    german: str
    case: int
    nouns: str
    english: Urn[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Frame:
    """One sense of a verb: forms, who does it to whom, and the translation."""

    section: str
    verb: GermanVerb
    english: Urn[english.EnglishVerb]
    subject: str
    accusative: str = ""
    dative: str = ""
    prepositional: PrepositionalObject | None = None
    needs: str = ""  # "loc", "dir" or "city"
    fixed: tuple[str, ...] = ()
    negated: tuple[str, ...] = ()  # takes the place of `fixed` and of *nicht*
    reflexive: bool = False
    flags: frozenset[str] = field(default_factory=frozenset)

    @property
    def animate(self) -> bool:
        """Whether people or animals are the subject."""
        return not _ANIMATE.isdisjoint(self.subject.split(","))


_ANIMATE = frozenset({"who", "person", "worker", "living", "animal", "officer", "medic", "wir"})
CASES = {"A": german.ACCUSATIVE, "D": german.DATIVE}


def _frame(section: str, line: str) -> Frame:
    fields = [part.strip() for part in line.split(";")]
    infinitive, translations, subject, arguments, flags_text = (*fields, "", "")[:5]
    flags = frozenset(flags_text.split())
    reflexive = infinitive.startswith("sich ")
    auxiliary = "s" if "sein" in flags else "h" if "haben" in flags or reflexive else ""
    verb = conjugate_german(
        infinitive.removeprefix("sich "), auxiliary=auxiliary, weak="weak" in flags
    )
    variants = [english.conjugate(text.strip()) for text in translations.split(" / ")]
    accusative = dative = needs = ""
    fixed: tuple[str, ...] = ()
    negated: tuple[str, ...] = ()
    prepositional = None
    for argument in arguments.split():
        if argument.startswith("A:"):
            accusative = argument[2:]
        elif argument.startswith("D:"):
            dative = argument[2:]
        elif argument.startswith("fix:"):
            fixed = tuple(argument[4:].split("_"))
            if fixed[0].startswith("ein"):
                negated = ("k" + fixed[0], *fixed[1:])
        elif argument.startswith("neg:"):
            negated = tuple(argument[4:].split("_"))
        elif argument in {"loc", "dir", "city"}:
            needs = argument
        else:
            governed, _, prepositions = argument.partition("=")
            governor, _, nouns = governed.partition(":")
            word, _, case = governor.partition("+")
            choices = [tuple(choice.split("_")) for choice in prepositions.split("/")]
            choices = [choice if choice != ("",) else () for choice in choices]
            prepositional = PrepositionalObject(
                word, CASES[case], nouns, Urn(choices, _shares(len(choices)))
            )
    return Frame(
        section,
        verb,
        Urn(variants, _shares(len(variants))),
        subject,
        accusative,
        dative,
        prepositional,
        needs,
        fixed,
        negated,
        reflexive,
        flags,
    )


@dataclass(frozen=True)
class Lexicon:
    """Everything that the data files say about nouns, adjectives and verbs."""

    nouns: dict[str, list[Noun]]  # by section
    classes: dict[str, list[str]]  # unions: sections and lemmas
    adjectives: list[Adjective]
    frames: list[Frame]
    section_weights: dict[str, float]

    def members(self, classes: str) -> list[Noun]:
        """The nouns of comma-separated sections, unions and lemmas (``Bank.furniture``)."""
        found: dict[int, Noun] = {}
        for name in classes.split(","):
            for noun in self._resolve(name):
                found.setdefault(id(noun), noun)
        return list(found.values())

    def _resolve(self, name: str) -> list[Noun]:
        if name in self.nouns:
            return self.nouns[name]
        if name in self.classes:
            return [noun for part in self.classes[name] for noun in self._resolve(part)]
        lemma, _, section = name.partition(".")
        pool = [self.nouns[section]] if section else list(self.nouns.values())
        hits = [noun for nouns in pool for noun in nouns if noun.lemma == lemma]
        if not hits:
            raise KeyError(f"the phrasebook has no noun or class {name!r}")
        return hits[:1]


@cache
def lexicon() -> Lexicon:
    """Read the data files, once."""
    nouns: dict[str, list[Noun]] = {}
    for name in _NOUN_FILES:
        for section, options, line in sections(name):
            nouns.setdefault(section, []).append(_noun(section, options, line))
    classes = {}
    for line in rows("classes.txt"):
        name, _, members = line.partition("=")
        classes[name.strip()] = members.split()
    frames, weights = [], {}
    for name in _VERB_FILES:
        for section, options, line in sections(name):
            weights[section] = float(options.removeprefix("weight="))
            frames.append(_frame(section, line))
    adjectives = [_adjective(line) for line in rows("adjectives.txt")]
    return Lexicon(nouns, classes, adjectives, frames, weights)
