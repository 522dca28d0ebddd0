"""`tunesmith VERB …`: finds the verb's file, parses its options, answers bad input in one line."""

import argparse
import importlib
import io
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from tunesmith.base import log, progress
from tunesmith.base.errors import OptionError, TunesmithError, one_line
from tunesmith.cli._options import add_loudness, check_outputs, number, take_engine, whole

# Verb → what it does. The file of verb `x-y` is cli/x_y.py with two functions:
# `add_arguments(parser)` and `run(arguments)`; its docstring is the help text.
VERBS: dict[str, str] = {
    "adapt": "learn from corrections of translations: a layer on top of a model",
    "aer": "alignment error rate of word links against gold",
    "align": "word links of parallel text, learned from it or found with a saved model",
    "clusters": "classes of words from text, in a hierarchy",
    "compare": "tuners on your own data, with standard deviations and tests",
    "convert": "n-best lists and weights from one format to another",
    "corpus": "prepare parallel text: tokenise, clean, split, code; and back",
    "demo": "the whole job on an embedded corpus, in about a minute",
    "describe": "what each weight does, and what it is worth",
    "evaluate": "scores of outputs, and whether their differences mean anything",
    "explain": "why a translation came out as it did, and not another one",
    "export": "a model as Moses' text files, or cdec's",
    "force": "how much of a parallel text a model can make exactly",
    "graph": "search graphs and lattices: convert, prune, list, put together",
    "import": "a model directory from a Moses model",
    "inspect": "what is in a model, and where it came from",
    "lm": "n-gram language models: train, query, perplexity, convert, interpolate",
    "model": "what a trained model states of itself: correct its languages",
    "nbest": "add a feature to an n-best list",
    "oracle": "the best and the worst choice from n-best lists that greedy search finds",
    "prune": "a model with smaller phrase tables",
    "reorder": "models of where phrases go: train, measure",
    "report": "what runs did, as a page: curves, weights, scores, sentences, time",
    "rerank": "choose from n-best lists with given weights",
    "serve": "models over HTTP: a page, JSON, and the protocol of LibreTranslate",
    "shard": "a corpus in shards with grammars of its sentences, to learn on many machines",
    "train": "a tuned translator from parallel text",
    "translate": "text, with a trained or imported model",
    "tune": "weights from n-best lists, or for a model by decoding",
}


# How much alike an unknown option and the one that was meant are.
_NEAR = 0.8


class _Parser(argparse.ArgumentParser):
    """Answers wrong options in one line, as everything else that is wrong."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # Python's own would take 1_000, other scripts' digits, nan, and what native code cannot.
        self.register("type", int, whole())
        self.register("type", float, number())

    def parse_known_args(  # type: ignore[override]  # of which argparse has several kinds
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuse words that a verb does not know where its options are known."""
        found, unknown = super().parse_known_args(args, namespace)
        for action in self._get_positional_actions():
            # Behind options, argparse leaves over what a positional that may be absent could take.
            if unknown and action.nargs in ("*", "?") and not getattr(found, action.dest):
                if action.nargs == "*" and not any(word.startswith("-") for word in unknown):
                    setattr(found, action.dest, unknown)
                    unknown = []
                elif len(unknown) == 1 and not unknown[0].startswith("-"):
                    setattr(found, action.dest, unknown.pop())
        if unknown:
            option = unknown[0].partition("=")[0]
            meant = get_close_matches(option, self._option_string_actions, 1, _NEAR)
            asked = f"; was {meant[0]} meant?" if meant else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{asked}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where the options are explained."""
        see = f"see `{self.prog} --help`"
        end = f" {see.capitalize()}" if message.endswith("?") else f"; {see}"
        raise _WrongOptions(f"{self.prog}: {message}{end}")


class _WrongOptions(Exception):
    """What `argparse` refuses."""


def build_parser(verb: str | None = None) -> argparse.ArgumentParser:
    """The parser; only the module of `verb` is imported, so that every command starts fast."""
    parser = _Parser(
        prog="tunesmith",
        description="Better weights for n-best lists; translators from parallel text.",
        epilog="`tunesmith VERB --help` shows the options of a verb and an example.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, summary in VERBS.items():
        sub = verbs.add_parser(
            name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        add_loudness(sub)
        if name == verb:
            module = importlib.import_module(f"tunesmith.cli.{module_name(name)}")
            sub.description = module.__doc__
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return parser


def module_name(verb: str) -> str:
    """The file of a verb; a name that Python or its library has already gets an underscore.

    >>> module_name("import"), module_name("translate")
    ('import_', 'translate')
    """
    return verb.replace("-", "_") + "_" * (verb in {"import", "inspect"})


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from tunesmith import __version__

        print(f"tunesmith {__version__}")
        parser.exit()


def _check_encoding(argv: Sequence[str]) -> None:
    """Refuse words that are not UTF-8: native code, and messages, could not name such a file."""
    for word in argv:
        try:
            word.encode("utf-8")
        except UnicodeEncodeError:
            shown = word.encode("utf-8", "backslashreplace").decode()
            raise OptionError(f"argument '{shown}', expected UTF-8") from None


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (2 for bad input or options)."""
    argv = list(sys.argv[1:] if argv is None else argv)
    verb = next((word for word in argv if not word.startswith("-")), None)
    name = f"tunesmith {verb}" if verb in VERBS else "tunesmith"
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # as all our files, whatever the terminal says
    try:
        _check_encoding(argv)
        arguments = build_parser(verb).parse_args(argv)
        check_outputs(arguments)
        log.configure(verbose=arguments.verbose, quiet=arguments.quiet)
        progress.silence(arguments.quiet)
        take_engine(arguments)
        arguments.run(arguments)
    except _WrongOptions as error:
        print(one_line(str(error)), file=sys.stderr)
        return 2
    except TunesmithError as error:
        print(f"{name}: {one_line(str(error))}", file=sys.stderr)
        return 2
    except MemoryError:
        print(f"{name}: memory is short for this", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`| head`); nothing is wrong.
        sys.stderr.close()
        return 0
    except OSError as error:
        # What no reader or writer of ours has met: a full disk, a folder in a file's place.
        place = f"{error.filename}: " if error.filename else ""
        print(f"{name}: {place}{error.strerror or error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
