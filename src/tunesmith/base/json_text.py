"""JSON that somebody may have changed."""

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """The value that `text` is; ValueError if it is none, or nested too deeply to be read.

    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: values nested too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("values nested too deeply") from None
