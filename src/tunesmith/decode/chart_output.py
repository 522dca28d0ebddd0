"""`ChartOutput`: what chart search gives back; derivations are trees."""

from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tunesmith.base.derivation import Derivation, DerivationStep
from tunesmith.decode.search_output import SearchOutput
from tunesmith.formats.plf import Arc, Lattice


class ChartOutput(SearchOutput):
    """Translations with the rules that made them, one inside the other."""

    @property
    def glued(self) -> npt.NDArray[np.bool_]:
        """[sentences] whether glue rules were needed: no rule of the grammar spans all of it."""
        return self.native.work()[:, 5].astype(bool)

    def path(self, row: int, lattice: Lattice) -> tuple[Arc, ...]:
        """The way through a lattice that the translation in `row` took."""
        arcs = [arc for _, arc in lattice.arcs()]
        offsets, taken = self._paths
        return tuple(arcs[i] for i in taken[offsets[row] : offsets[row + 1]].tolist())

    @cached_property
    def _paths(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        return self.native.paths()

    def derivation(self, row: int) -> Derivation:
        """How the translation in `row` was made."""
        flat = super().derivation(row)
        return Derivation(flat.text, flat.score, flat.features, nested(flat.steps))


def nested(steps: tuple[DerivationStep, ...]) -> tuple[DerivationStep, ...]:
    """Steps that come behind those in their gaps, as a tree.

    >>> parts = [(0, 1, 2, 3, 0, 5), (2, 3, 0, 1, 0, 6), (0, 3, 0, 3, 0, 7)]
    >>> [tree] = nested(tuple(DerivationStep(*part) for part in parts))
    >>> [child.rule for child in tree.children]
    [6, 5]
    """
    roots: list[DerivationStep] = []
    for step in steps:
        inside = len(roots)
        while (
            inside > 0
            and step.begin <= roots[inside - 1].begin
            and roots[inside - 1].end <= step.end
        ):
            inside -= 1
        children = sorted(roots[inside:], key=lambda child: child.target_begin)
        del roots[inside:]
        roots.append(replace(step, children=tuple(children)))
    return tuple(sorted(roots, key=lambda root: root.target_begin))
