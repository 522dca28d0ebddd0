"""Metrics by name: ``bleu``, ``chrf++``, ``bleu-ter``, ``bleu+0.5*chrf``, ``column:comet``."""

import re
from collections.abc import Callable, Mapping

from tunesmith.base.errors import OptionError, kind_of
from tunesmith.base.own_code import is_own
from tunesmith.metrics.base import Metric
from tunesmith.metrics.bleu import REFERENCE_LENGTHS, Bleu
from tunesmith.metrics.chrf import ChrF
from tunesmith.metrics.column import Column
from tunesmith.metrics.combined import Combined
from tunesmith.metrics.error_rate import Cer, Wer
from tunesmith.metrics.own import own_metric
from tunesmith.metrics.ter import Ter

METRICS = ("bleu", "chrf", "chrf++", "ter", "wer", "cer", "column:NAME")

# A sign separates two terms only where a term follows it: the names of columns may contain signs,
# and so does chrf++.
_TERM = r"(?:[0-9]+(?:\.[0-9]*)?\*|\.[0-9]+\*)?(?:bleu|chrf|ter|wer|cer|column:)"
_SIGN = re.compile(rf"([+-])(?={_TERM})")
_FACTOR = re.compile(r"(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\*)?(.+)", re.DOTALL)


def parse_metric(
    text: str,
    *,
    tokenize: str = "13a",
    lowercase: bool = False,
    reference_length: str = REFERENCE_LENGTHS[0],
) -> Metric:
    """The metric that `text` names.

    A sum is written with the signs of scores, so that larger is better: ``bleu-ter`` is BLEU minus
    TER. ``-column:NAME`` is a column in which lower is better.

    Parameters
    ----------
    text
        One of bleu, chrf, chrf++, ter, wer, cer, column:NAME, or a sum of them with factors; or
        FILE.py:NAME, a metric of one's own (`OwnMetric`).
    tokenize, lowercase
        For BLEU, and for every metric that does not ignore case already (TER does).
    reference_length
        For BLEU: which of several references' lengths counts.

    Examples
    --------
    >>> parse_metric("bleu+0.5*column:comet-22").name
    'bleu+0.5*column:comet-22'
    """
    if not isinstance(text, str):
        raise OptionError(f"a metric is {kind_of(text)}, expected its name")
    if is_own(text):
        return own_metric(text)
    makers: dict[str, Callable[[], Metric]] = {
        "bleu": lambda: Bleu(
            tokenize=tokenize, lowercase=lowercase, reference_length=reference_length
        ),
        "chrf": lambda: ChrF(lowercase=lowercase),
        "chrf++": lambda: ChrF(word_order=2, lowercase=lowercase),
        "ter": Ter,
        "wer": lambda: Wer(lowercase=lowercase),
        "cer": lambda: Cer(lowercase=lowercase),
    }
    # '', sign, term, sign, term, …; the first sign may be missing.
    pieces = _SIGN.split(text.strip())
    if pieces[0]:
        pieces = ["", "+", *pieces]
    parts, weights = [], []
    for sign, term in zip(pieces[1::2], pieces[2::2], strict=True):
        match = _FACTOR.fullmatch(term)
        if match is None:
            raise _unknown(text, text)
        factor, name = match.groups()
        metric = _one(name, sign, text, makers)
        if (sign == "+") != metric.higher_is_better:
            if sign == "-":
                raise OptionError(f"metric '{text}': {name} is better when higher, so add it")
            if len(pieces) > 3:
                raise OptionError(f"metric '{text}': {name} is better when lower, so subtract it")
        parts.append(metric)
        weights.append(1.0 if factor is None else float(factor))
    if not parts:
        raise _unknown(text, text)
    if len(parts) == 1 and weights == [1.0]:
        return parts[0]
    return Combined(parts, weights)


def _one(name: str, sign: str, text: str, makers: Mapping[str, Callable[[], Metric]]) -> Metric:
    if name.startswith("column:"):
        return Column(name.removeprefix("column:"), higher_is_better=sign == "+")
    if name not in makers:
        raise _unknown(name, text)
    return makers[name]()


def _unknown(name: str, text: str) -> OptionError:
    place = "" if name == text else f" in '{text}'"
    return OptionError(f"no metric '{name}'{place}, expected one of {', '.join(METRICS)}, or a sum")
