"""Explanations as pictures (SVG): phrases with links, trees of rules, what features add."""

from tunesmith.formats.pictures.derivation import derivation_svg

__all__ = ["derivation_svg"]
