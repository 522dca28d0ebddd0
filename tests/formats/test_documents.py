"""Documents: what is to be translated of them, and that everything else stays as it is."""

import html
import random
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.documents import FORMATS, format_of, read_document
from tunesmith.formats.documents.html import html_document
from tunesmith.formats.documents.markdown import markdown_document
from tunesmith.formats.documents.xml import escaped

PAGE = """<!DOCTYPE html>
<html lang="de"><head><title>Hund &amp; Haus</title>
<style>p > b { color: red }</style>
<script>if (a < b && c > d) alert("Hund");</script></head>
<!-- ein Kommentar -->
<h1 id=h>Der   <em>kleine</em>
   Hund</h1>
<p>Die <a href="x?a=1&amp;b=2">Frau <b>sieht</b></a> sch&ouml;n&nbsp;aus.<br>Ja!
<ul><li>Das Haus<li>Ein <code>haus()</code></ul>
<pre>Der Hund
  schläft</pre>
<div class="x notranslate"><p>Nicht</p> dies</div><table><tr><td>12:30<td>Tag</table>
<img alt="Haus" src="a.png"> &copy; 2024"""


def filled(document):
    return document.filled([segment.upper() for segment in document.segments])


def test_text_of_a_page():
    assert html_document(PAGE).segments == [
        "Hund &amp; Haus",
        "Der <em>kleine</em> Hund",
        'Die <a href="x?a=1&amp;b=2">Frau <b>sieht</b></a> schön&nbsp;aus.',
        "Ja!",
        "Das Haus",
        "Ein <code>haus()</code>",
        "Tag",
        "Haus",
    ]


class Events(HTMLParser):
    """A page as a browser sees it, spaces as one."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.text = [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(attrs)))

    def handle_endtag(self, tag):
        self.tags.append(("/" + tag,))

    def handle_data(self, data):
        self.text += data


def same(one, other):
    one, other = Events(one), Events(other)
    return one.tags == other.tags and one.text.split() == other.text.split()


def test_a_page_with_its_own_text_is_the_same_page():
    document = html_document(PAGE)
    again = document.filled(document.segments)
    assert same(again, PAGE)
    begin = PAGE.index("<h1")
    assert again[:begin] == PAGE[:begin]  # byte by byte where nothing was translated


PIECES = [
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<br>",
    "a",
    " ",
    "\n",
    "&amp;",
    "&",
    "<",
    ">",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "é",
    "<a href='x'>",
    "</a>",
    "<pre>",
    "</pre>",
    "&#228;",
    "<!",
    "<?",
]


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_no_page_is_too_broken(text):
    document = html_document(text)
    # Only what a parser takes for text has been taken.
    for begin, end in document.spans:
        assert text[begin:end].strip() == text[begin:end] != ""
    assert document.filled([text[b:e] for b, e in document.spans]) == text


MARKDOWN = """---
title: Hund
---
# Das *kleine* Haus

