"""Small models to serve, the application in this process, and a server in another."""

import asyncio
import contextlib
import http.client
import io
import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx

from reference.standstill import DEADLINE
from reference.tiny_moses import write_moses_model
from tunesmith.base.weights import Weights
from tunesmith.cli.main import main
from tunesmith.formats.weights import write_weights
from tunesmith.model import new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE
from tunesmith.serve.app import create_app
from tunesmith.serve.journal import ServerJournal
from tunesmith.serve.limits import ServerLimits
from tunesmith.serve.models import ServedModel, ServedModels
from tunesmith.serve.parts import Parts

RULES = """\
[X] ||| das ||| the ||| p=-1
[X] ||| haus ||| house ||| p=-1
[X] ||| das haus ||| the house ||| p=-1
[X] ||| sieht [X,1] an ||| looks at [X,1] ||| p=-1
"""
SMALL = "das haus ist klein"


def write_models(folder):
    """``de-en`` of phrases and ``hiero.de-en`` with a grammar; the folders by these names."""
    write_moses_model(folder)
    phrase, hiero = folder / "de-en", folder / "hiero.de-en"
    arguments = ["import", str(folder / "moses.ini"), "--out", str(phrase), "--quiet"]
    assert main(arguments) == 0
    with new_model(hiero) as temporary:
        (temporary / "grammar").write_text(RULES)
        write_description(temporary, grammar="grammar", language_models=[])
        weights = {"tm.p": 1.0, "glue": -0.5, "unknown": 1.0, "word_penalty": 0.0}
        write_weights(temporary / WEIGHTS_FILE, Weights(weights))
    return phrase, hiero


def run_apart(work):
    """`asyncio.run` in a thread of its own: another test may have left its loop running here."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


class Inside:
    """The application in this process; answers are httpx's."""

    def __init__(self, folders, origins=(), **limits):
        self.log = io.StringIO()
        bounds = ServerLimits(**{"workers": 1, **limits})
        models = ServedModels([ServedModel(one.name, one, bounds) for one in folders])
        self.parts = Parts(models, bounds, ServerJournal(self.log))
        self.app = create_app(self.parts, origins=origins)

    def __call__(self, method, path, **options):
        async def ask():
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
                return await client.request(method, path, **options)

        return run_apart(ask())

    def post(self, path, values, **options):
        """A JSON object; what comes back and its status."""
        answer = self("POST", path, json=values, **options)
        return answer.status_code, answer.json()

    def lines(self):
        """What the journal has."""
        return [json.loads(line) for line in self.log.getvalue().splitlines()]


class Outside:
    """`tunesmith serve` in a process of its own, on a free port."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "tunesmith.cli.main", "serve", "--port", "0", *arguments]
        self.process = subprocess.Popen(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "TUNESMITH_TOKEN": "of the tests"},
        )  # fmt: skip
        first = self.process.stdout.readline()
        assert first, self.process.stderr.read()
        self.address = json.loads(first)["address"]
        self.port = int(self.address.rpartition(":")[2])
        self.lines = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(json.loads(line))

    def ask(self, method, path, body=None, headers=None):
        """Status, headers and body of an answer, by the library's own client."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        with contextlib.closing(connection):
            chunked = "Transfer-Encoding" in (headers or {})
            connection.request(method, path, body, headers or {}, encode_chunked=chunked)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def post(self, path, values, **options):
        """A JSON object; what comes back and its status."""
        headers = {"Content-Type": "application/json"}
        body = values if isinstance(values, bytes) else json.dumps(values).encode()
        status, _, answer = self.ask("POST", path, body, headers, **options)
        return status, json.loads(answer)

    def stop(self):
        """SIGTERM; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        self._reader.join(DEADLINE)
        self.process.stdout.close()
        self.process.stderr.close()
        return code
