"""`AdaptedModel`: a model that learns from corrections; its own files stay as they are."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from threading import RLock

from tunesmith.adapt.correction import Correction, Undo, corrections
from tunesmith.adapt.encoding import TokenPair, encode_pair
from tunesmith.adapt.folder import LayerFolder
from tunesmith.adapt.options import AdaptOptions
from tunesmith.adapt.pair_links import Link
from tunesmith.adapt.teacher import Teacher, first_weights
from tunesmith.base.errors import OptionError, TunesmithError
from tunesmith.base.lock import locked
from tunesmith.base.weights import Weights
from tunesmith.decode import ModelDecoder, open_decoder
from tunesmith.decode.translate import Translator
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.model import TranslationModel
from tunesmith.model.layer import Layer
from tunesmith.model.search import SearchOptions

# Rules and weights that a correction tells of.
RULES_TOLD, MOVED_TOLD = 20, 5


@dataclass(frozen=True)
class Held:
    """A correction that holds, in the model's tokens."""

    entry: Correction
    pair: TokenPair
    links: Sequence[Link]
    weights: Weights
    """After it."""


class AdaptedModel:
    """A model with a layer of what corrections taught it.

    ``adapted.correct("Das ist gut .", "That 's fine .")`` changes `decoder`, `weights` and
    `version`; whoever has the decoder of before can go on with it. Several threads may correct.

    Parameters
    ----------
    model
        A model directory, a model that is open, or a decoder with its model.
    folder
        The layer: opened, or made if there is none.
    options
        How a new layer learns; a layer that is there keeps its own.
    search, engine
        As `open_decoder` takes them.
    """

    def __init__(
        self,
        model: "ModelDecoder | TranslationModel | str | Path",
        folder: str | Path,
        options: AdaptOptions | None = None,
        *,
        search: SearchOptions | None = None,
        engine: EngineLike = ALL_CORES,
    ) -> None:
        if isinstance(model, str | Path):
            model = TranslationModel.load(model)
        if isinstance(model, TranslationModel):
            model = open_decoder(model, search=search, engine=engine)
        self.base = model
        self.folder = LayerFolder(folder)
        self._lock = RLock()
        if not self.folder.exists:
            with locked(self.folder.path):
                self.folder.make(self.base.model, options or AdaptOptions())
        self.folder.check_model(self.base.model)
        self.options = self.folder.options()
        self._teacher = Teacher(self.base, self.options)
        self._open()

    def _open(self) -> None:
        """Take what the log says; rules are read, or made again where the file is another's."""
        self._entries = self.folder.read_log()
        self._size = self.folder.size()
        holding, weights = self._holding(self._entries)
        self._held: list[Held] | None = None
        self.weights = weights[holding[-1].id] if holding else self._first
        self._ids = [entry.id for entry in holding]
        if self._rules_fit():
            self._rules = self._teacher.rules(self.folder.rules_path)
        else:
            self._rules = self._teacher.rules()
            for held in self._all_held():
                self._rules.add(held.pair.source, held.pair.target, held.links)
            self._write_rules()
        self._open_decoder()

    @cached_property
    def _first(self) -> Weights:
        return first_weights(self.base.model, self.options)

    @property
    def version(self) -> int:
        """Grows by one with every correction and every undo."""
        return len(self._entries)

    @property
    def log(self) -> list[Correction]:
        """All corrections, those that were undone too, as they were when they were made."""
        return corrections(self._entries)

    @property
    def rules(self) -> int:
        """How many rules the layer has."""
        return len(self._rules)

    def correct(
        self, source: str, correction: str, *, time: str | None = None, origin: str = ""
    ) -> Correction:
        """Learn that `correction` is the translation of `source`.

        The log keeps `time`, which is now by default, and the `origin`.
        """
        with self._lock, locked(self.folder.path, wait=True):
            self._refresh()
            pair = encode_pair(self.base.model, source, correction)
            shown = self._teacher.look(self.decoder, self.weights, source, pair)
            links = self._teacher.links(pair)
            rules = self._rules.add(pair.source, pair.target, links)
            moved = {
                name: (self.weights.get(name, 0.0), value)
                for name, value in shown.weights.items()
                if value != self.weights.get(name, 0.0)
            }
            largest = sorted(moved, key=lambda name: (-abs(moved[name][1] - moved[name][0]), name))
            number = 1 + sum(isinstance(entry, Correction) for entry in self._entries)
            self.weights = shown.weights
            self._ids = [*self._ids, number]
            self._write_rules()
            self._open_decoder()
            entry = Correction(
                id=number,
                source=source,
                correction=correction,
                before=shown.text,
                after=self.translate(source),
                reachable=shown.reachable,
                rules=tuple(rules[:RULES_TOLD]),
                links=tuple(links),
                weights={name: self.weights.get(name, 0.0) for name in self.decoder.names},
                moved={name: moved[name] for name in largest[:MOVED_TOLD]},
                version=self.version + 1,
                time=_now() if time is None else time,
                origin=origin,
            )
            if self._held is not None:
                self._held.append(Held(entry, pair, links, self.weights))
            self._append(entry)
            return entry

    def undo(self, id: int | None = None, *, time: str | None = None) -> int:
        """Take a correction back, the last one by default: as if it had never been made.

        What came behind it is learned again without it. Gives the number of the correction.
        """
        with self._lock, locked(self.folder.path, wait=True):
            self._refresh()
            if not self._ids:
                raise OptionError(f"{self.folder.path} has no correction to undo")
            number = self._ids[-1] if id is None else id
            if number not in self._ids:
                made = any(entry.id == number for entry in self.log)
                found = "is undone already" if made else "does not exist"
                raise OptionError(f"correction {number} {found}")
            held = self._all_held()
            place = self._ids.index(number)
            before, later = held[:place], held[place + 1 :]
            self._ids = [one.entry.id for one in before]
            self.weights = before[-1].weights if before else self._first
            self._rules = self._teacher.rules()
            for one in before:
                self._rules.add(one.pair.source, one.pair.target, one.links)
            self._held = before
            for one in later:
                self._write_rules()
                self._open_decoder()
                shown = self._teacher.look(self.decoder, self.weights, one.entry.source, one.pair)
                self._rules.add(one.pair.source, one.pair.target, one.links)
                self.weights = shown.weights
                self._ids.append(one.entry.id)
                self._held.append(replace(one, weights=self.weights))
            self._write_rules()
            self._open_decoder()
            names = self.decoder.names
            again = {
                one.entry.id: {name: one.weights.get(name, 0.0) for name in names}
                for one in self._held[place:]
            }
            self._append(Undo(number, again, _now() if time is None else time))
            return number

    def translate(self, source: str) -> str:
        """What the model makes of a line now."""
        return Translator(self.decoder, weights=self.weights).translate(source)

    def _holding(
        self, entries: Sequence[Correction | Undo]
    ) -> tuple[list[Correction], dict[int, Weights]]:
        """The corrections that hold, and the weights after each."""
        holding: list[Correction] = []
        weights: dict[int, Weights] = {}
        for entry in entries:
            if isinstance(entry, Correction):
                holding.append(entry)
                weights[entry.id] = self._all_weights(entry.weights)
            else:
                holding = [one for one in holding if one.id != entry.id]
                for number, values in entry.weights.items():
                    weights[number] = self._all_weights(values)
        return holding, weights

    def _all_weights(self, dense: Mapping[str, float]) -> Weights:
        return Weights({**self._first, **dense})

    def _all_held(self) -> list[Held]:
        """The corrections that hold in the model's tokens."""
        if self._held is None:
            holding, weights = self._holding(self._entries)
            self._held = [
                Held(
                    entry,
                    encode_pair(self.base.model, entry.source, entry.correction),
                    entry.links,
                    weights[entry.id],
                )
                for entry in holding
            ]
        return self._held

    def _refresh(self) -> None:
        """Take what another process has added to the log."""
        if self.folder.size() != self._size:
            self._open()

    def _append(self, entry: Correction | Undo) -> None:
        self.folder.append(entry)
        self._entries.append(entry)
        self._size = self.folder.size()
        self.folder.write_weights(self.weights)

    def _digest(self) -> str:
        """Which corrections the rules are of."""
        return hashlib.blake2b(repr(self._ids).encode(), digest_size=8).hexdigest()

    def _rules_fit(self) -> bool:
        """Whether the file of the rules is that of the corrections that hold."""
        try:
            return self._teacher.rules_of(self.folder.rules_path) == self._digest()
        except (TunesmithError, OSError):
            return False

    def _write_rules(self) -> None:
        self._rules.write(self.folder.rules_path, {"corrections": self._digest()})

    def _open_decoder(self) -> None:
        self.decoder: ModelDecoder = self.base.layered(Layer(self.folder.rules_path, self.weights))


def open_layer(decoder: ModelDecoder, folder: str | Path) -> ModelDecoder:
    """A decoder with a layer that is there on top."""
    LayerFolder(folder).head()
    return AdaptedModel(decoder, folder).decoder


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")
