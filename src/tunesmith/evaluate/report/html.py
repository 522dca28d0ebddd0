"""HTML that cannot be broken by what is in it: text is escaped, only elements are markup."""

from collections.abc import Iterable
from html import escape

# Elements without contents.
_VOID = {"meta", "br", "col", "hr"}


class Html(str):
    """Text that is markup."""

    __slots__ = ()


def text(value: str) -> Html:
    """Escaped, without characters that no page may have.

    >>> text("<script>")
    '&lt;script&gt;'
    """
    return Html(
        escape("".join(c if _is_allowed(c) else "\N{REPLACEMENT CHARACTER}" for c in value))
    )


def _is_allowed(character: str) -> bool:
    code = ord(character)
    if code < 0x20:
        return character in "\t\n"
    return not (0x7F <= code <= 0x9F or 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE)


def element(tag: str, *children: str, **attributes: str | None) -> Html:
    """An element; children that are no `Html` are escaped, attributes of None are left out.

    A trailing underscore of a keyword is dropped, others become hyphens.

    >>> element("p", "a < b ", element("b", "c"), class_="x")
    '<p class="x">a &lt; b <b>c</b></p>'
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{text(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    if tag in _VOID:
        return Html(f"<{tag}{given}/>")
    return Html(f"<{tag}{given}>{joined(children)}</{tag}>")


def joined(children: Iterable[str], between: str = "") -> Html:
    """Markup and escaped text behind one another."""
    return Html(
        between.join(child if isinstance(child, Html) else text(child) for child in children)
    )
