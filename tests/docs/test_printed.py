"""What counts as the same output, and what as a stale page."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from printed import differences

TABLE = "| tuner | test | CPU s | MB |\n| --- | ---: | ---: | ---: |\n"


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("tuned  89.98  kb-mira", "tuned   89.88  kb-mira"),
        ("w.tsv (0.00 s reading, 0.16 s tuning)", "w.tsv (0.05 s reading, 12.20 s tuning)"),
        ("about 35 MB beside the text", "about 70 MB beside the text"),
        ("12,000 words/s", "90 words/s"),
        ("bleu version:2.6.0", "bleu version:2.10.3"),
        ("1 of 2 done\n2 of 2 done", "2 of 2 done\n1 of 2 done"),
        ("15,934 hypotheses", "15,900 hypotheses"),
        ("done", "translating: 1,024 of 5,000 (85/s, 46 s left)\ndone"),
        (TABLE + "| a | 34.41 ↑ | 0.1 | 77 |", TABLE + "| a | 34.41 | 8.1 | 120 |"),
        ("weight 0.1853", "weight 0.1860"),
    ],
)
def test_alike(shown, said):
    assert differences(shown, said) == []


@pytest.mark.parametrize(
    ("shown", "said", "told"),
    [
        ("tuned 89.98", "tuned 89.70", "89.98 in the page, now 89.70: tuned #"),
        ("3 features", "4 features", "3 in the page, now 4: # features"),
        ("15,934 hypotheses", "16,934 hypotheses", "15934 in the page, now 16934: # hypotheses"),
        ("weight 0.1853", "weight -0.1853", "0.1853 in the page, now -0.1853: weight #"),
        ("i 1\ni 2", "i 1", "2 lines in the page, now 1: i #"),
        (TABLE + "| a | 34.41 | 0.1 | 77 |", TABLE + "| a | 33.41 | 0.1 | 77 |",
         "34.41 in the page, now 33.41:  | a | # | # | # | "),
    ],
)  # fmt: skip
def test_stale(shown, said, told):
    assert differences(shown, said) == [told]


def test_other_words_are_named():
    assert differences("tuned 1", "learned 1") == [
        "only in the page: tuned #",
        "not in the page: learned #",
    ]
