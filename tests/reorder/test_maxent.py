"""The model file, what it makes of text, and the command."""

import re
import subprocess
import sys

import numpy as np
import pytest
from scipy.special import logsumexp

from reference.standstill import Written, kill_when
from reorder.test_example_set import coded, random_corpus
from tunesmith.base.array_file import read_arrays, write_arrays
from tunesmith.base.errors import InputError, OptionError
from tunesmith.cli.main import main
from tunesmith.reorder import DualTraining, ExampleExtraction, MaxentModel, MaxentReordering
from tunesmith.reorder.maxent import KIND, VERSION


@pytest.fixture(scope="module")
def corpus():
    return random_corpus(sentences=150)


def test_weights_are_those_of_training(tmp_path, corpus):
    options = MaxentReordering(classes="mslr", variance=0.5)
    model = options.run(*coded(corpus), tmp_path / "model", examples=tmp_path / "examples")
    arrays = read_arrays(model.path, KIND, VERSION)
    weights = arrays["weights"].reshape(-1, 2, 4)
    examples = ExampleExtraction().build(*coded(corpus), tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "examples").read_bytes()
    for place, side in enumerate(("previous", "next")):
        result = DualTraining(variance=0.5).fit(examples.towards(side, "mslr"))
        assert np.array_equal(weights[:, place], result.weights.astype(np.float32))
        assert model.training[side]["passes"] == len(result.passes)
    assert model.names[4:6] == ["maxent.next.monotone", "maxent.next.swap"]
    assert MaxentModel(model.path).options.variance == 0.5


def test_evaluation_is_that_of_the_equations(tmp_path, corpus):
    model = MaxentReordering(direction="backward", cutoff=3, features="paper").run(
        *coded(corpus), tmp_path / "model"
    )
    other = random_corpus(sentences=30, seed=7, words=9)  # with unknown words
    report = model.evaluate(*coded(other))["previous"]
    arrays = read_arrays(model.path, KIND, VERSION)
    weights = dict(zip(arrays["keys"].tolist(), arrays["weights"].reshape(-1, 3), strict=True))
    examples = ExampleExtraction(cutoff=0, features="paper").build(
        *coded(other), tmp_path / "other"
    )
    own = model._arrays
    losses, wrong = [], 0
    found = examples.towards("previous")
    for i in range(len(found)):
        keys = {
            recoded(int(examples.keys[number]), examples, own)
            for number in found.features[found.offsets[i] : found.offsets[i + 1]]
        }
        scores = sum((weights[key].astype(float) for key in keys if key in weights), np.zeros(3))
        right = found.classes[i]
        losses.append(logsumexp(scores) - scores[right])
        wrong += any(scores[k] >= scores[right] for k in range(3) if k != right)
    assert report.examples == len(found)
    assert report.entropy == pytest.approx(np.mean(losses))
    assert report.error == pytest.approx(wrong / len(found))


def recoded(key, examples, arrays):
    """A key with the ids of the words in another vocabulary; None for unknown words."""
    names = [arrays[f"{side}_bytes"].tobytes().decode() for side in ("source", "target")]
    ends = [arrays[f"{side}_ends"].tolist() for side in ("source", "target")]
    ids = []
    for text, stops, words, number in zip(
        names, ends, (examples.words.source, examples.words.target),
        (key >> 30 & (1 << 30) - 1, key & (1 << 30) - 1), strict=True,
    ):  # fmt: skip
        known = [text[a:b] for a, b in zip([0, *stops], stops, strict=False)]
        if number == (1 << 30) - 1 or (key >> 60 != 1 and words is examples.words.target):
            ids.append(number)
        else:
            word = words.text(number)
            if word not in known:
                return None
            ids.append(known.index(word))
    return key >> 60 << 60 | ids[0] << 30 | ids[1]


@pytest.mark.parametrize("method", ["dual", "primal"])
def test_a_killed_run_ends_with_the_same_bytes(tmp_path, corpus, method):
    options = {"method": method, "parts": 2, "rechecks": 1}
    MaxentReordering(passes=7, **options).run(*coded(corpus), tmp_path / "whole")
    for passes in (2, 7):
        MaxentReordering(passes=passes, **options).run(
            *coded(corpus), tmp_path / "model", checkpoints=tmp_path, examples=tmp_path / "examples"
        )
    assert (tmp_path / "model").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("written", ["examples", "previous.state"])
def test_a_run_killed_between_passes_ends_with_the_same_bytes(tmp_path, corpus, written):
    """Before the first pass, and after the second."""
    write_text(tmp_path, corpus)
    command = ["reorder", "train", "--src", "src", "--tgt", "tgt", "--links", "links", "--quiet"]
    assert run_command(command, "--out", "whole", cwd=tmp_path) == 0
    command += ["--out", "model", "--examples", "examples", "--checkpoints", "kept"]
    kill_when(Written(tmp_path, written), command, cwd=tmp_path)
    assert not (tmp_path / "model").exists()
    assert (tmp_path / "kept" / "previous.state").exists() == (written == "previous.state")
    assert run_command(command, cwd=tmp_path) == 0
    assert (tmp_path / "model").read_bytes() == (tmp_path / "whole").read_bytes()


