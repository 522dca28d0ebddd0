"""Claim: sparse features of hierarchical rules cost chart search at most a fifth of its time.

The first 100 sentences of Multi30k's test_2016 with cdec's grammars, weights and language model, on
one thread, CPU seconds: without sparse features, and with those of some templates. Each of them
has a weight (a tiny one: the search goes the same way). Rounds are interleaved, medians of them.

    python bench/chart_sparse.py [--data FOLDER] [--rounds 5] [--pop-limit 200]
"""

import argparse
import os
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from shared_data import add_data_option

from tunesmith.base.weights import Weights
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.want import KBest
from tunesmith.features import (
    GrammarTemplates,
    LengthBin,
    LexicalFeatures,
    PairNgrams,
    RuleEdges,
    RuleId,
    RuleShape,
    SideClasses,
    SourceNgrams,
    TargetNgrams,
)
from tunesmith.formats.text import read_lines
from tunesmith.grammar import ScfgGrammar
from tunesmith.model.cdec import import_cdec
from tunesmith.model.search import SearchOptions

SETS = {
    "shape": [RuleShape()],
    "rule id, source bigrams, shape": [RuleId(), SourceNgrams(), RuleShape()],
    "all n-grams": [SourceNgrams((1, 2)), TargetNgrams((1, 2)), PairNgrams((1, 2))],
    "lengths": [LengthBin()],
    "WordEdges of words": [
        RuleEdges(LexicalFeatures(levels="word").build(SideClasses(), SideClasses()))
    ],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pop-limit", type=int, default=200)
    add_data_option(parser)
    given = parser.parse_args()
    folder = given.data / "cdec-model"
    source = read_lines(folder / "input.de")
    files = [folder / "grammars" / f"grammar.{number}.gz" for number in range(len(source))]
    grammars = [ScfgGrammar.read(path) for path in files]
    print(f"load {os.getloadavg()[0]:.1f}; {sum(map(len, grammars)):,} rules")
    with TemporaryDirectory() as scratch:
        weights = folder / "weights.mert"
        place = Path(scratch)
        dense = import_cdec(
            folder / "cdec.ini", place / "dense", weights=weights, grammars=files[:1]
        )
        sessions, seconds = {}, {}
        for name, templates in {"none": [], **SETS}.items():
            model, own = dense, dict(dense.weights)
            if templates:
                sparse = GrammarTemplates(templates)
                for grammar in grammars:
                    of_rule = sparse.of_rules(grammar)
                    for rule in range(len(grammar)):
                        own |= dict.fromkeys(of_rule(rule), 1e-9)
                model = dense.with_templates(sparse, dense.weights, place / str(len(sessions)))
            search = SearchOptions.checked({**model.search, "pop_limit": given.pop_limit})
            begin = time.process_time()
            decoder = ChartDecoder(model, search=search, engine=1).with_grammars(grammars)
            session = decoder.session(Weights(own))
            ready = time.process_time() - begin
            sessions[name], seconds[name] = session, []
            print(
                f"{name}: {len(own) - len(dense.weights):,} sparse features, ready in {ready:.2f} s"
            )
        for want, what in ((KBest(1), "best translations"), (KBest(100), "100-best lists")):
            for times in seconds.values():
                times.clear()
            for _ in range(given.rounds):
                for name, session in sessions.items():
                    begin = time.process_time()
                    session.decode(source, want)
                    seconds[name].append(time.process_time() - begin)
            plain = statistics.median(seconds["none"])
            print(f"{what}:")
            for name, times in seconds.items():
                median = statistics.median(times)
                print(f"  {name:<32} {median:6.2f} s  {100 * (median / plain - 1):+5.1f} %")


if __name__ == "__main__":
    main()
