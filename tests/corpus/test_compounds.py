import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reference.compounds import all_cuts, best_mean, mean
from tunesmith.base.errors import InputError, TunesmithError
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.compounds import FILLERS, CompoundSplitter
from tunesmith.formats.text import read_lines


def splitter(counts, **options):
    return CompoundSplitter({word: (count, word) for word, count in counts.items()}, **options)


@pytest.mark.parametrize(
    ("counts", "parts"),
    [
        # Koehn & Knight (2003), section 3: the frequencies of Europarl.
        (
            {"aktionsplan": 852, "aktion": 960, "plan": 710, "aktions": 5, "akt": 224, "ion": 1},
            ["aktionsplan"],
        ),
        ({"freitag": 556, "frei": 885, "tag": 1864}, ["frei", "tag"]),
    ],
)
def test_the_examples_of_the_paper(counts, parts):
    word = "".join(parts)
    assert splitter(counts).split([word]) == [parts]


@given(
    st.dictionaries(
        st.text("abs", min_size=1, max_size=4), st.integers(1, 50), min_size=1, max_size=20
    ),
    st.text("abs", max_size=9),
    st.integers(1, 3),
)
@example({"ab": 3, "s": 1}, "absab", 1)
def test_splits_are_the_best_of_all_cuts(counts, word, min_length):
    parts = {part: count for part, count in counts.items() if len(part) >= min_length}
    fillers = ["s", "bs"]
    found = splitter(parts, fillers=fillers, min_length=min_length).split([word])[0]
    expected, is_cut = best_mean(word, parts, fillers, min_length)
    if found == [word]:
        assert not is_cut or expected == pytest.approx(parts.get(word, 0))
    else:
        assert found in list(all_cuts(word, parts, fillers, min_length))
        assert mean(found, parts) == pytest.approx(expected)


def test_characters_are_not_cut_into_bytes():
    found = splitter({"öl": 5, "ßä": 2, "ölß": 1}, min_length=2).split(["ölßä", "ölsßä"])
    assert found == [["öl", "ßä"], ["öl", "ßä"]]


def test_very_long_words_stay_whole():
    words = ["ab" * 50, "ab" * 51]
    assert splitter({"ab" * 5: 9}).split(words) == [["ab" * 5] * 10, [words[1]]]


def test_capitals_and_other_characters():
    lines = ["Der Hund bellt", "der Hund und die Hütte", "eine Hütte", "das Gehen , gehen , gehen"]
    trained = CompoundSplitter().fit(lines)
    assert trained.parts is not None
    assert trained.parts["der"] == (2, "der")
    assert trained.parts["gehen"] == (3, "gehen")
    assert trained.parts["bellt"] == (1, "bellt")
    text = ["Hundehütte HundeHütte Hunde-Hütte HUNDEHÜTTE hundehütte", "", "Hundegehen  !"]
    assert trained.apply(text) == [
        "Hund Hütte HundeHütte Hunde-Hütte HUNDEHÜTTE Hund Hütte",
        "",
        "Hund gehen !",
    ]


def test_threads_change_nothing(data):
    lines = read_lines(data / "multi30k" / "val.de")
    trained = CompoundSplitter().fit(lines)
    one = trained.apply(lines, engine=1)
    assert one == trained.apply(lines, engine=2)
    assert one != lines


@pytest.mark.parametrize(
    ("name", "of_use"), [("multi30k/train.de.xz", True), ("multi30k/train.en.xz", False)]
)
def test_languages_with_compounds_are_recognised(data, name, of_use):
    trained = CompoundSplitter().fit(read_lines(data / name))
    assert trained.is_of_use() is of_use
    assert trained.is_of_use("nl")


def test_preprocessors_keep_their_splitter(tmp_path):
    lines = ["Der Hund und die Hütte.", "Ein Hund, eine Hütte."]
    preprocessor = Preprocessor.create("moses", "truecase", language="de").fit(lines)
    preprocessor.save(tmp_path / "without.json")
    assert preprocessor.encode(["Die Hundehütte."]) == ["die Hundehütte ."]
    preprocessor.compounds = CompoundSplitter().fit(preprocessor.encode(lines))
    preprocessor.save(tmp_path / "with.json")
    again = Preprocessor.load(tmp_path / "with.json")
    assert again.encode(["Die Hundehütte."]) == ["die Hund Hütte ."]
    assert again.compounds is not None
    assert again.compounds.fillers == FILLERS
    assert again.to_dict() == preprocessor.to_dict()
    assert Preprocessor.load(tmp_path / "without.json").compounds is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fillers": "s"}, "compounds: 'fillers' is missing or broken"),
        ({"min_length": 0}, "compounds: expected lengths and counts above 0, and words of letters"),
        ({"parts": [1]}, "compounds: 'parts' is missing or broken"),
        ({"parts": {"hund": 3}}, "compounds: 'parts' is missing or broken"),
        ({"parts": {"hund": [0, "x"]}},
         "compounds: expected lengths and counts above 0, and words of letters"),
        ({"parts": {"hund": [2, "a b"]}},
         "compounds: expected lengths and counts above 0, and words of letters"),
    ],
)  # fmt: skip
def test_broken_files_are_refused(tmp_path, change, message):
    values = Preprocessor(compounds=CompoundSplitter({"hund": (3, "Hund")})).to_dict()
    values["compounds"] |= change
    path = tmp_path / "source.json"
    path.write_text(json.dumps(values))
    with pytest.raises(InputError) as caught:
        Preprocessor.load(path)
    assert str(caught.value) == f"{path}: {message}; make the file again"


def test_an_untrained_splitter_is_refused():
    with pytest.raises(TunesmithError, match="must be trained"):
        CompoundSplitter().apply(["ein Haus"])


def test_text_that_should_be_in_parts_and_is_not(caplog):
    one = splitter({"haus": 9, "boot": 9, "see": 9})
    one.warn_of_whole(["ein haus boot auf dem see"])
    assert not caplog.records
    one.warn_of_whole(["ein hausboot auf dem see"])
    (record,) = caplog.records
    assert record.getMessage().startswith(
        "1 of 5 words of the text are compounds that the model knows in parts ('hausboot': haus "
        "boot), and stay whole"
    )
    caplog.clear()
    # A part that would be split further is no reason.
    one.warn_of_whole(["ein haus boot auf dem see"] * 100 + ["hausboot"])
    assert not caplog.records
