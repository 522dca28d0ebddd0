"""`train --features`: a big model on a small phrasebook, its smaller sets, and what is refused."""

import pytest

from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook
from tunesmith.decode import KBest, open_decoder
from tunesmith.features import FEATURE_SETS
from tunesmith.formats.weights import read_weights
from tunesmith.model import TranslationModel

TEMPLATE = """
def same(source, target, links, counts):
    if source == target:
        yield "copy"
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=5, dev=60, train=800)
    (folder / "mine.py").write_text(TEMPLATE)
    return folder


def arguments(corpus, out, *more):
    return [
        "train", "--src", f"{corpus}/train.de", "--tgt", f"{corpus}/train.en",
        "--dev-src", f"{corpus}/dev.de", "--dev-ref", f"{corpus}/dev.en",
        "--source-language", "de", "--iterations", "4", "--size", "20", "--order", "3",
        "--lm2-classes", "20", "--lm2-order", "4", "--out", str(out), *more,
    ]  # fmt: skip


@pytest.fixture(scope="module")
def big(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("trained") / "model"
    template = ("--template", f"{corpus}/mine.py:same")
    assert main(arguments(corpus, out, "--features", "big", "--threads", "1", *template)) == 0
    return out


def test_a_big_model_has_it_all(big):
    model = TranslationModel.load(big)
    assert len(model.feature_names) == 18
    assert len(model.tables) == len(model.language_models) == 2
    assert model.language_models[1].has_classes
    kinds = {name.partition(":")[0] for name in model.sparse_names}
    assert kinds == {"tgt_unal", "count_bin", "word_pair", "length_bin", "same"}
    used = [name for name in model.weights if name in model.sparse_names]
    assert len(used) > 50
    assert any(model.weights[name] for name in used)
    assert len(FEATURE_SETS["big"].templates) == 4


def test_same_bytes_with_two_threads(big, corpus, tmp_path):
    template = ("--template", f"{corpus}/mine.py:same")
    given = ("--features", "big", "--threads", "2", *template)
    assert main(arguments(corpus, tmp_path / "m", *given)) == 0
    for name in ("features.bin", "lm2.bin", "phrases2.bin", "weights.tsv", "model.toml"):
        assert (tmp_path / "m" / name).read_bytes() == (big / name).read_bytes()


def test_smaller_sets_share_the_stages(big, corpus, capsys):
    """What a smaller set has is kept from the big one; only the tuning is its own."""
    work = ("--work", f"{big}.work")
    for name, kept in (("small", 4), ("medium", 7), ("dense", 4)):
        out = big.with_name(name)
        assert main(arguments(corpus, out, "--features", name, *work)) == 0
        assert capsys.readouterr().err.count("kept from an earlier run") == kept
        model = TranslationModel.load(out)
        view = TranslationModel.load(big).restricted(name)
        assert model.feature_names == view.feature_names
        assert len(model.sparse_names) == 0
        lines = model.preprocessors[0].encode((corpus / "dev.de").read_text().splitlines()[:20])
        outputs = [
            open_decoder(one, engine=1).decode(lines, model.weights, want=KBest(5))
            for one in (model, view)
        ]
        assert outputs[0].texts == outputs[1].texts
        assert outputs[0].features.tobytes() == outputs[1].features.tobytes()


def test_tuning_a_smaller_set_of_a_model(big, corpus, tmp_path, capsys):
    given = ["tune", str(big), "--dev-src", f"{corpus}/dev.de", "--dev-ref", f"{corpus}/dev.en",
             "--iterations", "1", "--size", "20", "--tuner", "kb-mert"]  # fmt: skip
    assert main([*given, "--out", str(tmp_path / "m")]) == 2
    assert "kb-mert searches along single features and takes dense ones only, but the model has " \
        "sparse features; take a smaller feature set (--features medium) or" in (
        capsys.readouterr().err
    )  # fmt: skip
    assert main([*given, "--features", "small", "--out", str(tmp_path / "m")]) == 0
    model = TranslationModel.load(tmp_path / "m")
    assert set(read_weights(tmp_path / "m/weights.tsv")) == set(model.feature_names)
    assert len(model.feature_names) == 7
    assert not (tmp_path / "m/features.bin").exists()


def test_pruned_models_keep_their_features(big, corpus, tmp_path, capsys):
    assert main(["prune", str(big), "--out", str(tmp_path / "m"), "--limit", "3", "--text",
                 f"{corpus}/dev.de"]) == 0  # fmt: skip
    whole, part = TranslationModel.load(big), TranslationModel.load(tmp_path / "m")
    assert list(whole.sparse_names) == list(part.sparse_names)
    assert dict(whole.weights) == dict(part.weights)
    for old, new in zip(whole.tables, part.tables, strict=True):
        assert 0 < len(new) < len(old)
        numbers = {(rule.source, rule.target): n for n, rule in enumerate(old)}
        for number, rule in enumerate(new):
            features = part.rule_features.of_rule(new, number)
            place = numbers[rule.source, rule.target]
            assert features == whole.rule_features.of_rule(old, place)


def test_inspect_and_export_tell_of_sparse_features(big, tmp_path, capsys):
    assert main(["inspect", str(big)]) == 0
    out = capsys.readouterr().out
    count = len(TranslationModel.load(big).sparse_names)
    assert (
        f"  {count:,} sparse features (tgt_unal, word_pair, length_bin, count_bin, same), " in out
    )
    assert main(["export", str(big), "--out", str(tmp_path / "moses")]) == 0
    said = capsys.readouterr().err
    assert f"{count:,} sparse features stay behind" in said
    # A class-based model would take every word of Moses' for an unknown one.
    assert "a class-based language model stays behind" in said
    assert [path.name for path in sorted((tmp_path / "moses").glob("lm*"))] == ["lm.arpa.gz"]
    assert main(["import", str(tmp_path / "moses/moses.ini"), "--out", str(tmp_path / "m")]) == 0
    weights, theirs = (TranslationModel.load(one).weights for one in (big, tmp_path / "m"))
    assert theirs["lm"] == pytest.approx(weights["lm"])
    assert "lm2" not in theirs


def test_a_second_language_model_of_a_file(big, corpus, tmp_path):
    model = TranslationModel.load(big)
    given = ("--lm2", str(big / "lm.bin"), "--work", f"{big}.work")
    assert main(arguments(corpus, tmp_path / "m", *given)) == 0
    made = TranslationModel.load(tmp_path / "m")
    assert made.feature_names == (*model.restricted("dense").feature_names, "lm2")
    assert (tmp_path / "m/lm2.bin").read_bytes() == (big / "lm.bin").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--features", "big", "--tuner", "kb-mert"), "kb-mert searches along single features"),
        (("--features", "medium", "--second-table", "none"), "second_table is 'none', expected"),
        (("--template", "none.py:f"), "none.py: no such file, expected a Python file"),
        (("--template", "mine"), "template 'mine', expected FILE.py:function"),
        (("--lm2", "none.arpa"), "none.arpa"),
    ],
)
def test_what_is_refused_before_any_work(corpus, tmp_path, capsys, options, message):
    assert main(arguments(corpus, tmp_path / "m", *options)) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_template_that_fails_leaves_no_model(corpus, tmp_path, capsys):
    path = tmp_path / "bad.py"
    path.write_text("def f(source, target, links, counts):\n    return 1 / 0\n")
    given = ("--template", f"{path}:f")
    assert main(arguments(corpus, tmp_path / "m", *given)) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert f"{path}:2: ZeroDivisionError: division by zero, from f() for " in error
    assert not (tmp_path / "m").exists()
