"""Forced decoding against brute force: the same derivations, prefixes and rules left out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.forced import gold_derivations, longest_prefix, prefix_pairs
from reference.graphs import derivations
from reference.phrases import own_pairs
from reference.tiny_models import (
    SOURCE,
    TARGET,
    extracted_model,
    random_links,
    random_model,
    some_links,
)
from reference.unknown_words import source_words
from tunesmith.base.errors import OptionError
from tunesmith.corpus import Bitext
from tunesmith.decode import SearchOptions
from tunesmith.decode.forced import ForcedDecoder, ForcedOptions
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.formats.pharaoh import Links
from tunesmith.learn import reestimate
from tunesmith.model import TranslationModel, new_model, write_description


def steps_of(result, pair, target):
    """The derivations of a pair in the form of the reference, sorted."""
    return sorted(
        [(step.begin, step.end, tuple(target[step.target_begin : step.target_end])) for step in way]
        for way in result.all_derivations(pair)
    )


@given(
    seed=st.integers(0, 100_000),
    limit=st.integers(0, 4),
    size=st.integers(1, 4),
    keep=st.booleans(),
)
@settings(max_examples=60)
def test_derivations_equal_brute_force(seed, limit, size, keep, tmp_path_factory):
    model, _, chance = random_model(
        seed, tmp_path_factory.mktemp("m") / "f", keep_unknown_order=keep
    )
    words = list(chance.choice([*SOURCE, "e"], size))
    targets = [list(chance.choice(list(TARGET), int(chance.integers(1, 5)))) for _ in range(4)]

    def rules_of(source):
        return [rule.target for rule in model.tables[0].rules(source)]

    known = source_words(model.tables) if keep else None
    # Some translations that can be made.
    at, made = 0, []
    while at < size:
        fitting = [k for k in (1, 2, 3) if at + k <= size and rules_of(words[at : at + k])]
        step = int(chance.choice(fitting)) if fitting else 1
        made += str(chance.choice(rules_of(words[at : at + step]) or [words[at]])).split()
        at += step
    targets += [made, [*made, "w"]]
    options = ForcedOptions(distortion_limit=limit, min_prefix=1)
    result = ForcedDecoder(model, options, engine=2).run(
        Bitext.from_lines([" ".join(words)] * len(targets), map(" ".join, targets)),
        keep=True,
        list_prefixes=True,
    )
    assert result.whole[4]
    assert result.prefixes.tolist() == [
        [pair, i, j]
        for pair, target in enumerate(targets)
        if not result.whole[pair]
        for i, ends in sorted(prefix_pairs(words, target, rules_of, limit, 1, known).items())
        for j in sorted(ends)
    ]
    for pair, target in enumerate(targets):
        expected = gold_derivations(words, target, rules_of, limit, known)
        assert bool(result.whole[pair]) == bool(expected)
        i, j = size, len(target)
        if not expected:
            i, j, expected = longest_prefix(words, target, rules_of, limit, 1, known)
        assert (result.source_words[pair], result.target_words[pair]) == (i, j)
        assert result.derivations[pair] == len(expected)
        assert steps_of(result, pair, target) == sorted(expected)


@given(seed=st.integers(0, 100_000), limit=st.integers(0, 4))
@settings(max_examples=30)
def test_gold_graphs_have_the_same_derivations(seed, limit, tmp_path_factory):
    """The lattices with features that learners of graphs take."""
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    decoder = PhraseDecoder(model, search=SearchOptions(distortion_limit=limit), engine=1)
    sources = [" ".join(chance.choice(list(SOURCE), 4)) for _ in range(4)]
    targets = [*decoder.decode(sources[:3]).best(), "nobody"]
    pool = decoder.gold_graphs(sources, targets)
    options = ForcedOptions(distortion_limit=limit, min_prefix=0)
    found = ForcedDecoder(model, options, engine=1).run(Bitext.from_lines(sources, targets))
    for i, target in enumerate(targets):
        ways = derivations(list(pool[i])) if found.whole[i] else []
        assert len(ways) == found.derivations[i]
        assert all(" ".join(way.words) == target for way in ways)


@given(seed=st.integers(0, 100_000), tables=st.integers(1, 2), floor=st.sampled_from([None, -5.0]))
@settings(max_examples=50)
@pytest.mark.parametrize("mode", ["own", "own without links", "singletons"])
def test_rules_left_out(mode, seed, tables, floor, tmp_path_factory):
    """Each table's rules are judged by its own counts and by the links that made it.

    A pair of joined tables is one rule as long as one of them keeps it.
    """
    chance = np.random.default_rng(seed)
    sources, targets, lists = random_links(chance, 5)
    of_tables = [lists, some_links(chance, sources, targets)][:tables]
    links = [Links.from_lists(one) for one in of_tables]
    model = extracted_model(
        tmp_path_factory.mktemp("m") / "f", sources, targets, *links, join_floor=floor
    )
    options = ForcedOptions(leave_out=mode.split()[0], min_prefix=0)
    result = ForcedDecoder(model, options, engine=1).run(
        Bitext.from_lines(sources, targets), links if mode == "own" else None, keep=True
    )
    for pair in range(5):
        words, target = sources[pair].split(), targets[pair].split()
        own = [own_pairs(words, target, one[pair]) for one in of_tables]

        def all_rules_of(source, own=own, target=target):
            for table, its_own in zip(model.tables, own, strict=True):
                for rule in table.rules(source):
                    once = rule.counts[2] == 1
                    if mode == "own":
                        once &= (rule.source, rule.target) in its_own
                    elif mode == "own without links":
                        once &= f" {rule.target} " in f" {' '.join(target)} "
                    if not once:
                        yield rule.target

        def rules_of(source, all_rules_of=all_rules_of):
            return list(all_rules_of(source)) if floor is None else {*all_rules_of(source)}

        expected = gold_derivations(words, target, rules_of, 6)
        assert steps_of(result, pair, target) == sorted(expected)


@given(seed=st.integers(0, 100_000), floor=st.sampled_from([None, -5.0]))
@settings(max_examples=30, deadline=None)
def test_a_recounted_table_has_no_rule_that_the_first_would_not_have(seed, floor, tmp_path_factory):
    """It has no links: seen once, its rules are judged by their words; and by the first table."""
    chance = np.random.default_rng(seed)
    sources, targets, lists = random_links(chance, 5)
    links = Links.from_lists(lists)
    folder = tmp_path_factory.mktemp("m")
    first = extracted_model(folder / "first", sources, targets, links)
    reestimate(
        first, Bitext.from_lines(sources, targets), folder / "again.bin", links=links, engine=1
    )
    with new_model(folder / "both") as temporary:
        for path, name in (
            (first.folder / "phrases.bin", "phrases.bin"),
            (folder / "again.bin", "phrases2.bin"),
            (first.folder / "lm.bin", "lm.bin"),
        ):
            (temporary / name).write_bytes(path.read_bytes())
        write_description(
            temporary,
            tables=["phrases.bin", "phrases2.bin"],
            language_models=["lm.bin"],
            join_floor=floor,
        )
    model = TranslationModel.load(folder / "both")
    options = ForcedOptions(leave_out="own", min_prefix=0)
    result = ForcedDecoder(model, options, engine=1).run(
        Bitext.from_lines(sources, targets), links, keep=True
    )
    for pair in range(5):
        words, target = sources[pair].split(), targets[pair].split()
        own = own_pairs(words, target, lists[pair])

        def rules_of(source, own=own, target=target):
            left_out = {
                rule.target
                for rule in model.tables[0].rules(source)
                if rule.counts[2] == 1 and (rule.source, rule.target) in own
            }
            kept = [rule.target for rule in model.tables[0].rules(source)]
            kept += [
                rule.target
                for rule in model.tables[1].rules(source)
                if rule.counts[2] > 1 or f" {rule.target} " not in f" {' '.join(target)} "
            ]
            kept = [target for target in kept if target not in left_out]
            return kept if floor is None else {*kept}

        expected = gold_derivations(words, target, rules_of, 6)
        assert steps_of(result, pair, target) == sorted(expected)


def test_links_of_another_number_of_tables_are_refused(tmp_path):
    links = Links.from_lists([[(0, 0)]])
    model = extracted_model(tmp_path / "f", ["a"], ["x"], links, links)
    with pytest.raises(OptionError) as caught:
        ForcedDecoder(model, engine=1).run(Bitext.from_lines(["a"], ["x"]), links)
    assert str(caught.value) == (
        "links of 1 phrase tables, expected 2: those that phrases.bin and phrases2.bin were "
        "extracted from, in this order"
    )


def test_caps_are_counted(tmp_path):
    model, *_ = random_model(7, tmp_path / "f")
    sources, targets = ["a b a b", "a", "a b c a b c", ""], ["w x", "w", "w", "w"]
    decoder = ForcedDecoder(model, ForcedOptions(max_words=4, max_nodes=1), engine=1)
    assert decoder.run(Bitext.from_lines(sources[2:], targets[2:])).stopped == ["length", ""]
    long = ForcedDecoder(model, ForcedOptions(max_nodes=1), engine=1)
    known = [rule.target for rule in model.tables[0]]
    first = next(iter(model.tables[0]))
    result = long.run(Bitext.from_lines([first.source], [known[0]]))
    assert result.stopped == ["nodes"]
    assert not result.whole.any()
    assert ForcedOptions(max_nodes=1000).memory(2) == 2 * ForcedOptions(max_nodes=1000).memory(1)


def test_threads_change_nothing(tmp_path):
    model, _, chance = random_model(11, tmp_path / "f")
    sources = [" ".join(chance.choice(list(SOURCE), 6)) for _ in range(60)]
    targets = [" ".join(chance.choice(list(TARGET), 6)) for _ in range(60)]
    one, two = (
        ForcedDecoder(model, ForcedOptions(min_prefix=1), engine=threads).run(
            Bitext.from_lines(sources, targets)
        )
        for threads in (1, 2)
    )
    for name in ("whole", "source_words", "target_words", "derivations", "visited", "edges"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()


@pytest.mark.parametrize(
    ("sources", "targets", "links", "message"),
    [
        (["a"], [], None, "1 source sentences and 0 target sentences, expected equally many"),
        (["a"], ["x"], Links.from_lists([]), "links of 0 pairs for 1 pairs"),
        (["a"], ["x"], Links.from_lists([[(1, 0)]]), "pair 1: link 1-0 outside its 1 and 1 words"),
    ],
)
def test_refused(tmp_path, sources, targets, links, message):
    model, *_ = random_model(7, tmp_path / "f")
    with pytest.raises(OptionError) as caught:
        ForcedDecoder(model, engine=1).run(Bitext.from_lines(sources, targets), links)
    assert str(caught.value) == message
