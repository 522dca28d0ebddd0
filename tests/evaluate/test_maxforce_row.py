"""The learner beside tuners: `maxforce` as a row of a comparison, from files or a work folder."""

import json

import pytest

from reference.standstill import Written, kill_when
from reference.tuner_comparisons import setting
from tunesmith.base.errors import InputError, OptionError
from tunesmith.cli.main import main
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.evaluate.maxforce_row import NO_LEXICAL, MaxforceRow
from tunesmith.evaluate.training_text import TextFiles, WorkFolder
from tunesmith.evaluate.tuner_comparison import TunerComparison, all_tuners
from tunesmith.features import LexicalModel, SideClasses
from tunesmith.formats.text import read_lines
from tunesmith.formats.weights import read_weights
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel

PAIRS, FOLDS = 400, 2
QUICK = {"epochs": 2, "folds": FOLDS, "batch": 4}


@pytest.fixture(scope="module")
def text(folder):
    """The first pairs of the training text, in files; one pair lacks a side."""
    for side in ("de", "en"):
        lines = read_lines(folder / f"train.{side}")[:PAIRS]
        (folder / f"some.{side}").write_text(
            "\n".join([*lines, "nur deutsch" if side == "de" else ""]) + "\n"
        )
    return TextFiles(str(folder / "some.de"), str(folder / "some.en"))


def compare(folder, out, text, options=QUICK, tuners=("maxforce", "untuned"), **more):
    given = {"replicates": 2, "jobs": 1, "engine": 1, "randomisation_trials": 20,
             "bootstrap_samples": 20, "options": {"maxforce": options}, **more}  # fmt: skip
    return TunerComparison(setting(folder, training=text), out, tuners, ["dense"], **given)


@pytest.fixture(scope="module")
def compared(folder, text, tmp_path_factory):
    out = tmp_path_factory.mktemp("maxforce") / "out"
    return out, compare(folder, out, text).run()


def result_of(out, system, replicate=0, features="dense"):
    folder = out / "runs" / features / system / str(replicate)
    return json.loads((folder / "result.json").read_text()), folder


SYSTEM = "maxforce,epochs=2,folds=2,batch=4"


def test_dense_weights_are_learned_from_zero_and_kept(folder, compared):
    out, result = compared
    assert result.systems == ["maxforce epochs=2 folds=2 batch=4", "untuned"]
    kept, run = result_of(out, SYSTEM)
    model = TranslationModel.load(folder / "model").restricted("dense")
    weights = read_weights(run / "weights.tsv")
    assert set(weights) == set(model.feature_names)
    assert dict(weights) != dict(model.initial_weights())
    assert kept["weights"] == {"dense": sum(value != 0 for value in weights.values())}
    assert not (run / "lexical.bin").exists()
    assert not (run / "loop").exists()
    assert len(kept["curve"]) == 2
    assert kept["tune"] == max(kept["curve"])
    source, target = model.preprocessors
    test = source.encode(read_lines(folder / "test.de"))
    decoder = open_decoder(model, search=SearchOptions(pop_limit=10, stack_size=50), engine=1)
    output = list(decoder.decode(test, weights).best())
    assert (run / "test.out").read_text().splitlines() == output
    expected = Bleu(tokenize="none").corpus_score(
        output, [target.encode(read_lines(folder / "test.en"))]
    )
    assert kept["tests"] == {"test": pytest.approx(expected)}


def test_it_is_the_learner_itself_with_the_papers_settings(folder, compared, text):
    """By hand: the same pairs, folds and dev set give the same weights."""
    out, _ = compared
    model = TranslationModel.load(folder / "model").restricted("dense")
    given = text.load(model, "dense", FOLDS, out / "learning")
    assert len(given.bitext) == PAIRS  # without the pair that lacks a side
    assert [len(links) for links in given.links] == [PAIRS]
    source, target = model.preprocessors
    dev = source.encode(read_lines(folder / "dev.de"))
    references = target.encode(read_lines(folder / "dev.en"))
    learner = MaxforceRow.of(QUICK, text, seed=setting(folder).seed, engine=1).learner
    assert (learner.method, learner.dense, learner.dense_weights) == (
        "max-violation", "all", "from-zero",
    )  # fmt: skip
    assert learner.prefixes == "all"
    assert learner.dead_ends

    def judge(lexical, weights):
        search = SearchOptions(pop_limit=10, stack_size=50)
        best = open_decoder(model.taught(lexical), search=search).decode(dev, weights).best()
        return Bleu(tokenize="none").corpus_score(best, [references]), weights

    found = learner.fit(
        model, NO_LEXICAL.build(SideClasses(), SideClasses()), given.bitext,
        (dev, [references]), folds=given.folds, judge=judge,
    )  # fmt: skip
    kept, run = result_of(out, SYSTEM)
    assert kept["curve"] == [epoch.dev_score for epoch in found.epochs]
    assert kept["hypotheses"] == [epoch.pairs for epoch in found.epochs]
    learned = {name: value for name, value in found.weights.items() if name != "lexical"}
    assert dict(read_weights(run / "weights.tsv")) == pytest.approx(learned, rel=1e-5)


