"""Format strings of programs, as the flags of a catalogue name their language (`c-format`, …).

While a message is translated, each directive is a placeholder with a number; so it is known which
went where, and arguments that change places are numbered.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_PERCENT = r"""%(?P<number>\d+[$:]|\[\d+\])?(?P<flags>[-+\x20\#0'I_^]*)(?P<width>\d+|\*(?:\d+\$)?)?
    (?P<precision>\.(?:\d+|\*(?:\d+\$)?)?)?(?P<kind>(?:hh|ll|[hlqjztLw])?(?:<PRI\w+>|[a-zA-Z@%]))"""
_BRACE = r"\{[^\s{}]*\}"
_NESTED = r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"
_SIGIL = r"%(?:L?\d{1,2}|n)"
_TILDE = r"~[^\sa-zA-Z~%]*[a-zA-Z~%]"


@dataclass(frozen=True)
class _Language:
    pattern: str
    escape: str = ""
    """A character that is doubled where it begins no directive."""
    is_numbered: bool = False
    """Whether a directive may have the number of its argument."""


_PRINTF = _Language(_PERCENT, "%", is_numbered=True)
_LANGUAGES = {
    **dict.fromkeys(("c", "objc", "php", "awk", "perl", "tcl", "java-printf"), _PRINTF),
    **dict.fromkeys(
        ("lua", "elisp", "javascript", "object-pascal", "go", "d", "modula-2"),
        _Language(_PERCENT, "%"),
    ),
    "ruby": _Language(
        rf"%<\w+>[-+\x20\#0]*\d*(?:\.\d+)?[a-zA-Z]|%\{{\w+\}}|{_PERCENT}", "%", is_numbered=True
    ),
    "gcc-internal": _Language(rf"%[<>'R]|%q?(?:\+)?{_PERCENT[1:]}", "%"),
    "python": _Language(rf"%\([^()]*\)[-+\x20\#0]*\d*(?:\.\d+)?[a-zA-Z]|{_PERCENT}", "%"),
    "boost": _Language(rf"%\d+%|%\|[^|]*\||{_PERCENT}", "%", is_numbered=True),
    **dict.fromkeys(
        ("python-brace", "rust", "c++"),
        _Language(rf"\{{\{{|\}}\}}|{_NESTED}", is_numbered=True),
    ),
    **dict.fromkeys(("perl-brace", "csharp"), _Language(_BRACE)),
    # Between apostrophes nothing is a directive.
    "java": _Language(rf"''|'[^']*[{{}}][^']*'|{_NESTED}", "'"),
    **dict.fromkeys(("kde", "qt", "qt-plural", "smalltalk", "ycp"), _Language(_SIGIL)),
    **dict.fromkeys(("lisp", "scheme", "librep"), _Language(_TILDE)),
    "sh": _Language(r"\$(?:\w+|\{\w+\})"),
}
# What no translation makes up, even if no flag says what a directive is.
_USUAL = re.compile(
    r"%(?:\d+\$)?[-+0#]*\d*(?:\.\d+)?(?:hh?|ll?|[zjt])?[diouxXeEfgGcsp]\b|%\(\w+\)s"
)
_LITERAL = ("%%", "{{", "}}", "~~", "~%", "''")


@dataclass(frozen=True)
class _Directive:
    text: str
    argument: int = 0
    """The number of its argument, if only its place says which that is."""
    numbered: str = ""
    """The same with that number."""


class FormatString:
    """A message whose directives are placeholders.

    >>> message = FormatString("%s of %-5d", ["c-format"])
    >>> message.text, message.written("{2} von {1}"), message.written("{1}")
    ('{1} of {2}', '%2$-5d von %1$s', None)
    """

    def __init__(self, text: str, flags: Sequence[str]) -> None:
        names = [flag.removesuffix("-format") for flag in flags if flag.endswith("-format")]
        self._language = next((_LANGUAGES[name] for name in names if name in _LANGUAGES), None)
        self._directives: list[_Directive] = []
        self._prefix = ""
        self.text = text
        if self._language is None:
            return
        self._pattern = re.compile(self._language.pattern, re.VERBOSE)
        while re.search(rf"\{{{self._prefix}\d+\}}", text):
            self._prefix += "x"
        pieces, done = [], 0
        used = 0
        for found in self._pattern.finditer(text):
            if found[0] in _LITERAL:
                continue
            directive, used = _directive(found, used)
            self._directives.append(directive)
            number = len(self._directives)
            pieces += [text[done : found.start()], f"{{{self._prefix}{number}}}"]
            done = found.end()
        self.text = "".join([*pieces, text[done:]])
        self._escape = self._language.escape
        if self._escape == "'":
            # A message without arguments may be shown as it is.
            self._escape = "'" if self._directives or "''" in text else ""
            self.text = self.text.replace("''", "'")

    @property
    def size(self) -> int:
        """The number of directives."""
        return len(self._directives)

    def written(self, translation: str) -> str | None:
        """The translation with directives; None if they are not those of the message."""
        if self._language is None:
            told = Counter(_USUAL.findall(translation)) - Counter(_USUAL.findall(self.text))
            return None if told else translation
        pieces = re.split(rf"\{{{self._prefix}(\d+)\}}", translation)
        numbers = [int(number) for number in pieces[1::2]]
        if sorted(numbers) != list(range(1, len(self._directives) + 1)):
            return None
        escape = self._escape
        for place in range(0, len(pieces), 2):
            if escape:
                pieces[place] = re.sub(f"{escape}{escape}?", escape * 2, pieces[place])
            if any(found[0] not in _LITERAL for found in self._pattern.finditer(pieces[place])):
                return None
        directives = [self._directives[number - 1] for number in numbers]
        arguments = [one.argument for one in directives if one.argument]
        texts = [one.text for one in directives]
        if arguments != sorted(arguments):
            if not self._language.is_numbered:
                return None
            texts = [one.numbered or one.text for one in directives]
        pieces[1::2] = texts
        return "".join(pieces)


def _directive(found: re.Match[str], used: int) -> tuple[_Directive, int]:
    """A directive that `used` arguments come before, and the number of them behind it."""
    text, parts = found[0], found.groupdict()
    if text.startswith("{"):
        name = re.split(r"[}:!]", text[1:], maxsplit=1)[0]
        argument = used if name else used + 1
        return _Directive(text, 0 if name else argument, f"{{{used}{text[1:]}"), argument
    if parts.get("kind") is None or parts["number"] or parts["kind"] == "m":
        return _Directive(text), used
    stars = []
    for part in ("width", "precision"):
        star = parts[part] or ""
        used += star.endswith("*")
        stars.append(f"{star}{used}$" if star.endswith("*") else star)
    used += 1
    numbered = f"%{used}${parts['flags']}{stars[0]}{stars[1]}{parts['kind']}"
    return _Directive(text, used, numbered), used


def plural_examples(header: str) -> list[list[int]]:
    """Of each form of `Plural-Forms` the numbers up to 200 that have it; none if it has no rule."""
    from gettext import c2py

    found = re.search(r"nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*([^;\n]+)", header)
    if found is None:
        return []
    try:
        form = c2py(found[2].strip())
        forms = [form(number) for number in range(201)]
    except (ValueError, ArithmeticError):
        return []
    return [[n for n, one in enumerate(forms) if one == wanted] for wanted in range(int(found[1]))]
