"""`GrowingWeights`: weights of features by name, of which a search may always show new ones."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.ragged import packed_names, unpacked_names
from tunesmith.base.weights import MAX_WEIGHT, Weights
from tunesmith.decode import Decoder, LiveWeights
from tunesmith.learn.flat_weights import KEY_BITS, FlatWeights
from tunesmith.learn.update_rules import Floats


class GrowingWeights:
    """Dense weights, and those of all sparse features that were met; what their average needs.

    Parameters
    ----------
    decoders
        Whose features they are: where these are known beforehand, no others are met.
    begin
        Weights to begin with.
    share
        What a feature (its name, and whether it is dense) takes of a step.
    live
        Whether searches may be shown the weights as they move.
    """

    def __init__(
        self,
        decoders: Sequence[Decoder],
        begin: Mapping[str, float],
        share: Callable[[str, bool], float],
        *,
        live: bool,
    ) -> None:
        self.is_known = decoders[0].all_names is not None
        self._known = tuple(decoders[0].all_names or ())
        self.dense = tuple(decoders[0].names) or tuple(begin)
        self.steps = 0.0
        self._share, self._is_dense = share, set(self.dense)
        self._places: dict[str, int] = {}
        # By place: weights, Σ over steps t of t · (step t), and what a step moves a feature by.
        self._weights = self._lagged = self._shares = np.zeros(0)
        self._live: _core.NamedWeights | None = None
        self.meet(self._known or self.dense)
        if self.is_known:
            for name in begin:
                if name not in self._places:
                    raise OptionError(f"weight for '{name}', which is no feature of the decoder")
        self.meet(list(begin))
        self._weights[[self._places[name] for name in begin]] = list(begin.values())
        if live and all(one.takes_live_weights for one in decoders):
            self._live = self._alive()

    def meet(self, names: Sequence[str], *, dense: bool = False) -> None:
        """Room for features that were not seen before."""
        new = [name for name in names if name not in self._places]
        if not new:
            return
        if dense:
            self.dense = (*self.dense, *new)
            self._is_dense.update(new)
        first = len(self._places)
        self._places.update(zip(new, range(first, first + len(new)), strict=True))
        zeros = np.zeros(len(new))
        shares = [self._share(name, name in self._is_dense) for name in new]
        self._weights = np.concatenate([self._weights, zeros])
        self._lagged = np.concatenate([self._lagged, zeros])
        self._shares = np.concatenate([self._shares, shares])

    def vector(self, names: Sequence[str]) -> Floats:
        """The weights of these features; those that were never met weigh nothing."""
        if self.is_known and tuple(names) == self._known:
            return self._weights
        return np.append(self._weights, 0.0)[self._places_of(names)]

    def shares(self, names: Sequence[str]) -> Floats:
        """What they take of a step; those that were never met are sparse."""
        return np.append(self._shares, self._share("", False))[self._places_of(names)]

    def add(self, names: Sequence[str], change: Floats, *, dense: bool) -> None:
        """Add the step: for each feature its share of the change."""
        self.meet(names, dense=dense)
        places = self._places_of(names)
        step = self._shares[places] * change
        self._weights[places] += step
        self._lagged[places] += self.steps * step
        if self._live is not None and not dense:
            self._live.add(list(names), step)

    def for_search(self) -> Weights | Floats:
        """As a decoder takes them, at the least cost."""
        if self.is_known:
            return self._weights
        if self._live is None:
            return Weights(dict(zip(self._places, self._weights.tolist(), strict=True)))
        dense = dict(zip(self.dense, self.vector(self.dense).tolist(), strict=True))
        return LiveWeights(dense, self._live)

    def named(self, *, average: bool) -> dict[str, float]:
        """All that are not 0, and all dense ones; averaged over all steps, or as they are."""
        weights = self._weights
        if average and self.steps:
            weights = weights - self._lagged / self.steps
        values = zip(self._places, weights.tolist(), strict=True)
        return {name: value for name, value in values if value or name in self._is_dense}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All there is to keep but for the number of steps."""
        return {
            "names": packed_names(list(self._places)),
            "dense": np.array([name in self._is_dense for name in self._places], np.uint8),
            "weights": self._weights,
            "lagged": self._lagged,
        }

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]], steps: float) -> None:
        """Go on with these; a `ValueError` if they are no such weights."""
        names = unpacked_names(arrays["names"])
        if self.is_known and names != tuple(self._places):
            raise ValueError("features of another decoder")
        self.meet([n for n, d in zip(names, arrays["dense"], strict=True) if d], dense=True)
        self.meet(names)
        places = self._places_of(names)
        for own, name in ((self._weights, "weights"), (self._lagged, "lagged")):
            # Both together are weights, which have a limit.
            if len(arrays[name]) != len(names) or not (
                np.abs(arrays[name]).max(initial=0.0) <= MAX_WEIGHT / 2
            ):
                raise ValueError(f"{name} that are no weights of {len(names):,} features")
            own[places] = arrays[name]
        self.steps = steps
        if self._live is not None:
            self._live = self._alive()

    def flat(self) -> FlatWeights:
        """As they are, as arrays that travel: sparse ones by the hashes of their names."""
        names = [
            name
            for name, value in zip(self._places, self._weights.tolist(), strict=True)
            if value and name not in self._is_dense
        ]
        keys = np.array([name_key(name) for name in names], np.uint64)
        order = np.argsort(keys, kind="stable")
        return FlatWeights(
            self.vector(self.dense),
            keys[order],
            self.vector(names)[order].astype(np.float32),
            names=np.array(names, dtype=object)[order],
        )

    def assign(self, flat: FlatWeights) -> None:
        """Take the place of all that was there; the decoder is the same."""
        names = flat.names.tolist()
        self.meet(names)
        self._weights[:] = 0.0
        self._weights[self._places_of(self.dense)] = flat.dense
        self._weights[self._places_of(names)] = flat.values
        if self._live is not None:
            self._live = self._alive()

    def _places_of(self, names: Sequence[str]) -> list[int]:
        return [self._places.get(name, -1) for name in names]

    def _alive(self) -> _core.NamedWeights:
        sparse = [name for name in self._places if name not in self._is_dense]
        return _core.NamedWeights(sparse, self.vector(sparse))


def name_key(name: str) -> int:
    """A feature's key among all machines."""
    digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - KEY_BITS)
