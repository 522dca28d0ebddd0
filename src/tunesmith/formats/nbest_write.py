"""Write n-best lists in any dialect that can hold them."""

from pathlib import Path

import numpy as np

from tunesmith import _core
from tunesmith.base.atomic import atomic_text
from tunesmith.formats.feature_info import header_line
from tunesmith.formats.nbest import READ_ONLY, NbestList, Texts

# Sentences that are turned into text at a time.
BLOCK_SENTENCES = 256
OURS = "tunesmith"


def write_nbest(path: str | Path | None, nbest: NbestList, dialect: str = OURS) -> None:
    """Write a list; the file appears when it is complete (``-`` or None: standard output).

    What a dialect cannot hold (sparse features in TSV, ``|||`` in a text of Moses' format) is an
    `OptionError`, not a broken file. Numbers are written so that they are read back exactly. What
    was read from a dialect that is only read becomes lines of our own.
    """
    if dialect in READ_ONLY:
        dialect = OURS  # a dialect that is only read
    none = Texts.of([])
    extras = nbest.extras if nbest.extras is not None else none
    writer = _core.NbestWriter(
        dialect,
        nbest.offsets,
        nbest.texts.data,
        nbest.texts.offsets,
        extras.data,
        extras.offsets if nbest.extras is not None else np.empty(0, np.int64),
        nbest.totals if nbest.totals is not None else np.empty(0),
        np.ascontiguousarray(nbest.dense),
        list(nbest.dense_names),
        nbest.sparse_offsets,
        nbest.sparse_ids,
        nbest.sparse_values,
        list(nbest.sparse_names),
    )
    with atomic_text(path) as stream:
        stream.write(writer.header())
        if dialect == OURS:
            stream.write(header_line(nbest.dense_names, nbest.features) + "\n")
        for begin in range(0, nbest.sentences, BLOCK_SENTENCES):
            end = min(nbest.sentences, begin + BLOCK_SENTENCES)
            stream.write(writer.lines(begin, end))
