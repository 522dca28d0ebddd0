"""The languages of parallel text: what file names say, and what the text itself looks like.

`recognise_languages` compares both. Text is identified by py3langid, a naive Bayes classifier over
byte n-grams (Lui and Baldwin 2011), which is loaded when a text is first identified.
"""

import functools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tunesmith.base.errors import OptionError
from tunesmith.base.languages import (
    UNDETERMINED,
    known_locale,
    language_code,
    language_name,
)
from tunesmith.base.log import log
from tunesmith.formats.parallel import stated_languages

# Mean probabilities: above the first a text is of a language, below the second it is not. Of the
# software messages of 126 locales, 40 at a time, 105 are identified, 9 are not clear (Bosnian and
# Croatian for example), and 12 are taken for others, all but Crimean Tatar in languages that the
# identifier does not know; the second limit excludes no language that is right.
CLEAR, EXCLUDED = 0.6, 0.05
# Text is identified in pieces of this many bytes, so that a quotation does not decide; more pieces
# tell nothing new.
PIECE_BYTES, MOST_PIECES = 300, 50
#: Pairs that are enough to recognise the languages of a text by.
SAMPLE_PAIRS = 20_000

# Labels of the identifier, and what text that gets them is usually called: Chinese in traditional
# characters is between zh and yue, Tibetan always dz, as the identifier does not know it.
_VARIETIES = {
    "wuu": "zh", "yue": "zh", "dz": "bo", "hbo": "he", "grc": "el", "gug": "gn", "uzs": "uz",
    "arz": "ar", "ary": "ar", "kik": "ki", "gom": "kok", "sdh": "ku", "fuv": "ff",
}  # fmt: skip
# Languages that the identifier has under another name.
_LABELS = {"nb": "no"}
_NO_LANGUAGE = "zxx"

_PACKED = ("gz", "xz", "bz2", "zst", "zip")
_CATALOGUES = ("po", "mo", "gmo", "pot")
_WORD = re.compile(r"[^\W_]+(?:@\w+)?")
_REGION = re.compile(r"[A-Z]{2}|[A-Z][a-z]{3}")
# Folders above a file that may be named by a language, as in de/LC_MESSAGES/app.mo.
_FOLDERS = 2

Names = tuple[str, str]


def text_probabilities(text: str) -> dict[str, float]:
    """Return the probability of each language for a text; empty without any letters.

    >>> found = text_probabilities("Wer nichts weiß, muss alles glauben.")
    >>> max(found, key=found.get)
    'de'
    """
    if not any(map(str.isalpha, text)):
        return {}
    found: dict[str, float] = {}
    for label, probability in _identifier().rank(text):
        code = _VARIETIES.get(label, label)
        found[code] = found.get(code, 0.0) + probability
    return found


@functools.cache
def identifiable_languages() -> frozenset[str]:
    """Return the codes of all languages that text can be identified as."""
    labels = {_VARIETIES.get(label, label) for label in _identifier().labels}
    return frozenset({*labels, *_LABELS} - {_NO_LANGUAGE})


def probability_of(language: str, probabilities: dict[str, float]) -> float:
    """Look up a language, under the name that the identifier has for it."""
    return probabilities.get(_LABELS.get(language, language), 0.0)


def release_identifier() -> None:
    """Free the identifier's memory, 70 MB."""
    _identifier.cache_clear()


@functools.cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def identify(lines: Iterable[str]) -> dict[str, float]:
    """Return the mean probabilities of languages over pieces of a text, the likeliest first."""
    pieces = _pieces(lines)
    total: dict[str, float] = {}
    for piece in pieces:
        for code, probability in text_probabilities(piece).items():
            total[code] = total.get(code, 0.0) + probability / len(pieces)
    total.pop(_NO_LANGUAGE, None)
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))


