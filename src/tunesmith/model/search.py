"""What a model, or a caller, may say about search."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tunesmith import _core
from tunesmith.base.config import from_mapping
from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import check_parameters, fill_native, parameter

if TYPE_CHECKING:
    from tunesmith.model.folder import TranslationModel


#: What scores of a lattice's arcs can be: as Moses takes them, and as cdec does.
ARC_SCORES = ("probabilities", "logarithms")
#: Options that only search with phrases has, and those of charts alone.
PHRASE_ONLY = ("stack_size", "early_discarding", "distortion_limit", "diversity")
CHART_ONLY = ("cubes", "span_limit", "pass_through", "arc_scores")


def check_search_options(kind: str, given: Iterable[str], what: str) -> None:
    """Refuse options that search with a model of this kind does not have.

    >>> check_search_options("hiero", ["diversity"], "m is")
    Traceback (most recent call last):
    tunesmith.base.errors.OptionError: --diversity is for phrase models, and m is a hiero model
    """
    other, theirs = ("phrase", PHRASE_ONLY) if kind == "hiero" else ("hiero", CHART_ONLY)
    for name in given:
        if name in theirs:
            option = name.replace("_", "-")
            raise OptionError(f"--{option} is for {other} models, and {what} a {kind} model")


@dataclass(frozen=True)
class SearchOptions:
    """Limits of the stack search with cube pruning. The defaults favour quality over speed."""

    pop_limit: int = parameter(
        1000, "candidates taken from the cubes of each stack (cube pruning)", at_least=1
    )
    stack_size: int = parameter(2000, "hypotheses kept in a stack", at_least=1)
    beam_threshold: float = parameter(
        float("inf"), "drop hypotheses this much (natural log) below the best of a stack", above=0
    )
    early_discarding: bool = parameter(
        False,
        "with a beam threshold: drop what cannot reach it before the language model is asked",
    )
    distortion_limit: int = parameter(
        6, "longest jump in the source, in words; -1 means no limit (60 words)", at_least=-1
    )
    table_limit: int = parameter(20, "rules used for each source phrase; 0 uses all", at_least=0)
    cubes: str = parameter(
        "pruned",
        "hierarchical models: every cell takes pop_limit candidates (pruned, Chiang 2007), or no "
        "more of them than the translations that are asked for need (grown, Huang & Chiang 2007)",
        choices=("pruned", "grown"),
    )
    span_limit: int = parameter(
        15, "hierarchical models: words that a rule spans at most, glue rules aside", at_least=1
    )
    pass_through: str = parameter(
        "unknown",
        "hierarchical models: source words that may be copied",
        choices=("unknown", "all"),
    )
    arc_scores: str = parameter(
        ARC_SCORES[0],
        "hierarchical models: what scores of a lattice's arcs are; of probabilities the natural "
        "logarithms count, logarithms count as they are",
        choices=ARC_SCORES,
    )
    diversity: int = parameter(0, "candidates that every cube gets at least", at_least=0)
    unknown: str = parameter(
        "copy", "what becomes of unknown words", choices=("copy", "drop", "transliterate")
    )
    monotone_at_punctuation: bool = parameter(False, "do not reorder across punctuation")
    time_limit: float = parameter(
        0.0, "seconds for a sentence, then the rest is done greedily; 0: no limit", at_least=0
    )

    @classmethod
    def of_model(cls, model: "TranslationModel") -> "SearchOptions":
        """The limits that the model itself names, defaults for the others."""
        return cls.checked(model.search)

    @classmethod
    def checked(cls, values: dict[str, Any]) -> "SearchOptions":
        """The limits of a section ``[search]``; unknown, mistyped or senseless ones are refused."""
        options = from_mapping(values, cls, where="search.")
        check_parameters(options)
        return options

    def native(self) -> _core.SearchOptions:
        """The core's form of the options of phrase-based search."""
        options = _core.SearchOptions()
        # Punctuation is found in the text, before the core sees it.
        others = ("unknown", "monotone_at_punctuation", *CHART_ONLY)
        fill_native(self, options, without=others)
        options.drop_unknown = self.unknown == "drop"
        return options

    def chart(self, *, keep_unknown_order: bool) -> _core.ChartOptions:
        """The core's form of the options of chart search."""
        check_parameters(self)
        options = _core.ChartOptions()
        options.pop_limit = self.pop_limit
        options.grow = self.cubes == "grown"
        options.span_limit = self.span_limit
        options.rule_limit = self.table_limit
        options.beam_threshold = self.beam_threshold
        options.pass_all = self.pass_through == "all"
        options.drop_unknown = self.unknown == "drop"
        options.keep_unknown_order = keep_unknown_order
        options.time_limit = self.time_limit
        return options
