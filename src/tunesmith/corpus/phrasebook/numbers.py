"""Numbers in words and digits, clock times, dates, prices."""

from tunesmith.corpus.phrasebook.phrases import COMMA, Chance, Phrase, aligned
from tunesmith.corpus.phrasebook.urn import Urn

_GERMAN_ONES = [
    "null",
    "eins",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
]
_GERMAN_TENS = [
    "-",
    "-",
    "zwanzig",
    "dreißig",
    "vierzig",
    "fünfzig",
    "sechzig",
    "siebzig",
    "achtzig",
    "neunzig",
]
_ENGLISH_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_ENGLISH_TENS = [
    "-",
    "-",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
]

_MONTHS = (
    ("Januar", "January"),
    ("Februar", "February"),
    ("März", "March"),
    ("April", "April"),
    ("Mai", "May"),
    ("Juni", "June"),
    ("Juli", "July"),
    ("August", "August"),
    ("September", "September"),
    ("Oktober", "October"),
    ("November", "November"),
    ("Dezember", "December"),
)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_WEEKDAYS = (
    ("Montag", "Monday"),
    ("Dienstag", "Tuesday"),
    ("Mittwoch", "Wednesday"),
    ("Donnerstag", "Thursday"),
    ("Freitag", "Friday"),
    ("Samstag", "Saturday"),
    ("Sonntag", "Sunday"),
)
_SEASONS = (
    ("Frühling", "spring"),
    ("Sommer", "summer"),
    ("Herbst", "autumn"),
    ("Winter", "winter"),
)
# German plural in the dative, English singular and plural.
_SPANS = Urn(
    [
        ("Tag", "Tagen", "Tage", "day", "einem"),
        ("Woche", "Wochen", "Wochen", "week", "einer"),
        ("Jahr", "Jahren", "Jahre", "year", "einem"),
        ("Monat", "Monaten", "Monate", "month", "einem"),
        ("Stunde", "Stunden", "Stunden", "hour", "einer"),
        ("Minute", "Minuten", "Minuten", "minute", "einer"),
    ],
    [0.25, 0.2, 0.27, 0.14, 0.09, 0.05],
)


def german_number(number: int) -> str:
    """A number below 1000 in German words.

    >>> german_number(21), german_number(317), german_number(100)
    ('einundzwanzig', 'dreihundertsiebzehn', 'hundert')
    """
    if number >= 100:
        hundreds, rest = divmod(number, 100)
        start = ("" if hundreds == 1 else _GERMAN_ONES[hundreds]) + "hundert"
        return start + (german_number(rest) if rest else "")
    if number < 20:
        return _GERMAN_ONES[number]
    tens, ones = divmod(number, 10)
    if not ones:
        return _GERMAN_TENS[tens]
    return ("ein" if ones == 1 else _GERMAN_ONES[ones]) + "und" + _GERMAN_TENS[tens]


def english_number(number: int) -> str:
    """A number below 1000 in English words.

    >>> english_number(21), english_number(317)
    ('twenty-one', 'three hundred and seventeen')
    """
    if number >= 100:
        hundreds, rest = divmod(number, 100)
        start = ("a" if hundreds == 1 else _ENGLISH_ONES[hundreds]) + " hundred"
        return start + (f" and {english_number(rest)}" if rest else "")
    if number < 20:
        return _ENGLISH_ONES[number]
    tens, ones = divmod(number, 10)
    return _ENGLISH_TENS[tens] + (f"-{_ENGLISH_ONES[ones]}" if ones else "")


def number_phrase(chance: Chance, number: int) -> Phrase:
    """A number in words or, if large or by chance, in digits."""
    if number > 100 or chance.random() < 0.3:
        return aligned(chance, (grouped(number, "."),), (grouped(number, ","),))
    return aligned(chance, (german_number(number),), tuple(english_number(number).split()))


def grouped(number: int, separator: str) -> str:
    """Digits in groups of three: 12.500 in German, 12,500 in English."""
    return f"{number:,}".replace(",", separator) if number >= 10000 else str(number)


