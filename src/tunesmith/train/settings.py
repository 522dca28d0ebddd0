"""Every setting of training by its name, ``section.key``: the configuration file's and ``--set``'s.

Both say the same mapping and are checked by the same code; what there is, is listed from the fields
themselves.
"""

import inspect
import json
import math
import tomllib
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap
from typing import Any

from tunesmith.base.config import from_mapping, parse_toml
from tunesmith.base.errors import ConfigError, InputError, OptionError, UnknownKeyError
from tunesmith.base.parameters import check_parameters, parameters_of, typed_value
from tunesmith.train.efforts import STANDARD, effort_settings
from tunesmith.train.options import TrainOptions
from tunesmith.tune import GRAPH_TUNERS, TUNERS, tuner_class

# The run's own: sections have no seed and no engine of theirs to be set.
RUN_OWN = ("engine", "seed")
# A section inside another: the hyper-parameters of whichever tuner is chosen.
TUNER_SECTION = "tune.options"
_WIDTH = 100
# How much two names have in common, at least, where one is taken for the other, and how many of
# them are named.
_NEAR, _MOST_MEANT = 0.8, 3


def sections() -> dict[str, Any]:
    """The sections with their values by default, in the order of the file."""
    defaults = TrainOptions()
    hints = typing.get_type_hints(TrainOptions)
    return {name: getattr(defaults, name) for name, kind in hints.items() if is_dataclass(kind)}


def section_parameters(part: object) -> list["Field[Any]"]:
    """What can be set in a section."""
    return [item for item in parameters_of(type(part)) if item.name not in RUN_OWN]


def parse_settings(given: Iterable[str]) -> dict[str, Any]:
    """The mapping that ``section.key=value`` texts stand for, as a configuration file would.

    A value is what TOML takes it for, where the key is not for text; anything else is text.

    >>> parse_settings(["lm.order=3", "text.casing=none", "tune.options.C=0.1"])
    {'lm': {'order': 3}, 'text': {'casing': 'none'}, 'tune': {'options': {'C': 0.1}}}
    """
    values: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        *path, key = name.strip().replace("-", "_").split(".")
        if not equals or not key or not all(path):
            raise OptionError(f"--set '{text}', expected SECTION.KEY=VALUE, as lm.order=3")
        table = values
        for part in path:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                raise OptionError(f"--set '{text}': '{part}' has a value already")
        if key in table:
            raise OptionError(f"--set '{name.strip()}' is given twice")
        table[key] = _value(path, key, value.strip())
    _check(values)
    return values


def read_options(
    config: str | Path | None,
    given: Mapping[str, Any],
    *,
    effort: str | None = None,
    model: str | None = None,
) -> TrainOptions:
    """The options of a configuration file, with settings that go before it.

    Behind both are the settings of an effort, which a file may name too; it goes by the model.
    """
    values: dict[str, Any] = {}
    if config is not None:
        try:
            values = parse_toml(Path(config).read_bytes(), config)
            named = values.pop("effort", STANDARD)
            from_mapping(values, TrainOptions)
            effort_settings(named, "phrase")  # refused here, where the file is known
            effort = effort or named
        except OSError as error:
            raise InputError(
                config, 0, error.strerror or str(error), "a readable TOML file"
            ) from error
        except ConfigError as error:
            raise InputError(config, 0, str(error), remedy=_meant(error)) from error
    values = _merged(values, given)
    behind = effort_settings(effort or STANDARD, model or values.get("model", "phrase"))
    return from_mapping(_merged(behind, values), TrainOptions)


def listing() -> str:
    """All settings with their defaults and meanings, as ``train --options`` prints them."""
    lines = ["Settings of `tunesmith train`, for --set NAME=VALUE and for the configuration file."]
    lines += _rows("", TrainOptions())
    for section, part in sections().items():
        title = (inspect.getdoc(type(part)) or section).splitlines()[0]
        lines += ["", f"[{section}]  {title}", *_rows(f"{section}.", part)]
    for name in sorted({**TUNERS, **GRAPH_TUNERS}):
        lines += ["", f"[{TUNER_SECTION}]  of the tuner {name}"]
        lines += _rows(f"{TUNER_SECTION}.", tuner_class(name)())
    return "\n".join(lines)


def _names() -> Iterator[str]:
    """All settings, in the order of the listing; those that several tuners have come again."""
    yield from (item.name for item in parameters_of(TrainOptions))
    tuners = [tuner_class(name)() for name in sorted({**TUNERS, **GRAPH_TUNERS})]
    for section, part in [*sections().items(), *((TUNER_SECTION, one) for one in tuners)]:
        yield from (f"{section}.{item.name}" for item in section_parameters(part))


def _rows(start: str, part: object) -> Iterator[str]:
    settings = getattr(part, "loop_settings", {})  # what a tuner has otherwise in training
    own = parameters_of(type(part)) if isinstance(part, TrainOptions) else section_parameters(part)
    for item in own:
        value = settings.get(item.name, getattr(part, item.name))
        # JSON's values are TOML's, but for this one.
        shown = "inf" if value == math.inf else json.dumps(value, ensure_ascii=False)
        choices = item.metadata["choices"]
        meaning = item.metadata["meaning"] + (f" ({', '.join(choices)})" if choices else "")
        yield f"  {start}{item.name} = {shown}"
        yield from wrap(meaning, _WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)


def _value(path: list[str], key: str, text: str) -> Any:
    """The value that `text` is: text itself where the key wants text, yes and no where it can."""
    part = TrainOptions() if not path else sections().get(path[0]) if len(path) == 1 else None
    default = getattr(part, key, None)
    if isinstance(default, str | bool):
        return typed_value(f"--set {'.'.join([*path, key])}", text, default)
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    if isinstance(default, tuple):
        return value if isinstance(value, list) else [text]
    return value


def _check(values: Mapping[str, Any]) -> None:
    """Refuse what no configuration file may say, and values outside the limits."""
    try:
        options = from_mapping(dict(values), TrainOptions)
        for name in ("", *(name for name in sections() if name in values)):
            check_parameters(getattr(options, name) if name else options)
    except (ConfigError, OptionError) as error:
        remedy = " ".join(filter(None, [_meant(error), "`tunesmith train --options` lists all"]))
        raise OptionError(f"--set: {error}; {remedy}") from error


def _meant(error: Exception) -> str:
    """A question for the setting that was probably meant, if the error is an unknown one."""
    near = nearest_settings(error.key) if isinstance(error, UnknownKeyError) else []
    return f"was {' or '.join(near)} meant?" if near else ""


def nearest_settings(key: str) -> list[str]:
    """The settings that are called nearly so: the same key of another section goes first.

    >>> nearest_settings("lm.ordre"), nearest_settings("pop_limit"), nearest_settings("nothing.at")
    (['lm.order'], ['search.pop_limit', 'tune.pop_limit'], [])
    """
    ends = {name: name.rpartition(".")[2] for name in _names()}
    last = key.rpartition(".")[2]
    if last not in ends.values() and (close := get_close_matches(key, ends, 1, _NEAR)):
        return close
    closest = get_close_matches(last, set(ends.values()), 1, _NEAR)
    return [name for name, end in ends.items() if end in closest][:_MOST_MEANT]


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(below)
    for key, value in above.items():
        inner = both.get(key)
        both[key] = (
            _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
        )
    return both
