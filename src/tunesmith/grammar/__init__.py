"""Phrase tables and grammars: extracted from aligned text, or in others' formats."""

from tunesmith.grammar.extraction import PhraseExtraction
from tunesmith.grammar.hiero import HieroIndex, HieroOptions
from tunesmith.grammar.scfg import ScfgGrammar
from tunesmith.grammar.table import PhraseTable, Rule

__all__ = [
    "HieroIndex",
    "HieroOptions",
    "PhraseExtraction",
    "PhraseTable",
    "Rule",
    "ScfgGrammar",
]
