"""Sparse features of hierarchical rules against obvious twins; files of templates."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import scfg_features as twin
from reference import sparse_templates as of_phrases
from reference.chart import ScfgRule
from reference.lexical_features import Twin
from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError
from tunesmith.features import (
    CountBin,
    GrammarTemplates,
    LengthBin,
    LexicalFeatures,
    PairNgrams,
    RuleEdges,
    RuleId,
    RuleShape,
    SideClasses,
    SourceNgrams,
    TargetNgrams,
    TargetUnaligned,
    UserTemplate,
    WordPair,
)
from tunesmith.grammar import ScfgGrammar

# Words that names must not mix up.
WORDS = ["a", "b", "_", "a_b", "x|y", "\\", "<X>", "<1>", "w", "[Y]", "ß", "中"]


@st.composite
def rules(draw):
    """A rule with up to two gaps and any links between its words."""
    label = draw(st.sampled_from(["X", "S"]))
    gaps = [(draw(st.sampled_from(["X", "S"])), place) for place in range(draw(st.integers(0, 2)))]
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)
    source, target = list(draw(words)), list(draw(words))
    at = sorted(draw(st.lists(st.integers(0, len(source)), min_size=len(gaps), max_size=len(gaps))))
    for shift, (place, gap) in enumerate(zip(at, gaps, strict=True)):
        source.insert(place + shift, gap)
    for gap in gaps:
        target.insert(draw(st.integers(0, len(target))), gap)
    places = [
        (s, t)
        for s, one in enumerate(source)
        for t, other in enumerate(target)
        if isinstance(one, str) and isinstance(other, str)
    ]
    links = draw(st.lists(st.sampled_from(places), unique=True, max_size=5))
    count = draw(st.integers(1, 200))
    features = (("count_ef", float(np.log1p(count))),)
    return ScfgRule(label, tuple(source), tuple(target), features, tuple(sorted(links)))


def grammar_of(found, folder):
    path = folder / "grammar"
    path.write_text("".join(rule.line() + "\n" for rule in found))
    return ScfgGrammar.read(path)


@given(found=st.lists(rules(), min_size=1, max_size=6))
@settings(max_examples=60)
def test_templates_equal_their_twins(found, tmp_path_factory):
    templates = GrammarTemplates(
        [RuleId(), SourceNgrams(), TargetNgrams((1, 3)), PairNgrams((1, 2)), RuleShape()]
    )
    of_rule = templates.of_rules(grammar_of(found, tmp_path_factory.mktemp("g")))
    for number, rule in enumerate(found):
        assert of_rule(number) == dict(twin.of_rule(rule))


class Phrase:
    """A rule as the twins of the templates of phrase pairs take it; no list has a gap."""

    def __init__(self, rule):
        self.source, self.target = (
            " ".join(s if isinstance(s, str) else f"<gap{s[1]}>" for s in side)
            for side in (rule.source, rule.target)
        )
        self.links = rule.links
        self.counts = [0, 0, round(np.expm1(dict(rule.features)["count_ef"]))]


@given(found=st.lists(rules(), min_size=1, max_size=6), exact=st.booleans())
@settings(max_examples=40)
def test_templates_of_phrase_pairs_go_for_rules_too(found, exact, tmp_path_factory):
    words = ["a", "b", "w"]
    templates = GrammarTemplates(
        [
            TargetUnaligned(words=("a", "w")),
            CountBin(exact=exact),
            WordPair(source_words=tuple(words), target_words=("a", "ß")),
            LengthBin(),
        ]
    )
    of_rule = templates.of_rules(grammar_of(found, tmp_path_factory.mktemp("g")))
    for number, rule in enumerate(map(Phrase, found)):
        expected = (
            of_phrases.tgt_unal(rule, ["a", "w"])
            + of_phrases.count_bin(rule, exact)
            + of_phrases.word_pair(rule, words, ["a", "ß"])
            + of_phrases.length_bin(rule)
        )
        assert of_rule(number) == dict(expected)


class Gap(str):
    pass


class EdgesTwin(Twin):
    """A gap is called the same at every level."""

    def atom(self, side, word, level, edge):
        return (0, str(word)) if isinstance(word, Gap) else super().atom(side, word, level, edge)


@given(rule=rules(), max_atoms=st.integers(1, 3), source_edges=st.booleans())
@settings(max_examples=40)
def test_edges_are_those_of_lexical_features(rule, max_atoms, source_edges, tmp_path_factory):
    """The part that a rule has without the words around it."""
    options = LexicalFeatures(
        levels="word,cluster,cluster4",
        max_atoms=max_atoms,
        source_edges=source_edges,
        rule_ids=False,
    )
    clusters = {word: format(i, "06b") for i, word in enumerate(WORDS[:6])}
    sides = SideClasses(clusters), SideClasses(clusters)
    classes = [{level: one.of(level) for level in ("cluster", "cluster4")} for one in sides]
    edges = RuleEdges(options.build(*sides))
    of_rule = GrammarTemplates([edges]).of_rules(grammar_of([rule], tmp_path_factory.mktemp("g")))
    words = [
        [s if isinstance(s, str) else Gap(f"<{s[0]}>") for s in side]
        for side in (rule.source, rule.target)
    ]
    names = EdgesTwin(options, ["word", "cluster", "cluster4"], *classes).local(*words, "", "")
    alone = [name for name in names if "before." not in name and "after." not in name]
    assert of_rule(0) == dict.fromkeys(alone, 1.0)


def test_the_hash_of_a_name_is_that_of_its_parts(tmp_path):
    """A weight by name finds the feature that was never written out."""
    rule = ScfgRule("X", ("a_b", ("X", 0), "中"), (("X", 0), "x|y"), ())
    grammar = grammar_of([rule], tmp_path)
    features = GrammarTemplates([RuleId(), SourceNgrams((1, 2))]).features(grammar)
    names = [name for name, _ in features.of_rule(0)]
    assert features.keys(0) == [_core.name_key(name) for name in names]
    assert len(set(features.keys(0))) == 6


def own(source, target, links, counts):
    yield " ".join(source)[:3].strip() + str(int(counts[2]))


def test_a_file_has_all_that_is_needed(tmp_path):
    (tmp_path / "mine.py").write_text(
        "def first(source, target, links, counts):\n"
        "    yield f'{source[0]}.{len(links)}.{counts[1]:.0f}.{counts[2]:.0f}'\n"
    )
    namespace = {}
    exec((tmp_path / "mine.py").read_text(), namespace)
    lexical = LexicalFeatures(levels="word").build(SideClasses(), SideClasses())
    templates = GrammarTemplates(
        [
            SourceNgrams((2, 3)),
            CountBin(bounds=(2.0, float("inf"))),
            LengthBin(),
            WordPair(source_words=("a",), target_words=("ß", "中")),
            RuleEdges(lexical),
            UserTemplate(namespace["first"], "first", str(tmp_path / "mine.py")),
        ]
    )
    (tmp_path / "model").mkdir()
    templates.save(tmp_path / "model" / "features.json")
    (tmp_path / "mine.py").unlink()
    read = GrammarTemplates.load(tmp_path / "model" / "features.json")
    assert read.describe() == templates.describe()
    assert read.files() == ["edges.bin", "mine.py"]
    counts = ("count_ef", float(np.log1p(4))), ("sample_count_f", float(np.log1p(9)))
    rule = ScfgRule("X", ("a", ("X", 0)), (("X", 0), "ß"), counts, ((0, 1),))
    found = read.of_rules(grammar_of([rule], tmp_path))(0)
    assert found == templates.of_rules(grammar_of([rule], tmp_path))(0)
    assert found["first:a.1.9.4"] == found["word_pair:a_ß"] == found["count_bin:inf"] == 1.0
    cdec = (("CountEF", float(np.log10(5))), ("SampleCountF", 1.0))
    assert "first:a.1.9.4" in read.of_rules(grammar_of([replace(rule, features=cdec)], tmp_path))(0)


BROKEN = {
    "[1]": "no JSON object, expected templates of sparse features",
    "{": "Expecting property name",
    "{}": "no 'templates', expected templates of sparse features",
    '{"templates": {}}': "no list of templates",
    '{"templates": [3]}': "no list of templates",
    '{"templates": [{}]}': "no 'template', expected",
    '{"templates": [{"template": "mine"}]}': "no 'file', expected",
    '{"templates": [{"template": "mine", "file": "../a.py"}]}': "expected a name without a folder",
    '{"templates": [{"template": "mine", "file": 3}]}': "file 3, expected a name",
    '{"templates": [{"template": "shape", "size": 3}]}': "unexpected keyword argument 'size'",
    '{"templates": [{"template": "src_ngram", "sizes": ["a"]}]}': "features.json: ",
    '{"templates": [{"template": "src_ngram", "sizes": [0]}]}': "n-grams of 0 words",
    '{"templates": [{"template": "word_pair"}]}': "word_pair without its words",
    '{"templates": [{"template": "count_bin", "bounds": ["x"]}]}': "could not convert",
    '{"templates": [{"template": "count_bin", "bounds": ["2", "1"]}]}': "above 0 and ascend",
    '{"templates": [{"template": "shape"}, {"template": "shape"}]}': "template 'shape' twice",
    '{"templates": [{"template": "edges", "file": "none.bin"}]}': "none.bin",
    '{"templates": [{"template": ["shape"]}]}': "features.json: ",
}  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_file_is_answered(tmp_path, text):
    path = tmp_path / "features.json"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        GrammarTemplates.load(path)
    assert str(tmp_path) in str(error.value)
    assert BROKEN[text] in str(error.value)
    assert "\n" not in str(error.value)


def test_no_file_and_no_text(tmp_path):
    with pytest.raises(InputError, match=r"features\.json"):
        GrammarTemplates.load(tmp_path / "features.json")
    (tmp_path / "features.json").write_bytes(b"\xff\xfe{")
    with pytest.raises(InputError, match=r"features\.json"):
        GrammarTemplates.load(tmp_path / "features.json")


def test_names_of_templates(tmp_path):
    with pytest.raises(OptionError, match="template 'rule_id' is one of ours"):
        UserTemplate(own, "rule_id")
    (tmp_path / "a").mkdir()
    for folder in (tmp_path, tmp_path / "a"):
        (folder / "t.py").write_text("")
    twice = [UserTemplate(own, f"t{i}", str(f / "t.py")) for i, f in
             enumerate((tmp_path, tmp_path / "a"))]  # fmt: skip
    with pytest.raises(OptionError, match=r"templates of two files that are called t\.py"):
        GrammarTemplates(twice).save(tmp_path / "features.json")


def test_a_users_template_that_fails_is_named(tmp_path):
    (tmp_path / "bad.py").write_text("def bad(source, target, links, counts):\n    return 1 / 0\n")
    (tmp_path / "features.json").write_text(
        json.dumps({"templates": [{"template": "bad", "file": "bad.py"}]})
    )
    templates = GrammarTemplates.load(tmp_path / "features.json")
    rule = ScfgRule("X", ("a", ("X", 0)), (("X", 0), "b"), ())
    with pytest.raises(InputError, match=r"bad.py:2: ZeroDivisionError.*'a \[X,1\]' → '\[X,1\] b'"):
        templates.features(grammar_of([rule], tmp_path))
