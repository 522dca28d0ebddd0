"""Languages recognised from file names, from text, and from both."""

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.corpus.identification import (
    file_languages,
    identify,
    named_languages,
    recognise_languages,
)

# Written for this test.
TEXTS = {
    "bg": ["Влакът закъснява с двадесет минути.", "Утре ще вали, затова вземи чадър."],
    "cs": ["Vlak má dvacet minut zpoždění.", "Zítra bude pršet, tak si vezmi deštník."],
    "de": ["Der Zug hat zwanzig Minuten Verspätung.", "Morgen regnet es, nimm also einen Schirm."],
    "el": ["Το τρένο έχει είκοσι λεπτά καθυστέρηση.", "Αύριο θα βρέξει, πάρε ομπρέλα."],
    "en": ["The train is twenty minutes late.", "It will rain tomorrow, so take an umbrella."],
    "es": ["El tren lleva veinte minutos de retraso.", "Mañana va a llover, coge un paraguas."],
    "eu": ["Trenak hogei minutuko atzerapena du.", "Bihar euria egingo du, hartu aterkia."],
    "fi": ["Juna on kaksikymmentä minuuttia myöhässä.", "Huomenna sataa, joten ota sateenvarjo."],
    "fr": ["Le train a vingt minutes de retard.", "Il va pleuvoir demain, prends un parapluie."],
    "ja": ["電車は二十分遅れています。", "明日は雨なので、傘を持って行ってください。"],
    "ko": ["기차가 이십 분 늦습니다.", "내일 비가 올 테니 우산을 가져가세요."],
    "sv": ["Tåget är tjugo minuter försenat.", "I morgon blir det regn, så ta med ett paraply."],
    "sw": ["Treni imechelewa kwa dakika ishirini.", "Kesho mvua itanyesha, chukua mwavuli."],
    "tr": ["Tren yirmi dakika gecikti.", "Yarın yağmur yağacak, şemsiyeni yanına al."],
    "uk": ["Потяг запізнюється на двадцять хвилин.", "Завтра буде дощ, тож візьми парасольку."],
    "vi": ["Tàu bị trễ hai mươi phút.", "Ngày mai trời sẽ mưa, hãy mang theo ô."],
    "zh": ["火车晚点二十分钟。", "明天会下雨，记得带伞。"],
}


@pytest.fixture
def told(caplog):
    caplog.set_level("WARNING", logger="tunesmith")
    return caplog


@pytest.mark.parametrize(
    ("source", "target", "languages"),
    [
        ("train.de", "train.en", ("de", "en")),
        ("corpus.de-en.de", "corpus.de-en.en", ("de", "en")),
        ("europarl.en.gz", "europarl.sv.gz", ("en", "sv")),
        ("a.zh_CN.txt", "a.en_US.txt", ("zh", "en")),
        ("a.pt-br", "a.en", ("pt", "en")),
        ("News.DE.txt.xz", "News.EN.txt.xz", ("de", "en")),
        ("eng_Latn.devtest", "arb_Arab.devtest", ("en", "ar")),
        ("deu.txt", "nld.txt", ("de", "nl")),
        ("german.txt", "english.txt", ("de", "en")),
        ("train_de.txt", "train_en.txt", ("de", "en")),
        ("news-pt_BR.txt", "news-en.txt", ("pt", "en")),
        ("train.lc.norm.tok.uk", "train.tok.en", ("uk", "en")),
        ("train.sr@latin.bpe", "train.hr.bpe", ("sr", "hr")),
        ("train.de-en.src", "train.de-en.tgt", ("de", "en")),
        ("train.de-en.de", "train.de-en.trans", ("de", "en")),
        ("de/train.txt", "en/train.txt", ("de", "en")),
        ("train.de", "train.translated", ("de", "")),
        ("train.from", "train.to", ("", "")),
        ("train.en", "train.to", ("en", "to")),
        # Part of a name only counts if both names have one.
        ("it-support.txt", "helpdesk.txt", ("", "")),
        ("src-train.txt", "tgt-train.txt", ("", "")),
        ("train.en", "dev.en", ("", "")),
        ("source", "target", ("", "")),
        ("corpus.de-en.tsv", None, ("de", "en")),
        ("bible-uedin.en_GB-pt_BR.tsv.gz", None, ("en", "pt")),
        ("x.de2en.txt", None, ("de", "en")),
        ("my-fra-to-eng.tsv", None, ("fr", "en")),
        ("wiki.de.en.tsv", None, ("de", "en")),
        ("english-german.tsv", None, ("en", "de")),
        ("news-de.tsv", None, ("", "")),
        ("pairs.tsv", None, ("", "")),
        ("app.fr.po", None, ("", "fr")),
        ("installer_sr@latin.po", None, ("", "sr")),
        ("uk/LC_MESSAGES/app.mo", None, ("", "uk")),
    ],
)
def test_names_of_files(source, target, languages):
    assert named_languages(source, target) == languages


