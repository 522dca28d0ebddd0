"""The phrasebook's samples: distinct sentences, repeatable, with links of their tokens."""

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.phrasebook import SIZE, sample, write
from tunesmith.formats.pharaoh import read_links
from tunesmith.formats.text import read_lines


@pytest.fixture(scope="module")
def corpus():
    return sample(SIZE)


def test_no_sentence_occurs_twice_so_parts_of_a_sample_are_disjoint(corpus):
    assert len({pair.source.lower() for pair in corpus}) == SIZE
    assert len({pair.target.lower() for pair in corpus}) == SIZE


def test_a_seed_decides_the_sample(corpus):
    assert sample(500) == sample(500, seed=1) == corpus[:500]
    other = sample(SIZE, seed=2)
    assert other[:500] != corpus[:500]
    assert sorted(other) == sorted(corpus)


@pytest.mark.parametrize("n", [SIZE + 1, -1])
def test_a_sample_is_not_larger_than_the_phrasebook(n):
    message = rf"^cannot sample {n:,} pairs of the phrasebook, expected 0 to 30,000$"
    with pytest.raises(OptionError, match=message):
        sample(n)


def test_links_are_sorted_and_inside_and_cover_the_words(corpus):
    linked = words = 0
    for pair in corpus:
        german, english = pair.source.split(), pair.target.split()
        assert pair.links == sorted(set(pair.links))
        assert all(0 <= i < len(german) and 0 <= j < len(english) for i, j in pair.links)
        assert pair.links[-1] == (len(german) - 1, len(english) - 1)  # the final marks
        places = {i for i, word in enumerate(german) if word != ","}
        linked += len(places & {i for i, _ in pair.links})
        words += len(places)
    assert linked / words > 0.97


def test_running_text_has_the_tokens_that_are_linked(corpus):
    for language, tokens, raw in (
        ("de", [pair.source for pair in corpus], [pair.raw_source for pair in corpus]),
        ("en", [pair.target for pair in corpus], [pair.raw_target for pair in corpus]),
    ):
        assert Preprocessor.create("moses", "none", language=language).tokens(raw) == tokens
        assert not any(" ." in line or " '" in line for line in raw)


def test_parts_of_a_sample_as_files(tmp_path):
    write(tmp_path, seed=3, dev=20, train=50)
    pairs = sample(70, seed=3)
    for name, part in (("dev", pairs[:20]), ("train", pairs[20:])):
        assert read_lines(tmp_path / f"{name}.de") == [pair.raw_source for pair in part]
        assert read_lines(tmp_path / f"{name}.en") == [pair.raw_target for pair in part]
        assert list(read_links(tmp_path / f"{name}.links")) == [pair.links for pair in part]
    assert len(list(tmp_path.iterdir())) == 6
