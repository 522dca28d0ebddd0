"""The exception family: whatever a user can mend is a `TunesmithError`, and the command line
prints it as one line and exits with 2.
"""

from collections.abc import Iterable, Sequence

# Characters of a piece of text that a message shows.
QUOTED = 200
# Names that a message shows.
NAMED = 10


def one_line(text: str) -> str:
    r"""`text` with what would end the line, or change the terminal, written as Python writes it.

    >>> one_line("a\nb\x1b[2J")
    'a\\nb\\x1b[2J'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def in_part(text: str) -> str:
    """`text`, or its beginning and its end if it is long.

    >>> in_part("word " * 1000)[:12], len(in_part("word " * 1000))
    ('word word wo', 200)
    """
    if len(text) <= QUOTED:
        return text
    end = QUOTED // 4
    return f"{text[: QUOTED - end - 3]} … {text[-end:]}"


def named(names: Sequence[str], most: int = NAMED) -> str:
    """Names for a person: the first, and how many more there are.

    >>> named(["lm", "tm", "distortion"], 2)
    'lm, tm and 1 more'
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def kind_of(value: object) -> str:
    """What a value is, for a message.

    >>> kind_of(5), kind_of("a")
    ('an int', 'a str')
    """
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


class TunesmithError(Exception):
    """Anything that is the user's to mend."""


class OptionError(TunesmithError):
    """An option or argument that makes no sense."""


class ConfigError(TunesmithError):
    """A configuration that cannot be used: unknown key, wrong type, value out of range."""


class UnknownKeyError(ConfigError):
    """A key that a configuration does not have."""

    def __init__(self, key: str, expected: Iterable[str]) -> None:
        super().__init__(f"unknown key '{key}', expected one of: {', '.join(expected)}")
        self.key = key


class InputError(TunesmithError):
    """A file that is not what it should be: ``path:line: found, expected; remedy``.

    Lines are counted from 1; line 0 speaks of the file as a whole.

    >>> print(InputError("a.txt", 3, "4 fields", "3 fields", "escape the '|||' in the text"))
    a.txt:3: 4 fields, expected 3 fields; escape the '|||' in the text
    """

    def __init__(
        self, path: object, line: int, found: str, expected: str = "", remedy: str = ""
    ) -> None:
        # What was found is often the user's own text, of any length.
        found = in_part(found)
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
