"""For each kind of our binary files: how one is made, and all that is done with one.

`make(folder)` writes a good file and what is needed beside it; `use(path)` does with the file
what the commands do. A use raises nothing, or says what is wrong with the file.
"""

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reference.graph_pools import random_graphs
from reference.pools import random_pool
from reference.reorder_files import (
    make_maxent,
    make_orientations,
    make_reorder_state,
    use_maxent,
    use_orientations,
    use_reorder_state,
)
from reference.tiny_lexical import taught, with_weights
from reference.tiny_models import extracted_model, random_links, random_model, some_links
from reference.toy_decoder import ToyDecoder
from tunesmith import _core
from tunesmith.align import Aligner
from tunesmith.base.errors import DegenerateError
from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import ForcedDecoder, Graphs, KBest
from tunesmith.decode.forced import ForcedOptions
from tunesmith.decode.lexical_names import heaviest_features
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.translate import Translator
from tunesmith.features import (
    CountBin,
    LengthBin,
    LexicalModel,
    TargetUnaligned,
    WordPair,
    build_features,
)
from tunesmith.formats.graphs import read_graphs, write_graphs
from tunesmith.formats.pharaoh import Links, read_links
from tunesmith.formats.weights import write_weights
from tunesmith.grammar import (
    HieroIndex,
    HieroOptions,
    PhraseExtraction,
    PhraseTable,
    ScfgGrammar,
)
from tunesmith.grammar.extraction import extract_shard, text_with_links
from tunesmith.grammar.moses import export_moses_reordering, export_moses_table
from tunesmith.grammar.packed_grammars import PackedGrammars, write_grammars
from tunesmith.graph import best, kbest, posteriors
from tunesmith.learn import Maxforce
from tunesmith.learn.reestimate import reestimate
from tunesmith.lm import NgramLM, interpolate
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.describe import describe, describe_phrase, description_text
from tunesmith.model.files import WEIGHTS_FILE
from tunesmith.model.prune import prune_model
from tunesmith.tune import make_tuner
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.loop_state import STATE_FILE
from tunesmith.tune.pool import merge_pools
from tunesmith.tune.sources import DecoderSource

BLEU = Bleu(order=2, tokenize="none")
TEXT = ["the cat sleeps", "the dog sleeps now", "a cat runs", "the dog runs", "a cat sleeps ."]
CLASSES = {"the": "D", "a": "D", "cat": "N", "dog": "N", "sleeps": "V", "runs": "V"}
SOURCES = ["a b c a b", "b c a", "c a b a b c"]
REFERENCES = [["w x y z w", "x y z w x y", "w w x y z"]]
PAIRS = 12


@dataclass(frozen=True)
class Kind:
    """A file to change: its kind and version, and the two functions."""

    kind: str
    make: Callable[[Path], Path]
    use: Callable[[Path], None]
    version: int = 1


def make_lm(folder):
    NgramLM.fit(TEXT, order=3).save(folder / "lm.bin")
    NgramLM.fit([*TEXT[::-1], "no cat"], order=4).save(folder / "other.bin")
    return folder / "lm.bin"


def make_class_lm(folder):
    NgramLM.fit(TEXT, order=3, classes=CLASSES).save(folder / "lm.bin")
    return folder / "lm.bin"


def use_lm(path):
    lm = NgramLM.load(path)
    lm.scores([*TEXT, "<s> <unk> \\<s>", "", "dog dog no"], engine=2)
    lm.perplexity(TEXT)
    lm.full_scores(TEXT[1])
    lm.save(path.parent / "again.bin")
    if lm.has_classes:
        return
    lm.save_arpa(path.parent / "lm.arpa")
    interpolate([lm, NgramLM.load(path.parent / "other.bin")], [0.4, 0.6]).scores(TEXT)


def make_bitext(folder):
    sources, targets, _ = random_links(np.random.default_rng(3), PAIRS)
    Bitext.from_lines(sources, targets).save(folder / "text.bin")
    return folder / "text.bin"


