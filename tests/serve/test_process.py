"""A server in a process of its own: load, slow and rude clients, its end; what it refuses."""

import asyncio
import contextlib
import json
import re
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from reference.standstill import DEADLINE, wait_until
from reference.tiny_server import SMALL, Outside, run_apart
from tunesmith.cli.main import main
from tunesmith.serve.running import listen


@pytest.fixture(scope="module")
def ordinary(folders):
    """A server that no test is too slow for."""
    outside = Outside(*folders, "--read-seconds", "600", "--max-bytes", "100000")
    yield outside
    assert outside.stop() == 0


@pytest.fixture(scope="module")
def patient(folders):
    """A server that waits a second for requests."""
    outside = Outside(*folders, "--read-seconds", "1")
    yield outside
    assert outside.stop() == 0


def long_question(number, sentences=500, words=90):
    """Work for seconds, different from all others."""
    text = " ".join([SMALL] * words)
    return {"sentences": [f"{text} x{number}_{n}" for n in range(sentences)]}


@contextlib.contextmanager
def asked(outside, question):
    """A request whose answer nobody reads; its client goes at the end."""
    body = json.dumps(question).encode()
    head = (
        b"POST /api/translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body)
    )
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(DEADLINE)
        client.connect(("127.0.0.1", outside.port))
        client.sendall(head + body)
        yield client


def queue(outside):
    """How many requests are waiting or worked on."""
    return json.loads(outside.ask("GET", "/health")[2])["queue"]


def test_too_many_requests_are_told_to_come_again(folders):
    outside = Outside(folders[0], "--workers", "1", "--queue", "3", "--remembered", "0")
    try:
        with contextlib.ExitStack() as clients:
            for number in range(3):
                clients.enter_context(asked(outside, long_question(number)))
            wait_until(lambda: queue(outside) == 3)
            headers = {"Content-Type": "application/json"}
            status, answered, body = outside.ask("POST", "/api/translate", b'{"text": ""}', headers)
            assert status == 429
            assert int(answered["retry-after"]) >= 1
            assert json.loads(body)["error"].startswith("3 requests are waiting already")
        wait_until(lambda: not queue(outside))
        assert outside.post("/api/translate", {"text": SMALL})[0] == 200
    finally:
        assert outside.stop() == 0


def test_what_was_accepted_is_finished_at_sigterm(folders):
    outside = Outside(folders[0], "--workers", "1", "--remembered", "0", "--seconds", "600")
    with ThreadPoolExecutor(8) as clients:
        answers = [
            clients.submit(outside.post, "/api/translate", long_question(number, 100, 20))
            for number in range(8)
        ]
        wait_until(lambda: sum(one.done() for one in answers) + queue(outside) == 8)
        assert outside.stop() == 0
    results = [one.result() for one in answers]
    assert [(status, len(answer["sentences"])) for status, answer in results] == [(200, 100)] * 8
    assert outside.lines[-1]["event"] == "stop"


def test_a_request_that_takes_too_long_is_given_up(folders):
    outside = Outside(folders[0], "--workers", "1", "--remembered", "0", "--seconds", "0.3")
    try:
        status, answer = outside.post("/api/translate", long_question(0))
        assert (status, answer) == (
            503,
            {"error": "the answer took more than 0.3 s; send less text"},
        )
        # As soon as a busy machine has the third of a second.
        wait_until(lambda: outside.post("/api/translate", {"text": SMALL})[0] == 200)
        metrics = outside.ask("GET", "/metrics")[2].decode()
        [done] = re.findall(r"^tunesmith_sentence_seconds_count{.*} (.*)$", metrics, re.MULTILINE)
        assert float(done) < 500
    finally:
        assert outside.stop() == 0


def drip(port, data):
    """Send a byte every fifth of a second; what comes back before the connection is closed."""
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.settimeout(0.2)
        received = b""
        for byte in data:
            with contextlib.suppress(OSError):  # it may be closed: then the answer is there
                client.sendall(bytes([byte]))
            try:
                piece = client.recv(65536)
            except TimeoutError:
                continue
            except ConnectionError:
                return received
            if not piece:
                return received
            received += piece
    raise AssertionError("the connection was never closed")


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: " + b"x" * 1000,
        b"POST /api/translate HTTP/1.1\r\n" + b"X: y\r\n" * 300,
    ],
)
def test_a_slow_head_is_given_up(patient, request_):
    answer = drip(patient.port, request_)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert answer.endswith(b'{"error": "the request did not come within 1 s"}')


