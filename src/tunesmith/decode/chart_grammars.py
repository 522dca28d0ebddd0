"""Where a chart has its rules from: a grammar, or an index of the training text."""

from collections.abc import Callable, Sequence

from tunesmith import _core
from tunesmith.corpus.lines import split
from tunesmith.decode.base import SourceText
from tunesmith.decode.sentence import SourceSentence
from tunesmith.engine import Engine
from tunesmith.features import GrammarTemplates
from tunesmith.formats.plf import Lattice
from tunesmith.grammar import HieroIndex, ScfgGrammar

#: The grammars for some sentences: one for all of them, or one for each.
ChartGrammars = Callable[[SourceText, Engine], list[_core.LoadedGrammar]]


def loaded_grammar(
    grammar: ScfgGrammar,
    model: _core.ChartModel,
    names: Sequence[str],
    templates: GrammarTemplates | None,
) -> _core.LoadedGrammar:
    """A grammar that a chart can be filled with, its rules with the features of `templates`."""
    sparse = None if templates is None else templates.features(grammar)
    return _core.LoadedGrammar(grammar.native, model, list(names), sparse)


class GivenGrammars:
    """Grammars that are there before the sentences are."""

    def __init__(
        self,
        grammars: Sequence[ScfgGrammar],
        model: _core.ChartModel,
        names: Sequence[str],
        templates: GrammarTemplates | None,
    ) -> None:
        self._loaded = [loaded_grammar(one, model, names, templates) for one in grammars]

    def __call__(self, sentences: SourceText, engine: Engine) -> list[_core.LoadedGrammar]:
        """The same for all."""
        return self._loaded


def input_words(sentence: str | SourceSentence | Lattice) -> list[str] | Lattice:
    """What rules are looked up for."""
    if isinstance(sentence, Lattice):
        return sentence
    return split(sentence) if isinstance(sentence, str) else sentence.words


class IndexedGrammars:
    """The rules of an index for the sentences that are searched; the last ones found are kept.

    A loop that decodes its dev set again and again looks them up once.
    """

    def __init__(
        self, index: HieroIndex, model: _core.ChartModel, templates: GrammarTemplates | None
    ) -> None:
        self._index, self._model, self._templates = index, model, templates
        self._names = list(index.features)
        self._last: tuple[list[list[str] | Lattice], list[_core.LoadedGrammar]] = ([], [])

    def __call__(self, sentences: SourceText, engine: Engine) -> list[_core.LoadedGrammar]:
        """One grammar with the rules of all of them."""
        words = [input_words(one) for one in sentences]
        known, loaded = self._last
        if not loaded or words != known:
            rules = self._rules(words, engine)
            loaded = [loaded_grammar(rules, self._model, self._names, self._templates)]
            self._last = words, loaded
        return loaded

    def _rules(self, words: list[list[str] | Lattice], engine: Engine) -> ScfgGrammar:
        return self._index.text_rules(words, engine=engine).grammar()
