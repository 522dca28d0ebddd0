"""Command-line options derived from the parameters of a class: one place for name and meaning.

Options come in sections, one for each class (or for each use of it). Where an option's value goes
says whose it is, ``section.name``: a value is read by the section that declared it and by no other
that happens to have a parameter of that name. Two sections that want the same option are refused
by `argparse` when the second is declared.
"""

import argparse
import dataclasses
import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from tunesmith.base.atomic import check_writable, check_writable_folder, is_special
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.numbers import MAX_SEED, MAX_THREADS, parse_number, parse_whole
from tunesmith.base.parameters import parameter, parameters_of, what_is_wrong
from tunesmith.engine import ALL_CORES, ThreadEngine, engine_at


def within(item: "dataclasses.Field[Any]") -> Callable[[str], Any]:
    """The type of the option of a parameter that is a number, with the parameter's limits."""
    is_whole = item.default is None or isinstance(item.default, int)

    def parse(text: str) -> Any:
        try:
            value = parse_whole(text) if is_whole else parse_number(text)
        except ValueError:
            kind = "a whole number" if is_whole else "a number"
            raise argparse.ArgumentTypeError(f"'{text}', expected {kind}") from None
        if (expected := what_is_wrong(item, value)) is not None:
            raise argparse.ArgumentTypeError(f"{text}, expected {expected}")
        return value

    return parse


def whole(at_least: int | None = None, at_most: int | None = None) -> Callable[[str], int]:
    """The type of an option that is a whole number and no parameter of a class."""
    return within(parameter(0, "", at_least=at_least, at_most=at_most))


def number(at_least: float | None = None, above: float | None = None) -> Callable[[str], float]:
    """The type of an option that is a finite number and no parameter of a class."""
    return within(parameter(0.0, "", at_least=at_least, above=above))


SEED = whole(-MAX_SEED, MAX_SEED)


def threads(text: str) -> ThreadEngine:
    """The type of ``--threads``: 0 means all cores."""
    try:
        return ThreadEngine(whole(0, MAX_THREADS)(text))
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"'{text}', expected 0 to {MAX_THREADS} threads, 0: all cores"
        ) from None


def add_threads(parser: argparse._ActionsContainer) -> None:
    """Declare ``--threads``, which gives ``arguments.engine``."""
    _add_threads(parser, "engine", "threads", ALL_CORES)


def add_input_type(parser: argparse._ActionsContainer) -> None:
    """Declare ``--input-type``: what the lines of the source are."""
    from tunesmith.decode.reading import INPUT_TYPES

    parser.add_argument(
        "--input-type", choices=INPUT_TYPES, default="text",
        help="what a line is; plf: a lattice of Moses or cdec, for hierarchical models "
        "(default: text)",
    )  # fmt: skip


def _add_threads(
    parser: argparse._ActionsContainer, place: str, meaning: str, default: ThreadEngine | None
) -> None:
    parser.add_argument(
        "--threads", dest=place, type=threads, default=default, metavar="N",
        help=f"{meaning} (default: 0, all cores)",
    )  # fmt: skip


def add_engine(parser: argparse._ActionsContainer) -> None:
    """Declare ``--engine``: where the work is done, which is otherwise done by threads."""
    parser.add_argument(
        "--engine", dest="where", type=_place, metavar="WHERE",
        help="who works: threads or processes of this machine; ray, a cluster that is started on "
        "it; ray:HOST:PORT or ray://HOST:PORT, one that runs; results are the same (default: "
        "threads)",
    )  # fmt: skip


def _place(text: str) -> str:
    try:
        engine_at(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("engine ")) from None
    return text


def take_engine(arguments: argparse.Namespace) -> None:
    """Put what ``--engine`` says in the place of threads, and see whether it is there."""
    if getattr(arguments, "where", None) is None:
        return
    for place, value in list(vars(arguments).items()):
        if place.rpartition(".")[2] == "engine":
            engine = engine_at(arguments.where, value or ALL_CORES)
            _ = engine.workers
            setattr(arguments, place, engine)


class OutputPath(str):
    """A path that the command will write."""


def output_file(text: str) -> OutputPath:
    """The type of an option that names a file to write: refused now, not when the work is done."""
    check_writable(text)
    return OutputPath(text)


