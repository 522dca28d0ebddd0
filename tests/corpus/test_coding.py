"""Training text is coded in blocks: the same bytes as if all of it were held at once."""

import pytest

from tunesmith.corpus import Bitext, Preprocessor, phrasebook
from tunesmith.corpus import sentences as sentences_module
from tunesmith.corpus.cleaning import Cleaner, CleanOptions
from tunesmith.corpus.coding import TextCoding
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.split import sentence_keys

MADE = phrasebook.sample(60, seed=8)
# What is removed is learned from nevertheless, as casing and compounds have always been.
ODD = [
    ("", "nothing"), ("OK", "OK"), ("Das Haus", "the house " * 9), ("Привет мир", "hello world"),
    ("Die Haustür ist offen.", "The front door is open."), ("Ein  Haus\t.", "A house\u2028."),
]  # fmt: skip
PAIRS = [(pair.raw_source, pair.raw_target) for pair in MADE[:30]] + ODD
PAIRS += [(pair.raw_source, pair.raw_target) for pair in MADE[20:]]


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(sentences_module, "BLOCK_LINES", 7)


def at_once(folder, clean, tokenizer, split):
    """All lines in memory, one step after the other."""
    sides = [[line for line, _ in PAIRS], [line for _, line in PAIRS]]
    made = [Preprocessor.create(tokenizer, "truecase", language=code) for code in ("de", "en")]
    tokens = [side.tokens(lines) for side, lines in zip(made, sides, strict=True)]
    made[0].casing.fit(tokens[0])
    made[1].casing.fit(tokens[1], tokens[0])
    sides = [side.encode(lines) for side, lines in zip(made, sides, strict=True)]
    if split:
        made[0].compounds = CompoundSplitter().fit(sides[0])
        sides[0] = made[0].compounds.apply(sides[0])
    cleaner = Cleaner(clean)
    kept = cleaner.mask(*sides)
    text = [[line for line, keep in zip(side, kept, strict=True) if keep] for side in sides]
    Bitext.from_lines(*text).save(folder / "expected.bin")
    return made, cleaner, [sentence_keys(side).tolist() for side in sides]


@pytest.mark.parametrize("tokenizer", ["moses", "none"])
@pytest.mark.parametrize("split", [False, True])
@pytest.mark.parametrize("clean", [CleanOptions(max_words=12), CleanOptions(keep_duplicates=True)])
@pytest.mark.usefixtures("small_blocks")
def test_the_same_as_all_at_once(tmp_path, tokenizer, split, clean):
    made, cleaner, keys = at_once(tmp_path, clean, tokenizer, split)
    own = [Preprocessor.create(tokenizer, "truecase", language=code) for code in ("de", "en")]
    coding = TextCoding(*own, clean, split=(lambda splitter: split), engine=2)
    text = coding.write(tmp_path, iter(PAIRS))
    assert (tmp_path / "bitext.bin").read_bytes() == (tmp_path / "expected.bin").read_bytes()
    for side, expected in zip(own, made, strict=True):
        assert side.casing.to_dict() == expected.casing.to_dict()
        assert (side.compounds is None) == (expected.compounds is None)
    assert coding.cleaner.counts == cleaner.counts
    assert 0 < len(text) == cleaner.counts["kept"] < len(PAIRS)
    assert [side.tolist() for side in coding.keys] == keys
    assert {path.name for path in tmp_path.iterdir()} == {"bitext.bin", "expected.bin"}


@pytest.mark.usefixtures("small_blocks")
def test_text_is_tokenised_once(tmp_path, monkeypatch):
    seen = []
    own = [Preprocessor.create("none", "truecase") for _ in range(2)]
    original = type(own[0].tokenizer).tokenize

    def counted(self, lines, **options):
        seen.extend(lines)
        return original(self, lines, **options)

    monkeypatch.setattr(type(own[0].tokenizer), "tokenize", counted)
    TextCoding(*own, CleanOptions(), split=lambda splitter: True).write(tmp_path, iter(PAIRS))
    assert sorted(seen) == sorted(line for pair in PAIRS for line in pair)


@pytest.mark.usefixtures("small_blocks")
def test_the_script_of_a_side_is_that_of_all_its_text(tmp_path):
    """The first block is of another script: it goes, not the rest."""
    pairs = [("мир и мир", "peace"), ("дом", "house")] * 4
    pairs += [(f"das Haus Nummer {n}", f"house number {n}") for n in range(30)]
    own = [Preprocessor.create("none", "none") for _ in range(2)]
    coding = TextCoding(*own, CleanOptions())
    assert len(coding.write(tmp_path, pairs)) == 30
    assert coding.cleaner.counts["wrong script"] == 8


def test_white_space_and_marks_are_learned_from_the_pairs(tmp_path):
    pairs = [
        (f'Er sagt: "Haus {n}".', f"Il dit\u00a0: «\u00a0maison {n}\u00a0».") for n in range(60)
    ]
    own = [Preprocessor.create("moses", "none", language=code) for code in ("de", "fr")]
    TextCoding(*own, CleanOptions()).write(tmp_path, pairs)
    own[1].save(tmp_path / "target.json")
    loaded = Preprocessor.load(tmp_path / "target.json")
    assert loaded.decode(["Il dit : « maison » ."]) == ["Il dit\u00a0: «\u00a0maison\u00a0»."]
    assert own[0].encode(["„Haus“"]) == ['" Haus "']
