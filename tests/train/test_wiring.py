"""Do the options of training reach what they are for? Seen by what the stages are given."""

from dataclasses import replace

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.corpus import Bitext, phrasebook
from tunesmith.evaluate.training_files import SCORES_FOLDER
from tunesmith.features import FEATURE_SETS
from tunesmith.formats.text import read_lines
from tunesmith.learn import Maxforce
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.train import Training, TrainOptions, pipeline, tuning
from tunesmith.train.learning import LearnOptions
from tunesmith.train.options import LmOptions, TextOptions, TuneOptions
from tunesmith.tune.loop import TuningLoop

TEXT = TextOptions(source_language="de", split_compounds="no")
TUNE = TuneOptions(
    iterations=2, size=7, patience=1, least_gain=0.25, pop_limit=11, options={"C": 0.3}
)
OPTIONS = TrainOptions(
    text=TEXT, lm=LmOptions(order=2), tune=TUNE, features="dense", seed=5, threads=1
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=9, dev=20, test=20, train=200)
    return folder


@pytest.fixture
def loops(monkeypatch):
    """All tuning loops that are begun, and what each was begun with."""
    seen = []

    class Watched(TuningLoop):
        def run(self, start, folder, **options):
            result = super().run(start, folder, **options)
            seen.append((self, dict(start), result))
            return result

    monkeypatch.setattr(tuning, "TuningLoop", Watched)
    return seen


def training(corpus, out, options=OPTIONS, *, test=False):
    more = {"test_source": corpus / "test.de", "test_references": [corpus / "test.en"]}
    return Training(
        corpus / "train.de", corpus / "train.en", corpus / "dev.de", [corpus / "dev.en"], out,
        options=options, **(more if test else {}),
    )  # fmt: skip


def test_the_tuning_loop_has_the_options_of_the_section_tune(corpus, tmp_path, loops):
    search = replace(OPTIONS.search, distortion_limit=3, pop_limit=77)
    report = training(corpus, tmp_path / "m", replace(OPTIONS, search=search)).run()
    ((loop, start, result),) = loops
    assert (loop.iterations, loop.size, loop.patience, loop.least_gain) == (2, 7, 1, 0.25)
    assert (loop.tuner.name, loop.tuner.seed, loop.tuner.C) == ("kb-mira", 5, 0.3)
    assert loop.tuner.passes == 10  # what a loop sets otherwise
    assert loop.metric.signature() == Bleu(tokenize="none").signature()
    # Its own pop limit, and the rest of the model's search.
    assert loop.source.decoder.search == replace(search, pop_limit=11)
    model = report.model
    assert start == dict(model.initial_weights())
    assert dict(model.weights) == pytest.approx(dict(result.weights), rel=1e-5)
    assert report.tuned_score == result.score
    assert report.tuned_signature == Bleu(tokenize="none").signature()
    assert report.test is None
    # Rules that no sentence of the dev set can use are not there.
    assert 0 < len(loop.source.decoder.model.tables[0]) < len(model.tables[0])
    # The search of the model is what the section search says.
    assert model.search["pop_limit"] == 77
    assert model.search["distortion_limit"] == 3


@pytest.mark.parametrize(("tokenizer", "scored"), [("moses", "13a"), ("none", "none")])
def test_the_test_set_is_scored_as_a_user_sees_it(corpus, tmp_path, tokenizer, scored):
    options = replace(OPTIONS, text=replace(TEXT, tokenizer=tokenizer))
    report = training(corpus, tmp_path / "m", options, test=True).run()
    lines, references = (read_lines(corpus / f"test.{side}") for side in ("de", "en"))
    metric = Bleu(tokenize=scored)
    translated = pipeline.translate_lines(report.model, lines)
    assert report.test.score == metric.corpus_score(translated, [references])
    assert report.test.signature == metric.signature()
    assert report.test.low < report.test.score < report.test.high
    other = Bleu(tokenize="13a" if scored == "none" else "none")
    assert report.test.score != other.corpus_score(translated, [references])
    # The dev set too, by the search that it was tuned with.
    lines, references = (read_lines(corpus / f"dev.{side}") for side in ("de", "en"))
    found = pipeline.translate_lines(report.model, lines, search=options.tuning_search)
    assert report.dev.score == metric.corpus_score(found, [references])
    assert report.dev.signature == metric.signature()


