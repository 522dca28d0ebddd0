"""Scripts without spaces between words: Chinese, Japanese, Thai, Khmer, Lao, Burmese.

Where letters of these scripts stand together is a *run*. Its words are pieces of a unigram model
(Kudo 2018, Subword Regularization) that is learned from the runs of the training text itself: no
dictionary and no download. Everything else in a line is left to Moses' rules.
"""

import functools
import io
from collections.abc import Iterable
from typing import Any

# The most pieces that are learned beside the characters, and the longest of them. Of a small text
# fewer, one for so many letters: it would be learned by heart.
MOST_PIECES, LONGEST, LETTERS_PER_PIECE = 6_000, 4, 60
# Letters of a word, on average: segmented Chinese has 1.74 (techdocs), Japanese 1.58 (kyoto).
LETTERS_PER_WORD = 1.7
# Candidates that learning begins with.
_SEEDS = 100_000
# Pieces that SentencePiece has in any case: unknown, begin, end.
_OWN = 3
# What tokenisers write for a space.
SPACE = "▁"

_LETTERS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ーｰ"


@functools.cache
def pattern(text: str) -> Any:
    """A compiled pattern, in which ``{run}`` are letters of these scripts."""
    import regex

    return regex.compile(text.replace("{run}", _LETTERS), regex.VERSION1)


def runs(line: str) -> list[str]:
    """The runs of a line.

    >>> runs("使用Kubernetes网站。")
    ['使用', '网站']
    """
    found: list[str] = pattern("[{run}]+").findall(line)
    return found


def count(text: str, lines: Iterable[str]) -> int:
    """How often a pattern is found."""
    wanted = pattern(text)
    return sum(len(wanted.findall(line)) for line in lines)


def about_words(line: str) -> float:
    """How many words a line has; in running text of these scripts about so many.

    >>> about_words("ein altes Haus"), about_words("本仓库包含Kubernetes 文档")
    (3.0, 5.0)
    """
    letters = len(pattern("[{run}]").findall(line))
    if not letters:
        return float(len(line.split()))
    others = len(pattern("[{run}]+").sub(" ", line).split())
    return float(others + round(letters / LETTERS_PER_WORD))


def learn_pieces(lines: Iterable[str]) -> bytes:
    """A SentencePiece model of the runs of a text; empty where there are too few to learn from."""
    from sentencepiece import SentencePieceTrainer

    text, model = [run for line in lines for run in runs(line)], io.BytesIO()
    letters, characters = sum(map(len, text)), len(set().union(*text))
    try:
        SentencePieceTrainer.train(
            sentence_iterator=iter(text),
            model_writer=model,
            model_type="unigram",
            vocab_size=characters + _OWN + min(MOST_PIECES, letters // LETTERS_PER_PIECE),
            hard_vocab_limit=False,
            max_sentencepiece_length=LONGEST,
            seed_sentencepiece_size=_SEEDS,
            character_coverage=1.0,
            normalization_rule_name="identity",
            add_dummy_prefix=False,
            split_by_unicode_script=False,
            split_by_number=False,
            max_sentence_length=1 << 20,
            num_threads=1,  # sums of several depend on who is first
            minloglevel=2,
        )
    except RuntimeError:  # no run at all
        return b""
    return model.getvalue()


def cut_runs(lines: list[str], processor: Any) -> list[str]:
    """Lines with spaces around runs and between their words; `processor` None: characters."""
    found = sorted({run for line in lines for run in runs(line)})
    if processor is None:
        words = {run: pattern(r"\X").findall(run) for run in found}
    else:
        pieces = processor.encode(found, out_type=str) if found else []
        words = dict(zip(found, pieces, strict=True))
    cut = {run: f" {' '.join(word for word in words[run] if word != SPACE)} " for run in found}
    whole, space = pattern("[{run}]+"), pattern(r"(?<=[{run}])\s+(?=[{run}])")
    return [whole.sub(lambda run: cut[run[0]], space.sub(f" {SPACE} ", line)) for line in lines]
