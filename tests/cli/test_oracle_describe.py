"""The verbs `oracle` and `describe`: what lists allow, and what weights are worth."""

import itertools
import json

import pytest
import sacrebleu

from reference.tiny_lists import NBEST, REFERENCES, WITH_BAD_LINES, write_lists
from tunesmith.cli.main import main

WEIGHTS = {"lm": 0.5, "tm_0": 1.0, "tm_1": 2.0, "len": 2.0}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lists(tmp_path)
    (tmp_path / "w").write_text("".join(f"{name}\t{value}\n" for name, value in WEIGHTS.items()))
    return tmp_path


def rows():
    """(sentence, text, features) of every line of the list."""
    for line in NBEST.splitlines():
        number, text, features, _ = line.split(" |||")
        lm, tm_0, tm_1, length = (float(word) for word in features.split() if word[-1] != "=")
        yield int(number), text.strip(), {"lm": lm, "tm_0": tm_0, "tm_1": tm_1, "len": length}


def bleu(texts):
    return sacrebleu.corpus_bleu(texts, [REFERENCES], tokenize="none").score


def choices():
    """Every way to choose one text of each sentence."""
    texts = [[text for s, text, _ in rows() if s == sentence] for sentence in range(4)]
    return itertools.product(*texts)


def test_first_best_and_worst_are_those_of_all_choices(folder, capsys):
    assert main(["oracle", "--nbest", "list", "--refs", "ref", "--out", "best"]) == 0
    lines = capsys.readouterr().out.splitlines()
    scores = [bleu(list(texts)) for texts in choices()]
    first = bleu(["the cat sat on the mat", "dog barks", "it rain evening", REFERENCES[3]])
    assert lines[:3] == [
        f"first  {first:7.2f}", f"best   {max(scores):7.2f}", f"worst  {min(scores):7.2f}",
    ]  # fmt: skip
    assert lines[3].startswith("bleu  nrefs:1|case:mixed|eff:no|tok:none|")
    assert (folder / "best").read_text().splitlines() == REFERENCES


def test_oracle_of_an_error_rate(folder, capsys):
    assert main(["oracle", "--nbest", "list", "--refs", "ref", "--metric", "wer"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "best      0.00"
    # 4 + 6 + 3 + 3 errors of 23 words
    assert lines[2] == f"worst  {100 * 16 / 23:7.2f}"
    assert lines[3].endswith("(lower is better)")


def test_oracle_of_a_ready_column(folder, capsys):
    assert main(["oracle", "--nbest", "list", "--metric", "column:len"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "first     4.25", "best      5.75", "worst     2.25", "column:len",
    ]  # fmt: skip


def test_skipped_sentences_keep_their_line(folder):
    (folder / "bad").write_text(WITH_BAD_LINES)
    assert main(["oracle", "--nbest", "bad", "--refs", "ref", "--on-bad-line", "skip",
                 "--out", "best"]) == 0  # fmt: skip
    assert (folder / "best").read_text().splitlines() == [*REFERENCES[:2], "", REFERENCES[3]]


@pytest.mark.parametrize(
    ("verb", "options", "message"),
    [
        ("oracle", ["--refs", "short"], "list: 4 sentences, expected 3, as short has"),
        ("oracle", [], "metric bleu needs references"),
        ("oracle", ["--metric", "column:nope"],
         "no feature 'nope'; there are: lm, tm_0, tm_1, len"),
        ("oracle", ["--refs", "ref", "--out", "no/where"],
         "no/where: its folder does not exist, expected an existing folder"),
        ("describe", ["--weights", "w"], "metric bleu needs references"),
        ("describe", ["--refs", "ref", "--weights", "other"],
         "no weight but 0 for the features of the lists: lm, tm_0, tm_1, len (weights: other)"),
        ("describe", ["--refs", "ref", "--weights", "zero"],
         "no weight but 0 for the features of the lists: lm, tm_0, tm_1, len (weights: lm)"),
        ("describe", ["--refs", "short", "--weights", "w"],
         "list:9: sentence id 3, expected ids below 3; the references have 3 lines"),
    ],
)  # fmt: skip
def test_refused(folder, verb, options, message, capsys):
    (folder / "short").write_text("a\nb\nc\n")
    (folder / "other").write_text("other\t1\n")
    (folder / "zero").write_text("lm\t0\n")
    before = sorted(folder.iterdir())
    assert main([verb, "--nbest", "list", *options]) == 2
    assert capsys.readouterr().err == f"tunesmith {verb}: {message}\n"
    assert sorted(folder.iterdir()) == before


def chosen(weights):
    """The best text of every sentence, of equals the first."""
    best = {}
    for sentence, text, features in rows():
        score = sum(weights[name] * value for name, value in features.items())
        if sentence not in best or score > best[sentence][0]:
            best[sentence] = (score, text)
    return [text for _, text in best.values()]


def test_what_each_weight_is_worth(folder, capsys):
    assert main(["describe", "--nbest", "list", "--refs", "ref", "--weights", "w", "--json"]) == 0
    described = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(described) == set(WEIGHTS)
    full = chosen(WEIGHTS)
    for name, row in described.items():
        values = [features[name] for _, _, features in rows()]
        without = chosen(WEIGHTS | {name: 0.0})
        assert row["weight"] == WEIGHTS[name]
        assert (row["low"], row["high"]) == (min(values), max(values))
        assert row["lost"] == pytest.approx(bleu(full) - bleu(without))
        assert row["changed"] == sum(a != b for a, b in zip(full, without, strict=True))
    assert sum(row["contribution"] for row in described.values()) == pytest.approx(1)
    assert any(row["changed"] for row in described.values())


def test_the_table(folder, capsys):
    assert main(["describe", "--nbest", "list", "--refs", "ref", "--weights", "w"]) == 0
    header, *table, signature = capsys.readouterr().out.splitlines()
    assert header.split() == ["feature", "weight", "range", "say", "lost", "changed"]
    says = [float(line.split()[5].rstrip("%")) for line in table]
    assert says == sorted(says, reverse=True)
    assert {len(line) for line in [header, *table]} == {len(header)}
    assert signature.startswith("bleu  nrefs:1|")


@pytest.mark.parametrize(
    "command", [["oracle"], ["describe", "--weights", "w"], ["tune", "--out", "tuned"]]
)
def test_the_average_length_of_references_is_a_choice(folder, capsys, command):
    lists = ["--nbest", "list", "--refs", "ref", "ref2"]
    for options, said in (([], False), (["--reference-length", "average"], True)):
        assert main([*command, *lists, *options]) == 0
        assert ("|reflen:average (not sacreBLEU's)|" in capsys.readouterr().out) == said
