import gzip
import itertools
import math
import threading
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.hiero import Corpus, features, fits
from reference.lattices import random_lattice
from tunesmith.base.errors import OptionError
from tunesmith.corpus import Bitext, phrasebook
from tunesmith.formats.pharaoh import Links, read_links
from tunesmith.formats.plf import Arc, Lattice
from tunesmith.formats.text import read_lines
from tunesmith.grammar import HieroIndex, HieroOptions, ScfgGrammar

ALL = {"samples": 0, "candidates": 0}


@st.composite
def corpora(draw):
    sentences = []
    for _ in range(draw(st.integers(1, 5))):
        source = draw(st.lists(st.sampled_from("abc"), min_size=0, max_size=6))
        target = draw(st.lists(st.sampled_from("xyz"), min_size=0, max_size=6))
        cells = list(itertools.product(range(len(source)), range(len(target))))
        links = draw(st.lists(st.sampled_from(cells), unique=True, max_size=7)) if cells else []
        sentences.append((source, target, sorted(links)))
    return sentences


@st.composite
def limits(draw):
    return {
        "max_span": draw(st.integers(1, 6)),
        "max_target_span": draw(st.integers(1, 6)),
        "max_input_span": draw(st.integers(1, 6)),
        "max_symbols": draw(st.integers(1, 5)),
        "max_nonterminals": draw(st.integers(0, 2)),
        "min_gap": draw(st.integers(1, 2)),
        "tight": draw(st.booleans()),
        "deletions": draw(st.booleans()),
    }


inputs = st.lists(st.sampled_from("abcd"), max_size=6)


def build(corpus, path, **options):
    bitext = Bitext.from_lines(
        [" ".join(source) for source, _, _ in corpus], [" ".join(target) for _, target, _ in corpus]
    )
    links = Links.from_lists([links for _, _, links in corpus])
    return HieroOptions(**options).run(bitext, links, path)


def found(rules):
    """By source side, as the reference writes it, and target side."""
    out = {}
    for rule in rules:
        side = tuple(0 if isinstance(symbol, int) else symbol for symbol in rule.source)
        assert (side, rule.target) not in out
        out[side, rule.target] = rule
    return out


def check(rules, part, whole, sentence, options):
    ours = found(rules)
    expected = {
        (side, rule)
        for side, targets in part.counts.items()
        if fits(side, sentence, options)
        for rule in targets
        if rule or len(targets) > 1  # a word that is always unlinked is not left out
    }
    assert set(ours) == expected
    for (side, target), rule in ours.items():
        values = features(part, whole, side, target)
        assert set(rule.features) == set(values)
        for name, value in values.items():
            assert rule.features[name] == pytest.approx(value, rel=1e-5, abs=1e-6), name
        seen = part.links[side][target]
        assert seen[rule.links] == max(seen.values())


@given(corpus=corpora(), options=limits(), sentence=inputs, frequent=st.sampled_from([0, 1, 9]))
@settings(max_examples=150)
def test_rules_and_features_equal_the_definition(
    corpus, options, sentence, frequent, tmp_path_factory
):
    path = tmp_path_factory.mktemp("hiero") / "h.bin"
    index = build(corpus, path, **options, **ALL, frequent=frequent)
    whole = Corpus(corpus, options)
    check(index.rules(sentence), whole, whole, sentence, options)


@given(corpus=corpora(), options=limits(), seed=st.integers(0, 999), nodes=st.integers(0, 6))
@settings(max_examples=150)
def test_a_lattice_has_the_rules_of_its_paths(corpus, options, seed, nodes, tmp_path_factory):
    index = build(corpus, tmp_path_factory.mktemp("hiero") / "h.bin", **options, **ALL)
    lattice = random_lattice(np.random.default_rng(seed), "abcd", nodes)
    paths = [[arc.word for arc in path] for path in lattice.paths()]
    expected = {rule for path in paths for rule in map(str, index.rules(path))}
    rules = index.rules(lattice)
    assert {str(rule) for rule in rules} == expected
    assert len(rules) == len(expected)
    texts = index.text_rules([lattice, *paths])
    assert sorted(map(str, texts)) == sorted(expected)
    assert list(map(str, index.filtered(texts, lattice))) == list(map(str, rules))
    if len(paths) == 1:
        assert list(index.rules(paths[0])) == list(rules)


