"""What `translate` does with lines of text: translations, lists, graphs and explanations."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from tunesmith.base.atomic import atomic_text, is_special
from tunesmith.base.errors import InputError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.journal import journal_path
from tunesmith.decode.journalled import journalled
from tunesmith.decode.translate import Block, Translator
from tunesmith.formats.explanations import explanation_json, explanation_text
from tunesmith.formats.graphs import write_graphs
from tunesmith.formats.text import iter_line_blocks, iter_lines
from tunesmith.graph import joined

# Options that name the files which lines are written to.
_FILES = ("out", "nbest_out", "explain_out")


def translate_lines(translator: Translator, arguments: argparse.Namespace) -> None:
    """Lines with lists, graphs and explanations, whatever is asked for."""
    if _can_go_on(arguments):
        _translate_kept(translator, arguments)
    else:
        _translate_at_once(translator, arguments)


def check_journal_name(arguments: argparse.Namespace) -> None:
    """Refuse, before the work, a file that has the name of the journal."""
    if is_stream(arguments.out):
        return
    journal = journal_path(arguments.out)
    for name in ("input", *_FILES[1:], "graph_out"):
        path = getattr(arguments, name)
        if path and os.path.realpath(path) == os.path.realpath(journal):
            found = f"where what is done for {arguments.out} is kept"
            raise InputError(path, 0, found, "another name")


def is_stream(out: str | None) -> bool:
    """Whether there is no file to write, beside which a journal could stand."""
    return out is None or out == "-" or is_special(Path(out))


def count_lines(path: str) -> int | None:
    """The lines of a file that can be read twice."""
    return sum(1 for _ in iter_lines(path)) if Path(path).is_file() else None


def _can_go_on(arguments: argparse.Namespace) -> bool:
    """Whether all that is asked for can be kept in a journal, and is wanted in files."""
    others = [getattr(arguments, name) for name in _FILES[1:]]
    streamed = [is_stream(path) for path in (arguments.out, *filter(None, others))]
    return not (any(streamed) or arguments.explain or arguments.graph_out)


def _translate_kept(translator: Translator, arguments: argparse.Namespace) -> None:
    path = arguments.input or "-"

    def translate(lines: list[str], first: int) -> list[dict[str, str]]:
        blocks = translator.stream(lines, path, first)
        return [
            {name: "".join(text) for name, text in _texts(block, arguments).items()}
            for block in blocks
        ]

    lists = {name: bool(getattr(arguments, name)) for name in _FILES}
    with (
        journalled(
            arguments.out, translator, translate, iter_lines(path), total=count_lines(path),
            lists=[*lists.values(), translator.size, translator.distinct],
        ) as done,
        _open_files(arguments) as files,
    ):  # fmt: skip
        for texts in done:
            for name, text in texts.items():
                files[name].write(text)


def _translate_at_once(translator: Translator, arguments: argparse.Namespace) -> None:
    graphs = []
    path = arguments.input or "-"
    with _open_files(arguments) as files:
        for block in translator.stream_blocks(iter_line_blocks(path), path):
            for name, text in _texts(block, arguments).items():
                files[name].writelines(text)
            files["out"].flush()
            if block.output.graphs is not None:
                graphs.append(block.output.graphs)
            if arguments.explain:
                for number in range(len(block.texts)):
                    print(explanation_text(block.explanation(number)), file=sys.stderr)
    if arguments.graph_out:
        write_graphs(
            arguments.graph_out,
            joined(graphs) if graphs else GraphPool.build([]),
            arguments.graph_format,
            weights=translator.weights,
            engine=translator.decoder.engine,
        )


def _texts(block: Block, arguments: argparse.Namespace) -> dict[str, Iterable[str]]:
    """What is written of a block, by the options that name the files."""
    texts: dict[str, Iterable[str]] = {"out": (f"{line}\n" for line in block.texts)}
    if arguments.nbest_out:
        texts["nbest_out"] = (f"{line}\n" for line in block.nbest_lines())
    if arguments.explain_out:
        explanations = map(block.explanation, range(len(block.texts)))
        texts["explain_out"] = (f"{explanation_json(one)}\n" for one in explanations)
    return texts


@contextmanager
def _open_files(arguments: argparse.Namespace) -> Iterator[dict[str, IO[str]]]:
    with ExitStack() as stack:
        paths = {name: getattr(arguments, name) for name in _FILES}
        yield {
            name: stack.enter_context(atomic_text(path))
            for name, path in paths.items()
            if path or name == "out"
        }
