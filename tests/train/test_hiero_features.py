"""`train --model hiero --features`: sparse features of rules, ours and a user's."""

import json
import shutil

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook
from tunesmith.decode import KBest, open_decoder
from tunesmith.model import TranslationModel
from tunesmith.train import TrainOptions

TEMPLATE = """
def gaps(source, target, links, counts):
    if any(word.startswith("[X,") for word in source):
        yield f"{'few' if counts[2] < 3 else 'many'}"
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=5, dev=60, test=40, train=800)
    (folder / "mine.py").write_text(TEMPLATE)
    return folder


def arguments(corpus, out, features, *more):
    return [
        "train", "--model", "hiero", "--src", f"{corpus}/train.de", "--tgt", f"{corpus}/train.en",
        "--dev-src", f"{corpus}/dev.de", "--dev-ref", f"{corpus}/dev.en",
        "--source-language", "de", "--iterations", "3", "--size", "20", "--order", "3",
        "--lm2-classes", "20", "--lm2-order", "4", "--clusters", "20", "--features", features,
        "--template", f"{corpus}/mine.py:gaps", "--out", str(out), *more,
    ]  # fmt: skip


@pytest.fixture(scope="module")
def models(corpus, tmp_path_factory):
    """By feature set; they share a work folder."""
    folder = tmp_path_factory.mktemp("trained")
    found = {}
    for name in ("rules", "big", "edges"):
        work = ("--work", f"{folder}/work", "--threads", "1")
        assert main(arguments(corpus, folder / name, name, *work)) == 0
        found[name] = folder / name
    return found


TEMPLATES = {
    "rules": {"rule_id", "src_ngram", "shape", "gaps"},
    "big": {"tgt_unal", "word_pair", "length_bin", "shape", "gaps"},
    "edges": {"rule_id", "edges", "gaps"},
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_features_of_every_template_are_tuned(models, name):
    model = TranslationModel.load(models[name])
    sparse = {n: v for n, v in model.weights.items() if n not in model.feature_names}
    assert {n.partition(":")[0] for n in sparse} == TEMPLATES[name]
    assert {n.partition(":")[0] for n, value in sparse.items() if value} >= TEMPLATES[name] - {
        "tgt_unal"
    }
    assert {"gaps:few", "gaps:many"} <= set(sparse)


def test_same_bytes_with_two_threads(models, corpus, tmp_path):
    assert main(arguments(corpus, tmp_path / "m", "edges", "--threads", "2")) == 0
    for name in ("features.json", "edges.bin", "mine.py", "weights.tsv", "model.toml"):
        assert (tmp_path / "m" / name).read_bytes() == (models["edges"] / name).read_bytes()


def test_only_what_depends_on_the_template_is_done_again(models, corpus, tmp_path, capsys):
    work = ("--work", f"{models['rules'].parent}/work")
    changed = tmp_path / "mine.py"
    changed.write_text(TEMPLATE.replace("< 3", "< 4"))
    more = arguments(corpus, tmp_path / "m", "rules", *work)
    more[more.index(f"{corpus}/mine.py:gaps")] = f"{changed}:gaps"
    assert main(more) == 0
    assert capsys.readouterr().err.count("kept from an earlier run") == 5  # not features and tune


def test_a_model_needs_nothing_but_its_folder(models, corpus, tmp_path, capsys):
    shutil.copytree(models["edges"], tmp_path / "moved")
    out = tmp_path / "out"
    files = ["--input", f"{corpus}/test.de", "--out", str(out)]
    assert main(["translate", str(tmp_path / "moved"), *files]) == 0
    assert main(["translate", str(models["edges"]), *files[:2], "--out", f"{out}2"]) == 0
    assert out.read_text() == (tmp_path / "out2").read_text()
    (tmp_path / "moved" / "mine.py").unlink()
    assert main(["translate", str(tmp_path / "moved"), *files]) == 2
    assert "moved/mine.py: no such file" in capsys.readouterr().err


def test_they_are_explained_and_inspected(models, corpus, tmp_path, capsys):
    folder = str(models["rules"])
    text = tmp_path / "text"
    text.write_text((corpus / "test.de").read_text().splitlines()[0] + "\n")
    assert main(["translate", folder, "--input", str(text), "--explain"]) == 0
    assert "sparse features" in capsys.readouterr().err
    assert main(["inspect", folder]) == 0
    assert "  sparse features (rule_id, src_ngram, shape, gaps), " in capsys.readouterr().out
    assert main(["inspect", folder, "--phrase", "ich", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)[0]
    assert first["features"] == {f"rule_id:ich|{first['target']}": 1.0, "shape:w|w": 1.0}


def test_n_best_lists_have_them(models, corpus, tmp_path):
    model = TranslationModel.load(models["big"])
    lines = model.preprocessors[0].encode((corpus / "test.de").read_text().splitlines()[:5])
    output = open_decoder(model, engine=1).decode(lines, want=KBest(10))
    kinds = {name.partition(":")[0] for name in output.used_sparse()[1]}
    assert {"word_pair", "length_bin", "shape", "gaps"} <= kinds


def test_a_smaller_set_is_a_view(models):
    model = TranslationModel.load(models["rules"])
    dense = model.restricted("standard")
    assert dense.grammar_templates is None
    assert set(dense.weights) == set(dense.feature_names)
    for name in ("rules", "big", "edges"):
        whole = TranslationModel.load(models[name])
        assert whole.restricted(name).weights == whole.weights
    with pytest.raises(OptionError, match="sparse features of the feature set 'edges'"):
        model.restricted("edges")


def test_they_are_compared(models, corpus, tmp_path, capsys):
    for language in ("de", "en"):
        lines = (corpus / f"dev.{language}").read_text().splitlines()[:10]
        (tmp_path / f"dev.{language}").write_text("".join(f"{line}\n" for line in lines))
    files = [f"--{kind}-{side}" for kind in ("dev", "test") for side in ("src", "ref")]
    texts = [str(tmp_path / f"dev.{language}") for language in ("de", "en")] * 2
    given = [part for pair in zip(files, texts, strict=True) for part in pair]
    how = ["--tuners", "kb-mira,kb-mert", "--iterations", "1", "--size", "5", "--replicates", "1"]
    out = str(tmp_path / "compared")
    assert (
        main(["compare", str(models["big"]), *given, *how, "--features", "big", "--out", out]) == 0
    )
    table = capsys.readouterr().out
    head = "| features | tuner | dense | tgt_unal | word_pair | length_bin | shape | gaps | all |"
    assert head in table
    row = next(line for line in table.splitlines() if "*in the model*" in line)
    assert row.split(" | ")[3:8] == ["–"] * 5


def test_sets_of_hierarchical_models_are_no_sets_of_phrases():
    with pytest.raises(OptionError, match="'rules', expected one of: standard, dense, small, med"):
        TrainOptions(features="rules").check()
