"""`ExampleSet`: a file with the orientations of all phrase pairs of a text, and their features."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import Array, contents_of, json_object, read_arrays
from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import check_parameters, parameter, parameters_of
from tunesmith.base.progress import progress
from tunesmith.base.vocabulary import UNKNOWN, Vocabulary
from tunesmith.corpus import Bitext
from tunesmith.corpus.clusters import WordClusters
from tunesmith.corpus.sentences import Ids, Offsets, Sentences
from tunesmith.engine import EngineLike, as_engine, engine_parameter
from tunesmith.formats.pharaoh import Links
from tunesmith.grammar.extraction import CLASSES, ORIENTATIONS, text_with_links
from tunesmith.reorder.examples import OrientationExamples

KIND, VERSION = "orientations", 2
#: Sets of features → what they have besides linked words and words beside a phrase
#: (core/reorder/phrase_features.hh).
FEATURES: dict[str, tuple[str, ...]] = {
    "paper": (),
    "edges": ("constant", "edges"),
    "phrases": ("constant", "edges", "phrases"),
    "neighbours": ("constant", "edges", "neighbours", "phrases"),
    "all": ("constant", "edges", "neighbours", "crossed", "phrases"),
}
#: Bits of the core's FeatureChoice.
_BITS = {"sided": 1, "constant": 2, "edges": 4, "neighbours": 8, "crossed": 16, "phrases": 32}
#: What keys speak of, in this file and in that of a model.
WORD_TYPES: dict[str, tuple[type, int]] = {
    "keys": (np.uint64, 1),
    "source_bytes": (np.uint8, 1),
    "source_ends": (np.uint64, 1),
    "target_bytes": (np.uint8, 1),
    "target_ends": (np.uint64, 1),
    "source_classes": (np.uint32, 1),
    "target_classes": (np.uint32, 1),
}
_TYPES: dict[str, tuple[type, int]] = {
    **WORD_TYPES,
    "offsets": (np.uint64, 1),
    "features": (np.uint32, 1),
    "previous": (np.uint8, 1),
    "next": (np.uint8, 1),
    "meta": (np.uint8, 1),
}


@dataclass(frozen=True)
class FeatureWords:
    """What the keys of features speak of: words, and their classes (none where empty)."""

    source: Vocabulary
    target: Vocabulary
    source_classes: Ids
    target_classes: Ids

    def arrays(self) -> dict[str, Array]:
        """As a file has them."""
        return {
            **self.source.arrays("source_"),
            **self.target.arrays("target_"),
            "source_classes": self.source_classes,
            "target_classes": self.target_classes,
        }

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> "FeatureWords":
        """The inverse of `arrays`."""
        return cls(
            Vocabulary.from_arrays(arrays, "source_"),
            Vocabulary.from_arrays(arrays, "target_"),
            arrays["source_classes"],
            arrays["target_classes"],
        )


class ExampleSet:
    """Every phrase pair of a text: where it goes, and what it looks like (memory-mapped)."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        arrays = read_arrays(path, KIND, VERSION, _TYPES)
        self._offsets, self._features = arrays["offsets"], arrays["features"]
        self._orientations = {side: arrays[side] for side in ("previous", "next")}
        self.keys: npt.NDArray[np.uint64] = arrays["keys"]
        with contents_of(path, "a whole set of examples"):
            self.words = FeatureWords.from_arrays(arrays)
            self.options: dict[str, Any] = dict(json_object(arrays["meta"].tobytes())["options"])

    def __len__(self) -> int:
        return len(self._orientations["previous"])

    def towards(self, side: str, classes: str = "msd") -> OrientationExamples:
        """The examples for the orientation towards the ``previous`` or the ``next`` phrase."""
        names = CLASSES[classes]
        with contents_of(self.path, "a whole set of examples"):
            if (self._orientations[side] >= len(CLASSES["mslr"])).any():
                raise ValueError("an orientation that there is not")
            examples = OrientationExamples(
                self._offsets,
                self._features,
                np.minimum(self._orientations[side], np.uint8(len(names) - 1)),
                len(self.keys),
                names,
            )
            _ = examples.native
        return examples


