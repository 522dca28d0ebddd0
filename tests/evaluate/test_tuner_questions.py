"""What a comparison can ask: several test sets, options, grids, no tuning, draws of the dev set."""

import json
from collections import Counter
from itertools import combinations
from statistics import mean, stdev

import pytest

from reference.tuner_comparisons import comparison, setting
from tunesmith.base.errors import OptionError
from tunesmith.cli.main import main
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.evaluate.run_setting import Run, dev_sample
from tunesmith.evaluate.tuner_comparison import TunerComparison
from tunesmith.formats.text import read_lines
from tunesmith.formats.weights import read_weights
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel

QUICK = {"jobs": 1, "engine": 1, "randomisation_trials": 50, "bootstrap_samples": 50}


def command(folder, out, *options):
    return [
        "compare", f"{folder}/model", "--dev-src", f"{folder}/dev.de", "--dev-ref",
        f"{folder}/dev.en", "--out", str(out), "--iterations", "1", "--size", "10", "--pop-limit",
        "10", "--threads", "1", "--bootstrap-samples", "50", "--randomisation-trials", "50",
        "--quiet", *options,
    ]  # fmt: skip


@pytest.fixture(scope="module")
def several(folder, tmp_path_factory):
    """Two test sets, the untuned weights and a tuner with an option, by the command line."""
    out = tmp_path_factory.mktemp("several")
    assert main(command(
        folder, out, "--features", "small,own", "--replicates", "2", "--baseline", "untuned",
        "--tuners", "untuned,kb-mira", "--set", "kb-mira.passes=2",
        "--test-src", f"{folder}/test.de", "--test-ref", f"{folder}/test.en",
        "--test-src", f"{folder}/dev.de", "--test-ref", f"{folder}/dev.en",
    )) == 0  # fmt: skip
    return out, json.loads((out / "results.json").read_text())


def test_every_test_set_has_a_column_and_their_mean_has_one(several):
    out, record = several
    tables = (out / "table.md").read_text()
    assert (
        "| tuner | small: tune | test | dev | mean | SD | own: tune | test | dev | mean |" in tables
    )
    for cell in record["cells"]:
        place = out / "runs" / cell["features"] / cell["system"].replace(" ", ",")
        runs = [json.loads((place / str(r) / "result.json").read_text()) for r in range(2)]
        means = [mean([run["tests"]["test"], run["tests"]["dev"]]) for run in runs]
        assert cell["test"] == pytest.approx(mean(means))
        assert cell["sd"] == pytest.approx(stdev(means))
    tsv = [line.split("\t") for line in (out / "table.tsv").read_text().splitlines()]
    assert [row[4] for row in tsv[1:4]] == ["test", "dev", "mean"]
    assert float(tsv[3][6]) == pytest.approx((float(tsv[1][6]) + float(tsv[2][6])) / 2, abs=1e-4)
    rows = [row for row in record["differences"] if row["over"] == "untuned"]
    assert Counter(row["test_set"] for row in rows) == {"test": 2, "dev": 2, "mean": 2}
    by_set = {row["test_set"]: row["points"] for row in rows if row["features"] == "small"}
    assert by_set["mean"] == pytest.approx((by_set["test"] + by_set["dev"]) / 2)


def test_the_untuned_row_is_what_the_initial_weights_translate(folder, several):
    out, _ = several
    model = TranslationModel.load(folder / "model").restricted("small")
    source, target = model.preprocessors
    search = SearchOptions(pop_limit=10, stack_size=50)
    decoder = open_decoder(model, search=search, engine=1)
    sentences = source.encode(read_lines(folder / "test.de"))
    expected = list(decoder.decode(sentences, model.initial_weights()).best())
    bleu = Bleu(tokenize="none")
    for replicate in range(2):
        run = out / "runs" / "small" / "untuned" / str(replicate)
        assert read_lines(run / "test.out") == expected
        result = json.loads((run / "result.json").read_text())
        references = [target.encode(read_lines(folder / "test.en"))]
        assert result["tests"]["test"] == pytest.approx(bleu.corpus_score(expected, references))
    # The dev set of replicate 0 is a test set here too.
    first = json.loads((out / "runs" / "small" / "untuned" / "0" / "result.json").read_text())
    assert first["tune"] == pytest.approx(first["tests"]["dev"])


