"""BLEU (Papineni et al. 2002), counted natively and equal to sacreBLEU's."""

from collections.abc import Sequence
from functools import cached_property

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.metrics.base import Gain, Metric, Scorer, sacrebleu_version
from tunesmith.metrics.preprocess import TOKENIZERS, native_preprocess

#: Smoothing of orders without a match, with sacreBLEU's default values (Chen & Cherry 2014).
SMOOTHINGS: dict[str, float | None] = {"exp": None, "floor": 0.1, "add-k": 1.0, "none": None}
REFERENCE_LENGTHS = ("closest", "shortest", "average")
MAX_ORDER = 64

ADD_1 = "add-1"
ADD_1_LONGER = "add-1-longer"
INTERPOLATED = "interpolated"
SACREBLEU = "sacrebleu"


class Bleu(Metric):
    """BLEU of any order against any number of references.

    Statistics: matches of order 1..N, n-grams of order 1..N, hypothesis length, reference length.
    With ``reference_length="average"`` both lengths are times the number of references, so that
    they stay whole numbers.

    Sentence-level kinds: ``"add-1"`` (Lin & Och 2004: one match and one n-gram more in all orders
    but the first), ``"add-1-longer"`` (the same against a reference that is one word longer:
    add-1 alone favours short texts, Nakov et al. 2012), ``"interpolated"`` (Liang et al. 2006),
    ``"sacrebleu"`` (its sentence BLEU: the metric's own smoothing and effective order); and those
    that every metric has.

    Parameters
    ----------
    order
        The longest n-grams that count.
    tokenize
        A tokeniser of sacreBLEU's; ``"none"`` splits at white space.
    lowercase
        Ignore case.
    reference_length
        Which length the brevity penalty compares with: that of the closest reference (sacreBLEU,
        multi-bleu), of the shortest (NIST's mteval), or the average.
    smoothing, smoothing_value
        As sacreBLEU's ``smooth_method`` and ``smooth_value``.

    Examples
    --------
    >>> bleu = Bleu()
    >>> print(f"{bleu.corpus_score(['The cat sat down.'], [['The cat sat on it.']]):.2f}")
    34.98
    >>> stats = bleu.stats(["The cat sat down."], [0], bleu.prepare([["The cat sat on it."]]))
    >>> stats.tolist()
    [[4, 2, 1, 0, 5, 4, 3, 2, 5, 6]]
    """

    sentence_kinds = (ADD_1, ADD_1_LONGER, INTERPOLATED, SACREBLEU)
    tuning_kinds = (ADD_1, ADD_1_LONGER)

    def __init__(
        self,
        *,
        order: int = 4,
        tokenize: str = "13a",
        lowercase: bool = False,
        reference_length: str = "closest",
        smoothing: str = "exp",
        smoothing_value: float | None = None,
    ) -> None:
        if not 1 <= order <= MAX_ORDER:
            raise OptionError(f"the order of BLEU is {order}, expected 1 to {MAX_ORDER}")
        if tokenize not in TOKENIZERS:
            raise OptionError(f"no tokeniser '{tokenize}', expected one of {', '.join(TOKENIZERS)}")
        if reference_length not in REFERENCE_LENGTHS:
            wanted = ", ".join(REFERENCE_LENGTHS)
            raise OptionError(f"no reference length '{reference_length}', expected one of {wanted}")
        if smoothing not in SMOOTHINGS:
            wanted = ", ".join(SMOOTHINGS)
            raise OptionError(f"no smoothing '{smoothing}', expected one of {wanted}")
        self.name = "bleu"
        self.order = order
        self.tokenize = tokenize
        self.lowercase = lowercase
        self.reference_length = reference_length
        self.smoothing = smoothing
        self.smoothing_value = SMOOTHINGS[smoothing] if smoothing_value is None else smoothing_value

    @cached_property
    def gain(self) -> Gain:
        """BLEU / 100."""
        return self._gain(effective_order=False)

    def _gain(self, *, effective_order: bool) -> Gain:
        method = _core.BleuSmoothing[self.smoothing.replace("-", "_")]
        value = self.smoothing_value or 0.0
        return _core.BleuGain(self.order, method, value, effective_order)

    def prepare(self, references: Sequence[Sequence[str]]) -> Scorer:
        """Count the n-grams of the references once."""
        return _core.BleuScorer(
            references,
            self.order,
            _core.BleuLength[self.reference_length],
            native_preprocess(tokenize=self.tokenize, lowercase=self.lowercase),
        )

    def sentence_gain(self, kind: str | None = None) -> Gain:
        """One of `sentence_kinds` as a native function."""
        kind = self._check_kind(kind, ())
        if kind == SACREBLEU:
            return self._gain(effective_order=True)
        gain: Gain
        if kind == INTERPOLATED:
            gain = _core.InterpolatedBleuGain(self.order)
        else:
            longer = 1.0 if kind == ADD_1_LONGER else 0.0
            gain = _core.BleuGain(self.order, _core.BleuSmoothing.add_k, 1.0, longer=longer)
        return gain

    def _overlap(self) -> tuple[_core.OverlapMetric | None, Gain]:
        """Words; sacreBLEU's sentence BLEU."""
        preprocess = native_preprocess(tokenize=self.tokenize, lowercase=self.lowercase)
        return _core.BleuOverlap(self.order, preprocess), self.sentence_gain(SACREBLEU)

    def signature(self, references: int = 1) -> str:
        """SacreBLEU's signature; what it cannot say (order, reference length) is added."""
        smooth = self.smoothing
        if SMOOTHINGS[smooth] is not None:
            smooth += f"[{self.smoothing_value:.2f}]"
        parts = [
            f"nrefs:{references}",
            f"case:{'lc' if self.lowercase else 'mixed'}",
            "eff:no",
            f"tok:{self._tokenizer_signature()}",
            f"smooth:{smooth}",
        ]
        if self.order != 4:
            parts.append(f"order:{self.order}")
        if self.reference_length != "closest":
            parts.append(f"reflen:{self.reference_length} (not sacreBLEU's)")
        return "|".join([*parts, f"version:{sacrebleu_version()}"])

    def _tokenizer_signature(self) -> str:
        if "mecab" in self.tokenize:
            # These name the version of their dictionary.
            from sacrebleu.metrics.bleu import BLEU

            return str(BLEU(tokenize=self.tokenize).tokenizer_signature)
        return self.tokenize
