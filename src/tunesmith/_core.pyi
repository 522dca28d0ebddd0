# The native module is private: each room wraps its part of it in typed Python.
from typing import Any

def __getattr__(name: str) -> Any: ...
