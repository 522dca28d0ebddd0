"""Pages: attributes that people read, tags that only a parser knows, what stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.formats.documents.html import html_document

_STAND_IN = 'data-tunesmith="1"'


def shouted(text, source=None, target=None):
    document = html_document(text, source, target)
    assert all(one == " ".join(one.split()) for one in document.segments)
    return document.filled([f"{one.upper()}" for one in document.segments])


@pytest.mark.parametrize(
    ("page", "value"),
    [
        ('<img alt="{}">', "hund"),
        ("<img src=a alt={}>", "hund"),
        ("<p title='{}'>", 'der "alte" hund'),
        ('<input placeholder="{}" value="wert">', "ihr\nname"),
        ('<input type="Submit" value="{}">', "senden"),
        ('<button aria-label="{}">x</button>', "zu"),
        ('<textarea placeholder="{}">text</textarea>', "hier"),
        ('<select><optgroup label="{}"><option>', "tiere"),
        ('<option value="h" label="{}">', "hund"),
        ('<meta name="Description" content="{}">', "ein haus"),
        ('<meta property="og:title" content="{}"/>', "haus"),
    ],
)
def test_attributes_that_people_read(page, value):
    page, said = page.format(value), page.format(" ".join(value.upper().split()))
    assert " ".join(value.split()) in html_document(page).segments
    assert shouted(page.replace(">x<", "><")) == said.replace(">x<", "><")


@pytest.mark.parametrize(
    "page",
    [
        '<input value="wert"><input type="hidden" value="hund">',
        '<meta name="viewport" content="width"><meta name="generator" content="hund">',
        '<link rel="stylesheet" title="hund"><script title="hund"></script>',
        '<div translate="no" title="hund"><p title="hund">hund</p></div>',
        '<p class="a notranslate">hund <img alt="hund"></p>',
        '<img alt=""><img alt="12:30"><a href="hund" id=hund data-title="hund"></a>',
        '<svg><title>hund</title><a title="hund"></a></svg>',
    ],
)
def test_attributes_that_stay(page):
    assert html_document(page).segments == []
    assert html_document(page).filled([]) == page


def test_keywords_are_words_by_themselves():
    page = '<meta name="keywords" content="hund,  rotes haus , 12">'
    assert html_document(page).segments == ["hund", "rotes haus"]
    assert shouted(page) == page.replace("hund", "HUND").replace("rotes haus", "ROTES HAUS")


def test_attributes_in_the_middle_of_a_sentence():
    page = "<p>der <a title='ein\n hund' href=x>hund</a> da <img alt=haus>."
    document = html_document(page)
    sentence = '<a data-tunesmith="1">hund</a> da <img data-tunesmith="2">.'
    assert document.segments == [f"der {sentence}", "ein hund", "haus"]
    # Wherever the translation puts it, the tag comes with its own attributes.
    assert document.filled([sentence, "it's a dog", '"house"']) == (
        "<p><a title='it&#39;s a dog' href=x>hund</a> da <img alt=\"&quot;house&quot;\">."
    )


@pytest.mark.parametrize(
    "tag",
    [
        '<a data-toggle href="/x?a=1&b=2">',
        '<a v-if="a > b" @click="go">',
        '<a (click)="go()" [href]="x" *ngIf="y" #z>',
        '<a\n  href="x"\n  style="a:  b">',
        '<A HREF="&ouml;">',
    ],
)
def test_tags_that_only_a_parser_knows(tag):
    page = f"<p>ein {tag}haus</a> da"
    document = html_document(page)
    assert document.segments in (
        [f"ein <a {_STAND_IN}>haus</a> da"], ['ein <A HREF="&ouml;">haus</a> da']
    )  # fmt: skip
    assert document.filled([one.replace("haus", "house") for one in document.segments]) == (
        f"<p>ein {tag}house</a> da"
    )


def test_elements_in_a_sentence_that_stay():
    kept = '<span class="notranslate">am <span title="hund">see</span> da</span>'
    page = f"<p>haus {kept} und <i translate=no>x</i><b translate=no><p>hund"
    document = html_document(page)
    assert document.segments == [
        "haus <code data-tunesmith=\"1\"></code> und <code data-tunesmith=\"2\"></code>"
        "<code data-tunesmith=\"3\"></code>",
    ]  # fmt: skip
    assert document.filled(document.segments) == page


def test_comments_in_a_sentence_stay():
    page = "<p><!-- a --> der <!-- <b> hund --> hund <!--c--></p>"
    document = html_document(page)
    assert document.segments == ['der <x data-tunesmith="1"/> hund']
    assert document.filled(document.segments) == page


def test_languages_of_a_page():
    page = (
        '<html lang="de-AT" xml:lang=de><p lang="en">dog</p><p lang=de-DE>hund'
        '<p>das <i lang="la">canis</i>'
    )
    document = html_document(page, "de", "en")
    assert document.segments == ["hund", 'das <code data-tunesmith="1"></code>']
    assert document.filled(document.segments) == page.replace(
        '<html lang="de-AT" xml:lang=de>', '<html lang="en" xml:lang=en>'
    )
    assert html_document(page).filled(html_document(page).segments) == page
    # A page in another language is not the user's mistake to find out from an empty output.
    assert html_document('<html lang="fr"><p>hund', "de", "en").segments == ["hund"]


@pytest.mark.parametrize(
    ("page", "segments"),
    [
        ("haus<![foo[ bar", ["haus"]),
        ("haus<!", ["haus"]),
        ("das</> haus<p title='x</>y'>", ['das<x data-tunesmith="1"/> haus', "x</>y"]),
        ("<p>haus <b x='hund", ["haus"]),
        ("<p>ein\r\n<b\r\ntitle='der\r\nhund'>x</b>\r\n<!--\r\n-->\r\n<p>haus",
         ['ein <b data-tunesmith="1">x</b>', "der hund", "haus"]),
        ("<script src='x'/><title/><p>haus<iframe><p>hund</iframe>", ["haus"]),
        ("<textarea><b>hund</b></textarea><SCRIPT>'<p>hund</p>'</SCRIPT>haus", ["haus"]),
        ("<img alt='haus'alt='hund'/title=rot><p a='title=x' ==y/alt>da", ["haus", "rot", "da"]),
        ("<!--" * 32_000, []),
        (f"<p>haus<p {'a' * 200_000} {'b=1 ' * 50_000}>", ["haus"]),
    ],
)  # fmt: skip
def test_tokens_are_those_of_a_browser(page, segments):
    assert html_document(page).segments == segments
    assert "".join(html_document(page).filled(segments).split()) == "".join(page.split())


def test_quotes_by_their_names_are_quotes():
    assert html_document("&quot;hund&quot; isn&#39;t &lt; &amp;").segments == [
        '"hund" isn\'t &lt; &amp;'
    ]


PIECES = ["<p>", "<b x>", "</b>", "a", " ", "<a title='a b'>", "</a>", "<img alt=a>", '"', "'", "=",
          "<p translate=no>", "</p>", "<i class=notranslate>", "</i>", "<!--", "-->", "<", ">",
          "<pre title=a>", "</pre>", "<html lang=de>"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_a_page_with_its_own_text_is_the_same_page(text):
    document = html_document(text, "de", "de")
    said = document.filled(document.segments)
    assert "".join(said.split()) == "".join(text.split())
