"""What learning on shards costs a sentence, and what a corpus of any size will take on a cluster.

    python bench/shard_plan.py [--data FOLDER] [--pairs 5000 20000] [--sentences 100]
        [--corpus 1660000 100000000] [--nodes 30] [--cores 8] [--threads 1]

Europarl de-en, its first pairs, tokenised and lower-cased: aligned, indexed, and for some of them
all that `tunesmith shard` and an epoch of ranking with a chart do (the 12 dense features, rule ids,
bigrams and shapes of Simianer et al. 2012; lists of 100), in CPU seconds and bytes. Then the plan,
by the formulas of docs/shard-plan.md, twice: with the costs of the largest number of pairs, and
with those that they grow to if they go on growing as between the last two numbers.
"""

import argparse
import math
import os
import pickle
import time
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from shared_data import add_data_option

from tunesmith.align import Aligner
from tunesmith.corpus import Bitext
from tunesmith.corpus.tokenizers import MosesTokenizer
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.engine import ThreadEngine
from tunesmith.engine.memory import peak_memory
from tunesmith.features import GrammarTemplates, RuleId, RuleShape, SourceNgrams
from tunesmith.formats.text import read_lines
from tunesmith.formats.weights import write_weights
from tunesmith.grammar import HieroOptions
from tunesmith.grammar.packed_grammars import PackedGrammars
from tunesmith.learn import Maxforce
from tunesmith.learn.list_learner import ListLearner, ListShard, list_pass
from tunesmith.learn.shards import GrammarWork, grammars_of
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE

# Of a feature, by bench/shard_mixing.py: bytes at the driver, CPU seconds of a merge.
MIXED_BYTES, MIXED_SECONDS = 85, 90e-3 / 300_000
MAXFORCE = Maxforce(method="ranking", folds=0, batch=1, list_size=100, shard_size=1000)


@dataclass
class Costs:
    """Of a sentence, but for the index (a source word) and features (a shard of so many)."""

    pairs: int
    words: float
    index_bytes: float
    align: float
    extract: float
    grammar_bytes: float
    learn: float
    features: int
    growth: float
    """n times the sentences have n ** growth times the features."""
    sent_bytes: float
    """Of a feature with its name."""
    sentences: int

    def features_of(self, sentences):
        return self.features * (sentences / self.sentences) ** self.growth


def grown(known, corpus):
    """Costs at so many pairs if what a sentence takes goes on growing as between the last two."""
    if len(known) < 2:
        return known[-1]
    before, last = known[-2:]

    def further(name):
        one, other = getattr(before, name), getattr(last, name)
        power = math.log(other / one) / math.log(last.pairs / before.pairs)
        return other * (corpus / last.pairs) ** power

    return replace(last, **{name: further(name) for name in ("extract", "grammar_bytes", "learn")})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--pairs", type=int, nargs="+", default=[5_000, 20_000])
    parser.add_argument("--sentences", type=int, default=100)
    parser.add_argument("--corpus", type=int, nargs="+", default=[1_660_000, 100_000_000])
    parser.add_argument("--shard", type=int, default=725, help="pairs of a shard")
    parser.add_argument("--keep", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, default=30)
    parser.add_argument("--cores", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}")
    known = []
    for pairs in arguments.pairs:
        with TemporaryDirectory() as folder:
            known.append(measured(arguments, pairs, Path(folder)))
    for corpus in arguments.corpus:
        plan(known[-1], grown(known, corpus), corpus, arguments)


def text_of(data, pairs):
    sides = []
    for side in ("de", "en"):
        lines = read_lines(data / "europarl-4way" / f"train.{side}.xz")[:pairs]
        sides.append([line.lower() for line in MosesTokenizer(side).tokenize(lines)])
    return Bitext.from_lines(*sides)


