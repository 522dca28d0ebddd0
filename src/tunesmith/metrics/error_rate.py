"""Word and character error rates, counted natively and equal to jiwer's."""

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from tunesmith import _core
from tunesmith.metrics.base import Gain, Metric, Scorer
from tunesmith.metrics.preprocess import native_preprocess


class _ErrorRate(Metric):
    """Insertions, deletions and substitutions, per symbol of the reference."""

    higher_is_better = False
    characters: ClassVar[bool]

    def __init__(self, *, lowercase: bool = False) -> None:
        self.name = "cer" if self.characters else "wer"
        self.lowercase = lowercase

    @cached_property
    def gain(self) -> Gain:
        """The error rate, negated."""
        return _core.ErrorRateGain(True)

    def prepare(self, references: Sequence[Sequence[str]]) -> Scorer:
        """Mark the places of the references' symbols once."""
        return _core.ErrorRateScorer(
            references, self.characters, native_preprocess(lowercase=self.lowercase)
        )

    def signature(self, references: int = 1) -> str:
        """In the manner of sacreBLEU, which has no such metric."""
        parts = [f"nrefs:{references}", f"case:{'lc' if self.lowercase else 'mixed'}", "tok:jiwer"]
        return "|".join(parts)


class Wer(_ErrorRate):
    """Word error rate.

    Statistics: errors and reference length in words, of the reference with the fewest errors (of
    several such, the longest). As in jiwer, a word ends at a space or at any two white space
    characters, and errors against empty references all count.

    Parameters
    ----------
    lowercase
        Ignore case.

    Examples
    --------
    >>> Wer().corpus_score(["the cat sat dawn"], [["the cat sat down"]])
    25.0
    """

    characters = False


class Cer(_ErrorRate):
    """Character error rate: as `Wer`, on the characters of the text without its outer white space.

    Parameters
    ----------
    lowercase
        Ignore case.

    Examples
    --------
    >>> Cer().corpus_score(["the cat sat dawn"], [["the cat sat down"]])
    6.25
    """

    characters = True
