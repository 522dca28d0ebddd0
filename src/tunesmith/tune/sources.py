"""What a tuning loop takes from a decoder."""

from collections.abc import Sequence
from dataclasses import dataclass

from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.weights import Weights
from tunesmith.decode import Decoder, Graphs, KBest
from tunesmith.decode.base import SourceText
from tunesmith.tune.base import AnyTuner
from tunesmith.tune.pool import PoolBuilder
from tunesmith.tune.turns import SentenceGraphs


def check_features(tuner: AnyTuner, *, sparse: bool) -> None:
    """Refuse a tuner that takes dense features only where the model has sparse ones."""
    if tuner.dense_only and sparse:
        raise OptionError(
            f"{tuner.name} searches along single features and takes dense ones only, but the model "
            "has sparse features; take a smaller feature set (--features medium) or kb-mira, pro, "
            "risk, svm or ramp"
        )


@dataclass(frozen=True)
class DecoderSource:
    """Any decoder on a dev set of tokenised sentences."""

    decoder: Decoder
    sentences: SourceText

    def kbest(self, weights: Weights, size: int, builder: PoolBuilder) -> Sequence[str]:
        """Decode and add."""
        output = self.decoder.decode(self.sentences, weights, KBest(size))
        sparse, sparse_names = output.used_sparse()
        builder.add(
            output.rows(), output.texts, output.features, output.names, sparse, sparse_names
        )
        return output.best()

    @property
    def names(self) -> tuple[str, ...] | None:
        """All features, dense ones first; None where the decoder does not know them before."""
        names = self.decoder.all_names
        return None if names is None else tuple(names)

    @property
    def graph_source(self) -> "DecoderGraphs | None":
        """The same decoder's search graphs, where it gives any."""
        if not self.decoder.gives_graphs:
            return None
        return DecoderGraphs(self.decoder, self.sentences, self.names, self.decoder.names)


@dataclass(frozen=True)
class DecoderGraphs:
    """The search graphs of a decoder on a dev set."""

    decoder: Decoder
    sentences: SourceText
    names: tuple[str, ...] | None
    """All features, dense ones first; None where the decoder does not know them before."""
    dense_names: tuple[str, ...]

    def graphs(self, weights: Weights, density: float, word_counts: Sequence[int]) -> GraphPool:
        """The search graphs, pruned to `density` edges per word if that is not 0."""
        return self.decoder.decode(
            self.sentences, weights, want=Graphs(density or None, word_counts)
        )

    def sentence_graphs(self) -> SentenceGraphs:
        """Graphs of single sentences, each on its caller's thread."""

        def graph(sentence: int, weights: Weights, density: float, words: int) -> GraphPool:
            return self.decoder.session(weights, engine=1).decode(
                [self.sentences[sentence]], Graphs(density or None, [words])
            )

        return graph
