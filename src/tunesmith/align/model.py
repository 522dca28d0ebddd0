"""`AlignmentModel`: all that is needed to align new text as the training text was aligned."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import (
    Array,
    contents_of,
    json_object,
    read_arrays,
    write_arrays,
)
from tunesmith.base.config import from_mapping
from tunesmith.base.errors import TunesmithError
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.corpus import Bitext
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.pharaoh import Links

KIND, VERSION = "align", 1
REMEDY = "make the file again with `tunesmith align`"

_WAYS = ("forward", "reverse")


class TranslationLexicon(NamedTuple):
    """Row `e` has the target words that source word `e` can be linked to."""

    rows: npt.NDArray[np.uint64]
    targets: npt.NDArray[np.uint32]
    forward: npt.NDArray[np.float32]
    reverse: npt.NDArray[np.float32]
    null_forward: npt.NDArray[np.float32]
    null_reverse: npt.NDArray[np.float32]


_LEXICON_TYPES = (np.uint64, np.uint32, np.float32, np.float32, np.float32, np.float32)
_ARRAYS: dict[str, tuple[type, int]] = {
    "about": (np.uint8, 1),
    **{
        f"lexicon.{name}": (kind, 1)
        for name, kind in zip(TranslationLexicon._fields, _LEXICON_TYPES, strict=True)
    },
    **{f"{way}.{part}": (np.float32, 1) for way in _WAYS for part in ("jump", "first")},
}


@dataclass(frozen=True)
class Direction:
    """Where the words of one side are aligned to, given those of the other."""

    #: ``ibm1`` (anywhere), ``ibm2`` (near the diagonal) or ``hmm`` (near the word before).
    model: str
    null_probability: float
    #: How strongly the diagonal pulls.
    tension: float
    #: Weights of jumps −reach − 1, …, reach + 1; the outermost are for all longer jumps.
    jump: npt.NDArray[np.float32]
    #: Weights of the first aligned position 0, …, reach + 1; the last is for all later ones.
    first: npt.NDArray[np.float32]
    #: Share of the uniform distribution among the jumps.
    uniform_jumps: float

    def native(self) -> _core.AlignmentDirection:
        """The same for the native part, checked."""
        return _core.AlignmentDirection(
            self.model,
            self.null_probability,
            self.tension,
            self.jump.tolist(),
            self.first.tolist(),
            self.uniform_jumps,
        )

    @classmethod
    def from_native(cls, model: str, native: _core.AlignmentDirection) -> "Direction":
        """The inverse of `native`."""
        return cls(
            model,
            native.null_probability,
            native.tension,
            np.array(native.jump, dtype=np.float32),
            np.array(native.first, dtype=np.float32),
            native.uniform_jumps,
        )


class PairScores(NamedTuple):
    """What a model says of sentence pairs, one value for each."""

    #: ln p(target | source) and ln p(source | target).
    forward: npt.NDArray[np.float64]
    reverse: npt.NDArray[np.float64]
    #: Source words that are most probably linked to nothing.
    missing: npt.NDArray[np.uint32]


@dataclass(frozen=True)
class LinkOptions:
    """How links are chosen from the posteriors of a model."""

    #: A method of `symmetrise`, or ``posterior``.
    symmetrisation: str
    #: For ``posterior``: links with a higher probability are taken.
    threshold: float
    #: Sentence pairs with a longer side get no links.
    max_length: int


@dataclass(frozen=True)
class AlignmentModel:
    """A trained aligner: words, their translation probabilities, positions of two directions."""

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    lexicon: TranslationLexicon
    forward: Direction
    reverse: Direction
    links: LinkOptions
    #: How the model was made, for people.
    training: dict[str, Any] = field(default_factory=dict)

    def align(
        self, text: Bitext, *, options: LinkOptions | None = None, engine: EngineLike = ALL_CORES
    ) -> Links:
        """The links of `text`, whose words must have the ids of this model's vocabularies."""
        options = options or self.links
        method = options.symmetrisation
        return Links(
            *_core.align_text(
                text.source.offsets,
                text.source.ids,
                text.target.offsets,
                text.target.ids,
                options.max_length,
                *self.lexicon,
                self.forward.native(),
                self.reverse.native(),
                "" if method == "posterior" else method,
                options.threshold,
                as_engine(engine).threads,
            )
        )

    def scores(self, text: Bitext, *, engine: EngineLike = ALL_CORES) -> "PairScores":
        """How well the sides of pairs translate each other; of pairs of any length.

        The words must have the ids of this model's vocabularies.
        """
        return PairScores(
            *_core.score_pairs(
                text.source.offsets,
                text.source.ids,
                text.target.offsets,
                text.target.ids,
                *self.lexicon,
                self.forward.native(),
                self.reverse.native(),
                as_engine(engine).threads,
            )
        )

    def save(self, path: str | Path) -> None:
        """Write everything to one file, which appears when it is complete."""
        about = {
            "links": asdict(self.links),
            "training": self.training,
            **{
                name: {
                    "model": direction.model,
                    "null_probability": direction.null_probability,
                    "tension": direction.tension,
                    "uniform_jumps": direction.uniform_jumps,
                }
                for name, direction in self._directions().items()
            },
        }
        text = json.dumps(about, ensure_ascii=False, sort_keys=True).encode()
        write_arrays(
            path,
            KIND,
            VERSION,
            {
                "about": np.frombuffer(text, dtype=np.uint8),
                **self.source_vocabulary.arrays("source."),
                **self.target_vocabulary.arrays("target."),
                **{f"lexicon.{name}": array for name, array in self.lexicon._asdict().items()},
                **{
                    f"{name}.{part}": getattr(direction, part)
                    for name, direction in self._directions().items()
                    for part in ("jump", "first")
                },
            },
        )

    def _directions(self) -> dict[str, Direction]:
        return {"forward": self.forward, "reverse": self.reverse}

    @classmethod
    def load(cls, path: str | Path) -> "AlignmentModel":
        """Map a file that `save` wrote; whatever does not fit is refused."""
        arrays = read_arrays(path, KIND, VERSION, _ARRAYS)
        with contents_of(path, "an alignment model", REMEDY):
            return cls._from_arrays(arrays)

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, Array]) -> "AlignmentModel":
        about = json_object(arrays["about"].tobytes())
        source = Vocabulary.from_arrays(arrays, "source.")
        target = Vocabulary.from_arrays(arrays, "target.")
        lexicon = TranslationLexicon(
            **{name: arrays[f"lexicon.{name}"] for name in TranslationLexicon._fields}
        )
        if (len(lexicon.null_reverse), len(lexicon.null_forward)) != (len(source), len(target)):
            raise TunesmithError("a lexicon of another vocabulary")
        _core.check_lexicon(*lexicon)
        directions = {}
        for name in _WAYS:
            values = about[name]
            direction = Direction(
                str(values["model"]),
                float(values["null_probability"]),
                float(values["tension"]),
                arrays[f"{name}.jump"],
                arrays[f"{name}.first"],
                float(values["uniform_jumps"]),
            )
            direction.native()
            directions[name] = direction
        return cls(
            source,
            target,
            lexicon,
            directions["forward"],
            directions["reverse"],
            from_mapping(about["links"], LinkOptions),
            dict(about["training"]),
        )
