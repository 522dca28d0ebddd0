"""What a decoder gives back: translations of all sentences as arrays, derivations on demand."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tunesmith.base.derivation import Derivation, DerivationStep
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool

SparseArrays = tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.float32]]


class DecoderOutput:
    """Translations, best first, of every sentence.

    Sentence s owns the rows ``offsets[s]`` to ``offsets[s + 1]`` of `texts`, `scores` and
    `features` (the dense ones, in the order of `names`); every sentence has at least one, unless
    its translation was prescribed.
    """

    def __init__(
        self,
        offsets: npt.NDArray[np.int64],
        texts: Sequence[str],
        scores: npt.NDArray[np.float64],
        features: npt.NDArray[np.floating],
        names: Sequence[str],
        sparse: SparseArrays | None = None,
        sparse_names: Sequence[str] = (),
    ) -> None:
        self.offsets, self.texts, self.scores = offsets, texts, scores
        self.features, self.names = features, tuple(names)
        self._used_sparse = sparse, list(sparse_names)
        self.graphs: GraphPool | None = None
        """The search graphs, where they were asked for."""

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    def rows(self) -> npt.NDArray[np.int64]:
        """[translations] the sentence of each."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def used_sparse(self) -> tuple[SparseArrays, list[str]]:
        """Sparse features: offsets [rows + 1], ids, values; and the names of these ids."""
        sparse, names = self._used_sparse
        if sparse is None:
            count = len(self.texts)
            sparse = np.zeros(count + 1, np.int64), np.empty(0, np.uint32), np.empty(0, np.float32)
        return sparse, names

    def best(self) -> list[str]:
        """The best translation of every sentence."""
        return [self.texts[row] for row in self.offsets[:-1]]

    def steps(self, row: int) -> Sequence[DerivationStep]:
        """The rules that made the translation in `row`, in no nested order."""
        return self.derivation(row).steps

    def has_copies(self, row: int) -> bool:
        """Whether words of the translation in `row` are copied or prescribed."""
        return False

    def derivation(self, row: int) -> Derivation:
        """How the translation in `row` was made, if the decoder tells."""
        raise OptionError("this decoder does not tell how its translations were made")

    def derivations(self, sentence: int) -> Iterator[Derivation]:
        """All derivations of a sentence, best first."""
        return map(self.derivation, range(self.offsets[sentence], self.offsets[sentence + 1]))
