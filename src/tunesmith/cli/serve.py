"""Serve models over HTTP: for programs, for translators' editors, and as a page in the browser.

The server speaks JSON (described at /docs and /openapi.json) and the protocol of LibreTranslate, so
that OmegaT, Weblate and the like work with it. It listens on this machine alone unless --host says
otherwise. It writes a JSON object per request to standard output, without the texts, and stops at
Ctrl-C or SIGTERM when all that it has accepted is answered.

Examples
--------
  tunesmith serve model
  tunesmith serve de-en=models/news fr-en=models/talks --port 8080
  curl --json '{"text": "Das ist gut."}' http://127.0.0.1:5000/api/translate
"""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tunesmith.cli._options import add_parameters, filled_folder, given_parameters, whole

if TYPE_CHECKING:
    from tunesmith.serve.models import ServedModels

# LibreTranslate's own.
PORT = 5000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; those of the limits are their keywords."""
    from tunesmith.serve.limits import ServerLimits

    parser.add_argument(
        "models", nargs="+", metavar="[NAME=]MODEL",
        help="model directories; names are those of the folders unless given, and may say the "
        "languages: de-en=FOLDER",
    )  # fmt: skip
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS",
        help="who is listened to; 0.0.0.0 is everybody (default: %(default)s, this machine alone)",
    )  # fmt: skip
    parser.add_argument(
        "--port", type=whole(0, 65535), default=PORT, metavar="N",
        help="0 takes a free one (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--allow-origin", action="append", default=[], metavar="URL",
        help="pages of this origin may use the server too; may be given again",
    )  # fmt: skip
    parser.add_argument(
        "--adapt", type=filled_folder, metavar="FOLDER",
        help="learn from corrections of clients that have the token, in layers in this folder, one "
        "for each model; the models themselves are never changed",
    )  # fmt: skip
    parser.add_argument(
        "--token-file", metavar="FILE",
        help="has the token on one line; without it the environment has it, as TUNESMITH_TOKEN",
    )  # fmt: skip
    parser.add_argument(
        "--log-texts", action="store_true", help="have the texts of clients in the log"
    )
    add_parameters(parser.add_argument_group("limits"), ServerLimits)


def run(arguments: argparse.Namespace) -> None:
    """Open all models, then the port, then wait for requests."""
    from tunesmith.base.errors import OptionError
    from tunesmith.base.log import log

    try:
        from tunesmith.serve.app import create_app
        from tunesmith.serve.journal import ServerJournal
        from tunesmith.serve.parts import Parts
        from tunesmith.serve.running import address_of, listen, run_server
    except ImportError as error:
        raise OptionError(
            f"the server needs the package {error.name}; pip install 'tunesmith[serve]'"
        ) from error
    from tunesmith.serve.limits import ServerLimits
    from tunesmith.serve.models import ServedModel, ServedModels

    limits = ServerLimits(**given_parameters(arguments, ServerLimits))
    models = ServedModels([ServedModel(*_named(text), limits=limits) for text in arguments.models])
    token = _token(arguments)
    if token is not None:
        _adapt(models, arguments.adapt)
    journal = ServerJournal(texts=arguments.log_texts, quiet=arguments.quiet)
    with listen(arguments.host, arguments.port) as listener:
        address = address_of(listener)
        parts = Parts(models, limits, journal, token)
        app = create_app(parts, origins=_origins(arguments.allow_origin))
        names = ", ".join(models.by_name)

        def started() -> None:
            log.info("serving %s on %s (Ctrl-C stops it)", names, address)
            journal.write("start", address=address, models=list(models.by_name), pid=os.getpid())

        run_server(app, listener, limits, journal, started)
        parts.close()
        journal.write("stop")


def _token(arguments: argparse.Namespace) -> str | None:
    """The token for corrections, where they are wanted."""
    from tunesmith.base.errors import OptionError
    from tunesmith.serve.tokens import read_token

    if arguments.adapt is None:
        if arguments.token_file is not None:
            raise OptionError("--token-file FILE is for --adapt FOLDER, which is not there")
        return None
    return read_token(arguments.token_file)


def _adapt(models: "ServedModels", folder: str) -> None:
    """Open a layer for each model that can have one."""
    from tunesmith.base.log import log

    for model in models:
        if model.may_learn:
            model.adapt(Path(folder) / model.name)
        else:
            log.warning("%s has a grammar as a file, which does not learn", model.name)


def _named(text: str) -> tuple[str, str]:
    """The name of a model and its folder."""
    name, equals, folder = text.partition("=")
    if equals and "/" not in name:
        return name, folder
    return Path(text).resolve().name, text


def _origins(given: list[str]) -> list[str]:
    from urllib.parse import urlsplit

    from tunesmith.base.errors import OptionError

    for origin in given:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path:
            raise OptionError(f"--allow-origin '{origin}', expected one like https://example.org")
    return given
