"""Lexical features by the million: rule ids, WordEdges, the rule before (Yu et al. 2013, §4).

They have no names in memory: a feature is a 64-bit key, and a model directory holds the weights
that a learner gave them. To the decoder they are together one dense feature, `lexical`, whose value
is the sum of their weights; so tuners can scale them as one group.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import contents_of, json_object
from tunesmith.base.atomic import atomic_path
from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import check_parameters, parameter

# Table 1 of the paper: levels of detail at which a word is seen, and what each costs.
COSTS = {
    "word": 5,
    "character": 3,
    "cluster": 3,
    "cluster6": 2,
    "cluster4": 2,
    "pos": 2,
    "type": 1,
}
_NATIVE = {"word": "WORD", "character": "CHARACTER", "type": "TYPE"}


def word_type(word: str) -> str:
    """The word at level `type`, by the Unicode categories of its characters.

    `ideographs` where one of them is an ideograph, else `letters`, `digits` or `punctuation` (with
    symbols), the first that one of them is; `other` where none is any of these. In Chinese text
    these are the paper's four: otherwise, alpha, digits, punctuations.

    >>> [word_type(word) for word in ("中国", "WTO", "２０１３", "，")]
    ['ideographs', 'letters', 'digits', 'punctuation']
    """
    return str(_core.word_type(word))


#: Word → class, for one side of the text.
WordClasses = Mapping[str, str]


@dataclass(frozen=True)
class SideClasses:
    """Classes of the words of one side: Brown clusters (paths of 0s and 1s), parts of speech."""

    clusters: WordClasses | None = None
    pos: WordClasses | None = None

    def of(self, level: str) -> WordClasses | None:
        """The classes of a level; None where they are not known."""
        if level == "pos":
            return self.pos
        if self.clusters is None or level == "cluster":
            return self.clusters
        size = int(level.removeprefix("cluster"))
        return {word: path[:size] for word, path in self.clusters.items()}


@dataclass(frozen=True)
class LexicalFeatures:
    """Which lexical features a model has."""

    levels: str = parameter(
        "word,cluster,cluster6,cluster4",
        f"levels of detail of a word, of: {', '.join(COSTS)}; those without classes are left out",
    )
    source_levels: str = parameter(
        "", "more levels, of source words alone; the paper: character,type for Chinese"
    )
    budget: int = parameter(10, "what a combination of words may cost (Table 1)", at_least=1)
    max_atoms: int = parameter(
        2,
        "most words in a combination; 0: as many as its budget allows, as in the paper",
        at_least=0,
        at_most=7,
    )
    rule_ids: bool = parameter(True, "a feature for every rule")
    edges: bool = parameter(True, "first and last words of a rule and the words around it")
    source_edges: bool = parameter(
        False, "combinations without a target word, which judge how the source is cut into phrases"
    )
    rule_pairs: bool = parameter(False, "pairs of neighbouring rules")
    history: bool = parameter(False, "a rule with the last two target words before it")
    shapes: bool = parameter(
        True, "of hierarchical rules: where words and gaps stand (Simianer et al. 2012)"
    )
    source_bigrams: bool = parameter(
        False, "of hierarchical rules: two neighbours on the source side (Simianer et al. 2012)"
    )
    bits: int = parameter(
        0, "fold features into 2^bits weights; 0: every feature has its own", at_least=0, at_most=40
    )
    min_count: int = parameter(
        1, "a feature counts from this number of updates on", at_least=1, at_most=255
    )

    def level_names(self) -> tuple[list[str], list[str]]:
        """The levels of both sides and those of the source alone, checked."""
        both, source = (
            _level_names("levels", self.levels),
            _level_names("source_levels", self.source_levels),
        )
        twice = [name for name in source if name in both]
        if twice:
            raise OptionError(f"source_levels has '{twice[0]}', which levels has too")
        return both, source

    def build(self, source: SideClasses, target: SideClasses) -> "LexicalModel":
        """Features without weights yet; levels whose classes a side does not have are left out."""
        check_parameters(self)
        both, alone = self.level_names()
        names = [name for name in both if _is_known(name, source) and _is_known(name, target)]
        alone = [name for name in alone if _is_known(name, source)]
        names += alone
        options = _core.LexicalOptions()
        options.levels = [_core.AtomLevel[_NATIVE.get(name, "CLASS")] for name in names]
        options.costs = [COSTS[name] for name in names]
        options.source_only = sum(1 << names.index(name) for name in alone)
        options.budget, options.max_atoms = self.budget, self.max_atoms
        options.rule_ids, options.edges = self.rule_ids, self.edges
        options.source_edges = self.source_edges
        options.rule_pairs, options.history = self.rule_pairs, self.history
        maps = [name for name in names if name not in _NATIVE]
        native = _core.LexicalModel(
            options, *_rows(source, maps), *_rows(target, maps), self.bits, self.min_count
        )
        return LexicalModel(native, {"options": asdict(self), "levels": names})


def _level_names(option: str, value: str) -> list[str]:
    names = [name.strip() for name in value.split(",") if name.strip()]
    for name in names:
        if name not in COSTS:
            raise OptionError(f"{option} has '{name}', expected some of: {', '.join(COSTS)}")
    if len(set(names)) != len(names):
        raise OptionError(f"{option} is '{value}', which names a level twice")
    return names


def _is_known(level: str, side: SideClasses) -> bool:
    return level in _NATIVE or side.of(level) is not None


def _rows(side: SideClasses, maps: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    classes = [side.of(name) or {} for name in maps]
    # In the order of the classes' file, the frequent words of a class first.
    words = list(dict.fromkeys(word for one in classes for word in one))
    return words, [[one.get(word, "") for one in classes] for word in words]


class LexicalModel:
    """Lexical features and their weights."""

    def __init__(self, native: Any, meta: Mapping[str, Any]) -> None:
        self.native = native
        self.meta = dict(meta)

    @classmethod
    def load(cls, path: str | Path) -> "LexicalModel":
        """Read a file that `save` made."""
        native = _core.LexicalModel.load(str(path))
        with contents_of(path, "how the features were made"):
            meta = json_object(native.meta)
            levels = meta["levels"]
            if len(levels) != native.levels or not all(isinstance(name, str) for name in levels):
                raise ValueError(f"names {levels!r} of {native.levels} levels")
            return cls(native, meta)

    def copy(self) -> "LexicalModel":
        """The same features with weights of their own, and all that a learner needs to go on."""
        return LexicalModel(self.native.copy(), self.meta)

    def save(self, path: str | Path, *, resumable: bool = False) -> None:
        """Write the model; `resumable` with all that a learner needs to go on."""
        with atomic_path(path) as temporary:
            self.native.save(str(temporary), resumable, json.dumps(self.meta))

    def __reduce__(self) -> tuple[Any, ...]:
        """What its file has travels."""
        with TemporaryDirectory() as folder:
            self.save(path := Path(folder) / "lexical", resumable=True)
            return _received, (path.read_bytes(),)

    def __len__(self) -> int:
        """The number of features with a weight."""
        return len(self.native)

    @property
    def memory(self) -> int:
        """Bytes of the weights in memory."""
        return int(self.native.memory)

    @property
    def features_per_rule(self) -> int:
        """How many features a rule in its place has at most."""
        return int(self.native.features_per_rule)

    def class_members(self, side: str, level: str, most: int = 5) -> dict[str, list[str]]:
        """Some words of every class of a level (``cluster4``); `side` is source or target."""
        place = self.meta["levels"].index(level)
        return dict(self.native.class_members(side == "target", place, most))

    def entries(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float32]]:
        """Keys, ascending, and weights."""
        keys, weights = self.native.entries()
        return keys, weights


def _received(content: bytes) -> LexicalModel:
    with TemporaryDirectory() as folder:
        (path := Path(folder) / "lexical").write_bytes(content)
        return LexicalModel.load(path)
