"""Tagged text: the most frequent tag of a word, in both formats."""

import pytest

from tunesmith.base.errors import InputError
from tunesmith.formats.tags import read_tags

TAGGED = [
    ("the", "DET"), ("light", "NOUN"), ("is", "VERB"), ("light", "ADJ"), ("light", "ADJ"),
    ("1/2", "NUM"),
]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "the/DET light/NOUN is/VERB light/ADJ\nlight/ADJ 1/2/NUM\n",
        "the\tDET\nlight\tNOUN\nis\tVERB\nlight\tADJ\n\nlight\tADJ\n1/2\tNUM\n",
        "# a comment\n1-2\ttheli\t_\t_\t_\t_\t_\t_\t_\t_\n"
        + "".join(
            f"{n}\t{word}\tlemma\t{tag}\tX\t_\t0\t_\t_\t_\n"
            for n, (word, tag) in enumerate(TAGGED, 1)
        ),
    ],
)
def test_tags(tmp_path, text):
    (tmp_path / "t").write_text(text)
    assert read_tags(tmp_path / "t") == {"the": "DET", "light": "ADJ", "is": "VERB", "1/2": "NUM"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a/X b\n", "t:1: 'b', expected word/TAG; tag every word"),
        ("a/X /Y\n", "t:1: '/Y', expected word/TAG; tag every word"),
        ("a\tX\nb\n", "t:2: 1 column, expected 2 or 10, between tabs; the format is CoNLL"),
        ("\n", "t: no words, expected word/TAG or CoNLL lines"),
    ],
)
def test_refused(tmp_path, text, message):
    (tmp_path / "t").write_text(text)
    with pytest.raises(InputError) as caught:
        read_tags(tmp_path / "t")
    assert str(caught.value).endswith(message)