def test_replicates_have_other_dev_sets_and_another_order(compared):
    out, _ = compared
    first, second = (result_of(out, SYSTEM, replicate) for replicate in (0, 1))
    assert first[0]["curve"] != second[0]["curve"]
    assert read_weights(first[1] / "weights.tsv") != read_weights(second[1] / "weights.tsv")


def test_again_nothing_is_learned_and_tuners_can_be_added(folder, compared, text):
    out, result = compared
    before = {path: path.stat().st_mtime_ns for path in out.rglob("result.json")}
    again = compare(folder, out, text, tuners=("maxforce", "untuned", "random")).run()
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert again.cell("dense", SYSTEM.replace(",", " ")).test == result.cells[0].test
    # Tuners know nothing of the text: with another one their runs stay.
    other = TextFiles(str(folder / "train.de"), str(folder / "train.en"))
    with pytest.raises(OptionError, match=r"holds a run with other settings \(tuner differ\)"):
        compare(folder, out, other).run()
    compare(folder, out, other, {"folds": 0, "epochs": 1}, ("untuned",))


def test_lexical_features_are_options(folder, text, tmp_path):
    """The other rows of Table 4."""
    result = compare(
        folder, tmp_path, text, {"epochs": 1, "folds": 0}, ("maxforce",), replicates=1,
        sweep={"maxforce.rule_ids": [False, True], "maxforce.edges": [False, True]},
    ).run()  # fmt: skip
    counts = [cell.weights.get("lexical", 0) for cell in result.cells]
    assert counts[0] == 0
    assert 0 < counts[2] < counts[1] < counts[3]
    _, run = result_of(tmp_path, "maxforce,epochs=1,folds=0,rule_ids=True,edges=True")
    lexical = LexicalModel.load(run / "lexical.bin")
    assert len(lexical) == counts[3]
    assert "cluster" in lexical.meta["levels"]
    weights = read_weights(run / "weights.tsv")
    assert weights["lexical"] == 1
    model = TranslationModel.load(folder / "model").restricted("dense")
    decoder = open_decoder(
        model.taught(lexical), search=SearchOptions(pop_limit=10, stack_size=50), engine=1
    )
    test = model.preprocessors[0].encode(read_lines(folder / "test.de"))
    assert (run / "test.out").read_text().splitlines() == list(decoder.decode(test, weights).best())


def arguments(folder, out, *more):
    return [
        "compare", f"{folder}/model", "--dev-src", f"{folder}/dev.de", "--dev-ref",
        f"{folder}/dev.en", "--test-src", f"{folder}/test.de", "--test-ref", f"{folder}/test.en",
        "--features", "dense", "--pop-limit", "10", "--iterations", "2", "--size", "10",
        "--threads", "1", "--out", str(out), "--quiet", *more,
    ]  # fmt: skip


def test_killed_it_goes_on_with_the_same_result(folder, compared, tmp_path):
    out = tmp_path / "out"
    command = arguments(
        folder, out, "--tuners", "maxforce,untuned", "--replicates", "2",
        "--train-src", f"{folder}/some.de", "--train-tgt", f"{folder}/some.en",
        "--set", "maxforce.epochs=2", "--set", "maxforce.folds=2", "--set", "maxforce.batch=4",
        "--randomisation-trials", "20", "--bootstrap-samples", "20",
    )  # fmt: skip
    for name in ("learning.json", "fold-0", "maxforce.json", "result.json"):
        kill_when(Written(out, name), command)
    assert main(command) == 0
    for replicate in (0, 1):
        wanted, there = result_of(compared[0], SYSTEM, replicate)
        found, here = result_of(out, SYSTEM, replicate)
        assert {**found, **dict.fromkeys(("seconds", "cpu_seconds", "memory"))} == {
            **wanted, **dict.fromkeys(("seconds", "cpu_seconds", "memory")),
        }  # fmt: skip
        for name in ("weights.tsv", "test.out"):
            assert (here / name).read_bytes() == (there / name).read_bytes()


