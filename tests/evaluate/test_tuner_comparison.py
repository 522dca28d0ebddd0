"""The comparison of tuners: its runs, its tables, and that a kill changes nothing."""

import json
import sys
import xml.dom.minidom
from dataclasses import replace
from itertools import pairwise
from statistics import mean, stdev

import numpy as np
import pytest

from reference.standstill import Written, kill_when
from reference.tuner_comparisons import LOOP, comparison, setting
from tunesmith.base.errors import OptionError, TunesmithError
from tunesmith.base.lock import locked
from tunesmith.base.log import log
from tunesmith.cli.main import main
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.evaluate import tuning_run
from tunesmith.evaluate.run_setting import Run, dev_sample
from tunesmith.evaluate.tuner_comparison import TunerComparison, all_tuners
from tunesmith.evaluate.tuning_run import execute
from tunesmith.formats.text import read_lines
from tunesmith.formats.weights import read_weights
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.tune import make_tuner
from tunesmith.tune.loop import UNCHANGED, TuningLoop
from tunesmith.tune.sources import DecoderSource


@pytest.fixture(scope="module")
def compared(folder, tmp_path_factory):
    """Two tuners, two dense sets and one with sparse features."""
    out = tmp_path_factory.mktemp("compared")
    return out, comparison(folder, out, features=("small", "dense", "own")).run()


def test_runs_are_those_of_the_tuning_loop(folder, compared):
    out, _ = compared
    model = TranslationModel.load(folder / "model").restricted("small")
    decoder = open_decoder(model, search=SearchOptions(pop_limit=10, stack_size=50), engine=2)
    source, target = model.preprocessors
    dev = source.encode(read_lines(folder / "dev.de"))
    references = target.encode(read_lines(folder / "dev.en"))
    result = TuningLoop(
        DecoderSource(decoder, dev), make_tuner("kb-mira", in_loop=True), Bleu(tokenize="none"),
        [references], **LOOP,
    ).run(model.initial_weights(), out / "by-hand")  # fmt: skip
    run = out / "runs" / "small" / "kb-mira" / "0"
    kept = json.loads((run / "result.json").read_text())
    assert kept["tune"] == result.score
    assert kept["curve"] == [turn.score for turn in result.iterations]
    assert read_weights(run / "weights.tsv") == pytest.approx(dict(result.weights), rel=1e-5)
    test = source.encode(read_lines(folder / "test.de"))
    translations = (run / "test.out").read_text().splitlines()
    assert translations == list(decoder.decode(test, result.weights).best())
    expected = Bleu(tokenize="none").corpus_score(
        translations, [target.encode(read_lines(folder / "test.en"))]
    )
    assert kept["tests"] == {"test": pytest.approx(expected)}
    assert not (run / "loop").exists()


def test_cells_are_means_and_deviations_of_runs(compared):
    out, result = compared
    for cell in result.cells:
        place = out / "runs" / cell.features / cell.system
        runs = [json.loads((place / str(r) / "result.json").read_text()) for r in range(2)]
        assert cell.tune == pytest.approx(mean(run["tune"] for run in runs))
        tests = [run["tests"]["test"] for run in runs]
        assert cell.test == pytest.approx(mean(tests))
        assert cell.deviation == pytest.approx(stdev(tests))
    assert result.cell("small", "kb-mira").test != result.cell("dense", "kb-mira").test


def test_how_far_the_last_decodings_moved(compared):
    _, result = compared
    run = result.cells[0].runs[0]
    still = replace(run, curve=[30.0, 41.0, 41.5, 41.5], stopped=UNCHANGED)
    moving = replace(run, curve=[30.0, 41.0, 41.1, 41.5], stopped="")
    slower = replace(run, curve=[30.0, 41.0, 41.25, 41.2, 41.4], stopped="")
    assert replace(result.cells[0], runs=[still]).moved == 0.0
    assert replace(result.cells[0], runs=[still, moving]).moved == pytest.approx(11.5)
    assert replace(result.cells[0], runs=[still, slower]).moved == pytest.approx(0.4)


def test_line_searches_are_not_run_on_sparse_features(compared):
    out, result = compared
    assert result.cell("own", "kb-mert") is None
    assert result.cell("own", "kb-mira") is not None
    # Its baseline is that of the largest set that kb-mert takes.
    assert result.baseline_of("own") is result.cell("dense", "kb-mert")
    table = (out / "table.md").read_text()
    row = next(line for line in table.splitlines() if line.startswith("| kb-mert"))
    assert row.endswith("| – | – | – |")
    assert "| own | kb-mira | kb-mert on dense |" in table
    tsv = (out / "table.tsv").read_text().splitlines()
    assert len(tsv) == 1 + 5


