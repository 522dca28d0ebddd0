"""Forced decoding: all derivations with which a model makes given translations, exactly.

Yu, Huang, Mi & Zhao (2013), Max-Violation Perceptron and Forced Decoding for Scalable MT
Training, section 2.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.parameters import fill_native, parameter
from tunesmith.base.progress import progress
from tunesmith.corpus import Bitext
from tunesmith.decode.output import Step
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.table_links import TableLinks
from tunesmith.decode.training_text import training_text
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.model import TranslationModel

LEAVE_OUT = {"none": "NOTHING", "own": "OWN", "singletons": "SINGLETONS"}
# Why a pair was given up, by the core's number.
STOPS = ("", "length", "nodes", "time")


@dataclass(frozen=True)
class ForcedOptions:
    """Limits of forced decoding, and the rules that a pair may not use."""

    distortion_limit: int = parameter(
        6, "longest jump in the source, in words; -1 means no limit (60 words)", at_least=-1
    )
    max_words: int = parameter(100, "longer source sentences are not tried", at_least=1)
    max_nodes: int = parameter(
        1_000_000, "a pair whose search needs more nodes is given up", at_least=1
    )
    time_limit: float = parameter(
        0.0, "seconds for a pair; 0: no limit, and results do not depend on the machine", at_least=0
    )
    min_prefix: int = parameter(
        5, "least source words of a reachable prefix; 0: only whole pairs", at_least=0
    )
    leave_out: str = parameter(
        "none",
        "rules that a pair may not use: none; own, those seen once and only in the pair; "
        "singletons, all that were seen once",
        choices=tuple(LEAVE_OUT),
    )

    def native(self) -> Any:
        """The core's form of the options."""
        options = _core.ForcedOptions()
        fill_native(self, options, without=("leave_out",))
        options.leave_out = getattr(_core.LeaveOut, LEAVE_OUT[self.leave_out])
        return options

    def memory(self, engine: EngineLike) -> int:
        """Bytes that the search takes at most on so many threads."""
        return int(_core.forced_memory(self.native())) * as_engine(engine).threads


class ForcedResult:
    """What forced decoding found for each pair, as arrays."""

    def __init__(self, native: Any) -> None:
        self._native = native

    def __len__(self) -> int:
        return len(self._native)

    @cached_property
    def whole(self) -> npt.NDArray[np.bool_]:
        """Whether the whole pair is reachable."""
        return np.asarray(self._native.whole(), bool)

    @cached_property
    def source_words(self) -> npt.NDArray[np.int32]:
        """Source words of the pair or of its longest reachable prefix; 0 where there is none."""
        return np.asarray(self._native.source_words())

    @cached_property
    def target_words(self) -> npt.NDArray[np.int32]:
        """Target words of the same."""
        return np.asarray(self._native.target_words())

    @cached_property
    def derivations(self) -> npt.NDArray[np.float64]:
        """Number of derivations of the same; exact below 2^53."""
        return np.asarray(self._native.derivations())

    @cached_property
    def stopped(self) -> list[str]:
        """Why a pair was given up: '', 'length', 'nodes' or 'time'."""
        return [STOPS[stop] for stop in self._native.stopped()]

    @cached_property
    def visited(self) -> npt.NDArray[np.int64]:
        """Nodes that the search looked at."""
        return np.asarray(self._native.visited())

    @cached_property
    def nodes(self) -> npt.NDArray[np.int64]:
        """Nodes of the gold lattice."""
        return np.asarray(self._native.nodes())

    @cached_property
    def edges(self) -> npt.NDArray[np.int64]:
        """Edges of the gold lattice."""
        return np.asarray(self._native.edges())

    @cached_property
    def prefixes(self) -> npt.NDArray[np.int64]:
        """All reachable prefix pairs of pairs that are not reachable as a whole, if asked for.

        A row is (pair, source words, target words).
        """
        return np.asarray(self._native.prefixes())

    def all_derivations(self, pair: int) -> Iterator[list[Step]]:
        """Every derivation of a pair, phrase by phrase in target order; they may be very many."""
        rows: list[list[int]] = self._native.lattice(pair).tolist()
        if not rows:
            return
        into: dict[int, list[list[int]]] = {}
        for row in rows:
            into.setdefault(row[1], []).append(row)

        def walk(node: int) -> Iterator[list[Step]]:
            if node == 0:
                yield []
                return
            for tail, _, *step in into[node]:
                for before in walk(tail):
                    yield [*before, Step(*step)]

        yield from walk(rows[-1][1])


class ForcedDecoder:
    """Finds all derivations of given translations; native, on the engine's threads.

    Parameters
    ----------
    model
        Its tables are used; its weights are not.
    options
        Limits and rules to leave out.
    engine
        All cores by default; results do not depend on it.
    """

    def __init__(
        self,
        model: TranslationModel,
        options: ForcedOptions | None = None,
        *,
        engine: EngineLike = ALL_CORES,
    ) -> None:
        self.model = model
        self.options = options or ForcedOptions()
        self.engine = as_engine(engine)
        self._native = PhraseDecoder(model).native

    def run(
        self,
        pairs: Bitext,
        links: TableLinks = None,
        *,
        keep: bool = False,
        list_prefixes: bool = False,
    ) -> ForcedResult:
        """Search every pair of tokenised sentences; lattices stay in memory when `keep` is set.

        With `list_prefixes` the result knows all reachable prefix pairs, not the longest alone.
        `links` are those that each table of the model was extracted from: they tell exactly which
        of its rules are a pair's own (``leave_out="own"``). Without them every rule that its table
        has seen once and whose words stand in both sentences is taken for one.
        """
        text = training_text(self.model, pairs, links)
        options = self.options.native()
        options.list_prefixes = list_prefixes
        with progress("forced decoding", len(pairs)) as bar:
            return ForcedResult(
                _core.force_pairs(
                    self._native,
                    text,
                    options,
                    keep,
                    self.engine.threads,
                    bar.advance,
                )
            )
