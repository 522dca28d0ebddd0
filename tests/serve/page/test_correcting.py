"""Corrections are learned, shown and undone."""

import pytest

from reference.using_page import LONG, LONG_RIGHT, TOKEN, settled, tab, translation, write

pytestmark = pytest.mark.xdist_group("browser")


def test_a_correction_is_learned_and_undone(page, ask):
    write(page, LONG)
    wrong = translation(page)
    assert wrong != LONG_RIGHT
    tab(page, "Correct it")
    page.get_by_label("Right translation").fill(LONG_RIGHT)
    page.get_by_label("Token").fill("another token")
    page.get_by_role("button", name="Teach").click()
    page.wait_for_selector("#correct-problem:not([hidden])")
    assert ask("translate", text=LONG)["translation"] == wrong
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Teach").click()
    page.wait_for_selector("#learned h3")
    settled(page)
    before, after = page.locator("#learned dd").all_inner_texts()
    assert before == wrong
    assert after == translation(page) == ask("translate", text=LONG)["translation"] != wrong
    log = page.locator("#log li")
    assert log.count() == 1
    assert LONG_RIGHT in log.inner_text()
    # The token is gone with the tab, and never in what stays.
    assert TOKEN not in page.evaluate("JSON.stringify({...localStorage})")
    assert TOKEN in page.evaluate("JSON.stringify({...sessionStorage})")
    page.get_by_role("button", name="Undo this correction").click()
    page.wait_for_selector("#log .undone")
    settled(page)
    assert translation(page) == ask("translate", text=LONG)["translation"] == wrong


def test_a_model_that_does_not_learn_says_so(page):
    page.locator("#model").select_option("tree.de-en")
    write(page, LONG)
    tab(page, "Correct it")
    assert "Hierarchical models do not learn" in page.locator("#panel-correct").inner_text()
    assert page.get_by_label("Token").is_hidden()
