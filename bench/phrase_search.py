"""Model score against time of phrase-based search, beside what moses2 and Moses were measured at.

    python bench/phrase_search.py [--data FOLDER] [--threads 1] [--rounds 3]

The same tables, language model and weights (moses-model, MERT weights), test_2016, one thread. The
peers' figures are recorded ones from an idle machine of the same kind; times of ours are CPU
seconds without loading, medians over interleaved rounds.
"""

import argparse
import os
import statistics
import time
from tempfile import TemporaryDirectory

from shared_data import add_data_option

from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.formats.text import read_lines
from tunesmith.model.moses import import_moses

# decoder, words a second, mean model score of the 1-best
PEERS = [
    ("moses2, pop 200", 4800, -42.9034),
    ("moses2, pop 1000", 1220, -42.9005),
    ("moses, pop 200", 960, None),
    ("moses, pop 1000", 235, -42.9008),
]
POP_LIMITS = (30, 50, 100, 200, 300, 500, 1000, 1250, 1500)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    lines = read_lines(arguments.data / "multi30k" / "test_2016.de")
    words = sum(len(line.split()) for line in lines)
    with TemporaryDirectory() as folder:
        model = import_moses(arguments.data / "moses-model" / "moses.mert.ini", f"{folder}/model")
        decoders = {
            pop: open_decoder(
                model,
                search=SearchOptions(pop_limit=pop, stack_size=max(pop, 200)),
                engine=arguments.threads,
            )
            for pop in POP_LIMITS
        }
        times: dict[int, list[float]] = {pop: [] for pop in POP_LIMITS}
        scores: dict[int, float] = {}
        for _ in range(arguments.rounds):
            for pop, decoder in decoders.items():
                decoder.decode(lines[:1])
                begin = time.process_time()
                output = decoder.decode(lines)
                times[pop].append(time.process_time() - begin)
                scores[pop] = float(output.scores.mean())
    print(f"load {os.getloadavg()[0]:.1f}; {len(lines):,} sentences, {words:,} words")
    print(f"{'search':<22}{'CPU s':>8}{'words/s':>10}{'mean score':>13}")
    for pop in POP_LIMITS:
        seconds = statistics.median(times[pop])
        print(
            f"{f'ours, pop {pop}':<22}{seconds:>8.2f}{words / seconds:>10,.0f}{scores[pop]:>13.5f}"
        )
    for name, rate, score in PEERS:
        shown = "" if score is None else f"{score:.4f}"
        print(f"{name:<22}{words / rate:>8.2f}{rate:>10,}{shown:>13}  (recorded)")
    for name, rate, score in PEERS[:2]:
        enough = [pop for pop in POP_LIMITS if score is not None and scores[pop] >= score]
        if enough:
            ours = words / statistics.median(times[enough[0]])
            print(
                f"at least as good as {name}: pop {enough[0]}, {ours / rate:.2f} times its speed "
                "(theirs recorded, ours run now)"
            )
        else:
            print(f"no pop limit reaches {name}")


if __name__ == "__main__":
    main()
