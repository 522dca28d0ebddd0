"""The stream of pairs: distinct, repeatable, well-formed, with links that make sense."""

import os
import subprocess
import sys
from collections import Counter

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.cli.main import main
from tunesmith.corpus.phrasebook import detokenise, generate, pairs, write


@pytest.fixture(scope="module")
def corpus():
    return generate(5000, seed=1)


def test_the_same_seed_gives_the_same_pairs_and_the_smaller_corpus_is_a_prefix(corpus):
    assert generate(500, seed=1) == corpus[:500]
    assert generate(500, seed=2) != corpus[:500]


def test_another_process_with_another_hash_seed_agrees(corpus):
    code = "from tunesmith.corpus.phrasebook import generate; print(generate(300)[-1])"
    for hash_seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"},
        )
        assert run.stdout.strip() == str(corpus[299])


def test_no_german_sentence_comes_twice(corpus):
    assert len({pair.source.lower() for pair in corpus}) == len(corpus)


def test_text_is_clean(corpus):
    for pair in corpus:
        for text in (pair.source, pair.target):
            assert text == text.strip()
            assert "  " not in text
            assert text[0].isupper()
            assert text.endswith((" .", " ?", " !"))
            assert " , ." not in text
            assert ", ," not in text


def test_links_are_sorted_and_inside_and_cover_the_words(corpus):
    linked = total = 0
    for pair in corpus:
        german, english = pair.source.split(), pair.target.split()
        assert list(pair.links) == sorted(set(pair.links))
        assert all(0 <= i < len(german) and 0 <= j < len(english) for i, j in pair.links)
        assert (len(german) - 1, len(english) - 1) == pair.links[-1]
        content = {i for i, word in enumerate(german) if word != ","}
        linked += len(content & {i for i, _ in pair.links})
        total += len(content)
    assert linked / total > 0.97


def test_lengths_and_frequencies_are_like_language(corpus):
    lengths = [len(pair.source.split()) for pair in corpus]
    assert 9.5 <= sum(lengths) / len(lengths) <= 12.5
    assert min(lengths) >= 3
    assert max(lengths) <= 30
    counts = Counter(word for pair in corpus for word in pair.source.split())
    ranked = [count for _, count in counts.most_common()]
    # Zipf: the hundredth word is some hundred times rarer than the first, many words come once.
    assert 10 < ranked[0] / ranked[100] < 400
    assert sum(count == 1 for count in ranked) > 0.2 * len(ranked)


def test_raw_text(corpus):
    assert detokenise("He isn 't here , is he ?") == "He isn't here, is he?"
    assert all(" ." not in pair.raw_source and " ," not in pair.raw_target for pair in corpus)


def test_files_and_the_verb(tmp_path, capsys):
    assert main(["phrasebook", "50", str(tmp_path / "a"), "--seed", "3"]) == 0
    expected = generate(50, seed=3)
    lines = {
        suffix: (tmp_path / f"a.{suffix}").read_text("utf-8").splitlines()
        for suffix in ("de", "en", "links")
    }
    assert lines["de"] == [pair.source for pair in expected]
    assert lines["en"] == [pair.target for pair in expected]
    assert lines["links"] == [pair.pharaoh for pair in expected]
    write(50, tmp_path / "b", seed=3, form="lowercase")
    assert (tmp_path / "b.en").read_text("utf-8").splitlines() == [
        pair.target.lower() for pair in expected
    ]
    assert main(["phrasebook", "2", "-", "--raw", "--seed", "3"]) == 0
    first = capsys.readouterr().out.splitlines()[0].split("\t")
    assert first == [expected[0].raw_source, expected[0].raw_target, expected[0].pharaoh]


def test_a_negative_count_is_answered(tmp_path, capsys):
    with pytest.raises(
        OptionError, match=r"^cannot write -1 sentence pairs: give a number from 0$"
    ):
        generate(-1)
    assert main(["phrasebook", "-1", str(tmp_path / "a")]) == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_million_distinct_pairs():
    seen = set()
    for number, pair in enumerate(pairs(), 1):
        seen.add(pair.source)
        if number == 1_000_000:
            break
    assert len(seen) == 1_000_000