def clock(chance: Chance) -> Phrase:
    """*um halb acht* – *at half past seven*, *um 19.30 Uhr* – *at 7.30 pm*."""
    random = chance.random
    hour = 1 + int(random() * 12)
    roll = random()
    if roll < 0.35:
        german, english = german_number(hour), english_number(hour)
        if hour == 1:
            german = "ein"
        if random() < 0.4:
            german = english = str(hour)
        phrase = aligned(chance, ("um", german, "Uhr"), ("at", english, "o'clock"))
        # Moses' tokeniser splits the apostrophe off.
        group = phrase.english[2][1]
        phrase.english[2:] = [("o", group), ("'clock", group)]
        return phrase
    if roll < 0.55:
        return _spoken(
            chance,
            (
                ("um", "at"),
                ("halb", "half past"),
                (german_number(hour % 12 + 1), english_number(hour)),
            ),
        )
    if roll < 0.75:
        word, translation = ("nach", "past") if random() < 0.5 else ("vor", "to")
        last = (german_number(hour), english_number(hour))
        return _spoken(chance, (("um", "at"), ("Viertel", "a quarter"), (word, translation), last))
    day = int(random() * 24)
    minute = int(random() * 12) * 5
    half = day % 12 or 12
    group = chance.group
    chance.group += 3
    at, time, uhr = group + 1, group + 2, group + 3
    return Phrase(
        [("um", at), (f"{day}.{minute:02}", time), ("Uhr", uhr)],
        [("at", at), (f"{half}.{minute:02}", time), ("am" if day < 12 else "pm", uhr)],
    )


def _spoken(chance: Chance, parts: tuple[tuple[str, str], ...]) -> Phrase:
    """Parts that correspond in order; an English part may have several words."""
    phrase = Phrase()
    for german, english in parts:
        group = chance.link()
        phrase.german.append((german, group))
        phrase.english.extend((word, group) for word in english.split())
    return phrase


def date(chance: Chance) -> Phrase:
    """*am 3. Mai* – *on 3 May*, *on May 3*; with a year now and then."""
    random = chance.random
    month = int(random() * 12)
    day = 1 + int(random() * _DAYS[month])
    german, english = _MONTHS[month]
    base = chance.group
    chance.group += 3
    on, number, name = base + 1, base + 2, base + 3
    source = [("am", on), (f"{day}.", number), (german, name)]
    if random() < 0.5:
        target = [("on", on), (str(day), number), (english, name)]
    else:
        target = [("on", on), (english, name), (str(day), number)]
    if random() < 0.3:
        year = chance.link()
        digits = str(1900 + int(random() * 124))
        source.append((digits, year))
        if target[1][0] == english:
            target.append(COMMA)
        target.append((digits, year))
    return Phrase(source, target)


def calendar(chance: Chance) -> Phrase:
    """*am Montag*, *im Mai*, *im Sommer*, *im Jahr 1998*, *am 3. Mai*."""
    roll = chance.random()
    if roll < 0.4:
        german, english = _WEEKDAYS[int(chance.random() * 7)]
        return aligned(chance, ("am", german), ("on", english))
    if roll < 0.55:
        german, english = _MONTHS[int(chance.random() * 12)]
        return aligned(chance, ("im", german), ("in", english))
    if roll < 0.65:
        german, english = _SEASONS[int(chance.random() * 4)]
        phrase = aligned(chance, ("im", german), ("in", english))
        if chance.random() < 0.4:
            phrase.english.insert(1, ("the", phrase.english[0][1]))
        return phrase
    return date(chance)


def year(chance: Chance) -> Phrase:
    """*im Jahr 1998* – *in 1998*."""
    digits = str(1900 + int(chance.random() * 124))
    group = chance.group
    chance.group += 2
    return Phrase(
        [("im", group + 1), ("Jahr", group + 1), (digits, group + 2)],
        [("in", group + 1), (digits, group + 2)],
    )


def _span(chance: Chance) -> tuple[str, str, tuple[str, ...], str, str]:
    """A number of days or the like: German number, noun, English number, noun, accusative noun."""
    one, many, accusative, english, article = chance.pick(_SPANS)
    number = 1 + int(chance.random() ** 2 * 20)
    if number == 1:
        return article, one, ("an" if english == "hour" else "a",), english, one
    words = (english_number(number),)
    return german_number(number), many, words, english + "s", accusative


def ago(chance: Chance) -> Phrase:
    """*vor zwei Tagen* – *two days ago*."""
    number, noun, words, english, _ = _span(chance)
    base = chance.group
    chance.group += 3
    return Phrase(
        [("vor", base + 1), (number, base + 2), (noun, base + 3)],
        [(words[0], base + 2), (english, base + 3), ("ago", base + 1)],
    )


def from_now(chance: Chance) -> Phrase:
    """*in zwei Tagen* – *in two days*."""
    number, noun, words, english, _ = _span(chance)
    return aligned(chance, ("in", number, noun), ("in", words[0], english))


def since(chance: Chance) -> Phrase:
    """*seit zwei Jahren* – *for two years*."""
    number, noun, words, english, _ = _span(chance)
    return aligned(chance, ("seit", number, noun), ("for", words[0], english))
