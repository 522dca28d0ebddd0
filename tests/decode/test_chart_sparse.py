"""Sparse features of hierarchical rules in chart search, against the enumeration of derivations."""

from dataclasses import replace

import numpy as np
import pytest

from reference import scfg_features as twin
from reference.chart import Enumeration
from reference.shard_engines import ENGINES
from reference.tiny_grammars import SOURCE, hiero_model, random_rule
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import ARRAYS
from tunesmith.base.weights import Weights
from tunesmith.decode import open_decoder
from tunesmith.decode.want import Graphs, KBest
from tunesmith.features import (
    GrammarTemplates,
    PairNgrams,
    RuleId,
    RuleShape,
    SourceNgrams,
    TargetNgrams,
    UserTemplate,
)
from tunesmith.graph import kbest

EXACT = {"pop_limit": 10**9, "table_limit": 0}
ALL = KBest(100_000, distinct=False)
TEMPLATES = GrammarTemplates(
    [RuleId(), SourceNgrams(), TargetNgrams((1, 3)), PairNgrams((1, 2)), RuleShape()]
)


def linked(rule, chance):
    """The rule with links between some of its words."""
    pairs = [
        (s, t)
        for s, one in enumerate(rule.source)
        for t, other in enumerate(rule.target)
        if isinstance(one, str) and isinstance(other, str) and chance.random() < 0.6
    ]
    return replace(rule, links=tuple(pairs))


def case(folder, seed, *, count=20, labels=("X",), templates=TEMPLATES, **search):
    """A model whose rules have sparse features, most of them with weights."""
    chance = np.random.default_rng(seed)
    rules = [random_rule(chance, str(chance.choice(labels)), labels) for _ in range(count)]
    rules = [linked(rule, chance) for rule in rules]
    dense = hiero_model(folder / "dense", rules, chance, lms=1, search=search)
    names = sorted({n for rule in rules for n in twin.of_rule(rule) if templates.makes(n)})
    sparse = {name: float(chance.normal()) for name in names if chance.random() < 0.7}
    weights = Weights({**dense.weights, **sparse})
    return dense.with_templates(templates, weights, folder / "sparse"), rules, chance


def rows_by_name(output):
    """Of every translation its features by name."""
    (offsets, ids, values), names = output.used_sparse()
    for row, dense in enumerate(output.features.tolist()):
        found = dict(zip(output.names, dense, strict=True))
        for i in range(offsets[row], offsets[row + 1]):
            found[names[ids[i]]] = float(values[i])
        yield {name: value for name, value in found.items() if value}


@pytest.mark.parametrize("seed", range(15))
def test_exact_search_counts_the_features_of_all_rules(tmp_path, seed):
    labels = ("X",) if seed % 3 else ("X", "Y")
    model, rules, chance = case(tmp_path, seed, labels=labels, span_limit=3, **EXACT)
    words = [str(word) for word in chance.choice(list(SOURCE), chance.integers(2, 5))]
    every = Enumeration(rules, words, span_limit=3, sparse=twin.of_rule)
    expected = every.derivations(model.language_models)
    output = open_decoder(model).decode([" ".join(words)], want=ALL)

    def score(features):
        return sum(model.weights.get(name, 0.0) * value for name, value in features.items())

    def in_order(rows):
        return sorted(rows, key=lambda row: (row[0], score(row[1])))

    found = list(zip(output.texts, rows_by_name(output), strict=True))
    assert len(found) == len(expected)
    for (text, features), (expected_text, values) in zip(
        in_order(found), in_order(expected), strict=True
    ):
        assert text == expected_text
        assert features == pytest.approx({n: v for n, v in values.items() if v}, abs=2e-4)
    np.testing.assert_allclose(
        output.scores, sorted((score(f) for _, f in expected), reverse=True), atol=1e-3
    )


def longer(folder, **search):
    model, _, chance = case(folder, 3, count=60, **search)
    texts = [" ".join(chance.choice([*SOURCE, "e"], chance.integers(0, 12))) for _ in range(12)]
    return model, texts


def test_scores_are_weights_times_features(tmp_path):
    model, sentences = longer(tmp_path, pop_limit=30)
    output = open_decoder(model).decode(sentences, want=KBest(20))
    for score, features in zip(output.scores, rows_by_name(output), strict=True):
        assert score == pytest.approx(
            sum(model.weights.get(n, 0.0) * v for n, v in features.items()), abs=1e-6
        )
    derivation = output.derivation(0)
    assert derivation.features.items() >= next(rows_by_name(output)).items()


