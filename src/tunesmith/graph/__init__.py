"""What can be asked of hypergraphs: best derivations, sums over all of them, smaller graphs."""

from tunesmith.graph.bleu import oracle, with_bleu
from tunesmith.graph.derivations import Derivations
from tunesmith.graph.envelopes import Envelope, envelope
from tunesmith.graph.expected_bleu import ExpectedBleu, expected_bleu
from tunesmith.graph.mbr import consensus
from tunesmith.graph.merging import chosen_paths, joined, union
from tunesmith.graph.pruning import prune
from tunesmith.graph.search import best, kbest
from tunesmith.graph.sums import (
    expected_features,
    expected_ngrams,
    log_sums,
    max_marginals,
    posteriors,
)
from tunesmith.graph.weights import weight_vector

__all__ = [
    "Derivations",
    "Envelope",
    "ExpectedBleu",
    "best",
    "chosen_paths",
    "consensus",
    "envelope",
    "expected_bleu",
    "expected_features",
    "expected_ngrams",
    "joined",
    "kbest",
    "log_sums",
    "max_marginals",
    "oracle",
    "posteriors",
    "prune",
    "union",
    "weight_vector",
    "with_bleu",
]
