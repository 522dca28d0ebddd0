"""Templates of sparse features of hierarchical rules (Simianer, Riezler & Dyer 2012, §4).

Rules are looked up for the text that is translated, so nothing is computed beforehand: a template
is a description, and the native one that `scfg` makes of it reads features off a rule when a chart
needs it. The templates of phrase pairs (`tunesmith.features.templates`) have the same method.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

from tunesmith import _core
from tunesmith.features.lexical import LexicalModel


@runtime_checkable
class GrammarTemplate(Protocol):
    """What `GrammarTemplates` takes beside user templates."""

    name: ClassVar[str]

    def scfg(self) -> _core.ScfgTemplate:
        """The native template."""


@dataclass(frozen=True)
class RuleId:
    """``rule_id:das_<X1>|the_<X1>``: the rule itself."""

    name: ClassVar[str] = "rule_id"

    def scfg(self) -> _core.ScfgTemplate:
        """The native template."""
        return _core.rule_ids()


@dataclass(frozen=True)
class SourceNgrams:
    """``src_ngram:das_<X>``: neighbours on the source side; a gap is one of them."""

    name: ClassVar[str] = "src_ngram"

    sizes: tuple[int, ...] = (2,)

    def scfg(self) -> _core.ScfgTemplate:
        """The native template."""
        return _core.rule_ngrams(False, list(self.sizes))


@dataclass(frozen=True)
class TargetNgrams:
    """``tgt_ngram:the_<X>``: neighbours on the target side."""

    name: ClassVar[str] = "tgt_ngram"

    sizes: tuple[int, ...] = (2,)

    def scfg(self) -> _core.ScfgTemplate:
        """The native template."""
        return _core.rule_ngrams(True, list(self.sizes))


@dataclass(frozen=True)
class PairNgrams:
    """``pair_ngram:der_Mann|the_man``: n words in a row on both sides.

    Their first words are linked to each other, and their last ones; of size 1 it is a word and the
    one that it is linked to.
    """

    name: ClassVar[str] = "pair_ngram"

    sizes: tuple[int, ...] = (1,)

    def scfg(self) -> _core.ScfgTemplate:
        """The native template."""
        return _core.pair_ngrams(list(self.sizes))


@dataclass(frozen=True)
class RuleShape:
    """``shape:w_<1>|<1>_w``: where words (``w``, however many) and gaps stand."""

    name: ClassVar[str] = "shape"

    def scfg(self) -> _core.ScfgTemplate:
        """The native template."""
        return _core.rule_shapes()


@dataclass(frozen=True)
class RuleEdges:
    """``edges:target_first.word=the|target_last.cluster4=0110``: WordEdges (Yu et al. 2013, §4).

    The combinations of `lexical` that a rule has by itself: first and last words of both sides, the
    length of its source side. A gap is a word of its own. The weights of `lexical` do not matter.
    """

    name: ClassVar[str] = "edges"

    lexical: LexicalModel

    def scfg(self) -> _core.ScfgTemplate:
        """The native template."""
        return _core.rule_edges(self.lexical.native, self.lexical.meta["levels"])


OF_RULES: Mapping[str, type[Any]] = {
    kind.name: kind for kind in (RuleId, SourceNgrams, TargetNgrams, PairNgrams, RuleShape)
}
