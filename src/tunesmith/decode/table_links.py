"""The word links that a model's phrase tables were extracted from: which rules are a pair's own."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.formats.pharaoh import Links
from tunesmith.model import TranslationModel

#: Those of every extracted table in the model's order; those of the only one; or none.
TableLinks = Links | Sequence[Links] | None

#: What the core takes for the links of a table: offsets, source and target positions.
LinkArrays = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]

_NO_LINKS: LinkArrays = np.empty(0, np.uint64), np.empty(0, np.uint32), np.empty(0, np.uint32)


def as_list(links: TableLinks) -> list[Links]:
    """One entry for each table whose links are known."""
    if links is None:
        return []
    return [links] if isinstance(links, Links) else list(links)


def link_arrays(model: TranslationModel, pairs: int, links: TableLinks) -> list[LinkArrays]:
    """What the core takes: an entry for every table, or none at all; sizes are compared here."""
    if links is None:
        return []
    given = as_list(links)
    check_link_count(model, len(given))
    for one in given:
        if len(one) != pairs:
            raise OptionError(f"links of {len(one):,} pairs for {pairs:,} pairs")
    # No links made the rules of a recounted table: it is judged by the words of its rules.
    arrays = iter((one.offsets, one.source, one.target) for one in given)
    return [_NO_LINKS if table.is_recounted else next(arrays) for table in model.tables]


def check_link_count(model: TranslationModel, given: int) -> None:
    """Refuse links of more or fewer tables than the model has extracted ones."""
    extracted = [table.path.name for table in model.tables if not table.is_recounted]
    if given != len(extracted):
        raise OptionError(
            f"links of {given} phrase tables, expected {len(extracted)}: those that "
            f"{' and '.join(extracted)} {'was' if len(extracted) == 1 else 'were'} extracted from, "
            "in this order"
        )
