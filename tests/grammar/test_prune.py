"""Pruned tables against counting by hand and SciPy's tests."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links, read_links
from tunesmith.formats.text import read_lines
from tunesmith.grammar import PhraseExtraction, PhraseTable
from tunesmith.grammar.prune import (
    filter_table,
    limit_table,
    significance,
    significant_rules,
)


@st.composite
def texts(draw):
    """Sentence pairs with a link in every one, so that there is something to extract."""
    pairs, links = [], []
    for _ in range(draw(st.integers(1, 8))):
        source = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=5))
        target = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=5))
        cells = list(itertools.product(range(len(source)), range(len(target))))
        links.append(sorted(draw(st.lists(st.sampled_from(cells), min_size=1, unique=True))))
        pairs.append((" ".join(source), " ".join(target)))
    return Bitext.from_lines([s for s, _ in pairs], [t for _, t in pairs]), links, pairs


def occurs(phrase, sentence):
    return f" {phrase} " in f" {sentence} "


def everything(rule):
    return (rule.source, rule.target, rule.scores, rule.links, rule.counts, rule.reordering)


@given(
    total=st.integers(1, 300),
    counts=st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)),
)
@settings(max_examples=300)
def test_significance_equals_scipy(total, counts):
    source, target = (round(part * total) for part in counts[:2])
    least, most = max(0, source + target - total), min(source, target)
    joint = least + round(counts[2] * (most - least))
    ours = _core.significance(joint, source, target, total)
    expected = -hypergeom.logsf(joint - 1, total, source, target)
    assert ours == pytest.approx(expected, rel=1e-6, abs=1e-6)
    table = [[joint, source - joint], [target - joint, total - source - target + joint]]
    p = fisher_exact(table, alternative="greater").pvalue
    assert math.exp(-ours) == pytest.approx(p, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    ("joint", "source", "target", "total"),
    [(1, 1, 1, 600_000), (500, 20_000, 30_000, 600_000), (2_000, 20_000, 30_000, 600_000),
     (25_000, 25_000, 30_000, 600_000), (2, 3, 4, 29_000)],
)  # fmt: skip
def test_significance_of_large_counts(joint, source, target, total):
    ours = _core.significance(joint, source, target, total)
    assert ours == pytest.approx(-hypergeom.logsf(joint - 1, total, source, target), rel=1e-6)


def test_counts_that_contradict_each_other_are_refused():
    with pytest.raises(OptionError, match="counts that do not fit together"):
        _core.significance(3, 2, 5, 10)


@given(corpus=texts(), threads=st.integers(1, 3))
@settings(max_examples=60)
def test_significant_rules_by_brute_force(corpus, threads, tmp_path_factory):
    bitext, links, pairs = corpus
    folder = tmp_path_factory.mktemp("t")
    table = PhraseExtraction(limit=0).run(bitext, Links.from_lists(links), folder / "t.bin")
    values = significance(table, bitext, engine=threads)
    expected = []
    for rule in table:
        sources = {i for i, (s, _) in enumerate(pairs) if occurs(rule.source, s)}
        targets = {i for i, (_, t) in enumerate(pairs) if occurs(rule.target, t)}
        joint = len(sources & targets)
        assert joint > 0
        log_p = hypergeom.logsf(joint - 1, len(pairs), len(sources), len(targets))
        expected.append(max(0.0, -log_p))
    np.testing.assert_allclose(values, expected, rtol=1e-6, atol=1e-6)
    for threshold, sign in (("a-e", -1), ("a+e", 1)):
        kept = significant_rules(table, bitext, folder / "kept.bin", threshold=threshold)
        wanted = [
            everything(rule)
            for rule, value in zip(table, expected, strict=True)
            if value > math.log(len(pairs)) + sign * 1e-4
        ]
        assert list(map(everything, kept)) == wanted
        # What extraction does by itself.
        option = PhraseExtraction(limit=0, significance=threshold, engine=threads)
        direct = option.run(bitext, Links.from_lists(links), folder / "direct.bin")
        assert list(map(everything, direct)) == wanted
        assert direct.meta["options"]["significance"] == threshold
    assert sorted(path.name for path in folder.iterdir()) == ["direct.bin", "kept.bin", "t.bin"]


@given(corpus=texts(), limit=st.integers(1, 3))
@settings(max_examples=40)
def test_best_rules_and_rules_of_a_text_by_brute_force(corpus, limit, tmp_path_factory):
    bitext, links, pairs = corpus
    folder = tmp_path_factory.mktemp("t")
    table = PhraseExtraction(limit=0).run(bitext, Links.from_lists(links), folder / "t.bin")
    rules = list(table)
    wanted = []
    for _, group in itertools.groupby(rules, key=lambda rule: rule.source):
        group = list(group)
        best = sorted(range(len(group)), key=lambda i: -group[i].scores[2])[:limit]
        wanted += [everything(group[i]) for i in sorted(best)]
    limited = limit_table(table, limit, folder / "limited.bin")
    assert list(map(everything, limited)) == wanted
    text = [pairs[0][0], "unknown b words", ""]
    filtered = filter_table(table, text, folder / "filtered.bin")
    assert list(map(everything, filtered)) == [
        everything(rule) for rule in rules if any(occurs(rule.source, line) for line in text)
    ]
    for rule in filtered:
        assert rule.target in [other.target for other in filtered.rules(rule.source)]
    assert PhraseTable(folder / "filtered.bin").meta["scores"] == table.meta["scores"]


def test_bad_options_are_refused(tmp_path):
    bitext = Bitext.from_lines(["a"], ["x"])
    table = PhraseExtraction().run(bitext, Links.from_lists([[(0, 0)]]), tmp_path / "t.bin")
    with pytest.raises(OptionError, match="limit 0, expected at least 1"):
        limit_table(table, 0, tmp_path / "new.bin")
    with pytest.raises(OptionError, match="no score 'p', expected one of: p_f_given_e"):
        limit_table(table, 1, tmp_path / "new.bin", score="p")
    with pytest.raises(OptionError, match="threshold 'none', expected 'a-e' or 'a\\+e'"):
        significant_rules(table, bitext, tmp_path / "new.bin", threshold="none")
    assert [path.name for path in tmp_path.iterdir()] == ["t.bin"]


def test_most_of_a_real_table_is_coincidence(data, tmp_path):
    """Johnson et al. (2007) drop most of a table at α+ε; the same bytes for any threads."""
    part = np.arange(5000)
    bitext = Bitext.from_lines(
        read_lines(data / "multi30k/train.de.xz"), read_lines(data / "multi30k/train.en.xz")
    ).select(part)
    links = read_links(data / "alignments-multi30k/aligned.grow-diag-final-and.gz")
    links = Links.from_lists([links[i] for i in part])
    table = PhraseExtraction(limit=0, engine=2).run(bitext, links, tmp_path / "t.bin")
    plus = significant_rules(table, bitext, tmp_path / "plus.bin", threshold="a+e", engine=1)
    minus = significant_rules(table, bitext, tmp_path / "minus.bin", engine=2)
    assert 0.02 < len(plus) / len(table) < 0.2
    assert 0.5 < len(minus) / len(table) < 1
    significant_rules(table, bitext, tmp_path / "again.bin", engine=1)
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "minus.bin").read_bytes()
