import json
import lzma

import pytest
import sacremoses
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import ConfigError, InputError, TunesmithError
from tunesmith.corpus.casing import Casing, Lowercase, NoCasing, Truecase
from tunesmith.corpus.preprocess import Preprocessor
from tunesmith.corpus.tokenizers import MosesTokenizer, NoTokenizer

words = st.sampled_from(
    ["the", "The", "THE", "house", "House", "in", "In", "Rome", ".", "?", "!", "(", '"', "'", "[",
     "42", ",", "b2b", "B2B", "été", "Été", "日本"]
)  # fmt: skip
texts = st.lists(st.lists(words, max_size=8), max_size=8)


def without_empty_sentences(tokens):
    """For sacremoses a sentence that starts with its end is under way; for us it has not begun."""
    kept, begun = [], False
    for token in tokens:
        if begun or token not in ".?!":
            kept.append(token)
        if token in ".?!":
            begun = False
        elif token not in "(['\"":
            begun = True
    return kept


@given(train=texts, test=texts)
def test_truecasing_of_sentences_is_that_of_moses(train, test):
    # So many capitals at starts of sentences that it is no text without them.
    train = [["the"], *[["The"]] * 99, *map(without_empty_sentences, train)]
    reference = sacremoses.MosesTruecaser()
    reference.SENT_END = {".", "?", "!"}
    counts = {}
    for line in train:
        for lower, form, weight in reference.learn_truecase_weights(line, True):
            if weight == 1:  # less is that of a second token, a capital at a start
                counts.setdefault(lower, {}).setdefault(form, 0)
                counts[lower][form] += 1
    model = reference.model = {"best": {}, "known": set()}
    ours = Truecase().fit(map(" ".join, train))
    cased = {lower: forms for lower, forms in counts.items() if lower != lower.upper()}
    for lower, forms in cased.items():
        ranked = sorted(forms, key=lambda form: (-forms[form], form != lower, form))
        assert ours.forms[lower] == ranked
        model["best"][lower] = ranked[0]
        model["known"].update(ranked)
    assert len(ours.forms) == len(cased)
    lines = list(map(" ".join, test))
    assert ours.apply(lines) == [
        reference.truecase(line, return_str=True, use_known=True) for line in lines
    ]


def test_real_text_comes_back(data):
    def read(name, count):
        with lzma.open(data / "europarl-4way" / name, "rt", encoding="utf-8") as stream:
            return [line.rstrip("\n") for line, _ in zip(stream, range(count), strict=False)]

    for language in ("en", "de"):
        tokenizer = MosesTokenizer(language)
        train = tokenizer.tokenize(read(f"train.{language}.xz", 20_000))
        dev = tokenizer.tokenize(read(f"dev.{language}.xz", 1_000))
        true = Truecase().fit(train)
        small = Lowercase(true.forms)
        for casing, allowed in ((true, 0.006), (small, 0.06)):
            back = casing.restore(casing.apply(dev))
            pairs = [
                pair
                for line, other in zip(dev, back, strict=True)
                for pair in zip(line.split(), other.split(), strict=True)
            ]
            wrong = sum(a != b for a, b in pairs) / len(pairs)
            assert wrong < allowed, (language, casing.name)


def test_more_lines_than_a_block_are_counted_in_full(monkeypatch):
    text = [f"{'XYz'[i % 3]} Word{i % 7} word{i % 5} word{i % 3}" for i in range(100)]
    sources = [f"{'Ab'[i % 2]} b" for i in range(100)]
    whole = Truecase().fit(text, sources).to_dict()
    monkeypatch.setattr("tunesmith.corpus.sentences.BLOCK_LINES", 9)
    assert Truecase().fit(text, sources).to_dict() == whole
    assert whole["forms"]["word0"] == ["word0", "Word0"]


def test_openings_leave_the_start_to_the_next_word():
    true = Truecase().fit(["x das ist gut"])
    assert true.apply(["„ Das ist « Gut »", "¿ Das", "- ( Das", "... Das"]) == [
        "„ das ist « gut »",
        "¿ das",
        "- ( das",
        "... das",
    ]


