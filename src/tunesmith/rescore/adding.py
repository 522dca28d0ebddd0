"""Add features to lists: all columns of all kinds, in the order in which they are asked for."""

from collections.abc import Sequence
from pathlib import Path

from tunesmith.base.errors import InputError, OptionError
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.added_features import add_feature
from tunesmith.formats.nbest import NbestList, Texts
from tunesmith.formats.text import read_lines
from tunesmith.rescore.base import ListFeature, Lists


def add_features(
    nbest: NbestList,
    features: Sequence[ListFeature],
    sources: Sequence[str] | None = None,
    *,
    engine: EngineLike = ALL_CORES,
) -> NbestList:
    """The lists with more dense features; a later one sees those before it.

    `sources` are the source sentences, one per sentence of the lists, for the kinds that read them;
    those that the lists bring (`NbestList.sources`) if none are given.
    """
    texts = nbest.sources if sources is None else Texts.of(sources)
    for feature in features:
        if feature.needs_source and texts is None:
            raise OptionError(f"feature '{feature.kind}' reads the source: give --src")
        columns = feature.columns(Lists(nbest, texts, engine))
        for name, values in columns.items():
            nbest = add_feature(nbest, name, values, feature.info(name))
    return nbest


def read_sources(path: str | Path, nbest: NbestList, lists: str) -> Sequence[str]:
    """The source sentences of a file, as many as the lists (read from `lists`) have."""
    lines = read_lines(path)
    if len(lines) != nbest.sentences:
        raise InputError(
            path, 0, f"{len(lines):,} lines", f"{nbest.sentences:,}, the sentences of {lists}"
        )
    return lines
