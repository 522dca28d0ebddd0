"""Reports of runs and of translations: plain data first (`parts`), then a page (`page`)."""

from tunesmith.evaluate.report.building import output_report, run_report
from tunesmith.evaluate.report.page import as_html, write_report
from tunesmith.evaluate.report.parts import Report

__all__ = ["Report", "as_html", "output_report", "run_report", "write_report"]
