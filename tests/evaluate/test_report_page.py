"""The page of a report: well formed, nothing from elsewhere, texts as texts, equal bytes."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from html.parser import HTMLParser

import pytest

from tunesmith.evaluate.charts import DotChart, IntervalChart, LineChart, Point
from tunesmith.evaluate.charts.palette import COLOURS
from tunesmith.evaluate.report import Report, as_html, write_report
from tunesmith.evaluate.report.html import element, joined, text
from tunesmith.evaluate.report.parts import (
    Example,
    LabelledWords,
    Paragraph,
    Picture,
    Section,
    SentencesPart,
    TablePart,
)
from tunesmith.evaluate.report.style import STYLE
from tunesmith.evaluate.report.word_difference import marked, unmatched, words_of

EVIL = '<script>alert("x")</script>&amp;\x00\x1b \'"--></style><img src=x onerror=y>'
SVG = "{http://www.w3.org/2000/svg}"


def a_report(name="plain"):
    curve = LineChart(name, name, name, {name: [Point(1, 2, 1, 3), Point(2, 3)]}, whole_x=True)
    dots = DotChart(name, "x", "y", [name], {name: [Point(0, 5)], "b": []}, from_zero=True)
    rows = IntervalChart(name, "x", {name: Point(0, 1, 0.5, 1.5), "none": Point(0, 2)})
    line = LabelledWords(name, marked(f"{name} end", [f"other {name}"], "something else"))
    return Report(
        name,
        name,
        [
            Section("One", [Paragraph(name), TablePart(name, [name, "n"], [[name, "1"]])]),
            Section(
                "Pictures", [Picture("a", curve, name), Picture("a", dots), Picture("b", rows)]
            ),
            Section("Sentences", [SentencesPart(name, [Example(1, name, [line])], folded=True)]),
            Section("Empty", []),
        ],
    )


def parsed(page):
    return ET.fromstring(page.removeprefix("<!DOCTYPE html>\n"))


class Tags(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.seen, self.attributes, self.text = Counter(), [], ""

    def handle_starttag(self, tag, attrs):
        self.seen[tag] += 1
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def read(page):
    tags = Tags()
    tags.feed(page)
    tags.close()
    return tags


def test_well_formed_and_the_same_every_time():
    page = as_html(a_report())
    root = parsed(page)
    assert root.tag == "html"
    assert root.get("lang") == "en"
    assert page == as_html(a_report())
    assert [one.text for one in root.iter("h2")] == ["One", "Pictures", "Sentences"]
    assert [one.get("href") for one in root.find("body/header/nav").iter("a")] == [
        "#one", "#pictures", "#sentences",
    ]  # fmt: skip
    assert {one.get("id") for one in root.iter("section")} == {"one", "pictures", "sentences"}


def test_nothing_is_from_elsewhere():
    page = as_html(a_report())
    tags = read(page)
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & set(tags.seen)
    for name, value in tags.attributes:
        if name.endswith("href") or name == "src":
            assert value.startswith("#")
    assert "url(http" not in page
    assert "@import" not in page
    contents = [value for name, value in tags.attributes if name == "content"]
    assert "default-src 'none'; style-src 'unsafe-inline'" in contents


def test_texts_are_texts_wherever_they_stand():
    page = as_html(a_report(EVIL))
    shown = read(page)
    plain = read(as_html(a_report()))
    assert shown.seen["script"] == shown.seen["img"] == 0
    assert {tag for tag in shown.seen if tag not in plain.seen} == set()
    assert '<script>alert("x")</script>&amp;' in shown.text
    assert not any(name.startswith("on") for name, _ in shown.attributes)
    assert "\x00" not in page
    assert "\x1b" not in page
    parsed(page)  # XML has no such characters either


def test_ids_of_pictures_are_their_own():
    root = parsed(as_html(a_report()))
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    pictures = list(root.iter(f"{SVG}svg"))
    assert len(pictures) == 3
    for picture in pictures:
        known = {one.get("id") for one in picture.iter()}
        used = re.findall(r'(?:url\(#|href="#)([^)"]+)', ET.tostring(picture, "unicode"))
        assert set(used) <= known
        assert picture.get("role") == "img"
        assert picture.get("aria-label").endswith("the numbers are in the table below")


def test_pictures_have_the_colours_of_the_page():
    page = as_html(a_report())
    body = page[page.index("<body") :]
    assert not any(colour in body for colour in COLOURS)
    used = set(re.findall(r"var\((--[\w-]+)\)", page))
    for scheme in (STYLE[: STYLE.index("@media")], STYLE[STYLE.index("@media print") :]):
        assert used <= set(re.findall(r"(--[\w-]+):", scheme))
    dark = STYLE[STYLE.index("prefers-color-scheme") : STYLE.index("* {")]
    assert used <= set(re.findall(r"(--[\w-]+):", dark))


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_by_those_who_see_less(scheme):
    """At least 4.5 to 1, as WCAG 2 has it for text (AA)."""
    start = 0 if scheme == "light" else STYLE.index("prefers-color-scheme")
    values = dict(re.findall(r"(--[\w-]+): (#\w{6})", STYLE[start : start + 900]))
    for name, back in [
        *((n, "--paper") for n in values if n.startswith("--series") or n in ("--ink", "--muted")),
        ("--accent", "--paper"), ("--ink", "--panel"), ("--muted", "--panel"),
        ("--ink", "--changed"),
    ]:  # fmt: skip
        one, other = sorted([luminance(values[name]), luminance(values[back])])
        assert (other + 0.05) / (one + 0.05) >= 4.5, (name, back)


def test_numbers_of_a_picture_are_in_a_table():
    root = parsed(as_html(a_report()))
    first = next(root.iter("figure"))
    cells = [[cell.text for cell in row] for row in first.find("details").iter("tr")]
    assert cells == [["plain", "plain"], ["1", "2.00 (1.00 … 3.00)"], ["2", "3.00"]]


def test_pictures_are_files_too(tmp_path):
    write_report(a_report(), tmp_path / "r.html", pictures=tmp_path / "new" / "pictures")
    names = sorted(path.name for path in (tmp_path / "new" / "pictures").iterdir())
    assert names == ["a-2.png", "a-2.svg", "a.png", "a.svg", "b.png", "b.svg"]
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == as_html(a_report())


def test_elements():
    assert element("td", "<", scope=None, class_='a"b', aria_label="x") == (
        '<td class="a&quot;b" aria-label="x">&lt;</td>'
    )
    assert element("meta", charset="utf-8") == '<meta charset="utf-8"/>'
    assert joined(["a&", element("b")]) == "a&amp;<b></b>"
    assert text("a\tb\nc\ud800\ufffe\x85") == "a\tb\nc\ufffd\ufffd\ufffd"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("It's 3,5 m.", ["It's", "3", ",", "5", "m", "."]),
        ("don 't  go", ["don", "'", "t", "go"]),
        ("我爱北京。", ["我", "爱", "北", "京", "。"]),
        ("Wi-Fi の設定", ["Wi-Fi", "の", "設", "定"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("", []),
        ("  ", []),
    ],
)
def test_words(line, words):
    assert [word.text for word in words_of(line)] == words
    again = "".join((" " if word.spaced else "") + word.text for word in words_of(line))
    assert again.split() == line.split()


def test_differences_word_by_word():
    words = marked("a big dog ran", ["the dog ran home", "a dog walked"], "a dog ran off")
    assert [(word.text, word.changed, word.missing) for word in words] == [
        ("a", False, True), ("big", True, True), ("dog", False, False), ("ran", False, False),
    ]  # fmt: skip
    assert unmatched(words_of("x"), words_of("")) == [True]
    assert marked("", ["a"], "b") == []
    # Against the best of the references, and not against another system where there is none.
    assert [word.missing for word in marked("a dog walked", ["the dog ran", "a dog walked"])] == (
        [False] * 3
    )
    assert not any(word.changed for word in marked("a b", [], None))


def test_neighbours_share_a_mark():
    words = marked("one two three four", ["one four"], "one four")
    page = as_html(Report("t", "s", [Section("S", [SentencesPart("c", [
        Example(1, "", [LabelledWords("x", words)])])])]))  # fmt: skip
    assert 'one <mark><span class="missing">two three</span></mark> four' in page
