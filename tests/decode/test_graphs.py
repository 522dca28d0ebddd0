"""Graphs from search: all derivations of the beam, exact under any weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.graphs import derivations
from reference.phrase_decoder import all_derivations
from reference.tiny_models import SOURCE, random_model
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import Edge
from tunesmith.base.weights import Weights
from tunesmith.decode import Graphs, KBest, SearchOptions, SourceSentence
from tunesmith.decode.phrase import PhraseDecoder

UNPRUNED = {"pop_limit": 1_000_000, "stack_size": 1_000_000, "table_limit": 0}


def found_in(pool, sentence=0):
    """Every derivation as (words, spans in order, features)."""
    graph = list(pool[sentence])

    def spans(tree):
        (node, number), *tails = tree
        return [*(span for tail in tails for span in spans(tail)), graph[node][number].span]

    return [
        (" ".join(d.words), spans(d.tree), [d.features.get(name, 0.0) for name in pool.names])
        for d in derivations(graph)
    ]


def close(some, others):
    return np.allclose(some, others, rtol=1e-4, atol=1e-4)


@given(seed=st.integers(0, 100_000), limit=st.integers(0, 4), size=st.integers(1, 4))
@settings(max_examples=40)
def test_an_unpruned_graph_holds_all_derivations_with_their_features(
    seed, limit, size, tmp_path_factory
):
    """Exactly those of brute force, whatever weights steered the search."""
    model, ngrams, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    words = list(chance.choice(list(SOURCE), size))
    search = SearchOptions(distortion_limit=limit, **UNPRUNED)
    # Weights of 0 are where a search that merged by scores would merge too much.
    values = chance.normal(size=len(model.feature_names)) * chance.integers(0, 2)
    pool = PhraseDecoder(model, search=search, engine=1).decode(
        [" ".join(words)], Weights.from_vector(model.feature_names, values), want=Graphs()
    )
    pool.native  # noqa: B018 - the check
    found = found_in(pool)
    expected = list(all_derivations(words, model.tables[0].rules, ngrams, limit))
    assert len(found) == len(expected)
    for text, features, spans in expected:
        same = [f for t, s, f in found if t == text and s == list(spans)]
        assert any(close(features, other) for other in same)


@given(seed=st.integers(0, 100_000))
@settings(max_examples=25)
def test_every_derivation_of_the_list_is_in_the_graph(seed, tmp_path_factory):
    """With pruning: the k-best list and the graph speak of the same derivations."""
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    text = " ".join(chance.choice(list(SOURCE), 5))
    decoder = PhraseDecoder(model, search=SearchOptions(pop_limit=4), engine=1)
    output = decoder.decode([text], want=KBest(100_000, distinct=False))
    found = found_in(decoder.decode([text], want=Graphs()))
    assert len(found) == len(output.texts)
    for row, derivation in enumerate(output.derivations(0)):
        spans = [(step.begin, step.end) for step in derivation.steps]
        same = [f for t, s, f in found if t == derivation.text and s == spans]
        assert any(close(output.features[row], other) for other in same)


@given(seed=st.integers(0, 100_000), density=st.sampled_from([0.1, 1, 1.5, 3, 10]))
@settings(max_examples=25)
def test_a_density_keeps_the_edges_of_the_best_derivations(seed, density, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    text = " ".join(chance.choice(list(SOURCE), 4))
    decoder = PhraseDecoder(model, search=SearchOptions(pop_limit=10), engine=1)
    weights = model.weights.vector(model.feature_names)
    whole, pruned = (
        decoder.decode([text], want=Graphs()),
        decoder.decode([text], want=Graphs(density=density, word_counts=[3])),
    )
    pruned.native  # noqa: B018
    best = decoder.decode([text])
    steps = len(best.derivation(0).steps)
    assert pruned.edges <= max(steps, np.ceil(3 * density))
    if whole.edges <= np.ceil(3 * density):
        assert pruned.edges == whole.edges
    scored = sorted((float(np.dot(weights, f)) for *_, f in found_in(pruned)), reverse=True)
    assert scored[0] == pytest.approx(best.scores[0], rel=1e-4, abs=1e-4)
    # What was dropped: every edge left out lies on no derivation better than the worst kept edge's.
    every = sorted((float(np.dot(weights, f)) for *_, f in found_in(whole)), reverse=True)
    assert all(any(close(score, other) for other in every) for score in scored)


@given(seed=st.integers(0, 100_000), density=st.sampled_from([2.0, 50.0, float("inf")]))
@settings(max_examples=10)
def test_one_search_gives_lists_and_graphs(seed, density, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    texts = [" ".join(chance.choice(list(SOURCE), 7)) for _ in range(3)] + [""]
    decoder = PhraseDecoder(model, search=SearchOptions(pop_limit=15), engine=2)
    output = decoder.decode(texts, want=KBest(3, graph_density=density))
    alone = decoder.decode(texts, want=Graphs(density=None if density == float("inf") else density))
    assert output.texts == decoder.decode(texts, want=KBest(3)).texts
    assert output.graphs is not None
    assert [list(graph) for graph in output.graphs] == [list(graph) for graph in alone]
    assert decoder.decode(texts).graphs is None


@given(seed=st.integers(0, 100_000))
@settings(max_examples=10)
def test_graphs_do_not_depend_on_threads(seed, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    texts = [" ".join(chance.choice(list(SOURCE), 9)) for _ in range(7)] + ["", "unseen word"]
    files = []
    for threads in (1, 2, 3):
        search = SearchOptions(pop_limit=15)
        pool = PhraseDecoder(model, search=search, engine=threads).decode(
            texts, want=Graphs(density=5)
        )
        path = tmp_path_factory.mktemp("p") / "graphs.bin"
        pool.save(path)
        files.append(path.read_bytes())
    assert files[0] == files[1] == files[2]


@pytest.fixture
def small(tmp_path):
    return random_model(7, tmp_path / "f")[0]


def test_empty_and_unknown_and_prescribed(small):
    decoder = PhraseDecoder(small, engine=1)
    forced = SourceSentence(["a", "b"], forced=[(0, 2, ["fixed", "words"])])
    pool = decoder.decode(["", "nobody", forced], want=Graphs())
    assert list(pool[0]) == [[Edge(())]]
    [[edge]] = pool[1]
    assert (edge.words, edge.span, edge.tails) == (("nobody",), (0, 1), ())
    assert edge.features["unknown"] == -1
    [[edge]] = pool[2]
    assert (edge.words, edge.span) == (("fixed", "words"), (0, 2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"density": 0}, "density is 0, expected a number above 0"),
        ({"density": float("nan")}, "density is nan, expected a number above 0"),
        ({"density": 2, "word_counts": [1, 2]}, "2 word counts for 1 sentences"),
        ({"density": 2, "word_counts": [-1]}, "a word count is below 0"),
    ],
)
def test_senseless_options_are_refused(small, options, message):
    with pytest.raises(OptionError) as caught:
        PhraseDecoder(small).decode(["a"], want=Graphs(**options))
    assert str(caught.value).startswith(message)
    if options.keys() == {"density"}:
        with pytest.raises(OptionError) as caught:
            PhraseDecoder(small).decode(["a"], want=KBest(1, graph_density=options["density"]))
        assert str(caught.value) == message


def test_weights_of_unknown_features_are_refused(small):
    with pytest.raises(OptionError, match="weight for 'nonsense', which is no feature of the mod"):
        PhraseDecoder(small).decode(["a"], Weights({"nonsense": 1.0}), want=Graphs())