def test_lowercase_without_training_stays_lower():
    assert Lowercase().restore(["a b ."]) == ["a b ."]
    assert Lowercase().apply(["A B İ"]) == ["a b i̇"]


def test_an_untrained_truecaser_says_so():
    with pytest.raises(TunesmithError, match="a truecaser must be trained before it can be"):
        Truecase().apply(["a"])


def test_markup_and_pipes_are_words():
    true = Truecase().fit(["x <b> a|b | <s> </s> A&amp;B"])
    line = "x <b> a|b | <s> </s> A&amp;B"
    assert true.apply([line]) == [line]


@given(train=texts)
def test_preprocessors_are_saved_whole(train, tmp_path_factory):
    path = tmp_path_factory.mktemp("preprocess") / "p.json"
    lines = list(map(" ".join, train))
    for casing in (NoCasing(), Lowercase(), Truecase()):
        before = Preprocessor(MosesTokenizer("de"), casing).fit(lines)
        before.save(path)
        after = Preprocessor.load(path)
        assert after.to_dict() == before.to_dict()
        assert after.encode(lines) == before.encode(lines)
        assert after.decode(lines) == before.decode(lines)


def test_create_by_name():
    made = Preprocessor.create("char", "lowercase")
    assert made.encode(["Ab c", ""]) == ["a b ▁ c", ""]
    assert made.decode(["a b ▁ c", ""]) == ["ab c", ""]
    with pytest.raises(
        ConfigError, match="casing 'upper', expected one of: none, lowercase, truec"
    ):
        Preprocessor.create("moses", "upper")
    assert isinstance(Preprocessor.create("none", "none").tokenizer, NoTokenizer)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "p.json: not JSON, expected a saved preprocessor"),
        (
            "[]",
            "p.json: preprocessor: expected the keys 'tokenizer' and 'casing'; make the file ag",
        ),
        ('{"tokenizer": 1, "casing": {}}', "p.json: preprocessor: 1, expected an object with a"),
        (
            '{"tokenizer": {"name": "none"}, "casing": {"name": "upper"}}',
            "p.json: casing {'name': 'upper'}, expected one of: none, lowercase, truecase; make",
        ),
        (
            '{"tokenizer": {"name": "none"}, "casing": {"name": "truecase", "forms": {"a": []}}}',
            "p.json: casing: forms are not lists of words; make the file again",
        ),
        (
            '{"tokenizer": {"name": "none"}, "casing": {"name": "truecase", "forms": {"": [""]}}}',
            "p.json: casing: forms are not lists of words",
        ),
        (
            '{"tokenizer": {"name": "none"}, "casing": {"name": "lowercase", "starts": {"upper": '
            "[2, 1]}}}",
            "p.json: casing: sentence starts are not counts and words by kind",
        ),
        (
            '{"tokenizer": {"name": "none"}, "casing": {"name": "lowercase", "exceptions": '
            '{"upper": [2]}}}',
            "p.json: casing: 'exceptions' is missing or broken",
        ),
        (
            '{"tokenizer": {"name": "none"}, "casing": {"name": "none", "x": 1}}',
            "p.json: casing none: ",
        ),
    ],
)
def test_broken_files(tmp_path, content, message):
    path = tmp_path / "p.json"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        Preprocessor.load(path)
    assert message in str(caught.value)


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="No such file or directory, expected a readable file"):
        Preprocessor.load(tmp_path / "none.json")


def test_casing_dicts():
    true = Truecase().fit(["x Rome rome Rome"])
    again = Casing.from_dict(json.loads(json.dumps(true.to_dict())))
    assert again.apply(["x ROME"]) == ["x Rome"]


def test_starts_follow_the_source():
    true = Truecase().fit(
        ["The house of Tom .", "of the house", "The end . Of Tom", "in Rome", "In Rome"] * 5,
        ["Das Haus von Tom .", "von dem Haus", "Das Ende . Von Tom", "日本", "ローマ"] * 5,
    )
    sources = ["Von Tom", "von Tom", "日本", None, "A . b", "a . B", "A . B . C"]
    lines = ["of Tom", "of Tom", "in Rome", "of Tom", *["in Rome . the end"] * 3]
    assert true.restore(lines, sources) == [
        "Of Tom",
        "of Tom",
        "In Rome",
        "Of Tom",
        "In Rome . the end",
        "in Rome . The end",
        "In Rome . The end",
    ]


