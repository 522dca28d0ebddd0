"""Hierarchical rules of any input, looked up in a suffix array over the training text.

Rules have up to two non-terminals (Chiang 2007, "Hierarchical phrase-based translation"); they are
extracted for an input when it is there, from a sample of the places where its patterns stand
(Lopez 2007, "Hierarchical phrase-based translation with suffix arrays").
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import contents_of, json_object
from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import fill_native, parameter, parameters_of
from tunesmith.corpus import Bitext
from tunesmith.engine import ALL_CORES, EngineLike, as_engine, engine_parameter
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.plf import Lattice
from tunesmith.grammar.extraction import SMOOTHINGS, origin_names
from tunesmith.grammar.scfg import ScfgGrammar

# The names of the features of rules from one corpus, in the order of their ids.
HIERO_FEATURES: tuple[str, ...] = tuple(_core.HieroExtractor.feature_names())
# Words, or several ways to read them.
RuleInput = str | Sequence[str] | Lattice
# A sentence pair that does not count, or a mark for each pair of the text.
LeaveOut = int | npt.NDArray[np.bool_] | None


@dataclass(frozen=True)
class HieroOptions:
    """Which hierarchical rules are taken from aligned text, and how they are looked for.

    >>> from tempfile import mkdtemp
    >>> text = Bitext.from_lines(["das Haus ist alt"], ["the house is old"])
    >>> links = Links.from_lists([[(0, 0), (1, 1), (2, 2), (3, 3)]])
    >>> index = HieroOptions(max_symbols=3).run(text, links, Path(mkdtemp()) / "hiero.bin")
    >>> sorted(str(rule) for rule in index.rules("Haus ist"))[:2]
    ['Haus [X,1] ||| house [X,1]', 'Haus ist ||| house is']
    """

    max_span: int = parameter(
        10, "longest source span of a rule with its gaps in the text", at_least=1, at_most=200
    )
    max_target_span: int = parameter(
        15, "longest target span of a rule with its gaps in the text", at_least=1, at_most=200
    )
    max_input_span: int = parameter(
        15, "longest span of the input that a rule is looked for", at_least=1, at_most=200
    )
    max_symbols: int = parameter(
        5, "words and non-terminals of a rule's source side", at_least=1, at_most=15
    )
    max_nonterminals: int = parameter(2, "non-terminals of a rule", at_least=0, at_most=2)
    min_gap: int = parameter(1, "fewest source words of a gap", at_least=1, at_most=200)
    tight: bool = parameter(True, "no unlinked words at the edges of rules and gaps")
    deletions: bool = parameter(
        True, "words that are unlinked somewhere in the text may be left out"
    )
    samples: int = parameter(
        300, "places of a source pattern that rules are taken from; 0 takes all", at_least=0
    )
    candidates: int = parameter(
        20_000,
        "places of a source pattern at which longer ones with gaps are looked for; 0 takes all",
        at_least=0,
    )
    frequent: int = parameter(
        100,
        "most frequent words, whose pairs with a gap between are looked up beforehand",
        at_least=0,
        at_most=1000,
    )
    smoothing: str = parameter(
        "kneser-ney", "smoothing of the rules' probabilities", choices=tuple(SMOOTHINGS)
    )
    engine: EngineLike = engine_parameter()

    def run(
        self,
        bitext: Bitext,
        links: Links,
        path: str | Path,
        about: Mapping[str, object] | None = None,
    ) -> "HieroIndex":
        """Write the index of a text with its word links to `path`; its `meta` has `about` too."""
        options = _core.HieroOptions()
        fill_native(self, options, without=("smoothing", "engine"))
        options.smoothing = getattr(_core.CountSmoothing, SMOOTHINGS[self.smoothing])
        _core.build_hiero_index(
            bitext.source.offsets,
            bitext.source.ids,
            bitext.target.offsets,
            bitext.target.ids,
            links.offsets,
            links.source,
            links.target,
            bitext.source.vocabulary.native,
            bitext.target.vocabulary.native,
            options,
            str(path),
            json.dumps({**self.meta(bitext.corpora), **(about or {})}),
            as_engine(self.engine).threads,
            bitext.origin_numbers,
            bitext.corpora,
        )
        return HieroIndex(path)

    def meta(self, corpora: int = 1) -> dict[str, object]:
        """What the index remembers: names of features, and options."""
        options = {
            item.name: getattr(self, item.name)
            for item in parameters_of(type(self))
            if item.name != "engine"  # it does not change the index
        }
        return {"features": [*HIERO_FEATURES, *origin_names(corpora)], "options": options}


@dataclass(frozen=True)
class HieroRule:
    """A rule with its features. Symbols are words, or the numbers 1 and 2 of non-terminals."""

    source: tuple[str | int, ...]
    target: tuple[str | int, ...]
    features: dict[str, float]
    """Without those that are 0. Logarithms are natural ones."""
    links: tuple[tuple[int, int], ...]
    """Between symbols of the two sides, non-terminals counted."""

    def __str__(self) -> str:
        return f"{_shown(self.source)} ||| {_shown(self.target)}"


class HieroRules(Sequence[HieroRule]):
    """The rules of a sentence, or of a text."""

    def __init__(self, native: _core.HieroRules) -> None:
        self.native = native

    def __len__(self) -> int:
        return len(self.native)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        source, target, features, links = self.native.rule(index % max(len(self), 1))
        return HieroRule(tuple(source), tuple(target), features, tuple(links))

    def __iter__(self) -> Iterator[HieroRule]:
        return (self[i] for i in range(len(self)))

    def grammar(self) -> ScfgGrammar:
        """The rules as a grammar that can be written."""
        return ScfgGrammar(self.native.grammar())


class HieroIndex:
    """An indexed text on disk. `rules("das Haus")` gives the rules of a sentence."""

    def __init__(self, path: str | Path) -> None:
        """Map the index at `path`; what is used of it is checked as it is first used."""
        self.path = Path(path)
        self.native = _core.HieroExtractor(str(path))
        with contents_of(path, "names of all features, and options"):
            meta = json_object(self.native.meta)
            own = [*HIERO_FEATURES, *origin_names(self.native.corpora)]
            if meta.get("features") != own:
                raise ValueError(f"features {meta.get('features')!r}")
            if not isinstance(meta.get("options"), dict):
                raise ValueError("options that are none")
        self.meta: dict[str, Any] = meta

    def __len__(self) -> int:
        """The number of sentence pairs."""
        return int(self.native.sentences)

    @property
    def features(self) -> list[str]:
        """The names of the rules' features, in the order of their ids."""
        return list(self.meta["features"])

    @property
    def bytes_per_token(self) -> float:
        """The size of the file by the words of the source side."""
        return float(self.native.bytes / max(self.native.source_tokens, 1))

    def rules(self, sentence: RuleInput, *, leave_out: LeaveOut = None) -> HieroRules:
        """The rules of a sentence, or of a lattice: those that any way through it has.

        Parameters
        ----------
        leave_out
            The number of a sentence pair of the text that does not count (leave-one-out), or an
            array with a truth value for each pair (leave out a fold).
        """
        pair, pairs = self._left_out(leave_out)
        return HieroRules(self.native.rules_for(_native(sentence), pair, pairs))

    def text_rules(
        self,
        sentences: Iterable[RuleInput],
        *,
        leave_out: LeaveOut = None,
        engine: EngineLike = ALL_CORES,
    ) -> HieroRules:
        """All rules that any of the sentences has, each once."""
        pair, pairs = self._left_out(leave_out)
        inputs = [_native(sentence) for sentence in sentences]
        return HieroRules(
            self.native.rules_for_text(inputs, pair, pairs, as_engine(engine).threads)
        )

    def filtered(self, rules: HieroRules, sentence: RuleInput) -> HieroRules:
        """Those of the rules of a text that `rules` gives of one of its sentences."""
        return HieroRules(self.native.filtered(rules.native, _native(sentence)))

    def _left_out(self, leave_out: LeaveOut) -> tuple[int, npt.NDArray[np.uint8]]:
        nothing = np.zeros(0, np.uint8)
        if leave_out is None:
            return -1, nothing
        if isinstance(leave_out, np.ndarray):
            if leave_out.shape != (len(self),):
                raise OptionError(f"{leave_out.size} marks, expected one for each of {len(self)}")
            return -1, leave_out.astype(np.uint8)
        if not 0 <= leave_out < len(self):
            raise OptionError(f"pair {leave_out} is left out, expected 0 to {len(self) - 1}")
        return int(leave_out), nothing


def _native(sentence: RuleInput) -> tuple[list[str], list[tuple[int, int]]]:
    """Words, and between which nodes they stand in a lattice."""
    if isinstance(sentence, Lattice):
        arcs = list(sentence.arcs())
        return [arc.word for _, arc in arcs], [(node, node + arc.step) for node, arc in arcs]
    return sentence.split() if isinstance(sentence, str) else list(sentence), []


def _shown(symbols: Iterable[str | int]) -> str:
    return " ".join(s if isinstance(s, str) else f"[X,{s}]" for s in symbols)
