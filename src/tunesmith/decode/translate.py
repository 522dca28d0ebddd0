"""`Translator`: running text in and out, with n-best lists and explanations."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tunesmith.base.explanation import Explanation
from tunesmith.base.weights import Weights
from tunesmith.decode.base import ModelDecoder
from tunesmith.decode.explaining import explain
from tunesmith.decode.markup import parse_markup
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.sentence import SourceSentence, split
from tunesmith.decode.want import KBest
from tunesmith.graph.search import check_size

# Lines translated at a time: enough to keep all threads busy, few enough to answer soon.
BLOCK_LINES = 256
# Translations listed at a time: fewer lines, where the lists are long.
BLOCK_TRANSLATIONS = 100_000


@dataclass(frozen=True)
class Block:
    """Some consecutive sentences and what became of them."""

    first: int
    """The number of the first sentence, from 0."""
    sources: list[SourceSentence]
    output: DecoderOutput
    texts: list[str]
    decoder: ModelDecoder
    weights: Weights

    def nbest_lines(self) -> Iterator[str]:
        """The k-best lists in Moses' format: tokenised, every feature in a block of its own."""
        for number in range(len(self.output)):
            for derivation in self.output.derivations(number):
                features = derivation.features.items()
                values = " ".join(f"{name}= {value:.7g}" for name, value in features)
                # The format has no way to say this word; Moses' own escape for it is read by all.
                words = derivation.text.split(" ")
                text = " ".join("&#124;&#124;&#124;" if w == "|||" else w for w in words)
                yield (f"{self.first + number} ||| {text} ||| {values} ||| {derivation.score:.7g}")

    def explanation(self, number: int) -> Explanation:
        """How the best translation of a sentence came about."""
        return explain(
            self.output.derivation(int(self.output.offsets[number])),
            self.decoder,
            self.weights,
            self.sources[number],
            self.texts[number],
            self.first + number,
        )


class Translator:
    """Translates lines with a model's own preprocessing.

    Parameters
    ----------
    decoder
        The decoder, with its model.
    weights
        Other weights than the model's.
    markup
        Whether tags in the input are instructions (`parse_markup`).
    pretokenised
        Whether input and output are the model's tokens instead of running text.
    size, distinct
        How many translations of a sentence are listed, and whether only distinct ones.
    graph_density
        Keep the search graphs too, with this many edges per word; ``inf`` keeps all edges.
    """

    def __init__(
        self,
        decoder: ModelDecoder,
        *,
        weights: Weights | None = None,
        markup: bool = False,
        pretokenised: bool = False,
        size: int = 1,
        distinct: bool = True,
        graph_density: float | None = None,
    ) -> None:
        self.decoder = decoder
        self.weights = decoder.model.weights if weights is None else weights
        self._session = decoder.session(self.weights)
        self.markup, self.pretokenised = markup, pretokenised
        check_size(size)
        self.size, self.distinct = size, distinct
        self.graph_density = graph_density

    def translate(self, lines: list[str]) -> list[str]:
        """The best translation of every line."""
        return [text for block in self.stream(lines) for text in block.texts]

    def stream(self, lines: list[str], path: object = "<input>") -> Iterator[Block]:
        """Translate a sequence of lines, a block at a time."""
        return self.stream_blocks([lines], path)

    def stream_blocks(
        self, blocks: Iterable[list[str]], path: object = "<input>"
    ) -> Iterator[Block]:
        """Translate lines as they come; a long block is cut, so that answers come soon."""
        first, step = 0, max(1, min(BLOCK_LINES, BLOCK_TRANSLATIONS // self.size))
        for lines in blocks:
            for begin in range(0, len(lines), step):
                block = lines[begin : begin + step]
                yield self._block(block, first, path)
                first += len(block)

    def _block(self, lines: list[str], first: int, path: object) -> Block:
        source, target = self.decoder.model.preprocessors
        if self.markup:
            sentences = [
                self._with_markup(line, path, first + number)
                for number, line in enumerate(lines, 1)
            ]
        else:
            tokens = lines if self.pretokenised else source.encode(lines)
            sentences = [SourceSentence.from_text(line) for line in tokens]
        output = self._session.decode(
            sentences, KBest(self.size, self.distinct, self.graph_density)
        )
        best = output.best()
        texts = best if self.pretokenised else target.decode(best)
        return Block(first, sentences, output, texts, self.decoder, self.weights)

    def _with_markup(self, line: str, path: object, number: int) -> SourceSentence:
        """Instructions are found in the raw line; the text between tags is preprocessed."""
        sentence = parse_markup(line, path, number)
        if self.pretokenised:
            return sentence
        source, target = self.decoder.model.preprocessors
        return sentence.encoded(
            lambda text: split(source.encode([text])[0]),
            lambda text: split(target.encode([text])[0]),
        )
