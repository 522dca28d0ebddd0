"""`Aligner`: learns word links from parallel text and finds them in new text."""

import dataclasses
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np

from tunesmith import _core
from tunesmith.align.coverage import report_unused, unlinked, warn_unlinked
from tunesmith.align.em import Iterations, StepOptions, text_arrays, text_for_workers
from tunesmith.align.model import REMEDY, AlignmentModel, Direction, LinkOptions, TranslationLexicon
from tunesmith.align.symmetrise import METHODS
from tunesmith.base.array_file import contents_of
from tunesmith.base.config import from_mapping
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.progress import progress
from tunesmith.corpus import Bitext, Sentences
from tunesmith.engine import EngineLike, as_engine, engine_parameter
from tunesmith.formats.pharaoh import Links

#: A tokenised line, or its words.
Sentence: TypeAlias = str | Sequence[str]

# Sentence pairs that are aligned at a time where text comes as a stream.
STREAM_BLOCK = 4096


_SPACES = frozenset(" \t\n\v\f\r")


@dataclass(frozen=True)
class AlignmentIteration:
    """What one pass over the text found, before it changed the model."""

    model: str
    number: int
    #: Perplexity per target word given the source sentence, and the other way round.
    forward_perplexity: float
    reverse_perplexity: float


@dataclass
class Aligner:
    """Word alignment by IBM model 1, IBM model 2 on the diagonal, and the HMM, both directions.

    The default is model 1, then the HMM (Vogel et al., 1996) with a NULL word, the directions
    trained to agree (Liang et al., 2006), the HMM's lexicon by variational Bayes. The links are
    the same for any number of threads.

    >>> german = ["das haus", "das buch", "ein buch"] * 3
    >>> english = ["the house", "the book", "a book"] * 3
    >>> aligner = Aligner().fit(german, english)
    >>> aligner.align(["ein haus"], ["a house"])[0]
    [(0, 0), (1, 1)]
    """

    ibm1: int = parameter(5, "iterations of IBM model 1", at_least=0)
    ibm2: int = parameter(0, "iterations of IBM model 2 on the diagonal", at_least=0)
    hmm: int = parameter(5, "iterations of the HMM", at_least=0)
    agreement: bool = parameter(True, "train both directions to agree")
    smoothing: str = parameter(
        "variational",
        "how model 2 and the HMM turn counts into translation probabilities",
        choices=("none", "dirichlet", "variational"),
    )
    alpha: float = parameter(0.3, "parameter of the Dirichlet prior", above=0)
    null_probability: float = parameter(
        0.2, "prior probability that a word has no link", at_least=0, at_most=0.99
    )
    uniform_jumps: float = parameter(
        0.05, "share of the uniform distribution among the HMM's jumps", at_least=0, at_most=0.99
    )
    jump_reach: int = parameter(
        30, "longest jump with a probability of its own", at_least=1, at_most=1000
    )
    symmetrisation: str = parameter(
        "grow-diag", "how two directions become one", choices=("posterior", *METHODS)
    )
    threshold: float = parameter(
        0.45, "for 'posterior': links with a higher probability are taken", at_least=0, at_most=1
    )
    max_length: int = parameter(
        200, "sentence pairs with a longer side get no links", at_least=1, at_most=100_000
    )
    prune: float = parameter(
        1e-6,
        "after model 1, drop word pairs that are rarer in both directions (a probability)",
        at_least=0,
        at_most=1,
    )
    engine: EngineLike = engine_parameter()

    #: After `fit`: the model, and what every iteration found. Aligners are equal by their options.
    model_: AlignmentModel = field(init=False, repr=False, compare=False)
    history_: list[AlignmentIteration] = field(
        init=False, repr=False, compare=False, default_factory=list
    )

    def fit(
        self,
        source: Bitext | Iterable[Sentence],
        target: Iterable[Sentence] | None = None,
        *,
        quiet: bool = False,
    ) -> "Aligner":
        """Learn from parallel text: a `Bitext`, or two lists of tokenised sentences.

        With `quiet`, without a report of progress.
        """
        check_parameters(self)
        if self.ibm1 + self.ibm2 + self.hmm == 0:
            raise OptionError("ibm1, ibm2 and hmm are all 0, expected at least one iteration")
        text = self._bitext(source, target)
        engine = as_engine(self.engine)
        if not quiet and report_unused(text, self.max_length) == len(text):
            raise OptionError(f"none of {len(text):,} sentence pairs can be aligned")
        source_offsets, source_words, target_offsets, target_words = text_arrays(text)
        trainer = _core.AlignmentTrainer(
            source_offsets,
            source_words,
            len(text.source.vocabulary),
            target_offsets,
            target_words,
            len(text.target.vocabulary),
            self.max_length,
            engine.threads,
        )
        memory = trainer.memory(self.ibm1 > 0, self.agreement)
        log.log(
            logging.DEBUG if quiet else logging.INFO,
            f"aligning {len(text):,} sentence pairs, {trainer.distinct_pairs:,} distinct word "
            f"pairs: about {memory / 1e6:,.0f} MB beside the text",
        )
        trainer.start()
        self.history_ = []
        words = len(text.source.ids), len(text.target.ids)
        schedule = [("ibm1", self.ibm1), ("ibm2", self.ibm2), ("hmm", self.hmm)]
        with (
            nullcontext() if quiet else progress("aligning", sum(n for _, n in schedule)) as bar,
            text_for_workers(text, engine) as place,
        ):
            for model, count in schedule:
                if count == 0:
                    continue
                # Model 1 is convex: it needs no prior to find its way, and rare words need theirs.
                smoothing = "none" if model == "ibm1" else self.smoothing
                step = StepOptions(self.null_probability, self.agreement, smoothing, self.alpha)
                self._set_model(trainer, model)
                iterations = Iterations(
                    trainer, engine, model, step, self.max_length, len(text.source.vocabulary),
                    place,
                )  # fmt: skip
                for number in range(1, count + 1):
                    self._record(model, number, iterations.run(), words)
                    if bar is not None:
                        bar.advance()
                if model == "ibm1":
                    trainer.prune(self.prune)
        self.model_ = self._finish(trainer, text)
        return self

    def align(
        self, source: Bitext | Iterable[Sentence], target: Iterable[Sentence] | None = None
    ) -> Links:
        """The links of new text, or of the training text again; words may be new."""
        text = self._bitext(source, target, self._fitted())
        links = self._links(text)
        warn_unlinked(*unlinked(text, links, self.max_length))
        return links

    def align_blocks(
        self, pairs: Iterable[tuple[Sentence, Sentence]], *, block: int = STREAM_BLOCK
    ) -> Iterator[Links]:
        """The links of `block` pairs after the other, which alone are in memory."""
        model, rest = self._fitted(), iter(pairs)
        without = alignable = 0
        while part := list(islice(rest, block)):
            text = self._bitext([s for s, _ in part], [t for _, t in part], model)
            links = self._links(text)
            found = unlinked(text, links, self.max_length)
            without, alignable = without + found[0], alignable + found[1]
            yield links
        warn_unlinked(without, alignable)

    def align_stream(
        self, pairs: Iterable[tuple[Sentence, Sentence]], *, block: int = STREAM_BLOCK
    ) -> Iterator[list[tuple[int, int]]]:
        """The links of one pair after the other, `block` pairs in memory at a time."""
        for links in self.align_blocks(pairs, block=block):
            yield from links

    def save(self, path: str | Path) -> None:
        """Write the model whole: `load` gives an aligner with the same links."""
        dataclasses.replace(self._fitted(), links=self._link_options()).save(path)

    @classmethod
    def load(cls, path: str | Path) -> "Aligner":
        """An aligner from a file that `save` wrote."""
        model = AlignmentModel.load(path)
        with contents_of(path, "an alignment model", REMEDY):
            aligner = from_mapping({**model.training, **dataclasses.asdict(model.links)}, cls)
            check_parameters(aligner)
        aligner.model_ = model
        return aligner

    def _fitted(self) -> AlignmentModel:
        check_parameters(self)
        if not hasattr(self, "model_"):
            raise OptionError("the aligner has no model yet: call fit or load first")
        return self.model_

    def _links(self, text: Bitext) -> Links:
        """The links of a text whose words have the ids of the model."""
        return self._fitted().align(text, options=self._link_options(), engine=self.engine)

    def _link_options(self) -> LinkOptions:
        return LinkOptions(self.symmetrisation, self.threshold, self.max_length)

    def _bitext(
        self,
        source: Bitext | Iterable[Sentence],
        target: Iterable[Sentence] | None,
        model: AlignmentModel | None = None,
    ) -> Bitext:
        """Text as ids: of a new vocabulary, or of the model's, where new words stay unknown."""
        if isinstance(source, Bitext):
            if target is not None:
                raise OptionError("a bitext and a target, expected a bitext or two texts")
            same = model is None or (
                source.source.vocabulary is model.source_vocabulary
                and source.target.vocabulary is model.target_vocabulary
            )
            if same:
                return source
            lines: list[Iterable[Sentence]] = [source.source.lines(), source.target.lines()]
        elif target is None:
            raise OptionError("one text, expected a bitext or two texts")
        else:
            lines = [source, target]
        vocabularies = (
            (None, None) if model is None else (model.source_vocabulary, model.target_vocabulary)
        )
        sides = [
            Sentences.from_lines(
                map(_line, side), vocabulary=vocabulary, grow=model is None, engine=self.engine
            )
            for side, vocabulary in zip(lines, vocabularies, strict=True)
        ]
        return Bitext(*sides)

    def _set_model(self, trainer: _core.AlignmentTrainer, model: str) -> None:
        jump, first = _core.initial_jumps(self.jump_reach)
        start = _core.AlignmentDirection(
            model, self.null_probability, 4.0, jump, first, self.uniform_jumps
        )
        trainer.forward = start
        trainer.reverse = start

    def _record(
        self, model: str, number: int, found: tuple[float, float], words: tuple[int, int]
    ) -> None:
        source_words, target_words = words
        iteration = AlignmentIteration(
            model,
            number,
            float(np.exp(-found[0] / max(1, target_words))),
            float(np.exp(-found[1] / max(1, source_words))),
        )
        self.history_.append(iteration)
        log.debug(
            f"{model} {number}: perplexity {iteration.forward_perplexity:.3f} forward, "
            f"{iteration.reverse_perplexity:.3f} reverse"
        )

    def _finish(self, trainer: _core.AlignmentTrainer, text: Bitext) -> AlignmentModel:
        model = self.history_[-1].model
        names = ("engine", "symmetrisation", "threshold", "max_length")
        return AlignmentModel(
            source_vocabulary=text.source.vocabulary,
            target_vocabulary=text.target.vocabulary,
            forward=Direction.from_native(model, trainer.forward),
            reverse=Direction.from_native(model, trainer.reverse),
            lexicon=TranslationLexicon(*trainer.take_lexicon()),
            links=self._link_options(),
            training={
                item.name: getattr(self, item.name)
                for item in dataclasses.fields(self)
                if item.init and item.name not in names
            },
        )


def _line(sentence: Sentence) -> str:
    if isinstance(sentence, str):
        return sentence
    if any(word == "" or not _SPACES.isdisjoint(word) for word in sentence):
        raise OptionError(f"words {list(sentence)!r}, expected none that is empty or has a space")
    return " ".join(sentence)
