"""Weights of a file and the features that they are for: what does not match is said."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tunesmith.base.errors import InputError, named
from tunesmith.base.log import log
from tunesmith.base.weights import Weights


def matching_weights(
    weights: Weights,
    path: str | Path,
    owner: str,
    dense: Sequence[str],
    is_feature: Callable[[str], bool],
) -> Weights:
    """The weights, read from `path`, of the features that `owner` (a list, a model) has.

    A warning names weights of other features, which are left out, and dense features without a
    weight, which count nothing: a sparse one has a weight only if a tuner saw it. Weights that
    name no feature, or are all 0, are refused.
    """
    other = [name for name in weights if not is_feature(name)]
    if len(other) == len(weights):
        raise InputError(
            path, 0, f"weights of {named(other, 5)}",
            f"names of the {owner}'s features ({named(dense, 5)})",
        )  # fmt: skip
    found = Weights({name: value for name, value in weights.items() if is_feature(name)})
    if not any(found.values()):
        raise InputError(path, 0, "all weights are 0", "a weight that says something")
    if other:
        log.warning(f"{path}: weights of features that the {owner} does not have: {named(other)}")
    warn_of_missing(weights, path, dense, "count nothing")
    return found


def warn_of_missing(
    weights: Weights, path: str | Path, dense: Sequence[str], consequence: str
) -> None:
    """Name the dense features that have no weight in `path`, and what becomes of them."""
    missing = [name for name in dense if name not in weights]
    if missing:
        log.warning(f"{path}: features without a weight {consequence}: {named(missing)}")
