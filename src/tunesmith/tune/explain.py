"""Why one hypothesis of a list beats another: what every feature adds to the difference."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tunesmith.base.errors import OptionError
from tunesmith.formats.nbest import NbestList

# Features that make up less of the difference than this share are summed up in a line.
SMALL = 0.001


@dataclass(frozen=True)
class Contribution:
    """A feature of two hypotheses."""

    feature: str
    weight: float
    first: float
    second: float

    @property
    def adds(self) -> float:
        """What it says for the first one."""
        return self.weight * (self.first - self.second)


@dataclass(frozen=True)
class Preference:
    """The best two texts of a sentence's list; ``str`` and ``print`` give a table."""

    id: str
    source: str | None
    first: str
    first_score: float
    first_rank: int
    """Its place in the list, from 1."""
    second: str | None
    """The best of those with another text; None if there is none."""
    second_score: float
    second_rank: int
    contributions: tuple[Contribution, ...]
    """The largest part of the difference first."""

    @property
    def difference(self) -> float:
        """How far the first is ahead."""
        return self.first_score - self.second_score

    def __str__(self) -> str:
        head = [f"sentence {self.id}"]
        if self.source is not None:
            head.append(f"source  {self.source}")
        head.append(
            f"first   {self.first}  (score {self.first_score:.4f}, {_place(self.first_rank)})"
        )
        if self.second is None:
            return "\n".join([*head, "no other text in the list"])
        head.append(
            f"second  {self.second}  (score {self.second_score:.4f}, {_place(self.second_rank)})"
        )
        width = max(len("feature"), *(len(one.feature) for one in self.contributions))
        table = [f"{'feature':<{width}} {'weight':>10} {'first':>10} {'second':>10} {'adds':>10}"]
        shown = [one for one in self.contributions if abs(one.adds) >= SMALL * self._largest]
        table += [
            f"{one.feature:<{width}} {one.weight:>10.4f} {one.first:>10.4g} {one.second:>10.4g} "
            f"{one.adds:>+10.4f}"
            for one in shown
        ]
        if len(shown) < len(self.contributions):
            # Rounded before it is shown: no "-0.0000".
            rest = round(self.difference - sum(one.adds for one in shown), 4) + 0.0
            table.append(f"{'rest':<{width}} {'':>32} {rest:>+10.4f}")
        table.append(f"{'':<{width}} {'':>32} {self.difference:>+10.4f}")
        return "\n".join([*head, *table])

    @property
    def _largest(self) -> float:
        return max((abs(one.adds) for one in self.contributions), default=0.0)


def _place(rank: int) -> str:
    return f"no. {rank} of its list"


def explain(nbest: NbestList, weights: Mapping[str, float], sentence: int) -> Preference:
    """Why the chosen hypothesis of a sentence beats the best with another text."""
    if not 0 <= sentence < nbest.sentences:
        raise OptionError(f"no sentence {sentence}, expected 0 to {nbest.sentences - 1:,}")
    begin, end = int(nbest.offsets[sentence]), int(nbest.offsets[sentence + 1])
    one = nbest[sentence]
    if begin == end:
        raise OptionError(f"sentence {one.id} has no hypothesis")
    scores = nbest.scores(weights)[begin:end]
    # Stable: of equals the first comes first, as in `NbestList.best`.
    order = np.argsort(-scores, kind="stable").tolist()
    first = order[0]
    second = next((row for row in order if one.texts[row] != one.texts[first]), None)
    values = [_values(nbest, begin + row) for row in (first, first if second is None else second)]
    names = list(dict.fromkeys([*values[0], *values[1]]))
    found = [
        Contribution(
            name, weights.get(name, 0.0), values[0].get(name, 0.0), values[1].get(name, 0.0)
        )
        for name in names
    ]
    return Preference(
        id=one.id,
        source=one.source,
        first=one.texts[first],
        first_score=float(scores[first]),
        first_rank=first + 1,
        second=None if second is None else one.texts[second],
        second_score=float(scores[first if second is None else second]),
        second_rank=0 if second is None else second + 1,
        contributions=tuple(sorted(found, key=lambda part: -abs(part.adds))),
    )


def sentence_of(nbest: NbestList, name: str) -> int:
    """The number of the sentence that a list calls `name`."""
    names = list(map(str, range(nbest.sentences)) if nbest.ids is None else nbest.ids)
    if name in names:
        return names.index(name)
    last = f"0 to {nbest.sentences - 1:,}" if nbest.ids is None else "one of its ids"
    raise OptionError(f"the list has no sentence '{name}', expected {last}")


def _values(nbest: NbestList, row: int) -> dict[str, float]:
    """All features of a hypothesis."""
    values = dict(zip(nbest.dense_names, nbest.dense[row].tolist(), strict=True))
    for entry in range(int(nbest.sparse_offsets[row]), int(nbest.sparse_offsets[row + 1])):
        values[nbest.sparse_names[nbest.sparse_ids[entry]]] = float(nbest.sparse_values[entry])
    return values
