"""Qt's TS files: messages that are unfinished get a translation, and stay unfinished."""

from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.base.log import log
from tunesmith.formats.documents.base import warn_of_language
from tunesmith.formats.documents.xml import Place, XmlDocument, parse_places


def qt_document(
    text: str, path: str | Path, source: str | None = None, target: str | None = None
) -> XmlDocument:
    """The messages of a file, with all plural forms that it has room for."""
    document = XmlDocument(text)
    places = parse_places(document.data, path)
    if places[0].name != "TS":
        remedy = "`--format text` translates it as plain text"
        raise InputError(path, 0, f"<{places[0].name}>", "<TS> of Qt", remedy)
    stated = places[0].attributes
    warn_of_language(path, "sourcelanguage", stated.get("sourcelanguage"), source)
    warn_of_language(path, "language", stated.get("language"), target)
    for place in places:
        if place.name == "message":
            _translate(document, place)
    if not document.segments:
        log.warning("%s: nothing to translate: all messages are finished", path)
    document.take_accelerators()
    return document


def _translate(document: XmlDocument, message: Place) -> None:
    source, translation = message.child("source"), message.child("translation")
    if source is None or translation is None or not document.has_words(source):
        return
    if translation.attributes.get("type") != "unfinished":
        return
    # Line ends are part of a message.
    source.inherited = source.inherited | {"xml:space": "preserve"}
    forms = [one for one in translation.children if one.name == "numerusform"] or [translation]
    for form in forms:
        if not document.content(form).strip():
            tag = document.tag(form).rstrip("/> \n") + ">"
            document.translate(source, form.begin, form.end, tag, f"</{form.name}>")
