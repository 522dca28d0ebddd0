"""`train --model hiero --learner maxforce` on a small phrasebook."""

import json
import shutil
from dataclasses import replace

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.cli.main import main
from tunesmith.corpus import Bitext, phrasebook
from tunesmith.decode import open_decoder
from tunesmith.features import LexicalFeatures
from tunesmith.grammar import HieroIndex, ScfgGrammar
from tunesmith.learn import Maxforce
from tunesmith.learn.folds import fold_numbers
from tunesmith.model import TranslationModel
from tunesmith.train import TrainOptions
from tunesmith.train.learning import LearnOptions
from tunesmith.train.stages import STAGES

FOLDS = 2


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=6, dev=40, test=40, train=400)
    return folder


def train(corpus, out, *more):
    return main([
        "train", "--model", "hiero", "--src", f"{corpus}/train.de", "--tgt", f"{corpus}/train.en",
        "--dev-src", f"{corpus}/dev.de", "--dev-ref", f"{corpus}/dev.en", "--features", "dense",
        "--source-language", "de", "--iterations", "2", "--size", "20", "--order", "3",
        "--learner", "maxforce", "--maxforce-epochs", "2", "--clusters", "20", "--retune", "3",
        "--epoch-tuning", "3", "--maxforce-folds", str(FOLDS), "--maxforce-beam", "10",
        "--lexical-levels", "word", "--lexical-max-atoms", "1", "--hiero-samples", "0",
        "--out", str(out), *more,
    ])  # fmt: skip


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("trained") / "model"
    assert train(corpus, out, "--threads", "1") == 0
    return out


def test_what_is_learned_is_part_of_the_model(trained, corpus, capsys):
    model = TranslationModel.load(trained)
    assert model.grammar_templates.names == ("rule_id", "shape", "edges")
    sparse = set(model.weights) - set(model.feature_names)
    assert {name.partition(":")[0] for name in sparse} == {"rule_id", "shape", "edges"}
    assert len(sparse) > 500
    work = trained.with_name("model.work")
    learned, tuned, final = (
        json.loads((work / stage / "result.json").read_text())
        for stage in ("learn", "tune", "retune")
    )
    # The same search, from the tuned weights: nothing learned yet, nothing changed, but that a tie
    # (in 40 sentences) may be decided otherwise in a list of one.
    assert learned["start_score"] == pytest.approx(tuned["score"], abs=1.0)
    assert len(learned["epochs"]) == 2
    for epoch in learned["epochs"]:
        assert 0 < epoch["updates"] <= epoch["pairs"]
    assert final["score"] >= learned["score"] - 1e-6
    assert main(["translate", str(trained), "--input", f"{corpus}/test.de", "--explain"]) == 0
    assert "shape:" in capsys.readouterr().err


def test_folds_have_the_rules_of_the_other_pairs_and_language_models_of_their_text(trained):
    work = trained.with_name("model.work")
    bitext = Bitext.load(work / "corpus" / "bitext.bin")
    numbers = fold_numbers(bitext, FOLDS)
    own = list(bitext.source.lines())
    whole = HieroIndex(trained / "grammar.bin")
    for fold in range(FOLDS):
        model = TranslationModel.load(work / "folds" / f"fold-{fold}")
        assert isinstance(model.grammar, ScfgGrammar)
        lines = [line for line, number in zip(own, numbers, strict=True) if number == fold]
        # The same rules as those of the whole index without the fold; scores may differ, as word
        # probabilities and discounts are those of the other pairs too.
        wanted = whole.text_rules(lines, leave_out=numbers == fold, engine=1).grammar()
        sides = [
            {tuple(map(str.strip, line.split("|||")[1:3])) for line in grammar.lines()}
            for grammar in (model.grammar, wanted)
        ]
        assert sides[0] == sides[1]
        assert [lm.order for lm in model.language_models] == [3]
        assert open_decoder(model, engine=1).decode(lines[:2]).best()


def test_killed_and_run_again_with_other_threads(trained, corpus, tmp_path, monkeypatch):
    from tunesmith.learn.list_learner import ListLearner

    calls, original = [], ListLearner.one_pass

    def interrupted(learner, number):
        calls.append(number)
        if calls == [1, 2]:
            raise KeyboardInterrupt
        return original(learner, number)

    monkeypatch.setattr(ListLearner, "one_pass", interrupted)
    out = tmp_path / "model"
    assert train(corpus, out, "--threads", "2") == 130
    assert not out.exists()
    assert train(corpus, out, "--threads", "2") == 0
    assert calls == [1, 2, 2]
    for name in ("weights.tsv", "features.json", "edges.bin", "model.toml"):
        assert (out / name).read_bytes() == (trained / name).read_bytes()


@pytest.mark.parametrize(
    "how",
    [
        ["--maxforce-hypotheses", "graphs"],
        ["--maxforce-method", "local"],
        ["--maxforce-method", "ranking", "--maxforce-shard-size", "100"],
    ],
)
def test_it_learns_in_other_ways(trained, corpus, tmp_path, capsys, how):
    out = tmp_path / "model"
    more = ("--work", f"{trained}.work", "--no-lexical-edges", "--maxforce-epochs", "1")
    assert train(corpus, out, "--retune", "0", *more, *how) == 0
    assert "folds: kept from an earlier run" in capsys.readouterr().err
    model = TranslationModel.load(out)
    assert model.grammar_templates.names == ("rule_id", "shape")
    assert any(name.startswith("rule_id:") for name in model.weights)


