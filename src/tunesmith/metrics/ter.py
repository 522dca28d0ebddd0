"""TER (Snover et al. 2006), counted natively and equal to sacreBLEU's."""

from collections.abc import Sequence
from functools import cached_property

from tunesmith import _core
from tunesmith.metrics.base import Gain, Metric, Scorer, sacrebleu_version
from tunesmith.metrics.preprocess import native_preprocess


class Ter(Metric):
    """Translation edit rate: edits and shifts of blocks of words, per reference word.

    Statistics: the fewest edits to any reference, and the average reference length, both times the
    number of references so that they are whole numbers. The gain is the rate negated.

    Parameters
    ----------
    normalized, no_punct, asian_support, case_sensitive
        As in sacreBLEU (and Tercom before it): separate punctuation and decode XML escapes; drop
        punctuation; treat Chinese and Japanese characters specially under these two; keep case.

    Examples
    --------
    >>> Ter().corpus_score(["sat down the cat"], [["the cat sat down"]])
    25.0
    """

    higher_is_better = False

    def __init__(
        self,
        *,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self.name = "ter"
        self.normalized = normalized
        self.no_punct = no_punct
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive

    @cached_property
    def gain(self) -> Gain:
        """−TER / 100."""
        return _core.ErrorRateGain()

    def prepare(self, references: Sequence[Sequence[str]]) -> Scorer:
        """Number the words of the references once."""
        if self.normalized or self.no_punct:
            from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

            tercom = TercomTokenizer(
                normalized=self.normalized,
                no_punct=self.no_punct,
                asian_support=self.asian_support,
                case_sensitive=self.case_sensitive,
            )
            preprocess = native_preprocess(text_filter=lambda text: str(tercom(text)))
        else:
            preprocess = native_preprocess(lowercase=not self.case_sensitive)
        return _core.TerScorer(references, preprocess)

    def signature(self, references: int = 1) -> str:
        """SacreBLEU's signature."""
        parts = [
            f"nrefs:{references}",
            f"case:{'mixed' if self.case_sensitive else 'lc'}",
            "tok:tercom",
            f"norm:{'yes' if self.normalized else 'no'}",
            f"punct:{'no' if self.no_punct else 'yes'}",
            f"asian:{'yes' if self.asian_support else 'no'}",
            f"version:{sacrebleu_version()}",
        ]
        return "|".join(parts)
