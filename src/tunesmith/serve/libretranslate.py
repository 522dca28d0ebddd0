"""The addresses of LibreTranslate, so that its clients work with our models.

https://docs.libretranslate.com is the protocol: ``/translate``, ``/detect``, ``/languages`` and
``/frontend/settings``, asked in JSON or as a form.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tunesmith.base.errors import OptionError, in_part
from tunesmith.base.json_text import parse_json
from tunesmith.base.languages import UNDETERMINED, language_code, language_name
from tunesmith.serve.answers import Json
from tunesmith.serve.api import tell_question
from tunesmith.serve.asking import Question, read_text
from tunesmith.serve.bodies import content_type, read_body, while_connected
from tunesmith.serve.detecting import Detector
from tunesmith.serve.failures import Failure, bad_request, too_large
from tunesmith.serve.models import ServedModel
from tunesmith.serve.parts import Parts

# Fields of a form.
MOST_FIELDS = 1000


class LibreTranslate:
    """Answers as LibreTranslate does."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    def routes(self) -> list[Route]:
        """Where to find what."""
        return [
            Route("/translate", self.translate, methods=["GET", "POST"]),
            Route("/detect", self.detect, methods=["GET", "POST"]),
            Route("/languages", self.languages, methods=["GET"]),
            Route("/frontend/settings", self.settings, methods=["GET"]),
        ]

    async def translate(self, request: Request) -> Response:
        """A text, or a list of texts."""
        values = await self._values(request)
        texts = _texts(values)
        target = _language(values, "target")
        answer: Json = {}
        if _given(values, "source") == "auto":
            model, language, share = await self._detected("\n".join(texts), target)
            found = _detected_language(language, share)
            answer["detectedLanguage"] = (
                [found] * len(texts) if isinstance(values["q"], list) else found
            )
        else:
            model = self.parts.models.between(_language(values, "source"), target)
        count = _count(values, self.parts.limits.max_size - 1)
        kind = values.get("format") or "text"
        if kind not in ("text", "html"):
            raise bad_request(f"format '{in_part(str(kind))}', expected text or html")
        questions = [Question(text=text, size=count + 1, html=kind == "html") for text in texts]
        done = await while_connected(request, self.parts.translating.answers(questions, model))
        sentences = sum(len(one.sentences) for one in done)
        tell_question(request, self.parts, Question(text="\n".join(texts)), model, sentences)
        translations = [one.translation for one in done]
        alternatives = [
            [text for text in map(one.alternative, range(1, count + 1)) if text != one.translation]
            for one in done
        ]
        is_list = isinstance(values["q"], list)
        answer["translatedText"] = translations if is_list else translations[0]
        if count:
            answer["alternatives"] = alternatives if is_list else alternatives[0]
        return JSONResponse(answer)

    async def detect(self, request: Request) -> Response:
        """The languages of a text, the likeliest first."""
        values = await self._values(request)
        [text, *others] = _texts(values)
        if others:
            raise bad_request("q is a list, expected one text")
        detector = await self.parts.detector()
        ranked = detector.detect(text) or [detector.likeliest(text)]
        return JSONResponse([_detected_language(code, share) for code, share in ranked])

    async def languages(self, request: Request) -> Response:
        """The languages of all models, and what they are translated into."""
        targets: dict[str, list[str]] = {}
        for model in self.parts.models:
            own = targets.setdefault(model.source, [])
            if model.target not in own:
                own.append(model.target)
        for model in self.parts.models:
            targets.setdefault(model.target, [])
        return JSONResponse([_named(code) | {"targets": own} for code, own in targets.items()])

    async def settings(self, request: Request) -> Response:
        """What a page of LibreTranslate asks first."""
        model = self.parts.models.named(None)
        return JSONResponse(
            {
                "apiKeys": False,
                "charLimit": self.parts.limits.max_bytes,
                "filesTranslation": False,
                "frontendTimeout": 500,
                "keyRequired": False,
                "language": {"source": _named(model.source), "target": _named(model.target)},
                "suggestions": False,
                "supportedFilesFormat": [],
            }
        )

    async def _detected(self, text: str, target: str) -> tuple[ServedModel, str, float]:
        """Choose the model into `target` for the language of a text; tell that with its share.

        A model whose source is undetermined takes what is probably none of the others' language.
        """
        detector: Detector = await self.parts.detector()
        models = self.parts.models.into(target)
        sources = {one.source for one in models}
        for code, share in detector.detect(text):
            if code in sources and (share > 0.5 or UNDETERMINED not in sources):
                return self.parts.models.between(code, target), code, share
        model = next((one for one in models if one.source == UNDETERMINED), models[0])
        return model, *detector.likeliest(text)

    async def _values(self, request: Request) -> Mapping[str, Any]:
        """The parameters of a request: of its address, a form or a JSON object."""
        if request.method == "GET":
            return _form(request.scope["query_string"])
        kind = content_type(request)
        if kind not in ("application/json", "application/x-www-form-urlencoded"):
            raise Failure(
                415,
                f"content type '{kind}', expected application/json or "
                "application/x-www-form-urlencoded",
                {"Connection": "close"},
            )
        body = await read_body(request, self.parts.limits)
        if kind != "application/json":
            return _form(body)
        try:
            values = parse_json(body.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise bad_request(f"byte {error.start:,} of the body is no UTF-8") from None
        except ValueError as error:
            raise bad_request(f"the body is no JSON: {in_part(str(error))}") from None
        if not isinstance(values, dict):
            raise bad_request("the body is no JSON object")
        return values


def _form(data: bytes) -> dict[str, Any]:
    """The fields of a form; one that is given more than once is a list."""
    try:
        fields = parse_qs(
            data.decode("utf-8"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except UnicodeDecodeError:
        raise bad_request("the form is no UTF-8") from None
    except ValueError:
        raise too_large(f"more than {MOST_FIELDS:,} fields") from None
    return {name: values if len(values) > 1 else values[0] for name, values in fields.items()}


def _given(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str) or not value:
        raise bad_request(f"Invalid request: missing {name} parameter")
    return value


def _texts(values: Mapping[str, Any]) -> list[str]:
    """What is to be translated."""
    given = values.get("q")
    if given is None or given == []:
        raise bad_request("Invalid request: missing q parameter")
    if isinstance(given, list):
        return [read_text(text, f"q {number}") for number, text in enumerate(given, 1)]
    return [read_text(given, "q")]


def _language(values: Mapping[str, Any], name: str) -> str:
    given = _given(values, name)
    try:
        return language_code(given)
    except OptionError:
        return given  # a code of the model's own


def _count(values: Mapping[str, Any], most: int) -> int:
    """How many alternatives are wanted."""
    given = values.get("alternatives") or 0
    try:
        count = int(given) if isinstance(given, str | int) else -1
    except ValueError:
        count = -1
    if not 0 <= count <= most:
        raise bad_request(
            f"alternatives is {in_part(str(given))}, expected a whole number from 0 to {most}"
        )
    return count


def _detected_language(code: str, share: float) -> Json:
    return {"confidence": round(100 * share, 1), "language": code or UNDETERMINED}


def _named(code: str) -> Json:
    return {"code": code, "name": language_name(code)}
