"""Sentences with terms in them: what the user wants is prescribed, and all else as it was."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from tunesmith.corpus import Preprocessor
from tunesmith.corpus.known_words import UnknownWord
from tunesmith.corpus.lines import Line
from tunesmith.corpus.masking import Protection
from tunesmith.decode.model_terms import (
    FoundTerm,
    Match,
    ModelTerm,
    ModelTerms,
    shown_words,
    target_words,
)
from tunesmith.decode.protection import line_sentence
from tunesmith.decode.sentence import SourceSentence


def term_sentence(
    line: Line, terms: ModelTerms, source: Preprocessor, protection: Protection | None
) -> SourceSentence | None:
    """A line of running text with terms, whose unknown words are what they are; None without."""
    words, owners = line.words, line.owners
    units = {p: words[p] for p, token in enumerate(owners) if line.unit_of[token] >= 0}
    found = terms.find(shown_words(line), units)
    if not found.matches:
        return None
    edges = [*found.moved, len(found.words)]
    cut = [token for token, pair in zip(owners, pairwise(edges), strict=True) for _ in range(*pair)]
    # Words that are units go by their masks, and those in terms by what they are.
    for place, mask in units.items():
        found.words[found.moved[place]] = mask
    kept = _inside(found.matches) | {found.moved[place] for place in units}
    own, begins, matches, unknown = _known(found, list(range(len(found.words))), kept, source)
    begins.append(len(own))
    spread = [
        token for token, pair in zip(cut, pairwise(begins), strict=True) for _ in range(*pair)
    ]
    return line_sentence(line, protection, own, spread, matches, unknown)


def with_term_tokens(sentence: SourceSentence, terms: ModelTerms) -> SourceSentence:
    """The model's own words with terms prescribed, and no more: they come out as its words."""
    found = terms.find(sentence.words, borders=sentence.borders)
    own = [one for one in found.matches if not sentence.prescribes(one.begin, one.end)]
    if not own:
        return sentence
    place = _places(sentence, found)
    forced = [(one.begin, one.end, list(one.term.words)) for one in own]
    return replace(_moved(sentence, found.words, place), forced=_forced(sentence, place, forced))


def marked_up_sentence(
    sentence: SourceSentence, source: Preprocessor, target: Preprocessor, terms: ModelTerms | None
) -> SourceSentence:
    """A sentence with instructions, in words of the model, and terms in what they leave free.

    What the instructions prescribe comes out as it is written, as terms do.
    """
    given = _given_terms(sentence, target)
    wanted = () if terms is None else terms.words
    # Unknown words are what they are until terms have been found.
    whole = sentence.encoded(
        lambda text: source.read([text], known=False, wanted=wanted)[0].words,
        lambda text: list(given[text].words),
    )
    if terms is None:
        found = FoundTerm(whole.words, list(range(len(whole.words))), [])
    else:
        found = terms.find(whole.words, borders=whole.borders)
    own = [one for one in found.matches if not whole.prescribes(one.begin, one.end)]
    found = found._replace(matches=own)
    edges = _places(whole, found)
    inner = [at for at in edges.values() if at < len(found.words)]
    words, at, matches, unknown = _known(found, inner, set(), source)
    moved = dict(zip(inner, at, strict=True))
    place = {edge: moved.get(at, len(words)) for edge, at in edges.items()}
    forced = [(one.begin, one.end, list(one.term.words)) for one in matches]
    plain = replace(_moved(whole, words, place), forced=_forced(whole, place, forced))
    for (begin, end, _), (*_, text) in zip(whole.forced, sentence.forced, strict=True):
        if (term := given[" ".join(text)]).words:
            matches.append(Match(place[begin], place[end], term))
    return replace(plain, terms=matches, unknown=unknown)


def _given_terms(sentence: SourceSentence, target: Preprocessor) -> dict[str, ModelTerm]:
    """What is prescribed, by its text."""
    texts = [" ".join(words) for *_, words in sentence.forced]
    find = None if target.protection is None else target.protection.units
    units = [[] if find is None else find(text) for text in texts]
    return {
        text: ModelTerm("", text, "", 0, tuple(words), tuple(tokens))
        for text, (words, tokens) in zip(texts, target_words(texts, units, target), strict=True)
    }


def _known(
    found: FoundTerm, places: list[int], fixed: set[int], source: Preprocessor
) -> tuple[list[str], list[int], list[Match], list[UnknownWord]]:
    """Known words in the place of unknown ones, but for terms and what is fixed.

    With them come where `places` and terms are then, and what has become of unknown words.
    """
    kept = _inside(found.matches) | fixed
    known, unknown = source.known_words(found.words, kept)
    begins = [0, *accumulate(map(len, known))]
    matches = [
        Match(begins[one.begin], begins[one.begin] + one.end - one.begin, one.term)
        for one in found.matches
    ]
    words = [word for own in known for word in own]
    return words, [begins[place] for place in places], matches, unknown


def _inside(matches: Sequence[Match]) -> set[int]:
    return {place for one in matches for place in range(one.begin, one.end)}


def _places(sentence: SourceSentence, found: FoundTerm) -> dict[int, int]:
    """Where the borders of a sentence are among the words that were found."""
    ends = {len(sentence.words): len(found.words)}
    return {edge: ends[edge] if edge in ends else found.moved[edge] for edge in sentence.borders}


def _moved(sentence: SourceSentence, words: list[str], place: dict[int, int]) -> SourceSentence:
    return replace(
        sentence,
        words=words,
        walls=[place[wall] for wall in sentence.walls],
        zones=[(place[begin], place[end]) for begin, end in sentence.zones],
    )


def _forced(
    sentence: SourceSentence, place: dict[int, int], more: list[tuple[int, int, list[str]]]
) -> list[tuple[int, int, list[str]]]:
    own = [(place[begin], place[end], target) for begin, end, target in sentence.forced]
    return sorted([*own, *more])
