"""A small model of the phrasebook, with sparse features, that corrections are made to."""

import pytest

from reference.phrasebook_model import write_phrasebook_model
from tunesmith.base.weights import Weights
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.model import TranslationModel


@pytest.fixture(scope="session")
def phrasebook(tmp_path_factory):
    """The folder with the model and its texts."""
    folder = tmp_path_factory.mktemp("adapt")
    path = write_phrasebook_model(folder) / "weights.tsv"
    model = TranslationModel.load(folder / "model")
    tuned = {name: value for name, value in read_weights(path).items() if model.is_feature(name)}
    sparse = {name: 0.002 * (-1) ** place for place, name in enumerate(model.sparse_names)}
    write_weights(path, Weights({**tuned, **sparse}))
    return folder


@pytest.fixture(scope="session")
def pairs(phrasebook):
    """Sentences that the model has not seen, and their translations."""
    sides = [(phrasebook / f"test.{one}").read_text().splitlines() for one in ("de", "en")]
    return list(zip(*sides, strict=True))
