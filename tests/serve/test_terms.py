"""Terms and forbidden words over HTTP."""

import pytest

from reference.tiny_server import SMALL, Inside
from tunesmith.decode import Terms
from tunesmith.decode.translate import Translator


@pytest.mark.parametrize("number", [0, 1])
def test_terms_are_those_of_the_translator(server, folders, number):
    terms = Terms([("haus", "Cottage & Co")], forbid=["the"])
    expected = Translator(folders[number], terms=terms).translate("das haus")
    question = {
        "text": "das haus",
        "model": folders[number].name,
        "terms": [{"source": "haus", "target": "Cottage & Co"}],
        "forbid": ["the"],
        "size": 1,
    }
    _, answer = server.post("/api/explain", question)
    assert answer["translation"] == expected
    assert "Cottage & Co" in expected
    assert "the" not in expected.split()
    [best] = answer["sentences"][0]["alternatives"]
    assert " ".join(best["tokens"]).endswith("Cottage & Co")
    assert server.post("/api/translate", {"text": "das haus"})[1]["translation"] == "the house"


def test_a_forbidden_word_appears_in_no_alternative(server):
    question = {"text": SMALL, "forbid": ["small"], "size": 10}
    found = server.post("/api/translate", question)[1]["sentences"][0]["alternatives"]
    assert len(found) > 1
    assert all("small" not in one["text"].split() for one in found)


def test_a_script_in_a_term_is_text(server):
    script = "<script>alert(1)</script>"
    question = {"text": "das haus", "terms": [{"source": "haus", "target": script}]}
    answer = server("POST", "/api/translate", json=question)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["translation"].endswith(script)


def test_terms_are_looked_at(server):
    question = {
        "terms": [
            {"source": "haus", "target": "home"},
            {"source": "haus", "target": "hut"},
        ],
        "forbid": ["cottage"],
    }
    assert server.post("/api/terms", question) == (
        200,
        {
            "terms": [{"source": "haus", "target": "home", "tokens": ["home"]}],
            "problems": ["'haus' is 'home' already, so 'hut' has no effect"],
        },
    )
    assert server.post("/api/terms", {}) == (200, {"terms": [], "problems": []})
    empty = {"terms": [{"source": "haus", "target": " "}]}
    assert server.post("/api/terms", empty)[1]["problems"] == [
        "the translation of term 1 is empty, expected a word at least"
    ]
    assert server.post("/api/translate", {"text": "a", **empty}) == (
        422,
        {"error": "the translation of term 1 is empty, expected a word at least"},
    )


def test_terms_have_limits(folders):
    inside = Inside(folders[:1], max_terms=2)
    question = {"text": "a", "forbid": ["a", "b", "c"]}
    assert inside.post("/api/translate", question) == (
        413,
        {"error": "3 terms and forbidden words, expected at most 2"},
    )
    assert inside.post("/api/terms", {"forbid": ["a", "b", "c"]})[0] == 413
    inside.parts.close()
