"""`Translator`: running text in and out, with n-best lists and explanations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import overload

from tunesmith.base.errors import InputError, OptionError, in_part
from tunesmith.base.explanation import Explanation
from tunesmith.base.weights import Weights
from tunesmith.corpus.lines import split
from tunesmith.decode.base import ModelDecoder, Session
from tunesmith.decode.chart_output import ChartOutput
from tunesmith.decode.explaining import explain
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.protection import with_units
from tunesmith.decode.reading import SentenceReader
from tunesmith.decode.search_output import SearchOutput
from tunesmith.decode.sentence import SourceSentence
from tunesmith.decode.terms import Terms
from tunesmith.decode.want import KBest
from tunesmith.decode.writer import running_texts
from tunesmith.formats.accelerators import Accelerator, take_from_line, with_accelerator
from tunesmith.formats.plf import Lattice
from tunesmith.graph.search import check_size
from tunesmith.model import TranslationModel

# Lines that a memory translates at a time: enough to keep all threads busy, few enough to answer
# soon.
BLOCK_LINES = 256
# Translations listed at a time: fewer lines, where the lists are long.
BLOCK_TRANSLATIONS = 100_000


@dataclass(frozen=True)
class Block:
    """Some consecutive sentences and what became of them."""

    first: int
    """The number of the first sentence, from 0."""
    sources: Sequence[SourceSentence | Lattice]
    output: DecoderOutput
    texts: list[str]
    decoder: ModelDecoder
    weights: Weights

    def nbest_lines(self) -> Iterator[str]:
        """The k-best lists in Moses' format: tokenised, every feature in a block of its own."""
        for number, source in enumerate(self.sources):
            begin, end = map(int, self.output.offsets[number : number + 2])
            for row in range(begin, end):
                derivation, text = self.output.derivation(row), self.output.texts[row]
                if isinstance(source, SourceSentence) and (source.written or source.terms):
                    text = " ".join(with_units(source, self.output.steps(row), split(text)))
                features = derivation.features.items()
                values = " ".join(f"{name}= {value:.7g}" for name, value in features)
                # The format has no way to say this word; Moses' own escape for it is read by all.
                words = text.split(" ")
                text = " ".join("&#124;&#124;&#124;" if w == "|||" else w for w in words)
                yield (f"{self.first + number} ||| {text} ||| {values} ||| {derivation.score:.7g}")

    def explanation(self, number: int, rank: int = 0, text: str | None = None) -> Explanation:
        """How a translation of a sentence came about, the best one unless another `rank` is given.

        Of a lattice, that of the way it took. `text` is the translation, where it is known.
        """
        row = int(self.output.offsets[number]) + rank
        if text is None:
            text = self.texts[number] if rank == 0 else self.running_texts(number)[rank]
        return explain(
            self.output.derivation(row),
            self.decoder,
            self.weights,
            self.source(number, rank),
            text,
            self.first + number,
        )

    def source(self, number: int, rank: int = 0) -> SourceSentence:
        """What was translated: a sentence, or the way that a translation took in a lattice."""
        source = self.sources[number]
        if isinstance(source, Lattice):
            assert isinstance(self.output, ChartOutput)
            row = int(self.output.offsets[number]) + rank
            return SourceSentence([arc.word for arc in self.output.path(row, source)])
        return source

    def running_texts(self, number: int) -> list[str]:
        """All translations of a sentence that are listed, best first, as people read them."""
        begin, end = map(int, self.output.offsets[number : number + 2])
        rows = [(self.sources[number], row) for row in range(begin, end)]
        return running_texts(self.decoder.model, self.output, rows)


