"""On a phone, in the dark, for people who do not see it."""

import re

import pytest

from reference.chromium import FAINT, NAMELESS
from reference.using_page import HOUSE, LONG, settled, tab, write

pytestmark = pytest.mark.xdist_group("browser")

PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("model", ["de-en", "tree.de-en"])
def test_a_phone_needs_no_sideways_scrolling(open_page, model):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.locator("#model").select_option(model)
    write(
        page, f"{LONG} Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung {HOUSE}"
    )
    for sentence in (0, 1):
        page.locator(".sentence").nth(sentence).click()
        settled(page)
        for name in ("Why this one?", "Terms", "Correct it"):
            tab(page, name)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    drawn = page.locator("#picture svg").bounding_box()
    assert drawn["width"] <= PHONE["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_has_a_name_and_contrast(open_page, scheme):
    page = open_page(color_scheme=scheme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    level = sum(map(int, re.findall(r"\d+", ground)[:3])) / 3
    assert level < 60 if scheme == "dark" else level > 200
    assert page.evaluate(FAINT)["faint"] == []
    write(page, f"{LONG} {HOUSE} Unbekanntheit")
    page.get_by_text("As text").click()
    page.get_by_label("Weight of lm").press("ArrowRight")
    settled(page)
    for name in ("Why this one?", "Terms", "Correct it"):
        tab(page, name)
        if name == "Terms":
            page.locator("#tokens .token").first.click()
            page.get_by_label("Translate as").fill("Anna")
            page.get_by_role("button", name="Force").click()
            settled(page)
        found = page.evaluate(FAINT)
        assert found["faint"] == []
        assert found["seen"] > 30
        assert page.evaluate(NAMELESS) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_has_nothing_against_it(open_page, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_page(viewport={"width": width, "height": 900}, bypass_csp=True)
    write(page, f"{LONG} {HOUSE}")
    for name in ("Why this one?", "Terms", "Correct it"):
        tab(page, name)
        found = axe.run(page).response
        assert [(one["id"], one["help"]) for one in found["violations"]] == []
        assert len(found["passes"]) > 30


def test_the_checks_of_this_page_can_fail(page):
    page.evaluate("""() => {
      document.querySelector("label[for=term-target]").remove();
      document.querySelector(".motto").id = "model";
      document.querySelector("h1").setAttribute("tabindex", "3");
    }""")
    wrong = page.evaluate(NAMELESS)
    assert any("term-target" in one for one in wrong)
    assert "twice: model" in wrong
    assert any(one.startswith("tab order") for one in wrong)
    page.evaluate("document.querySelector('.motto').style.color = '#999'")
    assert page.evaluate(FAINT)["faint"][0][0] == "A translator you can take apart"
