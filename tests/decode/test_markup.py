import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import InputError
from tunesmith.corpus.lines import split
from tunesmith.decode import SourceSentence, parse_markup


def test_terms_walls_and_zones():
    text = 'das <t is="new house">neue Haus</t> <wall/> ist <zone>sehr <t is="x">y</t> gut</zone> .'
    assert parse_markup(text) == SourceSentence(
        ["das", "neue", "Haus", "ist", "sehr", "y", "gut", "."],
        forced=[(1, 3, ["new", "house"]), (5, 6, ["x"])],
        walls=[3],
        zones=[(4, 7)],
    )


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_text_without_our_tags_is_only_words(text):
    for tag in ("<t", "</t", "<wall", "<zone", "</zone"):
        text = text.replace(tag, "")
    assert parse_markup(text) == SourceSentence(split(text))


@pytest.mark.parametrize("text", ["a <b> c", "| ||| [X] <s>", "1 < 2", "<table> </i>", "<tt>"])
def test_other_tags_are_ordinary_words(text):
    assert parse_markup(text).words == split(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<t is="a">b', "f:7: <t> is not closed, expected </t>"),
        ("b</t>", 'f:7: </t> without <t>, expected an opening <t is="…">'),
        ('<t is="a"></t>', "f:7: <t> around no words, expected words to translate"),
        ('<t is="a">b <t is="c">d</t></t>', "f:7: <t> inside <t>, expected </t> first"),
        ('<t is="a">b <wall/> c</t>', "f:7: <wall/> inside <t>, expected </t> first"),
        ("<t>b</t>", "f:7: '<t>b</t>', expected <t is=\"…\">, <wall/> or <zone>"),
        ("<zone>a", "f:7: <zone> is not closed, expected </zone>"),
        ("a</zone>", "f:7: </zone> without <zone>, expected an opening <zone>"),
        ("<wall>", "f:7: '<wall>', expected <t is=\"…\">, <wall/> or <zone>"),
    ],
)
def test_broken_markup(text, message):
    with pytest.raises(InputError) as caught:
        parse_markup(text, "f", 7)
    assert str(caught.value) == message


def test_constraints_stay_in_place_when_words_are_tokenised():
    sentence = parse_markup('Er sagt: <t is="New York">NY-Stadt</t>, <wall/> ja!')
    encoded = sentence.encoded(lambda text: list(text.replace(" ", "")), str.split)
    assert "".join(encoded.words[encoded.forced[0][0] : encoded.forced[0][1]]) == "NY-Stadt"
    assert "".join(encoded.words[encoded.walls[0] :]) == "ja!"
