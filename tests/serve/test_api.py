"""The server's own protocol, asked in this process: answers, and what is refused."""

import asyncio
import json

import httpx
import pytest

from reference.tiny_server import SMALL, Inside, run_apart
from tunesmith.decode.translate import Translator


def test_the_models(server):
    models = server("GET", "/api/models").json()["models"]
    assert [(m["name"], m["source"], m["target"], m["kind"]) for m in models] == [
        ("de-en", "de", "en", "phrase"),
        ("hiero.de-en", "de", "en", "hiero"),
    ]
    features = {one["name"]: one for one in models[0]["features"]}
    assert features["lm"]["weight"] == 0.5
    assert "language model" in features["lm"]["meaning"]
    assert all(one["meaning"] for m in models for one in m["features"] if one["name"] != "tm.p")


def test_translations_are_those_of_the_translator(server, folders):
    expected = Translator(folders[0]).translate([SMALL, "haus klein"])
    status, answer = server.post("/api/translate", {"sentences": [SMALL, "haus klein"]})
    assert status == 200
    assert [one["translation"] for one in answer["sentences"]] == expected
    assert answer["model"] == "de-en"
    assert answer["version"] == 0
    assert answer["sentences"][0]["tokens"] == SMALL.split()
    assert answer["sentences"][0]["alternatives"] == []


def test_the_layout_of_a_text_stays(server):
    text = "  das haus\n\n\tist klein. Das ist kalt.  Haus y\r\n"
    status, answer = server.post("/api/translate", {"text": text})
    assert status == 200
    assert [one["source"] for one in answer["sentences"]] == [
        "das haus", "ist klein.", "Das ist kalt.", "Haus y",
    ]  # fmt: skip
    done = [one["translation"] for one in answer["sentences"]]
    assert answer["translation"] == f"  {done[0]}\n\n\t{done[1]} {done[2]}  {done[3]}\r\n"


def test_an_empty_text_is_empty(server):
    assert server.post("/api/translate", {"text": " \n"})[1]["translation"] == " \n"
    assert server.post("/api/translate", {"sentences": [""]})[1]["translation"] == ""
    assert server.post("/api/translate", {"sentences": []})[1]["sentences"] == []


def test_alternatives_have_scores_that_add_up(server):
    models = server("GET", "/api/models").json()["models"]
    weights = {one["name"]: one["weight"] for one in models[0]["features"]}
    _, answer = server.post("/api/explain", {"text": SMALL, "size": 4})
    [sentence] = answer["sentences"]
    found = sentence["alternatives"]
    assert len({one["text"] for one in found}) == 4
    assert found[0]["text"] == sentence["translation"]
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)
    for one in found:
        score = sum(weights[name] * value for name, value in one["features"].items())
        assert score == pytest.approx(one["score"], abs=1e-5)
        words = []
        for step in one["steps"]:
            begin, end = step["target"]
            words += one["tokens"][begin:end]
            assert " ".join(one["tokens"][begin:end]) == step["rule"]["target"]
            source = sentence["tokens"][slice(*step["source"])]
            assert " ".join(source) == step["rule"]["source"]
        assert words == one["tokens"]


def test_size_is_ten_where_things_are_explained(server):
    _, explained = server.post("/api/explain", {"sentences": [SMALL]})
    assert len(explained["sentences"][0]["alternatives"]) == 10
    _, plain = server.post("/api/translate", {"sentences": [SMALL], "explain": True})
    assert len(plain["sentences"][0]["alternatives"]) == 1


def test_a_grammar_explains_itself_as_a_tree(server):
    question = {"text": "sieht das haus an", "model": "hiero.de-en", "size": 1}
    _, answer = server.post("/api/explain", question)
    assert answer["translation"] == "looks at the house"

    def rules(steps):
        for step in steps:
            yield step["rule"]["source"], step["rule"]["target"]
            yield from rules(step["children"])

    [best] = answer["sentences"][0]["alternatives"]
    assert ("sieht [1] an", "looks at [1]") in rules(best["steps"])


