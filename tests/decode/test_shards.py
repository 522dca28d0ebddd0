"""Decoding and forced decoding over shards: the same bytes however many there are."""

import pickle

import numpy as np
import pytest

from reference.shard_engines import ENGINES, ShardEngine
from reference.tiny_grammars import SOURCE as HIERO_SOURCE
from reference.tiny_grammars import hiero_model, random_rule
from reference.tiny_models import SOURCE, TARGET, extracted_model, random_model, some_links
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import ARRAYS
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import Graphs, KBest, SearchOptions, SourceSentence, open_decoder
from tunesmith.decode.forced import ForcedDecoder, ForcedOptions
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.features import LexicalFeatures, SideClasses, WordPair, build_features
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.weights import write_weights
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE, link_or_copy

SEARCH = SearchOptions(pop_limit=15)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """One with sparse features, too."""
    folder = tmp_path_factory.mktemp("models")
    dense, _, chance = random_model(5, folder / "dense")
    with new_model(folder / "sparse") as temporary:
        for entry in dense.folder.iterdir():
            if entry.name not in {"model.toml", WEIGHTS_FILE}:
                link_or_copy(entry, temporary / entry.name)
        sparse = build_features(dense.tables, [WordPair()], temporary / "features.bin")
        write_description(
            temporary, tables=["phrases.bin"], language_models=["lm.arpa"], features="features.bin"
        )
        named = {name: float(chance.normal()) for name in sparse.names}
        write_weights(temporary / WEIGHTS_FILE, Weights({**dense.weights, **named}))
    return TranslationModel.load(folder / "sparse")


@pytest.fixture(scope="module")
def sentences():
    chance = np.random.default_rng(3)
    texts = [" ".join(chance.choice(list(SOURCE), 7)) for _ in range(9)]
    return [SourceSentence(["a", "b", "a"], forced=[(1, 2, ["new", "words"])]), "", *texts]


def of_lists(output):
    """Everything that a list tells, in a form that can be compared."""
    ways = [list(output.derivations(number)) for number in range(len(output))]
    arrays = output.offsets, output.scores, output.features, output.pops, *output.sparse
    return output.texts, ways, output.used_sparse()[1], [array.tobytes() for array in arrays]


def of_graphs(pool):
    arrays = [getattr(pool, name).tobytes() for name in ARRAYS]
    return arrays, pool.names, list(pool.vocabulary)


def decoders(model):
    return [PhraseDecoder(model, search=SEARCH, engine=engine) for engine in ENGINES]


def all_equal(found):
    return all(one == found[0] for one in found)


def test_lists(model, sentences):
    want = KBest(5, graph_density=4.0)
    outputs = [decoder.decode(sentences, want=want) for decoder in decoders(model)]
    assert all_equal([of_lists(output) for output in outputs])
    assert all_equal([of_graphs(output.graphs) for output in outputs])
    assert len(outputs[0].texts) > 3 * len(sentences)


def test_graphs(model, sentences):
    counts = list(range(1, len(sentences) + 1))
    want = Graphs(density=2.0, word_counts=counts)
    pools = [decoder.decode(sentences, want=want) for decoder in decoders(model)[:-1]]
    assert all_equal([of_graphs(pool) for pool in pools])


def test_prescribed_translations(model, sentences):
    plain, targets = sentences[2:6], ["w x", "x", "w w x", "y"]
    some = decoders(model)[:-1]
    assert all_equal([of_lists(one.force(plain, targets, size=3)) for one in some])
    assert all_equal([of_graphs(one.gold_graphs(plain, targets)) for one in some])


def test_charts(tmp_path):
    chance = np.random.default_rng(3)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(60)]
    chart = hiero_model(tmp_path / "model", rules, chance, lms=2, search={})
    texts = [" ".join(chance.choice(list(HIERO_SOURCE), 6)) for _ in range(9)]
    some = [open_decoder(chart, engine=engine) for engine in ENGINES]
    lists = [one.decode(texts, want=KBest(4, graph_density=3.0)) for one in some]
    found = [(one.texts, one.scores.tobytes(), one.features.tobytes()) for one in lists]
    assert all_equal(found)
    assert all_equal([of_graphs(one.graphs) for one in lists])
    forests = [one.decode(texts, want=Graphs(word_counts=[2] * 9)) for one in some[:-1]]
    assert all_equal([of_graphs(pool) for pool in forests])


def test_nothing_to_translate(model):
    output = PhraseDecoder(model, engine=ShardEngine(3)).decode([])
    assert (len(output), output.texts) == (0, [])


def test_features_that_are_in_no_file_travel(model, sentences):
    lexical = LexicalFeatures().build(SideClasses(), SideClasses())
    taught = model.taught(lexical)
    again = pickle.loads(pickle.dumps(taught))
    assert again.lexical.meta == lexical.meta
    assert again.decoder_names == taught.decoder_names
    assert again.folder == model.folder
    weights = Weights({**model.weights, "lexical": 1.0})
    found = [
        PhraseDecoder(taught, search=SEARCH, engine=engine).decode(sentences, weights, KBest(2))
        for engine in (1, ShardEngine(2))
    ]
    assert all_equal([of_lists(output) for output in found])


@pytest.mark.parametrize("leave_out", ["none", "own"])
def test_forced_decoding(leave_out, tmp_path):
    chance = np.random.default_rng(8)
    texts = [
        [" ".join(chance.choice(list(words), chance.integers(1, 7))) for _ in range(25)]
        for words in (SOURCE, TARGET)
    ]
    links = Links.from_lists(some_links(chance, *texts))
    model = extracted_model(tmp_path / "m", *texts, links)
    options = ForcedOptions(min_prefix=1, leave_out=leave_out)
    pairs = Bitext.from_lines(*texts)
    found = []
    for engine in ENGINES[:-1] if leave_out == "none" else ENGINES:
        decoder = ForcedDecoder(model, options, engine=engine)
        result = decoder.run(pairs, links, keep=True, list_prefixes=True)
        ways = [list(result.all_derivations(pair)) for pair in range(len(result))]
        arrays = (
            result.whole, result.source_words, result.target_words, result.derivations,
            result.visited, result.nodes, result.edges, result.prefixes,
        )  # fmt: skip
        found.append((ways, result.stopped, [array.tobytes() for array in arrays]))
    assert all_equal(found)
    if leave_out == "own":
        assert len(set(result.prefixes[:, 0].tolist())) > 1
    empty = ForcedDecoder(model, options, engine=ShardEngine(2)).run(Bitext.from_lines([], []))
    assert len(empty) == 0


def test_links_that_do_not_fit_are_refused_before_they_are_cut(model):
    decoder = ForcedDecoder(model, engine=ShardEngine(2))
    with pytest.raises(OptionError, match="links of 1 pairs for 2 pairs"):
        decoder.run(Bitext.from_lines(["a", "b"], ["w", "x"]), Links.from_lists([[(0, 0)]]))
