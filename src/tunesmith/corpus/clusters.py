"""`WordClusters`: words that stand in similar places, in a hierarchy (Brown et al. 1992).

Brown, deSouza, Mercer, Della Pietra and Lai (1992), Class-Based n-gram Models of Natural Language:
classes of words such that the class of a word tells most of the class of the next one. Here they
are found by the exchange algorithm (Kneser and Ney 1993; Martin, Liermann and Ney 1998) and then
merged in pairs, the cheapest first; the merges are a binary tree in which the path of a class is a
string of 0s and 1s. A prefix of it names a larger, coarser class.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tunesmith import _core
from tunesmith.base.errors import OptionError, TunesmithError
from tunesmith.base.log import log
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.progress import progress
from tunesmith.base.vocabulary import UNKNOWN
from tunesmith.corpus.sentences import Sentences
from tunesmith.engine import EngineLike, as_engine, engine_parameter
from tunesmith.formats.clusters import WordClass, read_word_classes, write_word_paths

# Sweeps end when the mutual information of a word and the next rises by less than this (nats).
LEAST_RISE = 1e-5


class WordClusters:
    """Words and the paths of their classes.

    >>> text = ["the cat runs", "a cat sleeps", "the dog sleeps", "a dog runs"] * 5
    >>> clusters = WordClusters.fit(text, classes=3)
    >>> clusters.bits("cat") == clusters.bits("dog") != clusters.bits("runs")
    True
    >>> clusters.prefix("the", 1) in {"0", "1"}, clusters.bits("mouse")
    (True, None)
    """

    def __init__(self, words: Mapping[str, WordClass]) -> None:
        self._words = dict(words)
        self.information: float | None = None
        """Mutual information of neighbouring classes in the text, in nats; None for a file's."""

    @classmethod
    def fit(cls, lines: Iterable[str] | Sentences, **options: Any) -> "WordClusters":
        """Cluster the words of tokenised sentences; the options are those of `Clustering`."""
        method = Clustering(**options)
        return method.fit_sentences(lines) if isinstance(lines, Sentences) else method.fit(lines)

    @classmethod
    def load(cls, path: str | Path) -> "WordClusters":
        """Read ``path word count`` lines, of ours or of wcluster."""
        return cls(read_word_classes(path, paths_only=True))

    def save(self, path: str | Path | None) -> None:
        """Write ``path TAB word TAB count`` lines (gzip or xz by suffix; None or ``-``: stdout)."""
        write_word_paths(path, self._words)

    def bits(self, word: str) -> str | None:
        """The path of the word's class from the root, or None for an unknown word."""
        found = self._words.get(word)
        return None if found is None else found.name

    def prefix(self, word: str, length: int) -> str | None:
        """The first `length` bits of the path; a shorter path is its own prefix."""
        found = self._words.get(word)
        return None if found is None else found.name[:length]

    def count(self, word: str) -> int:
        """How often the word occurs in the text; 0 for an unknown word."""
        found = self._words.get(word)
        return 0 if found is None else found.count or 0

    def paths(self) -> list[str]:
        """The paths of all classes, sorted."""
        return sorted({found.name for found in self._words.values()})

    def __len__(self) -> int:
        """The number of words."""
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __contains__(self, word: object) -> bool:
        return word in self._words

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordClusters) and self._words == other._words

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"WordClusters: {len(self):,} words in {len(self.paths()):,} classes"


@dataclasses.dataclass(frozen=True)
class Clustering:
    """How words are clustered. The result depends on nothing but the text and these numbers."""

    classes: int = parameter(500, "number of classes", at_least=1, at_most=10_000)
    sweeps: int = parameter(
        20, "times that every word may change its class; fewer if little changes", at_least=1
    )
    min_count: int = parameter(1, "words that occur less often get no class", at_least=1)
    engine: EngineLike = engine_parameter()

    def fit(self, lines: Iterable[str]) -> WordClusters:
        """Cluster the words of tokenised sentences."""
        if isinstance(lines, str):
            raise OptionError("lines is one string, expected a sequence of sentences")
        check_parameters(self)
        return self.fit_sentences(Sentences.from_lines(lines, engine=self.engine))

    def fit_sentences(self, text: Sentences) -> WordClusters:
        """Cluster the words of a text that is coded already."""
        check_parameters(self)
        counts = text.counts()
        if not (counts >= self.min_count).any():
            least = f" that occur {self.min_count} times" if self.min_count > 1 else ""
            raise TunesmithError(f"the text has no words{least}, expected some to cluster")
        native = _core.WordExchange(
            text.offsets,
            text.ids,
            len(counts),
            self.classes,
            self.min_count,
            as_engine(self.engine).threads,
        )
        self._sweep(native)
        paths, classes = native.paths(), native.assignment()
        clusters = WordClusters(
            {
                word: WordClass(paths[number], int(count))
                for word, number, count in zip(text.vocabulary, classes, counts, strict=True)
                if number != UNKNOWN
            }
        )
        clusters.information = native.information
        return clusters

    def _sweep(self, native: _core.WordExchange) -> None:
        before = native.information
        with progress("exchanging words, sweeps", self.sweeps) as bar:
            for number in range(1, self.sweeps + 1):
                moves = native.sweep()
                now = native.information
                log.debug(f"sweep {number}: {moves:,} words moved, information {now:.5f} nats")
                bar.advance()
                if now - before < LEAST_RISE:
                    break
                before = now
