"""Which units of a line are found, and which tags belong together."""

from time import process_time

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.corpus.protected import KINDS, TAG, Unit, any_kind, find_units, find_zones, texts
from tunesmith.corpus.tags import elements


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("code", "`rm -rf`"), ("code", "``a ` b``"), ("code", "⟦url⟧"),
        ("url", "https://a.org/b?c=d&e#f"), ("url", "www.a.org"), ("url", "https://a.org/b_(c)"),
        ("email", "a.b+c@d-e.org"),
        ("tag", "<b>"), ("tag", '<a href="x > y">'), ("tag", "</p>"), ("tag", "<br/>"),
        ("tag", "<!-- a -->"), ("tag", "<input disabled>"), ("tag", "<%= x %>"),
        ("tag", "&lt;b&gt;"), ("tag", '&lt;a href="x" b=&quot;y z&quot;/&gt;'),
        ("tag", "&lt;/b&gt;"),
        ("tag", "<x:ph id='1'>haus</x:ph>"), ("code", '<mrk mtype="protected">das Haus</mrk>'),
        ("placeholder", "%1"), ("placeholder", "%L12"), ("placeholder", "%n"),
        ("placeholder", "%d%%"), ("placeholder", "{a}{b}"), ("placeholder", "%s/%s"),
        ("placeholder", "%(x)d:%(y)d"), ("placeholder", "{w}x{h}"), ("placeholder", "#%d"),
        ("placeholder", "-%d"),
        ("tag", "&amp;lt;b&amp;gt;"), ("tag", "&lt;%= x %&gt;"), ("entity", "&amp;nbsp;"),
        ("placeholder", "{name}"), ("placeholder", "{{ v }}"), ("placeholder", "${v}"),
        ("placeholder", "%(x)s"), ("placeholder", "%d"), ("placeholder", "%1$s"),
        ("placeholder", "%05.2f"), ("placeholder", "file{n}.txt"), ("placeholder", "%%"),
        ("placeholder", "{n, plural, one {# file} other {# files}}"), ("placeholder", "$HOME"),
        ("placeholder", "%sB"), ("placeholder", "%H:%M:%S"), ("placeholder", "$HOME/.config"),
        ("placeholder", "$(x)"), ("placeholder", "[[x|y z]]"), ("placeholder", "{n:>3}"),
        ("placeholder", "%1$-5s"), ("placeholder", "%2$*1$d"), ("placeholder", "%<PRIu64>"),
        ("placeholder", "$HOME/a-b.d/c"), ("placeholder", "$((x + 1))"), ("placeholder", "%<a>.2f"),
        ("placeholder", "{@link A#b()}"), ("name", "a::b()"), ("name", "--a=b,c.d"), ("tag", "<1>"),
        ("name", "--a=$(B_C)"),
        ("phone", "+49 (0)30 1234-567"), ("phone", "+1(800)555-0199"), ("phone", "(555) 123-4567"),
        ("placeholder", "%appdata%"), ("placeholder", ":name"), ("emoji", ":smile:"),
        ("code", "C<a b>"), ("code", "C<< a > b >>"), ("code", "L<ls(1)>"), ("entity", "E<lt>"),
        ("tag", r"\fB"), ("tag", r"\f(CW"), ("tag", r"\f[]"), ("name", "std::map"),
        ("name", "--sort[=WORD]"), ("name", "--sum={md5,sha1}"), ("name", "-e[CHAR]"),
        ("name", "_foo_bar"), ("name", "-DA_B"), ("name", "a.b-c_d.e"), ("entity", "&a-b;"),
        ("entity", "E<.UR a b>"), ("entity", r"\*(TW"), ("placeholder", "%MEM"), ("path", "/proc"),
        ("name", "ls(1)"), ("code", "B<ls>(1)"), ("code", "*ls*(1)"),
        ("name", r"\-\-no\-x"), ("phone", "+49 30 123456"), ("phone", "030/123456"),
        ("phone", "+1 (555) 123-4567"), ("phone", "1-800-555-1234"), ("number", "10 000 000"),
        ("number", "1 234,5"), ("date", "3. 5. 2024"), ("escape", r"\n"),
        ("entity", "&nbsp;"), ("entity", "&#x27;"),
        ("path", "/usr/lib/x"), ("path", r"C:\a\b.txt"), ("path", "~/x"), ("path", r"\\a\b"),
        ("name", "--dry-run"), ("name", "-v"), ("name", "foo_bar"), ("name", "a.b()"),
        ("name", "@me"), ("name", "#tag"), ("name", "#Übung2"), ("name", "#тег"), ("name", "#123"),
        ("version", "v2.3.1-rc1"), ("version", "1.2.3"), ("version", "10.0.0.1:80"),
        ("date", "2024-01-05"), ("date", "2024-01-05T12:30:00Z"), ("date", "1/2/2024"),
        ("time", "12:30"), ("time", "00:01:02,500"),
        ("phone", "+49 (0)30 123 456-78"), ("phone", "GB82 WEST 1234 5698 7654 32"),
        ("version", "2001:db8::1"), ("version", "00:1A:2b:3c:4d:5e"), ("number", "12–15"),
        ("number", "3 : 2"), ("number", "1.234.567"), ("amount", "1.234.567,89 €"),
        ("amount", "1.234,56 €"), ("amount", "$5"), ("number", "1,234.5"), ("number", "3/4"),
        ("emoji", "👍🏽"), ("emoji", "👨‍👩‍👧"), ("emoji", "🇩🇪"), ("emoji", "1️⃣"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("line", ["{}", "See {}.", "({})", "A {}, b", "点击 {} 吗？", '"{}"!'])
def test_a_unit_is_found_whole_whatever_stands_beside_it(kind, text, line):
    before, after = line.split("{}")
    begin = len(before)
    assert find_units(before + text + after) == [Unit(begin, begin + len(text), kind)]


@pytest.mark.parametrize(
    "line",
    [
        "A man - in a T-shirt - runs (quickly), and/or sleeps.",
        "It is 100 % of 5 or 50%, e.g. in 2024.",
        "a < b and c > d; a<b and c>d",
        "100 %2 and 100%2",
        "{ this is no placeholder } and neither is this: }{",
        "well-known 4-year-old dogs; 10-12 of them",
        "Fragen & Antworten: O(n), C++, AT&T, don't",
        "第三章：他说“好”。",
        "Vitamin A < Vitamin B<5; 100 %ige Leute, 50%d, 100 %sicher",
        "`Its' (so) and `that'; he is on /off",
        "Note: it is 3: 4, [a] and $; a:b c::",
        "(*.txt *.doc) a*b*c 2 * 3 * 4 *x and *y /* z */ **a, [so](to)",
        '_("x") N_(y) _Open _File',
        "(Bien :) ; oui ;(non)",
        "",
    ],
)
def test_ordinary_text_has_none(line):
    assert find_units(line) == []


def test_a_name_ends_where_a_script_without_spaces_begins():
    line = "请联系@tom今天参加#Kubernetes活动"
    assert texts(line, find_units(line)) == ["@tom", "#Kubernetes"]


PIECES = [
    "a", " ", ".", ",", "(", ")", "{", "}", "<", ">", "/", "%", "$", "1", "2", ":", "@", "&", ";",
    "`", "\\", "-", "_", "#", "=", '"', "b", "s", "d", "https://",
    "www.", "mailto:", "v", "'", "👍", "\u20e3", "🇩", "™", "点", "é", "⟦",
    "⟧", "€",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_units_are_in_order_and_no_line_with_one_is_passed_over(line):
    units = find_units(line)
    place = 0
    for unit in units:
        assert place <= unit.begin < unit.end <= len(line)
        place = unit.end
    assert bool(units) == bool(any_kind().search(line))
    assert {unit.kind for unit in units} <= {kind.name for kind in KINDS}


@given(st.lists(st.sampled_from(["<b>", "</b>", "<i>", "</i>", "<br>", "{x}"]), max_size=12))
def test_pairs_of_tags_do_not_cross(tags):
    units = [Unit(i, i + 1, TAG if tag != "{x}" else "placeholder") for i, tag in enumerate(tags)]
    met = []

    def visit(forest, begin, end):
        for one in forest:
            assert begin <= one.opening <= one.closing < end
            met.extend({one.opening, one.closing})
            if not one.is_lone:
                assert tags[one.closing] == tags[one.opening].replace("<", "</")
                visit(one.children, one.opening + 1, one.closing)
            begin = one.closing + 1

    visit(elements(tags, units), 0, len(tags))
    assert sorted(met) == [i for i, tag in enumerate(tags) if tag != "{x}"]
    # What an HTML parser would pair is paired: an innermost pair has nothing open in it.
    pairs = regex.findall(r"<b>(?:<br>|{x})*</b>", "".join(tags))
    assert len(pairs) <= sum(tag == "<b>" for tag in tags) - sum(
        one.is_lone and tags[one.opening] == "<b>" for one in _all(elements(tags, units))
    )


def _all(forest):
    for one in forest:
        yield one
        yield from _all(one.children)


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        ("- Ja.", "-"), ("  * Ja", "*"), ("– Ja – nein.", "–"), ("-- Ja", "--"), ("\t• Ja", "•"),
        ("> Ja", ">"), ("- -5 Grad", "-"), ("1. Ja", "1."), ("  12) ja", "12)"), ("a) ja", "a)"),
        ("(iii) ja", "(iii)"), ("b. Ja", "b."), ("IV. Ja", "IV."), ("1.2.3 Ja", "1.2.3"),
        ("1.1. Ja", "1.1."),
    ],
)  # fmt: skip
def test_a_mark_in_front_of_a_line(line, mark):
    begin = line.index(mark)
    assert find_units(line) == [Unit(begin, begin + len(mark), "bullet")]


