"""TMX: units that lack the target language get it."""

from collections import Counter
from pathlib import Path
from xml.sax.saxutils import quoteattr

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.languages import language_matches, primary_language
from tunesmith.base.log import log
from tunesmith.formats.documents.xml import Place, XmlDocument, parse_places

# The second is that of TMX 1.1.
_LANGUAGE = ("xml:lang", "lang")


def tmx_document(
    text: str, path: str | Path, source: str | None = None, target: str | None = None
) -> XmlDocument:
    """Units with the model's source language, or else the file's, and without its target."""
    document = XmlDocument(text)
    places = parse_places(document.data, path)
    if not places or places[0].name != "tmx":
        raise InputError(path, 0, "no <tmx> element", "a translation memory")
    if target is None:
        raise OptionError(
            f"{path}: the model's target language is undetermined; state it with "
            "`tunesmith model set-language`"
        )
    source = source or _source_of(places)
    if source and language_matches(source, target):
        raise OptionError(f"{path}: a translation memory of {source} and {target}, expected two")
    units = [_variants(place) for place in places if place.name == "tu"]
    known = Counter(code for unit in units for code, _ in unit)
    code = next((one for one, _ in known.most_common() if language_matches(one, target)), target)
    found = False
    for unit in units:
        own = next((v for one, v in unit if not source or language_matches(one, source)), None)
        segment = own and own.child("seg")
        if own is None or segment is None:
            continue
        found = True
        if document.has_words(segment) and not any(language_matches(o, target) for o, _ in unit):
            _translate(document, own, segment, code)
    if known and not found:
        languages = ", ".join(sorted(known))
        raise InputError(
            path, 0, f"no unit in {source}, only {languages}", "the model's source",
            "a model's languages are corrected by `tunesmith model set-language`",
        )  # fmt: skip
    if found and not document.segments:
        log.warning("%s: nothing to translate: all units in %s are in %s too", path, source, target)
    document.take_accelerators()
    return document


def _source_of(places: list[Place]) -> str | None:
    header = next((place for place in places if place.name == "header"), None)
    language = header.attributes.get("srclang", "*all*") if header else "*all*"
    return None if language.lower() == "*all*" else primary_language(language)


def _variants(unit: Place) -> list[tuple[str, Place]]:
    """The languages of a unit, with their elements."""
    variants = []
    for child in unit.children:
        if child.name == "tuv":
            codes = [child.attributes[name] for name in _LANGUAGE if name in child.attributes]
            variants.append((codes[0] if codes else "?", child))
    return variants


def _translate(document: XmlDocument, own: Place, segment: Place, code: str) -> None:
    assert own.parent is not None
    attribute = next((name for name in _LANGUAGE if name in own.attributes), _LANGUAGE[0])
    names = [f"{own.prefix}{name}" for name in ("tuv", "prop", "seg")]
    before = (
        f"<{names[0]} {attribute}={quoteattr(code)}>"
        f'<{names[1]} type="x-mt">tunesmith</{names[1]}><{names[2]}>'
    )
    behind = f"</{names[2]}></{names[0]}>"
    # Behind the last of its like: there is only white space between that and the unit's end.
    last = [child for child in own.parent.children if child.name == "tuv"][-1].end
    document.translate(segment, last, last, before, behind)
