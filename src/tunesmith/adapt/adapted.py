"""`AdaptedModel`: a model that learns from corrections; its own files stay as they are."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from threading import RLock

from tunesmith.adapt.correction import Correction, Key, Undo, corrections
from tunesmith.adapt.encoding import TokenPair, encode_pair, unrestored
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
        self._keys = [entry.key for entry in holding]
        self._texts = _texts(holding)
        self.weights = weights[holding[-1].id] if holding else self._first
        if self._rules_fit(self._keys):
            self._rules = self._teacher.rules(self.folder.rules_path)
            layer = Layer(self.folder.rules_path, self.weights, self._texts)
            self.decoder: ModelDecoder = self.base.layered(layer)
            return
        self._rules = self._teacher.rules()
        for held in self._all_held():
            self._rules.add(held.pair.source, held.pair.target, held.links)
        self.decoder = self._written(self._keys, self.weights, self._texts)

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
        pair = encode_pair(self.base.model, source, correction)
        with self._changing():
            shown = self._teacher.look(self.decoder, self.weights, source, pair)
            links = self._teacher.links(pair)
            rules = self._rules.add(pair.source, pair.target, links)
            number = 1 + sum(isinstance(entry, Correction) for entry in self._entries)
            keys = [*self._keys, (number, source, correction)]
            tokens = unrestored(self.base.model, source, correction, pair)
            texts = {**self._texts, tokens: correction} if tokens else self._texts
            decoder = self._written(keys, shown.weights, texts)
            entry = Correction(
                id=number,
                source=source,
                correction=correction,
                before=shown.text,
                after=Translator(decoder).translate(source),
                reachable=shown.reachable,
                rules=tuple(rules[:RULES_TOLD]),
                links=tuple(links),
                weights=_dense(shown.weights, decoder),
                moved=_largest(self.weights, shown.weights),
                version=self.version + 1,
                time=_now() if time is None else time,
                origin=origin,
                tokens=tokens,
            )
            self._append(entry, decoder, keys)
            if self._held is not None:
                self._held.append(Held(entry, pair, links, shown.weights))
            return entry

    def undo(self, id: int | None = None, *, time: str | None = None) -> int:
        """Take a correction back, the last one by default: as if it had never been made.

        What came behind it is learned again without it. Gives the number of the correction.
        """
        with self._changing():
            number = self._to_undo(id)
            held = self._all_held()
            place = [one.entry.id for one in held].index(number)
            kept, later = held[:place], held[place + 1 :]
            keys = [one.entry.key for one in kept]
            weights = kept[-1].weights if kept else self._first
            self._rules = self._teacher.rules()
            for one in kept:
                self._rules.add(one.pair.source, one.pair.target, one.links)
            texts = _texts([one.entry for one in (*kept, *later)])
            decoder = self._written(keys, weights, texts)
            for one in later:
                weights = self._teacher.look(decoder, weights, one.entry.source, one.pair).weights
                self._rules.add(one.pair.source, one.pair.target, one.links)
                keys.append(one.entry.key)
                decoder = self._written(keys, weights, texts)
                kept.append(replace(one, weights=weights))
            again = {one.entry.id: _dense(one.weights, decoder) for one in kept[place:]}
            self._append(Undo(number, again, _now() if time is None else time), decoder, keys)
            self._held = kept
            return number

    def _to_undo(self, id: int | None) -> int:
        """The number of a correction that holds."""
        holding = [number for number, *_ in self._keys]
        if not holding:
            raise OptionError(f"{self.folder.path} has no correction to undo")
        number = holding[-1] if id is None else id
        if number not in holding:
            made = any(entry.id == number for entry in self.log)
            found = "is undone already" if made else "does not exist"
            raise OptionError(f"correction {number} {found}")
        return number

    def translate(self, source: str) -> str:
        """What the model makes of a line now."""
        return Translator(self.decoder).translate(source)

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

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Alone with the newest state; what a failure leaves in memory is not used again."""
        with self._lock, locked(self.folder.path, wait=True):
            if self.folder.size() != self._size:
                self._open()
            try:
                yield
            except BaseException:
                self._size = -1
                raise

    def _append(self, entry: Correction | Undo, decoder: ModelDecoder, keys: list[Key]) -> None:
        """From now on the state is that after `entry`."""
        self.folder.append(entry)
        self._entries.append(entry)
        self._size = self.folder.size()
        self.decoder, self.weights, self._keys = decoder, decoder.model.weights, keys
        self._texts = {} if decoder.model.layer is None else dict(decoder.model.layer.written)
        self.folder.write_weights(self.weights)

    def _rules_fit(self, keys: list[Key]) -> bool:
        """Whether the file of the rules is that of these corrections."""
        try:
            return self._teacher.rules_of(self.folder.rules_path) == _digest(keys)
        except (TunesmithError, OSError):
            return False

    def _written(
        self, keys: list[Key], weights: Weights, texts: dict[tuple[str, str], str]
    ) -> ModelDecoder:
        """The decoder with the rules of these corrections, which are written first."""
        self._rules.write(self.folder.rules_path, {"corrections": _digest(keys)})
        return self.base.layered(Layer(self.folder.rules_path, weights, texts))


def open_layer(decoder: ModelDecoder, folder: str | Path) -> ModelDecoder:
    """A decoder with a layer that is there on top."""
    LayerFolder(folder).head()
    return AdaptedModel(decoder, folder).decoder


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


def _texts(holding: Sequence[Correction]) -> dict[tuple[str, str], str]:
    """Corrections that their tokens do not give back, by these."""
    return {one.tokens: one.correction for one in holding if one.tokens is not None}


def _digest(keys: list[Key]) -> str:
    text = repr(keys).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=12).hexdigest()


def _dense(weights: Weights, decoder: ModelDecoder) -> dict[str, float]:
    return {name: weights.get(name, 0.0) for name in decoder.names}


def _largest(old: Weights, new: Weights) -> dict[str, tuple[float, float]]:
    """The weights that moved most."""
    moved = {name: (old.get(name, 0.0), value) for name, value in new.items()}
    changed = {name: both for name, both in moved.items() if both[0] != both[1]}
    order = sorted(changed, key=lambda name: (-abs(changed[name][1] - changed[name][0]), name))
    return {name: changed[name] for name in order[:MOVED_TOLD]}
