"""JSON of messages, DOCX, Android's resources and Qt's translation sources."""

import io
import logging
import random
import re
import zipfile
from xml.etree import ElementTree

import pytest

from tunesmith.base.errors import InputError
from tunesmith.formats.documents import read_document
from tunesmith.formats.documents.docx import MAX_BYTES

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
HEAD = (
    f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:document xmlns:w="{W}"><w:body>'
)
TAIL = "<w:sectPr/></w:body></w:document>"
BOLD = "<w:rPr><w:b/></w:rPr>"


def read(tmp_path, text, format, languages=("de", "en")):
    path = tmp_path / "x"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_document(path, format, languages)


def upper(document):
    texts = [
        re.sub(r"<[^<>]*>|&\w+;|\{\w*\}|%\w+|[^<&{%]+",
               lambda one: one[0] if one[0][0] in "<&{%" else one[0].upper(), segment)
        for segment in document.segments
    ]  # fmt: skip
    return document.encoded(texts)


def run(text, properties=""):
    return f'<w:r w:rsidR="1">{properties}<w:t xml:space="preserve">{text}</w:t></w:r>'


def package(body, **others):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("[Content_Types].xml", "<Types/>")
        file.writestr("word/document.xml", HEAD + body + TAIL)
        for name, content in others.items():
            file.writestr(f"word/{name}.xml", content)
    return out.getvalue()


def part(data, name="word/document.xml"):
    return zipfile.ZipFile(io.BytesIO(data)).read(name).decode()


@pytest.mark.parametrize(
    ("text", "segments", "translated"),
    [
        ('{"a.b": "ein Hund",\n "n": [1, null, "zwei"], "id": "12"}', ["ein Hund", "zwei"],
         '{"a.b": "EIN HUND",\n "n": [1, null, "ZWEI"], "id": "12"}'),
        (r'{"a": "er: \"ja\"\n\n  und <b>{n}</b>"}', ['er: "ja"', "und <b>{n}</b>"],
         r'{"a": "ER: \"JA\"\n\n  UND <b>{n}</b>"}'),
        (r'{"a" : "gr\u00fcn", "c\"": "b"}', ["grün", "b"], r'{"a" : "GR\u00dcN", "c\"": "B"}'),
        ('\ufeff"wort"\r\n', ["wort"], '\ufeff"WORT"\r\n'),
    ],
)  # fmt: skip
def test_strings_of_json(tmp_path, text, segments, translated):
    document = read(tmp_path, text, "json")
    assert document.segments == segments
    assert upper(document).decode() == translated
    assert document.encoded(document.segments).decode() == text


def test_choices_of_json_stay(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("tunesmith"), "propagate", True)
    text = '{"a": "{n, plural, one {ein Hund} other {# Hunde}}", "b": "ja"}'
    assert read(tmp_path, text, "json").segments == ["ja"]
    assert "x: 1 message stays untranslated: plural forms or choices of ICU" in caplog.text


ANDROID = r"""<?xml version="1.0" encoding="utf-8"?>
<resources xmlns:xliff="urn:x">
  <string name="wort">Hund &amp; Katze\'s <b>Haus</b></string>
  <string name="b" translatable="false">nein</string>
  <string name="c">"zwei"\n drei <xliff:g id="n">%1$s</xliff:g></string>
  <string name="d"> <![CDATA[ein < <i>zwei</i>]]></string>
  <plurals name="e"><item quantity="one">Tag</item></plurals>
</resources>
"""


def test_resources_of_android(tmp_path):
    document = read(tmp_path, ANDROID, "android")
    assert document.segments == [
        "Hund &amp; Katze's <b>Haus</b>", "zwei", 'drei <x id="1"/>', "ein < <i>zwei</i>", "Tag",
    ]  # fmt: skip
    changed = upper(document).decode()
    expected = ANDROID
    for words in ("Hund", "Katze\\'s", "Haus", ">Tag", "drei", "ein <", ">zwei", '"zwei"'):
        expected = expected.replace(words, words.upper())
    assert changed == expected
    assert document.encoded(document.segments).decode() == ANDROID
    for name, found in (("android", "<a>, expected <resources>"), ("qt", "<a>, expected <TS>")):
        with pytest.raises(InputError, match=found):
            read(tmp_path, "<a/>", name)


