"""XLIFF and TMX as the tools of translators write them."""

import codecs
import logging
import re
from xml.etree import ElementTree

import pytest

from tunesmith.base.errors import InputError
from tunesmith.formats.documents import read_document

MARKS = 'state="needs-review-translation" state-qualifier="mt-suggestion"'
MARKS_2 = 'state="translated" subState="mt:unreviewed"'


def read(tmp_path, text, format="xliff", languages=("de", "en")):
    path = tmp_path / "x"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_document(path, format, languages)


def filled(document):
    return document.filled([segment.upper() for segment in document.segments])


def unit(content, attributes=""):
    return (
        '<xliff version="1.2"><file source-language="de" target-language="en"><body>'
        f"<trans-unit{attributes}>{content}</trans-unit></body></file></xliff>"
    )


@pytest.mark.parametrize(
    ("content", "segments", "target"),
    [
        # Attributes of an empty target stay, its state does not.
        ('<source>hund</source><target state="new" xml:lang="en"/>', ["hund"],
         f'<target xml:lang="en" {MARKS}>HUND</target>'),
        # What a program has copied for somebody to write over is no translation.
        ('<source>hund</source><target state="needs-translation"> hund </target>', ["hund"],
         f"<target {MARKS}>HUND</target>"),
        ("<source><![CDATA[hund <b>da</b> & ]]></source>", ["hund <b>da</b> &"],
         f"<target {MARKS}><![CDATA[HUND <B>DA</B> & ]]></target>"),
        ("<source>hund <![CDATA[& <x>]]></source>", ["hund &amp; &lt;x&gt;"],
         f"<target {MARKS}>HUND &amp;AMP; &amp;LT;X&amp;GT;</target>"),
        # Marks of sentences are in the target, too.
        ('<source>hund</source><seg-source><mrk mid="0">hund</mrk></seg-source>',
         ['<mrk mid="0">hund</mrk>'], f'<target {MARKS}><MRK MID="0">HUND</MRK></target>'),
        ('<source>hund</source><seg-source><mrk mid="0">hund</mrk></seg-source>'
         '<target><mrk mid="0"></mrk> <mrk mid="1"/></target>',
         ['<mrk mid="0">hund</mrk>'], f'<target {MARKS}><MRK MID="0">HUND</MRK></target>'),
        ("<source> hund\n haus </source>", ["hund haus"], f"<target {MARKS}> HUND HAUS </target>"),
        ('<source xml:space="preserve"> hund\n\n haus </source>', ["hund", "haus"],
         f'<target xml:space="preserve" {MARKS}> HUND\n\n HAUS </target>'),
        ("<source>hund&#10; haus&#xA;</source>", ["hund", "haus"],
         f"<target {MARKS}>HUND&#10; HAUS&#xA;</target>"),
        ('<source xml:space="preserve">hund <ph id="1">a\nb</ph>\n12</source>',
         ['hund <ph id="1">a b</ph>'],
         f'<target xml:space="preserve" {MARKS}>HUND <PH ID="1">A B</PH>\n12</target>'),
    ],
)  # fmt: skip
def test_targets_of_units(tmp_path, content, segments, target):
    text = unit(content)
    document = read(tmp_path, text)
    assert document.segments == segments
    said = filled(document)
    written = re.search(r"<target.*</target>", said, re.DOTALL)[0]
    assert written == target
    without = re.sub(r"<target[^<>]*/>|<target.*?</target>", "", text, flags=re.DOTALL)
    assert said.replace(target, "") == without


@pytest.mark.parametrize(
    "content",
    [
        "<source>hund</source><target>hund</target>",
        '<source>hund</source><target state="new">dog</target>',
        '<source>hund</source><target state="final">hund</target>',
        '<source><ph id="1">&lt;br/></ph> <x id="hund"/></source>',
    ],
)
def test_units_that_stay(tmp_path, content):
    document = read(tmp_path, unit(content))
    assert document.segments == []
    assert document.filled([]) == unit(content)


def test_what_is_not_to_be_translated_stays(tmp_path):
    text = unit("<source>hund</source>", ' approved="yes"')
    assert read(tmp_path, text).segments == ["hund"]
    text = unit("<source>hund</source><target/>", ' approved="yes"')
    assert read(tmp_path, text).segments == []
    one, other = (
        f"<trans-unit{a}><source>hund</source></trans-unit>" for a in ("", ' translate="yes"')
    )
    text = f'<xliff version="1.2"><group translate="no">{one}{other}</group></xliff>'
    assert filled(read(tmp_path, text)).count("<target") == 1
    text = (
        '<xliff version="2.0" trgLang="en"><file><unit translate="no"><segment><source>hund'
        "</source></segment></unit></file></xliff>"
    )
    assert filled(read(tmp_path, text)) == text


def test_names_with_a_prefix(tmp_path):
    text = (
        '<x:xliff version="1.2" xmlns:x="urn:x"><x:trans-unit><x:source>hund</x:source>'
        "</x:trans-unit></x:xliff>"
    )
    unit = next(ElementTree.fromstring(filled(read(tmp_path, text))).iter("{urn:x}trans-unit"))
    assert unit.find("{urn:x}target").text == "HUND"


def test_states_apart_from_each_other(tmp_path):
    text = (
        '<xliff version="2.0" trgLang="en"><segment state="initial" id="s" subState="a:b">'
        "<source>hund</source><target>hund</target></segment></xliff>"
    )
    assert filled(read(tmp_path, text)) == text.replace(
        'state="initial" id="s" subState="a:b"', f'id="s" {MARKS_2}'
    ).replace("<target>hund", "<target>HUND")


