"""A command as a decoder: any program that reads weights and sentences and writes n-best lists."""

import sys

import numpy as np
import pytest

from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.base.weights import Weights
from tunesmith.cli.main import main
from tunesmith.decode import Graphs, KBest, SourceSentence, open_command
from tunesmith.metrics import Bleu
from tunesmith.tune.pool import PoolBuilder
from tunesmith.tune.sources import DecoderSource

# Says every sentence backwards and as it is; which comes first is a matter of the weights.
SCRIPT = """
import sys
weights = dict(line.split("\\t") for line in open(sys.argv[1]) if not line.startswith("#"))
size = int(sys.argv[3])
with open(sys.argv[2], "w") as out:
    for i, line in enumerate(open(sys.argv[4]).read().splitlines()):
        words = line.split()
        rare = "rare:q=3 " if "q" in words else ""
        lists = [(words, 1, 0, ""), (words[::-1], 0, 1, rare)]
        lists.sort(key=lambda row: -row[1] * float(weights["a"]) - row[2] * float(weights["b"]))
        for words, a, b, sparse in lists[:size]:
            out.write(f"{i} ||| {' '.join(words)} ||| a={a} b={b} {sparse}||| 0\\n")
"""
TEXT = [*["x y z", "z y x x", "y"] * 20, "x y q"]


@pytest.fixture
def command(tmp_path):
    script = tmp_path / "decoder.py"
    script.write_text(SCRIPT)
    return f"{sys.executable} {script} {{weights}} {{nbest}} {{size}} {{source}}"


def test_it_translates_what_it_is_given(command):
    decoder = open_command(command)
    output = decoder.decode(TEXT, Weights({"a": 2.0, "b": 0.5}), KBest(2))
    assert len(output) == 61
    assert output.best() == TEXT
    assert list(output.texts[:6]) == ["x y z", "z y x", "z y x x", "x x y z", "y", "y"]
    assert output.names == ("a", "b")
    assert output.scores.tolist() == [2.0, 0.5] * 61
    assert output.features.tolist() == [[1, 0], [0, 1]] * 61
    assert output.rows().tolist() == [i // 2 for i in range(122)]
    (offsets, ids, values), names = output.used_sparse()
    assert offsets.tolist() == [0] * 122 + [1]
    assert ([names[i] for i in ids], values.tolist()) == (["rare:q"], [3.0])
    best = decoder.session(Weights({"a": 0.0, "b": 1.0})).decode(
        [SourceSentence.from_text(text) for text in TEXT[:2]]
    )
    assert list(best.texts) == ["z y x", "x x y z"]


def test_files_stay_in_a_folder_or_go(command, tmp_path):
    open_command(command, tmp_path / "kept").decode(TEXT, Weights({"a": 1.0, "b": 0.0}))
    names = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert names == ["nbest.out", "source.in", "weights.in"]
    assert (tmp_path / "kept" / "source.in").read_text().splitlines() == TEXT


def test_its_lists_are_what_a_file_of_them_is(command, tmp_path):
    """The pool of a loop that decodes is the pool of the n-best list that the command wrote."""
    references = [[" ".join(reversed(text.split())) for text in TEXT]]
    weights = Weights({"a": 1.0, "b": 0.5})
    source = DecoderSource(open_command(command, tmp_path), TEXT)
    decoded, read = (PoolBuilder(Bleu(), references) for _ in range(2))
    assert source.kbest(weights, 2, decoded) == TEXT
    read.read(tmp_path / "nbest.out")
    ours, theirs = decoded.finish(), read.finish()
    assert (ours.dense_names, ours.sparse_names) == (theirs.dense_names, theirs.sparse_names)
    assert decoded.report.duplicates == read.report.duplicates
    for name in ("offsets", "dense", "sparse_offsets", "sparse_ids", "sparse_values", "stats",
                 "keys"):  # fmt: skip
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


def test_what_it_cannot_do_is_refused(command):
    decoder = open_command(command)
    weights = Weights({"a": 1.0, "b": 1.0})
    assert decoder.all_names is None
    assert not decoder.gives_graphs
    with pytest.raises(OptionError, match="gives lists, no search graphs"):
        decoder.decode(TEXT, weights, want=Graphs())
    with pytest.raises(OptionError, match="needs weights by name"):
        decoder.decode(TEXT)
    with pytest.raises(OptionError, match="plain sentences, without constraints"):
        decoder.decode([SourceSentence(["x", "y"], walls=[1])], weights)
    with pytest.raises(OptionError, match="does not tell how its translations were made"):
        decoder.decode(TEXT, weights).derivation(0)
    with pytest.raises(OptionError, match=r"has no \{nbest\}"):
        open_command("decode {weights}")


def test_lists_of_other_sentences_are_refused(command, tmp_path):
    (tmp_path / "fixed").write_text("0 ||| a ||| f=1 ||| 0\n")
    fixed = open_command(f"cat {tmp_path}/fixed > {{nbest}} # {{weights}}", tmp_path)
    assert fixed.decode(["whatever"], Weights({"f": 1.0})).best() == ["a"]
    with pytest.raises(InputError, match=r"nbest.out: lists of 1 sentences, expected 2; the comm"):
        fixed.decode(["one", "two"], Weights({"f": 1.0}))
    with pytest.raises(TunesmithError, match="ended with exit code 1: IndexError"):
        open_command(command.replace(" {size} {source}", "")).decode(TEXT, Weights({"a": 1.0}))


def test_tuned_with_the_sentences_of_the_dev_set(command, tmp_path, capsys):
    for name, lines in (("src", TEXT[:9]), ("ref", TEXT[:9])):
        (tmp_path / name).write_text("".join(f"{line} {line}\n" for line in lines))
    (tmp_path / "start").write_text("a\t0.1\nb\t1\n")
    arguments = ["tune", "--decoder", command, "--dev-src", f"{tmp_path}/src", "--dev-ref",
                 f"{tmp_path}/ref", "--start", f"{tmp_path}/start", "--iterations", "2",
                 "--tuner", "kb-mert",
                 "--out", f"{tmp_path}/w.tsv"]  # fmt: skip
    assert main(arguments) == 0
    assert "best       100.00" in capsys.readouterr().out
    (tmp_path / "src").write_text("x y\n")
    assert main([*arguments, "--work", f"{tmp_path}/other"]) == 2
    error = capsys.readouterr().err
    assert "src has 1 lines" in error