def test_differences_are_antisymmetric_and_complete(compared):
    _, result = compared
    one, other = result.cell("small", "kb-mert"), result.cell("small", "kb-mira")
    there, back = result.difference(one, other), result.difference(other, one)
    assert there.points == -back.points == pytest.approx(one.test - other.test)
    assert there.randomisation_p == back.randomisation_p
    assert there.p_value == back.p_value
    assert there.interval == (-back.interval[1], -back.interval[0])
    assert 0 < there.p_value <= there.corrected_p <= 1


def test_files_are_well_formed(compared):
    out, result = compared
    pictures = sorted(path.name for path in out.glob("*.svg"))
    assert pictures == ["curves-dense.svg", "curves-own.svg", "curves-small.svg"]
    for name in pictures:
        xml.dom.minidom.parse(str(out / name))
    record = json.loads((out / "results.json").read_text())
    assert [cell["system"] for cell in record["cells"]] == [cell.system for cell in result.cells]
    assert record["signature"].startswith("nrefs:1|")


def plain(out):
    """All that must not change: everything but times and memory."""
    record = json.loads((out / "results.json").read_text())
    for cell in record["cells"]:
        for run in cell["runs"]:
            del run["seconds"], run["cpu_seconds"], run["memory"]
    runs = {
        str(path.relative_to(out)): path.read_bytes()
        for name in ("weights.tsv", "test.out")
        for path in sorted((out / "runs").rglob(name))
    }
    return (out / "table.tsv").read_bytes(), record, runs


@pytest.fixture(scope="module")
def few(folder, tmp_path_factory):
    """One tuner on two sets: four runs, done one after the other."""
    out = tmp_path_factory.mktemp("few")
    comparison(folder, out, ["kb-mira"], features=("small", "own")).run()
    return out


def test_processes_and_threads_change_nothing(folder, few, tmp_path):
    comparison(folder, tmp_path, ["kb-mira"], features=("small", "own"), jobs=2, engine=4).run()
    assert plain(tmp_path) == plain(few)


def test_what_is_done_is_kept_and_more_can_be_added(folder, compared, tmp_path):
    out, _ = compared
    first = comparison(folder, tmp_path, ["kb-mira"], features=("small",))
    first.run()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("result.json")}
    comparison(folder, tmp_path, features=("small", "dense", "own")).run()
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert plain(tmp_path) == plain(out)
    with pytest.raises(OptionError, match=r"holds a run with other settings \(loop differ\)"):
        TunerComparison(
            setting(folder, loop={"iterations": 1}), tmp_path, ["kb-mira"], ["small"], jobs=1
        ).run()


def test_runs_of_another_program_are_not_taken_for_its_own(folder, tmp_path, monkeypatch):
    comparison(folder, tmp_path, ["random"], features=("small",), replicates=1).run()
    with monkeypatch.context() as patch:
        patch.setattr(tuning_run, "code_hash", lambda **_: "changed")
        with pytest.raises(OptionError, match=r"holds a run with other settings \(code differ\)"):
            execute(
                Run("small", "random", 0),
                setting=setting(folder),
                inputs=setting(folder).inputs(),
                out=tmp_path,
                engine=1,
            )


def test_killed_at_any_moment_it_ends_with_the_same_table(folder, few, tmp_path, capsys):
    out = tmp_path / "out"
    command = [
        "compare", f"{folder}/model",
        "--dev-src", f"{folder}/dev.de", "--dev-ref", f"{folder}/dev.en",
        "--test-src", f"{folder}/test.de", "--test-ref", f"{folder}/test.en",
        "--tuners", "kb-mira", "--features", "small,own", "--replicates", "2",
        "--iterations", "2", "--size", "10", "--pop-limit", "10", "--jobs", "2", "--threads", "2",
        "--randomisation-trials", "200", "--bootstrap-samples", "100", "--out", str(out),
    ]  # fmt: skip
    # In an iteration, after a run, after the last run.
    for name, times in (("loop.json", 1), ("result.json", 1), ("result.json", 4)):
        kill_when(Written(out, name, times), command)
    capsys.readouterr()
    assert main(command) == 0
    assert capsys.readouterr().out == (out / "table.md").read_text()
    assert plain(out) == plain(few)
    assert not list(out.rglob("loop.json"))


def test_what_a_kill_left_behind_a_result_is_removed(folder, tmp_path):
    alone = comparison(folder, tmp_path, ["random"], features=("small",), replicates=1)
    alone.run()
    run = tmp_path / "runs" / "small" / "random" / "0"
    before = (run / "result.json").stat().st_mtime_ns
    (run / "loop").mkdir()
    alone.run()
    assert not (run / "loop").exists()
    assert (run / "result.json").stat().st_mtime_ns == before


def test_a_folder_that_another_comparison_uses_is_refused(folder, tmp_path):
    with locked(tmp_path), pytest.raises(OptionError, match=f"{tmp_path} is in use by process"):
        comparison(folder, tmp_path).run()
    assert list(tmp_path.iterdir()) == []


