"""Turns on k-best lists.

Lists of weights that fell are nothing like a translation: three times too long, say. What to keep
away from they tell best, so they are tuned on. But the sizes of features in them are not those
in which a step should be measured.
"""

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
    sound: KBestPool | None = None
    """Those of turns that did not fall, where one has."""
    _found: KBestPool | None = None

    def resume(self, paths: Sequence[Path], fell: Sequence[bool]) -> None:
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
        if any(fell):
            self.sound = merge_pools([p for p, bad in zip(pools, fell, strict=True) if not bad])

    def search(self, weights: Weights) -> Sequence[str]:
        """Make lists."""
        setting = self.setting
        builder = PoolBuilder(setting.metric, setting.references, engine=self.tuner.engine)
        texts = setting.source.kbest(weights, setting.size, builder)
        self._found = builder.finish()
        return texts

    def tune(self, start: Weights, *, fell: bool, last: bool) -> Turn:
        """Add the lists of the search to those before."""
        found, self._found = self._found, None
        assert found is not None
        if fell and self.sound is None:
            self.sound = self.kept
        elif not fell and self.sound is not None:
            self.sound = merge_pools([self.sound, found])
        pool = found if self.kept is None else merge_pools([self.kept, found])
        self.kept = pool
        turn = Turn(pool, pool.rows, "hypotheses", added=found)
        if last:
            return turn
        result = self.tuner.fit(
            pool, self.setting.metric, start, keep_better_start=False, measured_on=self.sound
        )
        result.warn(self.tuner.name)
        return replace(turn, weights=result.weights, score=result.score)
