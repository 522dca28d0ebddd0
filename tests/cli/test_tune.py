"""The verb `tune` on n-best lists: every tuner, its options, what it prints and what it refuses."""

import lzma
import re

import pytest
import sacrebleu

from reference.tiny_lists import NBEST, OTHER_REFERENCES, REFERENCES, write_lists
from tunesmith.base.parameters import parameters_of
from tunesmith.cli.main import main
from tunesmith.formats.weights import read_weights
from tunesmith.tune import TUNERS, tuner_class
from tunesmith.tune.registry import ALIASES

SIGNATURE = f"nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:{sacrebleu.__version__}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lists(tmp_path)
    return tmp_path


def tune(*more, nbest=("list",), refs=("ref",), out="w"):
    references = ["--refs", *refs] if refs else []
    return main(["tune", "--nbest", *nbest, *references, "--out", out, *more])


def printed(capsys):
    """The scores by their names."""
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    names = {"first", "uniform", "start", "alone", "tuned", "held", "oracle"}
    return {row[0]: float(row[2 if row[0] == "held" else 1]) for row in rows if row[0] in names}


def test_what_it_prints(folder, capsys):
    assert tune() == 0
    lines = capsys.readouterr().out.splitlines()
    ones = ["a cat sat on a mat", "", "it rains in the evening", "we saw a small house there"]
    uniform = sacrebleu.corpus_bleu(ones, [REFERENCES], tokenize="none").score
    firsts = [REFERENCES[0], "dog barks", "it rain evening", REFERENCES[3]]
    first = sacrebleu.corpus_bleu(firsts, [REFERENCES], tokenize="none").score
    assert lines[:4] == [
        "4 sentences, 10 hypotheses, 4 features",
        f"first     {first:7.2f}  the first entry of each list",
        f"uniform   {uniform:7.2f}  one weight for all features",
        "alone      100.00  lowest lm",
    ]
    assert lines[4] == "tuned      100.00  kb-mira"
    gain = rf"held out   100.00  \(\{100 - first:+.2f} over the first, 95 % interval (.*) to (.*)\)"
    low, high = map(float, re.fullmatch(gain, lines[5]).groups())
    assert 0 <= low < 100 - first < high <= 100
    assert lines[6:8] == [
        "oracle     100.00  the best choice from the lists, by greedy search",
        f"bleu  {SIGNATURE}",
    ]
    assert lines[8].startswith("w (")
    assert set(read_weights("w")) == {"lm", "tm_0", "tm_1", "len"}
    assert (folder / "w").read_text().startswith(f"# kb-mira, bleu  {SIGNATURE}, 100.00 on")


@pytest.mark.parametrize("name", [*TUNERS, *ALIASES])
def test_every_tuner_runs_and_never_ends_below_the_start(folder, name, capsys):
    assert tune("--tuner", name, "--threads", "1") == 0
    scores = printed(capsys)
    assert scores["uniform"] <= scores["tuned"] <= scores["oracle"] == 100
    weights = read_weights("w")
    assert sum(abs(value) for value in weights.values()) == pytest.approx(1.0)
    assert tune("--tuner", name, "--threads", "2", out="w2") == 0
    assert (folder / "w2").read_bytes() == (folder / "w").read_bytes()