def output_place(text: str) -> OutputPath:
    """The type of an option that names a file to write, or a folder to write files in."""
    return filled_folder(text) if os.path.isdir(text) or text.endswith("/") else output_file(text)


def output_folder(text: str) -> OutputPath:
    """The same of a folder that is made, or takes the place of another."""
    check_writable_folder(text)
    return OutputPath(text)


def filled_folder(text: str) -> OutputPath:
    """The same of a folder in which files are written."""
    check_writable_folder(text, replaced=False)
    return OutputPath(text)


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse to write two results to one place."""
    places = set()
    for value in vars(arguments).values():
        for path in value if isinstance(value, list) else [value]:
            if not isinstance(path, OutputPath) or path == "-" or is_special(Path(path)):
                continue
            place = os.path.realpath(path)
            if place in places:
                raise InputError(path, 0, "to be written twice", "different names of the outputs")
            places.add(place)


def add_loudness(parser: argparse._ActionsContainer, *, again: bool = False) -> None:
    """Declare ``--quiet`` and ``--verbose``; behind an action (`again`) only given ones count."""
    default = argparse.SUPPRESS if again else False
    for switch, meaning in (("--quiet", "say only what is wrong"), ("--verbose", "say more")):
        parser.add_argument(switch, action="store_true", default=default, help=meaning)


def destination(section: str | type, name: str) -> str:
    """Where the value of an option of a section goes.

    >>> destination("align", "max_length")
    'align.max_length'
    """
    return f"{section if isinstance(section, str) else section.__name__}.{name}"


def add_parameters(
    parser: argparse._ActionsContainer,
    kind: type,
    *,
    section: str = "",
    leave_out: Collection[str] = (),
    only: Collection[str] | None = None,
    prefix: str = "",
    defaults: Any = None,
    shown: Collection[str] | None = None,
) -> None:
    """Declare an option for every parameter of `kind`; one that is not given stays None.

    `section` names what `given_parameters` reads, `kind` itself if it is empty; `prefix` stands
    before the options' names. `defaults` is an instance whose values are shown as defaults, where
    they are not the class's; the help has only what is in `shown`, where that is given.
    """
    for item in parameters_of(kind):
        if item.name in leave_out or (only is not None and item.name not in only):
            continue
        default = getattr(defaults, item.name) if defaults is not None else item.default
        place, hidden = destination(section or kind, item.name), item.name not in (shown or ())
        _add_option(parser, prefix + item.name, place, item, default, hidden and shown is not None)


def _add_option(
    parser: argparse._ActionsContainer,
    name: str,
    place: str,
    item: "dataclasses.Field[Any]",
    default: Any,
    hidden: bool,
) -> None:
    """Declare one option; `place` is its destination. A hidden one is not in the help."""
    if isinstance(default, ThreadEngine):
        _add_threads(parser, place, item.metadata["meaning"], None)
        return
    name = option_name(name)
    shown = "" if default in (None, "", ()) else f" (default: {default})"
    meaning = argparse.SUPPRESS if hidden else item.metadata["meaning"] + shown
    if isinstance(default, bool):
        parser.add_argument(name, dest=place, action=argparse.BooleanOptionalAction, help=meaning)
        return
    if isinstance(default, tuple):
        parser.add_argument(name, dest=place, action="append", metavar="X", help=meaning)
        return
    type_ = int if default is None else type(default)
    choices = item.metadata["choices"] or None
    metavar = None if choices else "N" if type_ is int else "X"
    parse = within(item) if type_ in (int, float) else type_
    parser.add_argument(
        name, dest=place, type=parse, choices=choices, metavar=metavar, help=meaning
    )


def given_parameters(arguments: argparse.Namespace, section: str | type) -> dict[str, Any]:
    """The parameters of a section that the user gave."""
    start = destination(section, "")
    return {
        place.removeprefix(start): tuple(value) if isinstance(value, list) else value
        for place, value in vars(arguments).items()
        if place.startswith(start) and value is not None
    }


def option_name(name: str) -> str:
    """A parameter's name as an option: ``max_length`` is ``--max-length``."""
    return "--" + name.replace("_", "-")
