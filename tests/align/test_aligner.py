import json
import os
import subprocess
import sys

import numpy as np
import pytest

from reference.standstill import Written, kill_when
from tunesmith.align import Aligner, AlignmentModel, alignment_quality
from tunesmith.align.model import KIND, VERSION
from tunesmith.base.array_file import read_arrays, write_arrays
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.seeds import generator
from tunesmith.cli.main import main
from tunesmith.corpus import Bitext, phrasebook
from tunesmith.formats.pharaoh import Links, read_links
from tunesmith.formats.text import read_lines


@pytest.fixture(scope="module")
def book():
    pairs = phrasebook.sample(1500, seed=7)
    return (
        [pair.source for pair in pairs],
        [pair.target for pair in pairs],
        Links.from_lists(pair.links for pair in pairs),
    )


@pytest.fixture(scope="module")
def aligner(book):
    return Aligner(engine=1).fit(book[0], book[1])


def test_the_phrasebook_is_aligned_as_its_grammar_says(book, aligner):
    quality = alignment_quality(aligner.align(book[0], book[1]), book[2])
    assert quality.aer < 0.20
    assert quality.precision > 0.8


def test_the_hmm_is_better_than_model_1(book, aligner):
    gold = book[2]
    one = Aligner(hmm=0, engine=1).fit(book[0], book[1])
    two = Aligner(hmm=0, ibm2=5, engine=1).fit(book[0], book[1])
    errors = [
        alignment_quality(each.align(book[0], book[1]), gold).aer for each in (aligner, two, one)
    ]
    assert errors == sorted(errors)


def test_threads_do_not_change_a_byte(book, aligner, tmp_path):
    for options in ({}, {"agreement": False}, {"ibm2": 2, "hmm": 1}):
        for threads in (1, 2, 3):
            each = Aligner(engine=threads, **options).fit(book[0], book[1])
            each.save(tmp_path / f"{threads}.align")
            (tmp_path / f"{threads}.links").write_bytes(each.align(book[0], book[1]).encoded())
        for kind in ("align", "links"):
            one, *others = ((tmp_path / f"{threads}.{kind}").read_bytes() for threads in (1, 2, 3))
            assert all(other == one for other in others)


def test_a_saved_model_gives_the_same_links_to_the_same_and_to_new_text(book, aligner, tmp_path):
    aligner.save(tmp_path / "model")
    loaded = Aligner.load(tmp_path / "model")
    links = aligner.align(book[0], book[1])
    assert loaded.align(book[0], book[1]) == links
    assert loaded.align(Bitext.from_lines(book[0], book[1])) == links
    # A pair alone, in another order, among new words: the same links as in training.
    assert list(loaded.align(book[0][::-1], book[1][::-1])) == list(links)[::-1]
    assert loaded.align(["unbekannt " + book[0][0]], ["unknown " + book[1][0]])[0]
    stream = zip(book[0], book[1], strict=True)
    assert list(loaded.align_stream(stream, block=7)) == list(links)
    assert (loaded.hmm, loaded.symmetrisation) == (aligner.hmm, aligner.symmetrisation)


def test_empty_and_long_sentences_stay_in_place(book, caplog):
    source = [book[0][0], "", "a b", *book[0][1:50], "lang " * 10_000]
    target = [book[1][0], "x", "", *book[1][1:50], "long " * 10_000]
    with caplog.at_level("INFO", logger="tunesmith"):
        aligner = Aligner(engine=1).fit(source, target)
        links = aligner.align(source, target)
    assert len(links) == len(source)
    assert links[0]
    assert links[1] == links[2] == links[52] == []
    assert "2 sentence pairs with an empty side get no links" in caplog.text
    assert (
        "1 sentence pairs with more than 200 words get no links (the first is number 53, with "
        "10,000 and 10,000 words); raise max_length to align them" in caplog.text
    )


def test_no_probability_is_above_1_in_long_sentences():
    chance = generator(1, "long sentences")
    one = [" ".join(f"f{word % 400}" for word in chance.zipf(1.3, 180)) for _ in range(40)]
    other = [line.replace("f", "e") for line in one]
    text = Bitext.from_lines(one, other)
    links = Aligner(engine=1).fit(text).align(text)
    assert links.probability.max() == 1  # rounding alone would give 1.00001, which no reader takes