def test_options_of_tuners_are_set_and_named(folder, several, tmp_path):
    out, record = several
    assert {cell["system"] for cell in record["cells"]} == {"untuned", "kb-mira passes=2"}
    kept = json.loads((out / "runs/small/kb-mira,passes=2/0/result.json").read_text())
    assert kept["identity"]["tuner"]["passes"] == 2
    # The same folder takes the tuner with its defaults beside it.
    assert main(command(
        folder, tmp_path, "--features", "small", "--replicates", "1", "--tuners", "kb-mira",
        "--test-src", f"{folder}/test.de", "--test-ref", f"{folder}/test.en",
    )) == 0  # fmt: skip
    plain = json.loads((tmp_path / "runs/small/kb-mira/0/result.json").read_text())
    assert plain["identity"]["tuner"]["passes"] != 2


def test_weights_are_counted_by_template(several):
    out, record = several
    for cell in record["cells"]:
        weights = read_weights(
            out / "runs" / cell["features"] / cell["system"].replace(" ", ",") / "0" / "weights.tsv"
        )
        bins = sum(1 for name, value in weights.items() if name.startswith("length_bin:") and value)
        assert cell["runs"][0]["weights"].get("length_bin", 0) == bins
        assert (bins > 0) == (cell["features"] == "own" and cell["system"] != "untuned")
    table = (out / "table.md").read_text()
    assert "| features | tuner | dense | length_bin | all |" in table
    line = next(line for line in table.splitlines() if line.startswith("| own | *in the model* |"))
    in_the_model = int(line.split("|")[4].replace(",", ""))
    assert in_the_model >= bins > 0


def test_swept_options_give_all_combinations(folder, tmp_path):
    result = comparison(
        folder, tmp_path, ["kb-mira", "random"], features=("small",), replicates=1,
        sweep={"C": [0.05, 0.01], "passes": [1, 2], "random.trials": [3]},
        options={"kb-mira": {"interpolation": 0.5}},
    ).run()  # fmt: skip
    assert result.systems == [
        f"kb-mira interpolation=0.5 C={c} passes={n}" for c in (0.05, 0.01) for n in (1, 2)
    ] + ["random trials=3"]
    assert len({tuple(cell.runs[0].curve) for cell in result.cells}) == 5
    pictures = {path.name for path in tmp_path.glob("sweep*test*")}
    assert pictures == {"sweep-C-test-small.svg", "sweep-passes-test-small.svg"}
    drawn = (tmp_path / "sweep-C-test-small.svg").read_text()
    assert drawn.count('id="series-') == 2
    assert "kb-mira interpolation=0.5 passes=2" in drawn


@pytest.mark.parametrize("draws", ["independent", "disjoint"])
def test_dev_sets_of_their_own(folder, draws):
    shared = setting(folder, draws=draws)
    samples = [dev_sample(2000, Run("small", "pro", r, (), 400), shared) for r in range(4)]
    assert all(len(set(sample)) == 400 for sample in samples)
    common = [len(set(one) & set(other)) for one, other in combinations(samples, 2)]
    if draws == "disjoint":
        assert common == [0] * 6
    else:
        # 80 are expected, with a standard deviation of 7.
        assert all(50 < count < 110 for count in common)
        assert set(dev_sample(2000, Run("small", "pro", 1, (), 100), shared)) < set(samples[1])
    again = dev_sample(2000, Run("big", "kb-mira", 2, (), 400), shared)
    assert again.tolist() == samples[2].tolist()


def test_dev_sets_of_their_own_are_tuned_on(folder, tmp_path):
    result = TunerComparison(
        setting(folder, draws="disjoint"), tmp_path, ["untuned"], ["small"], dev_sizes=[20],
        replicates=3, **QUICK,
    ).run()  # fmt: skip
    assert len({run.tune for run in result.cells[0].runs}) == 3
    assert result.cells[0].deviation == 0.0


