"""Every kind of feature against a computation of its own, on lists that a user might have."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from reference.consensus import expected_score
from reference.nbest_rows import make_nbest
from tunesmith.align import Aligner
from tunesmith.base.errors import OptionError
from tunesmith.lm import NgramLM
from tunesmith.rescore import FEATURES, add_features, feature_class, parse_feature

ROWS = [
    (0, "Anna pays 1,000 euros .", {"s": -1.0}),
    (0, "Anna pays 1 000 euros", {"s": -2.0}),
    (0, "anna  pays 1.000 euros", {"s": -4.0}),
    (0, "Anna pays 1,000 euros .", {"s": -5.0}),
    (1, "", {"s": 0.0}),
    (1, "see www.house.org , Straße", {"s": -1.0}),
]
SOURCES = ["Anna zahlt 1.000 Euro .", "siehe www.house.org !"]
NBEST = make_nbest(ROWS, ["s"], totals=[-0.1, -0.2, -0.3, -0.4, 0.0, -3.0])


def column(spec, nbest=NBEST, sources=SOURCES, **options):
    """The one new column of a feature."""
    new = add_features(nbest, [parse_feature(spec)], sources, **options)
    assert len(new.dense_names) == len(nbest.dense_names) + 1
    return new.dense[:, -1].tolist()


def test_every_kind_says_what_it_is():
    for kind in FEATURES:
        assert feature_class(kind).kind == kind
        assert feature_class(kind).title


def test_lengths():
    assert column("length") == [5, 5, 4, 5, 0, 4]
    characters = [len("".join(text.split())) for _, text, _ in ROWS]
    assert column("length:unit=characters") == characters
    ratios = [6 / 6, 6 / 6, 5 / 6, 6 / 6, 1 / 4, 5 / 4]
    assert column("length-ratio") == pytest.approx(ratios)
    near = [-abs(math.log(ratio / 1.25)) for ratio in ratios]
    assert column("length-ratio:expected=1.25") == pytest.approx(near, abs=1e-6)


def test_ranks_are_places_in_the_own_list():
    assert column("rank") == [0, 1, 2, 3, 0, 1]
    assert column("rank:form=log") == pytest.approx(np.log([1, 2, 3, 4, 1, 2]).tolist())
    assert column("rank:form=reciprocal") == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4, 1, 1 / 2])


def test_agreement_counts_entries_with_the_same_words():
    rows = [(0, "a  b", {}), (0, "a b ", {}), (0, "b a", {}), (1, "a b", {}), (1, "", {})]
    assert column("agreement", make_nbest(rows, []), None) == [2, 2, 1, 1, 1]


def test_copies_that_are_missing():
    # Numbers by their digits, names by their letters; the first word of a sentence is no name.
    assert column("copy:names=no") == [0, 1, 0, 0, 1, 0]
    assert column("copy") == [1 - 1 + 1, 2, 1, 1, 1, 0]  # 'Euro' is in no text
    assert column("copy:numbers=no,names=no") == [0, 0, 0, 0, 1, 0]
    rows = [(0, "5 and 5", {}), (0, "5", {}), (0, "(Bob) 5 5", {}), (0, "Bobs 5 5", {})]
    assert column("copy", make_nbest(rows, []), ["5 , 5 : Da ist Bob ."]) == [1, 2, 0, 1]


def copies_twin(source, text):
    """The numbers of a source that a text lacks."""

    def numbers(line):
        return sorted(re.sub("[^0-9]", "", w) for w in line.split() if re.search("[0-9]", w))

    left, missing = numbers(text), 0
    for number in numbers(source):
        if number in left:
            left.remove(number)
        else:
            missing += 1
    return missing


@settings(deadline=None)
@given(st.lists(st.sampled_from(["1", "10", "1.0", "x", "a1", "%2"]), max_size=6),
       st.lists(st.sampled_from(["1", "10", "1,0", "y", "a1", "2"]), max_size=6))  # fmt: skip
def test_numbers_against_a_twin(source, text):
    rows = [(0, " ".join(text), {})]
    found = column("copy:names=no", make_nbest(rows, []), [" ".join(source)])
    assert found == [copies_twin(" ".join(source), " ".join(text))]


def test_a_language_model_that_is_given_or_trained(tmp_path):
    lines = ["Anna pays", "Anna sees the Straße", "the house ."]
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in lines))
    lm = NgramLM.fit(lines, order=3)
    lm.save_arpa(tmp_path / "lm.arpa")
    expected = [lm.score(text) for _, text, _ in ROWS]
    assert column(f"lm:text={tmp_path}/text,order=3") == pytest.approx(expected, rel=1e-6)
    assert column(f"lm:model={tmp_path}/lm.arpa") == pytest.approx(expected, rel=1e-5)
    new = add_features(NBEST, [parse_feature(f"lm:model={tmp_path}/lm.arpa,name=big")])
    assert new.features["big"].log_base == "10"


SOURCE = ["das Haus", "das Buch", "ein Buch", "ein Haus"] * 3
TARGET = ["the house", "the book", "a book", "a house"] * 3


def test_an_alignment_model_that_is_given_or_trained(tmp_path):
    for name, lines in (("de", SOURCE), ("en", TARGET)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    Aligner().fit(SOURCE, TARGET).save(tmp_path / "model")
    rows = [(0, "the house", {}), (0, "house", {}), (0, "a book", {}), (0, "", {})]
    nbest = make_nbest(rows, [])
    specs = (f"align:src={tmp_path}/de,tgt={tmp_path}/en", f"align:model={tmp_path}/model")
    trained, given = (add_features(nbest, [parse_feature(s)], ["das Haus"]) for s in specs)
    assert trained.dense_names == ("align.forward", "align.reverse", "align.missing")
    assert trained.dense.tobytes() == given.dense.tobytes()
    forward, reverse, missing = given.dense.T
    assert reverse.argmax() == 0
    assert forward[0] > forward[2]
    # Half a translation leaves a word out, none all words.
    assert missing.tolist() == [0, 1, 2, 2]


def test_expected_scores_under_uniform_and_softmax_weights():
    texts = [text for _, text, _ in ROWS]
    scorer = BLEU(tokenize="none", effective_order=True)

    def expected(weights):
        lists = [(texts[:4], weights[:4]), (texts[4:], weights[4:])]
        return [expected_score(scorer, text, *one) for one in lists for text in one[0]]

    def softmax(values):
        odds = [math.exp(value) for value in values]
        return [odd / sum(odds) for odd in odds]

    assert column("mbr") == pytest.approx(expected([1 / 4] * 4 + [1 / 2] * 2), rel=1e-5)
    by_score = softmax([-0.5, -1, -2, -2.5]) + softmax([0, -0.5])
    assert column("mbr:weights=s,scale=0.5") == pytest.approx(expected(by_score), rel=1e-5)
    by_total = softmax([-0.1, -0.2, -0.3, -0.4]) + softmax([0, -3])
    assert column("mbr:weights=total") == pytest.approx(expected(by_total), rel=1e-5)


def test_later_features_see_those_before():
    features = [parse_feature("length"), parse_feature("mbr:weights=length")]
    assert add_features(NBEST, features).dense_names == ("s", "length", "mbr")


def test_own_functions_and_commands(tmp_path):
    (tmp_path / "f.py").write_text(
        "def both(batch, sources):\n    return [len(sources[s]) - len(t) for s, t in batch]\n"
    )
    lengths = [len(SOURCES[s]) - len(text) for s, text, _ in ROWS]
    assert column(f"python:function={tmp_path}/f.py:both") == lengths
    assert column("command:command=awk '{print NF}'") == [5, 5, 4, 5, 0, 4]


@pytest.mark.parametrize("spec", ["length", "agreement", "copy", "mbr", "mbr:metric=ter"])
def test_threads_change_nothing(spec):
    assert column(spec, engine=1) == column(spec, engine=3)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bleurt", "no feature 'bleurt', expected one of: agreement, align, command, copy, "),
        ("mbr:metrik=ter", "feature 'mbr' has no option 'metrik', expected one of: name, metric, "),
        ("mbr:metric=comet", "feature 'mbr': metric is 'comet', expected one of: bleu, chrf, "),
        ("mbr:ter", "'ter' in 'mbr:ter', expected OPTION=VALUE"),
        ("mbr:scale=x", "mbr:scale is 'x', expected a number"),
        ("mbr:scale=0", "feature 'mbr': scale is 0.0, expected more than 0"),
        ("rank:form=log,form=log", "'rank:form=log,form=log' has form twice"),
        ("lm", "lm: give one of model=FILE and text=FILE"),
        ("align:src=x", "align: give model=FILE, or src=FILE and tgt=FILE"),
        ("python", "python: give function=FILE.py:FUNCTION"),
        ("command", "command: give command=COMMAND"),
        ("length:name=s", "the list already has a feature 's'"),
        ("mbr:weights=lm", "no feature 'lm'; there are: s"),
        ("mbr:metric=ter,aggregate=yes", "no average of references for ter, expected bleu, chrf"),
    ],
)
def test_refused(spec, message):
    with pytest.raises(OptionError, match=f"^{re.escape(message)}"):
        column(spec)


def test_a_feature_that_reads_the_source_needs_it():
    for kind in ("align", "copy", "length-ratio"):
        with pytest.raises(OptionError, match=f"feature '{kind}' reads the source: give --src"):
            column(kind, sources=None)
    with pytest.raises(OptionError, match="1 source sentences for lists of 2 sentences"):
        column("copy", sources=["one"])
