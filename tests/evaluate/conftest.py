"""A model that the tests of comparisons share."""

import pytest

from reference.phrasebook_model import write_phrasebook_model


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A model with texts."""
    folder = tmp_path_factory.mktemp("phrasebook")
    write_phrasebook_model(folder)
    return folder
