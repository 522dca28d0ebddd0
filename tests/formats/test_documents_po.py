"""Catalogues: only what lacks a translation changes, line by line."""

import codecs
import shutil
import subprocess

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


PLURAL = 'Plural-Forms: nplurals={}; plural={};\\n"\n'
ONE_FILE = 'msgid "one file"\nmsgid_plural "%d files"\n'


@pytest.mark.parametrize(
    ("rule", "message", "forms"),
    [
        # One form is for 1 alone; where it is for others too, it needs their number.
        ((2, "n != 1"), ONE_FILE, ["ONE FILE", "%d FILES"]),
        ((2, "n > 1"), ONE_FILE, ["%d FILES", "%d FILES"]),
        ((1, "0"), ONE_FILE, ["%d FILES"]),
        ((3, "n%10==1 ? 0 : n%10<5 ? 1 : 2"), 'msgid "%d file"\nmsgid_plural "%d files"\n',
         ["%d FILE", "%d FILES", "%d FILES"]),
    ],
)  # fmt: skip
def test_plural_forms_are_those_of_the_header(rule, message, forms):
    header = HEAD.format("UTF-8").replace('\\n"\n\n', '\\n"\n"' + PLURAL.format(*rule) + "\n")
    said = shouted(f'{header}#, c-format\n{message}msgstr[0] ""\n')
    assert said.split("#, fuzzy, c-format\n")[1] == message + "".join(
        f'msgstr[{number}] "{form}"\n' for number, form in enumerate(forms)
    )


def test_a_message_whose_directives_are_lost_stays_untranslated(caplog):
    document = PoDocument('#, c-format\nmsgid "%s a"\nmsgstr ""\n\nmsgid "b"\nmsgstr ""\n', "x.po")
    assert document.segments == ["{1} a", "b"]
    text = document.filled(["{1} {1} A", "B"])
    assert [one.msgstr for one in polib.pofile(text)] == ["", "B"]
    assert "#, c-format\n" in text
    assert "x.po: 1 message stays untranslated" in caplog.text


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="msgfmt of GNU gettext is not installed")
def test_msgfmt_accepts_whatever_order_search_has_chosen(tmp_path):
    messages = [
        ("c-format", "%s of %d %%\n"), ("c-format", "%-*s: %<PRIu64>%m"),
        ("python-format", "%(a)s %d"),
        ("python-brace-format", "{a} {b!r:>3}"), ("", "_Cancel"), ("", "Sa_ve\u2026"),
        ("perl-brace-format", "{a} {b}"), ("sh-format", "$a ${b}"), ("kde-format", "%1 of %2"),
    ]  # fmt: skip
    file = polib.POFile()
    file.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Language": "de"}
    for flag, message in messages:
        file.append(polib.POEntry(msgid=message, flags=[flag] if flag else []))
    document = PoDocument(str(file))
    # Words from the last to the first, with a stray sign between them.
    told = [" 5% ".join(reversed(segment.split(" "))) for segment in document.segments]
    path = tmp_path / "x.po"
    path.write_text(document.filled(told), encoding="utf-8")
    done = [one.msgstr for one in polib.pofile(str(path))]
    assert done[0] == "%% 5%% %2$d 5%% of 5%% %1$s\n"
    assert all(done)
    command = ["msgfmt", "-c", "--use-fuzzy", "--check-accelerators=_", "-o", "/dev/null", path]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    errors = [line for line in said.stderr.splitlines() if "header field" not in line]
    assert errors == []
    assert said.returncode == 0


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