def test_links_of_every_symmetrisation(book, aligner):
    from tunesmith.align import METHODS, symmetrise

    found = {}
    for method in ("posterior", *METHODS):
        aligner.symmetrisation = method
        found[method] = aligner.align(book[0], book[1])
        probability = found[method].probability
        assert len(probability) == len(found[method].source)
        assert (probability >= 0).all()
        assert (probability <= 1).all()
    aligner.symmetrisation = "grow-diag"
    for method in METHODS:
        joined = symmetrise(found["forward"], found["reverse"], method)
        assert list(joined) == list(found[method])
    assert (found["posterior"].probability > aligner.threshold).all()


def test_words_may_come_as_lists(aligner):
    text = [["das", "haus"]], [["the", "house"]]
    assert aligner.align(*text) == aligner.align(["das haus"], ["the house"])
    with pytest.raises(OptionError, match=r"words \['das haus'\], expected none that is empty or"):
        aligner.align([["das haus"]], [["the", "house"]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hmm": -1}, "hmm is -1, expected at least 0"),
        ({"alpha": 0.0}, "alpha is 0.0, expected more than 0"),
        ({"smoothing": "some"}, "smoothing is 'some', expected one of: none, dirichlet, variation"),
        ({"symmetrisation": "all"}, "symmetrisation is 'all', expected one of: posterior, inters"),
        ({"ibm1": 0, "hmm": 0}, "ibm1, ibm2 and hmm are all 0, expected at least one iteration"),
        ({"prune": 2.0}, "prune is 2.0, expected at most 1"),
        ({"null_probability": float("nan")}, "null_probability is nan, expected a number"),
    ],
)
def test_options_out_of_range(options, message):
    with pytest.raises(OptionError) as caught:
        Aligner(**options).fit(["a"], ["b"])
    assert message in str(caught.value)


def test_text_that_cannot_be_used():
    with pytest.raises(OptionError, match="none of 0 sentence pairs can be aligned"):
        Aligner().fit([], [])
    with pytest.raises(OptionError, match="none of 1 sentence pairs can be aligned"):
        Aligner().fit([""], ["a"])
    with pytest.raises(OptionError, match="2 source sentences and 1 target sentences"):
        Aligner().fit(["a", "b"], ["c"])
    with pytest.raises(OptionError, match="the aligner has no model yet: call fit or load first"):
        Aligner().align(["a"], ["b"])


def broken_model(path, tmp_path, change):
    arrays = dict(read_arrays(path, KIND, VERSION))
    change(arrays)
    write_arrays(tmp_path / "broken", KIND, VERSION, arrays)
    return tmp_path / "broken"


def set_about(**values):
    def change(arrays):
        about = json.loads(arrays["about"].tobytes()) | values
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)

    return change


def set_array(name, value):
    def change(arrays):
        arrays[name] = value(arrays[name].copy())

    return change