def test_languages_of_files(tmp_path, caplog):
    text = '<xliff version="2.0" srcLang="de"><segment><source>hund</source></segment></xliff>'
    assert 'srcLang="de" trgLang="en">' in filled(read(tmp_path, text))
    # Only of files in which something is translated, and not where nobody knows it.
    files = [
        f"<file><trans-unit><source>{one}</source></trans-unit></file>" for one in ("12", "hund")
    ]
    text = f'<xliff version="1.2">{"".join(files)}</xliff>'
    assert '<file target-language="en"><trans-unit><source>hund' in filled(read(tmp_path, text))
    assert filled(read(tmp_path, text)).count("target-language") == 1
    assert "target-language" not in filled(read(tmp_path, text, languages=(None, None)))
    with caplog.at_level(logging.WARNING, "tunesmith"):
        read(tmp_path, unit("<source>hund</source>"), languages=("de-AT", "EN_us"))
        assert not caplog.messages
        read(tmp_path, unit("<source>hund</source>"), languages=("de", "fr"))
    assert caplog.messages == [f"{tmp_path}/x: target-language is en, and the model's fr"]


MEMORY = """<?xml version="1.0" encoding="{encoding}"?>
<tmx version="1.1"><header srclang="FR"/><body>
<tu><tuv lang="FR"><seg>grève</seg></tuv></tu>
<tu><tuv lang="FR"><seg>été</seg></tuv><tuv lang="DE-AT"><seg>Jänner</seg></tuv>
</tu></body></tmx>
"""


def test_memories_of_several_languages(tmp_path):
    text = MEMORY.format(encoding="utf-8")
    document = read(tmp_path, text, "tmx")
    # The model's language is translated, whatever else there is.
    assert document.segments == ["Jänner"]
    added = '</tuv><tuv lang="en"><prop type="x-mt">tunesmith</prop><seg>JÄNNER</seg></tuv>\n</tu>'
    assert filled(document) == text.replace("</tuv>\n</tu>", added)
    with pytest.raises(InputError) as caught:
        read(tmp_path, text, "tmx", ("it", "en"))
    assert str(caught.value) == (
        f"{tmp_path}/x: no unit in it, only DE-AT, FR, expected the model's source; a model's "
        "languages are corrected by `tunesmith model set-language`"
    )


@pytest.mark.parametrize(
    ("declared", "encoding", "mark"),
    [
        ("utf-16", "utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16", "utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-16", "utf-16-le", b""),
        ("utf-8", "utf-8", codecs.BOM_UTF8),
        ("iso-8859-1", "iso-8859-1", b""),
    ],
)
def test_files_keep_their_encoding(tmp_path, declared, encoding, mark):
    text = MEMORY.format(encoding=declared)
    document = read(tmp_path, mark + text.encode(encoding), "tmx")
    said = document.encoded(["January – 1"])
    assert said.startswith(mark)
    dash = "&#8211;" if declared == "iso-8859-1" else "–"
    assert f"<seg>January {dash} 1</seg>" in said.removeprefix(mark).decode(encoding)
    assert ElementTree.fromstring(said).findall(".//seg")[-1].text == "January – 1"
    assert read(tmp_path, said, "tmx").segments == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'<?xml version="1.0" encoding="x-none"?>',
         ":1: encoding x-none, expected a known one, such as UTF-8"),
        (b'<?xml version="1.0" encoding="ascii"?>\n<tmx>\xe4',
         ":2: byte 0xe4, expected ascii, as its declaration says"),
        (b"\xff\xfe<\0t\0", ":1: XML broken at column 1: unclosed token; the file is cut off or "
         "damaged"),
        (b"\xff\xfe<\0t\0>", ":1: byte 0x3e, expected utf-16-le, as its mark says"),
        (b"\xff\xfe<\0\0\0", ":1: a NUL character, expected text"),
        (b'<?xml version="1.0" encoding="utf-16"?><tmx/>',
         ":1: encoding utf-16 in a file that is not, expected utf-8"),
    ],
)  # fmt: skip
def test_encodings_that_are_none(tmp_path, data, message):
    with pytest.raises(InputError) as caught:
        read(tmp_path, data, "tmx")
    assert str(caught.value) == f"{tmp_path}/x{message}"


def test_versions_that_there_are_not(tmp_path):
    with pytest.raises(InputError) as caught:
        read(tmp_path, '\n<xliff version="9"/>')
    assert str(caught.value) == f"{tmp_path}/x:2: XLIFF version 9, expected version 1.2 or 2.0"


def test_groups_as_deep_as_anybody_likes(tmp_path):
    depth = 3000
    unit = "<trans-unit><source>hund</source></trans-unit>"
    text = f'<xliff version="1.2">{"<group>" * depth}{unit}{"</group>" * depth}</xliff>'
    assert read(tmp_path, text).segments == ["hund"]


def test_labels_are_translated_without_their_accelerators(tmp_path):
    labels = ["&amp;Cancel", "E&amp;xit &lt;now&gt;", "AT&amp;T"]
    units = "".join(f"<trans-unit><source>{label}</source></trans-unit>" for label in labels)
    text = f'<xliff version="1.2"><file><body>{units}</body></file></xliff>'
    path = tmp_path / "x.xlf"
    path.write_text(text)
    document = read_document(path, "xliff")
    assert document.segments == ["Cancel", "Exit &lt;now&gt;", "AT&amp;T"]
    filled = document.filled(["Abbruch", "取消 &lt;现在&gt;", "AT&amp;T"])
    targets = [one.text for one in ElementTree.fromstring(filled).iter("target")]
    assert targets == ["Abbru&ch", "取消 <现在>(&X)", "AT&T"]