def test_every_keyword_of_every_tuner_is_an_option(capsys):
    with pytest.raises(SystemExit):
        main(["tune", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for name in TUNERS:
        for item in parameters_of(tuner_class(name)):
            if item.name not in {"seed", "engine"}:
                option = item.name.replace("_", "-")
                assert f"--{option} X" in text or f"--tuner-{option} X" in text
                # Tuners that share a meaning are named before it.
                meaning = re.escape(f": {item.metadata['meaning']}")
                assert re.search(rf"\b{name}(, [a-z0-9-]+)*{meaning}", text.replace("- ", "-"))


def test_options_reach_the_tuner(folder):
    assert tune("--tuner", "kb-mert", "--fixed", "lm,len", "--no-held-out") == 0
    weights = read_weights("w")
    assert weights["lm"] == weights["len"]
    assert tune("--tuner", "random", "--trials", "1", "--seed", "1", out="w1") == 0
    assert tune("--tuner", "random", "--trials", "1", "--seed", "2", out="w2") == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tuner", "kb-mert", "--C", "3"], "--C is no option of the tuner kb-mert"),
        (["--passes", "x"], "--passes is 'x', expected a whole number"),
        (["--C", "x"], "--C is 'x', expected a number"),
        (["--passes", "0"], "passes is 0, expected at least 1"),
        (["--C", "-1"], "C is -1.0, expected more than 0"),
        (["--C", "nan"], "--C is 'nan', expected a number"),
        (["--C", "inf"], "C is inf, expected a finite number"),
        (["--C", "1_0"], "--C is '1_0', expected a number"),
        (["--passes", "9999999999"], "passes is 9999999999, expected at most 2147483647"),
        (["--tuner", "pro", "--loss", "square"],
         "loss is 'square', expected one of: logistic, hinge"),
        (["--tuner", "nope"], "unknown tuner 'nope', expected one of: "),
        (["--metric", "blue"], "no metric 'blue', expected one of bleu, chrf, "),
        (["--metric", "column:nope"], "list:1: no feature 'nope', expected it on every line"),
        (["--start", "nowhere"], "nowhere: cannot be read: No such file or directory"),
        (["--start", "other"], "none of the start weights names a feature of the lists"),
        (["--start", "zero"], "all start weights are zero"),
        (["--out", "no/where"],
         "no/where: its folder does not exist, expected an existing folder"),
        (["--out", "."], ".: a folder, expected the name of something to write"),
        (["--nbest", "empty"], "empty: an empty file, expected an n-best list"),
        (["--nbest", "broken"], "broken:2: 'x' without '|||', expected id ||| text ||| features"),
        (["--refs", "short"],
         "list:9: sentence id 3, expected ids below 3; the references have 3 lines"),
        (["--refs", "ref", "short"], "short: 3 lines, expected 4, as ref has; "),
        (["model"], "--nbest goes with neither a model nor --decoder"),
    ],
)  # fmt: skip
def test_refused_in_one_line_with_nothing_left_behind(folder, options, message, capsys):
    (folder / "empty").write_text("")
    (folder / "broken").write_text(NBEST.splitlines()[0] + "\nx\n")
    (folder / "short").write_text("a\nb\nc\n")
    (folder / "other").write_text("other\t1\n")
    (folder / "zero").write_text("lm\t0\n")
    before = sorted(folder.iterdir())
    assert tune(*options) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"tunesmith tune: {message}")
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--nbest", "list"], "--nbest needs --refs"),
        (["--refs", "ref"],
         "nothing to tune: give --nbest and --refs, or a model and --dev-src"),
        (["model"], "tuning by decoding needs --dev-src and --dev-ref"),
        (["--decoder", "moses {weights} {nbest}", "--dev-ref", "ref"],
         "--decoder needs --start, the weights to begin with"),
        (["nowhere", "--dev-src", "ref", "--dev-ref", "ref"],
         "nowhere: no readable model.toml in it, expected a model directory; make one with "
         "`tunesmith train` or `tunesmith import`"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(folder, arguments, message, capsys):
    assert main(["tune", *arguments, "--out", "w"]) == 2
    assert capsys.readouterr().err == f"tunesmith tune: {message}\n"
    assert not (folder / "w").exists()


def test_a_start_is_used_and_unknown_names_in_it_are_told(folder, capsys):
    (folder / "start").write_text("len\t1\nunheard\t5\n")
    assert tune("--start", "start", "--no-held-out") == 0
    captured = capsys.readouterr()
    assert "start weights of unknown features are left out: unheard" in captured.err
    assert "warning: start: features without a weight begin with 0: " in captured.err
    # len alone prefers the first of the two longest, which are the references but once.
    assert "start      100.00  start\n" in captured.out


def test_several_lists_are_merged_without_duplicates(folder, capsys):
    (folder / "more").write_text(NBEST + "3 ||| we saw ||| lm= -2 tm= -1 -1 len= 2 ||| 0\n")
    assert tune(nbest=("list", "more")) == 0
    assert capsys.readouterr().out.startswith("4 sentences, 11 hypotheses, 4 features\n")


def test_several_references(folder, capsys):
    assert tune(refs=("ref", "ref2")) == 0
    out = capsys.readouterr().out
    first = ["a cat sat on a mat", "", "it rains in the evening", "we saw a small house there"]
    bleu = sacrebleu.corpus_bleu(first, [REFERENCES, OTHER_REFERENCES], tokenize="none")
    assert f"uniform   {bleu.score:7.2f}  one weight" in out
    assert SIGNATURE.replace("nrefs:1", "nrefs:2") in out


def test_wer_goes_down(folder, capsys):
    assert tune("--metric", "wer") == 0
    out = capsys.readouterr().out
    assert "tuned        0.00  kb-mira" in out
    assert "oracle       0.00" in out
    assert "(lower is better)" in out


def test_a_ready_column_needs_no_references(folder, capsys):
    assert tune("--metric", "column:len", refs=()) == 0
    captured = capsys.readouterr()
    assert "10 hypotheses, 3 features" in captured.out
    assert "oracle       5.75" in captured.out  # (6 + 6 + 5 + 6) / 4
    assert "len" not in read_weights("w")


def test_held_out_can_be_left_out(folder, capsys):
    assert tune("--no-held-out") == 0
    assert "held out" not in capsys.readouterr().out


def test_line_searches_take_sparse_features_only_to_drop_them(folder, capsys):
    lines = [
        line.replace(" ||| -", f" WT_{number}= 1 ||| -")
        for number, line in enumerate(NBEST.splitlines(keepends=True))
    ]
    (folder / "sparse").write_text("".join(lines))
    assert tune("--tuner", "kb-mert", nbest=("sparse",)) == 2
    assert "takes dense ones only, but the lists have 10 sparse" in capsys.readouterr().err
    assert tune("--tuner", "kb-mert", "--drop-sparse", nbest=("sparse",)) == 0
    assert set(read_weights("w")) == {"lm", "tm_0", "tm_1", "len"}
    assert tune("--tuner", "kb-mira", nbest=("sparse",)) == 0
    assert "WT_0" in read_weights("w")


def test_it_says_when_tuning_cannot_help(folder, capsys):
    firsts = [line for line in NBEST.splitlines() if line.split(" ||| ")[1] in REFERENCES]
    (folder / "single").write_text("".join(f"{line}\n" for line in firsts))
    assert tune(nbest=("single",)) == 0
    assert (
        "warning: every sentence has one hypothesis only: tuning cannot change anything\n"
        in capsys.readouterr().err
    )
    best_first = sorted(
        NBEST.splitlines(), key=lambda line: (line[0], line.split(" ||| ")[1] not in REFERENCES)
    )
    (folder / "best").write_text("".join(f"{line}\n" for line in best_first))
    assert tune(nbest=("best",)) == 0
    err = capsys.readouterr().err
    assert (
        "warning: even the best choice that greedy search finds in the lists scores 100.00, the "
        "first entries 100.00, and the choice of the sentences moves that by 0.00: tuning cannot "
        "help much, longer or more diverse lists might\n"
    ) in err
    assert (
        "warning: on held-out sentences the weights score 100.00, the first entries 100.00 and "
        "'lowest lm' alone 100.00: do not expect a gain on new text; "
    ) in err
    assert tune("--quiet", nbest=("best",)) == 0
    assert "warning" in capsys.readouterr().err


def test_columns_that_look_like_metrics_are_named(folder, capsys):
    (folder / "list.csv").write_text(
        "id,text,lm,comet\n" + "".join(f"{i},a,1,0.{i}\n{i},b,2,0.5\n" for i in range(4))
    )
    assert tune(nbest=("list.csv",)) == 0
    assert capsys.readouterr().err.endswith(
        "warning: features that look like scores against a reference: comet; new text has none: "
        "leave them out (--drop comet), or tune for one (--metric column:comet)\n"
    )
    assert tune("--drop", "comet", nbest=("list.csv",)) == 0
    assert "look like" not in capsys.readouterr().err
    assert set(read_weights("w")) == {"lm"}
    assert tune("--metric", "column:comet", nbest=("list.csv",), refs=()) == 0
    assert "look like" not in capsys.readouterr().err


def test_decimals_fit_the_scale_of_a_column(folder, capsys):
    """Scores between 0.80 and 0.88, as COMET's are, in four decimals."""
    rows = ["id\ttext\tlm\tcomet"]
    for sentence in range(20):
        rows += [f"{sentence}\ta\t1\t0.8{sentence % 3}41", f"{sentence}\tb\t2\t0.8{sentence % 7}99"]
    (folder / "comet.tsv").write_text("\n".join(rows) + "\n")
    assert tune("--metric", "column:comet", nbest=("comet.tsv",), refs=()) == 0
    out = capsys.readouterr().out
    assert "first      0.8136  the first entry of each list\n" in out
    assert re.search(r"held out   0\.8\d{3}  \([+-]0\.0\d{3} over the first, 95 % interval ", out)
    assert re.search(r"oracle     0\.8\d{3}  ", out)
    assert main(["oracle", "--nbest", "comet.tsv", "--metric", "column:comet"]) == 0
    assert "first   0.8136\n" in capsys.readouterr().out


@pytest.fixture(scope="module")
def merged(data, tmp_path_factory):
    """The three runs as one list: lines of a sentence together, in the order of the runs."""
    runs = sorted((data / "nbest" / "moses-de-en").glob("run*.nbest.xz"))
    assert len(runs) == 3
    lines = [line for run in runs for line in lzma.decompress(run.read_bytes()).splitlines(True)]
    path = tmp_path_factory.mktemp("merged") / "nbest"
    path.write_bytes(b"".join(sorted(lines, key=lambda line: int(line.split(b" ", 1)[0]))))
    return path


@pytest.mark.parametrize(
    ("tuner", "least"),
    [
        (["--tuner", "kb-mira", "--passes", "60"], 40.34),
        pytest.param(["--tuner", "kb-mert"], 40.94, marks=pytest.mark.slow),
    ],
)
def test_real_lists_are_reranked_at_least_as_well_as_by_moses(data, merged, tuner, least, tmp_path):
    """Moses' kbmira and mert on the same lists, sacreBLEU of the reranked 1-bests."""
    folder = data / "nbest" / "moses-de-en"
    weights, out = tmp_path / "w", tmp_path / "out"
    assert main(["tune", "--nbest", str(merged), "--refs", str(folder / "val.ref.en"), *tuner,
                 "--start", str(folder / "start.weights"), "--no-held-out",
                 "--out", str(weights)]) == 0  # fmt: skip
    assert main(["rerank", "--nbest", str(merged), "--weights", str(weights),
                 "--out", str(out)]) == 0  # fmt: skip
    chosen = out.read_text().splitlines()
    references = (folder / "val.ref.en").read_text().splitlines()
    assert sacrebleu.corpus_bleu(chosen, [references], tokenize="none").score >= least
