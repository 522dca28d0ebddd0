"""Reports of runs and of outputs: plain data first (`parts`), then a page (`page`).

``run_report(folders)`` and ``output_report(systems, references, metrics)`` make a `Report`,
``as_html`` and ``write_report`` a page of it (docs/report.md).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tunesmith.evaluate.report.building import run_report
    from tunesmith.evaluate.report.outputs import output_report
    from tunesmith.evaluate.report.page import as_html, write_report
    from tunesmith.evaluate.report.parts import Report

# Looked up when asked for: what reads runs needs most rooms, what reads outputs few.
_PLACES = {
    "Report": "parts",
    "as_html": "page",
    "output_report": "outputs",
    "run_report": "building",
    "write_report": "page",
}

__all__ = ["Report", "as_html", "output_report", "run_report", "write_report"]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
