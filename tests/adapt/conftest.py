"""Small models of the phrasebook, of both kinds, that corrections are made to."""

import pytest

from reference.phrasebook_model import write_phrasebook_model
from tunesmith.base.weights import Weights
from tunesmith.cli.main import main
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.model import TranslationModel


@pytest.fixture(scope="session")
def texts(tmp_path_factory):
    """The folder with ``model``, one of phrases with sparse features, and its texts."""
    folder = tmp_path_factory.mktemp("adapt")
    path = write_phrasebook_model(folder) / "weights.tsv"
    model = TranslationModel.load(folder / "model")
    tuned = {name: value for name, value in read_weights(path).items() if model.is_feature(name)}
    sparse = {name: 0.002 * (-1) ** place for place, name in enumerate(model.sparse_names)}
    write_weights(path, Weights({**tuned, **sparse}))
    return folder


@pytest.fixture(scope="session")
def phrases(texts):
    """A model of phrases."""
    return texts / "model"


@pytest.fixture(scope="session")
def hiero(texts):
    """A hierarchical model of the same text."""
    options = ["--source-language", "de", "--target-language", "en", "--iterations", "1",
               "--size", "5", "--order", "3", "--threads", "1"]  # fmt: skip
    files = ["--src", f"{texts}/train.de", "--tgt", f"{texts}/train.en",
             "--dev-src", f"{texts}/dev.de", "--dev-ref", f"{texts}/dev.en"]  # fmt: skip
    out = ["--model", "hiero", "--out", f"{texts}/hiero"]
    assert main(["train", "--quiet", *files, *options, *out]) == 0
    return texts / "hiero"


@pytest.fixture(params=["phrases", "hiero"])
def model(request):
    """A model of either kind."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def pairs(texts):
    """Sentences that the models have not seen, and their translations."""
    sides = [(texts / f"test.{one}").read_text().splitlines() for one in ("de", "en")]
    return list(zip(*sides, strict=True))
