"""What the server says of itself: OpenAPI, its page, counters."""

import re

import jsonschema
import pytest
from openapi_spec_validator import validate
from prometheus_client.parser import text_string_to_metric_families

from reference.tiny_server import SMALL, Inside, write_models


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    inside = Inside(write_models(tmp_path_factory.mktemp("models")))
    yield inside
    inside.parts.close()


@pytest.fixture(scope="module")
def described(server):
    return server("GET", "/openapi.json").json()


def test_the_description_is_openapi(described):
    validate(described)


def test_all_addresses_are_described(server, described):
    own = {route for route in server.app.routes if not route.startswith("/docs")}
    assert own - {"/openapi.json", "/"} - set(described["paths"]) == {
        route for route in own if re.search(r"\.(css|js|html|svg|png|ico)$", route)
    }
    assert set(described["paths"]) <= set(server.app.routes)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("get", "/api/models", None),
        ("post", "/api/translate", {"text": SMALL}),
        ("post", "/api/explain", {"text": SMALL}),
        ("post", "/api/explain", {"text": "sieht das haus an", "model": "hiero.de-en"}),
        ("post", "/api/terms", {"terms": [{"source": "haus", "target": "home"}], "forbid": ["a"]}),
        ("post", "/translate", {"q": SMALL, "source": "auto", "target": "en"}),
        ("post", "/detect", {"q": SMALL}),
        ("get", "/languages", None),
        ("get", "/health", None),
        ("post", "/api/translate", {"text": 5}),
    ],
)
def test_answers_are_as_described(server, described, method, path, body):
    answer = server(method.upper(), path, json=body)
    said = described["paths"][path][method]
    if body is not None and answer.status_code == 200:
        asked = said["requestBody"]["content"]["application/json"]["schema"]
        jsonschema.validate(body, {**asked, "components": described["components"]})
    response = said["responses"][str(answer.status_code)]
    if "$ref" in response:
        response = described["components"]["responses"][response["$ref"].split("/")[-1]]
    schema = response["content"]["application/json"]["schema"]
    jsonschema.validate(answer.json(), {**schema, "components": described["components"]})


def test_the_documentation_loads_nothing_from_elsewhere(server):
    page = server("GET", "/docs").text
    linked = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert linked
    for link in linked:
        assert server("GET", link).status_code == 200
    for link in ("/docs/documentation.js", "/docs/documentation.css"):
        assert "://" not in server("GET", link).text
    assert "<script>" not in page
    tag = server("GET", "/docs").headers["etag"]
    assert server("GET", "/docs", headers={"If-None-Match": tag}).status_code == 304


def test_counters(server):
    def counted():
        text = server("GET", "/metrics").text
        return {
            (sample.name, *sorted(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    before = counted()
    server.post("/api/translate", {"text": "haus 1 2 3"})
    server("BREW", "/health")
    after = counted()

    def gained(name, **labels):
        key = (name, *sorted(labels.items()))
        return after[key] - before.get(key, 0)

    asked = {"method": "POST", "route": "/api/translate", "status": "200"}
    assert gained("tunesmith_requests_total", **asked) == 1
    assert gained("tunesmith_source_words_total", model="de-en") == 4
    odd = {"method": "other", "route": "/health", "status": "405"}
    assert gained("tunesmith_requests_total", **odd) == 1
    assert after[("tunesmith_admitted_requests",)] == 0
    assert after[("process_resident_memory_bytes",)] > 1e6
