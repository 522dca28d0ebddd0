"""Word alignment: from parallel sentences to links, with probabilities; alignment error rate."""

from tunesmith.align.aligner import Aligner, AlignmentIteration
from tunesmith.align.model import AlignmentModel
from tunesmith.align.quality import AlignmentQuality, alignment_quality
from tunesmith.align.symmetrise import METHODS, symmetrise
from tunesmith.formats.pharaoh import Links

__all__ = [
    "METHODS",
    "Aligner",
    "AlignmentIteration",
    "AlignmentModel",
    "AlignmentQuality",
    "Links",
    "alignment_quality",
    "symmetrise",
]
