"""Directives of format strings: each comes out once, and arguments keep their numbers."""

import pytest

from tunesmith.formats.documents.directives import FormatString, plural_examples


@pytest.mark.parametrize(
    ("flag", "source", "shown", "translation", "written"),
    [
        ("c", "%s of %d", "{1} of {2}", "{1} von {2}", "%s von %d"),
        ("c", "%s of %d", "{1} of {2}", "{2} aus {1}", "%2$d aus %1$s"),
        ("c", "%-*s|%.*f %m", "{1}|{2} {3}", "{2} {1} {3}", "%4$.*3$f %2$-*1$s %m"),
        ("c", "%2$s %1$s", "{1} {2}", "{2} {1}", "%1$s %2$s"),
        ("c", "% d %lld%%", "{1} {2}%%", "{1} {2}%%", "% d %lld%%"),
        ("c", "%<PRIu64>B", "{1}B", "{1} B", "%<PRIu64> B"),
        ("c", "all of %s", "all of {1}", "100 % von {1}", "100 %% von %s"),
        ("c", "{1} %s", "{1} {x1}", "{x1} {1}", "%s {1}"),
        ("python", "%(a)s %(b)d", "{1} {2}", "{2} {1}", "%(b)d %(a)s"),
        ("python", "%s %s", "{1} {2}", "{2} {1}", None),
        (
            "python-brace",
            "{n:>3} {{x}} {a[0]!r}",
            "{1} {{x}} {2}",
            "{2} {{x}} {1}",
            "{a[0]!r} {{x}} {n:>3}",
        ),
        ("python-brace", "{} {:>3}", "{1} {2}", "{2} {1}", "{1:>3} {0}"),
        ("kde", "%1 of 100%", "{1} of 100%", "100% {1}", "100% %1"),
        ("object-pascal", "%0:s %1:d", "{1} {2}", "{2} {1}", "%1:d %0:s"),
        ("ruby", "%<a>.2f %{b} %s", "{1} {2} {3}", "{3} {2} {1}", "%s %{b} %<a>.2f"),
        ("c++", "{} {:>3}", "{1} {2}", "{2} {1}", "{1:>3} {0}"),
        (
            "java",
            "don''t '{x}' {0,number,#.# m}",
            "don't {1} {2}",
            "l'{2} {1}",
            "l''{0,number,#.# m} '{x}'",
        ),
        ("java", "Don't", "Don't", "N'ouvre pas", "N'ouvre pas"),
        ("ycp", "%1 %2", "{1} {2}", "{2} {1}", "%2 %1"),
        ("sh", "$a ${b}", "{1} {2}", "{2} {1}", "${b} $a"),
        ("no-c", "100% sure", "100% sure", "100% sicher", "100% sicher"),
        ("", "a %s", "a %s", "%s b", "%s b"),
        ("", "a", "a", "%s", None),
        ("c", "%s", "{1}", "", None),
        ("c", "%s", "{1}", "{1} {1}", None),
        ("python-brace", "a", "a", "{b}", None),
    ],
)
def test_directives_are_placeholders_until_they_are_written(
    flag, source, shown, translation, written
):
    message = FormatString(source, ["fuzzy", f"{flag}-format"])
    assert message.text == shown
    assert message.written(translation) == written


def test_numbers_of_plural_forms():
    forms = plural_examples("Plural-Forms: nplurals=2; plural=(n > 1);\n")
    assert forms == [[0, 1], list(range(2, 201))]
    assert plural_examples("Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\n") == []
    assert plural_examples("Plural-Forms: nplurals=2; plural=n/0;\n") == []
    assert plural_examples("") == []
