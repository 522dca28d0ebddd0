"""All of it without a mouse."""

import pytest

from reference.using_page import HOUSE, LONG, LONG_RIGHT, TOKEN, listed, settled, translation

pytestmark = pytest.mark.xdist_group("browser")

KEYS_AT_MOST = 200  # to get from one end of the page to the other


class Keyboard:
    """Somebody without a mouse."""

    def __init__(self, page):
        self.page = page

    def go(self, selector, key="Tab"):
        """Press Tab until something has the focus."""
        for _ in range(KEYS_AT_MOST):
            if self.page.evaluate("one => document.activeElement.matches(one)", selector):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{selector} is not reached by {key}")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, selector, text):
        self.go(selector)
        self.press("Control+a")
        self.page.keyboard.type(text)


def test_all_of_it_by_keyboard_alone(page):
    keys = Keyboard(page)
    keys.type("#source", f"{HOUSE} {LONG}")
    settled(page)
    wrong = page.locator(".sentence").nth(1).inner_text()
    keys.go(".sentence")
    keys.press("Home")
    settled(page)
    assert page.locator("#position").text_content() == "Sentence 1 of 2"
    keys.press("ArrowRight")
    settled(page)
    assert page.locator("#position").text_content() == "Sentence 2 of 2"
    keys.go("#picture .step")
    keys.press("ArrowRight")
    assert page.locator("#picture .step").nth(1).get_attribute("aria-selected") == "true"
    assert "seen together" in page.locator("#rule").inner_text()
    keys.go("#alternatives input")
    keys.press("ArrowDown")
    assert page.locator(".sentence").nth(1).inner_text() == listed(page)[1]
    keys.go("#tab-why")
    keys.go("input[type=range]")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    keys.press("Home")
    settled(page)
    assert "was" in page.locator(".changed").inner_text()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == name
    keys.go("#reset", "Shift+Tab")
    keys.press("Enter")
    settled(page)
    assert page.locator(".changed").count() == 0
    assert page.locator(".sentence").nth(1).inner_text() == wrong
    keys.go("#tab-why", "Shift+Tab")
    keys.press("ArrowRight")
    keys.go("#tokens .token")
    keys.press("End", "ArrowLeft", "ArrowLeft", "Shift+ArrowLeft")
    keys.type("#term-target", "be grateful to you")
    assert page.locator("#term-source").input_value() == "Haus kaufen"
    keys.press("Enter")
    settled(page)
    assert "be grateful to you" in translation(page)
    keys.go("#forbid-word")
    page.keyboard.type("nice")
    keys.press("Enter")
    settled(page)
    assert "nice" not in translation(page)
    for _ in range(2):
        keys.go("#terms button")
        keys.press("Enter")
        settled(page)
    assert page.locator(".sentence").nth(1).inner_text() == wrong
    keys.go("#tab-terms", "Shift+Tab")
    keys.press("ArrowRight")
    keys.type("#correction", LONG_RIGHT)
    keys.type("#token", TOKEN)
    keys.press("Enter")
    page.wait_for_selector("#learned h3")
    settled(page)
    assert page.locator(".sentence").nth(1).inner_text() != wrong
    keys.go("#learned button")
    keys.press("Enter")
    page.wait_for_selector("#log .undone")
    settled(page)
    assert page.locator(".sentence").nth(1).inner_text() == wrong
