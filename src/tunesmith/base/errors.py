"""The exception family: whatever a user can mend is a `TunesmithError`, and the command line
prints it as one line and exits with 2.
"""


class TunesmithError(Exception):
    """Anything that is the user's to mend."""


class OptionError(TunesmithError):
    """An option or argument that makes no sense."""


class ConfigError(TunesmithError):
    """A configuration that cannot be used: unknown key, wrong type, value out of range."""


class InputError(TunesmithError):
    """A file that is not what it should be: ``path:line: found, expected; remedy``.

    Lines are counted from 1; line 0 speaks of the file as a whole.

    >>> print(InputError("a.txt", 3, "4 fields", "3 fields", "escape the '|||' in the text"))
    a.txt:3: 4 fields, expected 3 fields; escape the '|||' in the text
    """

    def __init__(
        self, path: object, line: int, found: str, expected: str = "", remedy: str = ""
    ) -> None:
        self.path, self.line = str(path), line
        self.found, self.expected, self.remedy = found, expected, remedy
        place = f"{path}:{line}" if line else f"{path}"
        text = f"{place}: {found}"
        if expected:
            text += f", expected {expected}"
        if remedy:
            text += f"; {remedy}"
        super().__init__(text)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """How another process gets it: made again from its parts."""
        return type(self), (self.path, self.line, self.found, self.expected, self.remedy)


class DegenerateError(TunesmithError):
    """A learner ended with weights that cannot be used (all zero, NaN or infinite)."""
