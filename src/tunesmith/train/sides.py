"""The preprocessors of both sides: as the options say, or as a sample of the text needs."""

from collections.abc import Callable, Iterable
from itertools import islice

from tunesmith.base.log import log
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.choosing import TextKind, kind_of
from tunesmith.corpus.tokenizers import UnigramTokenizer
from tunesmith.train.options import TextOptions

# Pairs that decide what a text is, and pairs that words of unspaced scripts are learned from.
SAMPLE_PAIRS, LEARNED_PAIRS = 5_000, 50_000

Pairs = Iterable[tuple[str, str]]
_SIDES = ("source", "target")


def side_preprocessors(
    text: TextOptions, read: Callable[[], Pairs]
) -> tuple[Preprocessor, Preprocessor]:
    """Those of source and target; `read` gives the training pairs, from the first on."""
    lines = list(zip(*islice(read(), SAMPLE_PAIRS), strict=True)) or [(), ()]
    kinds = [kind_of(side) for side in lines]
    both = [_preprocessor(text, number, kind) for number, kind in enumerate(kinds)]
    wanted = [
        (number, side.tokenizer)
        for number, side in enumerate(both)
        if isinstance(side.tokenizer, UnigramTokenizer)
    ]
    if wanted:
        learned = list(zip(*islice(read(), LEARNED_PAIRS), strict=True)) or [(), ()]
        for number, tokenizer in wanted:
            log.info("%s: learning words of a script without spaces", _SIDES[number])
            tokenizer.fit(learned[number])
    return both[0], both[1]


def _preprocessor(text: TextOptions, number: int, kind: TextKind) -> Preprocessor:
    given, language = text.tokenizers[number], text.languages[number]
    name = kind.tokenizer if given == "auto" else given
    if given == "auto" and kind.is_segmented:
        log.info(
            "%s: segmented text, whose words stay as they are (--%s-tokenizer unigram makes words "
            "anew)",
            _SIDES[number],
            _SIDES[number],
        )
        # Moses' rules for these languages leave their words whole.
        language = language if language in ("zh", "ja") else UnigramTokenizer.WHOLE
    return Preprocessor.create(name, text.casing_of(name), language=language or "en")
