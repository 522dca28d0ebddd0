"""Cluster files: which word is of which class, for class-based models."""

from pathlib import Path

from tunesmith.formats.clusters import read_word_classes


def read_classes(path: str | Path) -> dict[str, str]:
    """Word → class, from a file in one of the formats of `tunesmith.formats.clusters`."""
    return {word: found.name for word, found in read_word_classes(path).items()}