def test_several_corpora_have_to_agree():
    def found(*files):
        return file_languages(files)

    assert found(("a.de", "a.en"), ("b.de", "b.en")) == ("de", "en")
    assert found(("a.de", "a.en"), ("b.x", "b.y")) == ("de", "en")
    assert found(("a.de", "a.en"), ("b.fr", "b.en")) == ("", "en")


def test_files_that_state_their_languages(tmp_path):
    memory = tmp_path / "a.tmx"
    units = "".join(f'<tuv xml:lang="{code}"><seg>x</seg></tuv>' for code in ("FRA", "de-CH"))
    memory.write_text(f'<tmx version="1.4"><header srclang="*all*"/><tu>{units}</tu></tmx>')
    xliff = tmp_path / "a.xlf"
    xliff.write_text('<xliff version="1.2"><file source-language="nl" target-language="en-GB"/>'
                     "</xliff>")  # fmt: skip
    catalogue = tmp_path / "de.po"
    catalogue.write_text('msgid "x"\nmsgstr "y"\n')
    assert file_languages([(memory, None)]) == ("fr", "de")
    assert file_languages([(xliff, None)]) == ("nl", "en")
    assert file_languages([(catalogue, None)]) == ("", "de")
    catalogue.write_text('msgid ""\nmsgstr ""\n"Language: pt_BR\\n"\n\nmsgid "x"\nmsgstr "y"\n')
    assert file_languages([(catalogue, None)]) == ("", "pt")


@pytest.mark.parametrize("code", TEXTS)
def test_text_is_identified(code):
    found = identify(TEXTS[code])
    assert next(iter(found)) == code
    assert found[code] > 0.6


def test_a_quotation_does_not_decide():
    lines = TEXTS["en"] * 20 + TEXTS["ja"] * 3 + TEXTS["en"] * 20
    assert next(iter(identify(lines))) == "en"


def test_text_without_letters_is_of_no_language():
    assert identify([]) == identify(["12 34", "", "…"]) == {}


@pytest.mark.parametrize(
    ("source", "target"), [("de", "en"), ("fi", "sv"), ("zh", "vi"), ("sw", "eu")]
)
def test_text_alone_is_enough(told, source, target):
    samples = TEXTS[source], TEXTS[target]
    assert recognise_languages(samples, ("", "")) == (source, target)
    assert told.messages == []


def test_names_that_text_does_not_contradict_are_taken(told):
    assert recognise_languages((["OK"], ["12"]), ("de", "fr")) == ("de", "fr")
    # The identifier knows neither Silesian nor Asturian; what they look like says nothing.
    assert recognise_languages((TEXTS["cs"], TEXTS["es"]), ("szl", "ast")) == ("szl", "ast")
    assert told.messages == []


def test_a_clear_text_overrules_a_wrong_name(told):
    assert recognise_languages((TEXTS["en"], TEXTS["de"]), ("it", "de")) == ("en", "de")
    assert told.messages == [
        "the source is Italian by the name of its file, but its text is English: taking English; "
        "--source-language overrides this"
    ]


def test_unclear_languages_are_undetermined(told):
    assert recognise_languages((["foo 12"], TEXTS["de"]), ("", "")) == ("und", "de")
    assert len(told.messages) == 1
    assert told.messages[0].startswith("the source language is not clear from file names or text")
    assert told.messages[0].endswith("give --source-language")


def test_what_is_given_is_taken(told):
    samples = TEXTS["de"], TEXTS["en"]
    assert recognise_languages(samples, ("", ""), ("German", "eng")) == ("de", "en")
    assert recognise_languages(samples, ("de", "en"), ("und", "und")) == ("und", "und")
    assert told.messages == []
    assert recognise_languages(samples, ("de", "en"), ("fr", "")) == ("fr", "en")
    assert told.messages == [
        "the source language is given as French, but the text looks like German: are the "
        "languages or the files swapped?"
    ]


@pytest.mark.parametrize("given", [("", ""), ("en", ""), ("", "en")])
def test_equal_languages_have_to_be_given(given):
    with pytest.raises(OptionError) as caught:
        recognise_languages((TEXTS["en"], TEXTS["en"]), ("", ""), given)
    assert str(caught.value) == (
        "source and target are both English (en), expected two languages; for post-editing or "
        "paraphrases give --source-language en --target-language en"
    )


def test_equal_languages_that_are_given(told):
    assert recognise_languages((TEXTS["en"], TEXTS["en"]), ("", ""), ("en", "en")) == ("en", "en")
    assert told.messages == []
