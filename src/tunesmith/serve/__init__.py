"""Models behind HTTP: a server for programs, for translators' editors, and for the page.

``tunesmith serve MODEL…`` starts it; `create_app` is the same as an ASGI application, for tests or
another server. It needs the extra ``tunesmith[serve]``.
"""

from tunesmith.serve.limits import ServerLimits

__all__ = ["ServerLimits"]