@pytest.mark.usefixtures("text")
def test_a_work_folder_has_text_links_and_folds(folder, tmp_path, capsys):
    model = tmp_path / "m"
    train = [
        "train", "--quiet", "--src", f"{folder}/some.de", "--tgt", f"{folder}/some.en",
        "--dev-src", f"{folder}/dev.de", "--dev-ref", f"{folder}/dev.en", "--iterations", "1",
        "--size", "5", "--order", "2", "--threads", "1", "--learner", "maxforce",
        "--maxforce-folds", "2", "--maxforce-epochs", "1", "--epoch-tuning", "0", "--retune", "0",
        "--clusters", "5", "--out", str(model),
    ]  # fmt: skip
    assert main(train) == 0
    work = WorkFolder(f"{model}.work")
    assert work.default_folds == 2
    loaded = TranslationModel.load(model)
    given = work.load(loaded, "small", 2, tmp_path)
    assert len(given.bitext) == len(given.links[0]) > 0
    assert [fold.feature_names for fold in given.folds] == [
        loaded.restricted("small").feature_names
    ] * 2
    changed = arguments(folder, tmp_path / "out", "--tuners", "maxforce", "--replicates", "1",
                        "--train-work", f"{model}.work", "--set", "maxforce.epochs=1")  # fmt: skip
    changed[1] = str(model)
    assert main(changed) == 0
    assert "| maxforce epochs=1 |" in capsys.readouterr().out
    assert not (tmp_path / "out" / "learning").exists()
    assert main([*changed, "--set", "maxforce.folds=3"]) == 2
    assert "has models of 2 folds, and maxforce.folds is 3; expected as many, or 0" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--tuners", "maxforce"],
            "maxforce learns from training text: give --train-src and --train-tgt, or --train-work",
        ),
        (
            ["--tuners", "untuned", "--train-src", "x"],
            "training text, but no maxforce among the tuners to learn from it",
        ),
        (["--tuners", "maxforce", "--train-src", "no", "--train-tgt", "no"], "no: No such file"),
        (
            ["--tuners", "maxforce", "--train-work", "no"],
            "no/corpus/bitext.bin: missing, expected the work folder of `tunesmith train`",
        ),
        (
            ["--tuners", "maxforce", "--train-work", "no", "--train-tgt", "x"],
            "--train-work has all: it goes without --train-src and its like",
        ),
        (
            ["--tuners", "untuned", "--train-tgt", "x"],
            "--train-tgt and --train-links need --train-src",
        ),
        (["--tuners", "maxforce", "--set", "maxforce.no=1"], "--set has 'maxforce.no', expected"),
    ],
)
def test_bad_options(folder, tmp_path, capsys, options, message):
    assert main(arguments(folder, tmp_path / "out", *options)) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_bad_values_and_texts(folder, text, tmp_path):
    with pytest.raises(OptionError, match="dense_weights is from-zero and dense is none"):
        compare(folder, tmp_path / "a", text, {"dense": "none"}).run()
    with pytest.raises(OptionError, match="levels has 'nothing'"):
        compare(folder, tmp_path / "b", text, {"levels": "nothing"}).run()
    (tmp_path / "short").write_text("0-0\n")
    short = TextFiles(text.source, text.target, (str(tmp_path / "short"),))
    with pytest.raises(InputError, match=r"short: 1 lines, expected 401 as in .*some.de"):
        compare(folder, tmp_path / "c", short, {"folds": 0}).run()
    (tmp_path / "empty").write_text("\n")
    empty = TextFiles(str(tmp_path / "empty"), str(tmp_path / "empty"))
    with pytest.raises(InputError, match="no sentence pairs, expected parallel text"):
        compare(folder, tmp_path / "d", empty, {"folds": 0}).run()


def test_it_is_not_among_all_and_takes_no_sparse_features(folder, text, tmp_path):
    assert "maxforce" not in all_tuners()
    alone = TunerComparison(setting(folder, training=text), tmp_path, ["maxforce"], ["own"])
    with pytest.raises(OptionError, match="nothing to compare: maxforce take dense features only"):
        alone.run()
