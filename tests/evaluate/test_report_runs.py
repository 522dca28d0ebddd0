"""Reports of real runs: what is read of their folders, and what is said of folders that are cut."""

import json
import shutil

import pytest

from reference.tuner_comparisons import comparison
from tunesmith.base.errors import InputError, OptionError
from tunesmith.corpus import phrasebook
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.engine.resources import Resources
from tunesmith.evaluate.report import as_html, run_report
from tunesmith.evaluate.report.loop_run import metric_of
from tunesmith.evaluate.report.opening import read_run, read_runs
from tunesmith.evaluate.report.parts import Picture, TablePart
from tunesmith.evaluate.report.weight_section import weight_curves
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu, Wer, parse_metric
from tunesmith.model import TranslationModel
from tunesmith.train import Training, TrainOptions
from tunesmith.train.options import LmOptions, TuneOptions
from tunesmith.tune import make_tuner
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.sources import DecoderSource

FAST = {"bootstrap_samples": 20, "randomisation_trials": 20, "engine": 1, "sentences": 2}


@pytest.fixture(scope="module")
def compared(folder, tmp_path_factory):
    """Two tuners with two replicates each."""
    out = tmp_path_factory.mktemp("runs") / "comparison"
    return out, comparison(folder, out, features=("small",)).run()


