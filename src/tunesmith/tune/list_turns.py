"""Turns on k-best lists."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.tune.pool import PoolBuilder, merge_pools
from tunesmith.tune.turns import LoopSetting, Turn

if TYPE_CHECKING:
    from tunesmith.tune.base import Tuner


@dataclass
class ListTurns:
    """K-best lists, merged over the turns."""

    tuner: "Tuner"
    setting: LoopSetting
    kept: KBestPool | None = None
    """The lists so far."""

    def resume(self, paths: Sequence[Path]) -> None:
        """Go on with the lists of these files."""
        pools = [KBestPool.load(path) for path in paths]
        for path, pool in zip(paths, pools, strict=True):
            self.setting.require(
                path,
                pool.sentences == self.setting.sentences
                and pool.stats.shape[1] == self.setting.metric.size
                and set(pool.dense_names) == set(pools[0].dense_names),
            )
        self.kept = merge_pools(pools)

    def take(self, weights: Weights, *, last: bool) -> Turn:
        """Add the lists of a search to those before."""
        setting = self.setting
        builder = PoolBuilder(setting.metric, setting.references, engine=self.tuner.engine)
        texts = setting.source.kbest(weights, setting.size, builder)
        found = builder.finish()
        pool = found if self.kept is None else merge_pools([self.kept, found])
        self.kept = pool
        turn = Turn(texts, pool, pool.rows, "hypotheses", added=found)
        if last:
            return turn
        result = self.tuner.fit(pool, setting.metric, weights, keep_better_start=False)
        return replace(turn, weights=result.weights, score=result.score)
