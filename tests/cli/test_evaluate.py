"""The verb `evaluate`: its table, its JSON, and what it says to files that do not fit."""

import gzip
import json
import math

import pytest
import sacrebleu

from tunesmith.cli.main import main

REFERENCE = "The cat sat on the mat.\nIt was 3.5 metres long.\n\nHello, world!\n"
GOOD = "The cat sat on the mat.\nIt was 3.5 meters long.\n\nHello world!\n"
BAD = "A cat is on a mat.\n3.5 meters.\nno\nworld\n"

TABLE = """\
bleu         score      95 % interval       diff   p boot    wins   p rand
good.txt     66.24      0.00–100.00
bad.txt       9.20      0.00–13.67        -57.04   0.0050    2.5%   0.2687
nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{version} (higher is better)

bootstrap: 200 samples, approximate randomisation: 200 trials, seed 1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.gz").write_bytes(gzip.compress(REFERENCE.encode(), mtime=0))
    (tmp_path / "good.txt").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.txt").write_text(BAD, encoding="utf-8")
    return tmp_path


def test_table(folder, capsys):
    options = ["--bootstrap-samples", "200", "--randomisation-trials", "200", "--metric", "bleu"]
    files = ["--hyp", "good.txt", "--hyp", "bad.txt", "--refs", "ref.gz"]
    assert main(["evaluate", *files, *options]) == 0
    assert capsys.readouterr().out == TABLE.format(version=sacrebleu.__version__)


def test_decimals_and_columns_fit_the_metric(folder, capsys):
    (folder / "mine.py").write_text("def share(text, references):\n    return len(text) / 1000\n")
    arguments = ["--hyp", "good.txt", "--hyp", "bad.txt", "--refs", "ref.gz", "--metric"]
    assert main(["evaluate", *arguments, "mine.py:share", "--randomisation-trials", "0"]) == 0
    header, good, bad, *_ = capsys.readouterr().out.splitlines()
    scores = [sum(map(len, text.splitlines())) / 4000 for text in (GOOD, BAD)]
    assert header.startswith("mine.py:share     score ")
    assert good.startswith(f"good.txt         {scores[0]:.4f} ")
    assert bad.startswith(f"bad.txt          {scores[1]:.4f} ")
    assert f"{scores[1] - scores[0]:+.4f}" in bad


def test_json_has_sacrebleus_numbers(folder, capsys):
    assert main(["evaluate", "--hyp", "bad.txt", "--refs", "ref.gz", "good.txt", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    texts = [text.split("\n")[:-1] for text in (BAD, REFERENCE, GOOD)]
    peers = [sacrebleu.BLEU(), sacrebleu.CHRF(), sacrebleu.TER()]
    for comparison, peer in zip(result["metrics"], peers, strict=True):
        score = peer.corpus_score(texts[0], texts[1:])
        assert comparison["systems"][0]["score"] == pytest.approx(score.score, abs=1e-6)
        assert comparison["signature"] == str(peer.get_signature())
    assert result["seed"] == 1


def test_threads_change_nothing(folder, capsys):
    outputs = []
    for threads in ("1", "2"):
        main(["evaluate", "--hyp", "good.txt", "--hyp", "bad.txt", "--refs", "ref.gz",
              "--json", "--threads", threads])  # fmt: skip
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "--hyp short.txt --refs ref.gz",
            "short.txt:3: the file ends after 2 lines, expected 4 lines as in ref.gz; outputs and "
            "references must be of the same sentences in the same order",
        ),
        (
            "--hyp good.txt --refs short.txt ref.gz",
            "ref.gz:3: one line too many, expected 2 lines as in short.txt; outputs and references "
            "must be of the same sentences in the same order",
        ),
        ("--hyp good.txt --refs empty.txt", "empty.txt: no lines, expected one sentence per line"),
        (
            "--hyp latin1.txt --refs ref.gz",
            "latin1.txt:1: byte 0xe9 at column 4, expected UTF-8; convert the file, for example "
            "with `iconv -t utf-8`",
        ),
        ("--hyp none.txt --refs ref.gz", "none.txt: cannot be read: No such file or directory"),
        (
            "--hyp good.txt --refs ref.gz --metric blue",
            "no metric 'blue', expected one of bleu, chrf, chrf++, ter, wer, cer, column:NAME, or "
            "a sum",
        ),
        (
            "--hyp good.txt --refs ref.gz --metric column:comet",
            "metric 'column:comet' takes ready scores, but these outputs are text only",
        ),
        ("--hyp good.txt --hyp good.txt --refs ref.gz", "the same file is given twice with --hyp"),
        ("--hyp - --refs -", "standard input (-) can be read only once"),
        (
            "--hyp good.txt --refs ref.gz --bootstrap-samples -1",
            "argument --bootstrap-samples: -1, expected at least 0; "
            "see `tunesmith evaluate --help`",
        ),
        (
            "--hyp good.txt --refs ref.gz --randomisation-trials 9999999",
            "argument --randomisation-trials: 9999999, expected at most 1000000; "
            "see `tunesmith evaluate --help`",
        ),
    ],
)
def test_refused(folder, capsys, arguments, message):
    (folder / "short.txt").write_text("a\nb\n", encoding="utf-8")
    (folder / "empty.txt").write_text("", encoding="utf-8")
    (folder / "latin1.txt").write_bytes(b"caf\xe9\n")
    assert main(["evaluate", *arguments.split()]) == 2
    assert capsys.readouterr().err == f"tunesmith evaluate: {message}\n"


def test_warnings(folder, capsys):
    (folder / "tokenised.txt").write_text("a .\n" * 100, encoding="utf-8")
    (folder / "other.txt").write_text("a.\n" * 100, encoding="utf-8")
    options = ["--refs", "other.txt", "--bootstrap-samples", "0", "--randomisation-trials", "0"]
    main(["evaluate", "--hyp", "tokenised.txt", *options])
    assert capsys.readouterr().err == (
        "warning: tokenised.txt looks tokenised (lines end in ' .'): give detokenised text, or "
        "--tokenize none\n"
    )
    main(["evaluate", "--hyp", "other.txt", *options])
    assert capsys.readouterr().err == (
        "warning: other.txt is the same text as reference other.txt\n"
    )


def test_the_average_length_of_references_is_not_sacrebleus(folder, capsys):
    """Brevity by the mean of the references' lengths; the signature says whose it is not."""
    (folder / "long.txt").write_text(REFERENCE.replace("mat.", "very old mat of hers."))
    command = ["evaluate", "--hyp", "bad.txt", "--refs", "ref.gz", "long.txt", "--metric", "bleu",
               "--bootstrap-samples", "0", "--json"]  # fmt: skip
    scores, signatures = {}, {}
    for length in ("closest", "average"):
        assert main([*command, "--reference-length", length]) == 0
        (block,) = json.loads(capsys.readouterr().out)["metrics"]
        scores[length], signatures[length] = block["systems"][0]["score"], block["signature"]
    # bad.txt has 7 + 3 + 1 + 1 tokens; the references have 7 + 6 + 0 + 4 and 11 + 6 + 0 + 4.
    closest, average = (math.exp(1 - length / 12) for length in (17, (17 + 21) / 2))
    assert scores["average"] / scores["closest"] == pytest.approx(average / closest)
    assert "|reflen:average (not sacreBLEU's)|" in signatures["average"]
    assert "reflen" not in signatures["closest"]


def test_a_script_without_spaces_needs_its_tokeniser(folder, capsys):
    (folder / "out.txt").write_text("我们的网站。\n", encoding="utf-8")
    (folder / "ref.txt").write_text("我们非常高兴。\n", encoding="utf-8")
    options = ["--hyp", "out.txt", "--refs", "ref.txt", "--bootstrap-samples", "0"]
    main(["evaluate", *options])
    assert capsys.readouterr().err == (
        "warning: ref.txt is in a script without spaces, of which BLEU with --tokenize 13a counts "
        "whole runs as words: --tokenize zh\n"
    )
    for others in (["--tokenize", "zh"], ["--metric", "chrf"]):
        main(["evaluate", *options, *others])
        assert capsys.readouterr().err == ""
