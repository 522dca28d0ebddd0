"""Phrase tables: extracted from aligned text, read from and written to Moses' files."""

from tunesmith.grammar.extraction import PhraseExtraction
from tunesmith.grammar.table import PhraseTable, Rule

__all__ = ["PhraseExtraction", "PhraseTable", "Rule"]
