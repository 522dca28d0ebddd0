"""Make the phrase tables of a model smaller: for one text, of the best rules, without coincidences.

Examples
--------
  tunesmith prune model --text test.de --out small      # all that translating test.de needs
  tunesmith prune model --limit 20 --out small
  tunesmith prune model --src train.de --tgt train.en --significance a+e --out small

Several at once are done in this order: text, significance, limit. Texts are running text, as for
`tunesmith translate`. Significance pruning (Johnson et al. 2007) needs the text that the model was
trained on: it drops rules whose phrases meet in its sentence pairs no more often than by chance.
"""

import argparse

from tunesmith.cli._options import add_threads, output_folder, whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from tunesmith.grammar.prune import THRESHOLDS

    parser.add_argument("model", metavar="MODEL", help="a model directory")
    parser.add_argument(
        "--out", type=output_folder, required=True, metavar="MODEL2", help="the smaller model"
    )
    parser.add_argument("--text", metavar="FILE", help="keep the rules for this source text")
    parser.add_argument(
        "--limit",
        type=whole(at_least=0),
        default=0,
        metavar="N",
        help="rules kept for each source phrase",
    )
    parser.add_argument(
        "--significance", choices=tuple(THRESHOLDS), default="none",
        help="a-e keeps phrases seen once, together; a+e does not (default: none)",
    )  # fmt: skip
    parser.add_argument("--src", metavar="FILE", help="the training text, for --significance")
    parser.add_argument("--tgt", metavar="FILE", help="its target side")
    add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Prune and say what is left."""
    from tunesmith.base.errors import OptionError
    from tunesmith.corpus import Bitext
    from tunesmith.formats.parallel import read_parallel
    from tunesmith.formats.text import read_lines
    from tunesmith.model import TranslationModel
    from tunesmith.model.files import check_replaceable
    from tunesmith.model.prune import prune_model

    check_replaceable(arguments.out)
    if bool(arguments.src) != (arguments.significance != "none"):
        raise OptionError("--significance and the training text (--src, --tgt) go together")
    engine = arguments.engine
    model = TranslationModel.load(arguments.model)
    source, target = model.preprocessors
    bitext = None
    if arguments.src:
        pairs = list(read_parallel(arguments.src, arguments.tgt))
        bitext = Bitext.from_lines(
            source.encode([one for one, _ in pairs], engine=engine),
            target.encode([other for _, other in pairs], engine=engine),
            engine=engine,
        )
    lines = None
    if arguments.text:
        lines = source.encode(read_lines(arguments.text), engine=engine)
    before = sum(map(len, model.tables))
    files = (arguments.text, arguments.src, arguments.tgt)
    small = prune_model(
        model,
        arguments.out,
        lines=lines,
        limit=arguments.limit,
        significance=arguments.significance,
        bitext=bitext,
        inputs=[path for path in files if path],
        engine=engine,
    )
    after = sum(map(len, small.tables))
    print(f"{arguments.out}: {after:,} of {before:,} rules ({after / max(before, 1):.1%})")
