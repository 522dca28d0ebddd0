"""`ChartSession`: chart searches under the same weights."""

from collections.abc import Iterator, Sequence

from tunesmith import _core
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.decode.base import Session, SourceText
from tunesmith.decode.chart_grammars import ChartGrammars
from tunesmith.decode.chart_output import ChartOutput
from tunesmith.decode.layered_grammars import LayeredGrammars
from tunesmith.decode.session_parts import graph_pool, native_density, native_sentence
from tunesmith.decode.want import BEST, Graphs, KBest
from tunesmith.engine import Engine
from tunesmith.model import TranslationModel
from tunesmith.model.search import SearchOptions


class ChartSession(Session):
    """Searches of a `ChartDecoder` under fixed weights and limits.

    `native` is the core's session with these weights; `grammars` are where rules come from.
    """

    def __init__(
        self,
        model: TranslationModel,
        native: _core.ChartSession,
        grammars: ChartGrammars,
        search: SearchOptions,
        *,
        engine: Engine,
    ) -> None:
        self.model, self.search, self.engine = model, search, engine
        self._grammars, self._native = grammars, native

    def lists(
        self, sentences: SourceText, want: KBest, targets: Sequence[list[str]] = ()
    ) -> ChartOutput:
        """Translate, as `Session.decode` does; with `targets`, into these words exactly."""
        density = native_density(want.graph_density, none=-1.0)
        found = self._search(*self._with_rules(sentences, targets), want, density, (), targets)
        output = ChartOutput.of_model(found, self.model)
        if want.graph_density is not None:
            output.graphs = self._pool(found)
        return output

    def parts(self, sentences: SourceText, want: KBest, size: int) -> Iterator[ChartOutput]:
        """`lists` of some sentences after the others, with rules that are looked up once."""
        sentences, grammars = self._with_rules(sentences)
        for begin in range(0, max(len(sentences), 1), size):
            some = slice(begin, begin + size)
            own = grammars if len(grammars) == 1 else grammars[some]
            yield ChartOutput.of_model(self._search(sentences[some], own, want), self.model)

    def graphs(
        self, sentences: SourceText, want: Graphs, targets: Sequence[list[str]] = ()
    ) -> GraphPool:
        """The search spaces, as `Session.decode` gives them; with `targets`, as `lists` does."""
        density, words = native_density(want.density, none=0.0), want.word_counts or ()
        found = self._search(*self._with_rules(sentences, targets), BEST, density, words, targets)
        return self._pool(found)

    def _pool(self, found: _core.Translations) -> GraphPool:
        names = found.graph_names
        return graph_pool(
            found.graphs(), self.model, None if names is None else Vocabulary.of_native(names)
        )

    def _with_rules(
        self, sentences: SourceText, targets: Sequence[list[str]] = ()
    ) -> tuple[SourceText, list[_core.LoadedGrammar]]:
        """The sentences as they are searched, and their grammars: one for all, or one for each."""
        if isinstance(self._grammars, LayeredGrammars) and not targets:
            sentences = self._grammars.remembered(sentences)
        return sentences, self._grammars(sentences, self.engine)

    def _search(
        self,
        sentences: SourceText,
        grammars: list[_core.LoadedGrammar],
        want: KBest,
        density: float = -1.0,
        word_counts: Sequence[int] = (),
        targets: Sequence[list[str]] = (),
    ) -> _core.Translations:
        return _core.decode_chart(
            self._native,
            grammars,
            [native_sentence(sentence, self.search, self.model) for sentence in sentences],
            want.size,
            want.distinct,
            self.engine.threads,
            density,
            list(word_counts),
            list(targets),
        )
