"""What a table should say of a phrase pair that it lacks, when two tables are joined.

Tunes a model of two tables with several floors, and with the tables side by side, and scores pairs
that it was not trained on:

    head -n 28000 train.de > part.de; tail -n 1000 train.de > held.de      # the same of train.en
    tunesmith train --src part.de --tgt part.en … --tokenizer none --features medium --out model
    python bench/join_floor.py model --dev-src val.de --dev-ref val.en --src held.de --ref held.en
"""

import argparse
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.model.description import read_description
from tunesmith.train.options import TuneOptions
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.sources import DecoderSource

SIDE_BY_SIDE = "side by side"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    for name in ("--dev-src", "--dev-ref", "--src", "--ref"):
        parser.add_argument(name, required=True)
    parser.add_argument("--floors", nargs="*", type=float, default=[-3, -5, -7, -12])
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--pop-limit", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    description = read_description(arguments.model)
    print(f"load {os.getloadavg()[0]:.1f}; tuned by kb-mira, {arguments.iterations} iterations")
    for floor in (None, *arguments.floors):
        model = TranslationModel(arguments.model, replace(description, join_floor=floor))
        dev, held, seconds = tuned_and_scored(model, arguments)
        name = SIDE_BY_SIDE if floor is None else f"floor {floor:g}"
        print(f"{name:14} dev {dev:.2f}, held out {held:.2f}, {seconds:.1f} CPU s", flush=True)


def tuned_and_scored(model, arguments):
    """BLEU of the dev set and of the held-out text; CPU seconds of the search of the latter."""
    source, target = model.preprocessors
    metric = Bleu(tokenize="none")
    search = SearchOptions(pop_limit=arguments.pop_limit)
    decoder = open_decoder(model, search=search, engine=arguments.threads)
    loop = TuningLoop(
        DecoderSource(decoder, source.encode(read_lines(arguments.dev_src))),
        TuneOptions().make_tuner(seed=1, engine=arguments.threads),
        metric,
        [target.encode(read_lines(arguments.dev_ref))],
        iterations=arguments.iterations,
    )
    with tempfile.TemporaryDirectory() as folder:
        result = loop.run(model.initial_weights(), Path(folder) / "state")
    lines = source.encode(read_lines(arguments.src))
    begin = time.process_time()
    output = decoder.decode(lines, result.weights)
    seconds = time.process_time() - begin
    reference = target.encode(read_lines(arguments.ref))
    return result.score, metric.corpus_score(output.best(), [reference]), seconds


if __name__ == "__main__":
    main()