@dataclass(frozen=True)
class ExampleExtraction:
    """Which examples are taken from aligned text.

    Every phrase pair that is consistent with the word links is one (Alrajeh & Niranjan 2014, §4):
    its features are the linked word pairs inside and the source words beside it, and what
    `features` adds.

    >>> from tempfile import mkdtemp
    >>> text = Bitext.from_lines(["das Haus"], ["the house"])
    >>> links = Links.from_lists([[(0, 0), (1, 1)]])
    >>> extraction = ExampleExtraction(cutoff=0)
    >>> examples = extraction.build(text, links, Path(mkdtemp()) / "examples.bin")
    >>> len(examples), examples.towards("previous").counts()
    (3, {'monotone': 3, 'swap': 0, 'discontinuous': 0})
    """

    max_length: int = parameter(7, "longest phrase, in words", at_least=1, at_most=8)
    orientation: str = parameter(
        "word", "how neighbours are recognised", choices=tuple(ORIENTATIONS)
    )
    cutoff: int = parameter(10, "features that occur no more often are left out", at_least=0)
    sided: bool = parameter(
        True, "tell words before a phrase from those behind it (the paper does not)"
    )
    features: str = parameter(
        "all",
        "what is known of a phrase pair: its linked words and the source words beside it, as in "
        "the paper; edges: also its first and last words; phrases: also the pair itself; "
        "neighbours: also its first and last source words with those beside them; all: also its "
        "first and last target words with the source words beside it",
        choices=tuple(FEATURES),
    )
    word_classes: int = parameter(
        0,
        "word classes of each side, for features of classes besides those of words; 0: none",
        at_least=0,
        at_most=10_000,
    )
    engine: EngineLike = engine_parameter("threads")

    def build(self, bitext: Bitext, links: Links, path: str | Path) -> ExampleSet:
        """Write the examples of a text to `path`."""
        check_parameters(self)
        words = FeatureWords(
            bitext.source.vocabulary,
            bitext.target.vocabulary,
            self._classes(bitext.source),
            self._classes(bitext.target),
        )
        with progress("reading orientations, sentences", 2 * len(bitext)) as bar:
            self._write(text_with_links(bitext, links), words, np.empty(0, np.uint64), path, bar)
        return ExampleSet(path)

    def build_like(
        self,
        bitext: Bitext,
        links: Links,
        path: str | Path,
        *,
        words: FeatureWords,
        keys: npt.NDArray[np.uint64],
    ) -> ExampleSet:
        """The same with features that are given: those of a model, to see how good it is."""
        check_parameters(self)
        source_offsets, source, target_offsets, target, *_ = text_with_links(bitext, links)
        arrays = (
            source_offsets,
            _translated(bitext.source, words.source)[source],
            target_offsets,
            _translated(bitext.target, words.target)[target],
            links.offsets,
            links.source,
            links.target,
        )
        with progress("reading orientations, sentences", len(bitext)) as bar:
            self._write(arrays, words, keys, path, bar)
        return ExampleSet(path)

    def _write(
        self,
        arrays: tuple[Offsets, Ids, Offsets, Ids, Offsets, Ids, Ids],
        words: FeatureWords,
        keys: npt.NDArray[np.uint64],
        path: str | Path,
        bar: Any,
    ) -> None:
        options = _core.ExampleOptions()
        options.max_length, options.cutoff, options.choice = (
            self.max_length, self.cutoff, self.feature_bits
        )  # fmt: skip
        options.orientation = _core.OrientationModel[ORIENTATIONS[self.orientation]]
        options.threads = as_engine(self.engine).threads
        _core.build_orientations(
            *arrays,
            words.source.native,
            words.target.native,
            words.source_classes,
            words.target_classes,
            options,
            keys,
            str(path),
            json.dumps({"options": self.example_options()}),
            bar.advance,
        )

    @property
    def feature_bits(self) -> int:
        """The features as files have them."""
        names = (*FEATURES[self.features], *(["sided"] if self.sided else []))
        return sum(_BITS[name] for name in names)

    def example_options(self) -> dict[str, Any]:
        """All that decides which examples a text has."""
        return {
            field.name: getattr(self, field.name)
            for field in parameters_of(ExampleExtraction)
            if field.name != "engine"
        }

    def check_made_alike(self, found: ExampleSet) -> None:
        """Refuse examples that were made with other options."""
        changed = [
            f"{name} {found.options.get(name)}, not {value}"
            for name, value in self.example_options().items()
            if found.options.get(name) != value
        ]
        if changed:
            raise OptionError(
                f"{found.path} was made with other options ({'; '.join(changed)}); expected "
                "examples made with the same, give another file or delete it"
            )

    def _classes(self, text: Sentences) -> Ids:
        if self.word_classes == 0:
            return np.empty(0, dtype=np.uint32)
        clusters = WordClusters.fit(text, classes=self.word_classes, engine=self.engine)
        numbers = {path: number for number, path in enumerate(clusters.paths())}
        paths = (clusters.bits(word) for word in text.vocabulary)
        return np.array(
            [UNKNOWN if path is None else numbers[path] for path in paths], dtype=np.uint32
        )


def _translated(text: Sentences, vocabulary: Vocabulary) -> Ids:
    """For each word of a text, its id in another vocabulary."""
    found = (vocabulary.get(word) for word in text.vocabulary)
    return np.array([UNKNOWN if number is None else number for number in found], dtype=np.uint32)