def run_command(command, *more, cwd):
    return subprocess.run(
        [sys.executable, "-m", "tunesmith.cli.main", *command, *more], cwd=cwd, check=False,
        stdout=subprocess.DEVNULL,
    ).returncode  # fmt: skip


def test_examples_of_other_options_are_refused(tmp_path, corpus):
    MaxentReordering().run(*coded(corpus), tmp_path / "model", examples=tmp_path / "examples")
    with pytest.raises(OptionError, match=r"other options \(cutoff 10, not 5\); expected examples"):
        MaxentReordering(cutoff=5).run(
            *coded(corpus), tmp_path / "model", examples=tmp_path / "examples"
        )


def test_too_little_text_is_refused(tmp_path):
    with pytest.raises(OptionError, match=r"no feature occurs more than 10 times in \d+ phrase"):
        MaxentReordering().run(*coded(random_corpus(sentences=1)), tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_a_cut_model_is_refused_by_name(tmp_path, corpus):
    path = tmp_path / "model"
    MaxentReordering().run(*coded(corpus), path)
    whole = path.read_bytes()
    for size in (0, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=re.escape(str(path))):
            MaxentModel(path)


def write_text(folder, corpus):
    for name, lines in (
        ("src", (" ".join(row[0]) for row in corpus)),
        ("tgt", (" ".join(row[1]) for row in corpus)),
        ("links", (" ".join(f"{s}-{t}" for s, t in row[2]) for row in corpus)),
    ):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))


def test_the_command_trains_and_measures(tmp_path, corpus, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_text(tmp_path, corpus)
    text = ["--src", "src", "--tgt", "tgt", "--links", "links"]
    assert main(["reorder", "train", *text, "--out", "model", "--scores", "single"]) == 0
    assert re.search(r"features\nprevious  \d+ passes, objective .*, gap ", capsys.readouterr().out)
    assert MaxentModel("model").names == ["maxent.previous", "maxent.next"]
    assert main(["reorder", "eval", "model", *text]) == 0
    out = capsys.readouterr().out
    assert re.match(r"previous  [\d,]+ phrase pairs, error \d+\.\d\d% \(most frequent", out)


def test_the_command_answers_bad_links_in_one_line(tmp_path, corpus, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_text(tmp_path, corpus)
    (tmp_path / "links").write_text("9-9\n" * len(corpus))
    text = ["--src", "src", "--tgt", "tgt", "--links", "links"]
    assert main(["reorder", "train", *text, "--out", "model", "--quiet"]) == 2
    assert "sentence 1: link 9-9 outside its" in capsys.readouterr().err
    assert not (tmp_path / "model").exists()


def break_nothing(folder):
    pass


def cut_examples(folder):
    path = folder / "examples"
    path.write_bytes(path.read_bytes()[:-100])


def straight_links(folder):
    """Every phrase follows the one before it."""
    lines = [len(line.split()) for line in (folder / "src").read_text().splitlines()]
    (folder / "tgt").write_text((folder / "src").read_text())
    straight = (" ".join(f"{n}-{n}" for n in range(size)) for size in lines)
    (folder / "links").write_text("".join(f"{line}\n" for line in straight))
    (folder / "examples").unlink()


def fewer_links(folder):
    (folder / "links").write_text("0-0\n")
    (folder / "examples").unlink()


@pytest.mark.parametrize(
    ("spoil", "more", "message"),
    [
        (
            break_nothing,
            ["--features", "edges"],
            r"examples was made with other options \(features",
        ),
        (cut_examples, [], r"examples: the file is cut short"),
        (straight_links, [], r"no example of class swap, discontinuous among"),
        (fewer_links, [], r"corpus and links have different numbers of sentences"),
        (break_nothing, ["--features", "more"], r"invalid choice: 'more'"),
        (break_nothing, ["--cutoff", "1000000"], r"other options \(cutoff 10, not 1000000\)"),
    ],
)
def test_bad_input_is_answered_in_one_line(
    tmp_path, corpus, monkeypatch, capsys, spoil, more, message
):
    monkeypatch.chdir(tmp_path)
    write_text(tmp_path, corpus)
    command = ["reorder", "train", "--src", "src", "--tgt", "tgt", "--links", "links", "--quiet"]
    assert main([*command, "--out", "first", "--examples", "examples"]) == 0
    capsys.readouterr()
    spoil(tmp_path)
    try:
        code = main([*command, "--out", "model", "--examples", "examples", *more])
    except SystemExit as found:
        code = found.code
    assert code == 2
    said = capsys.readouterr().err
    assert re.search(message, said.splitlines()[-1])
    assert "Traceback" not in said
    assert not (tmp_path / "model").exists()


def test_a_model_of_other_features_than_its_options_is_refused(tmp_path, corpus):
    path = tmp_path / "model"
    MaxentReordering().run(*coded(corpus), path)
    arrays = dict(read_arrays(path, KIND, VERSION))
    arrays["shape"] = arrays["shape"].copy()
    arrays["shape"][4] ^= 4
    write_arrays(path, KIND, VERSION, arrays)
    with pytest.raises(InputError, match=r"model: options that are not those of its weights"):
        MaxentModel(path)
