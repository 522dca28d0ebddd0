"""JSON lines of language models' APIs: the candidates for a prompt on each line.

The shapes are those of OpenAI's and Google's answers, which other servers give too, alone or in the
lines of their batch files: ``choices`` or ``candidates``, a list with a text each. The
log-probabilities of tokens become two features, their sum and their number; other numbers of a
candidate are features under their names.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json
from tunesmith.formats.frames import table_of_columns
from tunesmith.formats.table import Table, TableOptions, warn_of_skipped
from tunesmith.formats.text import decode_lines

DIALECT = "llm"
_LISTS = ("choices", "candidates")
# Keys around an answer in the files of batches, and what such a line is called there.
_WRAPS = (("response", "body"), ("response",), ("body",))
_IDS = ("custom_id", "key", "id", "sentence_id")
# Numbers that say nothing of a candidate.
_NO_FEATURES = frozenset(("index", "id", "created"))


class BadAnswer(ValueError):
    """What is wrong with a line: what was found, what was expected."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found)
        self.found, self.expected = found, expected


def is_answer(head: bytes) -> bool:
    """Whether the first line of a file is such an answer."""
    line = head.split(b"\n", 1)[0]
    if not line.startswith(b"{") or not any(f'"{key}"'.encode() in line for key in _LISTS):
        return False
    try:
        return _candidates(parse_json(line)) is not None
    except ValueError:
        return True  # whose reader says what is wrong


def read_llm_lines(
    path: str | Path,
    data: bytes,
    options: TableOptions,
    *,
    keep: Sequence[str] = (),
    skip: bool = False,
) -> Table:
    """The candidates of all lines."""
    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    skipped = 0
    answers = decode_lines(data, path)
    for number, line in enumerate(answers, start=1):
        try:
            found = list(_rows(line, number, options))
        except BadAnswer as bad:
            if not skip:
                raise InputError(path, number, bad.found, bad.expected) from None
            skipped += 1
            continue
        rows += found
        lines += [number] * len(found)
    warn_of_skipped(path, skipped, len(answers))
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    return table_of_columns(
        str(path), columns, options, lines=np.array(lines, dtype=np.int64), dialect=DIALECT,
        keep=keep, skip=skip, skipped=skipped,
    )  # fmt: skip


def _candidates(record: object) -> Sequence[object] | None:
    """The list of candidates, where a line has one."""
    for wrap in ((), *_WRAPS):
        inner = record
        for key in wrap:
            inner = inner.get(key) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            for key in _LISTS:
                if isinstance(inner.get(key), list):
                    return inner[key]  # type: ignore[no-any-return]
    return None


def _rows(line: str, number: int, options: TableOptions) -> Iterator[dict[str, Any]]:
    try:
        record = parse_json(line)
    except ValueError as error:
        raise BadAnswer(f"no JSON: {error}", "an answer on each line") from None
    candidates = _candidates(record)
    if not candidates:
        raise BadAnswer("no candidates", "a list of them under 'choices' or 'candidates'")
    own = {options.id_column: record.get(options.id_column)}
    for key in _IDS:
        if own[options.id_column] is None:
            own[options.id_column] = record.get(key)
    if own[options.id_column] is None:
        own[options.id_column] = number - 1
    for key in (options.source_column, options.reference_column):
        if key:
            own[key] = record.get(key)
    for candidate in candidates:
        yield {**own, options.text_column: _text(candidate), **_features(candidate)}


def _text(candidate: object) -> str:
    """The text of a candidate, wherever an API puts it; white space around it does not count."""
    found = candidate
    for key in ("message", "content", "parts"):
        if isinstance(found, dict) and key in found:
            found = found[key]
    if isinstance(found, dict):
        found = found.get("text")
    if isinstance(found, list):
        found = "".join(
            part if isinstance(part, str) else str(part.get("text", ""))
            for part in found
            if isinstance(part, str | dict)
        )
    if not isinstance(found, str):
        raise BadAnswer("a candidate without text", "'message', 'content' or 'text' with a string")
    return found.strip()


def _features(candidate: object) -> dict[str, float]:
    if not isinstance(candidate, dict):
        return {}
    features: dict[str, float] = {}
    for inner in (candidate, candidate.get("scores"), candidate.get("features")):
        if isinstance(inner, dict):
            features |= {
                key: value
                for key, value in inner.items()
                if isinstance(value, int | float)
                and not isinstance(value, bool)
                and key not in _NO_FEATURES
            }
    if tokens := list(_token_logprobs(candidate)):
        features |= {"logprob": sum(tokens), "tokens": len(tokens)}
    return features


def _token_logprobs(candidate: dict[str, Any]) -> Iterator[float]:
    """The log-probabilities of a candidate's tokens, in any of the shapes that there are."""
    found = candidate.get("logprobs") or candidate.get("logprobsResult")
    if isinstance(found, dict):
        for key in ("content", "token_logprobs", "chosenCandidates"):
            if isinstance(found.get(key), list):
                found = found[key]
                break
    for token in found if isinstance(found, list) else ():
        if isinstance(token, dict):
            token = token.get("logprob", token.get("logProbability"))
        if isinstance(token, int | float):
            yield token
