"""Decoders for the tuning loop: ours, or any command that prints n-best lists."""

import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.base.errors import OptionError, TunesmithError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.weights import Weights
from tunesmith.decode import Decoder, SourceSentence
from tunesmith.formats.nbest import read_nbest
from tunesmith.formats.weights import write_weights
from tunesmith.tune.base import AnyTuner
from tunesmith.tune.mira import SentenceGraphs
from tunesmith.tune.pool import PoolBuilder


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
    """Our own decoder on a dev set of tokenised sentences."""

    decoder: Decoder
    sentences: Sequence[str | SourceSentence]

    def kbest(
        self, weights: Weights, size: int, builder: PoolBuilder, folder: Path
    ) -> Sequence[str]:
        """Decode and add; nothing is written."""
        output = self.decoder.decode(self.sentences, weights, size=size)
        rows = np.repeat(np.arange(len(output)), np.diff(output.offsets))
        sparse, sparse_names = output.used_sparse()
        builder.add(rows, output.texts, output.features, output.names, sparse, sparse_names)
        return output.best()

    def graphs(self, weights: Weights, density: float, word_counts: Sequence[int]) -> GraphPool:
        """The search graphs, pruned to `density` edges per word if that is not 0."""
        return self.decoder.graphs(
            self.sentences, weights, density=density or None, word_counts=word_counts
        )

    @property
    def names(self) -> tuple[str, ...]:
        """All features of the graphs."""
        return tuple(self.decoder.all_names)

    def sentence_graphs(self) -> SentenceGraphs:
        """Graphs of single sentences, each on its caller's thread."""

        def graph(sentence: int, weights: Weights, density: float, words: int) -> GraphPool:
            return self.decoder.session(weights, threads=1).graphs(
                [self.sentences[sentence]], density=density or None, word_counts=[words]
            )

        return graph


@dataclass(frozen=True)
class CommandSource:
    """Any decoder that a shell command runs.

    ``{weights}``, ``{nbest}`` and ``{size}`` in the command become the file with the weights (in
    `weights_format`), the file where the command must leave its n-best list (any dialect that
    `read_nbest` knows), and the number of translations wanted.
    """

    command: str
    weights_format: str = "tsv"
    dialect: str = "auto"

    def kbest(
        self, weights: Weights, size: int, builder: PoolBuilder, folder: Path
    ) -> Sequence[str]:
        """Run the command and read its list."""
        for field in ("{weights}", "{nbest}"):
            if field not in self.command:
                raise OptionError(f"the decoder command has no {field}: {self.command}")
        weights_path, nbest_path = folder / "weights.in", folder / "nbest.out"
        nbest_path.unlink(missing_ok=True)
        write_weights(weights_path, weights, self.weights_format)
        command = (
            self.command.replace("{weights}", shlex.quote(str(weights_path)))
            .replace("{nbest}", shlex.quote(str(nbest_path)))
            .replace("{size}", str(size))
        )
        finished = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        if finished.returncode != 0 or not nbest_path.exists():
            lines = finished.stderr.strip().splitlines() or ["it said nothing"]
            what = (
                f"ended with exit code {finished.returncode}"
                if finished.returncode
                else "left no n-best list"
            )
            raise TunesmithError(f"the decoder command {what}: {lines[-1]} ({command})")
        builder.read(nbest_path, self.dialect)
        hypotheses = read_nbest(nbest_path, self.dialect)
        return [hypotheses.texts[row] for row in hypotheses.offsets[:-1]]
