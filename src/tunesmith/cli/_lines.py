"""What `translate` does with lines of text: translations, lists, graphs and explanations."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from tunesmith.base.atomic import atomic_text, is_special
from tunesmith.base.errors import InputError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.journal import journal_path
from tunesmith.cli._input import Input
from tunesmith.decode.journalled import journalled
from tunesmith.decode.translate import Block, Translator
from tunesmith.formats.explanations import explanation_json, explanation_text
from tunesmith.formats.graphs import write_graphs
from tunesmith.graph import joined

# Options that name the files which lines are written to.
_FILES = ("out", "nbest_out", "explain_out")


def translate_lines(
    translator: Translator, source: Input, out: str | None, arguments: argparse.Namespace
) -> None:
    """Lines with lists, graphs and explanations, whatever is asked for."""
    files = {name: getattr(arguments, name) for name in _FILES[1:]}
    if _can_go_on(out, arguments):
        _translate_kept(translator, source, {"out": out, **files})
    else:
        _translate_at_once(translator, source, {"out": out, **files}, arguments)


def check_journal_name(sources: Sequence[Input], arguments: argparse.Namespace) -> None:
    """Refuse, before the work, a file that has the name of the journal."""
    if is_stream(arguments.out):
        return
    journal = journal_path(arguments.out)
    others = [getattr(arguments, name) for name in (*_FILES[1:], "graph_out")]
    for path in (*(source.path for source in sources), *others):
        if path and os.path.realpath(path) == os.path.realpath(journal):
            found = f"where what is done for {arguments.out} is kept"
            raise InputError(path, 0, found, "another name")


def is_stream(out: str | None) -> bool:
    """Whether there is no file to write, beside which a journal could stand."""
    return out is None or out == "-" or is_special(Path(out))


def _can_go_on(out: str | None, arguments: argparse.Namespace) -> bool:
    """Whether all that is asked for can be kept in a journal, and is wanted in files."""
    others = [getattr(arguments, name) for name in _FILES[1:]]
    streamed = [is_stream(path) for path in (out, *filter(None, others))]
    return not (any(streamed) or arguments.explain or arguments.graph_out)


def _translate_kept(translator: Translator, source: Input, paths: Mapping[str, str | None]) -> None:
    def translate(lines: list[str], first: int) -> list[dict[str, str]]:
        blocks = translator.stream(lines, source.path, first)
        return [
            {name: "".join(text) for name, text in _texts(block, source, paths).items()}
            for block in blocks
        ]

    with (
        journalled(
            str(paths["out"]), translator, translate, source.lines(), total=source.count(),
            lists=[*map(bool, paths.values()), translator.size, translator.distinct],
        ) as done,
        _open_files(paths) as files,
    ):  # fmt: skip
        for texts in done:
            for name, text in texts.items():
                files[name].write(text)


def _translate_at_once(
    translator: Translator,
    source: Input,
    paths: Mapping[str, str | None],
    arguments: argparse.Namespace,
) -> None:
    graphs = []
    with _open_files(paths) as files:
        for block in translator.stream_blocks(source.blocks(), source.path):
            for name, text in _texts(block, source, paths).items():
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


def _texts(
    block: Block, source: Input, paths: Mapping[str, str | None]
) -> dict[str, Iterable[str]]:
    """What is written of a block, by the options that name the files."""
    texts: dict[str, Iterable[str]] = {"out": (f"{line}{source.line_end}" for line in block.texts)}
    if paths["nbest_out"]:
        texts["nbest_out"] = (f"{line}\n" for line in block.nbest_lines())
    if paths["explain_out"]:
        explanations = map(block.explanation, range(len(block.texts)))
        texts["explain_out"] = (f"{explanation_json(one)}\n" for one in explanations)
    return texts


@contextmanager
def _open_files(paths: Mapping[str, str | None]) -> Iterator[dict[str, IO[str]]]:
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(atomic_text(path))
            for name, path in paths.items()
            if path or name == "out"
        }
