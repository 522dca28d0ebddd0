"""Mini-batches over shards: the same weights however many there are."""

import pickle
from dataclasses import asdict

import numpy as np
import pytest

from reference.shard_engines import ENGINES, ShardEngine
from reference.tiny_learners import learner_of, lexical_model, some_pairs
from reference.tiny_models import SOURCE, TARGET, extracted_model, random_model, some_links
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import open_decoder
from tunesmith.formats.pharaoh import Links
from tunesmith.learn import Maxforce

PLAIN = {"folds": 0, "leave_out": "none", "min_prefix": 0, "epochs": 2, "batch": 8, "beam": 20}
METHODS = [
    {"method": "max-violation", "rate": 0.05, "dense": "all", "dense_weights": "learned"},
    {"method": "max-violation", "rate": 0.05, "step": "passive-aggressive", "combine": "sum"},
    {"method": "expected", "background": 3.0},
    {"method": "max-violation", "rate": 0.05, "folds": 2, "prefixes": "all", "min_prefix": 1},
]


def what_is_learned(result):
    epochs = [{**asdict(epoch), "seconds": 0.0} for epoch in result.epochs]
    keys, values = result.lexical.entries()
    return dict(result.weights), epochs, result.start_score, keys.tobytes(), values.tobytes()


def all_equal(found):
    return all(one == found[0] for one in found)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    model, _, chance = random_model(7, folder / "m")
    other, *_ = random_model(8, folder / "f")
    sources, targets = zip(*some_pairs(model, chance, 18), strict=True)
    return model, other, lexical_model(chance), Bitext.from_lines(sources, targets), sources[:4]


def fit(models, engine, **options):
    model, other, lexical, pairs, dev = models
    folds = [other, model][: options.get("folds", 0)]
    learner = Maxforce(**{**PLAIN, **options}, engine=engine)
    return learner.fit(model, lexical, pairs, (dev, [dev]), folds=folds)


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_the_same_weights(options, models):
    found = [what_is_learned(fit(models, engine, **options)) for engine in ENGINES[:-1]]
    assert all_equal(found)
    assert len(found[0][3]) > 0


def test_the_same_weights_by_processes(models):
    options = {**METHODS[0], "epochs": 1, "batch": 18}
    found = [fit(models, engine, **options) for engine in (ENGINES[0], ENGINES[-1])]
    assert all_equal([what_is_learned(result) for result in found])


def test_links_go_with_their_pairs(tmp_path):
    chance = np.random.default_rng(8)
    texts = [
        [" ".join(chance.choice(list(words), chance.integers(2, 6))) for _ in range(20)]
        for words in (SOURCE, TARGET)
    ]
    links = Links.from_lists(some_links(chance, *texts))
    model = extracted_model(tmp_path / "m", *texts, links)
    learner = {**PLAIN, **METHODS[0], "leave_out": "own", "min_prefix": 1, "epochs": 1}
    found = [
        Maxforce(**learner, engine=engine).fit(
            model, lexical_model(chance := np.random.default_rng(1)), Bitext.from_lines(*texts),
            (texts[0][:2], [texts[1][:2]]), links=links,
        )
        for engine in (1, ShardEngine(3))
    ]  # fmt: skip
    assert all_equal([what_is_learned(result) for result in found])


def test_lists_of_a_decoder(models):
    model, _, _, pairs, dev = models
    found = []
    for engine in ENGINES[:-1]:
        decoder = open_decoder(model, engine=engine)
        result = Maxforce(**{**PLAIN, "method": "expected", "dense": "all",
                             "dense_weights": "learned"}, engine=engine).fit_decoder(
            decoder, pairs, (dev, [dev]), Weights(model.weights)
        )  # fmt: skip
        found.append((dict(result.weights), [epoch.dev_score for epoch in result.epochs]))
    assert all_equal(found)
    assert found[0][0] != dict(model.weights)


def test_updates_of_another_model_are_refused(models):
    model, _, lexical, _, _ = models
    pair = [("a b", "w x")]
    learner = learner_of(model, lexical.copy(), pair, method="EXPECTED", beam=20)
    updates = pickle.loads(pickle.dumps(learner.updates(np.zeros(1, np.uint32), 1)))
    states, *rest = updates.__getstate__()
    short = [(*state[:6], [0.0]) for state in states]
    updates = type(updates).__new__(type(updates))
    updates.__setstate__((short, *rest))
    with pytest.raises(OptionError, match="an update of another number of dense features"):
        learner.add([updates], 1)
