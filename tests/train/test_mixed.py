"""Several corpora and monolingual text: what becomes of them, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tunesmith.base.errors import InputError, OptionError
from tunesmith.cli.main import main
from tunesmith.corpus import Bitext, phrasebook
from tunesmith.formats.text import read_lines
from tunesmith.learn import Maxforce
from tunesmith.learn.folds import fold_numbers
from tunesmith.lm import NgramLM, interpolate, tune_weights
from tunesmith.model import TranslationModel
from tunesmith.train import Training, TrainOptions
from tunesmith.train.corpora import Corpora
from tunesmith.train.learning import LearnOptions
from tunesmith.train.options import LmOptions, TextOptions, TuneOptions

OPTIONS = TrainOptions(
    text=TextOptions(source_language="de", split_compounds="no"),
    lm=LmOptions(order=2),
    tune=TuneOptions(iterations=1, size=10, pop_limit=20),
    features="dense",
    threads=1,
)
SIZES = (120, 180)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Two corpora of a text, its dev set, and monolingual text, some of it of the dev set."""
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=5, dev=30, test=20, train=sum(SIZES) + 400)
    for side in ("de", "en"):
        lines = read_lines(folder / f"train.{side}")
        write(folder / f"a.{side}", lines[: SIZES[0]])
        write(folder / f"b.{side}", lines[SIZES[0] : sum(SIZES)])
        write(folder / f"mono.{side}", [*lines[sum(SIZES) :], "", *lines[-9:]])
    write(folder / "mono.en", [*read_lines(folder / "mono.en"), *read_lines(folder / "dev.en")[:5]])
    return folder


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def training(corpus, out, options=OPTIONS, names=("a", "b")):
    files = [[corpus / f"{name}.{side}" for name in names] for side in ("de", "en")]
    return Training(*files, corpus / "dev.de", [corpus / "dev.en"], out, options=options)


def with_mono(corpus, **more):
    return replace(OPTIONS, lm=replace(OPTIONS.lm, mono=(str(corpus / "mono.en"),), **more))


def files_of(folder):
    names = sorted(path.name for path in folder.iterdir() if path.name != "run.json")
    return {name: (folder / name).read_bytes() for name in names}


@pytest.fixture(scope="module")
def mixed(corpus, tmp_path_factory):
    """A model of both corpora, and its work folder."""
    out = tmp_path_factory.mktemp("mixed") / "model"
    training(corpus, out).run()
    return out, out.with_name("model.work")


def test_pairs_know_their_corpus_and_phrases_how_likely_they_are_in_each(mixed):
    model = TranslationModel.load(mixed[0])
    pairs = Bitext.load(mixed[1] / "corpus" / "bitext.bin")
    assert pairs.corpora == 2
    assert np.bincount(pairs.origins).tolist() == list(SIZES)
    assert [name for name in model.feature_names if "corpus" in name] == [
        "tm.corpus1",
        "tm.corpus2",
    ]
    start = model.initial_weights()
    assert (start["tm.corpus1"], start["tm.p_e_given_f"]) == (0.0, 1.0)
    assert model.weights["tm.corpus1"] != 0.0


def test_the_language_model_is_mixed_on_the_dev_set(mixed, corpus):
    work = mixed[1]
    pairs = Bitext.load(work / "corpus" / "bitext.bin")
    parts = [pairs.target.lines(0, SIZES[0]), pairs.target.lines(SIZES[0])]
    models = [NgramLM.fit(lines, order=2) for lines in parts]
    dev = read_lines(work / "corpus" / "dev.reference0")
    found = tune_weights(models, dev)
    kept = json.loads((work / "lm" / "mixture.json").read_text())
    assert kept["weights"] == pytest.approx(found.weights)
    own = NgramLM.load(mixed[0] / "lm.bin")
    assert own.scores(dev) == pytest.approx(interpolate(models, found.weights).scores(dev))


def test_rules_of_hierarchical_models_have_features_of_corpora_too(corpus, tmp_path):
    options = replace(OPTIONS, model="hiero")
    report = training(corpus, tmp_path / "m", options).run()
    names = [name for name in report.model.feature_names if "corpus" in name]
    assert names == ["tm.corpus1", "tm.corpus2"]
    assert report.model.initial_weights()["tm.corpus1"] == 0.0
    assert all(report.model.weights[name] != 0.0 for name in names)


