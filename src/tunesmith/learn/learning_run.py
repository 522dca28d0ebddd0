"""A learner's passes over the training set, epoch by epoch, until one is the best.

Yu et al. (2013), §3 and §5: for every mini-batch, search its examples under the weights so far, add
what the update rule says of them; the dev set only tells when to stop.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.learn.checkpoint import Checkpoint
from tunesmith.learn.epochs import Epoch
from tunesmith.learn.learner import Judge, Learned, Learner

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce


def learn(
    learner: Learner,
    options: "Maxforce",
    judge: Judge,
    start_score: Callable[[], float],
    checkpoint: Checkpoint,
    report: Callable[[Epoch], None],
) -> tuple[Learned, list[Epoch], float]:
    """All epochs that are not done: what the best of them has learned, all, and the start's score.

    `checkpoint` keeps each epoch, and `judge` gives its score on the dev set.
    """
    if not len(learner.examples):
        raise OptionError("no sentence pair can be made by the model: nothing to learn from")
    epochs = checkpoint.restore(learner)
    for epoch in epochs:
        report(epoch)
    if checkpoint.start_score is None:
        checkpoint.start_score = start_score()
        log.info("dev %.2f before the first update", checkpoint.start_score)
    while len(epochs) < options.epochs and not is_enough(epochs, options.patience):
        begin = monotonic()
        reports = learner.one_pass(len(epochs) + 1)
        learned = learner.learned()
        score, weights = judge(learned)
        epoch = Epoch.of(
            reports,
            number=len(epochs) + 1,
            dev_score=score,
            features=learned.features,
            seconds=monotonic() - begin,
        )
        is_best = all(score > before.dev_score for before in epochs)
        epochs.append(epoch)
        checkpoint.save(learner, replace(learned, weights=weights) if is_best else None, epochs)
        report(epoch)
    return checkpoint.best, epochs, checkpoint.start_score


def is_enough(epochs: Sequence[Epoch], patience: int) -> bool:
    """Whether the last `patience` epochs brought nothing better."""
    if not patience or len(epochs) <= patience:
        return False
    before = max(epoch.dev_score for epoch in epochs[:-patience])
    return max(epoch.dev_score for epoch in epochs[-patience:]) <= before