@pytest.mark.parametrize(
    "line",
    ["-", " – ", "-5 Grad", "Ja - nein", "+49", "*Ja*", "• ", "1.", "A. Ja", "I. Ja", "z. B. ja",
     "3. Mai 2024", "3. 5. 2024", "1.2.3 ist da", "2024. Ja", "3,5 Ja"],
)  # fmt: skip
def test_no_mark_of_a_line(line):
    assert "bullet" not in [unit.kind for unit in find_units(line)]


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("a [b][c] d[^1]", ["[", "][c]", "[^1]"]),
        (r"\*a\* \[b\]", ["\\*", "\\*", "\\[", "\\]"]),
        ("[b] c", []),
    ],
)
def test_marks_of_markdown(line, marks):
    units = find_units(line, markdown=True)
    assert texts(line, units) == marks
    assert {unit.kind for unit in units} <= {TAG}


def test_tags_of_html_inside_of_xml_are_pairs():
    line = "&lt;b&gt;a&lt;/b&gt; &lt;br/&gt;"
    units = find_units(line)
    pairs = [(one.opening, one.closing) for one in elements(texts(line, units), units)]
    assert pairs == [(0, 1), (2, 2)]


def test_markup_of_manual_pages_is_pairs_of_tags():
    for line, pieces, pairs in (
        ("B<I<x> --b> S<< c >>", ["B<", "I<", ">", "--b", ">", "S<<", ">>"], [(0, 4), (5, 6)]),
        (r"\fB--a\fR \fIb\fP \f[R]", [r"\fB", "--a", r"\fR", r"\fI", r"\fP", r"\f[R]"],
         [(0, 2), (3, 4), (5, 5)]),
        ("aB<\\ b>,C<c>", ["B<", ">", "C<c>"], [(0, 1)]),
        ("Vitamin B<br> und I<b>J</b>", ["<br>", "<b>", "</b>"], [(0, 0), (1, 2)]),
    ):  # fmt: skip
        units = find_units(line)
        assert texts(line, units) == pieces
        found = [(one.opening, one.closing) for one in elements(pieces, units)]
        assert found == pairs


