"""“Why this one?”: what features add, and sliders."""

import pytest

from reference.using_page import LONG, listed, settled, translation, write

pytestmark = pytest.mark.xdist_group("browser")


def table(page):
    """The numbers of “Why this one?” by feature and column."""
    rows = page.evaluate("""() => {
      const number = (cell) => Number(cell.querySelector(".number").textContent.replace("−", "-"));
      return [...document.querySelectorAll("table.why tbody tr")].map((row) => [
        row.querySelector(".name").textContent,
        Object.fromEntries([...row.querySelectorAll("td:not(.weight)")]
          .map((cell) => [cell.dataset.title, number(cell)]))]);
    }""")
    return dict(rows)


def test_why_this_one_adds_up(page, ask, weights):
    write(page, LONG)
    first, second = ask("explain", sentences=[LONG])["sentences"][0]["alternatives"][:2]
    page.get_by_role("button", name="Show all").click()
    rows = table(page)
    for name, weight in weights.items():
        one, two = (weight * alternative["features"][name] for alternative in (first, second))
        shown = [rows[name]["Chosen"], rows[name]["Other"], rows[name]["Difference"]]
        assert shown == pytest.approx([one, two, one - two], abs=0.006)
    score = rows["Score"]
    assert score["Chosen"] == pytest.approx(first["score"], abs=0.001)
    assert score["Difference"] == pytest.approx(first["score"] - second["score"], abs=0.001)
    assert (
        f"ahead by {first['score'] - second['score']:.3f}" in page.locator("#verdict").inner_text()
    )


def test_a_weight_ranks_the_list_at_once_and_then_searches_anew(page, ask, weights):
    write(page, LONG)
    before = listed(page)
    alternatives = ask("explain", sentences=[LONG], size=20)["sentences"][0]["alternatives"]
    page.get_by_role("button", name="Show all").click()
    page.route("**/api/**", lambda route: route.abort())  # from here on the page is on its own
    slider = page.get_by_label("Weight of word_penalty")
    slider.fill(slider.get_attribute("min"))
    page.locator("#problem", has_text="The server does not answer").wait_for()
    weight = float(slider.input_value())
    change = weight - weights["word_penalty"]
    assert change < 0

    def score(one):
        return one["score"] + change * one["features"]["word_penalty"]

    anew = [one["text"] for one in sorted(alternatives, key=score, reverse=True)]
    assert listed(page) == anew != before
    assert anew[0] in page.locator("#best-now").text_content()
    assert translation(page) == anew[0]
    page.unroute("**/api/**")
    with page.expect_request("**/api/explain") as asked:
        slider.press("ArrowRight")
    settled(page)
    given = asked.value.post_data_json["weights"]
    assert given == {"word_penalty": float(slider.input_value())}
    found = ask("explain", sentences=[LONG], size=20, weights=given)["sentences"][0]
    assert listed(page) == [one["text"] for one in found["alternatives"]]
    assert (
        f"was {weights['word_penalty']:.4f}".replace("-", "−")
        in page.locator(".changed").inner_text()
    )
    page.get_by_role("button", name="Reset weights").click()
    settled(page)
    assert listed(page) == before
    assert page.locator("#best-now").is_hidden()
