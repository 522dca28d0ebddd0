"""A metric of a user's own: a score for each hypothesis, in Python."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import InputError, OptionError, one_line
from tunesmith.base.own_code import load_own, own_file, own_line
from tunesmith.base.rundir import file_hash
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.metrics.base import Metric, Scorer, Stats
from tunesmith.metrics.column import Column

ScoreAll = Callable[[Sequence[str], Sequence[Sequence[str]]], Sequence[float]]


class OwnMetric(Column):
    """The mean of what a Python function gives for each hypothesis and its references.

    Parameters
    ----------
    score
        Gives a number for a hypothesis and the list of its references; or an object with a method
        `score` that does, or with `scores`, which gets all hypotheses and the references of each at
        once. ``higher_is_better = False`` on it says that low numbers are good.
    name
        What it is called; for the name of a file's part, messages tell its lines.

    Examples
    --------
    >>> exact = OwnMetric(lambda hypothesis, references: hypothesis in references, "exact")
    >>> exact.corpus_score(["a", "b"], [["a", "c"]])
    0.5
    """

    reads_texts = True

    def __init__(self, score: Any, name: str = "") -> None:
        name = name or getattr(score, "__name__", type(score).__name__)
        super().__init__(name, higher_is_better=bool(getattr(score, "higher_is_better", True)))
        self.name = name
        self.columns = ()
        self._all = _score_all(score, name)
        self._path = own_file(name)
        self._references: list[list[str]] = []

    @property
    def needs_text(self) -> bool:
        """Always: that is what it reads."""
        return True

    def prepare(self, references: Sequence[Sequence[str]]) -> Scorer:
        """Keep the references; those that were prepared last are the ones that count."""
        scorer = super().prepare(references)
        self._references = [list(lines) for lines in zip(*references, strict=True)]
        return scorer

    def fill_texts(
        self, stats: Stats, texts: Sequence[str], sentence_ids: npt.NDArray[np.int64]
    ) -> None:
        """Write the scores of the hypotheses into their rows."""
        references = [self._references[sentence] for sentence in sentence_ids.tolist()]
        try:
            values = np.asarray(list(self._all(list(texts), references)), dtype=np.float64)
        except Exception as error:
            found = one_line(f"{type(error).__name__}: {error}")
            raise InputError(
                self._path or self.name, own_line(error, self._path), found,
                "a number for each hypothesis",
            ) from error  # fmt: skip
        self.fill_columns(stats, {self.column: values})

    def stats(
        self,
        hypotheses: Sequence[str],
        sentence_ids: npt.ArrayLike | None,
        prepared: Scorer,
        *,
        columns: Any = None,
        engine: EngineLike = ALL_CORES,
    ) -> Stats:
        """The scores of hypotheses as statistics."""
        ids = np.arange(len(hypotheses)) if sentence_ids is None else np.asarray(sentence_ids)
        if sentence_ids is None and len(hypotheses) != prepared.sentences:
            raise OptionError(
                f"{len(hypotheses)} hypotheses, but references for {prepared.sentences} sentences"
            )
        stats = np.zeros((len(hypotheses), self.size), dtype=np.int32)
        self.fill_texts(stats, hypotheses, ids.astype(np.int64))
        return stats

    def signature(self, references: int = 1) -> str:
        """The name, and the state of its file."""
        if not self._path:
            return f"{self.name}|nrefs:{references}"
        # In letters: nobody takes it for a number.
        state = file_hash(self._path)[:10].translate(str.maketrans("0123456789", "ghijklmnop"))
        return f"{self.name}|nrefs:{references}|file:{state}"


def _score_all(score: Any, name: str) -> ScoreAll:
    if callable(getattr(score, "scores", None)):
        return score.scores  # type: ignore[no-any-return]
    one = getattr(score, "score", score)
    if not callable(one):
        raise OptionError(
            f"metric {name} has neither a method 'score' nor 'scores', expected one of them"
        )
    return lambda hypotheses, references: [
        one(*pair) for pair in zip(hypotheses, references, strict=True)
    ]


def own_metric(place: str) -> Metric:
    """The metric that ``FILE.py:NAME`` names: a `Metric`, a class with `score`, or a function."""
    found = load_own(place, "metric")
    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            path = own_file(place)
            raise InputError(
                path, own_line(error, path), f"{type(error).__name__}: {error}",
                "a class that is made without arguments",
            ) from error  # fmt: skip
    return found if isinstance(found, Metric) else OwnMetric(found, place)
