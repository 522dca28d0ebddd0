"""All of training over an engine of several memories: the same model."""

from typing import ClassVar

import pytest

from reference.shard_engines import ShardEngine
from tunesmith.corpus import phrasebook
from tunesmith.learn import Maxforce
from tunesmith.train import Training, TrainOptions
from tunesmith.train.learning import LearnOptions
from tunesmith.train.options import LmOptions, TextOptions, TuneOptions

OPTIONS = TrainOptions(
    text=TextOptions(source_language="de", split_compounds="no"),
    lm=LmOptions(order=2),
    tune=TuneOptions(iterations=2, size=7, pop_limit=11),
    learn=LearnOptions(learner="maxforce", retune=1),
    maxforce=Maxforce(epochs=1, folds=2, method="max-violation", beam=10, dev_pop_limit=10),
    features="dense",
)


class Told(ShardEngine):
    """Keeps the names of what it did."""

    done: ClassVar[list[str]] = []

    def as_done(self, function, shards):
        self.done.append(getattr(function, "func", function).__name__)
        return super().as_done(function, shards)


def trained(corpus, out, engine):
    Training(
        corpus / "train.de", corpus / "train.en", corpus / "dev.de", [corpus / "dev.en"], out,
        options=OPTIONS, engine=engine,
    ).run()  # fmt: skip
    return {
        path.name: path.read_bytes() for path in sorted(out.iterdir()) if path.name != "run.json"
    }


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=9, dev=12, test=2, train=300)
    return folder


def test_the_same_model(corpus, tmp_path):
    one = trained(corpus, tmp_path / "one", 2)
    assert trained(corpus, tmp_path / "three", Told(3)) == one
    assert {"lexical.bin", "phrases.bin", "weights.tsv"} <= set(one)
    assert set(Told.done) == {
        "normalisers", "rows", "expected_counts", "extract_shard", "search_lists", "force_shard",
        "find_updates",
    }  # fmt: skip
