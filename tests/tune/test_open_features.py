"""Tuners on a decoder that does not know its sparse features beforehand: a hierarchical model."""

import numpy as np
import pytest

from reference.tiny_grammars import SOURCE, TARGET, hiero_model, random_rule
from tunesmith.base.weights import Weights
from tunesmith.decode import KBest, open_decoder
from tunesmith.features import GrammarTemplates, RuleId, RuleShape, SourceNgrams
from tunesmith.metrics import Bleu
from tunesmith.tune import GRAPH_TUNERS, TUNERS, make_tuner, tuner_class
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.sources import DecoderSource

TEMPLATES = GrammarTemplates([RuleId(), SourceNgrams(), RuleShape()])
SPARSE = [name for name in (*TUNERS, *GRAPH_TUNERS) if not tuner_class(name).dense_only]
METRIC = Bleu(tokenize="none")


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    """A model, sentences, and references that certain rules would make."""
    folder = tmp_path_factory.mktemp("m")
    chance = np.random.default_rng(4)
    rules = [random_rule(chance, "X", ("X",)) for _ in range(40)]
    dense = hiero_model(folder / "dense", rules, chance, search={"pop_limit": 30})
    model = dense.with_templates(TEMPLATES, dense.weights, folder / "model")
    sentences = [" ".join(chance.choice(list(SOURCE), 5)) for _ in range(12)]
    decoder = open_decoder(model, engine=1)
    output = decoder.decode(sentences, want=KBest(30))
    wanted = sorted({n for n in output.used_sparse()[1] if n.startswith("rule_id")})[::3]
    liked = Weights({**model.weights, **dict.fromkeys(wanted, 3.0)})
    references = decoder.decode(sentences, liked).best()
    return model, sentences, [[text or TARGET[0] for text in references]]


def loop_of(case, name):
    model, sentences, references = case
    source = DecoderSource(open_decoder(model, engine=1), sentences)
    tuner = make_tuner(name, in_loop=True, engine=1)
    return TuningLoop(source, tuner, METRIC, references, iterations=3, size=20)


@pytest.mark.parametrize("name", SPARSE)
def test_tuners_learn_features_that_were_not_known(case, name, tmp_path):
    model, *_ = case
    result = loop_of(case, name).run(model.weights, tmp_path)
    assert result.score >= result.iterations[0].score
    assert all(map(model.is_feature, result.weights))
    tuned = [turn.weights for turn in result.iterations]
    met = {n: v for one in tuned for n, v in one.items() if n.startswith("rule_id:")}
    assert met
    if name not in ("random", "risk"):  # which find nothing better on so little text
        assert any(met.values())


@pytest.mark.parametrize("name", ["kb-mira", "lb-mira", "mira"])
def test_a_loop_goes_on_where_it_was(case, name, tmp_path):
    model, *_ = case
    whole = loop_of(case, name).run(model.weights, tmp_path / "whole")

    class KilledError(Exception):
        pass

    def kill(number, iteration):
        if number == 2:
            raise KilledError

    with pytest.raises(KilledError):
        loop_of(case, name).run(model.weights, tmp_path / "killed", report=kill)
    again = loop_of(case, name).run(model.weights, tmp_path / "killed")
    assert again.weights == whole.weights
    assert [(one.score, one.weights) for one in again.iterations] == [
        (one.score, one.weights) for one in whole.iterations
    ]
