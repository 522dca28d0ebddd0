"""`Parts`: what a server is made of; everything that answers a request has them."""

import asyncio
from dataclasses import dataclass, field

from tunesmith.base.languages import UNDETERMINED
from tunesmith.engine import as_engine
from tunesmith.serve.detecting import Detector
from tunesmith.serve.journal import ServerJournal
from tunesmith.serve.limits import ServerLimits
from tunesmith.serve.meters import Meters
from tunesmith.serve.models import ServedModels
from tunesmith.serve.translating import Translating
from tunesmith.serve.workers import Workers


@dataclass
class Parts:
    """Models, limits, threads, counters and the journal of a server."""

    models: ServedModels
    limits: ServerLimits = field(default_factory=ServerLimits)
    journal: ServerJournal = field(default_factory=ServerJournal)
    token: str | None = None
    """Who has it may correct translations; None: nobody may."""

    def __post_init__(self) -> None:
        self.meters = Meters()
        self.workers = Workers(as_engine(self.limits.workers).threads, self.limits.queue)
        self.translating = Translating(self.workers, self.limits, self.meters)
        self._detector: asyncio.Task[Detector] | None = None
        self.meters.watch(
            "admitted_requests", "requests that wait or are worked on",
            lambda: self.workers.admitted,
        )  # fmt: skip

    async def detector(self) -> Detector:
        """Tells the models' languages apart; made by a worker when it is first wanted."""
        if self._detector is None:
            self._detector = asyncio.ensure_future(self._make_detector())
        return await asyncio.shield(self._detector)

    async def _make_detector(self) -> Detector:
        [made] = await self.workers.run([self._detect])
        return made

    def _detect(self) -> Detector:
        codes = (code for one in self.models for code in (one.source, one.target))
        return Detector(code for code in codes if code != UNDETERMINED)

    def close(self) -> None:
        """End the threads."""
        self.workers.close()
