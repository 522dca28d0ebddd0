"""`Correction`: what was corrected and what came of it; a line of a layer's log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

#: A correction: its number, the source, what it was corrected to.
Key = tuple[int, str, str]


@dataclass(frozen=True)
class Correction:
    """A correction of a sentence."""

    id: int
    """From 1 on; an undone one keeps its number."""
    source: str
    correction: str
    before: str
    """What the model made of the source before it was corrected …"""
    after: str
    """… and what it makes of it now."""
    reachable: bool
    """Whether the model could make the correction at all before."""
    rules: tuple[tuple[str, str], ...]
    """Phrase pairs that neither the model nor the layer had: the shortest of them."""
    links: tuple[tuple[int, int], ...]
    """Word links of source and correction in the model's tokens."""
    weights: Mapping[str, float]
    """The weights of all dense features after it."""
    moved: Mapping[str, tuple[float, float]]
    """The weights that moved most: before, after."""
    version: int
    """Of the layer, with this correction in it."""
    time: str = ""
    """When it was made; empty where nobody said."""
    origin: str = ""
    """Of a correction from a file: the digest of all of it up to here."""
    tokens: tuple[str, str] | None = None
    """Of both sides, where detokenising and recasing does not give the correction as written."""
    undone: bool = False

    @property
    def key(self) -> Key:
        """What rules are made from."""
        return self.id, self.source, self.correction

    def to_json(self) -> dict[str, Any]:
        """A line of the log."""
        return {
            "id": self.id,
            "source": self.source,
            "correction": self.correction,
            "before": self.before,
            "after": self.after,
            "reachable": self.reachable,
            "rules": [list(pair) for pair in self.rules],
            "links": " ".join(f"{s}-{t}" for s, t in self.links),
            "moved": {name: list(both) for name, both in self.moved.items()},
            "weights": dict(self.weights),
            "time": self.time,
            **({"origin": self.origin} if self.origin else {}),
            **({"tokens": list(self.tokens)} if self.tokens else {}),
        }


@dataclass(frozen=True)
class Undo:
    """A correction that was taken back, and the weights of the later ones without it."""

    id: int
    weights: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    """Of every correction behind it that still holds: the weights after it."""
    time: str = ""

    def to_json(self) -> dict[str, Any]:
        """A line of the log."""
        later = {str(number): dict(weights) for number, weights in self.weights.items()}
        return {"undo": self.id, "weights": later, "time": self.time}


def corrections(entries: Sequence[Correction | Undo]) -> list[Correction]:
    """All corrections of a log, with those marked that were undone."""
    undone = {entry.id for entry in entries if isinstance(entry, Undo)}
    return [
        replace(entry, undone=entry.id in undone)
        for entry in entries
        if isinstance(entry, Correction)
    ]


def correction_of(values: Mapping[str, Any], version: int) -> Correction | Undo:
    """What a line of the log says; ValueError, KeyError or TypeError where it says nothing."""
    if "undo" in values:
        later = {int(number): _weights(one) for number, one in values["weights"].items()}
        return Undo(_whole(values["undo"]), later, _text(values["time"]))
    tokens = [_text(side) for side in values.get("tokens", [])]
    links = [link.split("-") for link in _text(values["links"]).split()]
    return Correction(
        id=_whole(values["id"]),
        source=_text(values["source"]),
        correction=_text(values["correction"]),
        before=_text(values["before"]),
        after=_text(values["after"]),
        reachable=bool(values["reachable"]),
        rules=tuple((_text(source), _text(target)) for source, target in values["rules"]),
        links=tuple((int(source), int(target)) for source, target in links),
        weights=_weights(values["weights"]),
        moved={name: (float(old), float(new)) for name, (old, new) in values["moved"].items()},
        version=version,
        time=_text(values["time"]),
        origin=_text(values.get("origin", "")),
        tokens=(tokens[0], tokens[1]) if tokens else None,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or value < 1:
        raise ValueError(f"{value!r} is no number of a correction")
    return value


def _weights(values: Any) -> dict[str, float]:
    return {_text(name): float(value) for name, value in values.items()}