def test_words_may_start_otherwise_than_others():
    true = Truecase().fit(
        ["The house", "In Rome", "error in the house", "x in the error"] * 9, ["日本"] * 36
    )
    assert true.restore(["error in Rome", "the error", "in Rome"], ["日", None, "日"]) == [
        "error in Rome",
        "The error",
        "In Rome",
    ]
    again = Casing.from_dict(json.loads(json.dumps(true.to_dict())))
    assert again.restore(["error in the house"], ["日本"]) == ["error in the house"]


def test_starts_are_learned_against_the_source():
    lower, upper = ["the end", "tom 's house"] * 5, ["The end", "Tom 's house"] * 5
    small = Truecase().fit(lower, upper)
    assert small.restore(["the house", "the 2 ends"], ["Das Haus", None]) == [
        "the house",
        "the 2 ends",
    ]
    assert Truecase().fit([*upper, "x the"], [*lower, "x"]).restore(["the"], ["das"]) == ["The"]


def test_entries_of_a_glossary_keep_their_case():
    places = [f"Place{i}" for i in range(9)]
    words = [f"word{i}" for i in range(4)]
    true = Truecase().fit([*places, *words, "Word1 family"])
    assert true.apply([*places, *words]) == true.restore([*places, *words]) == [*places, *words]
    assert true.apply(["WORD2"]) == ["word2"]


def test_lines_in_capitals_stay_in_capitals():
    true = Truecase().fit(["x das Haus"])
    lines = ["the house of ⟦url⟧ .", "the house", "the USA", "http"]
    sources = ["DAS HAUS VON ⟦url⟧ .", "das HAUS", "USA", "日本 USA CD"]
    assert true.restore(lines, sources) == ["THE HOUSE OF ⟦url⟧ .", "the house", "The USA", "Http"]
    quiet = Truecase().fit(["A a b"] * 9, ["A B"] * 9)
    assert quiet.restore(["a b"], ["C D"]) == ["A b"]


def test_a_source_is_known_beyond_a_block(monkeypatch):
    monkeypatch.setattr("tunesmith.corpus.sentences.BLOCK_LINES", 2)
    true = Truecase().fit(["x das Haus"])
    assert true.restore(["a"] * 5, ["B", "b", "B", None, "b"]) == ["A", "a", "A", "A", "a"]


def test_words_at_starts_alone_are_as_rare_words_elsewhere():
    names = ["Tom x", "House x", "the House"], ["Tom y", "Haus y", "ein Haus"]
    words = ["Adding x", "Deleting x", "an adding", "Plus x", "a plus"], ["y"] * 5
    lines = ["Deleting x", "Tom x", "x Deleting"]
    true = Truecase().fit(names[0] + words[0], names[1] + words[1])
    assert true.apply(lines) == ["deleting x", "Tom x", "x deleting"]
    assert true.restore(["x deleting", "deleting x"]) == ["X deleting", "Deleting x"]
    # As many rare words have capitals as have none, or nothing tells names from words.
    assert Truecase().fit(names[0] + words[0][:3], names[1] + words[1][:3]).apply(lines) == lines
    assert Truecase().fit(names[0] + words[0]).apply(lines) == lines


def test_turkish_has_two_letters_i():
    true = Truecase().fit(["Bu ışık için iptal .", "İptal et", "Ilık su", "bu ılık", "Irak ve iş"])
    assert true.apply(["İptal ışığı", "IŞIK", "Ilık"]) == ["iptal ışığı", "ışık", "ılık"]
    assert true.restore(["iptal", "ılık su"], ["Cancel", "WARM WATER"]) == ["İptal", "ILIK SU"]
    again = Casing.from_dict(json.loads(json.dumps(true.to_dict())))
    assert again.restore(["iş"]) == ["İş"]
    assert Truecase().fit(["Is it in it ?"]).restore(["it is"]) == ["It is"]