def test_the_number_of_threads_changes_no_byte(mixed, corpus, tmp_path):
    training(corpus, tmp_path / "m", replace(OPTIONS, threads=2)).run()
    assert files_of(tmp_path / "m") == files_of(mixed[0])


def test_one_corpus_has_nothing_of_it(corpus, tmp_path):
    training(corpus, tmp_path / "m", names=("a",)).run()
    model = TranslationModel.load(tmp_path / "m")
    assert not [name for name in model.feature_names if "corpus" in name]
    work = tmp_path / "m.work"
    assert not (work / "lm" / "mixture.json").exists()
    assert Bitext.load(work / "corpus" / "bitext.bin").origins is None


def test_monolingual_text_is_chosen_from_and_mixed_in(corpus, tmp_path, caplog):
    caplog.set_level("INFO", logger="tunesmith")
    options = with_mono(corpus, mono_share=0.25)
    training(corpus, tmp_path / "m", options, names=("a",)).run()
    work = tmp_path / "m.work"
    lines = read_lines(corpus / "mono.en")
    # Repeated lines, the empty one and those of the dev set are not there to choose from.
    usable = len(set(lines) - {"", *read_lines(corpus / "dev.en")})
    chosen = read_lines(work / "mono" / "mono.target")
    assert len(chosen) == len(set(chosen)) == round(usable / 4)
    assert sum(message.startswith("mono: 100 of 400 lines") for message in caplog.messages) == 1
    assert NgramLM.load(work / "mono" / "mono.bin").counts == NgramLM.fit(chosen, order=2).counts
    weights = json.loads((work / "lm" / "mixture.json").read_text())["weights"]
    assert len(weights) == 2
    assert weights[1] > 0.1
    words = {word for line in chosen for word in line.split()}
    own = NgramLM.load(tmp_path / "m" / "lm.bin")
    assert all(word in own for word in words)
    # Killed between the stages and run again, nothing is chosen anew.
    caplog.clear()
    training(corpus, tmp_path / "m", options, names=("a",)).run()
    assert "mono: kept from an earlier run" in caplog.messages


def test_the_dev_set_says_how_much_monolingual_text_is_good(corpus, tmp_path, caplog):
    caplog.set_level("INFO", logger="tunesmith")
    run = training(corpus, tmp_path / "m", with_mono(corpus), names=("a", "b"))
    run.run()
    tried = [message for message in caplog.messages if " dev set's perplexity " in message]
    tried = {
        int(one.split()[1].replace(",", "")): float(one.split("perplexity ")[1].split(",")[0])
        for one in tried
        if one.startswith("mono: ")
    }
    assert len(tried) == 5
    chosen = read_lines(tmp_path / "m.work" / "mono" / "mono.target")
    assert tried[len(chosen)] == min(tried.values())
    # What was not chosen does not stay.
    names = {path.name for path in (tmp_path / "m.work" / "mono").glob("[!.]*")}
    assert names >= {"mono.bin", "mono.target"}
    assert not [name for name in names if name.startswith("all")]


