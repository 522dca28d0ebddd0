"""A number of threads that makes no sense is refused wherever Python gives it."""

import numpy as np
import pytest

from reference.graph_pools import random_graphs
from reference.tiny_moses import write_moses_model
from tunesmith.align import Aligner, Links, symmetrise
from tunesmith.base.errors import OptionError
from tunesmith.base.numbers import MAX_THREADS
from tunesmith.corpus import Bitext, Preprocessor, WordClusters
from tunesmith.decode import open_decoder
from tunesmith.formats.nbest import read_nbest
from tunesmith.graph import best
from tunesmith.lm import NgramLM
from tunesmith.metrics import Bleu
from tunesmith.model.moses import import_moses
from tunesmith.tune import make_tuner

LINES = ["a b", "a"]
SCORER = Bleu().prepare([LINES])
GRAPHS = random_graphs(1)[0]
BITEXT = Bitext.from_lines(LINES, LINES)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    write_moses_model(folder)
    return import_moses(folder / "moses.ini", folder / "model")


CALLS = {
    "bitext": lambda n: Bitext.from_lines(LINES, LINES, engine=n),
    "preprocessor": lambda n: Preprocessor.create("moses", "none").encode(LINES, engine=n),
    "clusters": lambda n: WordClusters.fit(LINES, classes=2, engine=n),
    "aligner": lambda n: Aligner(engine=n).fit(BITEXT),
    "symmetrise": lambda n: symmetrise(Links.from_lists([[(0, 0)]]), Links.from_lists([[]]),
                                       "union", engine=n),
    "language model": lambda n: NgramLM.fit(LINES, order=2, engine=n),
    "perplexity": lambda n: NgramLM.fit(LINES, order=2).perplexity(LINES, engine=n),
    "metric": lambda n: SCORER.stats(LINES, np.arange(2, dtype=np.uint32), n),
    "graphs": lambda n: best(GRAPHS, dict.fromkeys(GRAPHS.names, 1.0), engine=n),
}  # fmt: skip


@pytest.mark.parametrize("threads", [-1, -(2**31), MAX_THREADS + 1, 2**31 - 1])
@pytest.mark.parametrize("call", CALLS)
def test_refused(call, threads):
    with pytest.raises(OptionError, match=rf"(threads|engine) is {threads}, expected "):
        CALLS[call](threads)


@pytest.mark.parametrize("threads", [-1, MAX_THREADS + 1])
def test_refused_by_decoders_readers_and_tuners(threads, model, tmp_path):
    (tmp_path / "list").write_text("0 ||| a ||| f= 1 ||| 1\n")
    for call in (
        lambda: open_decoder(model, engine=threads).decode(["haus"], model.weights),
        lambda: read_nbest(tmp_path / "list", engine=threads),
        lambda: make_tuner("kb-mira", engine=threads).fit(None, Bleu()),
    ):
        with pytest.raises(OptionError, match=rf"(threads|engine) is {threads}, expected "):
            call()


@pytest.mark.parametrize("call", CALLS)
def test_as_many_as_allowed(call):
    CALLS[call](0)
    CALLS[call](MAX_THREADS)
