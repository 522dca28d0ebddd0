"""Models of folds: made from all pairs but their own, and from nothing else."""

import numpy as np
import pytest

from reference.tiny_models import extracted_model, random_links
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.weights import write_weights
from tunesmith.grammar import PhraseExtraction
from tunesmith.learn import fold_models
from tunesmith.learn.folds import fold_numbers
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel, write_description
from tunesmith.model.files import WEIGHTS_FILE
from tunesmith.reorder import MaxentReordering

FOLDS, PAIRS = 3, 10


def estimate(pairs):
    return NgramLM.fit(pairs.target.lines(), order=2)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("folds")
    sources, targets, lists = random_links(np.random.default_rng(4), PAIRS)
    links = Links.from_lists(lists)
    model = extracted_model(folder / "whole", sources, targets, links)
    bitext = Bitext.from_lines(sources, targets)
    extraction = PhraseExtraction(max_length=3)

    def make():
        return fold_models(
            model, bitext, [links], [estimate], folder, folds=FOLDS, extraction=extraction
        )

    return folder, bitext, links, extraction, make


def test_a_fold_knows_the_other_pairs_alone(made, tmp_path):
    _, bitext, links, extraction, make = made
    numbers = fold_numbers(bitext, FOLDS)
    for fold, model in enumerate(make()):
        others = np.flatnonzero(numbers != fold)
        own = [
            line.split() for line in bitext.source.select(np.flatnonzero(numbers == fold)).lines()
        ]
        text = bitext.select(others)
        table = extraction.run(text, Links.from_lists([links[i] for i in others]), tmp_path / "t")
        phrases = {
            " ".join(words[begin:end])
            for words in own
            for begin in range(len(words))
            for end in range(begin + 1, len(words) + 1)
        }
        assert {rule.source for rule in model.tables[0]} <= phrases
        for phrase in phrases:
            assert model.tables[0].rules(phrase) == table.rules(phrase)
        wanted = estimate(text)
        for line in bitext.target.lines():
            assert model.language_models[0].score(line) == pytest.approx(wanted.score(line))


def test_a_fold_has_a_reordering_model_of_the_other_pairs(tmp_path):
    pairs = 120
    sources, targets, lists = random_links(np.random.default_rng(4), pairs)
    links, bitext = Links.from_lists(lists), Bitext.from_lines(sources, targets)
    model = extracted_model(tmp_path / "whole", sources, targets, links)
    options = MaxentReordering(cutoff=1, variance=0.5, seed=7)
    options.run(bitext, links, model.folder / "maxent.bin")
    write_description(
        model.folder, tables=["phrases.bin"], language_models=["lm.bin"], maxent="maxent.bin"
    )
    whole = TranslationModel.load(model.folder)
    write_weights(model.folder / WEIGHTS_FILE, whole.initial_weights())
    found = fold_models(whole, bitext, [links], [estimate], tmp_path, folds=FOLDS, engine=1)
    numbers = fold_numbers(bitext, FOLDS)
    for fold, one in enumerate(found):
        others = np.flatnonzero(numbers != fold)
        expected = options.run(bitext.select(others), links.select(others), tmp_path / "expected")
        assert one.maxent.path.read_bytes() == expected.path.read_bytes()
        assert one.feature_names == whole.feature_names


def test_folds_that_are_there_are_kept(made, caplog):
    caplog.set_level("INFO", "tunesmith")
    folder, *_, make = made
    make()
    before = {path.name: path.stat().st_ino for path in folder.glob("fold-*")}
    assert sorted(before) == [f"fold-{number}" for number in range(FOLDS)]
    assert sorted(path.name for path in folder.iterdir()) == [*sorted(before), "whole"]
    (folder / "fold-1").rename(folder / "gone")
    caplog.clear()
    make()
    assert "fold 2 of 3: a model of the other pairs" in caplog.messages
    assert sum(message.startswith("fold ") for message in caplog.messages) == 1
    after = {path.name: path.stat().st_ino for path in folder.glob("fold-*")}
    assert {name for name in before if before[name] != after[name]} == {"fold-1"}
