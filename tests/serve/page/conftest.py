"""The page in a real browser, against the real server with models that the tests train."""

import json
import os
from pathlib import Path

import pytest

from reference.chromium import chromium
from reference.standstill import DEADLINE
from reference.tiny_server import Outside, write_models
from reference.using_page import TOKEN
from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook

# Where screenshots of the run go, if anybody wants them.
SCREENSHOTS = os.environ.get("TUNESMITH_SCREENSHOTS")


@pytest.fixture(scope="session")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def models(tmp_path_factory, browser):
    """Folders of a phrase model and of a hierarchical one; there is a browser to see them with."""
    folder = tmp_path_factory.mktemp("page")
    phrasebook.write(folder, seed=1, dev=100, train=3000)
    for kind in ("phrase", "hiero"):
        assert main([
            "train", "--quiet", "--src", f"{folder}/train.de", "--tgt", f"{folder}/train.en",
            "--dev-src", f"{folder}/dev.de", "--dev-ref", f"{folder}/dev.en", "--model", kind,
            "--source-language", "de", "--target-language", "en", "--features", "dense",
            "--iterations", "2", "--threads", "2", "--out", str(folder / kind),
        ]) == 0  # fmt: skip
    return folder


@pytest.fixture(scope="session")
def process(models):
    """A server with both models, and a third whose grammar is a file: it does not learn."""
    (models / "small").mkdir()
    _, grammar = write_models(models / "small")
    served = (
        f"de-en={models / 'phrase'}",
        f"tree.de-en={models / 'hiero'}",
        f"small.de-en={grammar}",
    )
    (models / "token").write_text(TOKEN)
    server = Outside(*served, "--adapt", models / "layers", "--token-file", models / "token")
    yield server
    assert server.stop() == 0


@pytest.fixture
def server(process):
    """Its address."""
    return process.address


@pytest.fixture
def ask(process):
    """Put a question to the server as a program does."""

    def asked(path, **body):
        status, answer = process.post(f"/api/{path}", body)
        assert status == 200, answer
        return answer

    return asked


@pytest.fixture
def weights(process):
    """The weights of the first model."""
    _, _, answer = process.ask("GET", "/api/models")
    return {one["name"]: one["weight"] for one in json.loads(answer)["models"][0]["features"]}


@pytest.fixture
def open_page(browser, server, request):
    """Opens the page, empty; at the end it must have stayed at home, and without a fault."""
    contexts, faults, asked = [], [], []

    def opened(**options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        context.set_default_timeout(1000 * DEADLINE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console", lambda message: faults.append(message.text) if _is_ours(message) else None
        )
        page.on("request", lambda request: asked.append(request.url))
        page.goto(server)
        page.wait_for_selector("#model option", state="attached")
        return page

    yield opened
    if SCREENSHOTS:
        folder = Path(SCREENSHOTS)
        folder.mkdir(parents=True, exist_ok=True)
        for number, context in enumerate(contexts):
            name = f"{request.node.name.removeprefix('test_')}-{number}.png"
            context.pages[0].screenshot(path=folder / name, full_page=True)
    for context in contexts:
        context.close()
    assert faults == []
    assert [url for url in asked if not url.startswith(f"{server}/")] == []


@pytest.fixture
def page(open_page):
    return open_page()


def _is_ours(message):
    """Whether a line of the browser's console tells of a fault, not of a request that failed."""
    return message.type in ("error", "warning") and "Failed to load" not in message.text
