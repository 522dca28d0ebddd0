"""`ServerJournal`: what the server did, a JSON object a line; texts only where that is wanted."""

import json
import logging
import sys
import threading
import time
from typing import Any, TextIO


class ServerJournal:
    """Writes lines to a stream.

    Parameters
    ----------
    texts
        Whether the texts of clients are written too.
    quiet
        Whether only errors are.
    """

    def __init__(
        self, stream: TextIO | None = None, *, texts: bool = False, quiet: bool = False
    ) -> None:
        self.stream: TextIO | None = sys.stdout if stream is None else stream
        self.texts, self.quiet = texts, quiet
        self._lock = threading.Lock()

    def write(self, event: str, *, is_error: bool = False, **values: Any) -> None:
        """Write what happened; names without a value are left out."""
        if self.quiet and not is_error:
            return
        told = {name: value for name, value in values.items() if value is not None}
        now = time.time()
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now % 1 * 1000):03}Z"
        line = json.dumps({"time": stamp, "event": event, **told}, ensure_ascii=False)
        with self._lock:
            if self.stream is None:
                return
            try:
                self.stream.write(f"{line}\n")
                self.stream.flush()
            except (OSError, ValueError):  # nobody reads any more; the server goes on
                self.stream = None


class JournalHandler(logging.Handler):
    """Messages of the web server as lines of a journal."""

    def __init__(self, journal: ServerJournal) -> None:
        super().__init__(logging.WARNING)
        self.journal = journal

    def emit(self, record: logging.LogRecord) -> None:
        """Write a message, and the kind of an exception with it."""
        kind = record.exc_info[0] if record.exc_info else None
        self.journal.write(
            "warning" if record.levelno < logging.ERROR else "error",
            is_error=True,
            message=" ".join(record.getMessage().split()),
            exception=None if kind is None else kind.__name__,
        )
