"""Lists of terms, TSV and TBX: what they say, and what is wrong with broken ones."""

import gzip
import tracemalloc
from contextlib import suppress
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.tbx import read_tbx
from tunesmith.formats.terms import TermList, read_term_list

BASIC = """<?xml version='1.0'?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX-Basic" xml:lang="en"><martifHeader><fileDesc><sourceDesc><p>x</p></sourceDesc>
</fileDesc></martifHeader><text><body>
{}</body></text></martif>
"""
VERSION_3 = """<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Min" style="dct" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"
 xmlns:min="http://www.tbxinfo.net/ns/min"><tbxHeader/><text><body>
{}</body></text></tbx>
"""


def entry(*terms):
    """An entry of TBX-Basic; terms are (language, text, status)."""
    sets = "".join(
        f'<langSet xml:lang="{language}"><tig><term>{escape(text)}</term>'
        + (f'<termNote type="administrativeStatus">{status}</termNote>' if status else "")
        + "</tig></langSet>\n"
        for language, text, status in terms
    )
    return f'<termEntry id="c1"><descrip type="subjectField">x</descrip>{sets}</termEntry>\n'


def concept(*terms):
    """The same of version 3, in the other style."""
    sections = "".join(
        f'<langSec xml:lang="{language}"><termSec><term>{escape(text)}</term>'
        + (f"<min:administrativeStatus>{status}</min:administrativeStatus>" if status else "")
        + "</termSec></langSec>"
        for language, text, status in terms
    )
    return f'<conceptEntry id="c1">{sections}</conceptEntry>'


def read(tmp_path, text, *languages):
    path = tmp_path / "terms"
    path.write_text(text, encoding="utf-8")
    return read_term_list(path, *languages)


def test_lines(tmp_path):
    text = (
        "# notes\nHaus\thouse\n\n  Hund \t dog\ta note\tmore\n!cottage\n! old hut \n!a\tb\n#x\ty\n"
    )
    assert read(tmp_path, text) == TermList(
        [("Haus", "house"), ("Hund", "dog"), ("!a", "b"), ("#x", "y")], ["cottage", "old hut"]
    )


@pytest.mark.parametrize(
    ("header", "languages", "is_header"),
    [
        ("source\ttarget", (), True),
        ("Source Term\tTarget Term\tNote", (), True),
        ("de\ten", ("de", "en"), True),
        ("de-AT\ten-GB", ("de", "en"), True),
        ("de\ten", (), False),
        ("de\ten", ("fr", "en"), False),
        ("Source\tQuelle", (), False),
    ],
)
def test_headers(tmp_path, header, languages, is_header):
    found = read(tmp_path, f"{header}\nHaus\thouse\n", *languages)
    assert len(found.pairs) == (1 if is_header else 2)


def test_windows_files_and_packed_ones(tmp_path):
    path = tmp_path / "terms.gz"
    path.write_bytes(gzip.compress("\ufeffHaus\thouse\r\n!hut\r\n".encode()))
    assert read_term_list(path) == TermList([("Haus", "house")], ["hut"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\nHaus\n", "2: 'Haus' without a tab, expected a source and a target with a tab "
         "between them, or !word"),
        ("Haus\t\n", "1: an empty target, expected a word at least"),
        ("\thouse\n", "1: an empty source, expected a word at least"),
        ("x\ty\n!\n", "2: ! without a word, expected !word"),
        ("x\ty\nz\0\tz\n", "2: a NUL byte at column 2, expected UTF-8 text; is it a binary file, "
         "or text in UTF-16?"),
    ],
)  # fmt: skip
def test_broken_lines(tmp_path, text, message):
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert str(caught.value) == f"{tmp_path}/terms:{message}"


def test_a_file_without_terms_is_told_of(tmp_path, caplog):
    assert read(tmp_path, "# nothing\n") == TermList()
    assert f"{tmp_path}/terms: no terms" in caplog.text


ENTRIES = [
    [("de", "Festplatte", ""), ("en", "hard disk", "admittedTerm-admn-sts"),
     ("en-GB", "hard drive", "preferredTerm-admn-sts"), ("en", "disc", "deprecatedTerm-admn-sts")],
    [("de-AT", "Jänner", ""), ("de", "Januar", "supersededTerm-admn-sts"), ("en", "January", "")],
    [("en", "old & <bad>", "supersededTerm-admn-sts"), ("fr", "x", "")],
    [("fr", "maison", ""), ("de", "Haus", "")],
]  # fmt: skip


