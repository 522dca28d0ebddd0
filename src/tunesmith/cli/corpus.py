"""Prepare text for training: tokenise, case, clean, split, code; and the way back for translations.

Input is two line files, or one file with both sides: TSV, source ||| target, TMX, PO, MO, XLIFF;
plain, gzip, xz or bzip2; - is standard input.

For example:
  tunesmith corpus prepare train.de train.en -o corpus --dev-size 1000 --test-size 1000
  tunesmith corpus tokenize text.de > words.de
  tunesmith corpus encode --preprocessor corpus/source.json < new.de > words.de
  tunesmith corpus decode --preprocessor corpus/target.json < translations > text.en
  tunesmith corpus clean memory.tmx --languages de en > clean.tsv
  tunesmith corpus split pairs.tsv --dev-size 1000 --test-size 1000 -o corpus
"""

import argparse
import dataclasses
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.cli._options import (
    SEED,
    add_loudness,
    add_threads,
    output_file,
    output_folder,
    whole,
)

if TYPE_CHECKING:
    from tunesmith.corpus.cleaning import CleanOptions
    from tunesmith.corpus.tokenizers import Tokenizer

_CLEAN_HELP = {
    "max_words": "words that a side may have",
    "max_ratio": "times the words of the other side that a side may have",
    "min_script": "share of a side's letters that its script must have, 0 for any",
    "source_script": "script of the source (default: that of most letters)",
    "target_script": "script of the target (default: that of most letters)",
    "keep_identical": "keep pairs with the same text on both sides",
    "keep_duplicates": "keep pairs that came before",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verbs below `corpus`, with their options."""
    verbs = parser.add_subparsers(dest="corpus_verb", metavar="VERB", required=True)

    def add(
        name: str, run: Callable[[argparse.Namespace], None], summary: str
    ) -> argparse.ArgumentParser:
        sub = verbs.add_parser(name, help=summary, description=summary)
        sub.set_defaults(run_corpus=run)
        add_loudness(sub, again=True)
        add_threads(sub)
        return sub

    _add_prepare(add("prepare", _prepare, "make a folder that training starts from"))
    for name, run in (("tokenize", _tokenize), ("detokenize", _detokenize)):
        sub = add(name, run, f"{name} lines of standard input, or of a file")
        _add_tokenizer(sub)
        sub.add_argument(
            "--language", help="code or name (default: from the name of the file, or English)"
        )
        sub.add_argument("--model", help="a SentencePiece model")
        _add_lines(sub)
    for name, run, summary in (
        ("encode", _encode, "tokenise and case lines as a prepared corpus was"),
        ("decode", _decode, "detokenise and recase translations"),
    ):
        sub = add(name, run, summary)
        sub.add_argument(
            "--preprocessor", required=True, help="source.json or target.json of a prepared corpus"
        )
        _add_lines(sub)
    clean = add("clean", _clean, "leave out pairs that are not fit to learn from")
    _add_pairs(clean)
    _add_clean(clean)
    _add_output(clean)
    convert = add("convert", _convert, "write pairs of any format as TSV or two files")
    _add_pairs(convert)
    _add_output(convert)
    split = add("split", _split, "train, dev and test without a sentence in two of them")
    _add_pairs(split)
    _add_sizes(split)
    split.add_argument(
        "-o", "--output", type=_prefix, required=True, help="prefix of the six files to write"
    )
    stats = add("stats", _stats, "sizes of a file bitext.bin")
    stats.add_argument("bitext")


def run(arguments: argparse.Namespace) -> None:
    """Run one of the verbs."""
    arguments.run_corpus(arguments)


def _prefix(text: str) -> str:
    output_file(f"{text}.train.source")
    return text


def _add_pairs(parser: argparse.ArgumentParser) -> None:
    from tunesmith.formats.parallel import FORMATS

    parser.add_argument("input", nargs="+", help="two line files, or one file with both sides")
    parser.add_argument("--format", choices=FORMATS, help="of one file (default: by its name)")
    parser.add_argument(
        "--languages", nargs=2, metavar=("SOURCE", "TARGET"), help="which two of a TMX file"
    )


def _add_lines(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", nargs="?", default="-", help="default: standard input")
    parser.add_argument(
        "-o", "--output", type=output_file, default="-", help="default: standard output"
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        nargs="+",
        default=["-"],
        metavar="FILE",
        help="one TSV file or two line files (default: TSV on standard output)",
    )


def _add_tokenizer(parser: argparse.ArgumentParser) -> None:
    from tunesmith.corpus.preprocess import DEFAULT_TOKENIZER
    from tunesmith.corpus.tokenizers import TOKENIZERS, UnigramTokenizer

    # One that is learned comes with a model, or with the training text of one.
    ready = [name for name in TOKENIZERS if name != UnigramTokenizer.name]
    parser.add_argument(
        "--tokenizer", choices=ready, default=DEFAULT_TOKENIZER, help="default: %(default)s"
    )


def _add_sizes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dev-size", type=whole(at_least=0), default=0, help="pairs (default: %(default)s)"
    )
    parser.add_argument(
        "--test-size", type=whole(at_least=0), default=0, help="pairs (default: %(default)s)"
    )
    parser.add_argument("--seed", type=SEED, default=DEFAULT_SEED, help="default: %(default)s")


def _add_clean(parser: argparse.ArgumentParser) -> None:
    from tunesmith.corpus.cleaning import CleanOptions

    for field in dataclasses.fields(CleanOptions):
        option = "--" + field.name.replace("_", "-")
        text = _CLEAN_HELP[field.name]
        if isinstance(field.default, bool):
            parser.add_argument(option, action="store_true", help=text)
        elif field.default is None:
            parser.add_argument(option, metavar="SCRIPT", help=text)
        else:
            parser.add_argument(
                option,
                type=type(field.default),
                default=field.default,
                metavar="N",
                help=f"{text} (default: %(default)s)",
            )


def _clean_options(arguments: argparse.Namespace) -> "CleanOptions":
    from tunesmith.corpus.cleaning import CleanOptions

    names = [field.name for field in dataclasses.fields(CleanOptions)]
    return CleanOptions(**{name: getattr(arguments, name) for name in names})


def _add_prepare(parser: argparse.ArgumentParser) -> None:
    from tunesmith.corpus.casing import CASINGS
    from tunesmith.corpus.preprocess import DEFAULT_CASING

    _add_pairs(parser)
    for letter, side in ("s", "source"), ("t", "target"):
        parser.add_argument(
            f"-{letter}", f"--{side}-language", default="", metavar="LANGUAGE",
            help=f"code or name of the {side} language (default: recognised from file names and "
            "text)",
        )  # fmt: skip
    parser.add_argument("-o", "--output", type=output_folder, required=True, metavar="FOLDER")
    _add_tokenizer(parser)
    parser.add_argument("--source-model", help="a SentencePiece model for the source")
    parser.add_argument("--target-model", help="a SentencePiece model for the target")
    parser.add_argument(
        "--casing", choices=CASINGS, default=DEFAULT_CASING, help="default: %(default)s"
    )
    for name in ("dev", "test"):
        parser.add_argument(
            f"--{name}", nargs="+", metavar="FILE", help=f"the {name} set, as the input"
        )
    _add_sizes(parser)
    _add_clean(parser)


def _read_pairs(
    paths: list[str],
    arguments: argparse.Namespace,
    own_languages: tuple[str | None, str | None] | None = None,
) -> Iterator[tuple[str, str]]:
    """Sentence pairs in the languages of ``--languages``, or else in the command's own."""
    from tunesmith.base.errors import OptionError
    from tunesmith.formats.parallel import read_parallel

    if len(paths) > 2:
        raise OptionError(f"{len(paths)} input files, expected one or two")
    return read_parallel(
        *paths,
        format=arguments.format if len(paths) == 1 else None,
        languages=own_languages if arguments.languages is None else arguments.languages,
    )


def _prepare(arguments: argparse.Namespace) -> None:
    import json

    from tunesmith.base.log import log
    from tunesmith.base.rundir import run_record
    from tunesmith.corpus.preparation import PrepareOptions, check_replaceable, prepare

    pairs, languages = _recognised_pairs(arguments)
    fields = {field.name for field in dataclasses.fields(PrepareOptions)} - {"clean"}
    options = PrepareOptions(
        **{name: getattr(arguments, name) for name in fields}, clean=_clean_options(arguments)
    )
    given = {name: getattr(arguments, name) for name in ("dev", "test")}
    files = [*arguments.input, *(given["dev"] or []), *(given["test"] or [])]
    check_replaceable(arguments.output)
    record = run_record(
        "corpus prepare",
        {**dataclasses.asdict(options), "languages": arguments.languages, **given},
        [path for path in files if path != "-"],
    )
    if "-" not in files and _known(arguments.output) == json.loads(json.dumps(record)):
        log.info("%s is up to date", arguments.output)
        return
    corpus = prepare(
        arguments.output,
        pairs,
        options,
        dev=_read_pairs(given["dev"], arguments, languages) if given["dev"] else None,
        test=_read_pairs(given["test"], arguments, languages) if given["test"] else None,
        record=record,
        engine=arguments.engine,
    )
    sizes = ", ".join(f"{name} {count:,}" for name, count in corpus.report()["pairs"].items())
    log.info("%s: %s pairs", arguments.output, sizes)


def _recognised_pairs(
    arguments: argparse.Namespace,
) -> tuple[Iterator[tuple[str, str]], tuple[str | None, str | None]]:
    """Return the pairs to prepare and their languages; the latter go into the arguments, too.

    Text of an undetermined language is tokenised as English.
    """
    from tunesmith.base.languages import known_language
    from tunesmith.corpus.identification import (
        SAMPLE_PAIRS,
        file_languages,
        recognise_languages,
    )

    given = arguments.source_language, arguments.target_language
    pairs = _read_pairs(arguments.input, arguments, (given[0] or None, given[1] or None))
    sample = list(islice(pairs, SAMPLE_PAIRS))
    sides = [one for one, _ in sample], [other for _, other in sample]
    files = arguments.input[0], arguments.input[1] if len(arguments.input) > 1 else None
    found = recognise_languages(sides, file_languages([files], arguments.format), given)
    source, target = map(known_language, found)
    arguments.source_language, arguments.target_language = source or "en", target or "en"
    return chain(sample, pairs), (source, target)


def _known(folder: str) -> dict[str, Any] | None:
    """The record of an earlier run; a broken one is as none, and the work is done again."""
    from tunesmith.base.errors import InputError
    from tunesmith.base.rundir import read_record

    try:
        return read_record(folder)
    except InputError:
        return None


def _map_lines(arguments: argparse.Namespace, function: Callable[..., list[str]]) -> None:
    from tunesmith.base.atomic import atomic_text
    from tunesmith.corpus.sentences import blocks
    from tunesmith.formats.text import iter_lines

    with atomic_text(arguments.output) as stream:
        for block in blocks(iter_lines(arguments.input)):
            lines = function(block, engine=arguments.engine)
            stream.writelines(f"{line}\n" for line in lines)


def _tokenizer(arguments: argparse.Namespace) -> "Tokenizer":
    from tunesmith.base.languages import language_code
    from tunesmith.corpus.identification import named_language
    from tunesmith.corpus.tokenizers import make_tokenizer

    given = arguments.language
    language = language_code(given) if given else named_language(arguments.input) or "en"
    return make_tokenizer(arguments.tokenizer, language=language, model=arguments.model)


def _tokenize(arguments: argparse.Namespace) -> None:
    _map_lines(arguments, _tokenizer(arguments).tokenize)


def _detokenize(arguments: argparse.Namespace) -> None:
    _map_lines(arguments, _tokenizer(arguments).detokenize)


def _encode(arguments: argparse.Namespace) -> None:
    from tunesmith.corpus.preprocess import Preprocessor

    _map_lines(arguments, Preprocessor.load(arguments.preprocessor).encode)


def _decode(arguments: argparse.Namespace) -> None:
    from tunesmith.corpus.preprocess import Preprocessor

    _map_lines(arguments, Preprocessor.load(arguments.preprocessor).decode)


def _write_pairs(pairs: Iterable[tuple[str, str]], output: list[str]) -> None:
    from tunesmith.base.errors import OptionError
    from tunesmith.formats.parallel import write_parallel

    if len(output) > 2:
        raise OptionError(f"{len(output)} output files, expected one or two")
    write_parallel(pairs, *output)


def _clean(arguments: argparse.Namespace) -> None:
    from tunesmith.base.log import log
    from tunesmith.corpus.cleaning import Cleaner, clean_pairs

    cleaner = Cleaner(_clean_options(arguments), engine=arguments.engine)
    _write_pairs(clean_pairs(_read_pairs(arguments.input, arguments), cleaner), arguments.output)
    log.info("%s", cleaner.report())


def _convert(arguments: argparse.Namespace) -> None:
    _write_pairs(_read_pairs(arguments.input, arguments), arguments.output)


def _split(arguments: argparse.Namespace) -> None:
    from tunesmith.base.errors import OptionError
    from tunesmith.corpus.split import write_split

    if "-" in arguments.input:
        raise OptionError("standard input cannot be read twice, expected files to split")
    write_split(
        lambda: _read_pairs(arguments.input, arguments),
        arguments.output,
        dev=arguments.dev_size,
        test=arguments.test_size,
        seed=arguments.seed,
        engine=arguments.engine,
    )


def _stats(arguments: argparse.Namespace) -> None:
    from tunesmith.corpus.bitext import Bitext

    pairs = Bitext.load(arguments.bitext)
    print(f"pairs\t{len(pairs):,}")
    for name, side in (("source", pairs.source), ("target", pairs.target)):
        counts, lengths = side.counts(), side.lengths
        print(f"{name} words\t{len(side.ids):,}")
        print(f"{name} distinct words\t{len(side.vocabulary):,}")
        print(f"{name} words that occur once\t{int((counts == 1).sum()):,}")
        print(f"{name} longest sentence\t{int(lengths.max(initial=0)):,}")
