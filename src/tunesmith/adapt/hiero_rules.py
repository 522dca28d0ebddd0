"""`HieroLayerRules`: an index of corrections, a layer on top of a hierarchical model.

Rules with gaps and without are looked up in it for an input as in the text that the model was
trained on (`tunesmith.grammar.hiero`), with the same options.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tunesmith import _core
from tunesmith.adapt.pair_links import Link
from tunesmith.base.atomic import atomic_path
from tunesmith.base.errors import OptionError
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links
from tunesmith.grammar import HieroIndex
from tunesmith.grammar.hiero import HieroOptions
from tunesmith.model import TranslationModel

# Words of the rules that are told of.
TOLD_LENGTH = 3


class HieroWords:
    """What rules of single words say of words; the `WordLexicon` of hierarchical models."""

    def __init__(self, model: TranslationModel) -> None:
        grammar = model.grammar
        if not isinstance(grammar, HieroIndex):
            raise OptionError(
                f"{model.folder} has a grammar as a file; expected a model that looks its rules up "
                "in its training text, as `tunesmith train --model hiero` makes it"
            )
        self._index = grammar
        self._known: dict[str, dict[str, tuple[float, float]]] = {}

    def pair(self, source: str, target: str) -> tuple[float, float]:
        """p(e | f) and p(f | e); 0 where there is no rule."""
        if source not in self._known:
            self._known[source] = self._look_up(source)
        return self._known[source].get(target, (0.0, 0.0))

    def _look_up(self, word: str) -> dict[str, tuple[float, float]]:
        """All single words that a word is translated as."""
        found: dict[str, tuple[float, float]] = {}
        for rule in self._index.rules([word]):
            match rule.target:
                case (str(target),):
                    logs = [rule.features.get(one, 0.0) for one in ("p_e_given_f", "p_f_given_e")]
                    forward, reverse = (math.exp(min(0.0, value)) for value in logs)
                    found[target] = forward, reverse
        return found


class HieroLayerRules:
    """Collects corrections and writes their index; `path` is one to go on with."""

    def __init__(
        self, model: TranslationModel, words: HieroWords, path: Path | None = None
    ) -> None:
        assert isinstance(model.grammar, HieroIndex)
        self._options = HieroOptions(**model.grammar.meta["options"], engine=1)
        self.words = words
        self._pairs: list[tuple[list[str], list[str], list[Link]]] = []
        self._phrases: set[tuple[str, str]] = set()
        if path is not None:
            for source, target, links in HieroIndex(path).meta["pairs"]:
                self.add(source, target, [(s, t) for s, t in links])

    def __len__(self) -> int:
        """Phrase pairs: those with gaps are found when they are needed."""
        return len(self._phrases)

    def add(
        self, source: Sequence[str], target: Sequence[str], links: Sequence[Link]
    ) -> list[tuple[str, str]]:
        """Take a correction; word pairs and short phrases that were not there, short first."""
        self._pairs.append((list(source), list(target), list(links)))
        spans = _core.phrase_pairs(len(source), len(target), list(links), TOLD_LENGTH)
        added = []
        for begin, end, target_begin, target_end in spans:
            pair = " ".join(source[begin:end]), " ".join(target[target_begin:target_end])
            if pair not in self._phrases:
                self._phrases.add(pair)
                if end - begin > 1 or not self.words.pair(*pair)[0]:
                    added.append(pair)
        return sorted(added, key=lambda pair: (pair[0].count(" ") + pair[1].count(" "), pair))

    def write(self, path: Path, meta: dict[str, Any]) -> None:
        """Write the index; `meta` is what it remembers."""
        text = Bitext.from_lines(
            [" ".join(source) for source, _, _ in self._pairs],
            [" ".join(target) for _, target, _ in self._pairs],
            engine=1,
        )
        links = Links.from_lists([links for _, _, links in self._pairs])
        with atomic_path(path) as temporary:
            self._options.run(text, links, temporary, {**meta, "pairs": self._pairs})
