"""`Vocabulary`: words ↔ dense ids, in order of first appearance."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tunesmith import _core
from tunesmith.base.array_file import Array
from tunesmith.base.errors import TunesmithError

# The id of a word that is not in a vocabulary, where ids are kept in uint32 arrays.
UNKNOWN = 0xFFFFFFFF


class Vocabulary:
    """Distinct strings and their ids 0, 1, 2, …; no string is special.

    >>> words = Vocabulary(["the", "house", "the"])
    >>> len(words), words["house"], words.text(0), words.get("<s>")
    (2, 1, 'the', None)
    >>> words.add("<s>")
    2
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.native = _core.StringIndex()
        for word in words:
            self.native.add(word)

    def __len__(self) -> int:
        return len(self.native)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.native.find(word) >= 0

    def __getitem__(self, word: str) -> int:
        """The id of `word`; KeyError when it has none."""
        found: int = self.native.find(word)
        if found < 0:
            raise KeyError(word)
        return found

    def __iter__(self) -> Iterator[str]:
        """All words in the order of their ids."""
        return (self.native.text(i) for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Vocabulary of {len(self):,} words"

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy elsewhere has the words and their ids."""
        return Vocabulary.from_arrays, (self.arrays(),)

    def get(self, word: str) -> int | None:
        """The id of `word`, or None."""
        found: int = self.native.find(word)
        return None if found < 0 else found

    def add(self, word: str) -> int:
        """The id of `word`, new or old."""
        return self.native.add(word)

    def text(self, number: int) -> str:
        """The word with id `number`."""
        return self.native.text(number)

    def arrays(self, prefix: str = "") -> dict[str, Array]:
        """The words as two arrays for `tunesmith.base.array_file`; names start with `prefix`."""
        return {f"{prefix}bytes": self.native.bytes(), f"{prefix}ends": self.native.ends()}

    @classmethod
    def of_native(cls, native: _core.StringIndex) -> "Vocabulary":
        """The core's own, not a copy."""
        vocabulary = cls()
        vocabulary.native = native
        return vocabulary

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array], prefix: str = "") -> "Vocabulary":
        """The inverse of `arrays`; raises `TunesmithError` when they are not a vocabulary."""
        vocabulary = cls()
        try:
            vocabulary.native = _core.StringIndex(arrays[f"{prefix}bytes"], arrays[f"{prefix}ends"])
        except KeyError as error:
            raise TunesmithError(f"no array {error} of a vocabulary") from error
        except TypeError as error:
            raise TunesmithError("a vocabulary of another type") from error
        return vocabulary
