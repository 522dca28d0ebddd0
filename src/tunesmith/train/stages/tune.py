"""The stages that learn weights from the dev set."""

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tunesmith.base.atomic import atomic_text
from tunesmith.base.log import log
from tunesmith.base.weights import Weights
from tunesmith.decode import Decoder
from tunesmith.decode.grouped import GroupedDecoder
from tunesmith.evaluate.training_files import RESULT_FILE
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.model.files import WEIGHTS_FILE
from tunesmith.train.assembly import assembled, model_inputs
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage
from tunesmith.train.tuning import tuning_decoder, tuning_loop
from tunesmith.tune.loop import Iteration
from tunesmith.tune.loop_state import TIMES_FILE


class Tune(TrainingStage):
    """The model so far and the dev set → ``weights.tsv``, ``result.json``."""

    name = "tune"

    def inputs(self) -> list[Any]:
        """The model, the sections tune and search, the seed."""
        options = self.options
        model = [*model_inputs(self.place), list(self.place.unused())]
        return [*model, asdict(options.tuning), asdict(options.search), options.seed]

    def write(self, folder: Path) -> None:
        """Tune from the initial weights."""
        with assembled(self.place, folder, None) as model:
            decoder = tuning_decoder(self.place, model)
            found = self._tune(folder, decoder, model.weights, self.options.tune.iterations)
        write_weights(folder / WEIGHTS_FILE, found)

    def _tune(self, folder: Path, decoder: Decoder, start: Weights, iterations: int) -> Weights:
        """The weights that tuning ends with; how it went is in ``result.json``."""
        state = self.place.state_folder(self.name)
        loop = tuning_loop(self.place, decoder, iterations)
        result = loop.run(start, state, report=_report)
        with atomic_text(folder / RESULT_FILE) as stream:
            json.dump(
                {
                    "score": result.score,
                    "signature": loop.metric.signature(len(loop.references)),
                    "iterations": [asdict(turn) for turn in result.iterations],
                },
                stream,
                indent=1,
            )
        shutil.copyfile(state / TIMES_FILE, folder / TIMES_FILE)
        shutil.rmtree(state, ignore_errors=True)
        return result.weights


class Retune(Tune):
    """The same with learned features as one more dense one, from the weights of the learner."""

    name = "retune"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether lexical features are learned, and the weights are to be tuned to them."""
        return options.learns and options.learn.retune > 0

    def inputs(self) -> list[Any]:
        """What was learned, and how often the dev set is decoded."""
        return [self.place.key("learn"), self.options.learn.retune]

    def write(self, folder: Path) -> None:
        """Tune again."""
        weights = read_weights(self.place.path("learn", WEIGHTS_FILE))
        with assembled(self.place, folder, weights, lexical=True) as model:
            decoder = tuning_decoder(self.place, model)
            if model.lexical is None:
                grouped = GroupedDecoder.of_weights(decoder, weights)
                start = grouped.start(weights)
                found = self._tune(folder, grouped, start, self.options.learn.retune)
                found = grouped.whole(found)
            else:
                found = self._tune(folder, decoder, weights, self.options.learn.retune)
        write_weights(folder / WEIGHTS_FILE, found)


def _report(number: int, iteration: Iteration) -> None:
    log.info(
        "tune: iteration %d, dev %.2f, %s %s",
        number,
        iteration.score,
        f"{iteration.hypotheses:,}",
        iteration.unit,
    )
