"""Sentences with terms in them: what the user wants is prescribed, the rest is as it was."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from tunesmith.corpus import Preprocessor
from tunesmith.corpus.lines import Line
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.spacing import Spacing
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
    line: Line,
    terms: ModelTerms,
    source: Preprocessor,
    protection: Protection | None,
    spacing: Spacing | None,
) -> SourceSentence | None:
    """Return a line of running text with its terms prescribed, or None if it has no terms."""
    words, owners = line.words, line.owners
    units = {p: words[p] for p, token in enumerate(owners) if line.unit_of[token] >= 0}
    found = terms.find(shown_words(line), units)
    if not found.matches:
        return None
    # From here on units go by their masks.
    for place, mask in units.items():
        found.words[found.moved[place]] = mask
    edges = [*found.moved, len(found.words)]
    cut = [token for token, pair in zip(owners, pairwise(edges), strict=True) for _ in range(*pair)]
    kept = _inside(found.matches) | {found.moved[place] for place in units}
    known, unknown = source.known_words(found.words, kept)
    return line_sentence(
        line,
        protection,
        [word for own in known for word in own],
        [token for token, own in zip(cut, known, strict=True) for _ in own],
        _moved(found.matches, known),
        unknown,
        source.known,
        spacing,
    )


def with_term_tokens(sentence: SourceSentence, terms: ModelTerms) -> SourceSentence:
    """Return a sentence of the model's own words in which terms are prescribed as its words."""
    found = _free_terms(sentence, terms)
    if not found.matches:
        return sentence
    moved = sentence.moved(found.words, _places(sentence, found))
    return replace(moved, forced=_with_terms(moved, found.matches))


def marked_up_sentence(
    sentence: SourceSentence, source: Preprocessor, target: Preprocessor, terms: ModelTerms | None
) -> SourceSentence:
    """Return a sentence with instructions in words of the model, and terms in what they leave free.

    What the instructions prescribe comes out as it is written, as terms do.
    """
    given = _given_terms(sentence, target)
    wanted = () if terms is None else terms.words
    # Unknown words stay as they are until terms have been found.
    whole = sentence.encoded(
        lambda text: source.read([text], known=False, wanted=wanted)[0].words,
        lambda text: list(given[text].words),
    )
    found = _free_terms(whole, terms)
    known, unknown = source.known_words(found.words, _inside(found.matches))
    begins = [0, *accumulate(map(len, known))]
    place = {edge: begins[at] for edge, at in _places(whole, found).items()}
    matches = _moved(found.matches, known)
    plain = whole.moved([word for own in known for word in own], place)
    forced = _with_terms(plain, matches)
    for (begin, end, _), (*_, text) in zip(whole.forced, sentence.forced, strict=True):
        if (term := given[" ".join(text)]).words:
            matches.append(Match(place[begin], place[end], term))
    return replace(plain, forced=forced, terms=matches, unknown=unknown)


def _given_terms(sentence: SourceSentence, target: Preprocessor) -> dict[str, ModelTerm]:
    """Return what is prescribed, by its text."""
    texts = [" ".join(words) for *_, words in sentence.forced]
    return {
        text: ModelTerm("", text, "", 0, tuple(words), tuple(tokens))
        for text, (words, tokens) in zip(texts, target_words(texts, None, target), strict=True)
    }


def _free_terms(sentence: SourceSentence, terms: ModelTerms | None) -> FoundTerm:
    """Find terms in the words that have no prescribed translation."""
    if terms is None:
        return FoundTerm(sentence.words, list(range(len(sentence.words))), [])
    found = terms.find(sentence.words, borders=sentence.borders)
    free = [one for one in found.matches if not sentence.prescribes(one.begin, one.end)]
    return found._replace(matches=free)


def _inside(matches: Sequence[Match]) -> set[int]:
    return {place for one in matches for place in range(one.begin, one.end)}


def _moved(matches: Sequence[Match], known: Sequence[Sequence[str]]) -> list[Match]:
    """Return the terms where they are when each word has become the `known` ones."""
    begins = [0, *accumulate(map(len, known))]
    return [Match(begins[one.begin], begins[one.end], one.term) for one in matches]


def _places(sentence: SourceSentence, found: FoundTerm) -> dict[int, int]:
    """Return where the borders of a sentence are among the words of `found`."""
    edges = [*found.moved, len(found.words)]
    return {edge: edges[edge] for edge in sentence.borders}


def _with_terms(
    sentence: SourceSentence, matches: Sequence[Match]
) -> list[tuple[int, int, list[str]]]:
    """Return what is prescribed in a sentence, terms included."""
    terms = [(one.begin, one.end, list(one.term.words)) for one in matches]
    return sorted([*sentence.forced, *terms])