def measured(arguments, pairs, folder):
    """Costs with an index of so many pairs."""
    text, clock = text_of(arguments.data, pairs), time.process_time
    text.save(folder / "text.bin")
    begin = clock()
    links = Aligner(engine=arguments.threads).fit(text).align(text)
    align = (clock() - begin) / pairs
    with new_model(folder / "dense") as model:
        index = HieroOptions(engine=1).run(text, links, model / "grammar.bin")
        NgramLM.fit(text.target, order=4).save(model / "lm.bin")
        write_description(model, grammar="grammar.bin", language_models=["lm.bin"])
        write_weights(model / WEIGHTS_FILE, TranslationModel.load(model).initial_weights())
    dense = TranslationModel.load(folder / "dense")
    templates = GrammarTemplates([RuleId(), SourceNgrams(), RuleShape()])
    model = dense.with_templates(templates, dense.weights, folder / "model")
    part = (pairs // 2, pairs // 2 + arguments.sentences)
    begin = clock()
    grammars = grammars_of(part, GrammarWork(folder / "text.bin", folder / "dense" / "grammar.bin",
                                             True, folder))  # fmt: skip
    extract = (clock() - begin) / arguments.sentences
    lines = [side.lines(*part) for side in (text.source, text.target)]
    decoder = open_decoder(model, search=SearchOptions(pop_limit=MAXFORCE.beam), engine=1)
    shard = ListShard(Bitext.from_lines(*lines), decoder, PackedGrammars(grammars))
    start = ListLearner(MAXFORCE, [decoder], shard.pairs, model.weights, is_shard=True).flat()
    half = [side[: arguments.sentences // 2] for side in lines]
    first = list_pass(
        ListShard(Bitext.from_lines(*half), decoder, shard.grammars), start, MAXFORCE,
        model.weights, ThreadEngine(1),
    )  # fmt: skip
    begin = clock()
    after = list_pass(shard, start, MAXFORCE, model.weights, ThreadEngine(1))
    learn = (clock() - begin) / arguments.sentences
    costs = Costs(
        pairs=pairs,
        words=index.native.source_tokens / pairs,
        index_bytes=index.native.bytes / index.native.source_tokens,
        align=align,
        extract=extract,
        grammar_bytes=grammars.stat().st_size / arguments.sentences,
        learn=learn,
        features=len(after.keys),
        growth=math.log2(len(after.keys) / len(first.keys)),
        sent_bytes=len(pickle.dumps(replace(after, reports=()))) / len(after.keys),
        sentences=arguments.sentences,
    )
    print(
        f"{pairs:,} pairs of {costs.words:.1f} source words: index {costs.index_bytes:.1f} bytes a "
        f"word; a sentence: aligned {1e3 * align:.1f} ms, rules {1e3 * extract:.0f} ms and "
        f"{costs.grammar_bytes / 1e3:.0f} KB, learning {1e3 * learn:.0f} ms; "
        f"{costs.features:,} features of {costs.sentences} sentences, growing by n^"
        f"{costs.growth:.2f}, {costs.sent_bytes:.1f} bytes each with their names; "
        f"peak {peak_memory() / 1e6:.0f} MB",
        flush=True,
    )
    return costs


def plan(costs, later, corpus, arguments):
    """Two columns: costs as they are, and as they may become."""
    shards = round(corpus / arguments.shard)
    print(f"\n{corpus:,} pairs in {shards:,} shards on {arguments.nodes} nodes with "
          f"{arguments.cores} cores")  # fmt: skip
    print(f"{'':36}{'as measured':>14}{'if it grows on':>16}")
    columns = [planned(one, corpus, arguments) for one in (costs, later)]
    for name, value in columns[0].items():
        print(f"  {name:34}{value:14,.2f}{columns[1][name]:16,.2f}")


def planned(costs, corpus, arguments):
    """The formulas of docs/shard-plan.md."""
    shards, workers = corpus / arguments.shard, arguments.nodes * arguments.cores
    met, every = costs.features_of(arguments.shard), costs.features_of(corpus)
    hours = 1 / 3600 / workers
    # A merge costs what its result has of features.
    level, merges = shards, 0.0
    while level > 1:
        level /= 2
        merges += level * costs.features_of(corpus / level) * MIXED_SECONDS
    epoch = (corpus * costs.learn + merges) * hours
    return {
        "rules of all sentences, hours": corpus * costs.extract * hours,
        "an epoch, hours": epoch,
        "  of which merging": merges * hours,
        "ten epochs, hours": 10 * epoch,
        "index, GB on each node": corpus * costs.words * costs.index_bytes / 1e9,
        "grammars, GB on each node": corpus * costs.grammar_bytes / 1e9 / arguments.nodes,
        "features of a shard, thousands": met / 1e3,
        "features of all, millions": every / 1e6,
        "driver, GB": every * MIXED_BYTES / 1e9,
        "weights of a shard, MB": met * costs.sent_bytes / 1e6,
        "from shards in an epoch, GB": shards * met * costs.sent_bytes / 1e9,
        "selected weights to a node, MB": arguments.keep * costs.sent_bytes / 1e6,
    }


if __name__ == "__main__":
    main()