HALF_A_REQUEST = (
    b"POST /api/translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000\r\n\r\n"
)


def test_a_slow_body_is_given_up(patient):
    with socket.create_connection(("127.0.0.1", patient.port), timeout=DEADLINE) as client:
        client.sendall(HALF_A_REQUEST)
        answer = client.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"did not come within 1 s" in answer


def test_a_slow_body_keeps_nobody_waiting(ordinary):
    with socket.create_connection(("127.0.0.1", ordinary.port)) as client:
        client.sendall(HALF_A_REQUEST)
        assert ordinary.post("/api/translate", {"text": SMALL})[0] == 200


def test_large_bodies(ordinary):
    text = b'{"text": "' + b"a " * 5_000_000 + b'"}'
    status, answer = ordinary.post("/api/translate", text)
    assert (status, answer) == (413, {"error": "a body of more than 100,000 bytes"})
    headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    pieces = [b"a" * 50_000] * 10
    status, _, body = ordinary.ask("POST", "/api/translate", iter(pieces), headers)
    assert (status, json.loads(body)) == (413, answer)


def test_a_sentence_of_five_thousand_words(ordinary):
    status, answer = ordinary.post("/api/translate", {"sentences": ["haus " * 3999]})
    assert (status, answer) == (
        413,
        {"error": "sentence 1: a sentence of 3,999 words, expected at most 400"},
    )
    status, answer = ordinary.post("/api/translate", {"sentences": ["haus " * 5000]})
    assert (status, answer) == (
        413,
        {"error": "sentence 1: 25,000 characters, expected at most 20,000"},
    )


