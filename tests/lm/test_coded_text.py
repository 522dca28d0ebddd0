"""Language models of text that is coded already: the bytes that its lines would give."""

import numpy as np
import pytest

from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.corpus import Sentences, WordClusters, phrasebook
from tunesmith.lm import KneserNey, NgramLM

LINES = [pair.target for pair in phrasebook.sample(300, seed=4)]
ODD = ["", "<s> is </s> here", "<unk> \\<s> a", *LINES, "", "a <unk>"]


def saved(model, path):
    model.save(path)
    return path.read_bytes()


@pytest.mark.parametrize("classes", [None, {"the": "D", "a": "D", "is": "V"}])
@pytest.mark.parametrize("memory", [0, 4096])
def test_the_same_model_as_of_the_lines(tmp_path, classes, memory):
    options = {"order": 3, "classes": classes, "memory": memory}
    expected = saved(NgramLM.fit(ODD, **options), tmp_path / "lines")
    text = Sentences.from_lines(ODD)
    assert saved(NgramLM.fit(text, **options), tmp_path / "ids") == expected
    # Whatever the numbers of the words are, and however many others there are.
    backwards = Vocabulary(["never", *reversed(list(text.vocabulary))])
    again = Sentences.from_lines(ODD, vocabulary=backwards)
    assert saved(NgramLM.fit(again, **options), tmp_path / "other") == expected


def test_of_a_part_of_a_text(tmp_path):
    part = Sentences.from_lines(LINES).select(np.arange(250, 50, -1))
    model = NgramLM.fit(part, order=2)
    assert saved(model, tmp_path / "a") == saved(NgramLM.fit(part.lines(), order=2), tmp_path / "b")


def test_clusters_of_the_same_text():
    text = Sentences.from_lines(LINES)
    assert WordClusters.fit(text, classes=5) == WordClusters.fit(LINES, classes=5)


def test_arrays_that_are_no_text_are_refused():
    text = Sentences.from_lines(["a b", "c"])
    wrong = (
        Sentences(text.offsets, text.ids + np.uint32(1), text.vocabulary),
        Sentences(text.offsets[:-1], text.ids, text.vocabulary),
        Sentences(text.offsets[::-1].copy(), text.ids, text.vocabulary),
    )
    for one in wrong:
        with pytest.raises(OptionError, match="the arrays of the text do not fit together"):
            KneserNey(order=1).fit_sentences(one)
    corpus = _core.LmCorpus("x", 0, "")
    with pytest.raises(InputError, match=r"x:2: a NUL byte at byte 2, expected text"):
        corpus.add_sentences(*_arrays(Sentences.from_lines(["a", "b\0c"])))


def _arrays(text):
    return text.vocabulary.native, text.offsets, text.ids