def test_it_has_stages_of_its_own():
    options = TrainOptions(model="hiero", learn=LearnOptions(learner="maxforce"))
    names = [kind.name for kind in STAGES if kind.is_part_of(options)]
    assert names == [
        "corpus", "align", "lm", "lm2", "grammar", "tune", "folds", "learn", "retune",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("maxforce", "lexical", "message"),
    [
        ({"method": "max-violation"}, {}, "max-violation looks into the stacks of phrase-based"),
        ({"method": "early"}, {}, "early looks into the stacks of phrase-based search"),
        ({"method": "standard"}, {}, "standard looks into the stacks of phrase-based search"),
        ({"step": "passive-aggressive"}, {}, "step is passive-aggressive, expected perceptron"),
        ({"folds": 0}, {}, "model 'hiero' with folds 0, expected at least 2"),
        ({}, {"history": True}, "these are for phrase models alone"),
        ({}, {"bits": 9}, "these are for phrase models alone"),
        ({}, {"rule_ids": False, "edges": False, "shapes": False}, "nothing to learn"),
    ],
)
def test_what_it_cannot_learn_is_refused_before_the_work(maxforce, lexical, message):
    options = TrainOptions(
        model="hiero",
        learn=LearnOptions(learner="maxforce"),
        maxforce=replace(Maxforce(), **maxforce),
        lexical=replace(LexicalFeatures(), **lexical),
    )
    with pytest.raises(OptionError, match=message):
        options.check()


def test_source_bigrams_are_refused_for_phrases():
    learn, lexical = LearnOptions(learner="maxforce"), LexicalFeatures(source_bigrams=True)
    with pytest.raises(OptionError, match="source_bigrams, expected --model hiero"):
        TrainOptions(learn=learn, lexical=lexical).check()
    TrainOptions(lexical=lexical).check()  # nothing is learned


SHARDED = (
    "--no-lexical-edges",
    "--lexical-source-bigrams",
    "--no-lexical-shapes",
    "--maxforce-epochs",
    "1",
    "--maxforce-method",
    "ranking",
)


@pytest.fixture(scope="module")
def shards(trained, tmp_path_factory):
    out = tmp_path_factory.mktemp("shards") / "shards"
    assert main(["shard", "--work", f"{trained}.work", "--out", str(out), "--size", "100"]) == 0
    return out


def test_it_learns_from_shards_that_were_cut_before(trained, shards, corpus, tmp_path, capsys):
    out = tmp_path / "model"
    more = ("--work", f"{trained}.work", "--shards", str(shards), "--retune", "0", *SHARDED)
    assert train(corpus, out, *more) == 0
    said = capsys.readouterr().err
    assert "tune: kept from an earlier run" in said
    assert "folds" not in said
    model = TranslationModel.load(out)
    assert model.grammar_templates.names == ("rule_id", "src_ngram")
    sparse = set(model.weights) - set(model.feature_names)
    assert {name.partition(":")[0] for name in sparse} == {"rule_id", "src_ngram"}
    learned = json.loads((trained.with_name("model.work") / "learn" / "result.json").read_text())
    assert [epoch["pairs"] for epoch in learned["epochs"]] == [400]


def test_shards_that_are_not_as_they_were_or_of_another_corpus(
    trained, shards, corpus, tmp_path, capsys
):
    broken, other = tmp_path / "broken", tmp_path / "other"
    for copy in (broken, other):
        shutil.copytree(shards, copy)
    (broken / "0002" / "grammars.bin").unlink()
    manifest = json.loads((other / "manifest.json").read_text())
    (other / "manifest.json").write_text(json.dumps({**manifest, "text": "0"}))
    messages = {
        broken: f"{broken}/0002/grammars.bin: missing, expected shard 0002 whole",
        other: f"{other}/manifest.json: shards of another text, expected those of ",
        tmp_path: f"{tmp_path}/manifest.json: No such file or directory",
    }
    for folder, message in messages.items():
        more = ("--work", f"{trained}.work", "--shards", str(folder), "--quiet", *SHARDED)
        assert train(corpus, tmp_path / "model", *more) == 2
        assert capsys.readouterr().err.startswith(f"tunesmith train: {message}")
        assert not (tmp_path / "model").exists()


def test_shards_are_for_hierarchical_models_that_learn():
    for options in ({"model": "hiero"}, {"learn": LearnOptions(learner="maxforce", shards="a")}):
        given = {"learn": LearnOptions(shards="a"), **options}
        with pytest.raises(OptionError, match="expected --model hiero with a learner"):
            TrainOptions(**given).check()
    learns = LearnOptions(learner="maxforce", shards="a")
    options = TrainOptions(model="hiero", learn=learns, maxforce=Maxforce(folds=0))
    options.check()
    assert "folds" not in [kind.name for kind in STAGES if kind.is_part_of(options)]
