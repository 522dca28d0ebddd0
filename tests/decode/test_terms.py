"""Terms in running text: where they are found, and that they come out as they were written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.tiny_text_model import text_model
from tunesmith.base.errors import OptionError
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.casing import Lowercase, NoCasing
from tunesmith.corpus.tokenizers import CharTokenizer, UnigramTokenizer
from tunesmith.decode import SourceSentence, Terms
from tunesmith.decode.model_terms import ModelTerms
from tunesmith.decode.paragraphs import ParagraphTranslator
from tunesmith.decode.translate import Translator


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def model(request, tmp_path_factory):
    return text_model(tmp_path_factory.mktemp(request.param) / "model", request.param)


def translated(model, text, pairs=(), forbid=(), **options):
    return Translator(model, terms=Terms(pairs, forbid=forbid), **options).translate(text)


@pytest.mark.parametrize(
    ("text", "pairs", "expected"),
    [
        ("Der Hund ist gut.", [("Hund", "canine")], "The canine is good."),
        # Casing, and what tokenisers cut or put apart, is as written.
        ("Der Hund ist gut.", [("Hund", "Big-dog/K9, Ltd.")], "The Big-dog/K9, Ltd. is good."),
        ("Das Haus, das Haus!", [("Haus", "iHouse")], "The iHouse, the iHouse!"),
        # A sentence begins with a capital, as everywhere; a term with capitals stays.
        ("Hund und Haus.", [("Hund", "canine")], "Canine and house."),
        ("Hund und Haus.", [("Hund", "iDog")], "iDog and house."),
        # Case matters, but not for the first word of a sentence.
        ("Ist gut! Und gut.", [("und", "PLUS")], "Is good! PLUS good."),
        ("Der Hund.", [("der", "THE")], "THE dog."),
        ("Sie sieht.", [("sie", "it")], "It sees."),
        ("Er sieht sie.", [("Sie", "you")], "Er sees she."),
        # The longest first, and no overlaps.
        (
            "Der Hund und das Haus.",
            [("Hund", "A"), ("und", "B"), ("Hund und das", "C"), ("das Haus", "D")],
            "The C house.",
        ),
        ("Hund Hund Hund", [("Hund Hund", "pair")], "Pair dog"),
        # Compounds that the model splits, and what it has never seen.
        ("Die Hundehütte ist gut.", [("Hundehütte", "kennel")], "The kennel is good."),
        ("Die Hundehütte ist gut.", [("Hütte", "lodge")], "The dog lodge is good."),
        ("Die Quarkse ist gut.", [("Quarkse", "quark")], "The quark is good."),
        ("Der Hund-Haus ist gut.", [("Hund", "canine")], "The dog house is good."),
        ("Die Hund-Haus ist gut.", [("Hund-Haus", "K9")], "The K9 is good."),
        # Units: kept, part of a term, and made by one.
        ("Der Hund {name} ist gut.", [("Hund", "canine")], "The canine {name} is good."),
        ("Der Hund {x} ist gut.", [("Hund {x}", "{x} the dog")], "The {x} the dog is good."),
        ("Der Hund {name} ist gut.", [("Hund {other}", "x")], "The dog {name} is good."),
        ("Das {x} ist gut.", [("{x}", "<b>%s</b>")], "The <b>%s</b> is good."),
        ("Das https://a.de/x ist gut.", [("https://a.de/x", "https://a.uk/y")],
         "The https://a.uk/y is good."),
        ("Der <b>Hund</b> ist gut.", [("Hund", "canine")], "The <b>canine</b> is good."),
        ("Der <b>gut</b> Hund.", [("gut Hund", "never")], "The <b>good</b> dog."),
        ("„Haus“: Haus", [("Haus: x", "never"), ("Haus", "HQ")], "„HQ“: HQ"),
        # Nothing at all.
        ("", [("Hund", "canine")], ""),
    ],
)  # fmt: skip
def test_terms_come_out_as_written(model, text, pairs, expected):
    assert translated(model, text, pairs) == expected


def test_without_a_match_nothing_changes(model):
    lines = ["Der Hund {x} ist gut.", "Hundehütte <b>und</b>", "„Haus“: gut!", ""]
    plain = Translator(model).translate(lines)
    assert translated(model, lines, [("Katze", "cat")]) == plain
    assert Translator(model, terms=Terms()).translate(lines) == plain
    assert Translator(model, terms=None).reader.terms is None


def test_words_are_forbidden(model):
    assert translated(model, "Hütte", forbid=["hut"]) == "Cottage"
    assert translated(model, "Die Hütte", forbid=["hut", "cottage"]) == "The Hütte"
    assert translated(model, "Das Haus", forbid=["the house"]) in ("The", "House")
    assert "the" not in translated(model, "Haus vor Haus", forbid=["the"]).lower().split()
    # In small letters any casing, otherwise the one that is written.
    assert translated(model, "Hütte", forbid=["Hut"]) == "Hut"
    assert translated(model, "Qxy ist", forbid=["qxy"]) == "Is"
    assert translated(model, "Qxy ist", forbid=["QXY"]) == "Qxy is"
    # What a term says is wanted.
    assert translated(model, "Hütte und Hütte", [("Hütte", "hut")], ["hut"]) == "Hut and hut"


def test_all_that_is_listed_has_terms_and_nothing_forbidden(model):
    terms = Terms([("Hund", "K-9")], forbid=["hut"])
    translator = Translator(model, terms=terms, size=10, graph_density=50.0)
    [block] = translator.stream(["Der Hund {x} vor der Hütte.", "Haus und Hütte"])
    lists = list(block.nbest_lines())
    assert not any("hut" in line.split("|||")[1].split() for line in lists)
    assert all("K-9" in line and "{x}" in line for line in lists if line.startswith("0"))
    assert block.output.graphs is not None
    assert "hut" not in list(block.output.graphs.words)
    explanation = block.explanation(0)
    assert any(step.target == "K-9" and not step.in_table for _, step in explanation.walk())


def test_other_terms_on_the_same_session(model):
    translator = Translator(model)
    one = translator.with_terms(Terms({"Hund": "canine"}))
    assert one.translate("Hund") == "Canine"
    assert translator.translate("Hund") == "Dog"
    assert one.with_terms(None).translate("Hund") == "Dog"
    assert one._session is translator._session
    assert (one.sentences, translator.sentences) == (1, 1)


def test_markup_goes_before_terms(model):
    terms = Terms({"Hund": "canine", "gut": "fine", "der Hund": "x"})
    translator = Translator(model, terms=terms, markup=True)
    text = 'Der <t is="mutt">Hund</t> und ein Hund <zone>ist gut</zone>, <wall/> der Hund.'
    assert translator.translate(text) == "The mutt and a canine is fine, x."
    assert translator.translate("Der <wall/> Hund Qxy") == "The canine Qxy"
    assert translator.translate("ein <zone>Hund ist</zone>") == "A canine is"


def test_what_markup_prescribes_comes_out_as_written(model):
    translator = Translator(model, markup=True)
    for wanted in ("Big Dog/K9, Ltd.", "{x} THE dog", "iDog"):
        text = f'Der <t is="{wanted}">Hund</t> ist <t is="">gut</t> und gut.'
        assert translator.translate(text) == f"The {wanted} is and good."
    assert translator.translate('<t is="new dog">Hund</t> ist') == "New dog is"


def test_tokens_of_the_model_stay_its_own(model):
    terms = Terms({"Hund": "Big dog", "Haus": "K9/x"}, forbid=["and"])
    translator = Translator(model, terms=terms, pretokenised=True)
    assert translator.translate("der Hund und das Haus .") == "the Big dog und the K9 / x ."
    marked = Translator(model, terms=terms, pretokenised=True, markup=True)
    assert marked.translate('der <t is="x">Hund</t> Haus') == "the x K9 / x"


def test_paragraphs_and_engines(model):
    terms = Terms({"Hund": "canine", "Haus": "HQ"}, forbid=["hut"])
    lines = ["Der Hund ist gut. Das Haus ist gut.", "Hütte"]
    one = ParagraphTranslator(Translator(model, terms=terms)).translate(lines)
    assert one == ["The canine is good. The HQ is good.", "Cottage"]


def test_scripts_without_spaces_are_cut_at_terms(tmp_path):
    words = {"机器": ["machine"], "学习": ["learn"], "方": ["square"], "法": ["law"], "用": ["use"]}
    tokenizer = UnigramTokenizer().fit(["用机器学习方法。"] * 3)
    casing = (NoCasing(), NoCasing())
    model = text_model(
        tmp_path / "m", words=words, source=tokenizer, casing=casing, compounds=False
    )
    terms = [("机器学习", "machine learning"), ("方法", "Method"), ("ML", "em-el")]
    assert translated(model, "用机器学习方法", terms) == "use machine learning Method"
    assert translated(model, "用ML方法", terms) == "use em-el Method"

    class Whole(UnigramTokenizer):
        """What a model may take for words: terms begin and end inside."""

        def tokenize(self, lines, *, engine=1):
            return [line.replace("用机器学习方", "用机 器学 习方 ").strip() for line in lines]

    side = Preprocessor(Whole(), NoCasing())
    own = ModelTerms(Terms({"机器学习": "ML"}), side, side)
    found = own.find(["用机", "器学", "习方", "法"])
    assert found.words == ["用", "机", "器学", "习", "方", "法"]
    assert [(one.begin, one.end) for one in found.matches] == [(1, 4)]
    assert found.moved == [0, 2, 3, 5]


def test_forbidden_words_of_scripts_without_spaces_however_they_are_cut():
    side = Preprocessor(CharTokenizer(), NoCasing())
    own = ModelTerms(Terms(forbid=["学习了"]), side, side)
    assert sorted(own.forbidden) == sorted(
        [["学", "习", "了"], ["学习", "了"], ["学", "习了"], ["学习了"]]
    )


def test_a_model_of_small_letters(tmp_path):
    casing = (Lowercase(), Lowercase().fit(["We saw Rome and the Dog ."]))
    model = text_model(tmp_path / "m", words={"hund": ["dog"], "haus": ["rome"]}, casing=casing)
    assert translated(model, "Hund Haus Hund") == "Dog Rome Dog"
    pairs = [("HUND", "the pet"), ("haus", "rome")]
    assert translated(model, "Haus Hund haus", pairs) == "Rome the pet rome"


def test_what_has_no_effect_is_told():
    side = Preprocessor.create("moses", "none")
    pairs = [("a", "b"), ("a", "c"), ("a", "b"), ("\x01", "x"), ("y", "\x01")]
    own = ModelTerms(Terms(pairs, forbid=["\x01"]), side, side)
    assert own.problems == [
        "'a' is 'b' already, so 'c' has no effect",
        "'\x01' has no words for this model",
        "'\x01' has no words for this model",
        "'\x01' has no words for this model",
    ]
    assert [(one.source, one.words) for one in own.entries] == [("a", ("b",))]


@given(
    words=st.lists(st.sampled_from("abcd"), max_size=8),
    terms=st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), max_size=5),
)
@settings(max_examples=200)
def test_matches_are_those_of_trying_everything(words, terms):
    """Longest first, of equals the first; none overlaps another."""
    side = Preprocessor.create("none", "none")
    own = ModelTerms(Terms([(" ".join(term), "x") for term in terms]), side, side)
    places = {
        (begin, begin + len(term))
        for term in terms
        for begin in range(len(words))
        if words[begin : begin + len(term)] == term
    }
    taken = []
    for begin, end in sorted(places, key=lambda one: (one[0] - one[1], one[0])):
        if all(end <= first or last <= begin for first, last in taken):
            taken.append((begin, end))
    found = own.find(words)
    assert [(one.begin, one.end) for one in found.matches] == sorted(taken)
    assert found.words == words


@pytest.mark.parametrize(
    ("pairs", "forbid", "message"),
    [
        ("Hund", (), "terms are 'Hund', expected a list"),
        ([("a",)], (), "term 1 is ('a',), expected a source and its translation"),
        ([("a", "b"), ("a", 3)], (), "the translation of term 2 is 3, expected a string"),
        ([(" ", "b")], (), "the source of term 1 is empty, expected a word at least"),
        ([("a", "b\nc")], (), "the translation of term 1 has a line end or a NUL in it, expected "
         "one line"),
        ((), "word", "forbidden words are 'word', expected a list"),
        ((), [""], "forbidden word 1 is empty, expected a word at least"),
    ],
)  # fmt: skip
def test_terms_that_are_none(pairs, forbid, message):
    with pytest.raises(OptionError) as caught:
        Terms(pairs, forbid=forbid)
    assert str(caught.value) == message


def test_what_is_too_long_or_no_text_is_refused(model):
    with pytest.raises(OptionError) as caught:
        Translator(model, terms=Terms(forbid=["a " * 61]))
    assert str(caught.value) == "a forbidden phrase of 61 words, expected 60 at most"
    if model.kind == "hiero":
        with pytest.raises(OptionError) as caught:
            Translator(model, terms=Terms({"a": "b"}), input_type="plf")
        assert str(caught.value) == "terms in lattices, expected only words that are forbidden"
        lattices = Translator(model, terms=Terms(forbid=["hut"]), input_type="plf")
        assert lattices.translate("((('Hütte',1.0,1),),)") == "Cottage"


def test_sentences_of_ones_own(model):
    sentence = SourceSentence.from_text("Hütte")
    assert sentence.forbidden == []
    found = Translator(model).decoder.decode([SourceSentence(["Hütte"], forbidden=[["hut"]])])
    assert found.texts == ["cottage"]