def test_lattices_beyond_all_limits_are_refused(tmp_path):
    source = [a + b for a in "abcdefgh" for b in "abcdefgh"]  # all words follow all others
    corpus = [(list("".join(source)), list("x"), [(0, 0)])]
    index = build(corpus, tmp_path / "h.bin", max_symbols=15)
    dense = Lattice((tuple(Arc(word) for word in "abcdefgh"),) * 15)
    with pytest.raises(OptionError, match="more than 4194304 source patterns"):
        index.rules(dense)


@given(corpus=corpora(), options=limits(), data=st.data())
@settings(max_examples=100)
def test_what_is_left_out_counts_nowhere(corpus, options, data, tmp_path_factory):
    """A rule is there if another pair supports it, with the counts of the other pairs."""
    index = build(corpus, tmp_path_factory.mktemp("hiero") / "h.bin", **options, **ALL)
    whole = Corpus(corpus, options)
    pair = data.draw(st.integers(0, len(corpus) - 1))
    sentence = corpus[pair][0]
    rest = Corpus(corpus, options, left_out={pair})
    check(index.rules(sentence, leave_out=pair), rest, whole, sentence, options)
    fold = np.array(data.draw(st.lists(st.booleans(), min_size=len(corpus), max_size=len(corpus))))
    rest = Corpus(corpus, options, left_out=set(np.flatnonzero(fold).tolist()))
    check(index.rules(sentence, leave_out=fold), rest, whole, sentence, options)


def test_leave_one_out_takes_exactly_the_rules_that_only_this_pair_supports(tmp_path):
    corpus, _ = repetitive(np.random.default_rng(3), 30)
    index = build(corpus, tmp_path / "h.bin", **ALL)
    taken = 0
    for pair, (source, _, _) in enumerate(corpus):
        before, after = found(index.rules(source)), found(index.rules(source, leave_out=pair))
        others = np.arange(len(corpus)) != pair
        own = found(index.rules(source, leave_out=others))
        counts = {rule: round(np.exp(r.features["count_ef"])) - 1 for rule, r in before.items()}
        in_pair = {rule: round(np.exp(r.features["count_ef"])) - 1 for rule, r in own.items()}
        only_here = {rule for rule, count in counts.items() if in_pair.get(rule) == count}
        assert set(before) - set(after) == only_here
        taken += len(only_here)
    assert taken > 100


def repetitive(chance, size):
    """Sentences of few words with nearly monotone links, so that patterns have many places."""
    corpus = []
    for _ in range(size):
        n = int(chance.integers(3, 12))
        source = chance.choice(list("abcdef"), n).tolist()
        target = [word.upper() for word in source]
        links = [(i, i) for i in range(n) if chance.random() < 0.9]
        if n > 4:
            target[1], target[3] = target[3], target[1]
            links = [(i, {1: 3, 3: 1}.get(j, j)) for i, j in links]
        corpus.append((source, target, sorted(links)))
    return corpus, [" ".join(source) for source, _, _ in corpus[:8]]


SAMPLED = {"samples": 5, "candidates": 40, "frequent": 2}


def test_sampling_is_the_same_for_every_input_threads_and_time(tmp_path):
    corpus, lines = repetitive(np.random.default_rng(5), 400)
    index = build(corpus, tmp_path / "one.bin", **SAMPLED)
    build(corpus, tmp_path / "two.bin", **SAMPLED, engine=2)
    assert (tmp_path / "one.bin").read_bytes() == (tmp_path / "two.bin").read_bytes()
    again = HieroIndex(tmp_path / "two.bin")
    together = index.text_rules(lines)
    assert list(together) == list(again.text_rules(lines, engine=2))
    union = found(together)
    seen = {}
    for line in lines:
        rules = index.rules(line)
        assert max(rule.features["sample_count_f"] for rule in rules) == pytest.approx(np.log(6))
        assert list(rules) == list(again.rules(line))
        filtered = found(index.filtered(together, line))
        assert filtered == found(rules)
        seen |= filtered
    assert seen == union


