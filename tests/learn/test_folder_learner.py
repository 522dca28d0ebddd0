"""Learning from the shards of a folder, where every sentence has rules of its own."""

import json
import shutil

import numpy as np
import pytest

from reference.shard_engines import ENGINES
from reference.tiny_models import random_links, random_model
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import KBest, open_decoder
from tunesmith.features import GrammarTemplates, RuleId, RuleShape
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.weights import write_weights
from tunesmith.grammar import HieroOptions
from tunesmith.learn import Maxforce
from tunesmith.learn.shards import Sharding, Shards
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE

PAIRS = 23
OPTIONS = {
    "method": "ranking", "epochs": 3, "patience": 0, "batch": 2, "rate": 0.05, "list_size": 10,
    "keep": 30,
}  # fmt: skip


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    """A model with an index of some pairs, and the folder with their text."""
    folder = tmp_path_factory.mktemp("task")
    sources, targets, lists = random_links(np.random.default_rng(3), PAIRS)
    text, links = Bitext.from_lines(sources, targets), Links.from_lists(lists)
    text.save(folder / "text.bin")
    with new_model(folder / "dense") as temporary:
        HieroOptions(engine=1).run(text, links, temporary / "grammar.bin")
        NgramLM.fit(targets, order=2).save(temporary / "lm.bin")
        write_description(temporary, grammar="grammar.bin", language_models=["lm.bin"])
        write_weights(temporary / WEIGHTS_FILE, TranslationModel.load(temporary).initial_weights())
    dense = TranslationModel.load(folder / "dense")
    templates = GrammarTemplates([RuleId(), RuleShape()])
    return dense.with_templates(templates, dense.weights, folder / "model"), text, folder


def cut(task, out, **options):
    _, _, folder = task
    index = folder / "dense" / "grammar.bin"
    return Sharding(**{"size": 5, "engine": 1, **options}).run(folder / "text.bin", index, out)


def dev_of(text):
    return list(text.source.lines(0, 6)), [list(text.target.lines(0, 6))]


def fitted(task, shards, folder=None, **options):
    model, text, _ = task
    learner = Maxforce(**{**OPTIONS, **options})
    start = Weights(model.weights)
    return learner.fit_shards(open_decoder(model), shards, dev_of(text), start, folder=folder)


def sparse_of(result, model):
    return {name for name in result.weights if name not in model.feature_names}


@pytest.mark.parametrize("method", ["ranking", "expected"])
def test_the_same_as_shards_of_its_own_where_nothing_is_left_out(task, tmp_path, method):
    """A sentence's grammar and the index of all pairs have the same rules for it."""
    model, text, _ = task
    options = {**OPTIONS, "method": method, "engine": 1}
    own = Maxforce(**options, folds=0, shard_size=5).fit_decoder(
        open_decoder(model), text, dev_of(text), Weights(model.weights)
    )
    found = fitted(task, cut(task, tmp_path / "out", leave_out=False), method=method, engine=1)
    assert dict(found.weights) == dict(own.weights)
    assert len(sparse_of(found, model)) > 10
    assert [epoch.pairs for epoch in found.epochs] == [PAIRS] * 3


@pytest.mark.parametrize("method", ["ranking", "expected"])
def test_the_same_on_any_engine(task, tmp_path, method):
    shards = cut(task, tmp_path / "out")
    found = [fitted(task, shards, method=method, engine=one) for one in (1, 2, *ENGINES[1:3])]
    assert all(dict(one.weights) == dict(found[0].weights) for one in found)
    whole = fitted(task, cut(task, tmp_path / "all", leave_out=False), method=method, engine=1)
    assert dict(whole.weights) != dict(found[0].weights)


def test_rules_of_the_pair_alone_are_never_learned(task, tmp_path):
    """What a shard's lists show comes from its grammars."""
    model, _, _ = task
    shards = cut(task, tmp_path / "out")
    shown = set()
    for shard in shards:
        found = shard.open()
        decoder = open_decoder(model).with_grammars(found.grammars)
        assert decoder.names == model.feature_names
        assert decoder.takes_live_weights
        assert decoder.gives_graphs
        shown.update(decoder.decode(found.sources, want=KBest(50)).used_sparse()[1])
    learned = sparse_of(fitted(task, shards, epochs=1, keep=1000), model)
    assert learned
    assert learned <= shown


@pytest.mark.parametrize("fault", ["missing", "changed"])
def test_a_shard_that_is_not_as_it_was_is_named_and_no_weights_are_lost(task, tmp_path, fault):
    shards = cut(task, tmp_path / "out")
    whole = fitted(task, shards, epochs=3)
    fitted(task, shards, tmp_path / "state", epochs=2)
    path = tmp_path / "out" / "0003" / "target.txt"
    before = path.read_bytes()
    path.unlink() if fault == "missing" else path.write_bytes(before + b"more\n")
    with pytest.raises(InputError) as caught:
        fitted(task, shards, tmp_path / "state", epochs=3)
    said = {"missing": "missing, expected shard 0003 whole", "changed": "changed since the manif"}
    assert str(caught.value).startswith(f"{path}: {said[fault]}")
    path.write_bytes(before)
    assert dict(fitted(task, shards, tmp_path / "state", epochs=3).weights) == dict(whole.weights)


def test_a_run_does_not_go_on_with_other_shards(task, tmp_path):
    fitted(task, cut(task, tmp_path / "out"), tmp_path / "state", epochs=1)
    with pytest.raises(OptionError, match="shards"):
        fitted(task, cut(task, tmp_path / "other", leave_out=False), tmp_path / "state", epochs=2)


def test_a_phrase_decoder_takes_no_grammars(task, tmp_path):
    _, text, _ = task
    phrases, _, _ = random_model(5, tmp_path / "phrases")
    with pytest.raises(OptionError, match="grammars of their own, expected a hierarchical model"):
        Maxforce(**OPTIONS).fit_shards(
            open_decoder(phrases), cut(task, tmp_path / "out"), dev_of(text), phrases.weights
        )


def test_shards_of_another_text_or_index_are_refused(task, tmp_path):
    _, _, folder = task
    text, index = folder / "text.bin", folder / "dense" / "grammar.bin"
    shards = cut(task, tmp_path / "out")
    shards.check_origin(text, index)
    manifest = tmp_path / "out" / "manifest.json"
    for name, path in (("text", text), ("index", index)):
        record = json.loads(manifest.read_text())
        shutil.copytree(tmp_path / "out", tmp_path / name)
        (tmp_path / name / "manifest.json").write_text(json.dumps({**record, name: "0"}))
        with pytest.raises(InputError) as caught:
            Shards(tmp_path / name).check_origin(text, index)
        assert str(caught.value) == (
            f"{tmp_path}/{name}/manifest.json: shards of another {name}, expected those of {path}; "
            "`tunesmith shard --work` cuts them"
        )
