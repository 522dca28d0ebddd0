import tracemalloc
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.texts import lines
from tunesmith.base.errors import InputError
from tunesmith.formats.parallel import read_parallel
from tunesmith.formats.tmx import read_tmx, write_tmx
from tunesmith.formats.xml_stream import one_line

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="de-DE" datatype="plaintext"/><body>
"""


def unit(**variants):
    return (
        "<tu>"
        + "".join(
            f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'
            for language, text in variants.items()
        )
        + "</tu>\n"
    )


def write(path, body, head=HEAD):
    path.write_text(head + body + "</body></tmx>\n", encoding="utf-8")
    return path


def is_xml(text):
    return all(
        c in "\t" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" for c in text
    )


@given(pairs=st.lists(st.tuples(lines(), lines()), max_size=5))
def test_every_text_survives(pairs, tmp_path_factory):
    pairs = [(s, t) for s, t in pairs if is_xml(s + t) and one_line(s) and one_line(t)]
    path = tmp_path_factory.mktemp("tmx") / "x.tmx"
    root = ElementTree.Element("tmx", version="1.4")
    ElementTree.SubElement(root, "header", srclang="*all*")
    body = ElementTree.SubElement(root, "body")
    for pair in pairs:
        tu = ElementTree.SubElement(body, "tu")
        for language, text in zip(("de", "en"), pair, strict=True):
            tuv = ElementTree.SubElement(tu, "tuv", {"xml:lang": language})
            ElementTree.SubElement(tuv, "seg").text = text
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
    assert list(read_tmx(path)) == [(one_line(s), one_line(t)) for s, t in pairs]


def test_inline_elements_and_line_ends(tmp_path):
    path = write(
        tmp_path / "x.tmx",
        unit(
            de="Ein <bpt i='1'>{\\b <sub>innen</sub></bpt>fettes<ept i='1'>}</ept>\n"
            "   <hi>Wort</hi><ph x='1'/> &lt;b&gt; &amp; | [X]",
            en="A <it pos='begin'>x<hi>y</hi></it>bold <ut>{}</ut>word",
        ),
    )
    assert list(read_tmx(path)) == [("Ein fettes Wort <b> & | [X]", "A bold word")]


def test_languages(tmp_path, caplog):
    body = (
        unit(**{"en-GB": "colour", "de": "Farbe", "fr": "couleur"})
        + unit(**{"EN_us": "color", "DE-at": "Farbe 2"})
        + unit(fr="seul", en="alone")
    )
    path = write(tmp_path / "x.tmx", body)
    assert list(read_tmx(path, "de", "en")) == [("Farbe", "colour"), ("Farbe 2", "color")]
    assert "x.tmx: 1 of 3 units have no text in de or en and were passed over" in caplog.text
    assert list(read_tmx(path, "en-us", "de")) == [("color", "Farbe 2")]
    assert list(read_parallel(path, languages=("fr", "en"))) == [
        ("couleur", "colour"),
        ("seul", "alone"),
    ]
    with pytest.raises(InputError) as caught:
        list(read_tmx(path, "de", "it"))
    assert str(caught.value) == (
        f"{path}: no unit with the languages de and it, only DE-at, EN_us, de, en, en-GB, fr; "
        "name two languages of the file"
    )


@pytest.mark.parametrize(("body", "found"), [(unit(de="ja"), "de"), (unit(), "none")])
def test_one_language_is_not_enough(tmp_path, body, found):
    path = write(tmp_path / "x.tmx", body)
    with pytest.raises(InputError) as caught:
        list(read_tmx(path))
    assert str(caught.value) == f"{path}: text in one language at most: {found}, expected in two"


def test_without_languages_the_file_decides(tmp_path):
    body = unit(en="a", de="b") + unit(de="c", en="d")
    head = HEAD.replace("de-DE", "en")
    assert list(read_tmx(write(tmp_path / "1.tmx", body, head))) == [("a", "b"), ("d", "c")]
    head = HEAD.replace("de-DE", "*all*").replace("</header>", "")
    assert list(read_tmx(write(tmp_path / "2.tmx", body, head))) == [("a", "b"), ("d", "c")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            HEAD + unit(de="a", en="b & c"),
            ":4: XML broken at column 69: not well-formed (invalid token); "
            "the file is cut off or damaged",
        ),
        (
            HEAD + unit(de="a", en="b"),
            ":5: XML broken at column 1: no element found; the file is cut off or damaged",
        ),
        ("", ":1: XML broken at column 1: no element found; the file is cut off or damaged"),
        (
            HEAD + "<tu></tuv>",
            ":4: XML broken at column 7: mismatched tag; the file is cut off or damaged",
        ),
        (
            '<?xml version="1.0" encoding="klingon"?><tmx/>',
            ":1: an encoding that cannot be read: unknown encoding: klingon, "
            "expected UTF-8 or UTF-16",
        ),
        (
            '<?xml version="1.0" encoding="big5"?><tmx/>',
            ":1: an encoding that cannot be read: multi-byte encodings are not supported, "
            "expected UTF-8 or UTF-16",
        ),
        ("<html></html>", ": no <tmx> element, expected a translation memory"),
        (
            '<!DOCTYPE x [\n<!ENTITY a "aaaa">\n]><tmx></tmx>',
            ":2: an entity declaration, expected none",
        ),
        (
            HEAD + unit(de="a\0", en="b"),
            ":4: XML broken at column 30: not well-formed (invalid token); "
            "the file is cut off or damaged",
        ),
    ],
)
def test_broken_files(tmp_path, content, message):
    path = tmp_path / "x.tmx"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        list(read_tmx(path))
    assert str(caught.value) == f"{path}{message}"


def test_what_is_written_is_read_again(tmp_path):
    pairs = [("a < b & c", 'say "x"'), ("  zwei  Leerzeichen ", "ünïcode 😀"), ("<t>", "]]>")]
    write_tmx(pairs, tmp_path / "out.tmx", "de", "en")
    assert list(read_tmx(tmp_path / "out.tmx")) == list(read_tmx(tmp_path / "out.tmx", "de", "en"))
    found = list(read_tmx(tmp_path / "out.tmx"))
    assert [tuple(" ".join(side.split()) for side in pair) for pair in found] == [
        tuple(" ".join(side.split()) for side in pair) for pair in pairs
    ]
    write_tmx([("a\x0bb\ufffe", "c")], tmp_path / "out.tmx", "de", "en")
    assert list(read_tmx(tmp_path / "out.tmx")) == [("ab", "c")]


def test_memory_does_not_grow_with_the_file(tmp_path):
    def peak(units):
        path = write(
            tmp_path / "x.tmx", unit(de=escape("ein Satz & mehr " * 10), en="words") * units
        )
        tracemalloc.start()
        count = sum(1 for _ in read_tmx(path))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == units
        return used

    small = peak(4_000)  # a little more than a block
    assert peak(12_000) < 1.5 * small
