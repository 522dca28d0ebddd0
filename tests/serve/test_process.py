"""A server in a process of its own: load, slow and rude clients, its end; what it refuses."""

import contextlib
import http.client
import json
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

import pytest

from reference.tiny_server import SMALL, Outside
from tunesmith.cli.main import main


@pytest.fixture(scope="module")
def patient(folders):
    """A server that waits a second for requests."""
    outside = Outside(*folders, "--read-seconds", "1", "--max-bytes", "100000")
    yield outside
    assert outside.stop() == 0


def long_question(number, sentences=60):
    """Some tenths of a second of work, different from all others."""
    text = " ".join([SMALL] * 20)
    return {"sentences": [f"{text} x{number}_{n}" for n in range(sentences)]}


def in_threads(count, call):
    """What `call` gives for the numbers up to `count`, all at once."""
    results = [None] * count

    def run(number):
        results[number] = call(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    return threads, results


def test_too_many_requests_are_told_to_come_again(folders):
    outside = Outside(folders[0], "--workers", "1", "--queue", "3", "--remembered", "0")
    headers = {"Content-Type": "application/json"}
    try:
        threads, results = in_threads(
            12,
            lambda n: outside.ask(
                "POST", "/api/translate", json.dumps(long_question(n)).encode(), headers
            ),
        )
        for thread in threads:
            thread.join(60)
        statuses = [status for status, _, _ in results]
        assert set(statuses) == {200, 429}
        for status, answered, body in results:
            if status == 429:
                assert int(answered["retry-after"]) >= 1
                assert json.loads(body)["error"].startswith("3 requests are waiting already")
        assert outside.post("/api/translate", {"text": SMALL})[0] == 200
    finally:
        assert outside.stop() == 0


def test_what_was_accepted_is_finished_at_sigterm(folders):
    outside = Outside(folders[0], "--workers", "1", "--remembered", "0")
    threads, results = in_threads(
        8, lambda n: outside.post("/api/translate", long_question(n, 100), timeout=60)
    )
    deadline = time.monotonic() + 30
    while json.loads(outside.ask("GET", "/health")[2])["queue"] < 8:
        assert time.monotonic() < deadline
    code = outside.stop(60)
    for thread in threads:
        thread.join(60)
    assert code == 0
    assert [(status, len(answer["sentences"])) for status, answer in results] == [(200, 100)] * 8
    assert outside.lines[-1]["event"] == "stop"


def test_a_request_that_takes_too_long_is_given_up(folders):
    outside = Outside(folders[0], "--workers", "1", "--remembered", "0", "--seconds", "0.3")
    try:
        begin = time.monotonic()
        text = " ".join([SMALL] * 90)
        question = {"sentences": [f"{text} x{n}" for n in range(500)]}
        status, answer = outside.post("/api/translate", question)
        assert (status, answer) == (
            503,
            {"error": "the answer took more than 0.3 s; send less text"},
        )
        assert outside.post("/api/translate", {"text": SMALL})[0] == 200
        assert time.monotonic() - begin < 10
    finally:
        assert outside.stop() == 0


def drip(port, data, seconds=6.0):
    """Send a byte every fifth of a second; what comes back before the connection is closed."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as client:
        client.settimeout(0.2)
        received, begin = b"", time.monotonic()
        for byte in data:
            try:
                client.sendall(bytes([byte]))
            except OSError:
                return received
            try:
                piece = client.recv(65536)
            except TimeoutError:
                assert time.monotonic() - begin < seconds
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


def test_a_slow_body_is_given_up_and_keeps_nobody_waiting(patient):
    head = (
        b"POST /api/translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: 1000\r\n\r\n"
    )
    answers = []
    with socket.create_connection(("127.0.0.1", patient.port), timeout=10) as client:
        client.sendall(head)
        slow = threading.Thread(target=lambda: answers.append(client.makefile("rb").read()))
        slow.start()
        begin = time.monotonic()
        assert patient.post("/api/translate", {"text": SMALL})[0] == 200
        quick = time.monotonic() - begin
        slow.join(10)
        waited = time.monotonic() - begin
    assert answers[0].startswith(b"HTTP/1.1 408 ")
    assert b"did not come within 1 s" in answers[0]
    assert quick < waited


def test_large_bodies(patient):
    text = b'{"text": "' + b"a " * 5_000_000 + b'"}'
    status, answer = patient.post("/api/translate", text)
    assert (status, answer) == (413, {"error": "a body of more than 100,000 bytes"})
    headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    pieces = [b"a" * 50_000] * 10
    status, _, body = patient.ask("POST", "/api/translate", iter(pieces), headers)
    assert (status, json.loads(body)) == (413, answer)


def test_a_sentence_of_five_thousand_words(patient):
    status, answer = patient.post("/api/translate", {"sentences": ["haus " * 3999]})
    assert (status, answer) == (
        413,
        {"error": "sentence 1: a sentence of 3,999 words, expected at most 400"},
    )
    status, answer = patient.post("/api/translate", {"sentences": ["haus " * 5000]})
    assert (status, answer) == (
        413,
        {"error": "sentence 1: 25,000 characters, expected at most 20,000"},
    )


def test_rude_clients(patient):
    status, answer = patient.post("/api/translate", b'{"text": "\xff\xfe"}')
    assert (status, answer) == (400, {"error": "byte 10 of the body is no UTF-8"})
    status, answer = patient.post("/api/translate", b'{"text": ')
    assert status == 400
    for method, path, expected in (
        ("GET", "/nothing", 404), ("DELETE", "/health", 405), ("PUT", "/api/translate", 405),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404), ("GET", "/docs/../limits.py", 404),
    ):  # fmt: skip
        status, _, body = patient.ask(method, path)
        assert (status, list(json.loads(body))) == (expected, ["error"])
    with socket.create_connection(("127.0.0.1", patient.port), timeout=10) as client:
        client.sendall(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
        assert client.recv(65536).startswith(b"HTTP/1.1 400 ")
    with socket.create_connection(("127.0.0.1", patient.port), timeout=10) as client:
        client.sendall(b"GET /health HTTP/1.1\r\nX: " + b"x" * 200_000)
        assert client.recv(65536).startswith(b"HTTP/1.1 400 ")
    assert patient.ask("GET", "/health")[0] == 200


def test_a_client_that_goes_costs_nothing_more(folders):
    outside = Outside(folders[0], "--workers", "1", "--remembered", "0")
    body = json.dumps(long_question(0, 500)).encode()
    head = (
        b"POST /api/translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body)
    )
    try:
        with socket.create_connection(("127.0.0.1", outside.port), timeout=10) as client:
            client.sendall(head + body)
            while json.loads(outside.ask("GET", "/health")[2])["queue"] == 0:
                pass
        deadline = time.monotonic() + 10
        while json.loads(outside.ask("GET", "/health")[2])["queue"]:
            assert time.monotonic() < deadline
    finally:
        assert outside.stop() == 0
    assert [line.get("status") for line in outside.lines].count(499) == 1


def test_too_many_connections_are_told_so(folders):
    outside = Outside(folders[0], "--max-connections", "2", "--workers", "1")
    try:
        kept = [socket.create_connection(("127.0.0.1", outside.port), timeout=10) for _ in range(2)]
        deadline = time.monotonic() + 10
        while outside.ask("GET", "/health")[0] != 503:  # until both are accepted
            assert time.monotonic() < deadline
        status, headers, body = outside.ask("GET", "/health")
        assert (status, json.loads(body)) == (503, {"error": "2 connections are open already"})
        assert headers["retry-after"] == "1"
        for one in kept:
            one.close()
        while outside.ask("GET", "/health")[0] != 200:
            assert time.monotonic() < deadline
    finally:
        assert outside.stop() == 0


def test_an_answer_that_nobody_reads_is_thrown_away(folders):
    outside = Outside(folders[0], "--idle-seconds", "1", "--max-alternatives", "10000")
    question = {"sentences": [f"{SMALL} {n}" for n in range(60)], "size": 100, "explain": True}
    body = json.dumps(question).encode()
    head = (
        b"POST /api/translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body)
    )
    try:
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", outside.port))
        client.sendall(head + body)
        deadline = time.monotonic() + 20
        while not any(line.get("path") == "/api/translate" for line in outside.lines):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(2)
        client.settimeout(10)
        received = b""
        with contextlib.suppress(ConnectionError):
            while piece := client.recv(1 << 20):
                received += piece
        client.close()
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
    assert refused(capsys, f"words={folders[0]}")[1].endswith(f"as in de-en={folders[0]}")
    assert refused(capsys, folders[0], "--allow-origin", "*")[1] == (
        "tunesmith serve: --allow-origin '*', expected one like https://example.org"
    )
    assert refused(capsys, folders[0], "--queue", "0")[1].startswith(
        "tunesmith serve: argument --queue: 0, expected at least 1"
    )
    assert refused(capsys, folders[0], "--host", "no.such.host.invalid")[0] == 2


def test_answers_do_not_wait_for_acknowledgements(patient):
    """Head and body are written one after the other: without TCP_NODELAY that takes 40 ms."""
    connection = http.client.HTTPConnection("127.0.0.1", patient.port, timeout=10)
    with contextlib.closing(connection):
        times = []
        for _ in range(60):
            begin = time.perf_counter()
            headers = {"Content-Type": "application/json"}
            connection.request("POST", "/api/translate", b'{"text": "haus"}', headers)
            connection.getresponse().read()
            times.append(time.perf_counter() - begin)
    assert sorted(times)[20] < 0.03


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
