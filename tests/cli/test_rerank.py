"""The verb `rerank`: the best text of every sentence, or the whole list in its new order."""

import gzip

import pytest

from reference.tiny_lists import NBEST, REFERENCES, WITH_BAD_LINES, write_lists
from tunesmith.cli.main import main
from tunesmith.formats.nbest import read_nbest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lists(tmp_path)
    (tmp_path / "w").write_text("lm\t0.5\ntm_0\t1\ntm_1\t2\nlen\t2\n")
    return tmp_path


def score(line):
    lm, tm_0, tm_1, length = (
        float(line.split()[line.split().index("lm=") + i]) for i in (1, 3, 4, 6)
    )
    return 0.5 * lm + tm_0 + 2 * tm_1 + 2 * length


def test_the_best_of_every_sentence(folder, capsys):
    assert main(["rerank", "--nbest", "list", "--weights", "w"]) == 0
    assert capsys.readouterr() == ("".join(f"{line}\n" for line in REFERENCES), "")
    assert main(["rerank", "--nbest", "list", "--weights", "w", "--out", "out.gz"]) == 0
    assert gzip.decompress((folder / "out.gz").read_bytes()).decode().splitlines() == REFERENCES


def test_the_whole_list_best_first(folder, capsys):
    assert main(["rerank", "--nbest", "list", "--weights", "w", "--nbest-out", "sorted"]) == 0
    assert capsys.readouterr().out == ""
    lines = (folder / "sorted").read_text().splitlines()
    expected = sorted(NBEST.splitlines(), key=lambda line: (int(line.split()[0]), -score(line)))
    assert [line.rpartition(" ||| ")[0] for line in lines] == [
        line.rpartition(" ||| ")[0] for line in expected
    ]
    assert [float(line.rpartition(" ||| ")[2]) for line in lines] == pytest.approx(
        [score(line) for line in expected]
    )


def test_both_at_once(folder):
    assert main(["rerank", "--nbest", "list", "--weights", "w", "--out", "best",
                 "--nbest-out", "sorted"]) == 0  # fmt: skip
    assert (folder / "best").read_text().splitlines() == REFERENCES
    nbest = read_nbest("sorted")
    assert [nbest.texts[row] for row in nbest.offsets[:-1]] == REFERENCES


def test_sparse_features_and_alignments_move_with_their_line(folder):
    (folder / "sparse").write_text(
        "0 ||| a ||| lm= 1 WT_x= 2 ||| 0 ||| 0-0\n0 ||| b ||| lm= 3 WT_y= 1 WT_z= 1 ||| 0 ||| 1-1\n"
    )
    (folder / "v").write_text("lm\t1\nWT_z\t5\n")
    assert main(["rerank", "--nbest", "sparse", "--weights", "v", "--nbest-out", "sorted"]) == 0
    assert (folder / "sorted").read_text() == (
        "0 ||| b ||| lm= 3 WT_y= 1 WT_z= 1 ||| 8 ||| 1-1\n0 ||| a ||| lm= 1 WT_x= 2 ||| 1 ||| 0-0\n"
    )


@pytest.mark.parametrize("name", ["w.moses", "w.cdec"])
def test_weights_of_other_systems(folder, name, capsys):
    (folder / "w.moses").write_text("lm= 0.5\ntm= 1 2\nlen= 2\n")
    (folder / "w.cdec").write_text("lm 0.5\ntm_0 1\ntm_1 2\nlen 2\n")
    assert main(["rerank", "--nbest", "list", "--weights", name]) == 0
    assert capsys.readouterr().out.splitlines() == REFERENCES


def test_names_that_do_not_match_are_told(folder, capsys):
    (folder / "some").write_text("lm\t1\nunheard\t3\n")
    assert main(["rerank", "--nbest", "list", "--weights", "some"]) == 0
    assert capsys.readouterr().err == (
        "warning: some: weights of features that the list does not have: unheard\n"
        "warning: some: features without a weight count nothing: tm_0, tm_1, len\n"
    )