QT = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="de">
<context><name>Fenster</name>
<message><location filename="a.cpp" line="1"/><source>&amp;Hund
Katze</source><translation type="unfinished"></translation></message>
<message><source>&amp;ja</source><translation>yes</translation></message>
<message numerus="yes"><source>%n Tage</source><translation type="unfinished"><numerusform/>
<numerusform></numerusform></translation></message>
</context></TS>
"""


def test_messages_of_qt(tmp_path):
    document = read(tmp_path, QT, "qt")
    assert document.segments == ["Hund", "Katze", "%n Tage", "%n Tage"]
    after = ElementTree.fromstring(upper(document))
    assert [one.text for one in after.iter("translation")][:2] == ["&HUND\nKATZE", "yes"]
    assert [one.text for one in after.iter("numerusform")] == ["%n TAGE"] * 2
    states = [one.get("type") for one in after.iter("translation")]
    assert states == ["unfinished", None, "unfinished"]


FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r>{}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
NOTE = "<w:r><w:footnoteReference w:id='2'/></w:r>"
BOX = "<w:r><w:pict><w:txbxContent><w:p>{}</w:p></w:txbxContent></w:pict></w:r>"


@pytest.mark.parametrize(
    ("content", "segments"),
    [
        (run("ein ") + run("alter", BOLD) + run(" H") + "<w:proofErr/>" + run("und") + NOTE,
         ['ein <g id="1">alter</g> Hund']),
        (run("ja") + "<w:r><w:br/><w:t>nein &amp; ja</w:t></w:r>", ["ja", "nein &amp; ja"]),
        (run("auf ") + FIELD.format(run("Seite", BOLD)) + run(" da"),
         ['auf <g id="1">Seite</g> da']),
        (run("a ") + NOTE + run("b"), ['a <x id="1"/>b']),
        (run("siehe ") + f'<w:hyperlink w:id="1">{run("hier")}</w:hyperlink>',
         ['siehe <g id="1">hier</g>']),
        (run("auf ") + FIELD.format(run("x")).replace("end", "begin"), []),
        (run("aus ") + BOX.format(run("innen")) + run("sen"), ['aus <x id="1"/>sen', "innen"]),
        (f'<w:del w:id="1">{run("weg")}</w:del>' + run("12"), []),
    ],
)  # fmt: skip
def test_paragraphs_of_docx(tmp_path, content, segments):
    body = f'<w:p><w:pPr><w:jc w:val="left"/></w:pPr>{content}</w:p>'
    before = package(body, header1="<w:hdr/>", styles="<w:p/>")
    document = read(tmp_path, before, "docx")
    assert document.segments == segments
    assert document.encoded(document.segments) == before
    after = upper(document)
    assert [one.filename for one in zipfile.ZipFile(io.BytesIO(after)).infolist()] == [
        "[Content_Types].xml", "word/document.xml", "word/header1.xml", "word/styles.xml",
    ]  # fmt: skip
    assert shape(part(after), bool(segments)) == shape(part(before), bool(segments))


def shape(xml, is_upper):
    """Elements with their attributes, and letters with their formats; no borders of runs."""
    found = []
    format = []
    for one in ElementTree.fromstring(xml).iter():
        name = one.tag.rpartition("}")[2]
        if name == "r":
            format = [child.tag for child in one.iterfind(f"{{{W}}}rPr/*")]
        elif name == "t":
            text = one.text.upper() if is_upper and one.text != "weg" else one.text
            found += [(letter, format) for letter in text if not letter.isspace()]
        elif name not in ("rPr", "b", "proofErr"):
            found.append((name, sorted(one.items())))
    return found


def test_codes_that_a_translation_lost_stand_at_its_end(tmp_path):
    document = read(tmp_path, package(f"<w:p>{run('a ')}{NOTE}{run('b')}</w:p>"), "docx")
    after = part(document.encoded(["c</g>"]))
    assert after.endswith(f'<w:t xml:space="preserve">c</w:t></w:r>{NOTE}</w:p>{TAIL}')


def test_no_document_is_changed_by_a_translator_that_changes_nothing(tmp_path):
    chance = random.Random(1)
    pieces = [run("ein "), run("Hund", BOLD), NOTE, FIELD.format(run("x")), BOX.format(run("in")),
              "<w:proofErr/>", "<w:r><w:tab/><w:t>und</w:t></w:r>", "<w:ins>", "</w:ins>",
              "<w:x/>"]  # fmt: skip
    read_ = 0
    for _ in range(300):
        content = "".join(chance.choices(pieces, k=chance.randint(0, 9)))
        before = package(f"<w:p>{content}</w:p><w:p>{run('Ende')}</w:p>")
        try:
            document = read(tmp_path, before, "docx")
        except InputError:
            continue  # an element without its end
        read_ += 1
        assert document.encoded(document.segments) == before
        assert shape(part(upper(document)), True) == shape(part(before), True)
    assert read_ > 100


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04damaged", "cannot be unpacked: File is not a zip file, expected a DOCX file"),
        (package("</w:p>"), "XML broken at column"),
        (package("").replace(b"word/document", b"word/dacument"), "no word/document.xml in it"),
        (package("<w:p>"), "mismatched tag"),
    ],
)  # fmt: skip
def test_damaged_packages(tmp_path, data, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, data, "docx")


def test_a_package_that_unpacks_to_too_much(tmp_path, monkeypatch):
    monkeypatch.setattr("tunesmith.formats.documents.docx.MAX_BYTES", 1000)
    with pytest.raises(InputError, match=r"bytes when unpacked, expected at most 1,000"):
        read(tmp_path, package("<w:p/>" * 1000), "docx")
    assert MAX_BYTES > 1000
