"""Corrections over HTTP: learned, shown, undone; refused without the token."""

import json

import pytest

from reference.tiny_server import SMALL, Inside, Outside
from tunesmith.cli.main import main

TOKEN = "0123456789abcdef"
MAY = {"Authorization": f"Bearer {TOKEN}"}
WANTED = "this house is tiny"


@pytest.fixture
def server(folders, tmp_path):
    inside = Inside(folders)
    inside.parts.token = TOKEN
    inside.parts.models.named("de-en").adapt(tmp_path / "layer")
    yield inside
    inside.parts.close()


def translation(server):
    _, answer = server.post("/api/translate", {"text": SMALL})
    return answer["version"], answer["translation"]


def test_a_correction_is_learned_and_undone(server):
    before = translation(server)
    assert before == (0, "the house is small")
    question = {"source": SMALL, "correction": WANTED, "translation": before[1]}
    status, learned = server.post("/api/adapt", question, headers=MAY)
    assert status == 200
    assert (learned["id"], learned["version"], learned["reachable"]) == (1, 1, False)
    assert (learned["before"], learned["after"]) == (before[1], WANTED)
    assert {"source": "klein", "target": "tiny"} in learned["rules"]
    assert translation(server) == (1, WANTED)

    _, answer = server.post("/api/explain", {"text": SMALL})
    steps = answer["sentences"][0]["alternatives"][0]["steps"]
    assert " ".join(step["rule"]["target"] for step in steps) == WANTED

    log = server("GET", "/api/adapt/log", headers=MAY).json()
    [entry] = log["corrections"]
    assert (log["version"], entry["correction"], entry["undone"]) == (1, WANTED, False)
    assert server.post("/api/adapt/undo", {}, headers=MAY) == (200, {"version": 2, "id": 1})
    assert translation(server) == (2, before[1])
    assert server("GET", "/api/adapt/log?model=de-en", headers=MAY).json()["corrections"][0][
        "undone"
    ]
    assert server.post("/api/adapt/undo", {}, headers=MAY) == (
        422,
        {"error": "de-en has no correction to undo"},
    )


def test_what_was_learned_has_features_with_meanings(server):
    models = server("GET", "/api/models").json()["models"]
    assert [model["adaptable"] for model in models] == [True, False]
    assert all(feature["meaning"] for feature in models[0]["features"])
    _, answer = server.post("/api/explain", {"text": SMALL})  # nothing has been learned yet
    features = answer["sentences"][0]["alternatives"][0]["features"]
    assert list(features) == [feature["name"] for feature in models[0]["features"]]


@pytest.mark.parametrize(
    "headers",
    [{}, {"Authorization": TOKEN}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer "},
     {"Authorization": f"Basic {TOKEN}"}, {"Authorization": f"Bearer {TOKEN}é".encode()}],
)  # fmt: skip
def test_nobody_changes_anything_without_the_token(server, headers):
    question = {"source": SMALL, "correction": WANTED}
    for method, path, body in (
        ("POST", "/api/adapt", question), ("POST", "/api/adapt/undo", {}),
        ("GET", "/api/adapt/log", None),
    ):  # fmt: skip
        answer = server(method, path, json=body, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
    assert translation(server)[0] == 0


def test_a_server_without_a_layer_does_not_learn(folders):
    inside = Inside(folders[:1])
    question = {"source": SMALL, "correction": WANTED}
    assert inside.post("/api/adapt", question, headers=MAY) == (
        403,
        {"error": "this server does not learn: start it with --adapt"},
    )
    assert not inside("GET", "/api/models").json()["models"][0]["adaptable"]
    inside.parts.close()


@pytest.mark.parametrize(
    ("question", "status", "message"),
    [
        ({"source": SMALL}, 400, "correction is null, expected a string"),
        ({"source": " ", "correction": "x"}, 400, "source is empty, expected words"),
        ({"source": "a\nb", "correction": "x"}, 400,
         "source has a line end in it, expected one line"),
        ({"source": SMALL, "correction": "x " * 401}, 413, "correction has more than 400 words"),
        ({"source": SMALL, "correction": "x", "model": "hiero.de-en"}, 422,
         "hiero.de-en has a grammar as a file, which does not learn"),
        ({"source": SMALL, "correction": "x", "model": "none"}, 404,
         "model 'none', expected one of: de-en, hiero.de-en"),
    ],
)  # fmt: skip
def test_corrections_that_are_refused(server, question, status, message):
    assert server.post("/api/adapt", question, headers=MAY) == (status, {"error": message})


def test_undo_wants_a_number(server):
    assert server.post("/api/adapt/undo", {"id": "x"}, headers=MAY)[0] == 400
    assert server.post("/api/adapt/undo", {"id": 7}, headers=MAY)[0] == 422


def test_what_was_learned_is_there_when_the_server_comes_back(folders, tmp_path):
    token = tmp_path / "token"
    token.write_text(f"{TOKEN}\n")
    options = ("--adapt", tmp_path / "layers", "--token-file", token)
    outside = Outside(folders[0], *options)
    try:
        body = json.dumps({"source": SMALL, "correction": WANTED}).encode()
        headers = {"Content-Type": "application/json", **MAY}
        assert outside.ask("POST", "/api/adapt", body, headers)[0] == 200
    finally:
        assert outside.stop() == 0
    again = Outside(folders[0], *options)
    try:
        assert again.post("/api/translate", {"text": SMALL})[1]["translation"] == WANTED
    finally:
        assert again.stop() == 0
    plain = Outside(folders[0])
    try:
        assert plain.post("/api/translate", {"text": SMALL})[1]["translation"] != WANTED
    finally:
        assert plain.stop() == 0


def test_tokens_that_are_refused(folders, tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("TUNESMITH_TOKEN", raising=False)
    layer = ["--adapt", str(tmp_path / "layer")]
    short = tmp_path / "short"
    short.write_text("abc")
    for options, message in (
        (layer, "--adapt without a token, expected --token-file FILE or one in TUNESMITH_TOKEN"),
        ([*layer, "--token-file", str(short)],
         f"{short}: a token of 3 characters, expected at least 8 of ASCII without spaces; make one "
         "with `openssl rand -hex 16`"),
        ([*layer, "--token-file", "none"], "none: No such file or directory, expected a readable "
         "file"),
        (["--token-file", str(short)],
         "--token-file FILE is for --adapt FOLDER, which is not there"),
    ):  # fmt: skip
        assert main(["serve", str(folders[0]), *options]) == 2
        assert capsys.readouterr().err == f"tunesmith serve: {message}\n"
    assert not (tmp_path / "layer").exists()