@pytest.mark.parametrize(("file", "one"), [(BASIC, entry), (VERSION_3, concept)])
def test_termbases(tmp_path, caplog, file, one):
    text = file.format("".join(one(*terms) for terms in ENTRIES))
    found = read(tmp_path, text, "de", "en")
    assert found.pairs == [
        ("Festplatte", "hard drive"),
        ("Jänner", "January"),
        ("Januar", "January"),
    ]
    assert found.forbidden == ["disc", "old & <bad>"]
    assert "1 of 4 entries have no terms in de or en and were passed over" in caplog.text
    assert read(tmp_path, text, "de", "fr").pairs == [("Haus", "maison")]
    # A language that is not known is the first other one.
    assert read(tmp_path, text, None, "en").pairs == found.pairs
    assert read(tmp_path, text, "de", None).pairs == found.pairs


def test_groups_notes_and_inline_markup(tmp_path):
    body = """<termEntry><langSet xml:lang="de"><ntig><termGrp><term>ein
      <hi type="x">kleines</hi> Haus</term><termNote type="partOfSpeech">noun</termNote></termGrp>
      </ntig></langSet><langSet xml:lang="en"><tig><term>cottage</term>
      <termNote type="normativeAuthorization">deprecatedTerm</termNote></tig><tig>
      <term>small house</term><note>not <hi>hut</hi></note></tig></langSet></termEntry>"""
    assert read(tmp_path, BASIC.format(body), "de", "en") == TermList(
        [("ein kleines Haus", "small house")], ["cottage"]
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<html></html>", ": no <martif> or <tbx> element, expected a termbase in TBX"),
        (BASIC.format(entry(("fr", "a", ""), ("it", "b", ""))), ": no terms in the languages de "
         "and en, only fr, it; name two languages of the file"),
        ("<martif><text>", ":1: XML broken at column 15: no element found; the file is cut off or "
         "damaged"),
        ("<martif>\n</tbx>", ":2: XML broken at column 3: mismatched tag; the file is cut off or "
         "damaged"),
        ('<!DOCTYPE m [<!ENTITY a "b">]><martif>&a;</martif>', ":1: an entity declaration, "
         "expected none"),
        ('<?xml version="1.0" encoding="none"?><martif/>', ":1: an encoding that cannot be read: "
         "unknown encoding: none, expected UTF-8 or UTF-16"),
    ],
)  # fmt: skip
def test_broken_termbases(tmp_path, text, message):
    with pytest.raises(InputError) as caught:
        read(tmp_path, text, "de", "en")
    assert str(caught.value) == f"{tmp_path}/terms{message}"


def test_termbases_and_lines_in_utf_16(tmp_path):
    path = tmp_path / "terms"
    text = VERSION_3.replace(' encoding="UTF-8"', "")
    one = concept(("de", "Straße", ""), ("en", "street", ""))
    for code in ("utf-16-le", "utf-16-be"):
        path.write_bytes(("\ufeff" + text.format(one)).encode(code))
        assert read_term_list(path, "de", "en").pairs == [("Straße", "street")]
    path.write_bytes("\ufeffHaus\thouse\n".encode("utf-16-le"))
    with pytest.raises(InputError) as caught:
        read_term_list(path)
    assert str(caught.value) == (
        f"{path}:1: byte 0xff at column 1, expected UTF-8; convert the file with "
        "`iconv -f utf-16 -t utf-8`"
    )


def test_a_termbase_needs_a_language(tmp_path):
    with pytest.raises(OptionError) as caught:
        read(tmp_path, BASIC.format(""))
    assert str(caught.value) == (
        f"{tmp_path}/terms is TBX, and the model does not know its languages; name them with "
        "--term-languages, or as source and target of Terms.read"
    )


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError) as caught:
        read_term_list(tmp_path / "none")
    assert str(caught.value) == f"{tmp_path}/none: cannot be read: No such file or directory"


@given(st.binary(max_size=60))
def test_no_bytes_break_a_reader(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("t") / "terms"
    for begin in (b"", b"<martif>", b"a\tb\n"):
        path.write_bytes(begin + data)
        with suppress(InputError):
            read_term_list(path, "de", "en")


def test_large_termbases_are_read_as_a_stream(tmp_path):
    path = tmp_path / "terms"
    one = entry(("de", "Haus", ""), ("en", "house", ""))
    path.write_text(BASIC.format(one * 30_000))
    tracemalloc.start()
    assert sum(1 for _ in read_tbx(path, "de", "en")) == 30_000
    assert tracemalloc.get_traced_memory()[1] < path.stat().st_size
    tracemalloc.stop()