def use_bitext(path):
    text = Bitext.load(path)
    list(text.pairs())
    text.select(range(len(text))[1::2]).reversed().source.lines()
    text.source.counts()
    Aligner(ibm1=1, hmm=1, engine=1).fit(text)


def make_links(folder):
    *_, lists = random_links(np.random.default_rng(3), PAIRS)
    links = Links.from_lists(lists)
    sure = np.arange(len(links.source)) % 3
    Links(
        links.offsets, links.source, links.target, (sure == 0).astype(np.uint8),
        (sure / 2).astype(np.float32),
    ).save(folder / "links.bin")  # fmt: skip
    return folder / "links.bin"


def use_links(path):
    links = read_links(path)
    links.text()
    links.select(range(len(links))[1::2]).text()
    list(links)


def _linked_text():
    sources, targets, lists = random_links(np.random.default_rng(3), PAIRS)
    return Bitext.from_lines(sources, targets), Links.from_lists(lists)


def make_instances(folder):
    text, links = _linked_text()
    text.save(folder / "text")
    links.save(folder / "links")
    return extract_shard((1, len(text)), PhraseExtraction(engine=1), folder)


def use_instances(path):
    text, links = _linked_text()
    vocabularies = [side.vocabulary.native for side in (text.source, text.target)]
    _core.build_phrase_table(
        *text_with_links(text, links), *vocabularies, _core.TableOptions(),
        str(path.parent / "table"), "{}", lambda done: None, [str(path)],
        np.empty(0, np.uint8), 1,
    )  # fmt: skip


def make_aligner(folder):
    sources, targets, _ = random_links(np.random.default_rng(4), PAIRS)
    Aligner(engine=1).fit(sources, targets).save(folder / "align.bin")
    return folder / "align.bin"


def use_aligner(path):
    sources, targets, _ = random_links(np.random.default_rng(5), 4)
    Aligner.load(path).align([*sources, "new", ""], [*targets, "word", "x"])


def make_model(folder):
    """A model with a table that has counts, links and reordering, and with sparse features."""
    chance = np.random.default_rng(6)
    sources, targets, links = random_links(chance, PAIRS)
    with new_model(folder / "model") as temporary:
        table = PhraseExtraction(limit=0).run(
            Bitext.from_lines(sources, targets),
            Links.from_lists(links),
            temporary / "phrases.bin",
        )
        NgramLM.fit(targets, order=3).save(temporary / "lm.bin")
        templates = [TargetUnaligned(), CountBin(), WordPair(), LengthBin(), endings]
        features = build_features([table], templates, temporary / "features.bin")
        write_description(
            temporary,
            tables=["phrases.bin"],
            language_models=["lm.bin"],
            features="features.bin",
        )
        names = (*TranslationModel.load(temporary).feature_names, *features.names)
        weights = dict(zip(names, chance.normal(size=len(names)), strict=True))
        write_weights(temporary / WEIGHTS_FILE, Weights(weights))
    return folder / "model"


def endings(source, target, links, counts):
    """A template with values that are not 1."""
    return {"".join((*source[-1:], *target[-1:], "!")): 0.5}


def use_model(path):
    model = TranslationModel.load(path.parent)
    sources, targets, _ = random_links(np.random.default_rng(6), PAIRS)
    description_text(describe(model))
    describe_phrase(model, sources[0].split()[0])
    decoder = PhraseDecoder(model, engine=2)
    for block in Translator(decoder, size=5).stream(sources):
        list(block.nbest_lines())
        block.explanation(0)
    kbest(decoder.decode(sources, want=Graphs(density=5.0)), model.weights, 3).texts  # noqa: B018
    forced = ForcedOptions(leave_out="own")
    ForcedDecoder(model, forced, engine=1).run(Bitext.from_lines(sources, targets))
    prune_model(model, path.parent.parent / "pruned", lines=sources[:3], limit=2)


def make_table(folder):
    return make_model(folder) / "phrases.bin"


