"""The files of the page, read once: no address of a client is ever looked for on the disk."""

import hashlib
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}


def asset_routes(folder: str, at: str) -> list[Route]:
    """A route for every file of a folder of this package; ``index.html`` is `at` itself.

    Without an ``index.html`` there are none.
    """
    root = files("tunesmith.serve").joinpath(folder)
    if not root.joinpath("index.html").is_file():
        return []
    routes = [_route(f"{at}/{name}", file) for name, file in sorted(_files(root, ""))]
    return [*routes, _route(at or "/", root.joinpath("index.html"))]


def _files(folder: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _files(entry, f"{prefix}{entry.name}/")
        elif _suffix(entry.name) in _TYPES:
            found.append((f"{prefix}{entry.name}", entry))
    return found


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2]


def _route(path: str, file: Traversable) -> Route:
    content, kind = file.read_bytes(), _TYPES[_suffix(file.name)]
    tag = f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}

    async def endpoint(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return Route(path, endpoint, methods=["GET"])
