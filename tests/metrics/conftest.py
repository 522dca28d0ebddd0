"""Real hypotheses and references for all metrics."""

import lzma

import numpy as np
import pytest


@pytest.fixture(scope="session")
def nbest(data):
    """Every 40th hypothesis of a real n-best list: sentence numbers, texts, references."""
    folder = data / "nbest/moses-de-en"
    ids, texts = [], []
    with lzma.open(folder / "run1.nbest.xz", "rt", encoding="utf-8") as file:
        for line in list(file)[::40]:
            number, text = line.split(" ||| ")[:2]
            ids.append(int(number))
            texts.append(text)
    references = (folder / "val.ref.en").read_text(encoding="utf-8").split("\n")[:-1]
    return np.array(ids, dtype=np.uint32), texts, [references]


@pytest.fixture(scope="session")
def bible(data):
    """Raw, cased, long sentences: an English version, and three others as its references."""
    versions = []
    for number in range(4):
        path = data / f"bible-multiref/test.en.ref{number}.xz"
        with lzma.open(path, "rt", encoding="utf-8") as file:
            versions.append([line.rstrip("\n") for line in file][:150])
    return versions[0], versions[1:]


@pytest.fixture(scope="session")
def japanese(data):
    """Japanese lines, and other Japanese lines as references."""
    with lzma.open(data / "kyoto-ja-en/test.ja.xz", "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file][:120]
    return lines[:60], [lines[60:], lines[30:90]]
