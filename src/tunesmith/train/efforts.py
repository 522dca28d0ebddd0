"""How much work training may be: settings by default for ``--effort``."""

from collections.abc import Mapping
from typing import Any

from tunesmith.base.errors import ConfigError

# Kind of model → effort → the settings that differ from the defaults. What is in `best` has gained
# on held-out text (docs/guides/train.md): for rules with gaps nothing has yet but a better search.
EFFORTS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "phrase": {
        "quick": {"features": "dense", "tune": {"iterations": 4, "patience": 2}},
        "standard": {},
        "best": {"learn": {"learner": "maxforce"}},
    },
    "hiero": {
        "quick": {"features": "dense", "tune": {"iterations": 4, "patience": 2}},
        "standard": {},
        "best": {"tune": {"pop_limit": 200, "patience": 5}},
    },
}
NAMES = tuple(EFFORTS["phrase"])
STANDARD = "standard"


def effort_settings(effort: str, model: str) -> dict[str, Any]:
    """The settings of an effort, as a configuration file has them.

    >>> effort_settings("best", "phrase")
    {'learn': {'learner': 'maxforce'}}
    """
    if effort not in NAMES:
        raise ConfigError(f"effort '{effort}', expected one of: {', '.join(NAMES)}")
    return dict(EFFORTS.get(model, {}).get(effort, {}))
