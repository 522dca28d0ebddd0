"""The tuners' hyper-parameters as options: for the verbs that make one tuner or several."""

import argparse
import dataclasses
from collections.abc import Iterable
from typing import Any

from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import parameters_of, typed_value
from tunesmith.cli._options import destination, given_parameters, option_name

# The section of these options, whichever tuner takes them, and where their names as options are.
SECTION = "tuner"
_NAMES = "names of tuner options"

Owners = dict[str, list[tuple[str, "dataclasses.Field[Any]"]]]


def tuner_names() -> list[str]:
    """All names that ``--tuner`` takes."""
    from tunesmith.tune import GRAPH_TUNERS, TUNERS
    from tunesmith.tune.registry import ALIASES

    return sorted([*TUNERS, *GRAPH_TUNERS, *ALIASES])


def hyper_parameters(tuners: Iterable[str]) -> Owners:
    """The keywords of tuners, each with those that have it; seed and engine are the verbs'."""
    from tunesmith.tune import tuner_class

    return _owners((name, parameters_of(tuner_class(name))) for name in tuners)


def _owners(
    keywords: Iterable[tuple[str, Iterable["dataclasses.Field[Any]"]]],
) -> Owners:
    owners: Owners = {}
    for name, items in keywords:
        for item in items:
            if item.name not in {"seed", "engine"}:
                owners.setdefault(item.name, []).append((name, item))
    return owners


def owned_parameters(tuners: Iterable[str]) -> Owners:
    """The keywords of what can be compared, each also as ``TUNER.KEY``."""
    from tunesmith.evaluate.tuning_run import row_parameters

    known = _owners((name, row_parameters(name)) for name in tuners)
    one = {f"{name}.{key}": [(name, item)] for key, own in known.items() for name, item in own}
    return {**known, **one}


def add_tuner_options(group: "argparse._ActionsContainer", *, shown: bool = True) -> None:
    """One option per keyword; tuners that share a keyword share its option.

    The help has them if they are `shown`.
    """
    from tunesmith.tune import GRAPH_TUNERS, TUNERS

    # A keyword that the verb itself has already gets its owner's name before it.
    taken = set(group._option_string_actions)
    names = {}
    for key, users in hyper_parameters([*TUNERS, *GRAPH_TUNERS]).items():
        meanings: dict[str, list[str]] = {}
        for name, item in users:
            said = f"{item.metadata['meaning']}{_default(name, item)}"
            meanings.setdefault(said, []).append(name)
        meaning = "; ".join(f"{', '.join(owners)}: {said}" for said, owners in meanings.items())
        option = option_name(key)
        names[key] = option_name(f"tuner_{key}") if option in taken else option
        group.add_argument(
            names[key], dest=destination(SECTION, key), metavar="X",
            help=meaning.replace("%", "%%") if shown else argparse.SUPPRESS,
        )  # fmt: skip
    group.set_defaults(**{_NAMES: names})


def _default(name: str, item: "dataclasses.Field[Any]") -> str:
    """What the help says of a keyword's default."""
    from tunesmith.tune import tuner_class

    settings = tuner_class(name).loop_settings
    if item.default == "":
        return ""
    loop = f", {settings[item.name]} where the dev set is decoded" if item.name in settings else ""
    return f" (default: {item.default}{loop})"


def given_tuner_options(arguments: argparse.Namespace, tuner: str) -> dict[str, Any]:
    """The keywords that were given, each in its type; one that `tuner` does not have is refused."""
    known, names = hyper_parameters([tuner]), getattr(arguments, _NAMES)
    options: dict[str, Any] = {}
    for name, text in given_parameters(arguments, SECTION).items():
        if name not in known:
            raise OptionError(f"{names[name]} is no option of the tuner {tuner}{_owners_of(name)}")
        options[name] = typed_value(names[name], text, known[name][0][1].default)
    return options


def _owners_of(key: str) -> str:
    """Which tuners have a keyword, as the end of a message."""
    from tunesmith.tune import GRAPH_TUNERS, TUNERS

    owners = [name for name, _ in hyper_parameters([*TUNERS, *GRAPH_TUNERS])[key]]
    return f", but of {', '.join(owners)}"


def listed_values(option: str, texts: Iterable[str], known: Owners) -> dict[str, list[Any]]:
    """``KEY=VALUE,VALUE…`` given once or more; values of a known keyword in its type."""
    found: dict[str, list[Any]] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        owner, dot, keyword = key.rpartition(".")
        name = owner + dot + keyword.replace("-", "_")
        if not equals or not values:
            raise OptionError(f"{option} is '{text}', expected KEY=VALUE,VALUE…")
        if name in found:
            raise OptionError(f"{option} has '{key}' twice")
        default = known[name][0][1].default if name in known else ""
        found[name] = [
            typed_value(option_name(name), value, default) for value in values.split(",")
        ]
    return found