def use_table(path):
    table = PhraseTable(path)
    for rule in table:
        table.rules(rule.source)
    scratch = path.parent.parent
    export_moses_table(table, scratch / "table.gz")
    export_moses_reordering([table], scratch / "reordering.gz")
    templates = [TargetUnaligned(), CountBin(exact=True), WordPair(), LengthBin(), endings]
    build_features([table], templates, path.parent / "features.bin", engine=2)
    use_model(path)
    model = TranslationModel.load(path.parent)
    sources, targets, _ = random_links(np.random.default_rng(6), PAIRS)
    text = Bitext.from_lines(sources, targets)
    prune_model(model, scratch / "pruned", significance="a-e", bitext=text)
    reestimate(model, text, scratch / "again.bin", engine=1)


def make_joined(folder):
    sources, targets, links = random_links(np.random.default_rng(6), PAIRS)
    others = some_links(np.random.default_rng(7), sources, targets)
    both = map(Links.from_lists, (links, others))
    extracted_model(folder / "model", sources, targets, *both, join_floor=-6.0)
    return folder / "model" / "phrases2.bin"


def make_hiero(folder):
    sources, targets, links = random_links(np.random.default_rng(6), PAIRS)
    text = Bitext.from_lines(sources, targets)
    HieroOptions(frequent=2).run(text, Links.from_lists(links), folder / "hiero.bin")
    return folder / "hiero.bin"


def use_hiero(path):
    index = HieroIndex(path)
    for number, source in enumerate(SOURCES):
        list(index.rules(source))
        list(index.rules(source, leave_out=number % len(index)))
    list(index.text_rules(SOURCES, leave_out=np.arange(len(index)) % 2 == 0, engine=2))


def make_scfg(folder):
    index = HieroIndex(make_hiero(folder))
    index.text_rules(SOURCES).grammar().save(folder / "grammar.scfg")
    return folder / "grammar.scfg"


def use_scfg(path):
    list(ScfgGrammar.load(path).lines())


def make_packed_grammars(folder):
    index = HieroIndex(make_hiero(folder))
    grammars = [index.rules(line).grammar() for line in SOURCES[:3]]
    write_grammars(folder / "grammars.bin", grammars)
    return folder / "grammars.bin"


def use_packed_grammars(path):
    for grammar in PackedGrammars(path):
        list(grammar.lines())


def make_features(folder):
    return make_model(folder) / "features.bin"


def make_lexical(folder):
    model, _, chance = random_model(7, folder / "tiny")
    options = {"rule_pairs": True, "history": True, "source_edges": True}
    model, _ = taught(model, chance, folder / "taught", **options)
    keys = chance.integers(1, 2**63, 300).tolist()
    weights = dict(zip(keys, chance.normal(size=300), strict=True))
    return with_weights(model, weights, folder / "model").folder / "lexical.bin"


def use_lexical(path):
    lexical = LexicalModel.load(path)
    lexical.entries()
    for level in lexical.meta["levels"]:
        lexical.class_members("source", level)
    decoder = PhraseDecoder(TranslationModel.load(path.parent), engine=1)
    decoder.decode(SOURCES, want=KBest(5))
    heaviest_features(decoder, 5, SOURCES)
    lexical.native.add(np.arange(1, 200, dtype=np.uint64) << 56, np.ones(199, np.float32))
    LexicalModel(lexical.native.averaged(2.0), lexical.meta).save(path.parent.parent / "new.bin")


def make_pool(folder):
    random_pool(8, sentences=4, order=2).save(folder / "pool.bin")
    random_pool(8, sentences=4, order=2).save(folder / "same.bin")
    return folder / "pool.bin"


def use_pool(path):
    pool = KBestPool.load(path)
    weights = np.linspace(-1, 1, len(pool.names))
    pool.stats_of(pool.best(weights, threads=2))
    pool.select(range(pool.sentences)[::2]).scaled(weights + 2.0).dense_only()
    start = Weights.from_vector(pool.names, weights)
    for tuner in ("kb-mira", "pro", "risk"):
        with suppress(DegenerateError):  # of features of any size
            make_tuner(tuner, engine=1).fit(pool, BLEU, start)
    merge_pools([pool, pool])


def make_graphs(folder):
    random_graphs(9)[0].save(folder / "graphs.bin")
    return folder / "graphs.bin"