def test_the_average_length_of_references_is_a_choice(folder, tmp_path):
    references = (f"{folder}/test.en", f"{folder}/short.en")
    lines = read_lines(folder / "test.en")
    (folder / "short.en").write_text("".join(line[: len(line) // 2] + "\n" for line in lines))
    signatures, scores = [], []
    for length in ("closest", "average"):
        out = tmp_path / length
        assert main(command(
            folder, out, "--features", "small", "--replicates", "1", "--tuners", "untuned",
            "--test-src", f"{folder}/test.de", "--test-ref", *references,
            "--reference-length", length,
        )) == 0  # fmt: skip
        record = json.loads((out / "results.json").read_text())
        signatures.append(record["signature"])
        scores.append(record["cells"][0]["test"])
        model = TranslationModel.load(folder / "model")
        bleu = Bleu(tokenize="none", reference_length=length)
        target = model.preprocessors[1]
        output = read_lines(out / "runs/small/untuned/0/test.out")
        expected = bleu.corpus_score(output, [target.encode(read_lines(p)) for p in references])
        assert scores[-1] == pytest.approx(expected)
    assert scores[0] != pytest.approx(scores[1])
    assert "reflen:average" in signatures[1]
    assert "reflen" not in signatures[0]


TEST = ["--test-src", "{folder}/test.de", "--test-ref", "{folder}/test.en"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([*TEST, "--test-src", "{folder}/dev.de"],
         "--test-ref is given 1 times, expected 2, as often as --test-src"),
        ([*TEST, "--test-name", "a", "--test-name", "b"],
         "--test-name is given 2 times, expected 1, as often as --test-src"),
        ([*TEST, "--test-name", "a/b"], "--test-name is 'a/b', expected a name for files"),
        ([*TEST, *TEST], "test sets are named test, test, expected different names, none 'mean'"),
        ([*TEST, "--test-name", "mean"],
         "test sets are named mean, expected different names, none 'mean'"),
        ([*TEST, "--set", "passes=3"], "--set has 'passes', expected TUNER.KEY=VALUE with one of "),
        ([*TEST, "--set", "pro.C=3"], "--set has 'pro.C', expected TUNER.KEY=VALUE with one of "),
        ([*TEST, "--set", "kb-mira.passes=x"],
         "--kb-mira.passes is 'x', expected a whole number"),
        ([*TEST, "--set", "kb-mira.C=1,2"], "--set has 'kb-mira.C', expected TUNER.KEY=VALUE"),
        ([*TEST, "--set", "kb-mira.C=1", "--sweep", "C=1,2"],
         "the option 'C' of kb-mira is given twice"),
        ([*TEST, "--sweep", "C=1", "--sweep", "kb-mira.C=2"],
         "the option 'C' of kb-mira is given twice"),
        ([*TEST, "--dev-draws", "independent"],
         "independent draws of the dev set need sizes, that is --dev-sizes"),
        ([*TEST, "--dev-draws", "disjoint", "--dev-sizes", "30", "--replicates", "3"],
         "3 disjoint dev sets of 30 sentences, expected 1 to 20, which {folder}/dev.de has"),
    ],
)  # fmt: skip
def test_wrong_questions_get_one_line(folder, tmp_path, capsys, options, message):
    given = [text.format(folder=folder) for text in options]
    out = tmp_path / "out"
    assert main(command(folder, out, "--tuners", "kb-mira", *given)) == 2
    error = capsys.readouterr().err
    assert error.startswith("tunesmith compare: " + message.format(folder=folder))
    assert error.count("\n") == 1
    assert not out.exists()


def test_options_of_a_tuner_that_is_not_compared_are_refused(folder, tmp_path):
    with pytest.raises(OptionError, match="options of pro, which is none of the tuners kb-mira"):
        comparison(folder, tmp_path, ["kb-mira"], options={"pro": {"pairs": 5}}).run()
