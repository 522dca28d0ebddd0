"""The binary files of reordering models, for `reference.file_users`."""

from contextlib import suppress

from tunesmith.base.errors import DegenerateError
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links
from tunesmith.reorder import (
    DualTraining,
    ExampleSet,
    MaxentModel,
    MaxentReordering,
    OrientationExamples,
)

EXAMPLES = OrientationExamples.from_lists(
    [[0, 1], [1], [0, 2], [2], []], [0, 1, 0, 1, 1], 3, ("monotone", "swap")
)
TEXT = Bitext.from_lines(["a b c", "b a c", "c b a a"], ["x y z", "y x z", "x z y x"])
LINKS = Links.from_lists(
    [[(0, 0), (1, 1), (2, 2)], [(0, 1), (1, 0), (2, 2)], [(0, 1), (1, 3), (2, 0), (3, 2)]]
)
OPTIONS = MaxentReordering(cutoff=0, word_classes=2, passes=3)


def make_reorder_state(folder):
    """A training that was stopped."""
    DualTraining(passes=2, rechecks=1).fit(EXAMPLES, checkpoint=folder / "state")
    return folder / "state"


def use_reorder_state(path):
    """Go on with it."""
    with suppress(DegenerateError):
        DualTraining(passes=4, rechecks=1).fit(EXAMPLES, checkpoint=path)


def make_orientations(folder):
    """The examples of a text."""
    OPTIONS.build(TEXT, LINKS, folder / "examples")
    return folder / "examples"


def use_orientations(path):
    """Train on them."""
    with suppress(DegenerateError):
        OPTIONS.train(ExampleSet(path), path.parent / "trained")


def make_maxent(folder):
    """A trained model."""
    OPTIONS.run(TEXT, LINKS, folder / "model")
    return folder / "model"


def use_maxent(path):
    """What it makes of a text."""
    MaxentModel(path).evaluate(TEXT, LINKS)