class Translator:
    """Translates lines with a model's own preprocessing.

    ``Translator("model").translate("Das ist gut.")`` is all that a script needs.

    Parameters
    ----------
    model
        A model directory, a model that is open, or a decoder with its model.
    weights
        Other weights than the model's.
    session
        One of the decoder's under these weights, if there is one that is warm.
    input_type, markup, markdown, protect, pretokenised, terms
        As `SentenceReader` takes them; with `pretokenised` the output is the model's tokens too.
    size, distinct
        How many translations of a sentence are listed, and whether only distinct ones.
    graph_density
        Keep the search graphs too, with this many edges per word; ``inf`` keeps all edges.
    """

    def __init__(
        self,
        model: "ModelDecoder | TranslationModel | str | Path",
        *,
        weights: Weights | None = None,
        session: Session | None = None,
        input_type: str = "text",
        markup: bool = False,
        markdown: bool = False,
        protect: bool = False,
        pretokenised: bool = False,
        terms: Terms | None = None,
        size: int = 1,
        distinct: bool = True,
        graph_density: float | None = None,
    ) -> None:
        decoder = self.decoder = _decoder(model)
        if weights is not None and not isinstance(weights, Mapping):
            raise OptionError(f"weights is {_shown(weights)}, expected numbers by features' names")
        if terms is not None and not isinstance(terms, Terms):
            raise OptionError(f"terms is {_shown(terms)}, expected Terms")
        self.weights = decoder.model.weights if weights is None else weights
        self._session = session or decoder.session(self.weights)
        self.reader = SentenceReader(
            decoder,
            input_type,
            markup=markup,
            markdown=markdown,
            protect=protect,
            pretokenised=pretokenised,
            terms=terms,
        )
        check_size(size)
        self.size, self.distinct = size, distinct
        self.graph_density = graph_density
        self.sentences = self.glued = self.timed_out = 0
        """So many were translated, so many of them with glue rules, so many ran out of time."""

    def with_terms(self, terms: Terms | None) -> "Translator":
        """The same with other terms; what searches have prepared serves both."""
        other = copy(self)
        other.reader = self.reader.with_terms(terms)
        other.sentences = other.glued = other.timed_out = 0
        return other

    @overload
    def translate(self, text: str) -> str: ...

    @overload
    def translate(self, text: list[str] | tuple[str, ...]) -> list[str]: ...

    def translate(self, text: str | list[str] | tuple[str, ...]) -> str | list[str]:
        """The best translation of a text, line by line, or of every line of a list."""
        if isinstance(text, str):
            return "\n".join(self.translate(text.split("\n")))
        return [done for block in self.stream(_checked(text)) for done in block.texts]

    def stream(self, lines: list[str], path: object = "<input>", first: int = 0) -> Iterator[Block]:
        """Translate a sequence of lines, a block at a time; `first` is the first one's number."""
        return self.stream_blocks([lines], path, first)

    def stream_blocks(
        self, blocks: Iterable[list[str]], path: object = "<input>", first: int = 0
    ) -> Iterator[Block]:
        """Translate lines as they come; a long block is cut, so that answers come soon."""
        step = self.block_lines
        for lines in _gathered(blocks, step) if self.decoder.engine.workers > 1 else blocks:
            for begin in range(0, len(lines), step):
                block = lines[begin : begin + step]
                yield self._block(block, first, path)
                first += len(block)

    @property
    def block_lines(self) -> int:
        """So many lines are translated at a time."""
        lines = max(1, min(BLOCK_LINES, BLOCK_TRANSLATIONS // self.size))
        return lines * self.decoder.engine.workers

    def report(self) -> Iterator[str]:
        """What is to be said of the sentences that were translated."""
        of = f"of {self.sentences:,} sentences"
        if self.glued:
            yield f"{self.glued:,} {of} are not parsed by the grammar alone: glue joined parts"
        if self.timed_out:
            yield f"{self.timed_out:,} {of} ran out of time: the rest of them was done greedily"

    def _block(self, lines: list[str], first: int, path: object) -> Block:
        labels: list[tuple[str, Accelerator | None]] = []
        if self.reader.input_type == "text" and not self.reader.pretokenised:
            labels = [take_from_line(line) for line in lines]
            lines = [line for line, _ in labels]
        sentences = self.reader.read(lines, path, first)
        want = KBest(self.size, self.distinct, self.graph_density)
        try:
            output = self._session.decode(sentences, want)
        except OptionError:
            self._blame_lattice(sentences, path, first)
            raise
        self.sentences += len(output)
        if isinstance(output, SearchOutput):
            self.timed_out += int(output.timed_out.sum())
        if isinstance(output, ChartOutput):
            self.glued += int(output.glued.sum())
        if self.reader.pretokenised:
            texts = output.best()
        else:
            first_rows = zip(sentences, output.offsets.tolist(), strict=False)
            texts = running_texts(self.decoder.model, output, list(first_rows))
        for number, (_, accelerator) in enumerate(labels):
            if accelerator:
                texts[number] = with_accelerator(texts[number], accelerator)
        return Block(first, sentences, output, texts, self.decoder, self.weights)

    def _blame_lattice(
        self, sentences: Sequence[SourceSentence | Lattice], path: object, first: int
    ) -> None:
        """Say which lattice it was that cannot be translated."""
        for number, sentence in enumerate(sentences, first + 1):
            if isinstance(sentence, Lattice):
                try:
                    self._session.decode([sentence])
                except OptionError as error:
                    raise InputError(path, number, str(error)) from error


def _decoder(model: "ModelDecoder | TranslationModel | str | Path") -> ModelDecoder:
    if isinstance(model, ModelDecoder):
        return model
    if isinstance(model, str | Path):
        model = TranslationModel.load(model)
    if not isinstance(model, TranslationModel):
        raise OptionError(f"model is {_shown(model)}, expected a model directory")
    return open_decoder(model)


def _checked(lines: object) -> list[str]:
    """Lines to translate, if they are."""
    if isinstance(lines, bytes | bytearray | Mapping) or not isinstance(lines, Iterable):
        raise OptionError(f"text is {_shown(lines)}, expected a string or a list of strings")
    texts = list(lines)
    for number, line in enumerate(texts, 1):
        if not isinstance(line, str):
            raise OptionError(f"text {number} is {_shown(line)}, expected a string")
        if "\n" in line or "\0" in line:
            found = "a line end" if "\n" in line else "a NUL character"
            raise OptionError(f"text {number} has {found} in it, expected one line")
    return texts


def _shown(value: object) -> str:
    return f"{in_part(repr(value))} ({type(value).__name__})"


def _gathered(blocks: Iterable[list[str]], size: int) -> Iterator[list[str]]:
    """At least so many lines at a time, but for the last ones: work for all workers."""
    held: list[str] = []
    for block in blocks:
        held += block
        if len(held) >= size:
            yield held
            held = []
    yield held
