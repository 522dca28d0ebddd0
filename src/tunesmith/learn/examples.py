"""What a learner learns from: pairs that are not too long, or what a model can make of them.

Examples are rows of (pair, source words, target words of a prefix or 0, 0): 0, 0 is the whole pair,
or its longest reachable prefix.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tunesmith.base.log import log
from tunesmith.corpus import Bitext
from tunesmith.decode.forced import ForcedDecoder, ForcedOptions
from tunesmith.decode.table_links import TableLinks, as_list
from tunesmith.engine import EngineLike
from tunesmith.model import TranslationModel

Examples = npt.NDArray[np.int64]


def usable_pairs(pairs: Bitext, max_words: int) -> Examples:
    """All pairs whose source is neither empty nor too long."""
    words = pairs.source.lengths
    return _whole(np.flatnonzero((words > 0) & (words <= max_words)))


def tell_usable(examples: Examples, pairs: Bitext) -> None:
    """Say how many pairs `usable_pairs` has found."""
    log.info(
        "learning from %s of %s pairs, the others are empty or too long",
        f"{len(examples):,}",
        f"{len(pairs):,}",
    )


def reachable_pairs(
    pairs: Bitext,
    links: TableLinks,
    models: Sequence[TranslationModel],
    folds: npt.NDArray[np.uint32],
    options: ForcedOptions,
    *,
    all_prefixes: bool,
    engine: EngineLike,
) -> Examples:
    """Those that the model of their fold can make, as a whole or in part (forced decoding, §2).

    With `all_prefixes` every reachable prefix of a pair that cannot be made is an example.
    """
    whole, made, stopped = 0, np.zeros(len(pairs), bool), Counter[str]()
    prefixes = []
    for number, model in enumerate(models):
        own = np.flatnonzero(folds == number)
        decoder = ForcedDecoder(model, options, engine=engine)
        found = decoder.run(
            pairs.select(own),
            [one.select(own) for one in as_list(links)] or None,
            list_prefixes=all_prefixes,
        )
        decoder.give_back()
        made[own] = found.whole if all_prefixes else found.source_words > 0
        whole += int(found.whole.sum())
        places = found.prefixes.copy()
        places[:, 0] = own[places[:, 0]]
        prefixes.append(places)
        stopped.update(found.stopped)
    examples = np.concatenate([_whole(np.flatnonzero(made)), *prefixes])
    log.info(
        "%s of %s pairs can be made, %s with prefixes, %s examples; given up: %d too long, "
        "%d too large",
        f"{whole:,}",
        f"{len(made):,}",
        f"{len(np.unique(examples[:, 0])):,}",
        f"{len(examples):,}",
        stopped["length"],
        stopped["nodes"],
    )
    return examples


def _whole(pairs: npt.NDArray[np.int64]) -> Examples:
    """Examples that are no prefixes."""
    return np.stack([pairs, np.zeros_like(pairs), np.zeros_like(pairs)], axis=1)
