"""Estimation of n-gram models from text: interpolated modified Kneser–Ney smoothing.

See Chen and Goodman (1998), An Empirical Study of Smoothing Techniques for Language Modeling, and
Heafield et al. (2013), Scalable Modified Kneser-Ney Language Model Estimation. Models equal those
of KenLM's lmplz.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.numbers import MAX_WHOLE
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.progress import progress
from tunesmith.corpus import Sentences
from tunesmith.engine import EngineLike, as_engine, engine_parameter
from tunesmith.engine.memory import machine_memory
from tunesmith.formats.text import read_blocks
from tunesmith.lm.ngram import NgramLM, write_arpa


@dataclasses.dataclass(frozen=True)
class KneserNey:
    """How a model is estimated.

    >>> lm = KneserNey(order=2).fit(["a b", "a c"]).model()
    >>> lm.counts
    [6, 5]
    """

    order: int = parameter(5, "length of the longest n-grams", at_least=1, at_most=12)
    prune: Sequence[int] = parameter(
        (), "drop n-grams that occur at most so often, by order; the last holds for longer ones"
    )
    vocabulary: Sequence[str] | None = parameter(None, "the words that may stay; others are <unk>")
    max_words: int = parameter(0, "keep that many words, the most frequent; 0: all", at_least=0)
    classes: Mapping[str, str] | None = parameter(
        None, "the class of each word; the model is one of classes (see `read_classes`)"
    )
    memory: int = parameter(
        0, "bytes of memory to use; 0: half of the machine's", at_least=0, at_most=2**62
    )
    temporary_folder: str = parameter("", "where to sort what does not fit; default: TMPDIR")
    engine: EngineLike = engine_parameter()

    def fit(self, lines: Iterable[str]) -> "Estimate":
        """Estimate a model from sentences."""
        if isinstance(lines, str):
            raise OptionError("lines is one string, expected a sequence of sentences")
        corpus = self._corpus("<lines>")
        for line in lines:
            corpus.add_line(line)
        return self._estimate(corpus)

    def fit_sentences(self, text: Sentences) -> "Estimate":
        """The same from text that is coded already: the model of its lines."""
        corpus = self._corpus("<sentences>")
        corpus.add_sentences(text.vocabulary.native, text.offsets, text.ids)
        return self._estimate(corpus)

    def fit_files(self, paths: Iterable[str | Path]) -> "Estimate":
        """Estimate a model from text files (plain, gzip or xz; ``-`` is standard input)."""
        corpus = None
        for path in paths:
            name = "<stdin>" if str(path) == "-" else str(path)
            if corpus is None:
                corpus = self._corpus(name)
            else:
                corpus.next_file(name)
            with progress(f"reading {name}, MB") as bar:
                read = 0
                for piece in read_blocks(path, as_it_comes=True):
                    corpus.feed(piece)
                    read += len(piece)
                    bar.advance(read // 10**6 - bar.done)
            corpus.finish()
        if corpus is None:
            raise OptionError("no text to train on")
        return self._estimate(corpus)

    def _corpus(self, name: str) -> _core.LmCorpus:
        check_parameters(self)
        for threshold in self.prune:
            if not 0 <= threshold <= MAX_WHOLE:
                raise OptionError(f"prune has {threshold}, expected 0 to {MAX_WHOLE}")
        # Counting in memory takes at least eight times what the tokens take.
        corpus = _core.LmCorpus(name, self._memory() // 8, self._folder())
        if self.classes is not None:
            corpus.set_classes(list(self.classes), list(self.classes.values()))
        return corpus

    def _memory(self) -> int:
        return self.memory or default_memory()

    def _folder(self) -> str:
        return self.temporary_folder or default_temporary_folder()

    def _estimate(self, corpus: _core.LmCorpus) -> "Estimate":
        options = _core.LmEstimateOptions()
        options.order = self.order
        options.prune = list(self.prune)
        if self.vocabulary is not None:
            if not self.vocabulary:
                raise OptionError("the vocabulary is empty, expected words that may stay")
            options.vocabulary = list(self.vocabulary)
        options.max_words = self.max_words
        options.threads = as_engine(self.engine).threads
        options.memory = self._memory()
        options.temporary_folder = self._folder()
        if corpus.without_class:
            log.warning(
                f"{corpus.without_class:,} tokens have no class: they are of one of their own"
            )
        return Estimate(_core.estimate_lm(corpus, options), of_classes=self.classes is not None)


def default_memory() -> int:
    """Half of the memory of this machine."""
    return machine_memory() // 2


def default_temporary_folder() -> str:
    """The folder for temporary files, as other programs choose it."""
    import tempfile

    return tempfile.gettempdir()


@dataclasses.dataclass(frozen=True)
class Discounts:
    """What is taken from n-grams of one order that were seen once, twice, and more often."""

    once: float
    twice: float
    more: float
    fallback: bool
    """Whether the counts gave none, as in small or artificial data, and fixed ones were taken."""


class Estimate:
    """An estimated model: n-grams that can be written as ARPA or turned into an `NgramLM`."""

    def __init__(self, native: _core.LmEstimate, *, of_classes: bool = False) -> None:
        self._native = native
        self._of_classes = of_classes
        self.discounts = [
            Discounts(found.amount[1], found.amount[2], found.amount[3], found.fallback)
            for found in native.discounts
        ]
        self.counts = list(native.counts)
        self.counts_unpruned = list(native.unpruned)
        self.used_files = native.used_files
        self._model: NgramLM | None = None

    def report(self) -> None:
        """Say what was estimated; fallback discounts are a warning."""
        for order, (count, before, discounts) in enumerate(
            zip(self.counts, self.counts_unpruned, self.discounts, strict=True), start=1
        ):
            of = f" of {before:,}" if before != count else ""
            log.info(
                f"{order}-grams: {count:,}{of}, discounts {discounts.once:.4f} "
                f"{discounts.twice:.4f} {discounts.more:.4f}"
            )
            # Classes are few and all of them frequent: no text has discounts for them as 1-grams.
            if discounts.fallback and not (self._of_classes and order == 1):
                log.warning(
                    f"too little or too regular text for the discounts of {order}-grams: "
                    f"fallback {discounts.once:g} {discounts.twice:g} {discounts.more:g} used"
                )

    def save_arpa(self, path: str | Path | None) -> None:
        """Write an ARPA file (gzip or xz by its suffix; None or ``-`` is standard output)."""
        write_arpa(self._native if self._model is None else self._model.native, path)

    def model(self) -> NgramLM:
        """The model for queries; it holds all n-grams in memory."""
        if self._model is None:
            self._model = NgramLM(self._native.take_model())
        return self._model
