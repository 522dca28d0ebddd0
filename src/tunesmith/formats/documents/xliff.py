"""XLIFF: units and segments without a translation get one."""

import re
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.base.log import log
from tunesmith.formats.documents.base import warn_of_language
from tunesmith.formats.documents.xml import Place, XmlDocument, parse_places, with_attributes
from tunesmith.formats.xliff import LANGUAGES, check_version

_MARKS = {"state": "needs-review-translation", "state-qualifier": "mt-suggestion"}
_MARKS_2 = {"state": "translated", "subState": "mt:unreviewed"}
# Around sentences, also in targets that nobody has filled yet.
_SEGMENT_MARKS = re.compile(r"</?(?:[\w.-]+:)?mrk\b[^<>]*>")
# Of targets that are the source, put there by a program for somebody to write over.
_UNDONE = ("new", "needs-translation", "initial")


def xliff_document(
    text: str, path: str | Path, source: str | None = None, target: str | None = None
) -> XmlDocument:
    """XLIFF 1.x: ``trans-unit``; 2.x: ``segment``. Targets get the language of the model."""
    document = XmlDocument(text)
    places = parse_places(document.data, path)
    if not places or places[0].name != "xliff":
        raise InputError(path, 0, "no <xliff> element", "an XLIFF file")
    line = document.data.count(b"\n", 0, places[0].begin) + 1
    check_version(places[0].attributes.get("version", "?"), path, line)
    holders: dict[int, Place] = {}  # what says the languages of the units that are translated
    file: Place | None = None
    for place in places:
        if place.name == "file":
            file = place
        if place.name in ("trans-unit", "segment") and _is_undone(document, place):
            _translate(document, place)
            holder = places[0] if place.name == "segment" else file
            if holder is not None:
                holders[holder.begin] = holder
    if not document.segments:
        log.warning("%s: nothing to translate: all units have translations", path)
    for holder in holders.values():
        _check_languages(document, path, holder, (source, target))
    document.take_accelerators()
    return document


def _is_undone(document: XmlDocument, unit: Place) -> bool:
    source, target = unit.child("source"), unit.child("target")
    if source is None or unit.inherited.get("translate") == "no" or not document.has_words(source):
        return False
    if target is None:
        return True
    if unit.attributes.get("approved") == "yes":
        return False
    words = _SEGMENT_MARKS.sub("", document.content(target)).strip()
    states = [place.attributes.get("state") for place in (target, unit)]
    is_copy = words == document.content(source).strip()
    return not words or (is_copy and any(state in _UNDONE for state in states))


def _translate(document: XmlDocument, unit: Place) -> None:
    source, target = unit.child("source"), unit.child("target")
    assert source is not None
    if unit.name == "segment":
        tag = with_attributes(document.tag(unit), _MARKS_2)
        document.put(unit.begin, unit.inner, tag)
    name = f"{source.prefix}target"
    space = source.attributes.get("xml:space")
    tag = with_attributes(f"<{name}>", {"xml:space": space} if space else {})
    # Cut into sentences already: those of the target have the same marks.
    source = unit.child("seg-source") or source
    begin = end = source.end
    if target is not None:
        begin, end = target.begin, target.end
        tag = re.sub(r"\s*/>$", ">", document.tag(target))
    if unit.name == "trans-unit":
        tag = with_attributes(tag, _MARKS)
    document.translate(source, begin, end, tag, f"</{name}>")


def _check_languages(
    document: XmlDocument, path: str | Path, holder: Place, own: tuple[str | None, str | None]
) -> None:
    """Say where the languages of a file are not the model's; name the target's if nobody does."""
    names = LANGUAGES[holder.name]
    for name, language in zip(names, own, strict=True):
        warn_of_language(path, name, holder.attributes.get(name), language)
    if own[1] and not holder.attributes.get(names[1]):
        tag = with_attributes(document.tag(holder), {names[1]: own[1]})
        document.put(holder.begin, holder.inner, tag)
