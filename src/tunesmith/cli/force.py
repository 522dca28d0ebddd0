"""How much of a parallel text a model can make exactly, and in how many ways (forced decoding).

A pair is reachable when some derivation of the model makes the target word for word; otherwise
its longest reachable prefix of five or more source words counts. The search is exact. On the text
that the model was trained on, give --leave-out own (small data) or singletons (large data): else
every pair is made of the phrases that it taught the model itself. Of a hierarchical model pairs are
made as a whole or not at all.

Examples
--------
  tunesmith force model --src train.de --tgt train.en --leave-out own
  tunesmith force model --src dev.de --tgt dev.en --explain 3
  tunesmith force model --src train.de --tgt train.en --limits 0,2,4,6 --plots figures/
  tunesmith force medium --src train.de --tgt train.en --leave-out own --links hmm.links ibm2.links

See Yu et al. (2013), Max-Violation Perceptron and Forced Decoding: Table 3, Figures 6 and 7.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tunesmith.cli._options import (
    add_engine,
    add_parameters,
    add_threads,
    filled_folder,
    given_parameters,
    whole,
)

if TYPE_CHECKING:
    from tunesmith.engine import EngineLike
    from tunesmith.model import TranslationModel


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the verb."""
    from tunesmith.decode.forced import ForcedOptions

    parser.add_argument("model", metavar="MODEL", help="a model directory")
    parser.add_argument("--src", required=True, metavar="FILE", help="source text, or both sides")
    parser.add_argument("--tgt", metavar="FILE", help="target text, line by line")
    parser.add_argument(
        "--links",
        nargs="+",
        metavar="FILE",
        help="word links of the text, one file for each phrase table that was extracted from such "
        "links: which rules are a pair's own, exactly (--leave-out own)",
    )
    parser.add_argument(
        "--limits",
        metavar="N,…",
        help="distortion limits to compare (default: the model's own)",
    )
    parser.add_argument(
        "--plots", type=filled_folder, metavar="FOLDER", help="write the figures there, as SVG"
    )
    parser.add_argument(
        "--explain",
        type=whole(at_least=1),
        default=0,
        metavar="N",
        help="show the best derivations of the first N pairs that can be made, on standard error",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument(
        "--pretokenised", action="store_true", help="the text is the model's own tokens"
    )
    add_threads(parser)
    add_engine(parser)
    add_parameters(parser, ForcedOptions, leave_out=("distortion_limit",))


def run(arguments: argparse.Namespace) -> None:
    """Print the tables, write the figures."""
    from dataclasses import replace
    from pathlib import Path

    import numpy as np

    from tunesmith.base.errors import InputError
    from tunesmith.base.log import log
    from tunesmith.corpus import Bitext
    from tunesmith.corpus.lines import split
    from tunesmith.decode import SearchOptions
    from tunesmith.decode.forced import ForcedDecoder, ForcedOptions
    from tunesmith.decode.forced_rules import force_rules
    from tunesmith.decode.table_links import check_link_count
    from tunesmith.evaluate.charts import check_plots, save
    from tunesmith.evaluate.reachability import (
        reachability,
        reachability_json,
        reachability_plots,
        reachability_table,
    )
    from tunesmith.formats.parallel import read_parallel
    from tunesmith.formats.pharaoh import read_links
    from tunesmith.model import TranslationModel

    if arguments.plots:
        check_plots()
    model = TranslationModel.load(arguments.model)
    given = given_parameters(arguments, ForcedOptions)
    if model.kind == "hiero":
        _check_rules(arguments, given)
    limits = _limits(arguments.limits) or [SearchOptions.of_model(model).distortion_limit]
    engine = arguments.engine
    options = replace(ForcedOptions(), **given)
    pairs = list(read_parallel(arguments.src, arguments.tgt))
    sources, targets = [source for source, _ in pairs], [target for _, target in pairs]
    encoders = model.preprocessors
    if arguments.pretokenised:
        encoders[0].check_encoded(sources, engine=engine)
    else:
        sources = encoders[0].encode(sources, engine=engine)
        targets = encoders[1].encode(targets, engine=engine)
    links = [read_links(path) for path in arguments.links or ()]
    for path, one in zip(arguments.links or (), links, strict=True):
        if len(one) != len(pairs):
            raise InputError(
                path, 0, f"{len(one):,} lines", f"{len(pairs):,} as in {arguments.src}"
            )
    if links:
        check_link_count(model, len(links))
    lengths = np.array([len(split(line)) for line in sources], np.int64)
    reports = []
    if model.kind == "hiero":
        result = force_rules(model, sources, targets, options, engine=engine)
        reports.append(reachability(result, lengths, distortion_limit=None))
    else:
        log.info(
            "at most %s MB for the search of %d pairs at a time",
            f"{options.memory(engine) / 2**20:,.0f}",
            engine.threads,
        )
        bitext = Bitext.from_lines(sources, targets, engine=engine)
        for limit in limits:
            decoder = ForcedDecoder(model, replace(options, distortion_limit=limit), engine=engine)
            result = decoder.run(bitext, links or None)
            reports.append(reachability(result, lengths, distortion_limit=limit))
    if arguments.explain:
        made = np.flatnonzero(result.whole)[: arguments.explain].tolist()
        _explain(model, sources, targets, made, engine)
    if arguments.plots:
        folder = Path(arguments.plots)
        folder.mkdir(parents=True, exist_ok=True)
        for name, chart in reachability_plots(reports).items():
            save(chart, folder / f"{name}.svg")
    if arguments.json:
        print(json.dumps(reachability_json(reports), indent=1))
    else:
        print(reachability_table(reports))


def _check_rules(arguments: argparse.Namespace, given: dict[str, Any]) -> None:
    """Refuse options that only phrases have."""
    from tunesmith.base.errors import OptionError
    from tunesmith.decode.forced_rules import RULE_OPTIONS

    others = [name for name in ("limits", "links") if getattr(arguments, name)]
    others += [name for name in given if name not in RULE_OPTIONS]
    if others:
        raise OptionError(f"--{others[0].replace('_', '-')} is for phrase models")


def _explain(
    model: "TranslationModel",
    sources: Sequence[str],
    targets: Sequence[str],
    pairs: Sequence[int],
    engine: "EngineLike",
) -> None:
    """How the model makes some of the pairs, as `translate --explain` shows it."""
    from tunesmith.decode import SourceSentence, open_decoder
    from tunesmith.decode.explaining import explain
    from tunesmith.formats.explanations import explanation_text

    decoder = open_decoder(model, engine=engine)
    chosen = [sources[i] for i in pairs]
    output = decoder.force(chosen, [targets[i] for i in pairs])
    for row, (i, line) in enumerate(zip(pairs, chosen, strict=True)):
        sentence, derivation = SourceSentence.from_text(line), output.derivation(row)
        print(
            explanation_text(
                explain(derivation, decoder, model.weights, sentence, targets[i], number=i)
            ),
            file=sys.stderr,
        )


def _limits(text: str | None) -> list[int]:
    from tunesmith.base.errors import OptionError
    from tunesmith.base.numbers import MAX_WHOLE, parse_whole

    try:
        limits = [parse_whole(number) for number in (text or "").split(",") if number]
    except ValueError:
        limits = [-2]
    if any(not -1 <= limit <= MAX_WHOLE for limit in limits):
        raise OptionError(f"--limits is '{text}', expected numbers such as 0,2,4,6; -1: no limit")
    return limits
