"""A decoder that is no search at all: word by word, in all ways that a little dictionary knows."""

from dataclasses import dataclass, field
from itertools import product

import numpy as np

from tunesmith.base.weights import Weights
from tunesmith.decode import Decoder, DecoderOutput, Session

DICTIONARY = {"a": ("x", "y", "z"), "b": ("y", "w x"), "c": ("z", "w"), "d": ("x y", "w")}
DENSE = ("words", "first")
SPARSE = tuple(f"pair:{a}_{b.replace(' ', '_')}" for a in DICTIONARY for b in DICTIONARY[a])


def features(choices):
    """Dense and sparse features of a translation: [(source word, its translation), …]."""
    dense = [
        float(sum(len(target.split()) for _, target in choices)),
        float(sum(target == DICTIONARY[source][0] for source, target in choices)),
    ]
    names = [f"pair:{source}_{target.replace(' ', '_')}" for source, target in choices]
    return dense, {name: float(names.count(name)) for name in sorted(set(names))}


@dataclass
class ToyDecoder(Decoder):
    """`knows` its features beforehand, or not, as a command does not."""

    knows: bool = True
    seen: list = field(default_factory=list)
    """What it was asked to translate."""

    @property
    def names(self):
        return DENSE if self.knows else ()

    @property
    def all_names(self):
        return (*DENSE, *SPARSE) if self.knows else None

    def session(self, weights=None, *, engine=None):
        if not isinstance(weights, Weights):
            assert self.knows
            weights = Weights(dict(zip(self.all_names, weights.tolist(), strict=True)))
        return ToySession(self, weights)


@dataclass
class ToySession(Session):
    decoder: ToyDecoder
    weights: Weights

    def lists(self, sentences, want):
        rows, offsets = [], [0]
        for sentence in sentences:
            words = sentence.split()
            self.decoder.seen.append(sentence)
            found = []
            for targets in product(*(DICTIONARY[word] for word in words)):
                dense, sparse = features(list(zip(words, targets, strict=True)))
                every = {**dict(zip(DENSE, dense, strict=True)), **sparse}
                score = sum(self.weights.get(name, 0.0) * value for name, value in every.items())
                found.append((score, " ".join(targets), dense, sparse))
            found.sort(key=lambda row: -row[0])
            rows += found[: want.size]
            offsets.append(len(rows))
        used = sorted({name for row in rows for name in row[3]})
        ids = [used.index(name) for row in rows for name in row[3]]
        return DecoderOutput(
            np.array(offsets),
            [row[1] for row in rows],
            np.array([row[0] for row in rows]),
            np.array([row[2] for row in rows]),
            DENSE,
            (
                np.cumsum([0, *(len(row[3]) for row in rows)]),
                np.array(ids, np.uint32),
                np.array([value for row in rows for value in row[3].values()], np.float32),
            ),
            used,
        )
