import gettext
import io
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.texts import lines
from tunesmith.base.errors import InputError
from tunesmith.formats.parallel import read_parallel
from tunesmith.formats.po import read_mo, read_po
from tunesmith.formats.xml_stream import one_line

CATALOGUE = r"""# a translator
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#: a.c:12
msgctxt "menu"
msgid "Open \"file\"\n"
"now"
msgstr "\"Datei\"\tjetzt"
" \303\266ffnen"

#, fuzzy, c-format
msgid "not sure"
msgstr "unsicher"

msgid "%d house"
msgid_plural "%d houses"
msgstr[0] "%d Haus"
msgstr[1] "%d Häuser"
msgid "no empty line before"
msgstr "keine Leerzeile davor"
# next
msgid "not translated"
msgstr ""

#~ msgid "old"
#~ msgstr "alt"

msgid "<b> | [X] &amp; \\ 日本"
msgstr"👍🏽"
"""


def test_messages(tmp_path):
    path = tmp_path / "x.po"
    path.write_text(CATALOGUE.replace(r"\303\266", "ö"), encoding="utf-8")
    assert list(read_parallel(path)) == [
        ('Open "file" now', '"Datei"\tjetzt öffnen'),
        ("%d house", "%d Haus"),
        ("%d houses", "%d Häuser"),
        ("no empty line before", "keine Leerzeile davor"),
        ("<b> | [X] &amp; \\ 日本", "👍🏽"),
    ]


def test_other_charsets(tmp_path):
    path = tmp_path / "x.po"
    text = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\n'
    text += 'msgid "a"\nmsgstr "ä"\n'
    path.write_bytes(text.encode("latin-1"))
    assert list(read_po(path)) == [("a", "ä")]
    path.write_bytes(text.replace("ISO-8859-1", "CHARSET").encode("utf-8"))
    assert list(read_po(path)) == [("a", "ä")]


def escaped(text):
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")


@given(pairs=st.lists(st.tuples(lines(), lines()), max_size=5))
def test_every_text_survives(pairs, tmp_path_factory):
    path = tmp_path_factory.mktemp("po") / "x.po"
    pairs = [(s, t) for s, t in pairs if one_line(s) and one_line(t)]
    path.write_text(
        "\n".join(f'msgid "{escaped(s)}"\nmsgstr "{escaped(t)}"\n' for s, t in pairs),
        encoding="utf-8",
    )
    assert list(read_po(path)) == [(one_line(s), one_line(t)) for s, t in pairs]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'msgid "a"\nmsgstr "b\n', ":2: '\"b', expected a string in quotes"),
        (b'msgid "a"\nmsgstr b\n', ":2: 'b', expected a string in quotes"),
        (
            b'msgid "a"\nmsgid "b"\n',
            ":2: 'msgid \"b\"', expected msgid, msgstr, a quoted string or a comment",
        ),
        (
            b'msgstr "b"\n',
            ":1: 'msgstr \"b\"', expected msgid, msgstr, a quoted string or a comment",
        ),
        (
            b"\nhello world\n",
            ":2: 'hello world', expected msgid, msgstr, a quoted string or a comment",
        ),
        (b'"a"\n', ":1: '\"a\"', expected msgid, msgstr, a quoted string or a comment"),
        (b'msgid "a"\nmsgstr "\xfc"\n', ":2: byte 0xfc, expected utf-8, as its header says"),
        (
            b'msgid "a"\nmsgstr "\0"\n',
            ":2: a NUL byte, expected a PO file; a compiled catalogue is named .mo",
        ),
        (
            b'msgid ""\nmsgstr "charset=undefined"\n',
            ":1: byte 0x6d, expected undefined, as its header says",
        ),
        (
            b'msgid ""\nmsgstr "charset=klingon"\n',
            ": charset klingon, expected a known charset",
        ),
    ],
)
def test_broken_catalogues(tmp_path, content, message):
    path = tmp_path / "x.po"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(read_po(path))
    assert str(caught.value) == f"{path}{message}"


def compiled(messages, order="<"):
    """An MO file, by the layout in the manual of gettext."""
    messages = sorted((s.encode(), t.encode()) for s, t in messages.items())
    start = 28
    tables, strings = [], b""
    offset = start + 16 * len(messages)
    for side in (0, 1):
        for message in messages:
            tables.append(struct.pack(f"{order}II", len(message[side]), offset + len(strings)))
            strings += message[side] + b"\0"
    head = struct.pack(
        f"{order}IIIIIII", 0x950412DE, 0, len(messages), start, start + 8 * len(messages), 0, 0
    )
    return head + b"".join(tables) + strings


MESSAGES = {
    "": "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n",
    "menu\x04Open": "Öffnen",
    "%d house\0%d houses": "%d Haus\0%d Häuser",
    "two\nlines": "zwei\nZeilen",
    "empty": "",
}


@pytest.mark.parametrize("order", ["<", ">"])
def test_compiled_catalogues(tmp_path, order):
    path = tmp_path / "x.mo"
    path.write_bytes(compiled(MESSAGES, order))
    theirs = gettext.GNUTranslations(io.BytesIO(path.read_bytes()))
    assert theirs.pgettext("menu", "Open") == "Öffnen"  # the file is a good one
    assert theirs.ngettext("%d house", "%d houses", 2) == "%d Häuser"
    assert list(read_parallel(path)) == [
        ("%d house", "%d Haus"),
        ("%d houses", "%d Häuser"),
        ("Open", "Öffnen"),
        ("two lines", "zwei Zeilen"),
    ]


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_compiled_catalogue_cut_anywhere(tmp_path, order):
    path = tmp_path / "x.mo"
    whole = compiled(MESSAGES, order)
    for kept in range(4, len(whole) - 1):
        path.write_bytes(whole[:kept])
        with pytest.raises(InputError) as caught:
            list(read_mo(path))
        assert str(caught.value) == (
            f"{path}: strings beyond its end at {kept:,} bytes; the file is cut off or damaged"
        )


def test_files_that_are_no_catalogue(tmp_path):
    path = tmp_path / "x.mo"
    path.write_bytes(b"hello")
    with pytest.raises(InputError) as caught:
        list(read_mo(path))
    assert str(caught.value) == (
        f"{path}: not a compiled catalogue, expected an MO file; a text is named .po"
    )
    whole = bytearray(compiled(MESSAGES))
    whole[whole.index("Ö".encode())] = 0xFF
    path.write_bytes(whole)
    with pytest.raises(InputError, match=r"byte 0xff in message 4, expected UTF-8, as its header"):
        list(read_mo(path))
    whole = bytearray(compiled({}))
    whole[6] = 9
    path.write_bytes(whole)
    with pytest.raises(InputError, match=r"MO version 9, expected version 0 or 1"):
        list(read_mo(path))


@pytest.mark.parametrize(
    "comment",
    ["#ein Wort", "#.ein Wort", "#:a.c:1", "#,c-format", "#!x", "#=x", "##", "#~", '#|msgid "b"',
     '#~msgid "b"\n#~msgstr "c"\n'],
)  # fmt: skip
def test_comments_need_no_space(tmp_path, comment):
    path = tmp_path / "x.po"
    path.write_text(f'{comment}\nmsgid "a"\nmsgstr "d"\n')
    assert list(read_po(path)) == [("a", "d")]
