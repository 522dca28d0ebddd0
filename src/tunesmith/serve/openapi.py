"""The description of all addresses, for programs (OpenAPI) and for ``/docs``."""

from typing import Any

import tunesmith
from tunesmith.base.languages import UNDETERMINED
from tunesmith.serve.parts import Parts

Json = dict[str, Any]


def description(parts: Parts) -> Json:
    """OpenAPI 3.1; limits are those of this server."""
    limits = parts.limits
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tunesmith",
            "version": tunesmith.__version__,
            "description": "Translation with models that can be taken apart. "
            f"Requests have at most {limits.max_bytes:,} bytes, {limits.max_sentences:,} sentences "
            f"of {limits.max_words:,} words; answers take at most {limits.seconds:g} s.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "tags": [
            {"name": "translation", "description": "Our own protocol"},
            {"name": "corrections", "description": "With the server's token, where it learns"},
            {"name": "LibreTranslate", "description": "For its clients; JSON or a form"},
            {"name": "server", "description": "How the server is"},
        ],
        "paths": {
            "/api/models": {"get": _get("translation", "The models", _list("models", "Model"))},
            "/api/translate": {
                "post": _post("translation", "Translate text", "Question", _schema("Answer"))
            },
            "/api/explain": {
                "post": _post(
                    "translation",
                    "Translate text and say how; as translate, with explain and size 10",
                    "Question",
                    _schema("Answer"),
                )
            },
            "/api/terms": {
                "post": _post(
                    "translation", "Whether terms can be had", "Terms", _schema("CheckedTerms")
                )
            },
            "/api/adapt": {
                "post": _with_token(
                    _post(
                        "corrections", "Learn from a correction", "Correcting", _schema("Learned")
                    )
                )
            },
            "/api/adapt/undo": {
                "post": _with_token(
                    _post("corrections", "Take a correction back", "Undoing", _schema("Undone"))
                )
            },
            "/api/adapt/log": {
                "get": _with_token(_query("corrections", "All corrections", "Log", "model"))
            },
            "/translate": {
                "get": _query("LibreTranslate", "Translate a text", "Translated", *_ASKED),
                "post": _post("LibreTranslate", "Translate texts", "Libre", _schema("Translated")),
            },
            "/detect": {
                "get": _query("LibreTranslate", "The language of a text", "Detected", "q"),
                "post": _post(
                    "LibreTranslate", "The language of a text", "Detect", _schema("Detected")
                ),
            },
            "/languages": {"get": _get("LibreTranslate", "All languages", _schema("Languages"))},
            "/frontend/settings": {"get": _get("LibreTranslate", "Settings", {"type": "object"})},
            "/health": {"get": _get("server", "Whether all is well", _schema("Health"))},
            "/metrics": {
                "get": {
                    "tags": ["server"],
                    "summary": "What was counted, for Prometheus",
                    "responses": {"200": {"description": "text", "content": {"text/plain": {}}}},
                }
            },
        },
        "components": {
            "schemas": _schemas(parts),
            "responses": {"Error": _error()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


_ASKED = ("q", "source", "target", "format", "alternatives")
_STRING: Json = {"type": "string"}
_NUMBER: Json = {"type": "number"}
_WHOLE: Json = {"type": "integer", "minimum": 0}
_SPAN: Json = {"type": "array", "items": _WHOLE, "minItems": 2, "maxItems": 2}


def _schemas(parts: Parts) -> Json:
    limits = parts.limits
    texts = {"anyOf": [_STRING, {"type": "array", "items": _STRING}]}
    codes = sorted({code for one in parts.models for code in (one.source, one.target)})
    # Models of undetermined languages take any.
    language = _STRING if UNDETERMINED in codes else None
    return {
        "Model": _object(
            ("name", "source", "target", "kind", "adaptable", "version", "features"),
            name=_STRING,
            source=_STRING,
            target=_STRING,
            kind={"enum": ["phrase", "hiero"]},
            adaptable={"type": "boolean"},
            version=_WHOLE,
            features=_array(
                _object(
                    ("name", "weight", "meaning"), name=_STRING, weight=_NUMBER, meaning=_STRING
                )
            ),
        ),
        "Question": _object(
            (),
            text=_STRING | {"description": "running text; or give sentences"},
            sentences=_array(_STRING) | {"maxItems": limits.max_sentences},
            model={"enum": list(parts.models.by_name), "description": "the first by default"},
            size={"type": "integer", "minimum": 1, "maximum": limits.max_size, "default": 1},
            explain={"type": "boolean", "default": False},
            terms=_array(_schema("Term")) | {"description": "source phrases and what they become"},
            forbid=_array(_STRING) | {"description": "target phrases that must not appear"},
            weights={
                "type": "object",
                "additionalProperties": _NUMBER,
                "description": "other weights than the model's, by feature",
            },
            markup={
                "type": "boolean",
                "default": False,
                "description": 'read <t is="…">…</t>, <wall/> and <zone>…</zone> as instructions',
            },
        )
        | {"example": {"text": "Das ist gut."}},
        "Term": _object(("source", "target"), source=_STRING, target=_STRING),
        "Terms": _object((), model=_STRING, terms=_array(_schema("Term")), forbid=_array(_STRING)),
        "CheckedTerms": _object(
            ("terms", "problems"),
            terms=_array(
                _object(
                    ("source", "target", "tokens"),
                    source=_STRING,
                    target=_STRING,
                    tokens=_array(_STRING) | {"description": "words of the target"},
                )
            ),
            problems=_array(_STRING) | {"description": "what has no effect, and why"},
        ),
        "Answer": _object(
            ("model", "version", "translation", "milliseconds", "sentences"),
            model=_STRING,
            version=_WHOLE | {"description": "of the adaptation; 0 without"},
            translation=_STRING | {"description": "the text as a whole, in its layout"},
            milliseconds=_NUMBER,
            sentences=_array(_schema("Sentence")),
        ),
        "Sentence": _object(
            ("source", "tokens", "translation", "alternatives"),
            source=_STRING,
            tokens=_array(_STRING) | {"description": "source words as the model sees them"},
            translation=_STRING,
            alternatives=_array(_schema("Alternative")) | {"description": "best first"},
            unknown=_array(_schema("Unknown")) | {"description": "where explain was asked for"},
        ),
        "Unknown": _object(
            ("source", "seen", "reason", "span"),
            source=_STRING | {"description": "a word that the model does not know"},
            seen=_STRING | {"description": "what it translated in its place"},
            reason={"type": "string", "enum": ["casing", "inflection", "compound", "copied"]},
            span=_SPAN | {"description": "source words [begin, end)"},
        ),
        "Alternative": _object(
            ("text", "tokens", "score", "features"),
            text=_STRING,
            tokens=_array(_STRING),
            score=_NUMBER | {"description": "sum of weight × value of all features"},
            features={"type": "object", "additionalProperties": _NUMBER},
            steps=_array(_schema("Step")) | {"description": "where explain was asked for"},
        ),
        "Step": _object(
            ("source", "target", "rule", "children"),
            source=_SPAN | {"description": "source words [begin, end)"},
            target=_SPAN | {"description": "target words [begin, end)"},
            rule=_object(
                ("source", "target", "in_table"),
                source=_STRING,
                target=_STRING,
                in_table={"type": "boolean"},
                probability=_NUMBER,
                together=_NUMBER,
                seen=_NUMBER,
                features={
                    "type": "object",
                    "additionalProperties": _NUMBER,
                    "description": "what its table says of it",
                },
            ),
            children=_array(_schema("Step")),
            features={"type": "object", "additionalProperties": _NUMBER},
        ),
        "Correcting": _object(
            ("source", "correction"),
            model=_STRING,
            source=_STRING | {"description": "a sentence"},
            correction=_STRING | {"description": "what its translation should be"},
            translation=_STRING | {"description": "what was shown"},
        ),
        "Learned": _object(
            ("id", "version", "before", "after", "reachable", "rules", "moved"),
            id=_WHOLE,
            version=_WHOLE,
            before=_STRING | {"description": "what the model said"},
            after=_STRING | {"description": "what it says now"},
            reachable={"type": "boolean", "description": "whether it could say that before"},
            rules=_array(_schema("Term")) | {"description": "phrase pairs that are new"},
            moved={
                "type": "object",
                "additionalProperties": {"type": "array", "items": _NUMBER},
                "description": "weights that moved most: before, after",
            },
        ),
        "Undoing": _object(
            (),
            model=_STRING,
            id=_WHOLE | {"description": "of a correction; the last one by default"},
        ),
        "Undone": _object(("version", "id"), version=_WHOLE, id=_WHOLE),
        "Log": _object(
            ("version", "corrections"),
            version=_WHOLE,
            corrections=_array(
                _object(
                    ("id", "source", "correction", "before", "after", "undone", "time"),
                    id=_WHOLE,
                    source=_STRING,
                    correction=_STRING,
                    before=_STRING,
                    after=_STRING,
                    undone={"type": "boolean"},
                    time=_STRING,
                )
            ),
        ),
        "Libre": _object(
            ("q", "source", "target"),
            q=texts,
            source=language or {"enum": ["auto", *codes]},
            target=language or {"enum": codes},
            format={"enum": ["text", "html"], "default": "text"},
            alternatives=_WHOLE | {"maximum": limits.max_size - 1, "default": 0},
            api_key=_STRING,
        ),
        "Translated": _object(
            ("translatedText",),
            translatedText=texts,
            detectedLanguage={"anyOf": [_schema("Guess"), _array(_schema("Guess"))]},
            alternatives={"type": "array"},
        ),
        "Detect": _object(("q",), q=_STRING, api_key=_STRING),
        "Guess": _object(
            ("confidence", "language"),
            confidence={"type": "number", "minimum": 0, "maximum": 100},
            language=_STRING,
        ),
        "Detected": _array(_schema("Guess")),
        "Languages": _array(
            _object(
                ("code", "name", "targets"), code=_STRING, name=_STRING, targets=_array(_STRING)
            )
        ),
        "Health": _object(
            ("status", "models", "queue", "version"),
            status={"enum": ["ok"]},
            models=_array(_STRING),
            queue=_WHOLE,
            version=_STRING,
        ),
        "Error": _object(("error",), error=_STRING | {"description": "one line of explanation"}),
    }


def _object(required: tuple[str, ...], **properties: Json) -> Json:
    needed: Json = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties} | needed


def _array(items: Json) -> Json:
    return {"type": "array", "items": items}


def _schema(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(name: str, schema: str) -> Json:
    return _object((name,), **{name: _array(_schema(schema))})


def _content(schema: Json) -> Json:
    return {"application/json": {"schema": schema}}


def _responses(schema: Json, *statuses: int) -> Json:
    errors = {str(status): {"$ref": "#/components/responses/Error"} for status in statuses}
    return {"200": {"description": "the answer", "content": _content(schema)}} | errors


def _error() -> Json:
    return {"description": "what is wrong, in one line", "content": _content(_schema("Error"))}


def _get(tag: str, summary: str, schema: Json) -> Json:
    return {"tags": [tag], "summary": summary, "responses": _responses(schema)}


def _with_token(said: Json) -> Json:
    refused = {status: {"$ref": "#/components/responses/Error"} for status in ("401", "403")}
    return said | {"security": [{"token": []}], "responses": said["responses"] | refused}


def _query(tag: str, summary: str, answer: str, *names: str) -> Json:
    needed = ("q", "source", "target")
    parameters = [
        {"name": name, "in": "query", "required": name in needed, "schema": _STRING}
        for name in names
    ]
    asked = _get(tag, summary, _schema(answer)) | {"parameters": parameters}
    return asked | {"responses": _responses(_schema(answer), 400, 404, 413, 422, 429, 503)}


def _post(tag: str, summary: str, question: str, answer: Json, *statuses: int) -> Json:
    body = {"required": True, "content": _content(_schema(question))}
    if tag == "LibreTranslate":
        form = "application/x-www-form-urlencoded"
        body["content"] = _content(_schema(question)) | {form: {"schema": _schema(question)}}
    refused = (400, 404, 408, 413, 415, 422, 429, 503, *statuses)
    return {
        "tags": [tag],
        "summary": summary,
        "requestBody": body,
        "responses": _responses(answer, *refused),
    }
