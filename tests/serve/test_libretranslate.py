"""LibreTranslate's protocol: its own Python client, and requests as other clients send them."""

import urllib.error

import pytest
from libretranslatepy import LibreTranslateAPI

from reference.tiny_server import SMALL, Outside
from tunesmith.decode.translate import Translator


def test_the_client_of_libretranslate(folders):
    outside = Outside(*folders)
    client = LibreTranslateAPI(outside.address)
    expected = Translator(folders[0]).translate(SMALL)
    try:
        assert client.translate(SMALL, "de", "en") == expected
        assert client.translate(SMALL, "auto", "en") == expected
        assert LibreTranslateAPI(outside.address, "a key").translate(SMALL, "de", "en") == expected
        assert client.languages() == [
            {"code": "de", "name": "German", "targets": ["en"]},
            {"code": "en", "name": "English", "targets": []},
        ]
        assert client.detect("the house is")[0]["language"] == "en"
        assert client.detect("das haus")[0]["language"] == "de"
        with pytest.raises(urllib.error.HTTPError) as refused:
            client.translate(SMALL, "fr", "en")
        assert refused.value.code == 400
    finally:
        assert outside.stop() == 0


def test_json_and_forms_and_addresses_are_alike(server, folders):
    expected = {"translatedText": Translator(folders[0]).translate(SMALL)}
    asked = {"q": SMALL, "source": "de", "target": "en"}
    assert server("POST", "/translate", json={**asked, "format": "text"}).json() == expected
    assert server("POST", "/translate", data=asked).json() == expected
    assert server("GET", "/translate", params=asked).json() == expected
    other = {"q": SMALL, "source": "de-DE", "target": "English", "unheard": "of"}
    assert server("POST", "/translate", json=other).json() == expected


def test_lists_are_translated_one_by_one(server):
    asked = {"q": ["das haus", "", "klein"], "source": "auto", "target": "en"}
    answer = server("POST", "/translate", json=asked).json()
    alone = [
        server("POST", "/translate", json={**asked, "q": text}).json()["translatedText"]
        for text in asked["q"]
    ]
    assert answer["translatedText"] == alone
    assert [one["language"] for one in answer["detectedLanguage"]] == ["de"] * 3


def test_alternatives(server):
    asked = {"q": "das haus ist klein", "source": "de", "target": "en", "alternatives": 2}
    answer = server("POST", "/translate", json=asked).json()
    assert len({answer["translatedText"], *answer["alternatives"]}) == 3


def test_markup_of_a_page_stays(server):
    page = '<p class="x">ist <b>klein</b></p><script>haus</script>'
    asked = {"q": page, "source": "de", "target": "en", "format": "html"}
    answer = server("POST", "/translate", json=asked).json()["translatedText"]
    assert answer == '<p class="x">is <b>small</b></p><script>haus</script>'


def test_settings(server):
    settings = server("GET", "/frontend/settings").json()
    assert settings["language"]["source"] == {"code": "de", "name": "German"}
    assert not settings["keyRequired"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "Invalid request: missing q parameter"),
        ({"q": "a"}, "Invalid request: missing target parameter"),
        ({"q": "a", "target": "en"}, "Invalid request: missing source parameter"),
        ({"q": 1, "source": "de", "target": "en"}, "q is a number, expected a string"),
        ({"q": ["a", None], "source": "de", "target": "en"}, "q 2 is null, expected a string"),
        ({"q": "a", "source": "en", "target": "de"},
         "no model from en to de, expected one of: de-en"),
        ({"q": "a", "source": "auto", "target": "xx"}, "no model into 'xx'"),
        ({"q": "a", "source": "de", "target": "en", "format": "pdf"},
         "format 'pdf', expected text or html"),
        ({"q": "a", "source": "de", "target": "en", "alternatives": "x"},
         "alternatives is x, expected a whole number from 0 to 99"),
    ],
)  # fmt: skip
def test_refused(server, values, message):
    answer = server("POST", "/translate", json=values)
    assert (answer.status_code, answer.json()) == (400, {"error": message})


def test_forms_that_are_broken(server):
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = server("POST", "/translate", content=b"q=%ff&source=de&target=en", headers=headers)
    assert (answer.status_code, answer.json()) == (400, {"error": "the form is no UTF-8"})
    answer = server("POST", "/translate", content=b"q=\xff&source=de&target=en", headers=headers)
    assert (answer.status_code, answer.json()) == (400, {"error": "the form is no UTF-8"})
    plain = "q=Größe&source=de&target=en".encode()  # as curl -d sends it
    answer = server("POST", "/translate", content=plain, headers=headers)
    assert answer.json()["translatedText"] == "Größe"
    answer = server("POST", "/translate", content=b"q&" * 2000, headers=headers)
    assert answer.status_code == 413
    answer = server("POST", "/detect", content=b"x", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415
