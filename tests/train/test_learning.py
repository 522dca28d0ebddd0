"""`train --learner maxforce` on a small phrasebook: better translations, the same bytes again."""

import json

import pytest

from reference.phrasebook_texts import write_phrasebook
from tunesmith.cli.main import main
from tunesmith.features import LexicalModel
from tunesmith.model import TranslationModel

PAIRS = 1500


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    write_phrasebook(folder, seed=6, dev=100, test=100, train=PAIRS)
    return folder


def train(corpus, out, *more):
    return main([
        "train", "--src", f"{corpus}/train.de", "--tgt", f"{corpus}/train.en",
        "--dev-src", f"{corpus}/dev.de", "--dev-ref", f"{corpus}/dev.en",
        "--source-language", "de", "--iterations", "3", "--size", "20", "--order", "3",
        "--learner", "maxforce", "--maxforce-epochs", "2", "--clusters", "20", "--retune", "1",
        "--maxforce-lm-folds", "3", "--out", str(out), *more,
    ])  # fmt: skip


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("trained") / "model"
    assert train(corpus, out, "--threads", "1") == 0
    return out


def test_what_is_learned_is_part_of_the_model(trained, corpus, capsys):
    model = TranslationModel.load(trained)
    assert model.feature_names[-1] == "lexical"
    assert model.weights["lexical"] != 0
    assert len(model.lexical) > 1000
    work = trained.with_name("model.work")
    learned = json.loads((work / "learn" / "result.json").read_text())
    tuned = json.loads((work / "tune" / "result.json").read_text())
    final = json.loads((work / "retune" / "result.json").read_text())
    # The same search, from the tuned weights: nothing learned yet, nothing changed.
    assert learned["start_score"] == pytest.approx(tuned["score"], abs=1e-6)
    assert len(learned["epochs"]) == 2
    for epoch in learned["epochs"]:
        assert 0 < epoch["updates"] <= epoch["pairs"]
        assert sum(epoch["bins"]) == epoch["updates"]
    assert final["score"] >= learned["score"] - 1e-6
    # Like any other feature: translated with, explained, tuned.
    assert main(["translate", str(trained), "--input", f"{corpus}/test.de", "--explain"]) == 0
    assert "lexical" in capsys.readouterr().err
    assert main(["inspect", str(trained)]) == 0
    assert "lexical" in capsys.readouterr().out


def test_killed_and_run_again_with_other_threads(trained, corpus, tmp_path, monkeypatch):
    from tunesmith.learn import maxforce

    calls = []
    original = maxforce._Run._pass

    def interrupted(self, learner, number):
        calls.append(number)
        if calls == [1, 2]:
            raise KeyboardInterrupt
        return original(self, learner, number)

    monkeypatch.setattr(maxforce._Run, "_pass", interrupted)
    out = tmp_path / "model"
    assert train(corpus, out, "--threads", "2") == 130
    assert not out.exists()
    assert train(corpus, out, "--threads", "2") == 0
    assert calls == [1, 2, 2]
    for name in ("lexical.bin", "weights.tsv", "model.toml"):
        assert (out / name).read_bytes() == (trained / name).read_bytes()


def test_a_broken_lexical_model_is_answered(trained, tmp_path, capsys):
    model = TranslationModel.load(trained)
    copy = model.with_weights(model.weights, tmp_path / "copy").folder
    data = bytearray((copy / "lexical.bin").read_bytes())
    (copy / "lexical.bin").unlink()
    data[len(data) // 2] ^= 1
    (copy / "lexical.bin").write_bytes(bytes(data))
    (tmp_path / "in").write_text("guten Tag\n")
    assert main(["translate", str(copy), "--input", str(tmp_path / "in")]) == 2
    assert "lexical.bin" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--lexical-levels", "word,stem"], "levels has 'stem', expected some of: word, character"),
        (["--maxforce-scales", "1,x"], "scales is '1,x', expected numbers such as 0.25,0.5,1"),
        (["--maxforce-beam", "0"], "beam is 0, expected at least 1"),
        (["--source-tags", "BROKEN"], "broken:1: 'Haus', expected word/TAG; tag every word"),
    ],
)
def test_refused(corpus, tmp_path, more, message, capsys):
    (tmp_path / "broken").write_text("das/DET Haus\n")
    more = [str(tmp_path / "broken") if word == "BROKEN" else word for word in more]
    assert train(corpus, tmp_path / "model", *more) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "model").exists()


def test_weights_are_the_same_whatever_the_file(trained, tmp_path):
    lexical = TranslationModel.load(trained).lexical
    lexical.save(tmp_path / "l.bin")
    assert (tmp_path / "l.bin").read_bytes() == (trained / "lexical.bin").read_bytes()
    assert len(LexicalModel.load(tmp_path / "l.bin")) == len(lexical)


def test_a_second_table_from_forced_decoding(corpus, tmp_path, capsys):
    out = tmp_path / "model"
    command = [
        "train", "--src", f"{corpus}/train.de", "--tgt", f"{corpus}/train.en",
        "--dev-src", f"{corpus}/dev.de", "--dev-ref", f"{corpus}/dev.en",
        "--source-language", "de", "--iterations", "1", "--size", "10", "--order", "3",
        "--second-tm", "forced", "--out", str(out),
    ]  # fmt: skip
    assert main(command) == 0
    assert "pairs whole" in capsys.readouterr().err
    first, second = TranslationModel.load(out).tables
    assert 0 < len(second) < len(first)
    assert second.meta["options"]["counts"] == "forced decoding"
    known = {(rule.source, rule.target): rule for rule in first}
    for rule in second:
        assert rule.scores[1] == known[rule.source, rule.target].scores[1]
        assert rule.scores[2] <= 0