def use_graphs(path):
    pool = read_graphs(path)
    weights = Weights(dict.fromkeys(pool.names, 0.5))
    best(pool, weights).best_texts()
    kbest(pool, weights, 5).nbest()
    posteriors(pool, weights)
    pool.select(range(len(pool))[::2]).with_features(pool.names[:1], 1)
    for graph in pool:
        list(graph)
    write_graphs(path.parent / "forests", pool, "cdec")


def loop(folder, tuner, iterations):
    model = TranslationModel.load(folder / "tiny" / "model")
    source = DecoderSource(PhraseDecoder(model, engine=1), SOURCES)
    tuning = TuningLoop(
        source, make_tuner(tuner, engine=1), BLEU, REFERENCES, size=10, iterations=iterations
    )
    return tuning.run(model.initial_weights(), folder / "run")


def make_loop(tuner, name):
    """A run of which two iterations are done."""

    def make(folder):
        random_model(3, folder / "tiny")
        loop(folder, tuner, 2)
        shutil.copytree(folder / "run", folder / "kept")
        return folder / "kept" / name

    def use(path):
        folder = path.parent.parent
        shutil.rmtree(folder / "run")
        shutil.copytree(path.parent, folder / "run")
        try:
            loop(folder, tuner, 3)
        finally:
            assert (path.parent / STATE_FILE).exists()

    return make, use


def list_learner(folder, epochs):
    """Learns from the lists of a decoder that does not know its features."""
    pairs = Bitext.from_lines(["a b c", "c a d", "b b a c"], ["z w x w", "w z w", "w x w x z w"])
    learner = Maxforce(folds=0, rate=0.3, batch=1, epochs=epochs)
    dev = (["a b"], [["z w x"]])
    start = Weights({"words": 0.5, "first": 0.5})
    learner.fit_decoder(ToyDecoder(knows=False), pairs, dev, start, folder=folder)


def make_list_learner(folder):
    list_learner(folder / "run", 1)
    shutil.copytree(folder / "run", folder / "kept")
    return folder / "kept" / "learner-1.bin"


def use_list_learner(path):
    folder = path.parent.parent
    shutil.rmtree(folder / "run")
    shutil.copytree(path.parent, folder / "run")
    list_learner(folder / "run", 2)


KINDS = {
    "lm": Kind("lm", make_lm, use_lm),
    "class-lm": Kind("lm", make_class_lm, use_lm),
    "bitext": Kind("bitext", make_bitext, use_bitext),
    "links": Kind("links", make_links, use_links),
    "align": Kind("align", make_aligner, use_aligner),
    "phrases": Kind("phrase-table", make_table, use_table),
    "joined-phrases": Kind("phrase-table", make_joined, use_model),
    "hiero": Kind("hiero-index", make_hiero, use_hiero, version=2),
    "scfg": Kind("scfg", make_scfg, use_scfg),
    "packed-grammars": Kind("packed-grammars", make_packed_grammars, use_packed_grammars),
    "features": Kind("rule-features", make_features, use_model),
    "lexical": Kind("lexical", make_lexical, use_lexical, version=2),
    "list-learner": Kind("list-learner", make_list_learner, use_list_learner),
    "instances": Kind("instances", make_instances, use_instances),
    "pool": Kind("pool", make_pool, use_pool),
    "graphs": Kind("graphs", make_graphs, use_graphs, version=2),
    "reorder-state": Kind("reorder-state", make_reorder_state, use_reorder_state),
    "orientations": Kind("orientations", make_orientations, use_orientations, version=2),
    "maxent": Kind("reorder-model", make_maxent, use_maxent, version=2),
    "loop-pool": Kind("pool", *make_loop("kb-mira", "pool-2.bin")),
    "loop-weights": Kind("loop-weights", *make_loop("kb-mira", "weights-3.bin")),
    "loop-graphs": Kind("graph-memory", *make_loop("lb-mira", "pool-3.bin"), version=2),
    "loop-online": Kind("online-memory", *make_loop("mira", "pool-3.bin")),
}