Der Mann sieht
das **Haus**. [Ja](https://a.org/b_(c)).

> Der Hund
> schläft.

- Haus␣␣
  klein
- Frau

```
der = hund
```

| Haus | Hund |
|------|-----:|
| Maus | `x` Maus |

    Code

Ende\\
Haus
""".replace("␣", " ")


def test_text_of_markdown():
    document = markdown_document(MARKDOWN)
    assert document.segments == [
        "Das *kleine* Haus", "Der Mann sieht das **Haus**. [Ja](https://a.org/b_(c)).",
        "Der Hund schläft.", "Haus", "klein", "Frau", "Haus", "Hund", "Maus", "`x` Maus", "Ende",
        "Haus",
    ]  # fmt: skip
    kinds = [token.type for token in MarkdownIt().enable("table").parse(MARKDOWN)]
    again = document.filled(document.segments)
    assert [token.type for token in MarkdownIt().enable("table").parse(again)] == kinds
    assert again.startswith("---\ntitle: Hund\n---\n# Das *kleine* Haus\n")
    assert again.endswith("    Code\n\nEnde\\\nHaus\n")


@given(st.text(alphabet="ab *_`>#-|\n\\[]()1.é~", max_size=60))
def test_no_markdown_is_too_broken(text):
    document = markdown_document(text)
    assert document.filled([text[b:e] for b, e in document.spans]) == text


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


SUBTITLES = (
    "1\r\n00:00:01,000 --> 00:00:02,000\r\nDer Mann sieht\r\ndas Haus.\r\n\r\n"
    "2\r\n00:00:03,000 --> 00:00:04,000\r\n- <i>Hund!</i>\r\n- Ja!\r\n\r\n"
    "3\r\n00:00:05,000 --> 00:00:06,000\r\n♪\r\n"
)


def test_subtitles(tmp_path):
    document = read_document(write(tmp_path, "x.srt", SUBTITLES), "srt")
    # The dash of who speaks is none of the sentence's.
    assert document.segments == ["Der Mann sieht das Haus.", "<i>Hund!</i>", "Ja!"]
    said = document.filled(["One two three four", "A", "B"])
    assert said == SUBTITLES.replace(
        "Der Mann sieht\r\ndas Haus.", "One two\r\nthree four"
    ).replace("<i>Hund!</i>", "A").replace("Ja!", "B")


def test_marks_of_speakers_and_songs(tmp_path):
    cue = "1\n00:00:01,000 --> 00:00:02,000\n–Ja!\n♪ Der Hund\n-5 Grad\n—\n"
    document = read_document(write(tmp_path, "x.srt", cue), "srt")
    assert document.segments == ["Ja!", "Der Hund -5 Grad —"]
    assert document.filled(["A", "b c d e"]) == cue.replace("Ja!", "A").replace(
        "Der Hund\n-5 Grad\n—", "b c\nd\ne"
    )


def test_subtitles_of_the_web(tmp_path):
    text = "WEBVTT\n\nNOTE Hund\n\n00:01.000 --> 00:02.000 align:left\nHund\n"
    document = read_document(write(tmp_path, "x.vtt", text), "srt")
    assert document.filled(["Dog"]) == text.replace("left\nHund", "left\nDog")


CATALOGUE = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

#: a.c:1
#, c-format
msgid "Der %d\\n"
msgstr ""

msgid "Mann"
msgstr "human"

#, fuzzy
msgid "Frau"
msgstr "women"

msgid "%d Haus"
msgid_plural "%d Hauser"
msgstr[0] ""
msgstr[1] ""

#~ msgid "alt"
#~ msgstr "old"
"""


def test_catalogues(tmp_path):
    document = read_document(write(tmp_path, "x.po", CATALOGUE), "po")
    assert document.segments == ["Der {1}", "%d Haus", "%d Hauser"]
    entries = {one.msgid: one for one in polib.pofile(filled(document))}
    assert entries["Der %d\n"].msgstr == "DER %d\n"
    assert entries["Der %d\n"].flags == ["fuzzy", "c-format"]
    assert entries["%d Haus"].msgstr_plural == {0: "%D HAUS", 1: "%D HAUSER"}
    assert entries["%d Haus"].fuzzy
    assert (entries["Mann"].msgstr, entries["Mann"].flags) == ("human", [])
    assert entries["Frau"].msgstr == "women"
    assert entries["alt"].obsolete


XLIFF = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2"><file><body>
<trans-unit id="1"><source>Der <g id="1">Hund</g> schl&#228;ft &amp; sieht &lt;x&gt;.</source>
</trans-unit>
<trans-unit id="2"><source>Das Haus</source><target>The home</target></trans-unit>
<trans-unit id="3"><source>Frau <ph id="1">&lt;br/></ph> da</source><target/></trans-unit>
<trans-unit id="4" translate="no"><source>Das Haus</source></trans-unit>
<trans-unit id="5"><source>12:30</source></trans-unit>
</body></file></xliff>
"""


def test_xliff(tmp_path):
    document = read_document(write(tmp_path, "x.xlf", XLIFF), "xliff")
    assert document.segments == [
        'Der <g id="1">Hund</g> schläft &amp; sieht &lt;x&gt;.', 'Frau <ph id="1">&lt;br/></ph> da',
    ]  # fmt: skip
    text = document.filled(document.segments)
    units = {one.get("id"): one for one in ElementTree.fromstring(text).iter("trans-unit")}
    for number in "13":
        source, target = units[number]
        assert "".join(source.itertext()) == "".join(target.itertext())
        assert [one.tag for one in source.iter()][1:] == [one.tag for one in target.iter()][1:]
        assert target.get("state") == "needs-review-translation"
        assert target.get("state-qualifier") == "mt-suggestion"
    assert [len(units[number]) for number in "245"] == [2, 1, 1]
    without = re.sub(r"<target state.*?</target>", "", text)
    assert without == XLIFF.replace("<target/>", "")


def test_xliff_2(tmp_path):
    text = (
        '<xliff version="2.0"><file id="f"><unit id="u"><segment id="s" state="initial"><source>'
        "Hund</source></segment><segment><source>Haus</source></segment></unit></file></xliff>"
    )
    document = read_document(write(tmp_path, "x.xlf", text), "xliff")
    mark = 'state="translated" subState="mt:unreviewed"'
    said = text.replace('state="initial"', mark).replace("<segment>", f"<segment {mark}>")
    for word in ("Hund", "Haus"):
        said = said.replace(f"{word}</source>", f"{word}</source><target>{word.upper()}</target>")
    assert filled(document) == said


MEMORY = """<tmx version="1.4"><header srclang="de-DE"/><body>
<tu><tuv xml:lang="de-DE"><seg>Der <bpt i="1">&lt;b></bpt>Hund<ept i="1">&lt;/b></ept></seg>
</tuv></tu>
<tu><tuv xml:lang="de"><seg>Haus</seg></tuv><tuv xml:lang="en-US"><seg>home</seg></tuv></tu>
<tu><tuv xml:lang="fr"><seg>chien</seg></tuv><tuv xml:lang="de"><seg>Hund</seg></tuv></tu>
</body></tmx>
"""


def test_translation_memories(tmp_path):
    path = write(tmp_path, "x.tmx", MEMORY)
    document = read_document(path, "tmx", ("de", "en"))
    assert document.segments == ['Der <bpt i="1">&lt;b></bpt>Hund<ept i="1">&lt;/b></ept>', "Hund"]
    text = document.filled(document.segments)
    units = list(ElementTree.fromstring(text).iter("tu"))
    added = [unit[-1] for unit in (units[0], units[2])]
    assert [one.find("prop").text for one in added] == ["tunesmith", "tunesmith"]
    # As the file calls the language elsewhere.
    codes = [one.get("{http://www.w3.org/XML/1998/namespace}lang") for one in added]
    assert codes == ["en-US", "en-US"]
    assert "".join(added[1].find("seg").itertext()) == "Hund"
    assert re.sub(r'<tuv xml:lang="en-US"><prop.*?</tuv>', "", text) == MEMORY
    with pytest.raises(OptionError, match="target language is undetermined"):
        read_document(path, "tmx")


@pytest.mark.parametrize(("name", "text"), [("xliff", XLIFF), ("tmx", MEMORY)])
def test_files_cut_anywhere(tmp_path, name, text):
    for kept in range(0, len(text) - 2, 7):
        path = write(tmp_path, "x", text[:kept])
        with pytest.raises(InputError, match=r"x:\d+: XML broken at column"):
            read_document(path, name, ("de", "en"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("srt", "1\nHund\n", ": no line with times and -->, expected subtitles; "
         "00:00:01,000 --> 00:00:02,500"),
        ("srt", "1\n00:00:01,000 --> 00:00:02,000\nHund\n2\nxx --> 00:00:02,000\nHaus\n",
         ":5: 'xx --> 00:00:02,000', expected times such as 00:00:01,000 --> 00:00:02,500"),
        ("xliff", "<a/>", ": no <xliff> element, expected an XLIFF file"),
        ("tmx", "<a/>", ": no <tmx> element, expected a translation memory"),
        ("xliff", '<!DOCTYPE a [<!ENTITY b "c">]><a/>', ":1: an entity declaration, expected none"),
        ("po", "hund\n", ":1: 'hund', expected msgid, msgstr, a quoted string or a comment"),
        ("html", "a\0b", ":1: a NUL byte at column 2, expected UTF-8 text; is it a binary file, or "
         "text in UTF-16?"),
    ],
)  # fmt: skip
def test_files_of_another_kind(tmp_path, name, text, message):
    path = write(tmp_path, "x", text)
    with pytest.raises(InputError) as caught:
        read_document(path, name, ("de", "en"))
    assert str(caught.value) == f"{path}{message}"


def test_formats_by_name():
    names = ["a.txt", "a.HTM", "a.md", "a.srt", "a.po", "a.xlf", "a.tmx", "a.json",
             "a.docx", "strings.xml", "a.ts"]  # fmt: skip
    assert tuple(map(format_of, names)) == FORMATS
    for end in (".gz", ".xz", ".bz2"):
        assert tuple(format_of(f"{name}{end}") for name in names) == FORMATS


@given(st.text(alphabet='a<>&;"]lt g', max_size=20))
def test_any_text_is_escaped_for_xml(text):
    plain = text.replace("<", "(").replace(">", ")")  # of tags there are those of the source alone
    element = ElementTree.fromstring(f"<a>{escaped(plain)}</a>")
    assert (element.text or "") == html.unescape(
        re.sub(r"&(?!(?:lt|gt|amp|quot|apos);)", "&amp;", plain)
    )


SAMPLES = {
    "html": PAGE, "markdown": MARKDOWN, "srt": SUBTITLES, "po": CATALOGUE,
    "xliff": XLIFF.replace("<target/>", ""), "tmx": MEMORY,
}  # fmt: skip
MARKS = [
    "<b>", "</b>", "<p title='hund'>", "<", ">", "<!--", "-->", "<![CDATA[", "]]>", "&", "&auml;",
    "&lt;", "\n", "\r\n", "\r", "\t", " ", "\\",
    '"', "'", "=", "/", "`", "**", "[x](y)", "> ", "- ",
    "|", "{x}", "%d", "ß", "😀", "\u2028", "\u00a0", "<pre>", "</pre>", "1", "--> ", "#, fuzzy\n",
    "msgid", "<g/>", "{\\an8}", "<script>", "<i class=notranslate>",
]  # fmt: skip


def mutant(text, rng, most):
    """The text with up to `most` pieces of it left out, doubled, moved or replaced by marks."""
    for _ in range(rng.randint(1, most)):
        first, last = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        last = min(last, first + rng.choice([0, 1, 5, 60]))
        piece = rng.choice([rng.choice(MARKS), rng.choice(MARKS), "", text[first:last] * 2])
        place = rng.choice([first, first, rng.randrange(len(text) + 1)])
        text = text[:first] + text[last:]
        text = text[:place] + piece + text[place:]
    return text


def shouted(segment):
    return re.sub(r"(<[^<>]*>|&[^\s;<]*)|\w+", lambda one: one[1] or one[0].upper(), segment)


def words_of(text):
    """What is the same in capitals, in lines of other lengths, and with letters for references."""
    return re.sub(r"[\s>\"]+", "", html.unescape(text).casefold())


def is_within(one, other):
    """Whether `other` is `one` with additions; of an empty element there is no end."""
    rest = iter(re.sub(r"[\s/]", "", other))
    return all(character in rest for character in re.sub(r"[\s/]", "", one))


@pytest.mark.parametrize(
    "count", [50, pytest.param(2000, marks=pytest.mark.slow)], ids=["few", "many"]
)
@pytest.mark.parametrize("name", SAMPLES)
def test_only_text_changes_in_any_document(tmp_path, name, count):
    rng = random.Random(name)
    is_strict = name in ("po", "xliff", "tmx")
    read = 0
    for number in range(count):
        text = mutant(SAMPLES[name], rng, 1 if is_strict else 5) if number else SAMPLES[name]
        path = write(tmp_path, "x", text)
        try:
            document = read_document(path, name, ("de", "en") if is_strict else (None, None))
        except InputError:
            continue
        read += 1
        kept = document.encoded(document.segments)
        changed = document.filled([shouted(segment) for segment in document.segments])
        if is_strict:  # these have the source beside its translation
            assert is_within(text, kept.decode()), text
            assert is_within(text, changed), text
        else:
            assert kept == text.encode(), text
            assert words_of(changed) == words_of(text), text
    assert read > count / 20
