"""What millions of sparse features cost the search: the same model with and without them.

    python bench/sparse_features.py MODEL TEXT [--features 10000000] [--per-rule 10] [--rounds 3]

MODEL is any model directory, TEXT tokenised source sentences. Every rule gets random features of
random weight; the search is made to take the same time otherwise (pop limit 200). Times are CPU
seconds, medians over interleaved rounds, without loading; the 100-best lists with their features
are measured too.
"""

import argparse
import os
import resource
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tunesmith import _core
from tunesmith.decode import KBest, SearchOptions, open_decoder
from tunesmith.formats.text import read_lines
from tunesmith.model import TranslationModel
from tunesmith.model.description import MODEL_FILE
from tunesmith.model.files import link_or_copy


def with_random_features(
    model: TranslationModel, folder: Path, features: int, per_rule: int
) -> TranslationModel:
    """The model with `per_rule` features of `features` for every rule."""
    chance = np.random.default_rng(1)
    folder.mkdir()
    writer = _core.RuleFeaturesWriter(str(folder / "features.bin"))
    for i in range(features):
        writer.name_id(f"random:{i}")
    for table in model.tables:
        ends = np.arange(1, len(table) + 1, dtype=np.uint64) * np.uint64(per_rule)
        ids = chance.integers(0, features, len(table) * per_rule, dtype=np.uint32)
        values = np.ones(len(ids), dtype=np.float32)
        writer.add_table(table.native, [], ends, ids, values, 1, lambda rules: None)
    writer.write("{}")
    for entry in model.folder.iterdir():
        if entry.is_file() and entry.name not in (MODEL_FILE, "features.bin"):
            link_or_copy(entry, folder / entry.name)
    text = (model.folder / MODEL_FILE).read_text()
    head = "\n".join(line for line in text.split("\n") if not line.startswith("features ="))
    (folder / MODEL_FILE).write_text('features = "features.bin"\n' + head)
    return TranslationModel.load(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("text")
    parser.add_argument("--features", type=int, default=10_000_000)
    parser.add_argument("--per-rule", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    dense = TranslationModel.load(arguments.model)
    lines = read_lines(arguments.text)
    with TemporaryDirectory(dir=Path(arguments.model).parent) as folder:
        sparse = with_random_features(
            dense, Path(folder) / "sparse", arguments.features, arguments.per_rule
        )
        own = np.array([dense.weights.get(name, 0.0) for name in dense.feature_names])
        vectors = {
            "dense": own,
            "sparse": np.concatenate(
                [own, np.random.default_rng(2).normal(0, 1e-4, arguments.features)]
            ),
        }
        search = SearchOptions(pop_limit=200)
        decoders = {
            name: open_decoder(model, search=search, engine=1)
            for name, model in (("dense", dense), ("sparse", sparse))
        }
        times: dict[tuple[str, int], list[float]] = {}
        for _ in range(arguments.rounds):
            for size in (1, 100):
                for name, decoder in decoders.items():
                    vector = vectors[name]
                    decoder.decode(lines[:1], vector)
                    begin = time.process_time()
                    output = decoder.decode(lines, vector, want=KBest(size))
                    entries = len(output.sparse[1])
                    times.setdefault((name, size), []).append(time.process_time() - begin)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"load {os.getloadavg()[0]:.1f}; {len(lines):,} sentences")
    print(f"{arguments.features:,} features, {arguments.per_rule} a rule; {memory:,.0f} MB in all")
    for size in (1, 100):
        one, other = (statistics.median(times[name, size]) for name in ("dense", "sparse"))
        print(f"{size:>4}-best  dense {one:6.2f} s  sparse {other:6.2f} s  ratio {other / one:.2f}")
    print(f"{entries:,} sparse entries in the lists")


if __name__ == "__main__":
    main()
