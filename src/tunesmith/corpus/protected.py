"""Units of running text that no translation may change: addresses, placeholders, tags, numbers…

`KINDS` is the whole table. What it finds is one word to training and to search, and is written
again as it stood. To teach Tunesmith another kind, add a line.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

OPENING, CLOSING = "⟦", "⟧"
#: The kind of what stands around words and is none itself: it is left out of what is learned.
TAG = "tag"
TAG_WORD = f"{OPENING}{TAG}{CLOSING}"
#: What stands for units that are no words: a sentence may begin behind them.
MASKED_OPENINGS = tuple(
    f"{OPENING}{kind}{CLOSING}" for kind in ("emoji", "escape", "entity", "bullet")
)
#: Kinds that no word is moved across: written line ends, marks in front of a line.
BORDERS = frozenset({"escape", "bullet"})
#: Kinds whose form differs between languages: training text may say that they are translated.
NUMERIC = frozenset({"amount", "number", "date", "time"})
#: Those of them in which languages have commas for points.
DECIMAL = frozenset({"amount", "number"})


@dataclass(frozen=True)
class Unit:
    """A span [begin, end) of a line, and what it is."""

    begin: int
    end: int
    kind: str

    @property
    def word(self) -> str:
        """What stands for it in training and search."""
        return f"{OPENING}{self.kind}{CLOSING}"


class Kind(NamedTuple):
    """A name and how its units look (a pattern of the package regex, verbose)."""

    name: str
    pattern: str


_NAME = r"[A-Za-z_][\w.-]*"
# Of HTML: attributes without a value. Others would make a tag of “a <b and c> d”.
_BARE = (
    "checked|disabled|selected|readonly|required|hidden|open|multiple|async|defer|controls|loop"
    "|muted|autoplay|autofocus|novalidate|itemscope|download|reversed|ismap|allowfullscreen"
)
_ATTRIBUTE = rf"""(?: [\w:@.-]+ \s*=\s* (?: "[^"]*" | '[^']*' | [^\s"'<>=]+ ) | (?:{_BARE}) )"""
_CURRENCY = "[€$£¥₹₽₩₺₴₫₪₱฿]"
_FIGURES = r"\d+ (?: [.,'’\u00a0\u202f] \d+ )*"

# A letter of a hashtag or of somebody's name: scripts without spaces would not end it.
_TAGGED = r"[\w--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]"

_URL = r"[^\s<>\"`´()“”„«»。，、；：！？（）「」『』【】]"

# Elements whose text is not to be translated, and codes of other programs (XLIFF, TMX).
_OPAQUE = "code|kbd|samp|var|tt|script|style"
_CODES = r"(?:\w+:)?(?:bpt|ept|ph|it|ut)"
_FIXED = r"(?: translate\s*=\s*[\"']no[\"'] | mtype\s*=\s*[\"']protected[\"'] )"
# Tags of HTML inside of XML, and once more inside of that.
_ESCAPED_TAG = r"""&(?:amp;)?lt;% .*? %&(?:amp;)?gt; | &(?:amp;)?lt; /? [A-Za-z][\w:.-]*
        (?: \s+ [\w:@.-]+ \s*=\s*
            (?: "[^"<>]*" | '[^'<>]*' | &quot; (?: (?!&quot;) . )*+ &quot; | [^\s"'<>&]+ ) )*
        \s* /? &(?:amp;)?gt;"""
# Pictures, links, notes, emphasis and escapes of Markdown. A mark that has no partner stays where
# it is.
_MARKDOWN = r"""!\[[^\]]*\]\([^()]*\) | \[\^[^\[\]\s]+\] | \\[!-/:-@\[-`{-~]
        | \[(?=[^\[\]]*\](?:\(|\[[^\[\]]*\])) | \]\((?:[^()] | \([^()]*\))*\) | \]\[[^\[\]]*\]
        | \*\*\*? | ~~ | (?<![\w*])\*(?=[^\s*]) | (?<=[^\s*])\*(?![\w*])
        | (?<!\w)__?(?=[^\s_]) | (?<=[^\s_])__?(?!\w)"""

# In front of a line: of lists, of what somebody says, of quoted lines.
_BULLETS = "-*+>•‣◦▪·–—"

#: What is tried first stands first.
KINDS: tuple[Kind, ...] = (
    Kind("bullet", rf"\A \s*+ \K [{_BULLETS}]+ (?=\s+\S)"),
    Kind(
        "code",
        r"(?<!`) (?P<ticks>`+) (?!`) .+? (?<!`) (?P=ticks) (?!`) | ⟦[^⟧]*⟧"
        rf" | <(?P<fixed>[\w:]+)\b [^<>]*\s {_FIXED} [^<>]*> .*? </(?P=fixed)\s*>"
        rf" | <(?P<opaque>{_OPAQUE})\b [^<>]* (?<!/)> .*? </(?P=opaque)\s*>",
    ),
    Kind(
        "url",
        r"(?<![\w]) (?: [a-z][a-z0-9+.-]*:// | www\. | (?:mailto|tel|data): (?=\S{3}) )"
        rf" (?: {_URL} | \( {_URL}* \) )* (?: (?! [.,;:!?'’\]}}*_…] ) {_URL} | \( {_URL}* \) )",
    ),
    Kind("email", r"(?<![\w.+-]) [\w.+-]+ @ [\w-]+ (?: \.[\w-]+ )+ (?<![.-])"),
    Kind(
        TAG,
        rf"""<!-- .*? --> | <[!?][^<>]*> | <% .*? %>
        | <(?P<codes>{_CODES})\b [^<>]* (?<!/)> .*? </(?P=codes)\s*>
        | < [A-Za-z][\w:.-]* (?: \s+ {_ATTRIBUTE} )* \s* /? > | </ [A-Za-z][\w:.-]* \s* >
        | {_ESCAPED_TAG}""",
    ),
    Kind(
        "placeholder",
        rf"""\{{\{{ [^{{}}]* \}}\}} | \{{% .*? %\}} | [$#%@] \{{ [^{{}}\n]+ \}}
        | (?P<icu> \{{ \s*\w+\s*, \s*(?:plural|select|selectordinal|number|date|time)\b
              (?: [^{{}}]++ | (?P<braces> \{{ (?: [^{{}}]++ | (?P>braces) )*+ \}} ) )*+ \}} )
        | \{{ (?: [^\s{{}}'"]* ) \}} | (?<!\w) \$\$? {_NAME} (?<![.-]) \$?
        | % \( {_NAME} \) [-+0#]* [\d.]* [a-zA-Z]
        | (?<![\d%]) % (?: \d+\$ )? [-+0#]* \d* (?: \.\d+ )?
              (?:hh?|ll?|[zjtL])? [diouxXeEfFgGcsrapn@] (?!\w) | %%
        | (?<![\d%]) (?<!\d\s) % L? \d{{1,2}} (?! [\w$] | [.,]\d )
        | (?<!\w) %[A-Z_]{{2,}}% | (?<!\w) __[A-Za-z]\w*__ (?!\w)""",
    ),
    Kind("entity", r"& (?:amp;)? (?: [A-Za-z][A-Za-z0-9]* | \#\d+ | \#[xX][0-9a-fA-F]+ ) ;"),
    Kind(
        "path",
        r"(?<![\w/\\]) (?: (?: ~ | \.\.? )? / (?: [\w.+@-]+ / )+ [\w.+@-]*"
        r" | (?: ~ | \.\.? ) / [\w.+@-]+ | (?: [A-Za-z]: | \\ ) \\ [^\s<>\"|?*:()]+ ) (?<![.,])",
    ),
    Kind("escape", r"\\[ntr\"'0\\] | \\u[0-9a-fA-F]{4}"),
    Kind(
        "name",
        r"(?<![\w-]) (?: --[A-Za-z]\w* (?: -\w+ )* (?: = [^\s.,;]+ )? | -[A-Za-z] (?![\w-]) )"
        rf" | (?<!{_TAGGED}) (?: [@#] (?!\d) {_TAGGED}{{2,}} | \# \d+ (?!\w) )"
        r" | (?<!\w) [A-Za-z]\w*(?: \.\w+ )* \(\)"
        r" | (?<![\w-]) [A-Za-z0-9]+ (?: _[A-Za-z0-9]+ )+ (?!\w)",
    ),
    Kind(
        "version",
        r"(?<![\w.,]) (?: [vV]\d+ (?: \.\d+ )* | \d+ (?: \.\d+ ){2,} (?: :\d+ )? )"
        r" (?: [-+~] [A-Za-z0-9.]+ | [a-z]+\d+ )? (?<![.]) (?! \w )",
    ),
    Kind(
        "date",
        r"(?<![\w.,/-]) (?: \d{4}-\d\d-\d\d (?: [T ]\d\d:\d\d (?: :\d\d (?: \.\d+ )? )?"
        r" (?: Z | [+-]\d\d:?\d\d )? )?"
        r" | \d{1,2}/\d{1,2}/\d{2,4} | \d{1,2}-\d{1,2}-\d{4} ) (?! [\w/] )",
    ),
    Kind("time", r"(?<![\w.,:]) \d{1,3}:\d\d (?: :\d\d )? (?: [.,]\d+ )? (?! [\w:] )"),
    Kind(
        "amount",
        rf"(?<!\w) {_CURRENCY} \s? {_FIGURES} (?!\w)"
        rf" | (?<![\w.,]) {_FIGURES} [\s\u00a0\u202f]? {_CURRENCY} (?!\w)",
    ),
    Kind("number", r"(?<![\w.,]) \d+ (?: [.,'’\u00a0\u202f/:] \d+ )+ (?! \w )"),
    Kind(
        "emoji",
        r"(?: [\U0001F1E6-\U0001F1FF]{2} | [0-9\#*]\uFE0F?\u20E3"
        r" | (?=\p{Extended_Pictographic}) [^\x00-\xff\u2100-\u21ff]"
        r" (?: \uFE0F | [\U0001F3FB-\U0001F3FF] | [\U000E0020-\U000E007F]"
        r" | \u200D \p{Extended_Pictographic} )* )+",
    ),
)

# Letters that are of one word with a placeholder that touches them: “file{n}.txt”, not “点击{n}”.
_WORD = r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{Nd}_]"
# Nearly all lines of most texts have no unit, so they are passed over soon: such a line has none of
# these characters, and none above the others…
_SIGNS = frozenset("`@<{%$&\\#_~/£¥-0123456789")
_FIRST_SYMBOL = "\u203c"
# … or nothing of this in it.
_HINT = re.compile(
    r"[`⟦@<{%$&\\\#_~] | :// | www\. | /\S | [vV]\d | \(\) | (?<!\w)-[-A-Za-z]"
    rf" | \d[.,'’\u00a0\u202f/:-]\d | {_CURRENCY} | (?:mailto|tel|data):"
    r" | [\u203c-\u20ff\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]",
    re.VERBOSE,
)


