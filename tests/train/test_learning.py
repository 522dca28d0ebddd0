"""`train --learner maxforce` on a small phrasebook: better translations, the same bytes again."""

import json
import re

import pytest

from tunesmith.cli.main import main
from tunesmith.corpus import Bitext, phrasebook
from tunesmith.decode.forced import ForcedDecoder, ForcedOptions
from tunesmith.features import LexicalModel
from tunesmith.formats.pharaoh import read_links
from tunesmith.model import TranslationModel

PAIRS = 1500


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=6, dev=100, test=100, train=PAIRS)
    return folder


def train(corpus, out, *more):
    return main([
        "train", "--src", f"{corpus}/train.de", "--tgt", f"{corpus}/train.en",
        "--dev-src", f"{corpus}/dev.de", "--dev-ref", f"{corpus}/dev.en",
        "--source-language", "de", "--iterations", "3", "--size", "20", "--order", "3",
        "--learner", "maxforce", "--maxforce-epochs", "2", "--clusters", "20", "--retune", "1",
        "--maxforce-folds", "3", "--out", str(out), *more,
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


def test_what_makes_it_worse_is_left_out(trained, corpus, tmp_path, capsys):
    out = tmp_path / "model"
    work = ["--work", f"{trained}.work", "--maxforce-epochs", "1", "--retune", "0"]
    assert train(corpus, out, *work, "--epoch-tuning", "0", "--maxforce-rate", "1000") == 0
    said = capsys.readouterr().err
    model, stages = TranslationModel.load(out), trained.with_name("model.work")
    tuned, learned = (
        json.loads((stages / name / "result.json").read_text())["score"]
        for name in ("tune", "learn")
    )
    assert learned < tuned
    line = f"with what was learned the dev set has {learned:.2f}, without it {tuned:.2f}"
    assert f"warning: {line}: it is left out\n" in said
    assert model.lexical is None
    assert (out / "weights.tsv").read_bytes() == (stages / "tune" / "weights.tsv").read_bytes()


def test_what_was_learned_can_be_read(trained, corpus, capsys):
    command = ["inspect", str(trained), "--lexical", "200"]
    assert main([*command, "--text", f"{corpus}/train.de"]) == 0
    printed = capsys.readouterr().out.splitlines()
    lines, legend = printed[:200], printed[200:]
    weights = [abs(float(line.split()[0])) for line in lines]
    assert len(weights) == 200
    assert weights == sorted(weights, reverse=True)
    # Classes are shown by their words, each once.
    classes = set(re.findall(r"(?:cluster\d*)=([01]+)", "\n".join(lines)))
    assert {line.split()[2].rstrip(":") for line in legend} == classes
    assert len(set(legend)) == len(legend)
    assert all(re.match(r"(source|target) cluster\d* [01]+: \S+(, \S+)*$", line) for line in legend)
    # All of them were learned in this text.
    assert all(re.match(r"\s*-?\d\.\d+  (rule|edges):.", line) for line in lines)
    assert main([*command, "--json", "--text", f"{corpus}/train.de"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [f"{row['weight']:10.6f}  {row['names'][0]}" for row in rows] == lines
    # Without the text those that look around a phrase keep their keys.
    assert main(command) == 0
    printed = capsys.readouterr().out.splitlines()
    alone, note = printed[:200], printed[-1]
    keys = [line for line in alone if "  key:" in line]
    assert keys
    assert note == f"{len(keys)} of these see the words around a phrase: --text FILE names them"
    for line, named in zip(alone, lines, strict=True):
        assert line == named or ("  key:" in line and re.search(r"\|(before|after)\.", named))
    assert main(["translate", str(trained), "--input", f"{corpus}/test.de", "--explain"]) == 0
    explained = capsys.readouterr().err
    # Line by line: a phrase with what its lexical features add, which is `lexical` in the end.
    first = explained.split("\n[1] ")[0].splitlines()
    (total,) = (float(line.split()[-1]) for line in first if line.startswith("    lexical  "))
    begin = next(i for i, line in enumerate(first) if line.startswith("    lexical features"))
    phrases = [line for line in first[begin + 1 :] if line.startswith("    ") and line[4] != " "]
    assert sum(float(line.split()[-1]) for line in phrases) == pytest.approx(total, abs=0.002)
    assert any(line.startswith("      edges:") for line in first[begin:])


def test_each_table_is_judged_by_its_own_links(corpus, tmp_path, capsys):
    """Two tables: what a pair alone taught either of them does not help to make it."""
    out = tmp_path / "model"
    more = (
        "--second-table", "ibm2", "--maxforce-folds", "0", "--maxforce-method", "max-violation",
        "--maxforce-epochs", "1", "--retune", "0", "--epoch-tuning", "0", "--iterations", "1",
    )  # fmt: skip
    assert train(corpus, out, *more) == 0
    learned_from = re.search(r"([\d,]+) of [\d,]+ pairs can be made", capsys.readouterr().err)
    work = out.with_name("model.work")
    bitext = Bitext.load(work / "corpus" / "bitext.bin")
    first, second = (read_links(work / stage / "links.bin") for stage in ("align", "align2"))
    decoder = ForcedDecoder(TranslationModel.load(out), ForcedOptions(leave_out="own"))
    reached = {
        name: int(decoder.run(bitext, links).whole.sum())
        for name, links in (("own", (first, second)), ("the first's", (first, first)))
    }
    assert int(learned_from[1].replace(",", "")) == reached["own"] < reached["the first's"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--text", "x"], "--text and --pretokenised go with --lexical N"),
        (["--lexical", "0"], "argument --lexical: 0, expected at least 1"),
        (["--lexical", "5", "--text", "missing"], "missing: cannot be read: No such file or dir"),
    ],
)
def test_inspect_refuses(trained, more, message, capsys):
    assert main(["inspect", str(trained), *more]) == 2
    assert message in capsys.readouterr().err


def test_killed_and_run_again_with_other_threads(trained, corpus, tmp_path, monkeypatch):
    from tunesmith.learn.stack_learner import StackLearner

    calls, original = [], StackLearner.one_pass

    def interrupted(learner, number):
        calls.append(number)
        if calls == [1, 2]:
            raise KeyboardInterrupt
        return original(learner, number)

    monkeypatch.setattr(StackLearner, "one_pass", interrupted)
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
        (["--lexical-source-levels", "word"], "source_levels has 'word', which levels has too"),
        (["--lexical-source-levels", "x"], "source_levels has 'x', expected some of: word, charac"),
        (["--maxforce-folds", "-1"], "argument --maxforce-folds: -1, expected at least 0"),
        (["--maxforce-folds", "1"], "folds is 1, expected 0 or at least 2: one part has no others"),
        (["--features", "big"], "which it cannot with sparse features or a forced second table"),
        (["--maxforce-beam", "0"], "argument --maxforce-beam: 0, expected at least 1"),
        (["--lexical-max-atoms", "8"], "argument --lexical-max-atoms: 8, expected at most 7"),
        (
            ["--maxforce-dense-weights", "from-zero"],
            "dense_weights is from-zero and dense is penalties, expected all: weights that do not",
        ),
        (["--source-tags", "BROKEN"], "broken:1: 'Haus', expected word/TAG; tag every word"),
    ],
)
def test_refused(corpus, tmp_path, more, message, capsys):
    (tmp_path / "broken").write_text("das/DET Haus\n")
    more = [str(tmp_path / "broken") if word == "BROKEN" else word for word in more]
    assert train(corpus, tmp_path / "model", *more) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "model").exists()


