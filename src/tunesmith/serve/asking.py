"""`Question`: what a client asks to be translated, and how; read from JSON that nobody trusts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tunesmith.base.errors import in_part, kind_of
from tunesmith.base.json_text import parse_json
from tunesmith.base.weights import MAX_WEIGHT
from tunesmith.serve.failures import bad_request, too_large
from tunesmith.serve.limits import ServerLimits

# Alternatives of a sentence that is to be explained, unless the client says how many.
EXPLAINED = 10
_FIELDS = frozenset(
    ("text", "sentences", "model", "size", "explain", "terms", "forbid", "weights", "markup")
)


@dataclass(frozen=True)
class Question:
    """Text, or sentences, and all that can be said about their translation."""

    text: str | None = None
    """Running text, to be cut into sentences; if None, `sentences` are given."""
    sentences: tuple[str, ...] = ()
    model: str | None = None
    size: int = 1
    explain: bool = False
    terms: tuple[tuple[str, str], ...] = ()
    forbid: tuple[str, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()
    """Other weights than the model's, by name."""
    markup: bool = False
    html: bool = False
    """Whether the text is a page, or a piece of one."""

    @property
    def key(self) -> tuple[Any, ...]:
        """What a translation depends on, beside the sentence and the model."""
        return (
            self.size, self.explain, self.terms, self.forbid, self.weights, self.markup, self.html
        )  # fmt: skip


def read_question(body: bytes, limits: ServerLimits, *, explain: bool = False) -> Question:
    """What a body asks for; with `explain`, derivations and `EXPLAINED` alternatives too."""
    values = read_object(body, _FIELDS)
    if ("text" in values) == ("sentences" in values):
        raise bad_request("expected one of 'text' and 'sentences'")
    size = values.get("size", EXPLAINED if explain else 1)
    if isinstance(size, bool) or not isinstance(size, int) or not size >= 1:
        raise bad_request(
            f"size is {_shown(size)}, expected a whole number from 1 to {limits.max_size}"
        )
    if size > limits.max_size:
        raise too_large(f"size is {size}, expected at most {limits.max_size}")
    terms, forbid = read_terms(values, limits)
    return Question(
        text=None if "text" not in values else read_text(values["text"], "text"),
        sentences=_sentences(values.get("sentences", [])),
        model=read_name(values),
        size=size,
        explain=_flag(values, "explain") or explain,
        terms=terms,
        forbid=forbid,
        weights=_weights(values.get("weights", {})),
        markup=_flag(values, "markup"),
    )


def read_object(body: bytes, fields: frozenset[str]) -> dict[str, Any]:
    """The JSON object that a body is; it has no other fields than these."""
    try:
        values = parse_json(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise bad_request(f"byte {error.start:,} of the body is no UTF-8") from None
    except ValueError as error:
        raise bad_request(f"the body is no JSON: {in_part(str(error))}") from None
    if not isinstance(values, dict):
        raise bad_request(f"the body is {_kind(values)}, expected a JSON object")
    for name in values:
        if name not in fields:
            known = ", ".join(sorted(fields))
            raise bad_request(f"field {_shown(name)}, expected some of: {known}")
    return values


def read_text(value: Any, what: str) -> str:
    """A string that can be translated."""
    if not isinstance(value, str):
        raise bad_request(f"{what} is {_kind(value)}, expected a string")
    if "\0" in value:
        raise bad_request(f"{what} has a NUL character in it")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise bad_request(f"{what}: half a surrogate pair at character {error.start:,}") from None
    return value


def read_line(value: Any, what: str) -> str:
    """The same on one line."""
    text = read_text(value, what)
    if "\n" in text or "\r" in text:
        raise bad_request(f"{what} has a line end in it, expected one line")
    return text


def read_name(values: Mapping[str, Any]) -> str | None:
    """The model that is meant, if one is."""
    name = values.get("model")
    return None if name is None else read_line(name, "model")


def read_terms(
    values: Mapping[str, Any], limits: ServerLimits
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Pairs of source and target, and target words that must not appear."""
    terms, forbid = values.get("terms", []), values.get("forbid", [])
    for what, value in (("terms", terms), ("forbid", forbid)):
        if not isinstance(value, list):
            raise bad_request(f"{what} is {_kind(value)}, expected a list")
    if len(terms) + len(forbid) > limits.max_terms:
        raise too_large(
            f"{len(terms) + len(forbid):,} terms and forbidden words, expected at most "
            f"{limits.max_terms:,}"
        )
    pairs: list[tuple[str, str]] = []
    for number, term in enumerate(terms, 1):
        if not isinstance(term, dict) or set(term) != {"source", "target"}:
            raise bad_request(f"term {number}: expected an object with 'source' and 'target'")
        source, target = (read_line(term[side], f"term {number}: {side}") for side in _SIDES)
        pairs.append((source, target))
    words = tuple(read_line(word, f"forbid {number}") for number, word in enumerate(forbid, 1))
    return tuple(pairs), words


_SIDES = ("source", "target")


def _sentences(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise bad_request(f"sentences is {_kind(value)}, expected a list of strings")
    return tuple(read_line(one, f"sentence {number}") for number, one in enumerate(value, 1))


def _weights(value: Any) -> tuple[tuple[str, float], ...]:
    if not isinstance(value, dict):
        raise bad_request(f"weights is {_kind(value)}, expected an object")
    for name, weight in value.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise bad_request(f"weight of {_shown(name)} is {_kind(weight)}, expected a number")
        if not abs(weight) <= MAX_WEIGHT:
            raise bad_request(
                f"weight of {_shown(name)} is {_shown(weight)}, expected at most {MAX_WEIGHT:g}"
            )
    return tuple(sorted((name, float(weight)) for name, weight in value.items()))


def _flag(values: Mapping[str, Any], name: str) -> bool:
    value = values.get(name, False)
    if not isinstance(value, bool):
        raise bad_request(f"{name} is {_kind(value)}, expected true or false")
    return value


def _kind(value: Any) -> str:
    """What a JSON value is."""
    names = {dict: "an object", list: "a list", str: "a string", type(None): "null",
             bool: "true or false", int: "a number", float: "a number"}  # fmt: skip
    return names.get(type(value), kind_of(value))


def _shown(value: Any) -> str:
    return f"'{in_part(value)}'" if isinstance(value, str) else in_part(str(value))
