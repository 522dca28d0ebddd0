"""Examples of aligned text against a twin that tries every pair of spans."""

import re
from collections import Counter

import numpy as np
import pytest

from reference.orientations import feature_key, slow_examples
from tunesmith.base.errors import InputError, OptionError
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links
from tunesmith.reorder import ExampleExtraction, ExampleSet
from tunesmith.reorder.example_set import FEATURES


def random_corpus(sentences=40, seed=0, words=6):
    random = np.random.default_rng(seed)
    corpus = []
    for _ in range(sentences):
        source = [f"f{n}" for n in random.integers(words, size=random.integers(1, 8))]
        target = [f"e{n}" for n in random.integers(words, size=random.integers(1, 8))]
        grid = [(s, t) for s in range(len(source)) for t in range(len(target))]
        count = min(len(grid), int(random.integers(0, 8)))
        links = [grid[i] for i in random.choice(len(grid), size=count, replace=False)]
        corpus.append((source, target, sorted(links)))
    return corpus


def coded(corpus):
    bitext = Bitext.from_lines(
        [" ".join(source) for source, _, _ in corpus], [" ".join(row[1]) for row in corpus]
    )
    return bitext, Links.from_lists([row[2] for row in corpus])


def ids_of(examples):
    """What the numbers of words are."""
    return tuple(
        {word: number for number, word in enumerate(words)}
        for words in (examples.words.source, examples.words.target)
    )


def rows_of(examples):
    """(keys of features, previous, next) of every example."""
    sides = [examples.towards(side) for side in ("previous", "next")]
    rows = []
    for i in range(len(examples)):
        begin, end = sides[0].offsets[i : i + 2].tolist()
        features = [int(examples.keys[number]) for number in sides[0].features[begin:end]]
        assert len(set(features)) == len(features)
        rows.append((frozenset(features), *("msd"[side.classes[i]] for side in sides)))
    return Counter(rows)


def expected_rows(examples, corpus, **options):
    """The same from the definition."""
    ids = ids_of(examples)
    return Counter(
        (frozenset(feature_key(name, *ids) for name in names), *orientations)
        for names, *orientations in slow_examples(corpus, **options)
    )


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"cutoff": 3},
        {"cutoff": 0, "max_length": 2},
        {"sided": False},
        *({"features": name, "cutoff": 1} for name in FEATURES),
    ],
)
def test_examples_are_those_of_the_definition(tmp_path, options):
    corpus = random_corpus()
    examples = ExampleExtraction(**options).build(*coded(corpus), tmp_path / "examples")
    assert rows_of(examples) == expected_rows(examples, corpus, **options)


@pytest.mark.parametrize("features", FEATURES)
def test_word_classes_are_features_too(tmp_path, features):
    corpus = random_corpus(sentences=60)
    extraction = ExampleExtraction(word_classes=3, features=features)
    examples = extraction.build(*coded(corpus), tmp_path / "examples")
    words = examples.words
    classes = (
        dict(zip(words.source, words.source_classes.tolist(), strict=True)),
        dict(zip(words.target, words.target_classes.tolist(), strict=True)),
    )
    assert len(set(classes[0].values())) == 3
    assert rows_of(examples) == expected_rows(examples, corpus, classes=classes, features=features)


def test_four_classes_tell_left_from_right(tmp_path):
    examples = ExampleExtraction(cutoff=0).build(*coded(random_corpus()), tmp_path / "examples")
    three, four = (examples.towards("next", classes).counts() for classes in ("msd", "mslr"))
    assert four["left"] > 0 < four["right"]
    assert four["left"] + four["right"] == three["discontinuous"]


def test_orientation_models_differ(tmp_path):
    corpus = coded(random_corpus(sentences=100))
    counts = [
        ExampleExtraction(orientation=kind, max_length=2)
        .build(*corpus, tmp_path / kind)
        .towards("previous")
        for kind in ("word", "phrase", "hierarchical")
    ]
    discontinuous = [one.counts()["discontinuous"] for one in counts]
    assert len(set(discontinuous)) == 3


def test_threads_change_nothing(tmp_path):
    corpus = coded(random_corpus(sentences=4000))
    files = []
    for threads in (1, 3):
        files.append(tmp_path / f"{threads}")
        ExampleExtraction(engine=threads).build(*corpus, files[-1])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_link_outside_its_sentence_is_refused(tmp_path):
    bitext = Bitext.from_lines(["a b"], ["x"])
    with pytest.raises(OptionError, match="sentence 1: link 0-1 outside its 2 and 1 words"):
        ExampleExtraction().build(bitext, Links.from_lists([[(0, 1)]]), tmp_path / "examples")
    assert list(tmp_path.iterdir()) == []


def test_a_cut_file_is_refused_by_name(tmp_path):
    path = tmp_path / "examples"
    ExampleExtraction().build(*coded(random_corpus()), path)
    whole = path.read_bytes()
    for size in (0, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=re.escape(str(path))):
            ExampleSet(path)
