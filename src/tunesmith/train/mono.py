"""Monolingual text of the target language: what of it is like the training text.

The text is read in blocks, tokenised as the target side is and kept on disk; memory holds two
numbers for each line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import InputError
from tunesmith.base.log import log
from tunesmith.base.progress import progress
from tunesmith.corpus import Bitext, Preprocessor
from tunesmith.corpus.sentences import blocks
from tunesmith.corpus.split import Keys, sentence_keys
from tunesmith.engine import EngineLike
from tunesmith.formats.text import iter_lines
from tunesmith.lm import NgramLM, tune_weights
from tunesmith.lm.selection import differences
from tunesmith.lm.training import KneserNey
from tunesmith.train.language_models import corpus_models, mixed, used_weights

# Shares of the text that are tried on the dev set.
SHARES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
# Fewer lines are all taken: there is nothing to choose from.
LEAST_LINES = 100


@dataclass(frozen=True)
class MonoText:
    """Tokenised lines in a file, each once and none of the dev set."""

    path: Path
    lines: int
    words: int

    @classmethod
    def prepare(
        cls,
        sources: Sequence[Path],
        path: Path,
        target: Preprocessor,
        dev: Sequence[str],
        *,
        max_words: int,
        engine: EngineLike,
    ) -> "MonoText":
        """Write the lines of `sources` to `path` that can be learned from."""
        raw = path.with_name(path.name + ".all")
        keys: list[Keys] = [sentence_keys(list(dev), engine=engine)]
        sizes: list[npt.NDArray[np.int64]] = []
        with raw.open("w", encoding="utf-8", newline="\n") as out, progress("tokenising") as bar:
            for block in blocks(chain.from_iterable(map(iter_lines, sources))):
                tokens = target.encode(block, engine=engine)
                out.writelines(f"{line}\n" for line in tokens)
                keys.append(sentence_keys(tokens, engine=engine))
                sizes.append(np.array([len(line.split()) for line in tokens], np.int64))
                bar.advance(len(block))
        words = np.concatenate([np.empty(0, np.int64), *sizes])
        first = np.unique(np.concatenate(keys), return_index=True)[1] - len(keys[0])
        is_kept = np.zeros(len(words), np.bool_)
        is_kept[first[first >= 0]] = True  # the first of its kind, if the dev set has none
        is_kept &= (words > 0) & (words <= max_words)
        with path.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(f"{line}\n" for line in compress(iter_lines(raw), is_kept.tolist()))
        raw.unlink()
        return cls(path, int(is_kept.sum()), int(words[is_kept].sum()))

    def read(self) -> Iterator[str]:
        """Its lines."""
        return iter_lines(self.path)

    def chosen(self, is_chosen: npt.NDArray[np.bool_]) -> Iterator[str]:
        """Those of the marked numbers."""
        return compress(self.read(), is_chosen.tolist())


@dataclass(frozen=True)
class Selection:
    """The lines that are taken, and a model of them."""

    is_chosen: npt.NDArray[np.bool_]
    model: NgramLM
    perplexity: float
    """Of the dev set's references, by this model and those of the training text."""


def select(
    text: MonoText,
    pairs: Bitext,
    references: Sequence[str],
    *,
    share: float,
    order: int,
    engine: EngineLike,
) -> Selection:
    """Choose the lines that are most like the training text, as the dev set weighs its corpora.

    Without a `share` the dev set's perplexity decides how many.
    """
    if not text.lines:
        raise InputError(text.path, 0, "no usable line", "text of the target language")
    models = corpus_models(pairs, order=order, engine=engine)
    inside = mixed(models, used_weights(tune_weights(models, references, engine=engine)))
    scores = np.zeros(text.lines)
    if text.lines >= LEAST_LINES and share != 1.0:
        sample = len(pairs.target.ids)
        scores = differences(
            inside, text.read, words=text.words, sample=sample, order=order, engine=engine
        )
    ranks = np.argsort(np.argsort(scores, kind="stable"), kind="stable")
    # Among its words are those of all choices: perplexities are comparable if all have them.
    words = KneserNey(order=1, engine=engine).fit(text.read()).model()
    without = tune_weights([*models, words], references, engine=engine).perplexity
    best: Selection | None = None
    for one in (share,) if share else SHARES if text.lines >= LEAST_LINES else (1.0,):
        is_chosen = ranks < max(1, round(one * text.lines))
        model = KneserNey(order=order, engine=engine).fit(text.chosen(is_chosen)).model()
        perplexity = tune_weights([*models, words, model], references, engine=engine).perplexity
        log.info(
            "mono: %s of %s lines, dev set's perplexity %.1f, %.1f without",
            f"{is_chosen.sum():,}", f"{text.lines:,}", perplexity, without,
        )  # fmt: skip
        if best is None or perplexity < best.perplexity:
            best = Selection(is_chosen, model, perplexity)
    assert best is not None
    return best