def test_as_the_paper_has_it_the_dev_set_only_says_when_to_stop(corpus, tmp_path, capsys):
    """All weights are learned from 0 and kept: however the dense ones were tuned, nothing of it is
    in the model.
    """
    learned = []
    for iterations in ("1", "2"):
        out = tmp_path / f"model{iterations}"
        assert train(
            corpus, out, "--iterations", iterations, "--maxforce-method", "max-violation",
            "--maxforce-dense", "all", "--maxforce-dense-weights", "from-zero",
            "--maxforce-prefixes", "all", "--maxforce-dead-ends", "--no-maxforce-average",
            "--maxforce-folds", "0", "--epoch-tuning", "0", "--retune", "0",
            "--lexical-max-atoms", "0", "--lexical-levels", "word,cluster4",
        ) == 0  # fmt: skip
        messages = capsys.readouterr().err
        learned.append((out / "weights.tsv").read_bytes() + (out / "lexical.bin").read_bytes())
    assert learned[0] == learned[1]
    tuned = [
        (tmp_path / f"model{i}.work" / "tune" / "weights.tsv").read_bytes() for i in ("1", "2")
    ]
    assert tuned[0] != tuned[1]
    model = TranslationModel.load(out)
    assert set(model.weights) == set(model.feature_names)
    assert model.weights["lexical"] == 1
    assert sum(value != 0 for value in model.weights.values()) > len(model.weights) // 2
    result = json.loads((out.with_name("model2.work") / "learn" / "result.json").read_text())
    assert result["score"] > result["start_score"] + 5  # 0 everywhere is no translator
    pairs, made, examples = (
        int(number.replace(",", ""))
        for number in re.search(
            r"of ([\d,]+) pairs can be made, ([\d,]+) with prefixes, ([\d,]+) examples", messages
        ).groups()
    )
    assert pairs >= made
    assert examples > made  # several prefixes of a pair
    assert {epoch["pairs"] for epoch in result["epochs"]} == {examples}


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
