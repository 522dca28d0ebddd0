"""Messages for the person who runs a command: plain lines on standard error."""

import logging
import sys

log = logging.getLogger("tunesmith")


def configure(*, verbose: bool = False, quiet: bool = False) -> None:
    """Set how much is said; called once by the command line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter())
    log.handlers = [handler]
    log.propagate = False
    log.setLevel(logging.DEBUG if verbose else logging.WARNING if quiet else logging.INFO)


class _Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        return f"warning: {text}" if record.levelno >= logging.WARNING else text
