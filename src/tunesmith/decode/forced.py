"""Forced decoding: all derivations with which a model makes given translations, exactly.

Yu, Huang, Mi & Zhao (2013), Max-Violation Perceptron and Forced Decoding for Scalable MT
Training, section 2.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tunesmith import _core
from tunesmith.base.parameters import fill_native, parameter
from tunesmith.base.progress import progress
from tunesmith.corpus import Bitext
from tunesmith.decode.forced_result import ForcedResult
from tunesmith.decode.phrase_model import native_phrase_model
from tunesmith.decode.table_links import TableLinks, as_list, link_arrays
from tunesmith.decode.training_text import training_text
from tunesmith.engine import ALL_CORES, Engine, EngineLike, as_engine
from tunesmith.engine.shards import ranges
from tunesmith.model import TranslationModel

LEAVE_OUT = {"none": "NOTHING", "own": "OWN", "singletons": "SINGLETONS"}


@dataclass(frozen=True)
class ForcedOptions:
    """Limits of forced decoding, and the rules that a pair may not use."""

    distortion_limit: int = parameter(
        6, "longest jump in the source, in words; -1 means no limit (60 words)", at_least=-1
    )
    max_words: int = parameter(100, "longer source sentences are not tried", at_least=1)
    max_nodes: int = parameter(
        1_000_000, "a pair whose search needs more nodes is given up", at_least=1
    )
    time_limit: float = parameter(
        0.0, "seconds for a pair; 0: no limit, and results do not depend on the machine", at_least=0
    )
    min_prefix: int = parameter(
        5, "least source words of a reachable prefix; 0: only whole pairs", at_least=0
    )
    leave_out: str = parameter(
        "none",
        "rules that a pair may not use: none; own, those seen once and only in the pair; "
        "singletons, all that were seen once",
        choices=tuple(LEAVE_OUT),
    )

    def native(self) -> _core.ForcedOptions:
        """The core's form of the options."""
        options = _core.ForcedOptions()
        fill_native(self, options, without=("leave_out",))
        options.leave_out = _core.LeaveOut[LEAVE_OUT[self.leave_out]]
        return options

    def memory(self, engine: EngineLike) -> int:
        """Bytes that the search takes at most on so many threads."""
        return _core.forced_memory(self.native()) * as_engine(engine).threads


@dataclass(frozen=True)
class Forcing:
    """All that forced decoding needs besides pairs."""

    model: TranslationModel
    options: ForcedOptions
    keep: bool
    list_prefixes: bool
    engine: Engine

    def run(
        self,
        native: _core.PhraseModel,
        pairs: Bitext,
        links: TableLinks,
        advance: Callable[[int], None],
    ) -> ForcedResult:
        """Search the pairs; `native` is the core's form of the model."""
        options = self.options.native()
        options.list_prefixes = self.list_prefixes
        text = training_text(self.model, pairs, links)
        found = _core.force_pairs(native, text, options, self.keep, self.engine.threads, advance)
        return ForcedResult.of(found, keep=self.keep)


def force_shard(shard: tuple[Bitext, TableLinks], how: Forcing) -> ForcedResult:
    """The same for some of the pairs, wherever that is."""
    return how.run(native_phrase_model(how.model), *shard, lambda done: None)


class ForcedDecoder:
    """Finds all derivations of given translations; native, on the engine's threads.

    Parameters
    ----------
    model
        Its tables are used; its weights are not.
    options
        Limits and rules to leave out.
    engine
        All cores by default; results do not depend on it.
    """

    def __init__(
        self,
        model: TranslationModel,
        options: ForcedOptions | None = None,
        *,
        engine: EngineLike = ALL_CORES,
    ) -> None:
        self.model = model
        self.options = options or ForcedOptions()
        self.engine = as_engine(engine)
        self._native = native_phrase_model(model)

    def give_back(self) -> None:
        """Take the model's files out of memory until they are used again."""
        self._native.give_back()

    def run(
        self,
        pairs: Bitext,
        links: TableLinks = None,
        *,
        keep: bool = False,
        list_prefixes: bool = False,
    ) -> ForcedResult:
        """Search every pair of tokenised sentences; lattices stay in memory when `keep` is set.

        With `list_prefixes` the result knows all reachable prefix pairs, not the longest alone.
        `links` are those that each table of the model was extracted from: they tell exactly which
        of its rules are a pair's own (``leave_out="own"``). Without them every rule that its table
        has seen once and whose words stand in both sentences is taken for one.
        """
        how = Forcing(self.model, self.options, keep, list_prefixes, self.engine)
        with progress("forced decoding", len(pairs)) as bar:
            if self.engine.workers == 1:
                return how.run(self._native, pairs, links, bar.advance)
            link_arrays(self.model, len(pairs), links)  # refuses what does not fit
            shards = pairs_in_parts(pairs, links, self.engine.workers)
            work = partial(force_shard, how=replace(how, engine=self.engine.share(len(shards))))
            found: dict[int, ForcedResult] = {}
            for number, part in self.engine.as_done(work, shards):
                found[number] = part
                bar.advance(len(part))
        return ForcedResult.joined([found[number] for number in range(len(shards))])


def pairs_in_parts(pairs: Bitext, links: TableLinks, parts: int) -> list[tuple[Bitext, TableLinks]]:
    """The pairs in as many parts, with their links; an empty one of none."""
    return [
        (
            pairs.select(numbers := np.arange(begin, end)),
            None if links is None else [one.select(numbers) for one in as_list(links)],
        )
        for begin, end in ranges(len(pairs), parts) or [(0, 0)]
    ]
