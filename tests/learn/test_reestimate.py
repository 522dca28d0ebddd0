"""Counts of forced decoding with leave-one-out against brute force."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.forced import gold_derivations
from reference.phrases import own_pairs
from reference.shard_engines import ENGINES
from reference.tiny_models import extracted_model, random_links
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links
from tunesmith.learn import reestimate


def score(steps, table, words, own):
    """Under the initial weights, but for what all derivations of a sentence have in common."""
    total, last_end = 0.0, 0
    for begin, end, target in steps:
        total -= abs(begin - last_end)
        last_end = end
        source, target = " ".join(words[begin:end]), " ".join(target)
        rule = next((rule for rule in table.rules(source) if rule.target == target), None)
        if rule is None:
            continue
        total += sum(rule.scores)
        if (source, target) in own:
            of_target, of_source, joint = rule.counts
            for place, given_ in ((0, of_target), (2, of_source)):
                if joint > 1:
                    held_out = math.log((joint - 1) / (given_ - 1))
                else:
                    held_out = -5 * (end - begin + len(target.split()))
                total += held_out - rule.scores[place]
    return total


@given(seed=st.integers(0, 100_000))
@settings(max_examples=40, deadline=None)
def test_the_best_derivation_is_counted(seed, tmp_path_factory):
    chance = np.random.default_rng(seed)
    sources, targets, lists = random_links(chance, 6)
    links = Links.from_lists(lists)
    folder = tmp_path_factory.mktemp("m")
    model = extracted_model(folder / "f", sources, targets, links)
    table = model.tables[0]
    for pair in range(6):
        words, target = sources[pair].split(), targets[pair].split()
        result = reestimate(
            model, Bitext.from_lines([sources[pair]], [targets[pair]]), folder / "new.bin",
            links=Links.from_lists([lists[pair]]), engine=1,
        )  # fmt: skip
        own = own_pairs(words, target, lists[pair])
        ways = gold_derivations(words, target, lambda s: [r.target for r in table.rules(s)], 6)
        assert result.whole == bool(ways)
        if not ways:
            continue
        scored = [(score(steps, table, words, own), steps) for steps in ways]
        best = max(value for value, _ in scored)
        found = Counter()
        for rule in result.table:
            found[rule.source, rule.target] += int(rule.counts[2])
        assert found in [
            Counter(
                (" ".join(words[b:e]), " ".join(t))
                for b, e, t in steps
                if any(r.target == " ".join(t) for r in table.rules(words[b:e]))
            )
            for value, steps in scored
            if value > best - 1e-4
        ]


def test_scores_are_relative_frequencies(tmp_path):
    sources = ["a b", "a b", "a c", "a"]
    targets = ["x y", "x y", "x z", "w"]
    links = Links.from_lists([[(0, 0), (1, 1)]] * 3 + [[(0, 0)]])
    model = extracted_model(tmp_path / "f", sources, targets, links)
    result = reestimate(
        model, Bitext.from_lines(sources, targets), tmp_path / "new.bin", links=links, engine=2
    )
    old = {(rule.source, rule.target): rule for rule in model.tables[0]}
    of_source, of_target = Counter(), Counter()
    for rule in result.table:
        of_source[rule.source] += rule.counts[2]
        of_target[rule.target] += rule.counts[2]
    assert len(result.table) > 0
    for rule in result.table:
        before = old[rule.source, rule.target]
        assert rule.scores[1::2] == before.scores[1::2]
        assert rule.reordering == before.reordering
        assert rule.counts[:2] == (of_target[rule.target], of_source[rule.source])
        np.testing.assert_allclose(
            rule.scores[::2],
            [
                math.log(rule.counts[2] / of_target[rule.target]),
                math.log(rule.counts[2] / of_source[rule.source]),
            ],
            rtol=1e-5, atol=1e-6,
        )  # fmt: skip
    assert (result.whole, result.prefixes, result.without) == (4, 0, 0)


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_shards_count_the_same(engine, tmp_path):
    sources, targets, lists = random_links(np.random.default_rng(4), 11)
    links = Links.from_lists(lists)
    model = extracted_model(tmp_path / "f", sources, targets, links)
    pairs = Bitext.from_lines(sources, targets)
    alone = reestimate(model, pairs, tmp_path / "one.bin", links=links, engine=1)
    result = reestimate(model, pairs, tmp_path / "new.bin", links=links, engine=engine)
    assert (result.whole, result.prefixes, result.without) == (
        alone.whole, alone.prefixes, alone.without,
    )  # fmt: skip
    assert (tmp_path / "new.bin").read_bytes() == (tmp_path / "one.bin").read_bytes()