def test_folds_have_a_part_of_every_corpus(corpus, tmp_path):
    options = replace(
        with_mono(corpus, mono_share=0.5),
        learn=LearnOptions(learner="maxforce", epoch_tuning=0, retune=0, clusters=4),
        maxforce=Maxforce(folds=2, epochs=1, max_words=6, beam=5, dense_weights="tuned"),
    )
    report = training(corpus, tmp_path / "m", options).run()
    assert "tm.corpus2" in report.model.feature_names
    fold = TranslationModel.load(tmp_path / "m.work" / "folds" / "fold-1")
    assert "tm.corpus2" in fold.feature_names
    pairs = Bitext.load(tmp_path / "m.work" / "corpus" / "bitext.bin")
    numbers = fold_numbers(pairs, 2)
    assert np.bincount(numbers[: SIZES[0]]).tolist() == [SIZES[0] // 2] * 2
    # The fold's language model knows the monolingual text.
    mono = read_lines(tmp_path / "m.work" / "mono" / "mono.target")
    model = fold.language_models[0]
    assert all(word in model for line in mono for word in line.split())


def refused(capsys, *arguments):
    """What the command line says, in one line."""
    assert main(["train", *map(str, arguments)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_bad_files_are_refused_before_the_work(corpus, tmp_path, capsys):
    dev = ["--dev-src", corpus / "dev.de", "--dev-ref", corpus / "dev.en", "--out", tmp_path / "m"]
    one = ["--src", corpus / "a.de", "--tgt", corpus / "a.en"]
    two = ["--src", corpus / "a.de", corpus / "b.de", "--tgt", corpus / "a.en"]
    assert refused(capsys, *two, *dev).endswith(
        "--src has 2 files and --tgt 1, expected as many: the first target belongs to the first "
        "source, and so on"
    )
    empty = tmp_path / "empty"
    empty.write_text("")
    line = refused(capsys, *one[:2], empty, *one[2:], empty, *dev)
    assert line.endswith("empty: no usable sentence pairs, expected parallel text")
    swapped = ["--src", corpus / "a.de", corpus / "b.en", "--tgt", corpus / "a.en", corpus / "b.de"]
    assert "its sides, or those of the training text, are swapped" in refused(
        capsys, *swapped, *dev
    )
    assert refused(capsys, *one, *dev, "--mono", empty).endswith(
        "empty: no words, expected text of the target language"
    )
    assert refused(capsys, *one, *dev, "--mono", tmp_path / "nowhere").endswith(
        "nowhere: cannot be read: No such file or directory"
    )
    russian = tmp_path / "ru"
    write(russian, ["мы завтра едем в пекин на поезде"] * 40)
    assert refused(capsys, *one, *dev, "--mono", russian).endswith(
        "ru: text in another script (cyrillic) than the target of the training text, expected "
        "latin; was another file meant?"
    )
    assert refused(capsys, *one, *dev, "--mono", corpus / "mono.de").endswith(
        "mono.de: text of the source language, expected text of the target language"
    )
    french = tmp_path / "fr"
    write(french, ["nous partirons demain pour la mer avec nos enfants et leur chien"] * 40)
    assert refused(capsys, *one, *dev, "--mono", french).endswith(
        "fr: only 0% of its words are in the target of the training text, expected text of the "
        "same language"
    )
    assert not list(tmp_path.glob("m*"))


def test_a_corpus_that_cleaning_takes_away_is_told(corpus, tmp_path):
    write(tmp_path / "short", ["Guten Morgen"] * 5)
    write(tmp_path / "long", ["good morning " * 200] * 5)
    files = [corpus / "a.de", tmp_path / "short"], [corpus / "a.en", tmp_path / "long"]
    run = Training(*files, corpus / "dev.de", [corpus / "dev.en"], tmp_path / "m", options=OPTIONS)
    with pytest.raises(InputError) as caught:
        run.run()
    assert str(caught.value) == (
        f"{tmp_path}/short: no usable sentence pairs, expected parallel text"
    )


def test_standard_input_is_read_only_once_and_refused():
    for files in ((Path("-"), None), (Path("de"), Path("-"))):
        with pytest.raises(OptionError, match=r"^- as training text, expected files: training"):
            Corpora.of(*files)


def test_more_corpora_than_features_can_tell_apart_are_refused(corpus, tmp_path):
    with pytest.raises(OptionError, match="21 corpora, expected 1 to 20"):
        training(corpus, tmp_path / "m", names=("a",) * 21)


def test_a_dev_set_is_held_out_of_all_of_them(corpus, tmp_path):
    files = [[corpus / f"{name}.{side}" for name in "ab"] for side in ("de", "en")]
    options = replace(OPTIONS, tune=replace(OPTIONS.tune, dev_size=40))
    Training(*files, None, [], tmp_path / "m", options=options).run()
    work = tmp_path / "m.work" / "corpus"
    lines = [int(line) for line in read_lines(work / "dev.lines")]
    first = sum(line <= SIZES[0] for line in lines)
    pairs = Bitext.load(work / "bitext.bin")
    assert 0 < first < 40
    assert np.bincount(pairs.origins).tolist() == [SIZES[0] - first, SIZES[1] - (40 - first)]
    assert pairs.source.lines(0, 1) != pairs.source.lines(len(pairs) - 1)
