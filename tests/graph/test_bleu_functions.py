"""The functions for people: hope, fear, oracle and envelope by name."""

import pytest

from reference.graph_pools import random_graphs
from reference.graphs import derivations
from tunesmith.base.errors import OptionError
from tunesmith.graph import best, envelope, oracle, with_bleu
from tunesmith.metrics import Bleu, parse_metric

METRIC = Bleu(order=2, tokenize="none")
WEIGHTS = {"f0": 1.0, "f1": -0.5, "f2": 0.2}


def test_hope_is_above_fear_and_the_oracle_above_all():
    pool, _, references = random_graphs(1, sentences=6)

    def score(found):
        return METRIC.corpus_score(found.best_texts(), references)

    hope = with_bleu(pool, WEIGHTS, METRIC, references, factor=3.0)
    fear = with_bleu(pool, WEIGHTS, METRIC, references, factor=-3.0)
    model = with_bleu(pool, WEIGHTS, METRIC, references, factor=0.0)
    assert model.best_texts() == best(pool, WEIGHTS).best_texts()
    assert model.scores == pytest.approx(best(pool, WEIGHTS).scores)
    assert score(fear) < score(model) < score(hope) < score(oracle(pool, METRIC, references))


def test_an_envelope_has_the_winner_of_every_place():
    pool, built, _ = random_graphs(2, sentences=2)
    direction = {"f0": -0.3, "f1": 1.0, "f2": 0.7}
    found = envelope(pool, 1, WEIGHTS, direction)
    texts = list(found.derivations.texts)
    assert len(found.crossings) == len(texts) - 1 == len(found.slopes) - 1 > 0
    places = [found.crossings[0] - 1]
    places += [(a + b) / 2 for a, b in zip(found.crossings, found.crossings[1:], strict=False)]
    places += [found.crossings[-1] + 1]
    for place, text in zip(places, texts, strict=True):
        there = {name: WEIGHTS[name] + place * direction[name] for name in WEIGHTS}
        winner = max(derivations(built[1]), key=lambda one: one.score(there))
        assert " ".join(winner.words) == text


def test_what_cannot_be_followed_along_edges_is_refused():
    pool, _, references = random_graphs(1, sentences=3)
    for metric, name in ((parse_metric("ter"), "ter"), (Bleu(), "bleu with '13a'")):
        with pytest.raises(OptionError, match=f"takes BLEU with the tokeniser 'none', not {name}"):
            oracle(pool, metric, references)
    with pytest.raises(OptionError, match="graphs of 3 sentences, references of 2"):
        oracle(pool, METRIC, [references[0][:2]])