def test_several_threads_may_ask_at_a_time(tmp_path):
    corpus, lines = repetitive(np.random.default_rng(6), 100)
    index = build(corpus, tmp_path / "h.bin", **SAMPLED)
    expected = [list(index.rules(line)) for line in lines]
    results = [None] * len(lines)

    def ask(i):
        results[i] = list(index.rules(lines[i]))

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(len(lines))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == expected


def test_thinned_places_stand_for_all(tmp_path):
    """With a sample, counts and the target's probability are estimates of those without."""
    corpus, lines = repetitive(np.random.default_rng(7), 3000)
    exact = build(corpus, tmp_path / "exact.bin", **ALL)
    thinned = build(corpus, tmp_path / "thin.bin", samples=200, candidates=1000, frequent=3)
    pairs = [(found(exact.rules(line)), found(thinned.rules(line))) for line in lines]
    for name in ("p_e_given_f", "p_f_given_e"):
        differences = [
            whole[key].features.get(name, 0) - rule.features.get(name, 0)
            for whole, part in pairs
            for key, rule in part.items()
            if whole[key].features["count_ef"] > np.log(500)
        ]
        assert len(differences) > 50
        assert abs(np.mean(differences)) < 0.1


def test_rules_of_a_text_can_be_written(tmp_path):
    corpus, lines = repetitive(np.random.default_rng(8), 50)
    rules = build(corpus, tmp_path / "h.bin").text_rules(lines)
    rules.grammar().write(tmp_path / "grammar.gz")
    read = ScfgGrammar.read(tmp_path / "grammar.gz")

    def sides(line):
        return [side.split() for side in line.split("|||")]

    assert [sides(line)[1:3] for line in read.lines()] == [sides(str(rule)) for rule in rules]
    assert [] in (sides(line)[2] for line in read.lines())  # a word that is left out
    line = next(read.lines()).split(" ||| ")
    values = {name: float(value) for name, value in (f.split("=") for f in line[3].split())}
    assert values == pytest.approx(rules[0].features, rel=1e-5)


def test_unknown_words_and_no_words_have_no_rules(tmp_path):
    index = build([(["a", "b"], ["x", "y"], [(0, 0), (1, 1)])], tmp_path / "h.bin")
    assert list(index.rules("")) == []
    assert list(build([], tmp_path / "none.bin").rules("a")) == []
    assert [str(rule) for rule in index.rules("zzz a")] == ["a ||| x"]
    assert index.bytes_per_token > 0


def test_wrong_options_and_corpora_are_refused(tmp_path):
    pair = (["a", "b"], ["x"], [(0, 0)])
    with pytest.raises(OptionError, match="max_span is 0, expected at least 1"):
        build([pair], tmp_path / "h.bin", max_span=0)
    with pytest.raises(OptionError, match="sentence 1: link 1-1 outside its 2 and 1 words"):
        build([(*pair[:2], [(1, 1)])], tmp_path / "h.bin")
    with pytest.raises(OptionError, match="sentence 1 has 70000 words, expected at most 65534"):
        build([(["a"] * 70_000, ["x"], [])], tmp_path / "h.bin")
    assert list(tmp_path.iterdir()) == []
    index = build([pair], tmp_path / "h.bin")
    with pytest.raises(OptionError, match="pair 1 is left out, expected 0 to 0"):
        index.rules("a", leave_out=1)
    with pytest.raises(OptionError, match="2 marks, expected one for each of 1"):
        index.rules("a", leave_out=np.zeros(2, bool))


CDEC = {
    "EgivenFCoherent": ("coherent_e_given_f", -1),
    "SampleCountF": ("sample_count_f", 1),
    "CountEF": ("count_ef", 1),
    "MaxLexFgivenE": ("max_lex_f_given_e", -1),
    "MaxLexEgivenF": ("max_lex_e_given_f", -1),
}


def cdec_rules(path):
    """Sides to features and links; features in natural logarithms."""
    rules = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            _, source, target, features, links = line.rstrip("\n").split(" ||| ")
            values = {
                name: float(value) for name, value in (f.split("=") for f in features.split())
            }
            ours = {
                name: sign * values[theirs] * math.log(10) for theirs, (name, sign) in CDEC.items()
            }
            ours |= {"singleton_f": values["IsSingletonF"], "singleton_fe": values["IsSingletonFE"]}
            rules[f"{source} ||| {target}"] = ours, links
    return rules