def test_sweeps_and_dev_sizes(folder, tmp_path):
    result = comparison(
        folder, tmp_path, ["kb-mira", "kb-mert"], features=("small",), replicates=1,
        sweep={"C": [1.0, 0.01]}, dev_sizes=[20, 60],
    ).run()  # fmt: skip
    assert result.systems == ["kb-mira C=1.0", "kb-mira C=0.01", "kb-mert"]
    assert len(result.cells) == 6
    assert result.cell("small", "kb-mira C=1.0", 20).deviation == 0.0
    curves = {tuple(cell.runs[0].curve) for cell in result.cells}
    assert len(curves) == 6
    pictures = {path.name for path in tmp_path.glob("*.svg")}
    assert pictures == {
        "curves-small.svg", "dev-sizes-small.svg", "sweep-C-tune-small.svg",
        "sweep-C-test-small.svg",
    }  # fmt: skip
    table = (tmp_path / "table.md").read_text()
    assert "## Scores, 20 dev sentences" in table
    assert "| small | 60 | kb-mira C=0.01 | kb-mert on small |" in table


def test_every_tuner_can_be_compared(folder, tmp_path):
    tuners = all_tuners()
    assert {"kb-mert", "lb-mira", "pro", "svm"} < set(tuners)
    result = TunerComparison(
        setting(folder, loop={"iterations": 1, "size": 10}), tmp_path, tuners, ("small",),
        dev_sizes=[20], replicates=1, jobs=1, engine=1, randomisation_trials=20,
        bootstrap_samples=20,
    ).run()  # fmt: skip
    assert result.systems == tuners
    decodings = {cell.system: len(cell.runs[0].curve) for cell in result.cells}
    assert decodings == {name: 1 if name == "untuned" else 2 for name in tuners}


def test_line_searches_alone_on_sparse_features_are_refused(folder, tmp_path):
    with pytest.raises(OptionError, match="nothing to compare: kb-mert take dense features only"):
        comparison(folder, tmp_path / "out", ["kb-mert"], features=("own",)).run()
    assert not (tmp_path / "out").exists()


def test_a_baseline_that_takes_no_feature_set_is_not_the_baseline(folder, tmp_path):
    """On sparse features alone kb-mert is not run; the others are compared all the same."""
    tuners = ["kb-mert", "random", "kb-mira"]
    loop = {"iterations": 1, "size": 5}
    shared = {"features": ("own",), "replicates": 1, "jobs": 1, "engine": 1}
    result = TunerComparison(setting(folder, loop=loop), tmp_path / "out", tuners, **shared).run()
    assert result.baseline == "random"
    assert "| own | kb-mira | random on own |" in (tmp_path / "out" / "table.md").read_text()
    with pytest.raises(OptionError) as error:
        TunerComparison(
            setting(folder, loop=loop), tmp_path / "none", tuners, baseline="mert", **shared
        ).run()
    assert str(error.value) == (
        "the baseline kb-mert takes dense features only, and is none of: random, kb-mira"
    )
    assert not (tmp_path / "none").exists()


def test_bad_values_of_a_sweep_are_refused_before_the_first_run(folder, tmp_path):
    swept = comparison(folder, tmp_path / "out", ["kb-mira"], sweep={"interpolation": [0.5, 2.0]})
    with pytest.raises(OptionError, match=r"interpolation is 2\.0, expected at most 1"):
        swept.run()
    assert not (tmp_path / "out").exists()


def test_what_goes_wrong_says_in_which_run(folder, tmp_path):
    small = comparison(folder, tmp_path, ["kb-mira"], features=("small",), dev_sizes=[20])
    loop = tmp_path / "runs" / "small" / "kb-mira" / "dev-20" / "1" / "loop"
    loop.mkdir(parents=True)
    (loop / "loop.json").write_text("{}")
    with pytest.raises(TunesmithError) as error:
        small.run()
    assert str(error.value) == (
        f"{loop / 'loop.json'}: no tuning state; delete the folder "
        "(in the run small, kb-mira, 20 dev sentences, replicate 1)"
    )


def test_samples(folder):
    shared = setting(folder)
    samples = [dev_sample(2000, Run("small", "pro", r), shared) for r in range(5)]
    assert samples[0].tolist() == list(range(2000))
    assert all(1740 < len(sample) < 1860 for sample in samples[1:])
    assert len({tuple(sample) for sample in samples}) == 5
    other = dev_sample(2000, Run("big", "kb-mert", 3), shared)
    assert np.array_equal(other, samples[3])
    sizes = [dev_sample(2000, Run("small", "pro", 1, (), n), shared) for n in (100, 500, 2000)]
    for small, large in pairwise(sizes):
        assert set(small) < set(large)
    assert np.array_equal(sizes[-1], samples[1])


