"""What a report is made of, as plain data; `page` makes HTML of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tunesmith.evaluate.charts import Chart


@dataclass(frozen=True)
class Paragraph:
    """A few sentences."""

    text: str


@dataclass(frozen=True)
class TablePart:
    """Rows of cells; the first `texts` columns are words, the others are numbers."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1
    folded: bool = False
    """Whether only the caption is shown until somebody asks for more."""


@dataclass(frozen=True)
class Picture:
    """A chart; the name is that of its file."""

    name: str
    chart: Chart
    note: str = ""


@dataclass(frozen=True)
class Word:
    """A word of a line, and how it differs from other lines."""

    text: str
    spaced: bool
    """Whether a space stands before it."""
    changed: bool = False
    """Whether the other system lacks it here."""
    missing: bool = False
    """Whether the reference lacks it here."""


@dataclass(frozen=True)
class LabelledWords:
    """A text with its label: the source, a reference, the output of a system."""

    label: str
    words: Sequence[Word]


@dataclass(frozen=True)
class Example:
    """A sentence with its lines; numbers are counted from 1."""

    number: int
    note: str
    lines: Sequence[LabelledWords]


@dataclass(frozen=True)
class SentencesPart:
    """Examples under a heading."""

    caption: str
    examples: Sequence[Example]
    folded: bool = False


Part = Paragraph | TablePart | Picture | SentencesPart


@dataclass(frozen=True)
class Section:
    """Parts under a title."""

    title: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Report:
    """A title, what is reported in a sentence, and sections; those without parts are left out."""

    title: str
    summary: str
    sections: Sequence[Section]

    def pictures(self) -> Iterator[Picture]:
        """All of them, in their order."""
        for section in self.sections:
            for part in section.parts:
                if isinstance(part, Picture):
                    yield part