def test_weights_of_a_request_are_its_own(server):
    question = {"text": "klein", "weights": {"word_penalty": -20}}
    usual = server.post("/api/translate", {"text": "das haus klein"})[1]["translation"]
    turned = {"text": "das haus klein", "weights": {"tm.p_e_given_f": -5, "lm": 0}}
    assert server.post("/api/translate", turned)[1]["translation"] != usual
    assert server.post("/api/translate", question)[0] == 200
    assert server.post("/api/translate", {"text": "das haus klein"})[1]["translation"] == usual


def test_markup_prescribes(server):
    question = {"text": 'das <t is="hut">haus</t>', "markup": True}
    assert server.post("/api/translate", question)[1]["translation"].split()[-1] == "hut"
    status, answer = server.post("/api/translate", {"text": "das <t is=haus", "markup": True})
    assert (status, answer) == (
        422,
        {"error": "sentence 1: '<t is=haus', expected <t is=\"…\">, <wall/> or <zone>"},
    )


def test_markup_is_text_unless_it_is_asked_for(server):
    text = '<script>alert("x")</script> <t is="y">das</t>'
    answer = server("POST", "/api/translate", json={"text": text})
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["sentences"][0]["source"] == text
    assert answer.json()["sentences"][0]["tokens"] == text.split()


BROKEN = [
    (b"", "the body is no JSON: Expecting value: line 1 column 1 (char 0)"),
    (b"{", "the body is no JSON: Expecting property name enclosed in double quotes: line 1 "
     "column 2 (char 1)"),
    (b'{"text": "\xff"}', "byte 10 of the body is no UTF-8"),
    (b"[]", "the body is a list, expected a JSON object"),
    (b"[" * 100_000, "the body is no JSON: values nested too deeply"),
    (b"{}", "expected one of 'text' and 'sentences'"),
    (b'{"text": "a", "sentences": []}', "expected one of 'text' and 'sentences'"),
    (b'{"text": 1}', "text is a number, expected a string"),
    (b'{"text": "a\\u0000"}', "text has a NUL character in it"),
    (b'{"text": "a\\ud800"}', "text: half a surrogate pair at character 1"),
    (b'{"sentences": "a"}', "sentences is a string, expected a list of strings"),
    (b'{"sentences": ["a", "b\\nc"]}', "sentence 2 has a line end in it, expected one line"),
    (b'{"text": "a", "size": 0}', "size is 0, expected a whole number from 1 to 100"),
    (b'{"text": "a", "size": true}', "size is True, expected a whole number from 1 to 100"),
    (b'{"text": "a", "explain": 1}', "explain is a number, expected true or false"),
    (b'{"text": "a", "weights": {"lm": NaN}}', "weight of 'lm' is nan, expected at most 1e+20"),
    (b'{"text": "a", "weights": {"lm": "x"}}', "weight of 'lm' is a string, expected a number"),
    (b'{"text": "a", "weights": {"x": 1}}', "weight of 'x', which is no feature of de-en"),
    (b'{"text": "a", "terms": [["a", "b"]]}',
     "term 1: expected an object with 'source' and 'target'"),
    (b'{"text": "a", "forbid": "b"}', "forbid is a string, expected a list"),
    (b'{"text": "a", "color": "red"}',
     "field 'color', expected some of: explain, forbid, markup, model, sentences, size, terms, "
     "text, weights"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "message"), BROKEN, ids=[str(n) for n in range(len(BROKEN))])
def test_broken_questions(server, body, message):
    headers = {"Content-Type": "application/json"}
    answer = server("POST", "/api/translate", content=body, headers=headers)
    assert (answer.status_code, answer.json()) == (400, {"error": message})


def test_other_refusals(server):
    assert server("POST", "/api/translate", content=b"{}").status_code == 415
    assert server("GET", "/api/translate").status_code == 405
    assert server("POST", "/api/translate", json={"text": "a", "model": "../x"}).json() == {
        "error": "model '../x', expected one of: de-en, hiero.de-en"
    }
    answer = server("GET", "/../../etc/passwd")
    assert (answer.status_code, list(answer.json())) == (404, ["error"])
    assert server("GET", "/api/nothing").json() == {"error": "no such address: /api/nothing"}


