"""A correction in the model's tokens: as training encodes a pair, as search reads a sentence."""

from dataclasses import dataclass

from tunesmith.adapt.pair_links import MOST_WORDS
from tunesmith.base.errors import OptionError
from tunesmith.corpus.masking import shared_units
from tunesmith.corpus.protected import TAG_WORD
from tunesmith.model import TranslationModel


@dataclass(frozen=True)
class TokenPair:
    """A sentence and its correction, word by word."""

    source: list[str]
    target: list[str]


def encode_pair(model: TranslationModel, source: str, correction: str) -> TokenPair:
    """The tokens of both sides; what is protected on both is masked, as in training text."""
    for text, what in ((source, "source"), (correction, "correction")):
        check_line(text, what)
    from_text, to_text = model.preprocessors
    shared = None
    if from_text.protection is not None:
        shared = shared_units(source, correction)
    units = ([], []) if shared is None else (shared.source, shared.target)
    sides = [
        [word for word in side.read([text], [own], engine=1)[0].words if word != TAG_WORD]
        for side, text, own in zip((from_text, to_text), (source, correction), units, strict=True)
    ]
    for words, what in zip(sides, ("source", "correction"), strict=True):
        if not words:
            raise OptionError(f"the {what} has no words, expected a sentence")
        if len(words) > MOST_WORDS:
            raise OptionError(
                f"the {what} has {len(words):,} words, expected at most {MOST_WORDS}: correct "
                "sentences one by one"
            )
    return TokenPair(*sides)


def unrestored(
    model: TranslationModel, line: str, correction: str, pair: TokenPair
) -> tuple[str, str] | None:
    """The tokens of both sides where those of the correction are not written as it is.

    Sentences with protected units are put together in another way, and have none.
    """
    protection = model.preprocessors[0].protection
    masked = protection is not None and any(word.startswith("⟦") for word in pair.source)
    source, target = " ".join(pair.source), " ".join(pair.target)
    if masked:
        return None
    from_text, to_text = model.preprocessors
    if to_text.decode([target], from_text.tokens([line], engine=1), engine=1) == [correction]:
        return None
    return source, target


def check_line(text: str, what: str) -> None:
    """Refuse what is no line of text: nothing, several lines, control characters."""
    if not text.strip():
        raise OptionError(f"the {what} is empty, expected a sentence")
    wrong = next((c for c in text if c != "\t" and (ord(c) < 32 or 127 <= ord(c) < 160)), None)
    if wrong is not None:
        raise OptionError(
            f"the {what} has the control character U+{ord(wrong):04X}, expected a line of text"
        )
