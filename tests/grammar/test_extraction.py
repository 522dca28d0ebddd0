import gzip
import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.phrases import consistent_pairs, phrase_counts, word_orientation
from tunesmith.base.errors import OptionError
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links, read_links
from tunesmith.formats.text import read_lines
from tunesmith.grammar import PhraseExtraction


@st.composite
def corpora(draw):
    sentences = []
    for _ in range(draw(st.integers(1, 6))):
        source = draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6))
        target = draw(st.lists(st.sampled_from("wxyz"), min_size=1, max_size=6))
        cells = list(itertools.product(range(len(source)), range(len(target))))
        links = draw(st.lists(st.sampled_from(cells), unique=True, max_size=8))
        sentences.append((source, target, sorted(links)))
    return sentences


def extract(corpus, path, origins=None, **options):
    bitext = Bitext.from_lines(
        [" ".join(source) for source, _, _ in corpus], [" ".join(target) for _, target, _ in corpus]
    )
    links = Links.from_lists([links for _, _, links in corpus])
    if origins is not None:
        bitext = replace(bitext, origins=np.array(origins, np.uint8), corpora=3)
    return PhraseExtraction(**options).run(bitext, links, path)


@given(corpus=corpora(), max_length=st.integers(1, 4))
@settings(max_examples=60)
def test_pairs_counts_and_frequencies_equal_the_definition(corpus, max_length, tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "t.bin"
    table = extract(corpus, path, max_length=max_length, smoothing="none", limit=0)
    expected = phrase_counts(corpus, max_length)
    of_source, of_target = Counter(), Counter()
    for (source, target), count in expected.items():
        of_source[source] += count
        of_target[target] += count
    found = {(rule.source, rule.target): rule for rule in table}
    assert set(found) == set(expected)
    for (source, target), rule in found.items():
        count = expected[source, target]
        assert rule.counts == (of_target[target], of_source[source], count)
        assert math.exp(rule.scores[0]) == pytest.approx(count / of_target[target], rel=1e-5)
        assert math.exp(rule.scores[2]) == pytest.approx(count / of_source[source], rel=1e-5)


@given(corpus=corpora())
@settings(max_examples=60)
def test_word_orientations_equal_the_definition(corpus, tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "t.bin"
    table = extract(corpus, path, limit=0, reordering_smoothing=0.5)
    counts = {}
    for source, target, links in corpus:
        for pair in consistent_pairs(len(source), len(target), links, 7):
            sb, se, tb, te = pair
            rule = counts.setdefault(
                (" ".join(source[sb:se]), " ".join(target[tb:te])), (Counter(), Counter())
            )
            for side, orientation in zip(
                rule, word_orientation(links, len(source), len(target), pair), strict=True
            ):
                side[orientation] += 1
    for rule in table:
        expected = [
            math.log((side[o] + 0.5) / (sum(side.values()) + 1.5))
            for side in counts[rule.source, rule.target]
            for o in "msd"
        ]
        np.testing.assert_allclose(rule.reordering, expected, rtol=1e-5)


@given(corpus=corpora(), smoothing=st.sampled_from(["none", "kneser-ney"]))
@settings(max_examples=60)
def test_probabilities_given_a_source_phrase_sum_to_at_most_one(
    corpus, smoothing, tmp_path_factory
):
    path = tmp_path_factory.mktemp("table") / "t.bin"
    total = Counter()
    for rule in extract(corpus, path, smoothing=smoothing, limit=0):
        total[rule.source] += math.exp(rule.scores[2])
        assert all(score <= 1e-6 for score in rule.scores)
    assert all(value <= 1 + 1e-5 for value in total.values())


@pytest.fixture(scope="module")
def multi30k(data):
    bitext = Bitext.from_lines(
        read_lines(data / "multi30k/train.de.xz"), read_lines(data / "multi30k/train.en.xz")
    )
    links = read_links(data / "alignments-multi30k/aligned.grow-diag-final-and.gz")
    return bitext, links


def test_same_bytes_for_any_threads_and_memory(multi30k, tmp_path):
    bitext, links = multi30k
    part = np.arange(6000)
    bitext = bitext.select(part)
    links = Links.from_lists([links[i] for i in part])
    files = []
    for threads, memory_mb in ((1, 1024), (2, 1024), (2, 16)):
        path = tmp_path / f"{threads}-{memory_mb}.bin"
        PhraseExtraction(engine=threads, memory_mb=memory_mb).run(bitext, links, path)
        files.append(path.read_bytes())
    assert files[0] == files[1] == files[2]
    assert [p.name for p in tmp_path.iterdir() if "spill" in p.name] == []


def test_table_equals_moses(multi30k, data, tmp_path):
    """Same pairs, same frequencies, same reordering; lexical weights where links are the same."""
    extraction = PhraseExtraction(smoothing="none", limit=0, engine=2)
    table = extraction.run(*multi30k, tmp_path / "t.bin")
    reordering = {}
    with gzip.open(data / "moses-model/reordering-table.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            source, target, scores = line.rstrip("\n").split(" ||| ")[:3]
            reordering[source, target] = [float(score) for score in scores.split()]
    with gzip.open(data / "moses-model/phrase-table.gz", "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split(" ||| ") for line in lines]
    other_links = 0
    compared = 0
    for number, (source, group) in enumerate(itertools.groupby(rows, key=lambda row: row[0])):
        if number % 5:
            continue  # a fifth of them is enough, and five times as fast
        ours = {rule.target: rule for rule in table.rules(source)}
        theirs = {row[1]: row for row in group}
        assert set(ours) == set(theirs)
        for target, row in theirs.items():
            rule = ours[target]
            compared += 1
            expected = [float(score) for score in row[2].split()]
            found = np.exp(rule.scores)
            np.testing.assert_allclose(found[[0, 2]], [expected[0], expected[2]], rtol=1e-4)
            np.testing.assert_allclose(
                np.exp(rule.reordering), reordering[source, target], rtol=1e-4
            )
            # Of equally frequent links Moses takes what it saw first, in either direction.
            other_links += not np.allclose(found, expected, rtol=2e-3)
    assert compared > 10_000
    assert other_links < 0.02 * compared


def test_links_outside_the_sentence_are_refused(tmp_path):
    corpus = [(["a", "b"], ["x"], [(0, 0), (1, 1)])]
    with pytest.raises(OptionError, match="sentence 1: link 1-1 outside its 2 and 1 words"):
        extract(corpus, tmp_path / "t.bin")
    assert list(tmp_path.iterdir()) == []


@given(corpus=corpora(), data=st.data())
@settings(max_examples=40)
def test_scores_of_corpora_equal_the_definition(corpus, data, tmp_path_factory):
    origins = [data.draw(st.integers(0, 2)) for _ in corpus]
    path = tmp_path_factory.mktemp("table") / "t.bin"
    table = extract(corpus, path, origins, limit=0)
    assert table.meta["scores"][4:] == ["corpus1", "corpus2", "corpus3"]
    alone = {(r.source, r.target): r for r in extract(corpus, path.with_name("one"), limit=0)}
    parts = [
        phrase_counts([one for one, own in zip(corpus, origins, strict=True) if own == k], 7)
        for k in range(3)
    ]
    for rule in table:
        pair = rule.source, rule.target
        assert rule.scores[:4] == alone[pair].scores
        assert rule.counts == alone[pair].counts
        for k, counts in enumerate(parts):
            of_source = sum(count for (source, _), count in counts.items() if source == pair[0])
            expected = (counts.get(pair, 0) + math.exp(rule.scores[2])) / (of_source + 1)
            assert math.exp(rule.scores[4 + k]) == pytest.approx(expected, rel=1e-4)