def _pieces(lines: Iterable[str]) -> list[str]:
    pieces, own, size = [], list[str](), 0
    for line in lines:
        own.append(line)
        size += len(line.encode("utf-8", "replace")) + 1
        if size >= PIECE_BYTES:
            pieces.append(" ".join(own))
            own, size = [], 0
    pieces = pieces or [" ".join(own)]
    count = min(len(pieces), MOST_PIECES)
    return [pieces[number * len(pieces) // count] for number in range(count)]


def file_languages(
    files: Iterable[tuple[str | Path, str | Path | None]], format: str | None = None
) -> Names:
    """Return the languages that files state inside, or that their names say.

    A side is empty if no file says anything of it, or if they differ.
    """
    sides: tuple[set[str], set[str]] = (set(), set())
    for source, target in files:
        named = named_languages(source, target)
        stated = ("", "")
        if target is None and str(source) != "-":
            stated = stated_languages(source, format)
        for side, own, name in zip(sides, stated, named, strict=True):
            if code := known_locale(own) or name:
                side.add(code)
    source_names, target_names = ("".join(side) if len(side) == 1 else "" for side in sides)
    return source_names, target_names


def named_languages(source: str | Path, target: str | Path | None = None) -> Names:
    """Return the languages that the names of two files say, or of one with both sides.

    >>> named_languages("train.de", "train.en"), named_languages("a.zh_CN.txt", "a.eng.txt.gz")
    (('de', 'en'), ('zh', 'en'))
    >>> named_languages("corpus.de-en.tsv"), named_languages("de.po"), named_languages("x.tsv")
    (('de', 'en'), ('', 'de'), ('', ''))
    """
    own = _parts(source)
    if target is None:
        if own[-1].lower() in _CATALOGUES:
            return "", _last(own[:-1]) or _last(_words(own[:-1])) or _folder(source)
        return _pair(own)
    theirs = _parts(target)
    names = tuple(map(_last, _differing(own, theirs)))
    if not any(names):
        # Words inside names count only on both sides: it-support.txt is not Italian.
        names = tuple(map(_last, _differing(_words(own), _words(theirs))))
        if not all(names):
            names = _folder(source), _folder(target)
        if not all(names) or names[0] == names[1]:
            names = "", ""
    pair = _pair(own)
    if not all(names) and pair == _pair(theirs):
        known = names[0] or names[1]
        if not known:
            return pair
        if known in pair:
            other = pair[known == pair[0]]
            names = (known, other) if names[0] else (other, known)
    if not all(names) and "to" in names:
        return "", ""  # train.from and train.to are not Tongan
    return names[0], names[1]


def named_language(path: str | Path) -> str:
    """Return the language that the name of a file of one language says, or an empty string.

    >>> named_language("news.2014.fr.gz"), named_language("it-support.txt")
    ('fr', '')
    """
    return _last(_parts(path))


def _parts(path: str | Path) -> list[str]:
    """The parts of a file name between dots, without suffixes of compression."""
    parts = Path(path).name.split(".")
    while len(parts) > 1 and parts[-1].lower() in _PACKED:
        parts.pop()
    return parts


def _words(parts: Sequence[str]) -> list[str]:
    """The words of the parts of a name; a language and its region are one."""
    words: list[str] = []
    for part in parts:
        for word in _WORD.findall(part.replace("2", "-")):
            if words and _REGION.fullmatch(word) and known_locale(words[-1]):
                words[-1] += f"-{word}"
            elif word != "to":
                words.append(word)
    return words


def _differing(one: list[str], other: list[str]) -> tuple[list[str], list[str]]:
    """Two lists without the items that both begin and end with."""
    begin = 0
    while begin < min(len(one), len(other)) and one[begin] == other[begin]:
        begin += 1
    end = 0
    while end < min(len(one), len(other)) - begin and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[begin : len(one) - end], other[begin : len(other) - end]


def _last(words: Sequence[str]) -> str:
    return next((code for word in reversed(words) if (code := known_locale(word))), "")


def _pair(parts: Sequence[str]) -> Names:
    """The last two languages that stand side by side, if possible in one part of a name."""
    for words in (*(_words([part]) for part in reversed(parts)), _words(parts)):
        codes = [known_locale(word) or "" for word in words]
        for one, other in zip(codes[-2::-1], codes[:0:-1], strict=True):
            if one and other and one != other:
                return one, other
    return "", ""


def _folder(path: str | Path) -> str:
    folders = [folder.name for folder in Path(path).absolute().parents[:_FOLDERS]]
    return next((code for name in folders if (code := known_locale(name))), "")


def recognise_languages(
    samples: tuple[Sequence[str], Sequence[str]], named: Names, given: Names = ("", "")
) -> Names:
    """Return the languages of both sides of a text, `UNDETERMINED` where they are not clear.

    Parameters
    ----------
    samples
        Lines of source and target.
    named
        What the files or their names say, empty where they do not.
    given
        What the user says, which is never overruled; empty where nothing is given. Only with both
        may the languages be equal.
    """
    given = given[0] and language_code(given[0]), given[1] and language_code(given[1])
    found = [
        _recognise(*values)
        for values in zip(("source", "target"), samples, named, given, strict=True)
    ]
    source, target = found
    if source == target != UNDETERMINED and not all(given):
        raise OptionError(
            f"source and target are both {language_name(source)} ({source}), expected two "
            f"languages; for post-editing or paraphrases give --source-language {source} "
            f"--target-language {source}"
        )
    if not all(given):
        log.info("languages: %s → %s", language_name(source), language_name(target))
    return source, target


def _recognise(side: str, lines: Sequence[str], named: str, given: str) -> str:
    """The language of a side."""
    probabilities = identify(lines) if given != UNDETERMINED else {}
    likely = next(iter(probabilities), "")
    is_clear = bool(likely) and probabilities[likely] >= CLEAR
    wanted = given or named
    if not wanted:
        if is_clear:
            return likely
        log.warning(
            "the %s language is not clear from file names or text%s; give --%s-language",
            side, _candidates(probabilities), side,
        )  # fmt: skip
        return UNDETERMINED
    if not is_clear or not _excludes(probabilities, wanted):
        return wanted
    name = language_name(likely)
    if given:
        log.warning(
            "the %s language is given as %s, but the text looks like %s: are the languages or the "
            "files swapped?", side, language_name(given), name,
        )  # fmt: skip
        return given
    log.warning(
        "the %s is %s by the name of its file, but its text is %s: taking %s; --%s-language "
        "overrides this", side, language_name(named), name, name, side,
    )  # fmt: skip
    return likely


def _excludes(probabilities: dict[str, float], language: str) -> bool:
    """Whether a text that is clearly of another language cannot be of this one."""
    return (
        language in identifiable_languages() and probability_of(language, probabilities) < EXCLUDED
    )


def _candidates(probabilities: dict[str, float]) -> str:
    """The two likeliest languages, for a message."""
    names = [language_name(code) for code, share in list(probabilities.items())[:2] if share > 0.2]
    return f" (perhaps {' or '.join(names)})" if names else ""