def test_limits(folders):
    small = Inside(
        folders[:1],
        max_bytes=2000,
        max_sentences=3,
        max_words=5,
        max_size=7,
        max_alternatives=10,
        max_characters=100,
    )
    refused = {
        '{"text": "Eins. Zwei. Drei. Vier."}': "4 sentences, expected at most 3",
        '{"text": "a b c d e f"}': "sentence 1: a sentence of 6 words, expected at most 5",
        '{"text": "a", "size": 8}': "size is 8, expected at most 7",
        '{"sentences": ["a", "b"], "size": 6}':
            "12 alternatives of 2 sentences, expected at most 10",
        json.dumps({"text": "a" * 101}): "paragraph 1: 101 characters, expected at most 100",
        json.dumps({"text": "a" * 2000}): "a body of more than 2,000 bytes",
    }  # fmt: skip
    headers = {"Content-Type": "application/json"}
    for body, message in refused.items():
        answer = small("POST", "/api/translate", content=body, headers=headers)
        assert (answer.status_code, answer.json()) == (413, {"error": message})
    small.parts.close()


def test_what_is_remembered_is_what_was_said(folders):
    inside = Inside(folders[:1], remembered=10)
    first = inside.post("/api/explain", {"text": SMALL, "size": 3})[1]["sentences"]
    again = inside.post("/api/explain", {"text": SMALL, "size": 3})[1]["sentences"]
    other = inside.post("/api/explain", {"text": SMALL, "size": 2})[1]["sentences"]
    text = inside("GET", "/metrics").text
    inside.parts.close()
    assert first == again
    assert len(other[0]["alternatives"]) == 2
    assert 'tunesmith_sentence_seconds_count{model="de-en"} 2.0' in text


def test_one_sentence_does_not_wait_for_many(folders):
    inside = Inside(folders[:1], remembered=0)
    text = " ".join([SMALL] * 90)
    many = [f"{text} x{n}" for n in range(100)]

    async def both():
        transport = httpx.ASGITransport(inside.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            long = asyncio.create_task(
                client.post("/api/translate", json={"sentences": many}, timeout=None)
            )
            while not inside.parts.workers.admitted:
                await asyncio.sleep(0)
            short = await client.post("/api/translate", json={"sentences": [SMALL]})
            was_open = not long.done()
            return short.status_code, was_open, (await long).status_code

    assert run_apart(both()) == (200, True, 200)
    inside.parts.close()


def test_the_journal_has_no_texts(folders):
    inside = Inside(folders[:1])
    inside.post("/api/translate", {"text": "geheim"})
    inside.post("/api/translate", {"text": "a", "weights": {"geheim": 1}})
    inside("GET", "/geheim?q=geheim")
    inside("GET", "/translate", params={"q": "geheim", "source": "de", "target": "en"})
    inside.parts.close()
    assert "geheim" not in inside.log.getvalue()
    assert [line["status"] for line in inside.lines()] == [200, 400, 404, 200]
    assert inside.lines()[0]["characters"] == 6


def test_other_origins_are_closed_unless_they_are_allowed(folders):
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "content-type"}  # fmt: skip
    closed, opened = Inside(folders[:1]), Inside(folders[:1], origins=["https://example.org"])
    assert closed("OPTIONS", "/api/translate", headers=asked).status_code == 405
    headers = {"Origin": "https://example.org"}
    assert "access-control-allow-origin" not in closed("GET", "/health", headers=headers).headers
    allowed = "access-control-allow-origin"
    assert opened("OPTIONS", "/api/translate", headers=asked).headers[allowed] == headers["Origin"]
    headers = {"Origin": "https://other.org"}
    assert allowed not in opened("GET", "/health", headers=headers).headers
    closed.parts.close()
    opened.parts.close()


def test_headers_for_safety_are_everywhere(server):
    for path in ("/docs", "/health", "/nothing"):
        headers = server("GET", path).headers
        policy = dict(
            part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
        )
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
