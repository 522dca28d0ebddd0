"""Templates that users write in Python: a function of a rule that names its features.

The function is called once per rule when the features are made, never while translating::

    def ends_alike(source, target, links, counts):
        if source and target and source[-1] == target[-1]:
            yield "yes"

gives the feature ``ends_alike:yes``.
"""

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.own_code import own_line, own_module
from tunesmith.features.scfg_templates import OF_RULES, RuleEdges
from tunesmith.features.templates import TEMPLATES
from tunesmith.grammar import PhraseTable

Links = tuple[tuple[int, int], ...]
Counts = tuple[float, float, float]
Features = Mapping[str, float] | Iterable[str | tuple[str, float]]
RuleText = tuple[tuple[str, ...], tuple[str, ...], Links, Counts]
"""What a template gets of a rule."""
RuleFunction = Callable[[tuple[str, ...], tuple[str, ...], Links, Counts], Features | None]
GivenRows = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32], npt.NDArray[np.float32]]
"""Of rules in their order: where the features of each end, ids, values."""


@dataclass(frozen=True)
class UserTemplate:
    """A function of source words, target words, links and counts, and the name of its features.

    The function gives a mapping from names to values, or names (each of value 1), or pairs of
    both; a name that comes more than once counts as often. Features are called ``NAME:what it
    gave``. The counts are those of the target phrase, the source phrase and the pair.
    """

    function: RuleFunction
    name: str
    path: str = ""
    """The file it came from."""

    def __post_init__(self) -> None:
        if self.name in {*TEMPLATES, *OF_RULES, RuleEdges.name}:
            raise OptionError(f"template '{self.name}' is one of ours; call the function otherwise")
        if not self.name or not _is_name(self.name) or ":" in self.name:
            raise OptionError(f"name {self.name!r} of a template, expected a word without ':'")

    @classmethod
    def of(cls, function: RuleFunction) -> "UserTemplate":
        """A template with the function's own name."""
        return cls(function, getattr(function, "__name__", "user"))

    def describe(self) -> dict[str, Any]:
        """Its name and file."""
        return {"template": self.name, "file": Path(self.path).name}

    def features(
        self, source: tuple[str, ...], target: tuple[str, ...], links: Links, counts: Counts
    ) -> Iterator[tuple[str, float]]:
        """Full names and values, checked."""
        try:
            found = self.function(source, target, links, counts)
            pairs = list(_pairs(found))
        except Exception as error:
            raise self._broken(f"{type(error).__name__}: {error}", error, source, target) from error
        for name, value in pairs:
            if not isinstance(name, str) or not name or not _is_name(name):
                raise self._broken(f"feature {name!r}", None, source, target)
            if isinstance(value, bool):
                value = float(value)
            if not isinstance(value, int | float | np.number) or not math.isfinite(value):
                raise self._broken(f"value {value!r} of feature '{name}'", None, source, target)
            yield f"{self.name}:{name}", float(value)

    def _broken(
        self,
        found: str,
        error: Exception | None,
        source: tuple[str, ...],
        target: tuple[str, ...],
    ) -> InputError:
        return InputError(
            self.path or self.name,
            own_line(error, self.path) if error else 0,
            f"{found.splitlines()[0]}, from {self.name}() for '{' '.join(source)}' → "
            f"'{' '.join(target)}'",
            "names without blanks, with finite values",
        )


def load_template(place: str) -> UserTemplate:
    """The template that ``FILE.py:function`` names."""
    path, colon, name = place.rpartition(":")
    if not colon or not path or not name:
        raise OptionError(f"template '{place}', expected FILE.py:function")
    module = own_module(path, "a Python file with templates")
    function = getattr(module, name, None)
    if not callable(function):
        raise InputError(path, 0, f"no function '{name}'", "the function that --template names")
    return UserTemplate(function, name, path)


def user_rows(
    templates: Iterable[UserTemplate],
    table: PhraseTable,
    name_id: Callable[[str], int],
    done: Callable[[int], None] = lambda rules: None,
) -> GivenRows:
    """What the templates give for all rules of a table."""
    templates = list(templates)
    return rows_of(templates, _table_rules(table, done) if templates else (), name_id)


def _table_rules(table: PhraseTable, done: Callable[[int], None]) -> Iterator[RuleText]:
    native = table.native
    for number in range(table.sources):
        source = _words(native.source(number))
        begin, end = native.rules_of(number)
        for rule in range(begin, end):
            of_target, of_source, together = native.counts(rule)
            yield (
                source,
                _words(native.target(rule)),
                tuple(native.links(rule)),
                (of_target, of_source, together),
            )
        done(end - begin)


def rows_of(
    templates: Sequence[UserTemplate], rules: Iterable[RuleText], name_id: Callable[[str], int]
) -> GivenRows:
    """What the templates give for rules; `name_id` gives the id of a feature, new or old."""
    # Arrays, not lists: a table has millions of rules.
    ends, ids, values = array("Q"), array("I"), array("f")
    for rule in rules:
        for one in templates:
            for name, value in one.features(*rule):
                ids.append(name_id(name))
                values.append(value)
        ends.append(len(ids))
    return (
        np.frombuffer(ends, dtype=np.uint64) if ends else np.empty(0, np.uint64),
        np.frombuffer(ids, dtype=np.uint32) if ids else np.empty(0, np.uint32),
        np.frombuffer(values, dtype=np.float32) if values else np.empty(0, np.float32),
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(" ")) if text else ()


def _is_name(name: str) -> bool:
    return len(name.split()) == 1 and name.split()[0] == name and "|||" not in name


def _pairs(found: Any) -> Iterator[tuple[Any, Any]]:
    if found is None:
        return
    if isinstance(found, str):
        raise TypeError(f"{found!r} is a string, not names")
    if isinstance(found, Mapping):
        yield from found.items()
        return
    for item in found:
        if isinstance(item, str):
            yield item, 1.0
        else:
            name, value = item
            yield name, value
