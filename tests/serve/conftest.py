"""A server inside the test, with a phrase model and a hierarchical one."""

import pytest

from reference.tiny_server import Inside, write_models


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return write_models(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def server(folders):
    inside = Inside(folders)
    yield inside
    inside.parts.close()