@pytest.fixture(scope="module")
def tuned(folder, tmp_path_factory):
    """The work folder of a tuning run, and what came of it."""
    model = TranslationModel.load(folder / "model").restricted("small")
    decoder = open_decoder(model, search=SearchOptions(pop_limit=10), engine=1)
    source, target = model.preprocessors
    dev = source.encode(read_lines(folder / "dev.de"))
    references = [target.encode(read_lines(folder / "dev.en"))]
    work = tmp_path_factory.mktemp("tuning") / "tuned.work"
    loop = TuningLoop(
        DecoderSource(decoder, dev), make_tuner("kb-mira", in_loop=True), Bleu(tokenize="none"),
        references, iterations=2, size=10,
    )  # fmt: skip
    return work, loop.run(model.initial_weights(), work), references


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Two trainings on the same text."""
    folder = tmp_path_factory.mktemp("training")
    phrasebook.write(folder, seed=9, dev=20, test=20, train=200)
    reports = {}
    for name, order in (("two", 2), ("three", 3)):
        options = TrainOptions(
            lm=LmOptions(order=order), tune=TuneOptions(iterations=2, size=7, pop_limit=11),
            features="small", threads=1,
        )  # fmt: skip
        reports[name] = Training(
            folder / "train.de", folder / "train.en", folder / "dev.de", [folder / "dev.en"],
            folder / name, folder / "test.de", [folder / "test.en"], options,
        ).run()  # fmt: skip
    return folder, reports


def pictures(report):
    return {picture.name: picture.chart for picture in report.pictures()}


def parts_of(report, title):
    return next(section.parts for section in report.sections if section.title == title)


def tables(report, title):
    return [part for part in parts_of(report, title) if isinstance(part, TablePart)]


def test_a_comparison(compared):
    out, result = compared
    [run] = read_runs([out])
    assert run.kind == "comparison"
    read = run.compared
    assert (read.tests, read.baseline, read.signature) == (
        result.tests, result.baseline, result.signature,
    )  # fmt: skip
    assert {cell.place: cell for cell in read.cells} == {cell.place: cell for cell in result.cells}
    assert read.differences == result.differences
    assert read.systems[0] == result.baseline
    report = run_report([out], **FAST)
    drawn = pictures(report)
    for cell in result.cells:
        points = drawn["curves-1"].series[cell.system]
        scores = [run.curve[0] for run in cell.runs]
        assert points[0].y == pytest.approx(sum(scores) / 2)
        weights = [run.trace["lm"][-1] for run in cell.runs]
        assert all(weight != 0 for weight in weights)
    row = tables(report, "Tuners")[0].rows[0]
    cell = result.cell("small", row[0])
    assert row[1:3] == [f"{cell.tune:.2f}", f"{cell.test:.2f}"]
    # Its own test over runs is shown, and not one over sentences alone.
    assert parts_of(report, "Scores and significance") == []
    assert drawn["precisions-test"].series.keys() == {"kb-mert", "kb-mira"}
    [_, times] = parts_of(report, "Time and memory")
    assert [r[1] for r in times.rows] == ["kb-mert", "kb-mira", "all"]
    assert as_html(report) == as_html(run_report([out], **FAST))


def test_what_a_comparison_varied(compared, tmp_path):
    """Pictures of options and of sizes of the dev set stand in its section."""
    folder = broken_copy(compared[0], tmp_path)
    record = json.loads((folder / "results.json").read_text())
    cell = next(cell for cell in record["cells"] if cell["system"] == "kb-mira")
    for value in (0.1, 1.0):
        system = f"kb-mira C={value}"
        record["cells"].append({**cell, "system": system, "options": [["C", value]]})
        shutil.copytree(folder / "runs/small/kb-mira", folder / f"runs/small/kb-mira,C={value}")
    (folder / "results.json").write_text(json.dumps(record))
    drawn = pictures(run_report([folder], **FAST))
    assert {"sweep-C-tune-small", "sweep-C-test-small"} <= set(drawn)
    assert [point.x for point in drawn["sweep-C-test-small"].series["kb-mira"]] == [0.1, 1.0]
    assert list(drawn["curves-1"].series) == [
        "kb-mert", "kb-mira", "kb-mira C=0.1", "kb-mira C=1.0",
    ]  # fmt: skip


def test_a_tuning_run(tuned):
    work, result, references = tuned
    [run] = read_runs([work])
    assert (run.name, run.kind) == ("tuned", "tuning")
    scores = [turn.score for turn in result.iterations]
    assert run.curves[0].systems == {"tuned": [scores]}
    [trace] = run.traces["tuned"]
    for name, values in trace.items():
        assert values == pytest.approx([turn.weights[name] for turn in result.iterations])
    [texts] = run.translations
    assert texts.references == references
    bleu = Bleu(tokenize="none")
    assert bleu.corpus_score(texts.outputs["first decoding"][0], references) == scores[0]
    assert bleu.corpus_score(texts.outputs["best decoding"][0], references) == max(scores)
    [uses] = run.uses
    assert uses.parts["tuned"][0].seconds > 0
    assert "Learning curves" in [s.title for s in run_report([work], **FAST).sections if s.parts]


def test_a_loop_goes_on_with_the_same_files(tuned, folder, tmp_path):
    """What a run keeps for its readers is there once, kill or no kill."""
    work, result, _ = tuned
    times = json.loads((work / "times.json").read_text())
    assert len(times) == len(result.iterations)
    assert all(seconds >= 0 and cpu >= 0 for seconds, cpu in times)
    outputs = sorted(path.name for path in work.glob("output-*.txt"))
    assert outputs == [f"output-{i + 1}.txt" for i in range(len(result.iterations))]


def test_a_training(trained):
    folder, reports = trained
    for place in (folder / "two", folder / "two.work"):
        [run] = read_runs([place])
        assert (run.name, run.kind) == ("two", "training")
        assert run.options["lm.order"] == "2"
        dev, test = run.translations
        [output] = test.outputs["two"]
        score = test.metric.corpus_score(output, test.references)
        assert score == pytest.approx(reports["two"].test.score)
        assert test.source == read_lines(folder / "test.de")
        assert dev.metric.corpus_score(dev.outputs["two"][0], dev.references) == pytest.approx(
            reports["two"].dev.score
        )
        assert run.outcome == (
            f"dev BLEU {reports['two'].dev.score:.2f}, test BLEU {reports['two'].test.score:.2f}"
        )
        [uses] = run.uses
        assert list(uses.parts) == ["corpus", "align", "lm", "phrases", "tune"]
        assert all(used[0].memory > 10**6 for used in uses.parts.values())
        assert all(used[0].seconds > 0 for used in uses.parts.values())
    assert str(folder / "train.de") in run.inputs


def test_runs_side_by_side(trained, tuned, compared):
    folder, reports = trained
    report = run_report([folder / "two", folder / "three", tuned[0], compared[0]], **FAST)
    assert report.summary == "4 runs compared: training, tuning, comparison."
    curves = pictures(report)["curves-1"].series
    assert set(curves) == {
        "two", "three", "tuned", "comparison: kb-mert", "comparison: kb-mira",
    }  # fmt: skip
    scores = tables(report, "Scores and significance")
    both = next(table for table in scores if table.caption.startswith("test, 20 sentences"))
    assert [row[0] for row in both.rows] == ["two", "three"]
    assert [row[1] for row in both.rows] == [
        f"{reports[name].test.score:.2f}" for name in ("two", "three")
    ]
    assert any(table.caption.startswith("dev of tuned, ") for table in scores)
    settings = tables(report, "Settings")[0]
    assert settings.caption == "Settings that differ"
    assert ["lm.order", "2", "3", "–", "–"] in [list(row) for row in settings.rows]
    stages = pictures(report)["time-1"]
    assert list(stages.series) == ["two", "three"]
    page = as_html(report)
    assert page == as_html(run_report(
        [folder / "two", folder / "three", tuned[0], compared[0]], **{**FAST, "engine": 2}
    ))  # fmt: skip


def test_a_training_that_was_cut(trained, tuned, tmp_path):
    folder, _ = trained
    work = tmp_path / "cut.work"
    shutil.copytree(folder / "two.work", work)
    shutil.rmtree(work / "tune")
    shutil.rmtree(work / "scores")
    run = read_run(work, "cut")
    assert run.about == "4 stages, has not ended"
    assert list(run.uses[0].parts) == ["corpus", "align", "lm", "phrases"]
    assert run.translations == []
    assert run.curves == []
    shutil.copytree(tuned[0], work / "tune.0123abcd")
    run = read_run(work, "cut")
    assert list(run.curves[0].systems) == ["cut"]
    assert list(run.traces) == ["cut"]
    assert "<svg" in as_html(run_report([work], **FAST))


def test_a_learner(tmp_path):
    folder = tmp_path / "learner"
    folder.mkdir()
    epoch = {"dev_score": 31.0, "pairs": 10, "reached": 0.5, "updates": 4, "features": 1234}
    state = {
        "identity": {"learner": {"beam": 30}}, "state": [], "start_score": 30.0,
        "epochs": [epoch, {**epoch, "dev_score": 30.5, "updates": 2}],
    }  # fmt: skip
    (folder / "maxforce.json").write_text(json.dumps(state))
    run = read_run(folder, "learner")
    assert run.about == "2 epochs, 1,234 features"
    assert run.outcome == "dev BLEU 31.00, 30.00 before"
    chart, pairs = pictures(run_report([folder], **FAST)).values()
    assert [(point.x, point.y) for point in chart.series["learner"]] == [
        (0, 30),
        (1, 31),
        (2, 30.5),
    ]
    assert [point.y for point in pairs.series["learner: updated"]] == [40, 20]
    assert run.options == {"learner.beam": "30"}
    for broken in ("{", "[]", '{"epochs": 3}', json.dumps({**state, "epochs": [{}]})):
        (folder / "maxforce.json").write_text(broken)
        with pytest.raises(InputError, match=r"maxforce\.json: no state of a learner; delete"):
            read_run(folder, "learner")
    (folder / "maxforce.json").write_text(json.dumps({**state, "epochs": []}))
    with pytest.raises(InputError, match="no epoch that is done; learn on"):
        read_run(folder, "learner")


def test_weights_are_shares():
    curves = weight_curves([{"a": [1.0, 3.0], "b": [1.0, -1.0], "none": [0, 0]}, {"a": [2.0],
                            "b": [0.0], "none": [0]}])  # fmt: skip
    assert set(curves) == {"a", "b"}
    assert [point.y for point in curves["a"]] == [0.75, 0.875]
    assert [point.y for point in curves["b"]] == [0.25, -0.125]
    assert weight_curves([{"a": [0.0]}]) == {}


@pytest.mark.parametrize(
    "metric", [Bleu(tokenize="none"), Bleu(tokenize="none", reference_length="shortest"), Wer(),
               parse_metric("chrf")],
)  # fmt: skip
def test_metrics_are_known_by_their_signatures(metric):
    assert metric_of(metric.signature()).signature() == metric.signature()


def test_no_runs(tmp_path, trained):
    with pytest.raises(
        InputError, match=r"missing: it does not exist, expected the folder of a run"
    ):
        read_runs([tmp_path / "missing"])
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match=r"file: a file, expected the folder of a run"):
        read_runs([tmp_path / "file"])
    with pytest.raises(InputError, match=r": no run, expected a model of `train` or its work fold"):
        read_runs([tmp_path])
    with pytest.raises(OptionError, match="no run to report"):
        read_runs([])
    folder, _ = trained
    with pytest.raises(OptionError, match="the same run is given twice"):
        read_runs([folder / "two", folder / "." / "two"])
    shutil.copytree(folder / "two", tmp_path / "alone")
    with pytest.raises(InputError, match=r"alone: a model without alone\.work beside it, expected"):
        read_runs([tmp_path / "alone"])


def broken_copy(folder, tmp_path, name="cut"):
    shutil.copytree(folder, tmp_path / name)
    return tmp_path / name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: (f / "results.json").unlink(),
         ": a comparison without results.json, expected one that has ended; compare again"),
        (lambda f: (f / "results.json").write_text("{"), "results.json: no results of a compar"),
        (lambda f: (f / "results.json").write_text('{"cells": []}'),
         "results.json: no results of a comparison; compare again: runs that are done are kept"),
        (lambda f: (f / "runs/small/kb-mira/1/test.out").write_text("one\n"),
         "test.out: 1 lines, expected"),
        (lambda f: (f / "runs/small/kb-mira/1/test.out").unlink(),
         "test.out: cannot be read: No such file or directory"),
    ],
)  # fmt: skip
def test_comparisons_that_are_cut(compared, tmp_path, change, message):
    folder = broken_copy(compared[0], tmp_path)
    change(folder)
    with pytest.raises(InputError) as raised:
        read_runs([folder])
    assert message in str(raised.value)


def test_a_comparison_without_its_texts_has_the_rest(compared, tmp_path):
    folder = broken_copy(compared[0], tmp_path)
    shutil.rmtree(folder / "texts")
    [run] = read_runs([folder])
    assert run.translations == []
    assert run.curves


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: (f / "loop.json").write_text("x"),
         "loop.json: no tuning state; delete the folder and tune again"),
        (lambda f: (f / "loop.json").write_text('{"done": [{}], "identity": {}}'),
         "loop.json: no tuning state"),
        (lambda f: (f / "weights-1.bin").unlink(), "weights-1.bin: No such file or directory"),
        (lambda f: (f / "output-1.txt").write_text("a\n"), "output-1.txt: 1 lines, expected"),
        (lambda f: (f / "times.json").write_text("[[1]]"), "times.json: no times"),
    ],
)  # fmt: skip
def test_loops_that_are_cut(tuned, tmp_path, change, message):
    folder = broken_copy(tuned[0], tmp_path)
    change(folder)
    with pytest.raises(InputError) as raised:
        read_runs([folder])
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: (f / "tune/result.json").write_text('{"iterations": 1}'),
         "result.json: no result of a stage; train again: stages that are done are kept"),
        (lambda f: (f / "lm/resources.json").write_text("[]"), "resources.json: no resources of"),
        (lambda f: (f / "scores/scores.json").write_text("[{}]"), "scores.json: no record of scor"),
        (lambda f: (f / "stages.json").write_text("3"), "stages.json: no names of stages; train"),
        (lambda f: (f / "scores/test.output").write_text("a\n"),
         "test.output: 1 lines, expected 20 as in test.source; train again"),
        (lambda f: (f / "scores/dev.reference0").unlink(), "dev.reference0: cannot be read: "),
    ],
)  # fmt: skip
def test_trainings_that_are_cut(trained, tmp_path, change, message):
    folder = broken_copy(trained[0] / "two.work", tmp_path)
    change(folder)
    with pytest.raises(InputError) as raised:
        read_runs([folder])
    assert message in str(raised.value)


def test_trainings_of_before_have_no_resources_and_scores(trained, tmp_path):
    folder = broken_copy(trained[0] / "two.work", tmp_path)
    shutil.rmtree(folder / "scores")
    for path in folder.glob("*/resources.json"):
        path.unlink()
    report = run_report([folder], **FAST)
    assert parts_of(report, "Time and memory") == []
    assert any(isinstance(part, Picture) for part in parts_of(report, "Learning curves"))
    assert Resources(1, 2, 3).memory == 3