def test_rules_equal_those_of_cdec(data, tmp_path):
    """Where nothing is sampled: the same rules, features and, but for ties, links."""
    bitext = Bitext.from_lines(
        read_lines(data / "multi30k/train.de.xz"), read_lines(data / "multi30k/train.en.xz")
    )
    links = read_links(data / "alignments-multi30k/aligned.grow-diag-final-and.gz")
    spans = {"max_span": 15, "max_input_span": 15, "max_target_span": 15}
    index = HieroOptions(**spans, deletions=False, engine=2).run(bitext, links, tmp_path / "h.bin")
    assert index.bytes_per_token < 60
    sentences = read_lines(data / "cdec-model/input.de")
    most = math.log(300)  # of 1 + places: fewer than 300
    compared = other_links = 0
    for number in (0, 7, 42):
        words = sentences[number].split()
        theirs = cdec_rules(data / f"cdec-model/grammars/grammar.{number}.gz")
        ours = {
            str(rule): rule for rule in index.rules(words) if rule.features["sample_count_f"] < most
        }
        expected = {
            text: rule
            for text, rule in theirs.items()
            if rule[0]["sample_count_f"] < most and fits(cdec_side(text), words, FITS)
        }
        assert set(ours) == set(expected)
        for text, (values, rule_links) in expected.items():
            features = ours[text].features
            for name, value in values.items():
                # Word weights with NULL differ in the fifth digit.
                assert features.get(name, 0) == pytest.approx(value, abs=3e-4)
            compared += 1
            other_links += " ".join(f"{s}-{t}" for s, t in ours[text].links) != rule_links
    assert compared > 3000
    assert other_links < 0.01 * compared


FITS = {"max_input_span": 15, "min_gap": 1}


def cdec_side(text):
    source = text.split(" ||| ")[0].split()
    return tuple(0 if word in ("[X,1]", "[X,2]") else word for word in source)


def test_rules_of_several_corpora_say_how_likely_they_are_in_each(tmp_path):
    pairs = phrasebook.sample(60, seed=3)
    text = Bitext.from_lines([p.source for p in pairs], [p.target for p in pairs])
    links = Links.from_lists(pair.links for pair in pairs)
    origins = np.array([number % 3 for number in range(60)], np.uint8)
    options = HieroOptions(samples=0, candidates=0, deletions=False, engine=1)
    mixed = options.run(replace(text, origins=origins, corpora=3), links, tmp_path / "mixed")
    plain = options.run(text, links, tmp_path / "plain")
    names = ["corpus1", "corpus2", "corpus3"]
    assert mixed.features == [*plain.features, *names]
    parts = [
        options.run(text.select(np.flatnonzero(origins == k)),
                    links.select(np.flatnonzero(origins == k)), tmp_path / f"part{k}")
        for k in range(3)
    ]  # fmt: skip
    for sentence in (pairs[0].source, pairs[7].source):
        counts = []
        for part in parts:
            own, of_source = {}, Counter()
            for rule in part.rules(sentence):
                own[rule.source, rule.target] = round(math.expm1(rule.features["count_ef"]))
                of_source[rule.source] += own[rule.source, rule.target]
            counts.append((own, of_source))
        rules = list(mixed.rules(sentence))
        assert len(rules) > 20
        for rule, same in zip(rules, plain.rules(sentence), strict=True):
            scores = {name: rule.features.get(name, 0.0) for name in names}
            assert {k: v for k, v in rule.features.items() if k not in names} == same.features
            probability = math.exp(rule.features.get("p_e_given_f", 0.0))
            for (own, of_source), name in zip(counts, names, strict=True):
                count = own.get((rule.source, rule.target), 0)
                expected = (count + probability) / (of_source[rule.source] + 1)
                assert math.exp(scores[name]) == pytest.approx(expected, rel=1e-4)
    assert set(mixed.rules(pairs[0].source).grammar().features) >= set(names)