def first_item(value):
    def change(array):
        array[0] = value
        return array

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda arrays: arrays.pop("forward.jump"), "no array 'forward.jump'"),
        (set_array("lexicon.targets", first_item(1 << 30)), "rows of the lexicon that do not fit"),
        (set_array("lexicon.rows", first_item(5)), "rows of the lexicon that do not fit"),
        (set_array("lexicon.rows", lambda a: a[:-1]), "tables of the lexicon that differ in leng"),
        (set_array("lexicon.forward", lambda a: a[1:]), "tables of the lexicon that differ in le"),
        (
            set_array("lexicon.forward", lambda a: a.astype(float)),
            "array 'lexicon.forward' of type",
        ),
        (set_array("lexicon.forward", first_item(np.nan)), "a translation probability outside it"),
        (set_array("lexicon.null_forward", lambda a: a[1:]), "a lexicon of another vocabulary"),
        (set_array("reverse.jump", lambda a: a[1:]), "jump weights that do not fit"),
        (set_array("reverse.first", first_item(-1)), "a jump weight outside its range"),
        (set_about(links={"x": 1}), "unknown key 'x', expected one of: symmetrisation, thresh"),
        (
            set_about(
                forward={"model": "ibm9", "null_probability": 0, "tension": 4, "uniform_jumps": 0}
            ),
            "model 'ibm9', expected one of: ibm1, ibm2, hmm",
        ),
        (
            set_about(
                forward={"model": "hmm", "null_probability": 2, "tension": 4, "uniform_jumps": 0}
            ),
            "a parameter of a direction outside its range",
        ),
        (set_array("source.ends", lambda a: a[::-1].copy()), ""),
    ],
)
def test_a_broken_model_is_refused(aligner, tmp_path, change, message):
    aligner.save(tmp_path / "model")
    path = broken_model(tmp_path / "model", tmp_path, change)
    with pytest.raises(InputError) as caught:
        AlignmentModel.load(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "; make the file again" in str(caught.value)


@pytest.fixture
def files(book, tmp_path):
    for name, lines in (("a.de", book[0]), ("a.en", book[1])):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path


def test_command(files, aligner, book, capfd, monkeypatch):
    monkeypatch.chdir(files)
    train = ["align", "--src", "a.de", "--tgt", "a.en", "--quiet"]
    assert main([*train, "--out", "a.links", "--model-out", "a.align"]) == 0
    links = aligner.align(book[0], book[1])
    assert list(read_links("a.links")) == list(links)
    assert sorted(os.listdir()) == ["a.align", "a.de", "a.en", "a.links"]
    use = ["align", "--model", "a.align", "--src", "a.de", "--tgt", "a.en"]
    assert main([*use, "--probabilities", "--out", "b.links.gz"]) == 0
    np.testing.assert_allclose(read_links("b.links.gz").probability, links.probability, atol=1e-4)
    capfd.readouterr()
    assert main([*use, "--symmetrisation", "intersection"]) == 0
    aligner.symmetrisation = "intersection"
    expected = aligner.align(book[0], book[1])
    aligner.symmetrisation = "grow-diag"
    assert [line.count("-") for line in capfd.readouterr().out.splitlines()] == [
        len(pair) for pair in expected
    ]


def test_a_bitext_file_is_read_as_its_text(files, book, monkeypatch):
    monkeypatch.chdir(files)
    Bitext.from_lines(book[0], book[1]).save("a.bitext")
    command = ["align", "--quiet", "--hmm", "1"]
    assert main([*command, "--src", "a.bitext", "--out", "one"]) == 0
    assert main([*command, "--src", "a.de", "--tgt", "a.en", "--out", "two"]) == 0
    assert (files / "one").read_bytes() == (files / "two").read_bytes()


def test_a_saved_model_reports_sentences_that_are_too_long(files, aligner, capfd, monkeypatch):
    monkeypatch.chdir(files)
    aligner.save("m")
    (files / "b.de").write_text("das haus\n" + "lang " * 10_000 + "\n\n")
    (files / "b.en").write_text("the house\n" + "long " * 9_000 + "\nx\n")
    assert main(["align", "--model", "m", "--src", "b.de", "--tgt", "b.en"]) == 0
    found = capfd.readouterr()
    assert found.out.count("\n") == 3
    assert found.out.endswith("\n\n\n")
    assert found.err == (
        "1 sentence pairs with an empty side get no links\n"
        "warning: 1 sentence pairs with more than 200 words get no links (the first is number 2, "
        "with 10,000 and 9,000 words); raise max_length to align them\n"
    )


def test_stream(files, monkeypatch):
    monkeypatch.chdir(files)
    assert main(["align", "--src", "a.de", "--tgt", "a.en", "--quiet", "--model-out", "m"]) == 0
    text = f"{read_lines('a.de')[0]} ||| {read_lines('a.en')[0]}\n\nx\ty\n|||\n"
    command = [sys.executable, "-m", "tunesmith.cli.main", "align", "--model", "m"]
    for extra in ([], ["--line-buffered"]):
        done = subprocess.run([*command, *extra], input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.split("\n")
        assert len(lines) == 5
        assert "-" in lines[0]
        assert lines[1] == lines[3] == ""
        into = [*command, *extra, "--out", "links"]
        subprocess.run(into, input=text, check=True, text=True)
        assert (files / "links").read_text() == done.stdout
    done = subprocess.run(command, input="a ||| b\nc\n", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (
        2,
        "tunesmith align: stdin:2: 1 column, expected 'source ||| target'; "
        "use a tab for text with '|||' in it\n",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--src a.de --tgt short", "short: 3 lines, expected 1,500 as in a.de; the files are not"),
        ("--src a.de --tgt latin1", "latin1:2: byte 0xfc at column 3, expected UTF-8; convert"),
        ("--src a.de --tgt nul", "nul:1: a NUL byte at column 2, expected UTF-8 text; is it a"),
        ("--src none --tgt a.en", "none: cannot be read: No such file or directory"),
        ("--model a.de", "a.de: not a tunesmith binary file, expected a tunesmith file of kind"),
        ("--out x", "no --src and no --model, expected text to learn from or a model"),
        ("--model m --hmm 3", "--hmm is for training, but --model gives a trained model"),
        ("--src a.de --tgt a.en --out none/x", "none/x: its folder does not exist, expected an"),
    ],
)
def test_bad_input_is_answered_in_one_line(files, capsys, monkeypatch, arguments, message):
    monkeypatch.chdir(files)
    (files / "short").write_text("a\nb\nc\n")
    (files / "latin1").write_bytes("grün\n".encode() + b"gr\xfcn\n")
    (files / "nul").write_bytes(b"a\0b\n")
    assert main(["align", "--quiet", *arguments.split()]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"tunesmith align: {message}")
    assert error.count("\n") == 1
    assert sorted(os.listdir()) == ["a.de", "a.en", "latin1", "nul", "short"]


@pytest.mark.parametrize("option", ["--out", "--model-out"])
def test_nothing_that_is_read_is_written_over(files, capsys, monkeypatch, option):
    monkeypatch.chdir(files)
    before = (files / "a.de").read_bytes()
    assert (
        main(["align", "--src", "a.de", "--tgt", "a.en", option, "../" + files.name + "/a.de"]) == 2
    )
    assert capsys.readouterr().err == (
        f"tunesmith align: {option} is '../{files.name}/a.de', which is read; expected a new name\n"
    )
    assert (files / "a.de").read_bytes() == before


WITHOUT_LINKS = "1,500 of 1,500 sentence pairs got no links: are the two sides"


def test_most_pairs_without_links_is_worth_a_warning(files, capfd, monkeypatch):
    monkeypatch.chdir(files)
    train = ["align", "--src", "a.de", "--tgt", "a.en", "--hmm", "1"]
    assert main([*train, "--out", "none", "--prune", "1", "--ibm1", "1"]) == 0
    assert f"warning: {WITHOUT_LINKS}" in capfd.readouterr().err
    assert main([*train, "--out", "all", "--model-out", "m"]) == 0
    assert "got no links" not in capfd.readouterr().err
    use = ["align", "--model", "m", "--src", "a.de", "--tgt", "a.en", "--out", "none"]
    assert main([*use, "--symmetrisation", "posterior", "--threshold", "1"]) == 0
    assert f"warning: {WITHOUT_LINKS}" in capfd.readouterr().err


def test_a_stream_without_links_is_worth_one_warning_at_its_end(book, aligner, caplog):
    half = zip(book[0][:9], [*book[1][:4], *["unbekannt"] * 5], strict=True)
    with caplog.at_level("INFO", logger="tunesmith"):
        links = [pair for one in aligner.align_blocks(half, block=2) for pair in one]
    without = sum(not pair for pair in links)
    assert without == 5
    assert caplog.messages == [
        message for message in caplog.messages if "5 of 9 sentence" in message
    ]
    assert len(caplog.messages) == 1
    caplog.clear()
    assert all(aligner.align_stream(zip(book[0][:4], book[1][:4], strict=True), block=1))
    assert caplog.messages == []


def test_a_killed_command_leaves_nothing_half_written(files):
    command = ["align", "--quiet", "--src", "a.de", "--tgt", "a.en"]
    command += ["--out", "a.links", "--model-out", "a.align"]
    kill_when(Written(files, ".a.links.tmp*", text="0-0"), command, cwd=files)
    assert sorted(one for one in os.listdir(files) if one[0] != ".") == ["a.align", "a.de", "a.en"]
    Aligner.load(files / "a.align")