def test_samples_are_the_same_as_ever(folder):
    """Results of earlier versions can be gone on with: the sentences of a seed do not change."""
    shared = setting(folder)
    runs = [Run("small", "pro", replicate) for replicate in (1, 2)]
    left_out = [set(range(40)) - set(dev_sample(40, run, shared).tolist()) for run in runs]
    assert left_out == [{27}, {17, 22, 39}]
    few = dev_sample(40, Run("small", "pro", 0, (), 5), shared)
    assert few.tolist() == [10, 13, 29, 35, 37]
    other = dev_sample(2000, Run("small", "pro", 1), replace(shared, seed=2))
    assert not np.array_equal(other, dev_sample(2000, Run("small", "pro", 1), shared))


def test_replicates_have_chance_of_their_own(folder, tmp_path):
    """On the same sentences two replicates differ by the tuner's seed, and by nothing else."""
    shared = setting(folder, keep=1.0)
    weights = []
    for replicate, seed in ((0, 1), (1, 1), (0, 2)):
        run, here = Run("small", "random", replicate), replace(shared, seed=seed)
        out = tmp_path / f"{replicate}-{seed}"
        out.mkdir()
        execute(run, setting=here, inputs=here.inputs(), out=str(out), engine=1)
        weights.append(read_weights(run.folder(out) / "weights.tsv"))
    assert weights[0] != weights[1]
    assert weights[1] == weights[2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tuners", "kb-mira,nope"], "unknown tuner 'nope', expected one of: "),
        (["--tuners", "kb-mira,"], "--tuners is 'kb-mira,', expected different names between"),
        (["--features", "huge"], "feature set 'huge', expected one of: standard, dense, small"),
        (["--features", "medium"], "{model} has 1 of 2 phrase tables of the feature set"),
        (["--baseline", "pro"], "the baseline pro is none of: kb-mira"),
        (["--sweep", "C"], "--sweep is 'C', expected KEY=VALUE,VALUE…"),
        (["--sweep", "C=1", "--sweep", "C=2"], "--sweep has 'C' twice"),
        (["--sweep", "restarts=1"], "none of the tuners kb-mira has an option 'restarts'"),
        (["--sweep", "C=1,x"], "--C is 'x', expected a number"),
        (["--dev-sizes", "10,x"], "--dev-sizes has 'x', expected whole numbers between commas"),
        (["--dev-sizes", "10,61"],
         "a dev set of 61 sentences, expected 1 to 60, which {folder}/dev.de has"),
        (["--replicates", "0"], "argument --replicates: 0, expected at least 1"),
        (["--dev-ref", "{folder}/test.en"],
         "{folder}/test.en: 50 lines, expected 60 as in {folder}/dev.de"),
        (["--test-src", "{folder}/dev.de", "--test-ref", "{folder}/test.en"],
         "{folder}/test.en: 50 lines, expected 60 as in {folder}/dev.de"),
        (["--out", "{folder}"],
         "{folder}: other files in it, expected a new folder, or one of a comparison"),
        (["--dev-src", "no-such-file"], "no-such-file: cannot be read: No such file or directory"),
    ],
)  # fmt: skip
def test_wrong_options_get_one_line(folder, tmp_path, capsys, options, message):
    names = {"folder": folder, "model": folder / "model"}
    arguments = [
        "compare", f"{folder}/model", "--dev-src", f"{folder}/dev.de", "--dev-ref",
        f"{folder}/dev.en", "--test-src", f"{folder}/test.de", "--test-ref", f"{folder}/test.en",
        "--tuners", "kb-mira", "--out", str(tmp_path / "out"),
        *(text.format(**names) for text in options),
    ]  # fmt: skip
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("tunesmith compare: " + message.format(**names))
    assert error.count("\n") == 1


def test_broken_results_are_named(folder, tmp_path):
    small = comparison(folder, tmp_path, ["random"], features=("small",), replicates=1)
    small.run()
    run = tmp_path / "runs" / "small" / "random" / "0"
    for name, text, message in (
        (
            "test.out",
            "one line\n",
            "1 lines, expected 50, one per test sentence; delete the folder",
        ),
        ("result.json", "{}", "no result of a run; delete the folder"),
    ):
        (run / name).write_text(text)
        with pytest.raises(Exception, match=message) as error:
            small.run()
        assert str(error.value).startswith(f"{run / name}: ")


def test_without_the_package_that_draws(folder, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(log, "propagate", True)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    comparison(folder, tmp_path, ["untuned"], features=("small",), replicates=1).run()
    assert "no pictures will be drawn: pictures need the package matplotlib" in caplog.text
    assert (tmp_path / "table.md").exists()
    assert not list(tmp_path.glob("*.svg"))