def test_skipped_lines_keep_the_number_of_lines(folder, capsys):
    (folder / "bad").write_text(WITH_BAD_LINES)
    assert main(["rerank", "--nbest", "bad", "--weights", "w"]) == 2
    capsys.readouterr()
    skip = ["--on-bad-line", "skip"]
    assert main(["rerank", "--nbest", "bad", "--weights", "w", *skip]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [*REFERENCES[:2], "", REFERENCES[3]]
    assert captured.err == "warning: bad: 2 of 10 lines skipped as bad\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--weights", "nowhere"], "nowhere: cannot be read: No such file or directory"),
        (["--weights", "empty"], "empty: no weights, expected at least one"),
        (["--weights", "other"],
         "other: weights of unheard, expected names of the list's features (lm, tm_0, tm_1, len)"),
        (["--weights", "zero"], "zero: all weights are 0, expected a weight that says something"),
        (["--nbest", "empty"], "empty: an empty file, expected an n-best list"),
        (["--nbest", "ref"], "ref:1: 'the cat sat on the mat', expected an n-best list; its "
         "format is not recognised: name it with --format, see docs/formats.md"),
        (["--nbest", "."], ".: cannot be read: Is a directory"),
        (["--out", "."], ".: a folder, expected the name of something to write"),
        (["--nbest-out", "no/where"],
         "no/where: its folder does not exist, expected an existing folder"),
    ],
)  # fmt: skip
def test_refused(folder, options, message, capsys):
    (folder / "empty").write_text("")
    (folder / "other").write_text("unheard\t1\n")
    (folder / "zero").write_text("lm\t0\n")
    before = sorted(folder.iterdir())
    assert main(["rerank", "--nbest", "list", "--weights", "w", *options]) == 2
    assert capsys.readouterr() == ("", f"tunesmith rerank: {message}\n")
    assert sorted(folder.iterdir()) == before


def test_features_of_tuning_are_computed_again(folder, capsys):
    (folder / "src").write_text("die katze\nder hund\nes regnet 2 tage\nwir sahen ein haus\n")
    tune = ["tune", "--nbest", "list", "--refs", "ref", "--out", "w.tsv", "--no-held-out"]
    added = ["--add", "lm:text=ref2,order=2,name=own", "--add", "mbr", "--add", "copy"]
    assert main([*tune, *added, "--src", "src"]) == 0
    weights = (folder / "w.tsv").read_text()
    assert [f"\n{name}\t" in weights for name in ("own", "mbr", "copy")] == [True] * 3
    rerank = ["rerank", "--nbest", "list", "--weights", "w.tsv", "--nbest-out", "sorted"]
    add = ["nbest", "add-feature", "--nbest", "list", "--out", "more", "--to", "tunesmith"]
    assert main([*rerank, "--src", "src"]) == 0
    assert main([*add, *added, "--src", "src"]) == 0
    expected, found = read_nbest("more"), read_nbest("sorted")
    assert found.dense_names == expected.dense_names
    assert sorted(map(tuple, found.dense.tolist())) == sorted(map(tuple, expected.dense.tolist()))
    capsys.readouterr()
    assert main(rerank) == 2
    assert main([*rerank, "--add", "length"]) == 2
    assert main([*tune, "--add", "lm:text=ref2"]) == 2
    assert main([*tune, "--src", "src"]) == 2
    assert capsys.readouterr().err == (
        "tunesmith rerank: feature 'copy' reads the source: give --src\n"
        "tunesmith rerank: --add, but w.tsv has the features that it was tuned with\n"
        "tunesmith tune: the list already has a feature 'lm'\n"
        "tunesmith tune: --src is for features that read the source: give --add too\n"
    )
    # Weights that are tuned without features leave none behind.
    assert main(tune) == 0
    assert main(rerank) == 0
    assert read_nbest("sorted").dense_names == read_nbest("list").dense_names


def test_weights_without_their_features_are_refused(folder, capsys):
    tune = ["tune", "--nbest", "list", "--refs", "ref", "--out", "w.tsv", "--no-held-out"]
    assert main([*tune, "--add", "mbr"]) == 0
    (folder / "w.tsv").rename(folder / "kept")
    (folder / "new").mkdir()
    (folder / "kept").rename(folder / "new" / "w.tsv")
    capsys.readouterr()
    assert main(["rerank", "--nbest", "list", "--weights", "new/w.tsv"]) == 2
    assert capsys.readouterr().err == (
        "tunesmith rerank: new/w.tsv.features: no such folder, expected the features that "
        "new/w.tsv was tuned with; copy it along with the weights\n"
    )