def test_emphasis_and_links_are_pairs_of_tags_in_any_text():
    for line, pieces, pairs in (
        ("See [a b](http://c.org/d_e), now",  ["[", "](http://c.org/d_e)"], [(0, 1)]),
        ("**a** _b_c_ *--x*, 1", ["**", "**", "_", "b_c", "_", "*", "--x", "*"],
         [(0, 1), (2, 4), (5, 7)]),
        ("_$A/b.d_", ["_", "$A/b.d", "_"], [(0, 2)]),
        ("<0>a</0> <1/>", ["<0>", "</0>", "<1/>"], [(0, 1), (2, 2)]),
    ):  # fmt: skip
        units = find_units(line)
        assert texts(line, units) == pieces
        found = [(one.opening, one.closing) for one in elements(pieces, units)]
        assert found == pairs


@pytest.mark.parametrize(
    ("line", "dates"),
    [
        ("am 3. Mai 2024 um 8 .", ["3. Mai 2024"]), ("on May 3 , 2024", ["May 3 , 2024"]),
        ("el 3 de mayo de 2024", ["3 de mayo de 2024"]),
        ("2024 年 5 月 3 日", ["2024 年 5 月 3 日"]),
        ("12 dogs in 2024", []), ("im Jahr 2024", []),
    ],
)  # fmt: skip
def test_dates_stay_together(line, dates):
    words = line.split()
    assert [" ".join(words[begin:end]) for begin, end in find_zones(words)] == dates


def test_faces_of_marks_are_units():
    line = ":-) Ja ;) (nein :D)"
    assert texts(line, find_units(line)) == [":-)", ";)", ":D"]


def test_texts_of_units():
    line = "Hi {a}, 12:30"
    assert texts(line, find_units(line)) == ["{a}", "12:30"]


@pytest.mark.parametrize(
    "line",
    ["{a, plural, " * 50_000, "{a, plural, " + "{x" * 2000, "<a b=c " * 2000, "`" * 5000,
     "a_" * 4000,
     "https://" + "a.," * 4000, "[x](" * 2000, "&lt;a b=&quot;" * 2000, "1." * 5000,
     "👍\u200d" * 3000, "B<" * 3000, "B<a " * 3000, "C<< a " * 3000, "1 " * 5000, "+1 2" * 3000,
     "1-" * 5000, "[[a" * 3000, "$(" * 3000, ":a_" * 3000, "%1$" * 3000,
     "--a[=b" * 3000, "a::" * 3000,
     "_" * 5000, "..a" * 3000, "a-b." * 3000, "1. " * 3000, "<!ENTITY a" * 2000,
     "{a}:" * 3000, "'%s" * 3000, "{a" * 3000, "a%d" * 3000,
     "*a " * 3000, "_a " * 3000, "_a-" * 3000, "+1 (2)" * 3000, "$HOME/a-" * 3000],
)  # fmt: skip
def test_no_line_takes_long(line):
    begin = process_time()
    find_units(line, markdown=True)
    assert process_time() - begin < 30
