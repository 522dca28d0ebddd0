"""The verb `translate`: lines in, lines out; lists, explanations, markup; what it refuses."""

import io
import json
import math
import re
import subprocess
import sys

import pytest

from reference.tiny_moses import write_moses_model
from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook
from tunesmith.decode.translate import BLOCK_LINES
from tunesmith.formats.nbest import read_nbest

SMALL = "das haus ist klein"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_moses_model(tmp_path)
    assert main(["import", "moses.ini", "--out", "model", "--quiet"]) == 0
    return tmp_path


@pytest.fixture
def translate(folder, monkeypatch, capsys):
    """Run the verb on lines; the exit code, and what it said on both streams."""

    def run(text, *options):
        capsys.readouterr()
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        code = main(["translate", "model", *options])
        return code, *capsys.readouterr()

    return run


def test_lines_stay_in_their_order_over_blocks(translate):
    lines = [SMALL, "", "haus", f"wort{7}"] * (BLOCK_LINES // 2)
    answers = ["the house is small", "", "house", "wort7"] * (BLOCK_LINES // 2)
    text = "".join(f"{line}\n" for line in lines)
    for threads in ("1", "2"):
        code, out, err = translate(text, "--threads", threads)
        assert (code, err) == (0, "")
        assert out.splitlines() == answers


def test_output_begins_before_input_ends(folder):
    process = subprocess.Popen(
        [sys.executable, "-m", "tunesmith.cli.main", "translate", "model"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    for line, answer in ((SMALL, "the house is small"), ("", ""), ("haus", "house")):
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        assert process.stdout.readline() == f"{answer}\n"
    rest, _ = process.communicate(f"{SMALL}\n" * (2 * BLOCK_LINES))
    assert rest == "the house is small\n" * (2 * BLOCK_LINES)
    assert process.returncode == 0


def test_files_instead_of_streams(folder, translate):
    (folder / "in").write_text(f"{SMALL}\n")
    assert translate("", "--input", "in", "--out", "out") == (0, "", "")
    assert (folder / "out").read_text() == "the house is small\n"


def test_lists_of_translations(folder, translate):
    code, out, _ = translate(f"{SMALL}\n\n", "--nbest", "3", "--nbest-out", "n")
    assert (code, out) == (0, "the house is small\n\n")
    nbest = read_nbest(folder / "n")
    assert list(nbest.texts) == [
        "the house is small", "that house is small", "the house is little", "",
    ]  # fmt: skip
    assert nbest.sparse_names == ()  # our names have underscores, which Moses keeps for sparse ones
    assert len(nbest.dense_names) == 15
    code, _, _ = translate(f"{SMALL}\n", "--nbest", "20", "--nbest-out", "n", "--nbest-duplicates")
    texts = list(read_nbest(folder / "n").texts)
    assert texts[0] == "the house is small"
    assert len(set(texts)) < len(texts)


def test_a_list_that_the_format_could_not_hold(folder, translate):
    code, out, _ = translate("haus ||| haus\n", "--nbest", "2", "--nbest-out", "n")
    assert (code, out) == (0, "house ||| house\n")
    assert read_nbest(folder / "n").texts[0] == "house &#124;&#124;&#124; house"


def test_a_list_of_one(folder, translate):
    assert translate(f"{SMALL}\n", "--nbest", "1", "--nbest-out", "n")[0] == 0
    assert list(read_nbest(folder / "n").texts) == ["the house is small"]


def test_any_command_can_be_tuned_in_the_loop(folder, capsys):
    """The verb `tune` with a decoder that it knows nothing of: here our own, as a command."""
    (folder / "dev").write_text(f"{SMALL}\nhaus ist klein\n" * 3)
    (folder / "ref").write_text("that house is little\nhouse is little\n" * 3)
    command = (
        f"{sys.executable} -m tunesmith.cli.main translate model --input dev --out best "
        "--weights {weights} --nbest {size} --nbest-out {nbest}"
    )
    start = ["--start", "model/weights.tsv"]
    loop = ["--decoder", command, "--dev-ref", "ref", "--iterations", "2", "--size", "5"]
    assert main(["tune", *loop, *start, "--metric", "wer", "--out", "w"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = float(next(line for line in lines if line.startswith("iteration  1")).split()[2])
    best = float(next(line for line in lines if line.startswith("best")).split()[1])
    assert best < first
    assert main(["translate", "model", "--input", "dev", "--weights", "w"]) == 0
    assert capsys.readouterr().out.startswith("that house is ")
    failing = ["--decoder", "echo broken >&2; exit 3 # {weights} {nbest}", "--dev-ref", "ref"]
    assert main(["tune", *failing, *start, "--out", "v"]) == 2
    assert capsys.readouterr().err.startswith(
        "tunesmith tune: the decoder command ended with exit code 3: broken (echo broken"
    )
    assert not (folder / "v").exists()


def test_explained(translate):
    code, out, err = translate(f"{SMALL}\nwort\n", "--explain")
    assert (code, out) == (0, "the house is small\nwort\n")
    lines = err.splitlines()
    assert lines[:2] == ["[0] das haus ist klein", "  → the house is small"]
    assert " ".join(lines[3].split()) == "das haus → the house p = 0.300, 5 of 5"
    total = float(lines[2].removeprefix("  score "))
    table = lines[lines.index(next(line for line in lines if "feature" in line)) + 1 :][:15]
    assert sum(float(line.split()[-1]) for line in table) == pytest.approx(total, abs=0.01)
    assert "    wort → wort                                        (not in the table)" in lines


def test_explanations_in_a_file(folder, translate):
    code, out, err = translate(f"{SMALL}\nwort\n", "--explain-out", "e.jsonl")
    assert (code, out, err) == (0, "the house is small\nwort\n", "")
    first, second = map(json.loads, (folder / "e.jsonl").read_text().splitlines())
    assert (first["number"], first["source"]) == (0, "das haus ist klein")
    assert first["translation"] == "the house is small"
    scores = first["steps"][0].pop("scores")  # what the table has, as logarithms
    assert list(scores) == [
        "tm.p_f_given_e", "tm.lex_f_given_e", "tm.p_e_given_f", "tm.lex_e_given_f"
    ]  # fmt: skip
    assert list(map(math.exp, scores.values())) == pytest.approx([0.5, 0.4, 0.3, 0.2])
    assert first["steps"][0] == {
        "source": "das haus", "target": "the house", "span": [0, 2], "in_table": True,
        "probability": pytest.approx(0.3), "together": 5, "seen": 5, "features": {},
        "children": [],
    }  # fmt: skip
    adds = sum(feature["adds"] for feature in first["features"])
    assert adds == pytest.approx(first["score"], rel=1e-5)
    assert [step["in_table"] for step in second["steps"]] == [False]


def test_other_weights(folder, translate):
    (folder / "w").write_text("tm.p_e_given_f\t-1\ndistortion\t1\n")
    assert translate(f"{SMALL}\n", "--weights", "w")[1] == "that house is small\n"


def test_terms_are_kept(translate):
    text = 'das <t is="dwelling of stone">haus</t> ist <wall/> klein\n'
    assert translate(text, "--markup")[1] == "das dwelling of stone is small\n"
    assert "<wall/>" in translate(text)[1]  # without the option tags are ordinary words


def test_unknown_words(translate):
    assert translate("haus ohne dach\n")[1] == "house ohne dach\n"
    assert translate("haus ohne dach\n", "--unknown", "drop")[1] == "house\n"


def test_a_sentence_of_a_thousand_words(translate):
    code, out, _ = translate(" ".join([SMALL] * 250) + "\n", "--pop-limit", "20")
    assert code == 0
    assert len(out.split()) == 1000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--nbest", "3"], "--nbest K and --nbest-out FILE go together"),
        (["--nbest-out", "n"], "--nbest K and --nbest-out FILE go together"),
        (["--nbest", "0", "--nbest-out", "n"], "argument --nbest: 0, expected at least 1"),
        (["--nbest", "2000000000", "--nbest-out", "n"],
         "argument --nbest: 2000000000, expected at most 100000"),
        (["--pop-limit", "0"], "argument --pop-limit: 0, expected at least 1"),
        (["--out", "o", "--nbest", "3", "--nbest-out", "no/where"],
         "no/where: its folder does not exist, expected an existing folder"),
        (["--out", "o", "--nbest", "3", "--nbest-out", "./o"], "./o: to be written twice"),
        (["--input", "nowhere"], "nowhere: cannot be read: No such file or directory"),
        (["--out", "no/where"],
         "no/where: its folder does not exist, expected an existing folder"),
        (["--out", "."], ".: a folder, expected the name of a file, or files as inputs"),
        (["--weights", "w"], "w: weights of nonsense, expected names of the model's features (tm."),
        (["--weights", "moses.ini"],
         "moses.ini: weights of UnknownWordPenalty0, WordPenalty0, PhrasePenalty0, "),
        (["--weights", "zero"], "zero: all weights are 0, expected a weight that says something"),
        (["--weights", "large"], "large:2: weight '1e308' of 'lm', expected a number of at most "
         "1e+20; divide all weights by the same number"),
    ],
)  # fmt: skip
def test_refused(folder, translate, options, message):
    (folder / "w").write_text("nonsense\t1\n")
    (folder / "zero").write_text("lm\t0\n")
    (folder / "large").write_text("distortion\t1\nlm\t1e308\n")
    before = sorted(folder.iterdir())
    code, out, err = translate("haus\n", *options)
    assert (code, out) == (2, "")
    assert err.startswith(f"tunesmith translate: {message}")
    assert err.count("\n") == 1
    assert sorted(folder.iterdir()) == before


def test_features_without_a_weight_are_told(folder, translate):
    path = folder / "model" / "weights.tsv"
    lines = path.read_text().splitlines()
    kept = [line for line in lines if not line.startswith(("lm\t", "distortion\t"))]
    (folder / "some").write_text("\n".join(kept) + "\nunheard\t2\n")
    code, out, err = translate(SMALL + "\n", "--weights", "some")
    assert (code, out.count("\n")) == (0, 1)
    assert err == (
        "warning: some: weights of features that the model does not have: unheard\n"
        "warning: some: features without a weight count nothing: distortion, lm\n"
    )
    # The model's own file, in a text of several blocks: said once.
    path.unlink()
    path.write_text("\n".join(kept) + "\n")
    code, out, err = translate(f"{SMALL}\n" * (2 * BLOCK_LINES))
    assert (code, out.count("\n")) == (0, 2 * BLOCK_LINES)
    assert err == (
        "warning: model/weights.tsv: features without a weight count nothing: distortion, lm\n"
    )


def test_a_word_of_a_gigabyte_is_refused_before_it_is_read(folder):
    """Standard input never ends here, as far as the command can see."""
    with open("/dev/zero", "rb") as endless:
        finished = subprocess.run(
            [sys.executable, "-m", "tunesmith.cli.main", "translate", "model"],
            stdin=endless, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr == (
        "tunesmith translate: -:1: more than 1,048,576 bytes, expected a sentence on a line\n"
    )


def test_long_lists_are_made_a_few_sentences_at_a_time(folder, translate, monkeypatch):
    text = f"{SMALL}\n" * 5
    options = ("--nbest", "20", "--nbest-out", "n")
    answer = translate(text, *options), (folder / "n").read_bytes()
    monkeypatch.setattr("tunesmith.decode.translate.BLOCK_TRANSLATIONS", 50)
    assert (translate(text, *options), (folder / "n").read_bytes()) == answer


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('<t is="x">haus', "<t> is not closed, expected </t>"),
        ("haus</t>", '</t> without <t>, expected an opening <t is="…">'),
        ('<t is="x"></t>', "<t> around no words, expected words to translate"),
        ("<t>haus</t>", "'<t>haus</t>', expected <t is=\"…\">, <wall/> or <zone>"),
        ("<zone>haus", "<zone> is not closed, expected </zone>"),
    ],
)
def test_broken_markup_names_its_line(folder, translate, line, message):
    before = sorted(folder.iterdir())
    lines = "haus\n" * (BLOCK_LINES + 4) + f"{line}\n"
    code, _, err = translate(lines, "--markup", "--out", "out")
    assert code == 2
    assert err == f"tunesmith translate: -:{BLOCK_LINES + 5}: {message}\n"
    assert sorted(folder.iterdir()) == before


def test_text_that_is_not_utf_8_names_its_line(translate):
    code, _, err = translate(b"haus\nh\xe4user\n")
    assert code == 2
    assert err.startswith("tunesmith translate: -:2: byte 0xe4 at column 2, expected UTF-8; ")


@pytest.mark.parametrize("name", ["nowhere", ".", "moses.ini"])
def test_what_is_no_model(folder, name, capsys):
    assert main(["translate", name]) == 2
    assert capsys.readouterr().err == (
        f"tunesmith translate: {name}: no readable model.toml in it, expected a model directory; "
        "make one with `tunesmith train` or `tunesmith import`\n"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("pop_limt = 3", "unknown key 'search.pop_limt', expected one of: pop_limit, "),
        ('pop_limit = "3"', "key 'search.pop_limit' is '3', expected a whole number"),
        ("pop_limit = 0", "pop_limit is 0, expected at least 1"),
    ],
)
def test_wrong_limits_in_the_model_itself(folder, translate, line, message):
    path = folder / "model" / "model.toml"
    path.write_text(f"{path.read_text()}{line}\n")
    code, _, err = translate("haus\n")
    assert code == 2
    assert err.startswith(f"tunesmith translate: model/model.toml: {message}")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A model with preprocessing of its own."""
    folder = tmp_path_factory.mktemp("demo")
    assert main(["demo", "--pairs", "1500", "--folder", str(folder), "--quiet"]) == 0
    return folder


def chosen_example(out):
    """How many outputs equal their reference, as the demo says, and the one that it shows."""
    said = re.search(
        r"\n(\d+) of the first 200 translations equal their reference\. "
        r"The first of these with 8 to 14 words:\n\[\d+\] .*\n  → (.*)\n",
        out,
    )
    assert said is not None
    return int(said[1]), said[2]


def test_the_demo_shows_scores_an_explanation_and_where_to_go(trained, capsys):
    assert main(["demo", "--pairs", "1500", "--folder", str(trained), "--quiet"]) == 0
    out = capsys.readouterr().out
    untuned, tuned = (float(line.split()[5]) for line in out.splitlines()[:2])
    assert untuned < tuned
    right, shown = chosen_example(out)
    assert 0 < right < 200
    assert 8 <= len(shown.split()) <= 14
    assert f"  reference: {shown}\n" in out
    assert "    feature " in out
    assert f"tunesmith inspect {trained / 'model'}" in out
    names = {path.name for path in trained.iterdir()}
    assert names >= {"train.de", "train.en", "dev.de", "test.en", "model", "model.work"}


def test_the_demo_refuses_an_empty_corpus(tmp_path, capsys):
    assert main(["demo", "--pairs", "0", "--folder", str(tmp_path / "d")]) == 2
    assert capsys.readouterr().err == (
        "tunesmith demo: argument --pairs: 0, expected at least 1; see `tunesmith demo --help`\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_the_demos_corpus_alone(trained, tmp_path, capsys):
    assert main(["demo", "--write", str(tmp_path), "--pairs", "1500"]) == 0
    assert capsys.readouterr().out == ""
    kinds = ("de", "en", "links")
    names = [f"{part}.{kind}" for part in ("dev", "test", "train") for kind in kinds]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    for name in names:
        assert (tmp_path / name).read_bytes() == (trained / name).read_bytes()


def test_running_text_and_the_models_own_tokens(trained, tmp_path, capsys):
    pair = phrasebook.sample(1, seed=1)[0]
    (tmp_path / "raw").write_text(f"{pair.raw_source}\n")
    (tmp_path / "tokens").write_text("das Haus ist klein .\n")
    capsys.readouterr()
    assert main(["translate", str(trained / "model"), "--input", str(tmp_path / "raw")]) == 0
    raw = capsys.readouterr().out
    assert raw[0].isupper()
    assert raw[-2] in ".?!"
    assert not raw.endswith(" .\n")
    assert main(["translate", str(trained / "model"), "--input", str(tmp_path / "tokens"),
                 "--pretokenised"]) == 0  # fmt: skip
    assert capsys.readouterr().out.endswith(" .\n")
