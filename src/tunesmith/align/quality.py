"""Alignment error rate, precision, recall and F against gold links (Och and Ney, 2003)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.formats.pharaoh import Links


@dataclass(frozen=True)
class AlignmentQuality:
    """How links compare with gold; all figures follow from four counts.

    >>> quality = AlignmentQuality(links=4, sure=3, links_sure=3, links_possible=4)
    >>> f"{quality.aer:.3f} {quality.precision:.3f} {quality.recall:.3f} {quality.f1:.3f}"
    '0.000 1.000 1.000 1.000'
    """

    #: Links of the system, A.
    links: int
    #: Sure links of the gold, S.
    sure: int
    #: A ∩ S.
    links_sure: int
    #: A ∩ P, where P has the sure and the possible links of the gold.
    links_possible: int

    @property
    def aer(self) -> float:
        """Alignment error rate: 1 − (#(A ∩ S) + #(A ∩ P)) / (#A + #S)."""
        total = self.links + self.sure
        return 1.0 - (self.links_sure + self.links_possible) / total if total else 0.0

    @property
    def precision(self) -> float:
        """#(A ∩ P) / #A; 1 without any link."""
        return self.links_possible / self.links if self.links else 1.0

    @property
    def recall(self) -> float:
        """#(A ∩ S) / #S; 1 without any sure link."""
        return self.links_sure / self.sure if self.sure else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def alignment_quality(links: Links, gold: Links) -> AlignmentQuality:
    r"""Compare links with gold; repeated links count once, "sure" wins over "possible".

    >>> from tunesmith.formats.pharaoh import parse_links
    >>> quality = alignment_quality(parse_links("0-0 1-1 2-2\n"), parse_links("0-0 1p1 3-3\n"))
    >>> f"{quality.aer:.3f} {quality.precision:.3f} {quality.recall:.3f}"
    '0.400 0.667 0.500'
    """
    if len(links) != len(gold):
        raise OptionError(
            f"links of {len(links)} sentence pairs and gold of {len(gold)}, expected equal numbers"
        )
    possible = _keys(gold)
    is_sure = gold.possible == 0 if len(gold.possible) else np.ones(len(possible), dtype=bool)
    sure, possible = np.unique(possible[is_sure]), np.unique(possible)
    found = np.unique(_keys(links))
    return AlignmentQuality(
        links=len(found),
        sure=len(sure),
        links_sure=int(np.isin(found, sure, assume_unique=True).sum()),
        links_possible=int(np.isin(found, possible, assume_unique=True).sum()),
    )


def _keys(links: Links) -> npt.NDArray[np.uint64]:
    """One number per link: sentence pair and positions (below 2^20 each, as the reader checks)."""
    ends = links.offsets.astype(np.int64)
    counts: npt.NDArray[np.int64] = ends[1:] - ends[:-1]
    pairs = np.repeat(np.arange(len(links), dtype=np.uint64), counts)
    key: npt.NDArray[np.uint64] = (pairs << np.uint64(40)) | (
        links.source.astype(np.uint64) << np.uint64(20)
    )
    return key | links.target.astype(np.uint64)
