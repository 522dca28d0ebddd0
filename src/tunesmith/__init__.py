"""Tunesmith: statistical machine translation that you can take apart, trained discriminatively.

``tunesmith.tune(lists, references)`` finds weights for anybody's n-best lists; ``read_nbest`` reads
them (docs/python.md); ``tunesmith.Translator(model)`` translates (docs/guides/documents.md).
"""

import importlib
from typing import Any

# Looked up when asked for: imports of what is not used take time.
_NAMES = {
    "tune": "tunesmith.tune",
    "read_nbest": "tunesmith.formats.nbest:read_nbest",
    "Translator": "tunesmith.decode.translate:Translator",
    "Terms": "tunesmith.decode.terms:Terms",
}


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        module, _, attribute = _NAMES[name].partition(":")
        found = importlib.import_module(module)
        return getattr(found, attribute) if attribute else found
    if name == "__version__":
        from importlib.metadata import version

        return version("tunesmith")
    raise AttributeError(f"module 'tunesmith' has no attribute '{name}'")
