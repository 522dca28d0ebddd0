"""Rules of a hierarchical model with those of a layer beside them: an index of corrections.

The rules of the layer are looked up for an input as those of the model are (`HieroIndex`); they
have the features of a layer besides. A sentence that was corrected as a whole is its correction.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tunesmith import _core
from tunesmith.decode.base import SourceText
from tunesmith.decode.chart_grammars import IndexedGrammars
from tunesmith.decode.sentence import SourceSentence
from tunesmith.engine import Engine
from tunesmith.features import GrammarTemplates
from tunesmith.formats.plf import Lattice
from tunesmith.grammar import HieroIndex, ScfgGrammar
from tunesmith.model.layer import LAYER_FEATURES

_PAIR, _WORDS = "layer.pair", "layer.words"


class LayeredGrammars(IndexedGrammars):
    """The rules of two indexes: the model's own and those of its layer."""

    def __init__(
        self,
        index: HieroIndex,
        layer: Path,
        model: _core.ChartModel,
        templates: GrammarTemplates | None,
    ) -> None:
        super().__init__(index, model, templates)
        self._names += LAYER_FEATURES
        self._layer = HieroIndex(layer)
        pairs = self._layer.meta.get("pairs", [])
        self._whole = {tuple(source): target for source, target, _ in pairs}

    def _rules(self, words: list[list[str] | Lattice], engine: Engine) -> ScfgGrammar:
        rules = super()._rules(words, engine)
        if self._whole:
            added = self._layer.text_rules(words, engine=engine).grammar()
            text = "".join(f"{line}\n" for line in layer_lines(added.lines()))
            rules.native.add(text.encode(), "layer", 1)
        return rules

    def remembered(self, sentences: SourceText) -> SourceText:
        """The sentences; what was corrected as a whole has its correction prescribed."""
        return [self._recalled(one) for one in sentences] if self._whole else sentences

    def _recalled(self, sentence: str | SourceSentence | Lattice) -> str | SourceSentence | Lattice:
        if isinstance(sentence, Lattice):
            return sentence
        if isinstance(sentence, str):
            sentence = SourceSentence.from_text(sentence)
        target = self._whole.get(tuple(sentence.words))
        if target is None or sentence.forced or sentence.forbidden:
            return sentence
        return SourceSentence(sentence.words, [(0, len(sentence.words), list(target))])


def layer_lines(lines: Iterator[str]) -> Iterator[str]:
    """Rules in cdec's format with the features of rules of a layer.

    >>> list(layer_lines(iter(["[X] ||| das [X,1] ||| the [X,1] ||| p=1 ||| 0-0"])))
    ['[X] ||| das [X,1] ||| the [X,1] ||| p=1 layer.pair=1 layer.words=1 ||| 0-0']
    """
    for line in lines:
        left, source, target, features, *rest = map(str.strip, line.split("|||"))
        words = len(_terminals(source.split()))
        own = f"{features} {_PAIR}=1 {_WORDS}={words}".strip()
        yield " ||| ".join([left, source, target, own, *rest])


def _terminals(symbols: Sequence[str]) -> list[str]:
    return [one for one in symbols if not (one.startswith("[X,") and one.endswith("]"))]
