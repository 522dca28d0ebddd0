"""Units of running text that no translation may change: addresses, placeholders, tags, numbers…

`KINDS` is the whole table. What it finds is one word to training and to search, and is written
again as it stood. To teach Tunesmith another kind, add a line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
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
_BLANKS = r"\x20\u00a0"
_FIGURES = r"\d+ (?: [.,'’\u00a0\u202f] \d+ )*"
# Points of thousands, as no version has them.
_MILLIONS = r"\d{1,3} (?: (?: \.\d{3} ){2} (?! [.+~-]?\w ) | (?: \.\d{3} ){2,} ,\d )"
_HEX = r"[\dA-Fa-f]"

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

# Emphasis in text of any kind, as a pair: *word*, **word**, _word_ of Markdown and AsciiDoc.
_EMPHASIS = r"""(?<![\w*/]) (?P<stars>\*\*?) (?=[^\s*]) [^*]{1,200} (?<=[^\s*/]) (?P=stars)
          (?![\w*/])
        | (?<!\w) _ (?=[^\s_(]) (?: [^_] | (?<=\w)_(?=\w) ){1,200}+ (?<=[^\s_]) _ (?![\w(])"""
# A link of Markdown whose target looks like one.
_TARGET = r"\( (?= [^()\s]* [./\#:] ) (?: [^()\s] | \([^()\s]*\) )* (?: \s \"[^\"]*\" )? \)"
_LINK = rf"!?\[ (?= [^\[\]]+ \] {_TARGET} ) | \] {_TARGET}"

# In front of a line: of lists, of what somebody says, of quoted lines.
_BULLETS = "-*+>•‣◦▪·–—"
# Numbers of list items and headings: 1. 2) (iii) b) 1.2.3
_LIST_NUMBERS = r"""(?! \d+\. \s+ (?: \d{1,2}\. | \p{L}+ \s \d{4} (?!\d) ) ) \d{1,3} [.)]
        | \( (?: \d{1,2} | [ivxlc]{1,5} | [a-zA-Z] ) \) | (?: [ivxlc]{1,5} | [a-zA-Z] ) \)
        | [IVX]{2,5} \. | [a-z] \. (?= \s+ \p{Lu} (?!\.) )
        | \d{1,2} (?: \.\d{1,2} )+ [.)]? (?=\s+\p{Lu})"""

# Directives of printf and strftime. Numbered ones may have anything beside them; the others follow
# no digit (“100%d”), and letters touch only those that print words and integers (“%sB”).
_DIRECTIVE = r"""% \d+\$ [-+0\#\x20'I]* (?: \d+ | \*\d+\$ )? (?: \. (?: \d+ | \*\d+\$ )? )?
              (?: hh?|ll?|[zjtLqw] )? (?: <PRI\w+> | [a-zA-Z] )
        | (?<! (?<!%)\d ) % [-+0\#']* (?: \d+ | \* )? (?: \. (?: \d+ | \* )? )?
              (?: <PRI\w+> | (?: hh?|ll?|[zjtLqw] )? [a-zA-Z@] (?!\w) | [EO_^HL] [a-zA-Z] (?!\w)
              | (?<! \d\s % ) l?[sdiu] (?=\p{Latin}) )"""

# Where an option begins, and its value: --name=VALUE, --name[=VALUE], -x[VALUE].
_OPTION_START = r"(?: (?<![\w-]) | (?<=\\f[A-Z]) )"
_LETTERS = r"(?: \$\([^\s()]*\) | [^\s.,;()\"'“”„«»‘’] )+"
_VALUE = rf"""(?: =? \[ [^\s\[\]]* (?: \[[^\s\[\]]*\] )? \] | = (?: \{{[^\s{{}}]*\}} | "[^\s"]*"
        | '[^\s']*' | {_LETTERS} (?: [.,;] {_LETTERS} )* ) )"""

# POD, and what po4a makes of manual pages: B<bold>, C<code>, E<lt>; no elements of HTML.
_POD = r"""< (?! [!?] | /[a-z]\w*>
    | (?: [abipqus] | br | em | hr | li | t[dhr] | su[bp] | code | span | div | font | strong )
      (?: \s*/?> | \s+[\w:-]+\s*=\s*["'] ) )"""
# Lower-case letters may stand before it: po4a leaves out spaces.
_POD_START = r"(?<! [\p{Lu}\d_] )"
_POD_TEXT = "(?: [^<>A-Z]++ | [A-Z]< (?: [^<>A-Z]++ | [A-Z]< [^<>]*+ > | [A-Z] )*+ > | [A-Z] )*+"

# The rest of a message of ICU: braces in pairs, six deep. With recursion, every brace without a
# partner would be searched to the end of the line.
_BRACED = r"(?: [^{}]++ )?+ \}"
for _ in range(6):
    _BRACED = rf"(?: [^{{}}]++ | \{{ {_BRACED} )*+ \}}"

#: What is tried first stands first.
KINDS: tuple[Kind, ...] = (
    Kind("bullet", rf"\A \s*+ \K (?: [{_BULLETS}]+ | {_LIST_NUMBERS} ) (?=\s+\S)"),
    Kind(
        "code",
        r"(?<!`) (?P<ticks>`+) (?! ` | [^`']*+ (?<=[^\s`]) ' (?!\w) ) .+? (?<!`) (?P=ticks) (?!`)"
        r" | ⟦[^⟧]*⟧"
        rf" | <(?P<fixed>[\w:]+)\b [^<>]*\s {_FIXED} [^<>]*> .*? </(?P=fixed)\s*>"
        rf" | <(?P<opaque>{_OPAQUE})\b [^<>]* (?<!/)> .*? </(?P=opaque)\s*>"
        rf" | {_POD_START} [CFLX] (?: << \s .{{0,200}}? \s >> | {_POD} {_POD_TEXT} > )"
        rf" | {_POD_START} [BI]< [\w.+:-]+ > \(\d\w*\)"
        r" | (?<![\w*]) (?P<around>\*\*?|_) [A-Za-z][\w.+:-]* (?P=around) \(\d\w*\)",
    ),
    Kind(
        "url",
        r"(?<![\w]) (?: [a-z][a-z0-9+.-]{0,20}:// | www\. | (?:mailto|tel|data): (?=\S{3}) )"
        rf" (?: {_URL} | \( {_URL}* \) )* (?: (?! [.,;:!?'’\]}}*_…] ) {_URL} | \( {_URL}* \) )",
    ),
    Kind("email", r"(?<![\w.+-]) [\w.+-]+ @ [\w-]+ (?: \.[\w-]+ )+ (?<![.-])"),
    Kind(
        TAG,
        rf"""<!-- .*? --> | <[!?][^<>]*> | <!ENTITY \s+ [\w.%\x20-]+ ["'] | <% .*? %>
        | <(?P<codes>{_CODES})\b [^<>]* (?<!/)> .*? </(?P=codes)\s*>
        | < [A-Za-z][\w:.-]* (?: \s+ {_ATTRIBUTE} )* \s* /? > | </ [A-Za-z][\w:.-]* \s* >
        | {_ESCAPED_TAG}
        | </? \d{{1,2}} /? > | {_LINK}
        | (?P<pod> {_POD_START} [BIS] (?: << \s .{{0,200}}? \s >> | {_POD} {_POD_TEXT} > ) )
        | (?P<emphasis> {_EMPHASIS} )
        | \\f (?: [A-Z0-9] | \( [A-Z]{{2}} | \[ [A-Z]* \] )""",
    ),
    Kind(
        "placeholder",
        rf"""\{{\{{ [^{{}}]* \}}\}} | \{{% .*? %\}} | [$#%@] \{{ [^{{}}\n]+ \}}
        | (?P<icu> \{{ \s*\w+\s*, \s*(?:plural|select|selectordinal|number|date|time)\b
              {_BRACED} )
        | \{{ (?: [^\s{{}}'"]* ) \}} | (?<![^\W_]) \$\$? {_NAME} (?<![.-]) \$?
        | \{{ @\w+ [^{{}}]* \}} | \$ \( (?: [^()\n] | \( [^()\n]* \) )* \)
        | \[\[ [^\[\]\n]+ \]\] | (?<![\w:/]) : {_NAME} (?<![.-]) (?! [\w:] )
        | % (?: \( {_NAME} \) | <\w+> ) [-+0#]* [\d.]* [a-zA-Z]
        | (?<!\w) % [A-Za-z_]{{2,}} % (?!\w) | (?<![\w%]) (?<!\d\s) % [A-Z] [A-Z0-9_]+ (?!\w)
        | {_DIRECTIVE} | %%
        | (?<![\d%]) (?<!\d\s) % L? \d{{1,2}} (?! [\w$] | [.,]\d )
        | (?<!\w) __[A-Za-z]\w*__ (?!\w)""",
    ),
    Kind(
        "entity",
        r"& (?:amp;)? (?: [A-Za-z][\w.-]* | \#\d+ | \#[xX][0-9a-fA-F]+ ) ;"
        rf" | {_POD_START} (?: E< [^<>]+ > | Z<> )"
        # of groff
        r" | \\\*? (?: \( (?: \w\w | ['`:^~,][a-zA-Z] ) | \[\w+\] ) | \\[&:|^%]",
    ),
    Kind(
        "path",
        r"(?<![\w/\\]) (?: (?: ~ | \.\.? )? / (?: [\w.+@-]+ / )+ [\w.+@-]*"
        r" | (?: ~ | \.\.? ) / [\w.+@-]+ | (?: [A-Za-z]: | \\ ) \\ [^\s<>\"|?*:()]+ ) (?<![.,])"
        r" | (?<![\w/\\]) / (?: s?bin | boot | dev | etc | home | lib | media | mnt | opt | proc"
        r" | root | run | srv | sys | tmp | usr | var ) (?! [\w/] )",
    ),
    Kind("escape", r"\\[ntr\"'0\\] | \\u[0-9a-fA-F]{4}"),
    Kind(
        "name",
        rf"{_OPTION_START} (?: \\?-\\?-[A-Za-z]\w* (?: \\?-\w+ )* {_VALUE}?"
        rf" | \\?-[A-Za-z] (?![\w-]) {_VALUE}? )"
        rf" | (?<!{_TAGGED}) (?: [@#] (?!\d) {_TAGGED}{{2,}} | \# \d+ (?!\w) )"
        r" | (?<!\w) (?<!\w\.) [A-Za-z]\w*(?: \.\w+ )* \( (?: \d[a-z]? )? \)"
        r" | (?<![\w:]) [A-Za-z]\w* (?: ::\w+ )+ (?: \(\) )?"
        r" | (?<![\w-]) (?<!\w\.) (?= [\w.-]{0,80} \w_\w )"
        r" -{0,2} _* [A-Za-z0-9]+ (?: [._-]+[A-Za-z0-9]+ )+ (?!\w)",
    ),
    Kind(
        "version",
        rf"(?<![\w.,]) (?! {_MILLIONS} )"
        rf" (?: [vV]\d+ (?: \.\d+ )* | \d+ (?: \.\d+ ){{2,}} (?: :\d+ )? )"
        r" (?: [-+~] [A-Za-z0-9.]+ | [a-z]+\d+ )? (?<![.]) (?! \w )"
        # addresses of networks and of their cards
        rf" | (?<![\w:]) (?: (?: {_HEX}{{1,4}} : ){{1,7}} (?: : {_HEX}{{1,4}} ){{1,6}}"
        rf" | (?: {_HEX}{{1,4}} : ){{7}} {_HEX}{{1,4}}"
        rf" | (?: {_HEX}{{2}} [:-] ){{5}} {_HEX}{{2}} ) (?! [\w:] )",
    ),
    Kind(
        "date",
        r"(?<![\w.,/-]) (?: \d{4}-\d\d-\d\d (?: [T ]\d\d:\d\d (?: :\d\d (?: \.\d+ )? )?"
        r" (?: Z | [+-]\d\d:?\d\d )? )?"
        r" | \d{1,2}/\d{1,2}/\d{2,4} | \d{1,2}-\d{1,2}-\d{4}"
        rf" | \d{{1,2}}\.[{_BLANKS}]\d{{1,2}}\. (?: [{_BLANKS}]? \d{{4}} )? ) (?! [\w/] )",
    ),
    Kind("time", r"(?<![\w.,:]) \d{1,3}:\d\d (?: :\d\d )? (?: [.,]\d+ )? (?! [\w:] )"),
    Kind(
        "phone",
        rf"(?<![\w+]) \+ (?: \d{{1,4}}"
        rf" (?: (?: [{_BLANKS}./-] | [{_BLANKS}]? \(\d+\) [{_BLANKS}-]? ) \d+ )+"
        rf" | \d{{7,15}} ) (?!\w)"
        rf" | \( (?: 0\d+ | \d{{3}} (?= \) [{_BLANKS}] \d{{3}}-\d{{4}} ) ) \) [{_BLANKS}]"
        rf" \d+ (?: [{_BLANKS}-] \d+ )* (?!\w)"
        # of banks
        rf" | (?<!\w) [A-Z]{{2}} \d\d [{_BLANKS}]? [A-Z\d]{{4}} (?: [{_BLANKS}]? \d{{4}} ){{2,6}}"
        rf" (?: [{_BLANKS}]? \d{{1,3}} )? (?!\w)"
        rf" | (?<![\w.,-]) (?: 0\d+ (?: [{_BLANKS}]? / [{_BLANKS}]? | - ) \d{{3,}}"
        rf" (?: [{_BLANKS}-] \d+ )* | \d+ (?: -\d+ ){{2,}} ) (?! [\w-] )",
    ),
    Kind(
        "amount",
        rf"(?<!\w) {_CURRENCY} \s? {_FIGURES} (?!\w)"
        rf" | (?<![\w.,]) {_FIGURES} [\s\u00a0\u202f]? {_CURRENCY} (?!\w)",
    ),
    Kind(
        "number",
        r"(?<![\w.,]) \d+ (?: [.,'’\u00a0\u202f/:–] \d+"
        r" | \x20 \d+ (?! [\d/:-] | \.\d ) | \x20:\x20 \d+ )+"
        r" (?! \w )",
    ),
    Kind(
        "emoji",
        r"(?: [\U0001F1E6-\U0001F1FF]{2} | [0-9\#*]\uFE0F?\u20E3"
        r" | (?=\p{Extended_Pictographic}) [^\x00-\xff\u2100-\u21ff]"
        r" (?: \uFE0F | [\U0001F3FB-\U0001F3FF] | [\U000E0020-\U000E007F]"
        r" | \u200D \p{Extended_Pictographic} )* )+"
        r" | (?<!\S) [:;] -? [()DP] (?!\w) (?<! \( [^()]* [:;] -? \) )"
        r" | (?<![\w:]) : [+-]? (?: \d* [a-z] [a-z0-9]* (?: [_-][a-z0-9]+ )* | 1 ) : (?![\w:])",
    ),
)

# Letters that are of one word with a placeholder that touches them: “file{n}.txt”, not “点击{n}”.
_WORD = r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{Nd}_]"
# Nearly all lines of most texts have no unit, so they are passed over soon: such a line has none of
# these characters, and none above the others…
_SIGNS = frozenset("`@<{[%$&*\\#_~/:;£¥-0123456789")
# … and does not begin like an item of a list …
_HEAD = re.compile(rf"\s*(?:[{_BULLETS}]|\(?(?:\d{{1,3}}|[a-zA-Z]{{1,5}})[.)]|\d{{1,2}}\.\d)")
_FIRST_SYMBOL = "\u203c"
# … or nothing of this in it.
_HINT = re.compile(
    r"[`⟦@<{%$&\\\#_~] | :: | :// | www\. | /\S | [vV]\d | \(\d?[a-z]?\) | (?<!\w)-[-A-Za-z] | \[\["
    r" | \]\( | \*\S"
    r" | (?<!\w):[\w+-] | [:;]-?[()] | \+\d"
    rf" | \d(?: [.,'’\u202f/:–-] | [.)]?[{_BLANKS}] | \x20:\x20 )\d | {_CURRENCY}"
    r" | (?:mailto|tel|data):"
    r" | [\u203c-\u20ff\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]",
    re.VERBOSE,
)


_YEAR = re.compile(r"(?<!\S)\d{4}(?!\d)")
_DATE = re.compile(
    r"(?<!\S) (?: \d{1,2}(?:\ ?\.|[ºª°]|st|nd|rd|th|er)? (?:\ (?:de|di|d['’]|of))? \ [^\W\d]+ \.?"
    r" (?:\ (?:de|del|,))? | [^\W\d]+ \ \d{1,2}(?:st|nd|rd|th)? (?:\ ,)? ) \ \d{4} (?!\S)"
    r" | (?<!\S) \d{4} \ ?年\ ? \d{1,2} \ ?月 (?: \ ?\d{1,2} \ ?[日号] )? (?!\S)",
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
            path = rf"/\.?{_WORD}+(?:-{_WORD}+)*"
            tail = rf"(?: {_WORD}+ | {path} | \.(?={_WORD}) | [-./:,=+|](?=[{{$%]) )*"
            before = rf"(?: (?<!{_WORD}) {_WORD}+ (?=[{{$%\#]) | (?<![\w&]) [-\#*] (?=[{{$%]) )??"
            pattern = rf"(?P<placeholder> {before} (?: {run} {tail} )+ )"
        kinds.append(pattern)
    # None begins inside of a word; saying so first saves half of the time.
    start = r"(?: \A | (?<!\w)(?=\S) | (?=[^\p{L}\s]) | (?<=\p{Ll})(?=[B-Z]<) )"
    return regex.compile(f"{start} (?: {'|'.join(kinds)} )", options)


def _may_have_units(text: str) -> bool:
    if _HEAD.match(text):
        return True
    has_sign = not _SIGNS.isdisjoint(text) or "www." in text or "()" in text or "data:" in text
    if not has_sign and (text.isascii() or max(text) < _FIRST_SYMBOL):
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
    return list(_units(text, any_kind(markdown)))


def _units(text: str, pattern: Any, start: int = 0) -> Iterator[Unit]:
    """The units of a text that begins at `start` of its line."""
    for found in pattern.finditer(text):
        begin, end = found.span()
        if found["emphasis"]:
            first = last = len(found["stars"] or "_")
        elif found["pod"]:
            first, last = (3, 2) if found["pod"][2] == "<" else (2, 1)
        else:
            kind = _kind(found)
            if not (start and kind == "bullet"):
                yield Unit(start + begin, start + end, kind)
            continue
        # The marks are a pair of tags, and what they enclose is text.
        yield Unit(start + begin, start + begin + first, TAG)
        yield from _units(text[begin + first : end - last], pattern, start + begin + first)
        yield Unit(start + end - last, start + end, TAG)


def find_zones(words: Sequence[str]) -> list[tuple[int, int]]:
    """The words [begin, end) that stay together, whatever moves: dates with the name of a month.

    >>> find_zones("am 3. Mai 2024 um 8.".split(" "))
    [(1, 4)]
    """
    line = " ".join(words)
    spans = [found.span() for found in _DATE.finditer(line)] if _YEAR.search(line) else []
    return [(line.count(" ", 0, begin), line.count(" ", 0, end) + 1) for begin, end in spans]


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
