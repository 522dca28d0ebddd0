"""The stream of distinct pairs, and writing it to files."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import OptionError
from tunesmith.base.progress import progress
from tunesmith.base.seeds import DEFAULT_SEED, derive_seed
from tunesmith.corpus.phrasebook.pair import Pair, detokenise
from tunesmith.corpus.phrasebook.phrases import Chance, Token
from tunesmith.corpus.phrasebook.sentences import SentenceUrn

# Tokens of a German sentence, with its final mark.
SHORTEST, LONGEST = 3, 30

_MARKS = {".", "?", "!", ","}


def _finish(tokens: list[Token]) -> tuple[list[str], list[int]]:
    """Words and groups: commas that meet other marks are dropped, the first letter is large."""
    words = [word for word, _ in tokens]
    groups = [group for _, group in tokens]
    if "," in words:
        keep = [
            position
            for position, word in enumerate(words)
            if word != "," or words[position + 1] not in _MARKS
        ]
        if len(keep) < len(words):
            words = [words[position] for position in keep]
            groups = [groups[position] for position in keep]
    first = words[0]
    words[0] = first[0].upper() + first[1:]
    return words, groups


def _pair(german: list[Token], english: list[Token]) -> Pair:
    source, source_groups = _finish(german)
    target, target_groups = _finish(english)
    places: dict[int, list[int]] = {}
    for position, group in enumerate(target_groups):
        if group:
            places.setdefault(group, []).append(position)
    links = tuple(
        [
            (position, other)
            for position, group in enumerate(source_groups)
            for other in places.get(group, ())
        ]
    )
    return Pair(" ".join(source), " ".join(target), links)


def pairs(seed: int = DEFAULT_SEED) -> Iterator[Pair]:
    """Sentence pairs without end; no German sentence comes twice.

    The stream of a seed is always the same, so the first N pairs of a larger corpus are the
    smaller corpus. Memory grows by about 100 bytes a pair, for what has been seen.
    """
    chance = Chance(derive_seed(seed, "phrasebook"))
    sentences = SentenceUrn()
    seen: set[bytes] = set()
    while True:
        chance.group = 0
        german, english, mark = sentences.draw(chance)
        end = chance.link()
        if not SHORTEST <= len(german) + 1 <= LONGEST:
            continue
        pair = _pair([*german, (mark, end)], [*english, (mark, end)])
        # Python's own hash differs from run to run; a collision must not. Lower-cased, so that the
        # sentences stay distinct when a user lower-cases them (Sie, sie).
        digest = blake2b(pair.source.lower().encode(), digest_size=8).digest()
        if digest not in seen:
            seen.add(digest)
            yield pair


def generate(count: int, seed: int = DEFAULT_SEED) -> list[Pair]:
    """The first `count` pairs of a seed.

    >>> corpus = generate(3)
    >>> corpus == generate(5)[:3]
    True
    """
    return list(islice(pairs(seed), _checked(count)))


def _checked(count: int) -> int:
    if count < 0:
        raise OptionError(f"cannot write {count} sentence pairs: give a number from 0")
    return count


FORMS: dict[str, Callable[[str], str]] = {
    "tokens": str,
    "lowercase": str.lower,
    "raw": detokenise,
}


def write(
    count: int, prefix: str | Path, *, seed: int = DEFAULT_SEED, form: str = "tokens"
) -> None:
    """Write ``PREFIX.de``, ``PREFIX.en`` and the gold links ``PREFIX.links`` (Pharaoh format).

    `form` is ``tokens`` (cased), ``lowercase`` (tokens) or ``raw`` (as people write); the links
    are always those of the tokens. The prefix ``-`` writes lines with tabs to standard output.
    """
    change = FORMS[form]
    stream = islice(pairs(seed), _checked(count))
    with ExitStack() as stack:
        if str(prefix) == "-":
            output = stack.enter_context(atomic_text("-"))
            for pair in stream:
                output.write(f"{change(pair.source)}\t{change(pair.target)}\t{pair.pharaoh}\n")
            return
        files = [
            stack.enter_context(atomic_text(f"{prefix}.{suffix}"))
            for suffix in ("de", "en", "links")
        ]
        bar = stack.enter_context(progress("phrasebook", count))
        for number, pair in enumerate(stream, 1):
            files[0].write(change(pair.source) + "\n")
            files[1].write(change(pair.target) + "\n")
            files[2].write(pair.pharaoh + "\n")
            if not number % 1000:
                bar.advance(1000)
