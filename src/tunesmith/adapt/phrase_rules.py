"""`PhraseRules`: the phrase pairs of corrections as a layer on top of a phrase model.

All pairs that are consistent with the links of a correction are rules (Koehn et al. 2003), and the
sentence as a whole is one. A pair that the model has keeps the model's scores; others get scores
that the model would give to a pair seen once, with lexical weights by the model's own words.
"""

import json
import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _core
from tunesmith.adapt.pair_links import Link
from tunesmith.base.atomic import atomic_path
from tunesmith.grammar import PhraseTable
from tunesmith.grammar.table import SCORE_NAMES
from tunesmith.model import TranslationModel
from tunesmith.model.layer import LAYER_FEATURES

MAX_LENGTH = 7
# A new pair of a source phrase that the text had n times: p(e | f) = 1 / (1 + n), within limits.
MOST_SEEN = 9
# p(f | e) of a new pair, and lexical weights of words that no rule joins.
HALF, UNJOINED = math.log(0.5), 0.02
# Rules of the model's table that the scores of an unknown order are averaged over.
SAMPLE = 1000


class ModelWords:
    """What the single-word rules of a phrase model say of words; the `WordLexicon` of phrases."""

    def __init__(self, model: TranslationModel) -> None:
        self._table = model.tables[0]
        names = list(self._table.meta["scores"])
        if set(SCORE_NAMES) <= set(names):
            self._columns = names.index("lex_e_given_f"), names.index("lex_f_given_e")
        else:  # of another program: any score that is a probability will do
            self._columns = len(names) - 1, 0
        self._known: dict[tuple[str, str], tuple[float, float]] = {}

    def pair(self, source: str, target: str) -> tuple[float, float]:
        """p(e | f) and p(f | e); 0 where there is no rule."""
        found = self._known.get((source, target))
        if found is None:
            native = self._table.native
            rule = native.find_pair([source], [target])
            found = 0.0, 0.0
            if rule is not None:
                scores = native.scores(rule)
                forward, reverse = (math.exp(min(0.0, scores[c])) for c in self._columns)
                found = forward, reverse
            self._known[source, target] = found
        return found


class PhraseRules:
    """Counts phrase pairs of corrections and writes their table.

    `path` is a table that `write` has made, to go on with.
    """

    def __init__(
        self, model: TranslationModel, words: ModelWords, path: Path | None = None
    ) -> None:
        self._model, self.words = model, words
        self._names = [
            name for name in model.decoder_names if name.startswith("tm") and "." in name
        ]
        reordering = len(model.reordering)
        if path is None:
            self._native = _core.LayerRules(len(self._names), reordering)
        else:
            self._native = _core.LayerRules(PhraseTable(path).native, len(self._names))

    def __len__(self) -> int:
        return len(self._native)

    def add(
        self, source: Sequence[str], target: Sequence[str], links: Sequence[Link]
    ) -> list[tuple[str, str]]:
        """Count all pairs of a correction; those that neither model nor layer had, short first."""
        source, target, added = list(source), list(target), []
        spans = _core.phrase_pairs(len(source), len(target), list(links), MAX_LENGTH)
        for begin, end, target_begin, target_end in spans:
            inside = [(s - begin, t - target_begin) for s, t in links if begin <= s < end]
            f, e = source[begin:end], target[target_begin:target_end]
            known, scores, reordering = self._scores(f, e, inside)
            whole = len(f) == len(source) and len(e) == len(target)
            if self._native.add(f, e, scores, reordering, inside, not known, whole) and not known:
                added.append((" ".join(f), " ".join(e)))
        if (0, len(source), 0, len(target)) not in spans:
            nothing = [0.0] * len(self._names)
            self._native.add(source, target, nothing, self._average, [], True, True)
        return sorted(added, key=lambda pair: (pair[0].count(" ") + pair[1].count(" "), pair))

    def write(self, path: Path, meta: dict[str, Any]) -> None:
        """Write the table; `meta` is what it remembers."""
        names = {"scores": [*self._names, *LAYER_FEATURES], "reordering": self._model.reordering}
        with atomic_path(path) as temporary:
            self._native.write(str(temporary), json.dumps({**names, **meta}))

    def _scores(
        self, source: list[str], target: list[str], links: list[Link]
    ) -> tuple[bool, list[float], list[float]]:
        """Whether the model has the pair; its scores in all tables, and those of its order."""
        floors = self._model.join_floors
        scores: list[float] = []
        reordering: list[float] = []
        known = False
        for table in self._model.tables:
            count = table.native.scores_per_rule
            rule = table.native.find_pair(source, target)
            use = rule is not None and (bool(floors) or not known)
            if rule is not None and use:
                scores += table.native.scores(rule)
                reordering = reordering or list(table.native.reordering(rule))
                known = True
            else:
                scores += floors[len(scores) : len(scores) + count] if floors else [0.0] * count
        if not known:
            scores = self._estimated(source, target, links, scores)
        return known, scores, reordering or self._average

    def _estimated(
        self, source: list[str], target: list[str], links: list[Link], scores: list[float]
    ) -> list[float]:
        """What the first table would say of a pair that was seen once."""
        table = self._model.tables[0]
        begin, end = table.native.find(source)
        seen = table.native.counts(begin)[1] if begin < end else 0.0
        named = {
            "p_f_given_e": HALF,
            "p_e_given_f": -math.log(1.0 + min(seen, MOST_SEEN)),
            "lex_e_given_f": self._lexical(target, source, [(t, s) for s, t in links], 0),
            "lex_f_given_e": self._lexical(source, target, links, 1),
        }
        own = [named.get(name, HALF) for name in table.meta["scores"]]
        return [*own, *scores[len(own) :]]

    def _lexical(
        self, words: list[str], others: list[str], links: list[Link], direction: int
    ) -> float:
        """Σ ln of the mean probability of each word given those that it is linked to."""
        total = 0.0
        for place, word in enumerate(words):
            given = [others[other] for own, other in links if own == place]
            pairs = [(one, word) if direction == 0 else (word, one) for one in given]
            values = [max(UNJOINED, self.words.pair(*pair)[direction]) for pair in pairs]
            total += math.log(sum(values) / len(values) if values else UNJOINED)
        return total

    @cached_property
    def _average(self) -> list[float]:
        """The mean scores of the order of some of the model's rules, for pairs without any."""
        table = self._model.tables[0].native
        if not self._model.reordering:
            return []
        rows = [table.reordering(rule) for rule in range(min(SAMPLE, table.rules))]
        return (
            [float(value) for value in np.mean(rows, axis=0)]
            if rows
            else [0.0] * len(self._model.reordering)
        )
