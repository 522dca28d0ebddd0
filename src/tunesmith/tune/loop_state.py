"""What a tuning loop keeps on disk between two iterations.

Weights may have millions of entries and lists many gigabytes: an iteration writes once what it
has added, and what is written anew every time is small.
"""

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.array_file import contents_of, read_arrays, write_arrays
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json
from tunesmith.base.ragged import packed_names, unpacked_names
from tunesmith.base.resume import check_settings
from tunesmith.base.weights import Weights
from tunesmith.tune.turns import Turn, Turns

STATE_FILE = "loop.json"
POOL_FILE = "pool-{}.bin"
WEIGHTS_FILE = "weights-{}.bin"
#: The translations of the dev set in an iteration, its references, and the times of iterations.
OUTPUT_FILE, REFERENCE_FILE, TIMES_FILE = "output-{}.txt", "reference-{}.txt", "times.json"
FILE_KIND, FILE_VERSION = "loop-weights", 1


@dataclass(frozen=True)
class Iteration:
    """One turn of the loop."""

    score: float
    """The metric's score of the 1-bests under `weights`."""
    weights: dict[str, float]
    hypotheses: int
    """In the pool after this turn, or whatever `unit` counts."""
    pool_score: float
    """What the tuner reached on the pool; NaN in the last turn, which only decodes."""
    unit: str = "hypotheses"
    fell: bool = False
    """Whether `weights` were so bad that tuning went on from those before them."""


@dataclass
class LoopState:
    """The iterations that are done, and the weights of the next one."""

    folder: Path
    identity: dict[str, Any]
    next_weights: Weights
    done: list[Iteration]
    pools: list[int]
    """Of the iterations whose files hold what is kept."""

    @classmethod
    def open(
        cls,
        folder: Path,
        identity: dict[str, Any],
        start: Weights,
        turns: Turns,
        names: Container[str] | None = None,
    ) -> "LoopState":
        """What is in `folder`, which `turns` go on with; a run with other settings is refused.

        `names` are the features that weights may have, where they are known.
        """
        path = folder / STATE_FILE
        if not path.exists():
            return cls(folder, identity, start, [], [])
        try:
            saved = parse_json(path.read_text(encoding="utf-8"))
            known, rows, pools = saved["identity"], saved["done"], saved["pools"]
            check_settings(folder, known, identity, run="tuning run")
            done = [
                Iteration(weights=dict(read_iteration(folder, number, names)), **row)
                for number, row in enumerate(rows, 1)
            ]
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(path, 0, "no tuning state", "", "delete the folder") from error
        weights = read_iteration(folder, len(done) + 1, names)
        turns.resume(
            [folder / POOL_FILE.format(number) for number in pools],
            [done[number - 1].fell for number in pools],
        )
        return cls(folder, identity, weights, done, pools)

    def add(self, iteration: Iteration, turn: Turn, output: Sequence[str]) -> None:
        """Keep an iteration: first its files, then the state that counts them."""
        if not self.done:
            _write_weights(self.folder, 1, iteration.weights)
        self.done.append(iteration)
        number = len(self.done)
        if turn.weights is not None:  # the last turn tunes nothing
            self.next_weights = turn.weights
        added, outdated = (turn.kept, self.pools) if turn.added is None else (turn.added, [])
        self.pools = [one for one in self.pools if one not in outdated] + [number]
        added.save(self.folder / POOL_FILE.format(number))
        _write_lines(self.folder / OUTPUT_FILE.format(number), output)
        _write_weights(self.folder, number + 1, self.next_weights)
        rows = [_row(one) for one in self.done]
        with atomic_text(self.folder / STATE_FILE) as stream:
            state = {"identity": self.identity, "done": rows, "pools": self.pools}
            json.dump(state, stream, indent=1)
        for one in outdated:
            (self.folder / POOL_FILE.format(one)).unlink(missing_ok=True)


def keep_references(folder: Path, references: Sequence[Sequence[str]]) -> None:
    """Write the references of the dev set beside what is made of it, for those who read a run."""
    for number, lines in enumerate(references):
        path = folder / REFERENCE_FILE.format(number)
        if not path.exists():
            _write_lines(path, lines)


def _write_lines(path: Path, lines: Sequence[str]) -> None:
    with atomic_text(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)


def _row(turn: Iteration) -> dict[str, Any]:
    """An iteration without its weights."""
    return {key: value for key, value in vars(turn).items() if key != "weights"}


def _write_weights(folder: Path, number: int, weights: Mapping[str, float]) -> None:
    arrays: dict[str, npt.NDArray[Any]] = {
        "names": packed_names(tuple(weights)),
        "values": np.fromiter(weights.values(), np.float64, len(weights)),
    }
    write_arrays(folder / WEIGHTS_FILE.format(number), FILE_KIND, FILE_VERSION, arrays)


def read_iteration(folder: Path, number: int, names: Container[str] | None = None) -> Weights:
    """The weights that an iteration decoded with; of `names` alone, where these are given."""
    path = folder / WEIGHTS_FILE.format(number)
    types = {"names": (np.uint8, 1), "values": (np.float64, 1)}
    arrays = read_arrays(path, FILE_KIND, FILE_VERSION, types)
    with contents_of(path, "finite weights"):
        weights = Weights.from_vector(unpacked_names(arrays["names"]), arrays["values"].tolist())
        unknown = next((name for name in weights if names is not None and name not in names), None)
        if unknown is not None:
            raise ValueError(f"a weight for '{unknown}', which is no feature of the model")
        return weights