@cache
def any_kind(markdown: bool = False) -> Any:
    """One pattern for all kinds, with a group for each."""
    import regex

    options = regex.VERBOSE | regex.VERSION1
    kinds = []
    for kind in KINDS:
        marks = f"{_MARKDOWN} | " if markdown and kind.name == TAG else ""
        pattern = f"(?P<{kind.name}>{marks}{kind.pattern})"
        if kind.name == "placeholder":
            run = f"(?: {kind.pattern} )"
            tail = rf"(?: (?:{_WORD})+ | [./](?={_WORD}) | [-./:,=+|](?=[{{$%]) )*"
            before = rf"(?: (?<!{_WORD}) {_WORD}+ (?=[{{$%\#]) | (?<![\w&]) [-\#*] (?=[{{$%]) )??"
            pattern = (
                rf"(?P<placeholder> (?P<quote> (?<!\w)' )? {before} (?: {run} {tail} )+"
                r" (?(quote) '(?!\w) ) )"
            )
        kinds.append(pattern)
    return regex.compile("|".join(kinds), options)


def _may_have_units(text: str) -> bool:
    if text.lstrip()[:1] in _BULLETS:
        return bool(text.strip())
    has_sign = not _SIGNS.isdisjoint(text) or "www." in text or "()" in text or "data:" in text
    if not has_sign and max(text, default="") < _FIRST_SYMBOL:
        return False
    return _HINT.search(text) is not None


def find_units(text: str, *, markdown: bool = False) -> list[Unit]:
    """The units of a line, in their order; the marks of Markdown are tags too, if asked for.

    >>> line = "Hi {name}, see https://a.org/?b=c."
    >>> [(unit.kind, line[unit.begin : unit.end]) for unit in find_units(line)]
    [('placeholder', '{name}'), ('url', 'https://a.org/?b=c')]
    """
    if not (_may_have_units(text) or markdown):
        return []
    pattern = any_kind(markdown)
    return [Unit(found.start(), found.end(), _kind(found)) for found in pattern.finditer(text)]


def is_spaced_letter(character: str) -> bool:
    """Whether it is a letter or digit of a script that has spaces between words.

    >>> [is_spaced_letter(one) for one in ("é", "点", " ", "")]
    [True, False, False, False]
    """
    import regex

    return bool(regex.fullmatch(_WORD, character))


def _kind(found: Any) -> str:
    return next(kind.name for kind in KINDS if found.group(kind.name) is not None)


def texts(line: str, units: Iterable[Unit]) -> list[str]:
    """What the units of a line are."""
    return [line[unit.begin : unit.end] for unit in units]
