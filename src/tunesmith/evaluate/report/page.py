"""A report as one HTML page without anything from elsewhere: no script, no font, no picture."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, groupby
from pathlib import Path

import tunesmith
from tunesmith.base.atomic import atomic_text
from tunesmith.evaluate.charts import check_plots, save
from tunesmith.evaluate.report.chart_table import chart_table
from tunesmith.evaluate.report.html import Html, element, joined
from tunesmith.evaluate.report.inline_picture import inline_picture
from tunesmith.evaluate.report.names import file_name
from tunesmith.evaluate.report.parts import (
    Example,
    LabelledWords,
    Paragraph,
    Part,
    Picture,
    Report,
    Section,
    TablePart,
    Word,
)
from tunesmith.evaluate.report.style import STYLE


def as_html(report: Report) -> str:
    """The page; the same report gives the same bytes."""
    check_plots()
    sections = [section for section in report.sections if section.parts]
    numbers = count(1)
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        # Nothing from elsewhere, whatever the texts in it say.
        element(
            "meta",
            http_equiv="Content-Security-Policy",
            content="default-src 'none'; style-src 'unsafe-inline'",
        ),
        element("title", report.title),
        element("style", Html(STYLE)),
    )
    links = [
        element("li", element("a", section.title, href=f"#{_anchor(section)}"))
        for section in sections
    ]
    body = element(
        "body",
        element(
            "header",
            element("h1", report.title),
            element("p", report.summary, class_="summary"),
            element("nav", element("ul", *links), aria_label="Sections"),
        ),
        element("main", *(_section(section, numbers) for section in sections)),
        element("footer", f"Made by tunesmith {tunesmith.__version__}."),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def write_report(report: Report, path: str | Path, *, pictures: str | Path | None = None) -> None:
    """Write the page, and each picture as SVG and PNG into a folder if one is given."""
    page = as_html(report)
    if pictures is not None:
        folder = Path(pictures)
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in _file_names(report):
            for kind in ("svg", "png"):
                save(picture.chart, folder / f"{name}.{kind}")
    with atomic_text(path) as stream:
        stream.write(page)


def _file_names(report: Report) -> Iterator[tuple[str, Picture]]:
    """Names that are different; the second of a name gets a number."""
    taken: Counter[str] = Counter()
    for picture in report.pictures():
        name = file_name(picture.name)
        taken[name] += 1
        yield (name if taken[name] == 1 else f"{name}-{taken[name]}"), picture


def _section(section: Section, numbers: Iterator[int]) -> Html:
    return element(
        "section",
        element("h2", section.title),
        *(_part(part, numbers) for part in section.parts),
        id=_anchor(section),
    )


def _anchor(section: Section) -> str:
    return re.sub(r"[^a-z0-9]+", "-", section.title.lower()).strip("-")


def _part(part: Part, numbers: Iterator[int]) -> Html:
    if isinstance(part, Paragraph):
        return element("p", part.text)
    if isinstance(part, TablePart):
        return (
            _folded(part.caption, lambda: _table(part, captioned=False))
            if part.folded
            else (_table(part))
        )
    if isinstance(part, Picture):
        return element(
            "figure",
            _wide(inline_picture(part.chart, f"picture-{next(numbers)}"), part.chart.title),
            *([element("figcaption", part.note)] if part.note else []),
            _part(chart_table(part.chart), numbers),
        )
    examples = partial(joined, [_example(example) for example in part.examples])
    if part.folded:
        return _folded(part.caption, examples)
    return joined([element("h3", part.caption), examples()])


def _folded(caption: str, contents: Callable[[], Html]) -> Html:
    return element("details", element("summary", caption), contents())


def _table(table: TablePart, *, captioned: bool = True) -> Html:
    # A caption of a table would be scrolled with it, and as wide.
    caption = [element("p", table.caption, class_="caption")] if captioned and table.caption else []
    head = [
        element("th", cell, scope="col", class_=_column(table, i))
        for i, cell in enumerate(table.head)
    ]
    rows = [_row(table, row) for row in table.rows]
    whole = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
    return joined([*caption, _wide(whole, table.caption or "Table")])


def _wide(contents: Html, label: str) -> Html:
    """What may be wider than the page: it is scrolled by itself, by keyboard too."""
    return element("div", contents, class_="wide", tabindex="0", role="group", aria_label=label)


def _row(table: TablePart, row: Sequence[str]) -> Html:
    return element(
        "tr",
        *(
            element(
                "td" if i else "th",
                cell,
                scope=None if i else "row",
                class_=_column(table, i),
            )
            for i, cell in enumerate(row)
        ),
    )


def _column(table: TablePart, number: int) -> str | None:
    return "words" if number < table.texts else None


def _example(example: Example) -> Html:
    lines = joined(joined(_line(line)) for line in example.lines)
    note = f"Sentence {example.number:,}" + (f" · {example.note}" if example.note else "")
    return element("article", element("header", note), element("dl", lines), class_="example")


def _line(line: LabelledWords) -> list[Html]:
    return [element("dt", line.label), element("dd", _words(line.words), dir="auto")]


def _words(words: Sequence[Word]) -> Html:
    """Words with their marks; neighbours that are marked alike share one."""
    shown: list[Html] = []
    for (changed, missing), group in groupby(words, lambda word: (word.changed, word.missing)):
        members = list(group)
        before = " " if shown and members[0].spaced else ""
        run = members[0].text + "".join(_spaced(word) for word in members[1:])
        shown.append(joined([before, _marked(run, changed=changed, missing=missing)]))
    return joined(shown)


def _spaced(word: Word) -> str:
    return f" {word.text}" if word.spaced else word.text


def _marked(words: str, *, changed: bool, missing: bool) -> Html:
    if missing:
        words = element("span", words, class_="missing")
    return element("mark", words) if changed else joined([words])
