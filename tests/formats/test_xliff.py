import pytest

from tunesmith.base.errors import InputError
from tunesmith.formats.parallel import read_parallel
from tunesmith.formats.xliff import read_xliff

VERSION_1 = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file source-language="en" target-language="de" original="a.c" datatype="plaintext"><body>
<trans-unit id="1"><source>A <g id="1">bold</g> <x id="2"/>word &amp; | [X]</source>
  <seg-source><mrk mtype="seg" mid="0">not this</mrk></seg-source>
  <target state="translated">Ein <g id="1">fettes</g>
  <bpt id="3">{\\b</bpt>Wort<ept id="3">}</ept></target>
  <alt-trans><source>other</source><target>anderes</target></alt-trans></trans-unit>
<trans-unit id="2"><source>not translated</source></trans-unit>
<trans-unit id="3"><source>nor this</source><target/></trans-unit>
<group><trans-unit id="4"><source>two
   lines</source><target>zwei Zeilen</target></trans-unit></group>
</body></file></xliff>
"""

VERSION_2 = """<?xml version="1.0"?>
<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de"
 xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0">
<file id="f1"><unit id="u1">
<mtc:matches><mtc:match ref="#m1"><source>proposal</source><target>Vorschlag</target></mtc:match>
</mtc:matches>
<segment><source>Hello <pc id="1">world</pc><ph id="2"/>!</source>
<target>Hallo <pc id="1">Welt</pc>!</target></segment>
<ignorable><source> </source><target> </target></ignorable>
<segment><source><mrk id="m1" type="term">One</mrk> more</source>
<target>Noch eins</target></segment>
<segment state="initial"><source>open</source></segment>
</unit></file></xliff>
"""


@pytest.mark.parametrize(
    ("content", "pairs"),
    [
        (
            VERSION_1,
            [("A bold word & | [X]", "Ein fettes Wort"), ("two lines", "zwei Zeilen")],
        ),
        (VERSION_2, [("Hello world!", "Hallo Welt!"), ("One more", "Noch eins")]),
        ("<xliff version='1.2'/>", []),
    ],
)
@pytest.mark.parametrize("name", ["x.xlf", "x.xliff"])
def test_pairs(tmp_path, name, content, pairs):
    path = tmp_path / name
    path.write_text(content)
    assert list(read_parallel(path)) == pairs


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            VERSION_1[:-23],
            ":13: XML broken at column 1: no element found; the file is cut off or damaged",
        ),
        ("<tmx/>", ": no <xliff> element, expected an XLIFF file"),
        ("\n<xliff version='3.0'/>", ":2: XLIFF version 3.0, expected version 1.2 or 2.0"),
        ("<xliff/>", ":1: XLIFF version ?, expected version 1.2 or 2.0"),
        (
            "<xliff version='1.2'>\n<file></xliff>",
            ":2: XML broken at column 9: mismatched tag; the file is cut off or damaged",
        ),
    ],
)
def test_broken_files(tmp_path, content, message):
    path = tmp_path / "x.xlf"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        list(read_xliff(path))
    assert str(caught.value) == f"{path}{message}"
