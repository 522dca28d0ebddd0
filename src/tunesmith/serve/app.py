"""`create_app`: the server as an ASGI application."""

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tunesmith.serve.adapting import Adapting
from tunesmith.serve.api import Api
from tunesmith.serve.assets import asset_routes
from tunesmith.serve.failures import Failure
from tunesmith.serve.front import Front, tell
from tunesmith.serve.libretranslate import LibreTranslate
from tunesmith.serve.openapi import description
from tunesmith.serve.parts import Parts

# Folders of files beside this one.
PAGE, DOCUMENTATION = "page", "documentation"


def create_app(parts: Parts, *, origins: Sequence[str] = ()) -> Front:
    """All that the server answers; pages of `origins` may ask it too."""
    described = description(parts)

    async def openapi(request: Request) -> Response:
        return JSONResponse(described)

    routes = [
        *Api(parts).routes(),
        *Adapting(parts).routes(),
        *LibreTranslate(parts).routes(),
        Route("/openapi.json", openapi, methods=["GET"]),
        *asset_routes(DOCUMENTATION, "/docs"),
        *asset_routes(PAGE, ""),
    ]
    middleware = []
    if origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(origins),
                allow_methods=["GET", "POST"],
                allow_headers=["Content-Type", "Authorization"],
            )
        )

    async def failed(request: Request, error: Exception) -> Response:
        assert isinstance(error, Failure)
        if parts.journal.texts:  # a message may have some text of the client in it
            tell(request.scope, error=str(error))
        return JSONResponse({"error": str(error)}, error.status, error.headers)

    app = Starlette(
        routes=routes,
        middleware=middleware,
        exception_handlers={Failure: failed, HTTPException: _refused},
    )
    app.router.redirect_slashes = False
    return Front(app, {route.path for route in routes}, parts.meters, parts.journal)


async def _refused(request: Request, error: Exception) -> Response:
    """Addresses and methods that there are not."""
    assert isinstance(error, HTTPException)
    said = {
        404: f"no such address: {request.url.path[:200]}",
        405: f"method {request.method[:20]} is not for {request.url.path[:200]}",
    }
    text = said.get(error.status_code, error.detail)
    return JSONResponse({"error": text}, error.status_code, error.headers)
