"""Text is translated as it is typed, alternatives are picked, errors are told."""

import re

import pytest

from reference.using_page import (
    DOG,
    HOUSE,
    HOUSE_AND_DOG,
    LONG,
    listed,
    settled,
    translation,
    two_frames,
    write,
)

pytestmark = pytest.mark.xdist_group("browser")

SCRIPT = "<script>document.title = 'broken'</script>"


def test_text_is_translated_as_it_is_typed(page, ask):
    page.locator("#source").press_sequentially(f"{HOUSE} {DOG}", delay=5)
    settled(page)
    assert translation(page) == HOUSE_AND_DOG
    assert re.fullmatch(
        r"2 sentences in (\d+ ms|less than a millisecond)", page.locator("#status").text_content()
    )
    text = f"{HOUSE}\n\n  {DOG} {LONG}\n"
    write(page, text)
    assert translation(page) == ask("translate", text=text)["translation"]
    page.locator("#source").fill(" ")
    page.wait_for_selector("#inside", state="hidden")
    assert translation(page) == ""


def test_a_text_of_many_sentences_is_sent_in_parts(page, ask):
    lines = [HOUSE, "", f"  {DOG} {LONG}", DOG] * 150
    page.locator("#source").fill("\n".join(lines))
    settled(page)
    first = ask("translate", text="\n".join(lines[:4]) + "\n")["translation"]
    assert translation(page) == (150 * first).removesuffix("\n")
    assert page.locator("#status").text_content().startswith("600 sentences in ")


def test_the_latest_answer_wins(page):
    """An answer that comes late, behind that to a later text, is not shown."""
    late = []

    def hold(route):
        if HOUSE in route.request.post_data_json["text"] and not late:
            late.append(route)
        else:
            route.continue_()

    page.route("**/api/translate", hold)
    with page.expect_request("**/api/translate"):
        page.locator("#source").fill(HOUSE)
    write(page, DOG)
    assert len(late) == 1
    late[0].fulfill(json={"translation": "too late", "sentences": [], "milliseconds": 1})
    two_frames(page)
    assert translation(page) == "My brother buys a dog."


def test_an_alternative_is_picked_for_its_sentence(page, ask):
    write(page, f"{HOUSE} {DOG}")
    sentences = ask("explain", sentences=[HOUSE, DOG], size=20)["sentences"]
    page.locator(".sentence").nth(0).click()
    settled(page)
    assert listed(page) == [one["text"] for one in sentences[0]["alternatives"]]
    page.locator("#alternatives label").nth(2).click()
    first = sentences[0]["alternatives"][2]["text"]
    assert translation(page) == f"{first} My brother buys a dog."
    page.get_by_role("button", name="Next").click()
    settled(page)
    assert page.locator("#position").text_content() == "Sentence 2 of 2"
    assert listed(page) == [one["text"] for one in sentences[1]["alternatives"]]
    assert translation(page) == f"{first} My brother buys a dog."


def test_the_caret_says_which_sentence_is_looked_into(page):
    write(page, f"{HOUSE} {DOG}")
    assert page.locator("#position").text_content() == "Sentence 2 of 2"
    page.locator("#source").press("Control+Home")
    page.locator("#source").press("ArrowRight")
    settled(page)
    assert page.locator("#position").text_content() == "Sentence 1 of 2"


def test_what_the_server_has_against_a_text_is_shown_as_text(page):
    write(page, HOUSE)
    page.locator("#source").fill("Haus " * 5000)
    problem = page.locator("#problem")
    problem.wait_for()
    assert "expected at most" in problem.text_content()
    page.route("**/api/translate", lambda route: route.fulfill(
        status=422, json={"error": f"{SCRIPT}: no text"}))  # fmt: skip
    page.locator("#source").fill(DOG)
    page.locator("#problem", has_text="no text").wait_for()
    assert problem.text_content() == f"{SCRIPT}: no text"
    page.unroute("**/api/translate")
    write(page, DOG)
    assert problem.is_hidden()
    page.route("**/api/translate", lambda route: route.abort())
    page.locator("#source").fill(HOUSE)
    problem.wait_for()
    assert problem.text_content() == "The server does not answer. Is it still running?"


def test_a_busy_server_is_asked_again(page):
    busy = [1]

    def answer(route):
        if busy:
            busy.pop()
            route.fulfill(status=429, headers={"Retry-After": "3600"}, json={"error": "too busy."})
        else:
            route.continue_()

    page.clock.install()
    page.route("**/api/translate", answer)
    page.locator("#source").fill(DOG)
    page.locator("#problem").wait_for()
    assert page.locator("#problem").text_content() == "too busy. Asking again in 3600 s."
    page.clock.fast_forward(3600 * 1000)
    settled(page)
    assert translation(page) == "My brother buys a dog."
    assert page.locator("#problem").is_hidden()
