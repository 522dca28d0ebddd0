"""The methods of a learner by name, and what they share."""

from typing import TYPE_CHECKING

from tunesmith.metrics import Bleu
from tunesmith.model.files import LEXICAL_FEATURE

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce

#: Name of an update → the core's, and the rate that suits it.
METHODS = {
    "expected": ("EXPECTED", 0.5),
    "max-violation": ("MAX_VIOLATION", 0.0005),
    "early": ("EARLY", 0.0005),
    "standard": ("STANDARD", 0.0005),
    "local": ("LOCAL", 0.0005),
    "ranking": ("RANKING", 0.0001),
}
#: Those that need no derivation of the reference.
WHOLE_PAIRS = ("expected", "ranking")
# What decides how many words and phrases there are. References are made of shorter phrases than the
# translations that BLEU likes best: while learning, these weights take that up, so that lexical
# features need not.
PENALTIES = ("word_penalty", "phrase_penalty")
#: What a batch counts in the mean of all translations before, as in the core: that follows slowly.
NEWEST = 0.01
#: Of a sentence alone BLEU+1, of a text plain BLEU.
METRIC = Bleu(tokenize="none", smoothing="none")
#: Options that may change in a run that goes on.
FREE = frozenset({"engine", "epochs", "patience"})


def moves(options: "Maxforce", name: str, *, is_dense: bool) -> float:
    """What a feature takes of the rate."""
    if not is_dense:
        return 1.0
    moving = {"none": False, "penalties": name in PENALTIES, "all": name != LEXICAL_FEATURE}
    return options.dense_rate * moving[options.dense]
