"""The addresses of our own protocol: ``/api/…``, ``/health`` and ``/metrics``."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import tunesmith
from tunesmith.base.errors import OptionError
from tunesmith.model.feature_meanings import feature_meaning
from tunesmith.serve.answers import Json, terms_answer
from tunesmith.serve.asking import Question, read_name, read_object, read_question, read_terms
from tunesmith.serve.bodies import read_json, while_connected
from tunesmith.serve.front import tell
from tunesmith.serve.models import ServedModel
from tunesmith.serve.parts import Parts


class Api:
    """Answers in JSON, with the parts of a server."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    def routes(self) -> list[Route]:
        """Where to find what."""
        return [
            Route("/api/models", self.models, methods=["GET"]),
            Route("/api/translate", self.translate, methods=["POST"]),
            Route("/api/explain", self.explain, methods=["POST"]),
            Route("/api/terms", self.terms, methods=["POST"]),
            Route("/health", self.health, methods=["GET"]),
            Route("/metrics", self.metrics, methods=["GET"]),
        ]

    async def models(self, request: Request) -> Response:
        """The models, and their features that have weights to turn."""
        return JSONResponse({"models": [_described(model) for model in self.parts.models]})

    async def translate(self, request: Request) -> Response:
        """Translations."""
        return await self._answer(request, explain=False)

    async def explain(self, request: Request) -> Response:
        """Translations, and how they came about."""
        return await self._answer(request, explain=True)

    async def _answer(self, request: Request, *, explain: bool) -> Response:
        body = await read_json(request, self.parts.limits)
        question = read_question(body, self.parts.limits, explain=explain)
        model = self.parts.models.named(question.model)
        answer = await while_connected(request, self.parts.translating.answer(question, model))
        tell_question(request, self.parts, question, model, len(answer.sentences))
        return JSONResponse(answer.json())

    async def terms(self, request: Request) -> Response:
        """Whether terms can be had of a model."""
        parts = self.parts
        body = await read_json(request, parts.limits)
        values = read_object(body, frozenset(("model", "terms", "forbid")))
        terms, forbid = read_terms(values, parts.limits)
        model = parts.models.named(read_name(values))
        question = Question(terms=terms, forbid=forbid)

        def check() -> Json:
            try:
                return terms_answer(model.translator(model.state, question).reader.terms)
            except OptionError as error:
                return {"terms": [], "problems": [str(error)]}

        with parts.workers.admission():
            [answer] = await while_connected(request, parts.workers.run([check]))
        return JSONResponse(answer)

    async def health(self, request: Request) -> Response:
        """Whether the server is well."""
        parts = self.parts
        return JSONResponse(
            {
                "status": "ok",
                "models": list(parts.models.by_name),
                "queue": parts.workers.admitted,
                "version": tunesmith.__version__,
            }
        )

    async def metrics(self, request: Request) -> Response:
        """What was counted, for Prometheus."""
        return Response(
            self.parts.meters.text(), media_type="text/plain; version=0.0.4; charset=utf-8"
        )


def tell_question(
    request: Request, parts: Parts, question: Question, model: ServedModel, sentences: int
) -> None:
    """Put into the journal what was asked for."""
    text = "\n".join(question.sentences) if question.text is None else question.text
    tell(
        request.scope,
        model=model.name,
        sentences=sentences,
        characters=len(text),
        text=text if parts.journal.texts else None,
    )


def _described(model: ServedModel) -> Json:
    weights = model.state.weights
    return {
        "name": model.name,
        "source": model.source,
        "target": model.target,
        "kind": model.kind,
        "adaptable": model.adapted is not None,
        "version": model.state.version,
        "features": [
            {"name": name, "weight": weights.get(name, 0.0), "meaning": feature_meaning(name)}
            for name in model.state.decoder.names
        ],
    }
