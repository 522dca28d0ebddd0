"""Compounds whole beside their parts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import InputError
from tunesmith.corpus import Bitext, Preprocessor
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.tokenizers import make_tokenizer
from tunesmith.corpus.whole_compounds import WHOLE, compound_lattice, with_whole_compounds
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.plf import Lattice

SPLITTER = CompoundSplitter().fit(["haus boot tür"] * 9 + ["hausboot haustür hausbootstür rad"])
WORDS = ("haus", "boot", "hausboot", "hausbootstür", "rad")


def test_a_lattice_has_the_word_and_its_parts():
    side = Preprocessor(make_tokenizer("none"), compounds=SPLITTER)
    plain, lattice = map(compound_lattice, side.read(["rad  haus", "rad hausbootstür boot"]))
    assert plain is None
    paths = [" ".join(arc.word for arc in path) for path in lattice.paths()]
    assert paths == ["rad haus boot tür boot", "rad hausbootstür boot"]
    assert [arc.scores for arc in lattice.nodes[1]] == [(1.0,), (WHOLE,)]


@st.composite
def texts(draw):
    """Lines of whole words, and links of the same lines with their compounds split."""
    lines, links = [], []
    for _ in range(draw(st.integers(0, 4))):
        words = draw(st.lists(st.sampled_from(WORDS), max_size=4))
        size = sum(map(len, SPLITTER.split(words)))
        cells = [(i, j) for i in range(size) for j in range(3)]
        lines.append(" ".join(words))
        some = draw(st.lists(st.sampled_from(cells), unique=True)) if cells else []
        links.append(sorted(some))
    return lines, links


@given(texts())
def test_pairs_with_compounds_come_again_with_the_links_of_the_parts(text):
    whole, links = text
    split = SPLITTER.apply(whole)
    targets = ["x y z"] * len(whole)
    bitext, found = with_whole_compounds(
        Bitext.from_lines(split, targets), Links.from_lists(links), whole, SPLITTER
    )
    lines, expected = list(split), list(links)
    for line, own in zip(whole, links, strict=True):
        parts = SPLITTER.split(line.split())
        if any(len(part) > 1 for part in parts):
            owner = [i for i, part in enumerate(parts) for _ in part]
            lines.append(line)
            expected.append(sorted({(owner[i], j) for i, j in own}))
    assert bitext.source.lines() == lines
    assert bitext.target.lines() == ["x y z"] * len(lines)
    assert list(found) == expected


def test_a_preprocessor_remembers_it(tmp_path):
    splitter = CompoundSplitter(SPLITTER.parts, keep_whole=True)
    path = tmp_path / "source.json"
    Preprocessor(make_tokenizer("none"), compounds=splitter).save(path)
    loaded = Preprocessor.load(path)
    assert loaded.encode(["hausboot rad"]) == ["haus boot rad"]
    line, lattice = loaded.encode_input(["rad", "hausboot"])
    assert line == "rad"
    assert isinstance(lattice, Lattice)
    values = json.loads(path.read_text())
    values["compounds"]["keep_whole"] = "yes"
    path.write_text(json.dumps(values))
    with pytest.raises(InputError, match="compounds: 'keep_whole' is missing or broken"):
        Preprocessor.load(path)
    assert "keep_whole" not in SPLITTER.to_dict()