def test_rude_clients(ordinary):
    status, answer = ordinary.post("/api/translate", b'{"text": "\xff\xfe"}')
    assert (status, answer) == (400, {"error": "byte 10 of the body is no UTF-8"})
    status, answer = ordinary.post("/api/translate", b'{"text": ')
    assert status == 400
    for method, path, expected in (
        ("GET", "/nothing", 404), ("DELETE", "/health", 405), ("PUT", "/api/translate", 405),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404), ("GET", "/docs/../limits.py", 404),
    ):  # fmt: skip
        status, _, body = ordinary.ask(method, path)
        assert (status, list(json.loads(body))) == (expected, ["error"])
    with socket.create_connection(("127.0.0.1", ordinary.port), timeout=DEADLINE) as client:
        client.sendall(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
        assert client.recv(65536).startswith(b"HTTP/1.1 400 ")
    with socket.create_connection(("127.0.0.1", ordinary.port), timeout=DEADLINE) as client:
        client.sendall(b"GET /health HTTP/1.1\r\nX: " + b"x" * 200_000)
        assert client.recv(65536).startswith(b"HTTP/1.1 400 ")
    assert ordinary.ask("GET", "/health")[0] == 200


def test_a_client_that_goes_costs_nothing_more(folders):
    outside = Outside(folders[0], "--workers", "1", "--remembered", "0")
    try:
        with asked(outside, long_question(0)):
            wait_until(lambda: queue(outside))
        wait_until(lambda: not queue(outside))
    finally:
        assert outside.stop() == 0
    assert [line.get("status") for line in outside.lines].count(499) == 1


def test_too_many_connections_are_told_so(folders):
    outside = Outside(folders[0], "--max-connections", "2", "--workers", "1")
    try:
        kept = [socket.create_connection(("127.0.0.1", outside.port)) for _ in range(2)]
        wait_until(lambda: outside.ask("GET", "/health")[0] == 503)  # both are accepted
        status, headers, body = outside.ask("GET", "/health")
        assert (status, json.loads(body)) == (503, {"error": "2 connections are open already"})
        assert headers["retry-after"] == "1"
        for one in kept:
            one.close()
        wait_until(lambda: outside.ask("GET", "/health")[0] == 200)
    finally:
        assert outside.stop() == 0


def test_an_answer_that_nobody_reads_is_thrown_away(folders):
    outside = Outside(
        folders[0], "--idle-seconds", "1", "--max-alternatives", "10000", "--max-connections", "1"
    )
    question = {"sentences": [f"{SMALL} {n}" for n in range(60)], "size": 100, "explain": True}
    try:
        with asked(outside, question) as client:
            wait_until(lambda: any(one.get("path") == "/api/translate" for one in outside.lines))
            wait_until(lambda: outside.ask("GET", "/health")[0] == 200)  # it is open no longer
            received = b""
            with contextlib.suppress(ConnectionError):
                while piece := client.recv(1 << 20):
                    received += piece
        [size] = re.findall(rb"content-length: (\d+)", received)
        assert len(received) < int(size)
    finally:
        assert outside.stop() == 0


def test_texts_are_in_the_log_if_asked_for(folders):
    outside = Outside(folders[0], "--log-texts")
    outside.post("/api/translate", {"text": "offen"})
    assert outside.stop() == 0
    assert [line.get("text") for line in outside.lines if line["event"] == "request"] == ["offen"]


def refused(capsys, *arguments):
    """The exit code of the verb and what it says, in one line."""
    capsys.readouterr()
    code = main(["serve", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    return code, err.strip()


def test_a_model_without_a_file_is_refused(folders, tmp_path, capsys):
    for name in ("phrases.bin", "lm.arpa", "weights.tsv", "model.toml"):
        model = tmp_path / f"without-{name}"
        shutil.copytree(folders[0], model)
        [file] = [path for path in model.iterdir() if path.name.startswith(name.split(".")[0])]
        file.unlink()
        code, line = refused(capsys, f"de-en={model}")
        assert code == 2
        assert file.name in line


def test_a_model_of_another_version_is_refused(folders, tmp_path, capsys):
    shutil.copytree(folders[0], tmp_path / "model")
    path = tmp_path / "model" / "model.toml"
    path.write_text(path.read_text().replace("format = 1", "format = 99"))
    expected = f"tunesmith serve: {path}: format 99, expected 1"
    assert refused(capsys, f"de-en={tmp_path}/model") == (2, expected)


def test_a_port_in_use_is_refused(folders, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert refused(capsys, folders[0], "--port", port) == (
            2,
            f"tunesmith serve: 127.0.0.1:{port}: Address already in use; expected a free "
            "address, choose another --port",
        )


def test_what_makes_no_sense_is_refused(folders, capsys):
    assert refused(capsys, folders[0], folders[0])[1] == (
        "tunesmith serve: two models with the name 'de-en', expected NAME=FOLDER"
    )
    assert refused(capsys, f"a b={folders[0]}")[1].startswith(
        "tunesmith serve: model name 'a b', expected letters"
    )
    assert refused(capsys, folders[0], "--allow-origin", "*")[1] == (
        "tunesmith serve: --allow-origin '*', expected one like https://example.org"
    )
    assert refused(capsys, folders[0], "--queue", "0")[1].startswith(
        "tunesmith serve: argument --queue: 0, expected at least 1"
    )
    assert refused(capsys, folders[0], "--host", "no.such.host.invalid")[0] == 2


def test_answers_do_not_wait_for_acknowledgements():
    """Head and body are written one after the other: without TCP_NODELAY that takes 40 ms."""

    async def delayed():
        connected = asyncio.get_running_loop().create_future()
        listener = listen("127.0.0.1", 0)
        server = await asyncio.start_server(lambda *ends: connected.set_result(ends), sock=listener)
        with socket.create_connection(listener.getsockname()):
            _, writer = await connected
            accepted = writer.get_extra_info("socket")
            found = not accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            writer.close()
        server.close()
        return found

    assert not run_apart(delayed())


def test_what_is_not_installed_is_told(folders):
    program = (
        "import sys; sys.modules['uvicorn'] = None\n"
        "from tunesmith.cli.main import main\n"
        f"sys.exit(main(['serve', {str(folders[0])!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (
        2,
        "tunesmith serve: the server needs the package uvicorn; pip install 'tunesmith[serve]'\n",
    )
