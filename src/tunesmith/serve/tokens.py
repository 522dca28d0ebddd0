"""The token that allows changes: from a file, or from the environment."""

import os
from pathlib import Path

from tunesmith.base.errors import InputError, OptionError

VARIABLE = "TUNESMITH_TOKEN"
SHORTEST = 8


def read_token(path: str | Path | None) -> str:
    """The token in a file, or that of the environment where there is no file."""
    if path is None:
        token = os.environ.get(VARIABLE, "").strip()
        if not token:
            raise OptionError(
                f"--adapt without a token, expected --token-file FILE or one in {VARIABLE}"
            )
        where: object = VARIABLE
    else:
        try:
            token, where = Path(path).read_text(encoding="utf-8").strip(), path
        except OSError as error:
            raise InputError(path, 0, error.strerror or str(error), "a readable file") from error
        except UnicodeDecodeError as error:
            raise InputError(path, 0, "no text", "a token on one line") from error
    if len(token) < SHORTEST or not (token.isascii() and token.isprintable()) or " " in token:
        raise InputError(
            where, 0, f"a token of {len(token)} characters",
            f"at least {SHORTEST} of ASCII without spaces", "make one with `openssl rand -hex 16`",
        )  # fmt: skip
    return token