def test_search_follows_sparse_weights(tmp_path):
    model, sentences = longer(tmp_path, pop_limit=30)
    decoder = open_decoder(model)
    output = decoder.decode(sentences, want=KBest(100))
    first, *_, last = (set(one.features) for one in output.derivations(3))
    name = next(name for name in sorted(last - first) if name.startswith("rule_id:"))
    found = decoder.decode(sentences, Weights({**model.weights, name: 1000.0}))
    assert name in found.derivation(3).features
    assert found.scores[3] > output.scores[output.offsets[3]] + 900


def test_graphs_hold_what_lists_do(tmp_path):
    model, sentences = longer(tmp_path, pop_limit=30)
    decoder = open_decoder(model)
    pool = decoder.decode(sentences, want=Graphs())
    lists = decoder.decode(sentences, want=KBest(10))
    from_graphs = kbest(pool, model.weights, 10)
    assert list(from_graphs.texts) == lists.texts
    np.testing.assert_allclose(from_graphs.scores, lists.scores, atol=1e-6)
    assert set(lists.used_sparse()[1]) <= set(pool.sparse_names)
    assert all(any(map(TEMPLATES.makes, [name])) for name in pool.sparse_names)
    both = decoder.decode(sentences, want=KBest(10, graph_density=3)).graphs
    alone = decoder.decode(sentences, want=Graphs(3))
    assert both.names == alone.names
    assert len(alone.names) < len(pool.names)


@pytest.mark.parametrize("engine", ENGINES)
def test_threads_and_shards_give_the_same(tmp_path, engine):
    model, sentences = longer(tmp_path, pop_limit=30)
    for want in (KBest(10, graph_density=5.0), Graphs(4.0)):
        one = open_decoder(model, engine=1).decode(sentences, want=want)
        other = open_decoder(model, engine=engine).decode(sentences, want=want)
        if isinstance(want, KBest):
            assert one.texts == other.texts
            assert one.scores.tobytes() == other.scores.tobytes()
            assert one.used_sparse()[1] == other.used_sparse()[1]
            for array, its_twin in zip(one.sparse, other.sparse, strict=True):
                assert array.tobytes() == its_twin.tobytes()
            one, other = one.graphs, other.graphs
        assert one.names == other.names
        for name in ARRAYS:
            assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def test_a_translation_does_not_depend_on_what_is_translated_with_it(tmp_path):
    model, sentences = longer(tmp_path, pop_limit=30)
    decoder = open_decoder(model)
    together = decoder.decode(sentences)
    for number, sentence in enumerate(sentences):
        alone = decoder.decode([sentence])
        assert alone.scores[0] == together.scores[number]


def ends(source, target, links, counts):
    """A user's template with values that are not 1, and below 0."""
    return {f"{source[-1]}{target[0]}": 0.5, "long": 1.5 - len(target), "linked": len(links)}


def test_templates_of_users(tmp_path):
    users = UserTemplate(ends, "ends", __file__)
    templates = GrammarTemplates([RuleShape(), users])
    model, rules, chance = case(tmp_path, 5, span_limit=3, templates=templates, **EXACT)
    # The model has the file and runs it.
    assert (model.folder / "test_chart_sparse.py").exists()
    weights = Weights({**model.weights, "ends:long": -0.3, "ends:linked": 0.2})

    def sparse(rule):
        given = [
            tuple(s if isinstance(s, str) else f"[X,{s[1] + 1}]" for s in side)
            for side in (rule.source, rule.target)
        ]
        named = {f"ends:{n}": v for n, v in ends(*given, rule.links, None).items()}
        return {**twin.shape(rule), **named}

    words = [str(word) for word in chance.choice(list(SOURCE), 4)]
    expected = Enumeration(rules, words, span_limit=3, sparse=sparse).derivations(
        model.language_models
    )
    output = open_decoder(model).decode([" ".join(words)], weights, ALL)
    scores = [sum(weights.get(n, 0.0) * v for n, v in f.items()) for _, f in expected]
    np.testing.assert_allclose(output.scores, sorted(scores, reverse=True), atol=1e-3)


def test_weights_of_other_features_are_refused(tmp_path):
    model, sentences = longer(tmp_path)
    decoder = open_decoder(model)
    with pytest.raises(OptionError, match="weight for 'word_pair:a_b', which is no feature"):
        decoder.decode(sentences, Weights({**model.weights, "word_pair:a_b": 1.0}))
    assert decoder.all_names is None
    # One that no rule has is as good as none.
    more = Weights({**model.weights, "rule_id:nie|never": 5.0})
    assert decoder.decode(sentences, more).texts == decoder.decode(sentences).texts
