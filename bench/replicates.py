"""Test BLEU over dev replicates (Cherry & Foster 2012, §4.3): the dev set and four sub-samples.

    python bench/replicates.py MODEL --dev-src F --dev-ref F --test-src F --test-ref F

The model is tuned again on each
replicate (every dev sentence kept with p = 0.9) from the initial weights. BLEU is sacreBLEU's on
the model's tokens (tokenize=none).
"""

import argparse
import os
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import sacrebleu

from tunesmith.base.seeds import generator
from tunesmith.decode import PhraseDecoder, SearchOptions
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.tune import make_tuner
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.sources import DecoderSource


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    for name in ("dev-src", "dev-ref", "test-src", "test-ref"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--tuners", nargs="+", default=["kb-mira", "kb-mert"])
    parser.add_argument("--replicates", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=15)
    parser.add_argument("--pop-limit", type=int, default=200)
    arguments = parser.parse_args()
    model = TranslationModel.load(arguments.model)
    source, target = model.preprocessors
    dev = source.encode(read_lines(arguments.dev_src))
    dev_reference = target.encode(read_lines(arguments.dev_ref))
    test = source.encode(read_lines(arguments.test_src))
    test_reference = target.encode(read_lines(arguments.test_ref))
    for name in arguments.tuners:
        scores, devs, begin = [], [], time.process_time()
        for replicate in range(arguments.replicates):
            kept = range(len(dev))
            if replicate:
                chance = generator(replicate, "replicate")
                kept = [i for i in kept if chance.random() < 0.9]
            decoder = PhraseDecoder(model, search=SearchOptions(pop_limit=arguments.pop_limit))
            loop = TuningLoop(
                DecoderSource(decoder, [dev[i] for i in kept]),
                make_tuner(name, seed=replicate + 1, threads=decoder.threads),
                Bleu(tokenize="none"),
                [[dev_reference[i] for i in kept]],
                iterations=arguments.iterations,
            )
            with TemporaryDirectory() as folder:
                result = loop.run(model.initial_weights(), folder)
            output = PhraseDecoder(model).decode(test, result.weights).best()
            bleu = sacrebleu.corpus_bleu(output, [test_reference], tokenize="none", force=True)
            scores.append(bleu.score)
            devs.append(result.score)
            print(f"{name} replicate {replicate}: dev {result.score:.2f}, test {bleu.score:.2f}",
                  flush=True)  # fmt: skip
        deviation = statistics.stdev(scores) if len(scores) > 1 else 0.0
        print(
            f"{name}: test {statistics.mean(scores):.2f} (SD {deviation:.2f}), "
            f"dev {statistics.mean(devs):.2f}, {time.process_time() - begin:.0f} CPU s, "
            f"load {os.getloadavg()[0]:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
