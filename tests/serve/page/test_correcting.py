"""Corrections are learned, shown and undone."""

import pytest

from reference.using_page import HOUSE, LONG, LONG_RIGHT, TOKEN, settled, tab, translation, write

pytestmark = pytest.mark.xdist_group("browser")


@pytest.mark.parametrize(
    ("model", "source", "right"),
    [("de-en", LONG, LONG_RIGHT), ("tree.de-en", HOUSE, "The tiny cottage is lovely.")],
)
def test_a_correction_is_learned_and_undone(page, ask, model, source, right):
    def says():
        return ask("translate", text=source, model=model)["translation"]

    page.locator("#model").select_option(model)
    write(page, source)
    wrong = translation(page)
    assert wrong != right
    tab(page, "Correct it")
    page.get_by_label("Right translation").fill(right)
    page.get_by_label("Token").fill("another token")
    page.get_by_role("button", name="Teach").click()
    page.wait_for_selector("#correct-problem:not([hidden])")
    assert says() == wrong
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Teach").click()
    page.wait_for_selector("#learned h3")
    settled(page)
    before, after = page.locator("#learned dd").all_inner_texts()
    assert before == wrong
    assert after == translation(page) == says() != wrong
    assert right in page.locator("#log li").first.inner_text()
    # The token is gone with the tab, and never in what stays.
    assert TOKEN not in page.evaluate("JSON.stringify({...localStorage})")
    assert TOKEN in page.evaluate("JSON.stringify({...sessionStorage})")
    page.get_by_role("button", name="Undo this correction").click()
    page.wait_for_selector("#log .undone")
    settled(page)
    assert translation(page) == says() == wrong


def test_a_model_that_does_not_learn_says_so(page):
    page.locator("#model").select_option("small.de-en")
    write(page, "das haus")
    tab(page, "Correct it")
    assert "does not learn from corrections" in page.locator("#panel-correct").inner_text()
    assert page.get_by_label("Token").is_hidden()