def test_word_pairs_are_of_the_most_frequent_words(corpus, tmp_path):
    options = replace(OPTIONS, features="big", lm=LmOptions(order=2, lm2_classes=5, lm2_order=2))
    model = training(corpus, tmp_path / "m", options).run().model
    text = Bitext.load(tmp_path / "m.work" / "corpus" / "bitext.bin")
    pairs = [name.removeprefix("word_pair:") for name in model.sparse_names
             if name.startswith("word_pair:")]  # fmt: skip
    size = next(one.size for one in FEATURE_SETS["big"].templates if one.name == "word_pair")
    for number, side in enumerate((text.source, text.target)):
        counts = dict(zip(side.vocabulary, side.counts().tolist(), strict=True))
        used = {pair.split("_")[number] for pair in pairs} - {"<other>", "<none>"}
        assert len(counts) > 2 * size
        assert len(used) > size / 2
        least = sorted(counts.values(), reverse=True)[size - 1]
        assert min(counts[word] for word in used) >= least


@pytest.mark.parametrize("epoch_tuning", [0, 1])
def test_an_epoch_is_judged_by_tuning_or_as_it_is(corpus, tmp_path, loops, epoch_tuning):
    options = replace(
        OPTIONS,
        learn=LearnOptions(learner="maxforce", clusters=5, epoch_tuning=epoch_tuning, retune=3),
        maxforce=Maxforce(epochs=2, folds=2, beam=5, batch=10),
    )
    learned = training(corpus, tmp_path / "m", options)
    model = learned.run().model
    tuned = loops[0][2]
    # Tuned once, then once for each epoch if at all, and once again.
    judged = [loop.iterations for loop, _, _ in loops[1:-1]]
    assert judged == [epoch_tuning] * (2 if epoch_tuning else 0)
    for _, start, _ in loops[1:-1]:
        # From the tuned weights, and lexical features with their own.
        assert start == {**tuned.weights, "lexical": 1.0}
    last, start, result = loops[-1]
    assert last.iterations == 3
    if epoch_tuning:
        best = max((run for _, _, run in loops[1:-1]), key=lambda run: run.score)
        assert start == pytest.approx(dict(best.weights), rel=1e-5)
    else:
        assert start == pytest.approx({**tuned.weights, "lexical": 1.0}, rel=1e-5)
    assert dict(model.weights) == pytest.approx(dict(result.weights), rel=1e-5)
    assert TranslationModel.load(tmp_path / "m").lexical is not None
    # What loops and learners keep between kills is gone with the kills.
    left = {path.name for path in (tmp_path / "m.work").iterdir() if path.is_dir()}
    assert left == {*learned.stage_names, SCORES_FOLDER}
    for stage in learned.stage_names:
        inside = {path.name for path in (tmp_path / "m.work" / stage).iterdir()}
        assert not [name for name in inside if name.startswith(("model-", "first"))], stage


def test_the_kind_of_the_model_decides_how_it_is_tuned():
    phrase, hiero = TrainOptions(), TrainOptions(model="hiero")
    assert (phrase.tuning.tuner, phrase.tuning_search.pop_limit) == ("kb-mira", 200)
    assert (hiero.tuning.tuner, hiero.tuning_search.pop_limit) == ("kb-mira", 60)
    given = TrainOptions(model="hiero", tune=TuneOptions(tuner="lb-mira", pop_limit=200))
    assert (given.tuning.tuner, given.tuning_search.pop_limit) == ("lb-mira", 200)


def test_a_hierarchical_model_has_no_reordering_model():
    with pytest.raises(OptionError, match="model 'hiero' with a reordering model"):
        TrainOptions(model="hiero", reordering_model="maxent").check()
