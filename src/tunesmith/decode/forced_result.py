"""`ForcedResult`: what forced decoding found, as arrays that can travel and be joined."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.derivation import DerivationStep

# Why a pair was given up, by the core's number.
STOPS = ("", "length", "nodes", "time")


@dataclass(frozen=True, eq=False)
class ForcedResult:
    """What forced decoding found for each pair."""

    whole: npt.NDArray[np.bool_]
    """Whether the whole pair is reachable."""
    source_words: npt.NDArray[np.int32]
    """Source words of the pair or of its longest reachable prefix; 0 where there is none."""
    target_words: npt.NDArray[np.int32]
    """Target words of the same."""
    derivations: npt.NDArray[np.float64]
    """Number of derivations of the same; exact below 2^53."""
    stopped: list[str]
    """Why a pair was given up: '', 'length', 'nodes' or 'time'."""
    visited: npt.NDArray[np.int64]
    """Nodes that the search looked at."""
    nodes: npt.NDArray[np.int64]
    """Nodes of the gold lattice."""
    edges: npt.NDArray[np.int64]
    """Edges of the gold lattice."""
    prefixes: npt.NDArray[np.int64]
    """All reachable prefix pairs of pairs that are not reachable as a whole, if asked for.

    A row is (pair, source words, target words).
    """
    lattices: list[npt.NDArray[np.int64]]
    """The edges of every gold lattice, if they were kept: tail, head and the step."""

    @classmethod
    def of(cls, native: _core.ForcedResults, *, keep: bool) -> "ForcedResult":
        """All that the core found."""
        return cls(
            whole=np.asarray(native.whole(), bool),
            source_words=native.source_words(),
            target_words=native.target_words(),
            derivations=native.derivations(),
            stopped=[STOPS[stop] for stop in native.stopped()],
            visited=native.visited(),
            nodes=native.nodes(),
            edges=native.edges(),
            prefixes=native.prefixes(),
            lattices=[native.lattice(pair) for pair in range(len(native))] if keep else [],
        )

    @classmethod
    def joined(cls, parts: Sequence["ForcedResult"]) -> "ForcedResult":
        """The pairs of the first, then those of the second, and so on."""
        joined: dict[str, Any] = {}
        for item in fields(cls):
            values = [getattr(part, item.name) for part in parts]
            if isinstance(values[0], list):
                joined[item.name] = [one for value in values for one in value]
            else:
                joined[item.name] = np.concatenate(values)
        before = np.cumsum([0, *map(len, parts)])[:-1]
        shifts = np.repeat(before, [len(part.prefixes) for part in parts])
        joined["prefixes"][:, 0] += shifts
        return cls(**joined)

    def __len__(self) -> int:
        return len(self.whole)

    def all_derivations(self, pair: int) -> Iterator[list[DerivationStep]]:
        """Every derivation of a pair, phrase by phrase in target order; they may be very many."""
        rows: list[list[int]] = self.lattices[pair].tolist()
        if not rows:
            return
        into: dict[int, list[list[int]]] = {}
        for row in rows:
            into.setdefault(row[1], []).append(row)

        def walk(node: int) -> Iterator[list[DerivationStep]]:
            if node == 0:
                yield []
                return
            for tail, _, begin, end, target_begin, target_end, table, rule in into[node]:
                step = DerivationStep(begin, end, target_begin, target_end, table, rule)
                for before in walk(tail):
                    yield [*before, step]

        yield from walk(rows[-1][1])
