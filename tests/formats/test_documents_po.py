"""Catalogues: only what lacks a translation changes, line by line."""

import codecs

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.formats.documents import read_document
from tunesmith.formats.documents.catalogue import PoDocument

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset={}\\n"\n\n'


def shouted(text):
    document = PoDocument(text)
    return document.filled([segment.upper() for segment in document.segments])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Nothing is wrapped anew, moved or dropped.
        (f'msgid "{"lang " * 30}"\nmsgstr "{"long " * 30}"\n', None),
        ('#~| msgid "alt"\n#~ msgid "alt"\n#~ msgstr "old"\n\nmsgid "a"\nmsgstr "b"\n', None),
        ('msgid "12"\nmsgstr ""\n', None),
        ("", None),
        # Flags stand behind other comments, before what the message was.
        ('#: a.c:1\n#| msgid "x"\nmsgctxt "c"\nmsgid "a"\nmsgstr ""\n',
         '#: a.c:1\n#, fuzzy\n#| msgid "x"\nmsgctxt "c"\nmsgid "a"\nmsgstr "A"\n'),
        ('#,c-format\nmsgid "a"\nmsgstr ""', '#, fuzzy,c-format\nmsgid "a"\nmsgstr "A"'),
        # What somebody has translated of a plural stays.
        ('msgid "a"\nmsgid_plural "b"\nmsgstr[0] "one"\nmsgstr[1] ""\n',
         '#, fuzzy\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "one"\nmsgstr[1] "B"\n'),
        ('msgid "a"\r\nmsgstr ""\r\n', '#, fuzzy\r\nmsgid "a"\r\nmsgstr "A"\r\n'),
        # Line ends, tabs and the white space around them are those of the message.
        ('msgid ""\n"a b\\n"\n"  c\\td "\nmsgstr ""\n""\n\n',
         '#, fuzzy\nmsgid ""\n"a b\\n"\n"  c\\td "\nmsgstr ""\n"A B\\n"\n"  C\\tD "\n\n'),
        ('msgid "a \\"b\\" \\\\ c"\nmsgstr ""\n',
         '#, fuzzy\nmsgid "a \\"b\\" \\\\ c"\nmsgstr "A \\"B\\" \\\\ C"\n'),
        # A string that nobody has written yet.
        ('msgid "a"\n', '#, fuzzy\nmsgid "a"\nmsgstr "A"\n'),
    ],
)  # fmt: skip
def test_only_new_translations_change(before, after):
    before, after = (HEAD.format("UTF-8") + (one or before) for one in (before, after))
    assert shouted(before) == after


def test_long_translations_are_wrapped():
    source = "wort " * 40
    said = shouted(f'#, c-format\nmsgid "{source}"\nmsgstr ""\n').split("\n")
    assert said[2] == 'msgstr ""'
    assert all(len(line) <= 79 for line in said[3:])
    assert polib.pofile("\n".join(said))[0].msgstr == source.upper()
    said = shouted(f'#, no-wrap\nmsgid "{source}"\nmsgstr ""\n')
    assert f'msgstr "{source.upper()}"' in said


@pytest.mark.parametrize(
    ("charset", "mark"), [("ISO-8859-1", b""), ("UTF-8", codecs.BOM_UTF8), ("CHARSET", b"")]
)
def test_charsets_stay(tmp_path, charset, mark):
    text = HEAD.format(charset) + '# Übersetzer\nmsgid "Müll"\nmsgstr ""\n'
    encoding = "utf-8" if charset == "CHARSET" else charset
    path = tmp_path / "x.po"
    path.write_bytes(mark + text.encode(encoding))
    document = read_document(path, "po")
    said = text.replace('msgid "M', '#, fuzzy\nmsgid "M').removesuffix('msgstr ""\n')
    said += 'msgstr "Ö"\n'
    assert document.encoded(["Ö"]) == mark + said.encode(encoding)
    if charset == "ISO-8859-1":  # which has no such letter
        said = said.replace('"Ö"', '"Ł"').replace(charset, "UTF-8")
        assert document.encoded(["Ł"]) == said.encode()


@given(
    st.lists(st.text(alphabet='ab \n\t"\\é%', max_size=100), min_size=1, max_size=3, unique=True)
)
def test_any_message_is_read_again(messages):
    file = polib.POFile()
    file.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    for message in messages:
        if message:
            file.append(polib.POEntry(msgid=message))
    document = PoDocument(str(file))
    again = polib.pofile(document.filled(document.segments))
    assert [one.msgid for one in again] == [one.msgid for one in file]
    for entry in again:
        has_words = any(letter.isalpha() for letter in entry.msgid)
        assert entry.msgstr == (entry.msgid if has_words else "")
        assert entry.fuzzy == has_words
