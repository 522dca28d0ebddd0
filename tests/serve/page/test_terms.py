"""Terms are forced, forbidden, kept, removed, and are text."""

import pytest

from reference.using_page import DOG, HOUSE, HOUSE_AND_DOG, settled, tab, translation, write

pytestmark = pytest.mark.xdist_group("browser")

SCRIPT = "<script>document.title = 'broken'</script>"


def test_terms_are_forced_forbidden_kept_and_removed(page):
    write(page, f"{HOUSE} {DOG}")
    page.locator(".sentence").nth(0).click()
    settled(page)
    tab(page, "Terms")
    tokens = page.locator("#tokens [role=option]")
    tokens.nth(1).hover()
    page.mouse.down()
    tokens.nth(2).hover()
    page.mouse.up()
    assert page.get_by_label("Words", exact=True).input_value() == "kleine Haus"
    page.get_by_label("Translate as").fill("tiny cottage")
    page.get_by_role("button", name="Force").click()
    settled(page)
    assert "tiny cottage" in translation(page)
    page.get_by_label("Never write this word").fill("dog")
    page.get_by_role("button", name="Forbid").click()
    settled(page)
    assert "dog" not in translation(page)
    page.reload()
    write(page, f"{HOUSE} {DOG}")
    assert "tiny cottage" in translation(page)
    assert "dog" not in translation(page)
    tab(page, "Terms")
    for name in ("Remove kleine Haus → tiny cottage", "Remove dog"):
        page.get_by_role("button", name=name).click()
    settled(page)
    assert translation(page) == HOUSE_AND_DOG
    assert page.locator("#terms-none").is_visible()
    page.get_by_label("Words", exact=True).fill("Hund")
    page.get_by_role("button", name="Keep as it is").click()
    settled(page)
    assert "Hund" in translation(page)
    assert "kept as it is" in page.locator("#terms").inner_text()


def test_a_term_that_the_server_refuses_is_told(page):
    write(page, HOUSE)
    tab(page, "Terms")
    page.get_by_label("Never write this word").fill("a b " * 40)
    page.get_by_role("button", name="Forbid").click()
    page.wait_for_selector("#terms-problem:not([hidden])")
    said = page.locator("#terms-problem").text_content()
    assert said == "a forbidden phrase of 80 words, expected 60 at most"
    assert page.locator("#terms li").count() == 0


def test_terms_that_are_kept_and_wrong_can_be_removed(page):
    """A server may refuse what another one took: nothing is translated then."""
    page.evaluate("""() => localStorage.setItem("tunesmith.terms.de-en",
      JSON.stringify({terms: [{source: "Haus", target: " "}], forbid: [7]}))""")
    page.reload()
    page.locator("#source").fill(HOUSE)
    page.get_by_role("button", name="Remove all terms").click()
    settled(page)
    assert translation(page) == "The small house is beautiful."
    assert page.locator("#problem").is_hidden()
    assert page.get_by_role("button", name="Remove all terms").is_hidden()


def test_markup_is_text_everywhere(page, server):
    page.evaluate("document.title = 'whole'")
    write(page, f"Das Haus {SCRIPT} ist <img src=x onerror=alert(1)> schön.")
    assert "<script>" in translation(page)
    tab(page, "Terms")
    page.get_by_label("Words", exact=True).fill("Haus")
    page.get_by_label("Translate as").fill(SCRIPT)
    page.get_by_role("button", name="Force").click()
    settled(page)
    assert SCRIPT in page.locator("#terms").inner_text()
    page.get_by_label("Never write this word").fill("<b>bold</b>")
    page.get_by_role("button", name="Forbid").click()
    settled(page)
    assert "<b>bold</b>" in page.locator("#terms").inner_text()
    assert page.locator("main script, main img, main b:text('bold')").count() == 0
    assert page.title() == "whole"
