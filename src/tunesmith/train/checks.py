"""Faults of the texts that make a translator worthless, found in samples before the work."""

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tunesmith.base.errors import InputError
from tunesmith.base.log import log
from tunesmith.corpus.choosing import kind_of
from tunesmith.corpus.identification import SAMPLE_PAIRS
from tunesmith.corpus.scripts import main_script
from tunesmith.corpus.sentences import blocks
from tunesmith.corpus.split import Keys, sentence_keys, warn_of_overlap
from tunesmith.corpus.unspaced import pattern
from tunesmith.engine import EngineLike
from tunesmith.formats.parallel import read_parallel
from tunesmith.formats.text import iter_lines, read_lines
from tunesmith.train.corpora import no_pairs

# Lines of other sets than the training text that are looked at.
SAMPLE_LINES = 2_000
# Shares of pairs with the same line on both sides: of names and numbers, of a file given twice.
SOME_SAME, MOST_SAME = 0.2, 0.8
# Shares of words that the training text has too: sides are swapped where each is known so much
# better as the other, and another language is read where so few are known.
SWAPPED_GAIN, LEAST_KNOWN = 0.2, 0.25
# Fewer words say nothing.
LEAST_WORDS = 50

# Script of languages whose text may have more letters of other scripts.
_SCRIPT_OF = {"th": "thai", "lo": "lao", "km": "khmer", "my": "myanmar", "zh": "cjk", "ja": "cjk"}


class SampledText(NamedTuple):
    """Source and first reference of a set, and the files that they are from."""

    name: str
    source: list[str]
    target: list[str]
    source_path: Path
    target_path: Path


def training_sample(
    source: Path, target: Path | None, languages: tuple[str | None, str | None] = (None, None)
) -> SampledText:
    """The first pairs of the training text."""
    pairs = list(islice(read_parallel(source, target, languages=languages), SAMPLE_PAIRS))
    if len(pairs) < SAMPLE_PAIRS and not any(one.strip() and two.strip() for one, two in pairs):
        raise no_pairs(source)
    sides = [one for one, _ in pairs], [other for _, other in pairs]
    return SampledText("training", *sides, source, target or source)


def line_set(name: str, source: Path, reference: Path) -> SampledText:
    """The first lines of a dev or test set."""
    ours, theirs = (read_lines(path)[:SAMPLE_LINES] for path in (source, reference))
    return SampledText(name, ours, theirs, source, reference)


def check_texts(train: Sequence[SampledText], others: Sequence[SampledText]) -> None:
    """Refuse what cannot be meant, warn of what is probably not; `train` has a set a corpus."""
    for one in train:
        _check_same_sides(one)
    together = put_together(train)
    for known, other in (*((train[0], one) for one in train[1:]), *((together, o) for o in others)):
        _check_scripts(known, other)
        _check_words(known, other)


def check_mono(train: Sequence[SampledText], path: Path) -> None:
    """Refuse monolingual text that is not of the target's language."""
    together, lines = put_together(train), list(islice(iter_lines(path), SAMPLE_LINES))
    words = _words(lines)
    if not words:
        raise InputError(path, 0, "no words", "text of the target language")
    ours, theirs = (_script(text) for text in (together.target, lines))
    if ours and theirs and ours != theirs:
        raise InputError(
            path,
            0,
            f"text in another script ({theirs}) than the target of the training text",
            ours,
            "was another file meant?",
        )
    if len(words) < LEAST_WORDS:
        return
    source, target = (_known(words, set(_words(side))) for side in together[1:3])
    if source > target + SWAPPED_GAIN:
        raise InputError(path, 0, "text of the source language", "text of the target language")
    if target < LEAST_KNOWN:
        raise InputError(
            path,
            0,
            f"only {target:.0%} of its words are in the target of the training text",
            "text of the same language",
        )


def put_together(sets: Sequence[SampledText]) -> SampledText:
    """Return several sets as one, with the files of the first."""
    source = [line for one in sets for line in one.source]
    target = [line for one in sets for line in one.target]
    return sets[0]._replace(source=source, target=target)


def check_seen(pairs: Iterable[tuple[str, str]], test: SampledText, *, engine: EngineLike) -> None:
    """Warn of test sentences that are in the training text."""
    parts: tuple[list[Keys], list[Keys]] = ([], [])
    for block in blocks(pairs):
        for side, lines in zip(parts, zip(*block, strict=True), strict=True):
            side.append(sentence_keys(lines, engine=engine))
    none = [np.empty(0, np.uint64)]
    keys = [np.concatenate(none + side) for side in parts]
    files = (test.source_path, test.target_path)
    own = [sentence_keys(read_lines(path), engine=engine) for path in files]
    warn_of_overlap((keys[0], keys[1]), (own[0], own[1]), test.name)


def _check_same_sides(train: SampledText) -> None:
    pairs = [(one.strip(), other.strip()) for one, other in zip(*train[1:3], strict=True)]
    full = [pair for pair in pairs if all(pair)]
    same = sum(one == other for one, other in full)
    if same > MOST_SAME * len(full):
        raise InputError(
            train.target_path,
            0,
            f"{same:,} of the first {len(full):,} lines are the same in {train.source_path}",
            "translations",
            "was one file given for both sides?",
        )
    if same > SOME_SAME * len(full):
        log.warning(
            "%s of the first %s pairs have the same line on both sides, which is not learned from",
            f"{same:,}",
            f"{len(full):,}",
        )


def _check_scripts(train: SampledText, other: SampledText) -> None:
    ours, theirs = ([_script(list(side)) for side in text[1:3]] for text in (train, other))
    if ours[0] != ours[1] and theirs == ours[::-1]:
        raise _swapped(other)
    sides = zip(ours, theirs, ("source", "target"), other[3:5], strict=True)
    for script, found, side, path in sides:
        if script and found and script != found:
            raise InputError(
                path,
                0,
                f"text in another script ({found}) than the {side} of the training text",
                script,
                "was another file meant, or the sides swapped?",
            )


def _check_words(train: SampledText, other: SampledText) -> None:
    vocabularies = [set(_words(side)) for side in train[1:3]]
    words = [_words(side) for side in other[1:3]]
    if min(map(len, words)) < LEAST_WORDS:
        return
    known = [[_known(side, vocabulary) for vocabulary in vocabularies] for side in words]
    if known[0][1] > known[0][0] + SWAPPED_GAIN and known[1][0] > known[1][1] + SWAPPED_GAIN:
        raise _swapped(other)
    for number, (path, side) in enumerate(zip(other[3:5], ("source", "target"), strict=True)):
        if known[number][number] < LEAST_KNOWN:
            log.warning(
                "%s: only %.0f %% of its words are in the %s of the training text: is it of the "
                "same language?",
                path,
                100 * known[number][number],
                side,
            )


def _swapped(other: SampledText) -> InputError:
    return InputError(
        other.source_path,
        0,
        f"text of the target's language, and {other.target_path} of the source's",
        f"source and references of the {other.name} set",
        "its sides, or those of the training text, are swapped",
    )


def _script(lines: list[str]) -> str:
    """That of most words: technical Chinese has more Latin letters than its own."""
    return _SCRIPT_OF.get(kind_of(lines).language) or main_script(lines)


def _words(lines: Sequence[str]) -> list[str]:
    """Words of letters, or the letters themselves where a script has no spaces."""
    found = pattern(r"[{run}]|[\p{L}--[{run}]]+")
    return [word for line in lines for word in found.findall(line.lower())]


def _known(words: list[str], vocabulary: set[str]) -> float:
    return sum(word in vocabulary for word in words) / len(words)
