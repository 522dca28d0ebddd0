"""Derivations as pictures, and as text."""

import pytest

from reference.using_page import LONG, translation, write

pytestmark = pytest.mark.xdist_group("browser")


def test_the_picture_joins_phrases_and_tells_of_their_rules(page, ask):
    write(page, LONG)
    best = ask("explain", sentences=[LONG])["sentences"][0]["alternatives"][0]
    steps = best["steps"]
    shapes = page.locator("#picture .step")
    assert shapes.count() == len(steps) > 5
    rules = [step["rule"] for step in steps]
    for shape, rule in zip(shapes.all(), rules, strict=True):
        assert shape.locator(".from").text_content() == rule["source"]
        assert shape.locator(".to").text_content() == rule["target"]
    crossing = [
        any((i < j) != (one["source"] < other["source"]) for j, other in enumerate(steps) if i != j)
        for i, one in enumerate(steps)
    ]
    assert any(crossing)
    assert (
        page.evaluate(
            "[...document.querySelectorAll('#picture .step')].map(one => one.matches('.crossing'))"
        )
        == crossing
    )
    scores = [name for name in best["features"] if name.startswith("tm.")]
    for name in scores:  # rules are told with what they have in the sum
        total = sum(rule["features"][name] for rule in rules)
        assert total == pytest.approx(best["features"][name], abs=1e-4)
    for number, rule in list(enumerate(rules))[:3]:
        shapes.nth(number).locator("rect").first.hover()
        said = page.locator("#rule").inner_text()
        assert f"{rule['source']} → {rule['target']}" in said
        assert f"p = {rule['probability']:.3f}" in said
        assert f"seen together {rule['together']:.0f} times" in said
        assert f"the source side {rule['seen']:.0f} times" in said
        for name in scores:
            assert f"{name} {rule['features'][name]:+.3f}".replace("-", "−") in said
    page.get_by_text("As text").click()
    lines = page.locator("#derivation-text li").all_text_contents()
    assert [line.split(", p = ")[0] for line in lines] == [
        f"{rule['source']} → {rule['target']}" for rule in rules
    ]


def test_a_hierarchical_model_is_shown_as_a_tree(page, ask):
    page.locator("#model").select_option("tree.de-en")
    write(page, LONG)
    answer = ask("explain", sentences=[LONG], model="tree.de-en")["sentences"][0]
    assert translation(page) == answer["translation"]
    waiting, rules = list(answer["alternatives"][0]["steps"]), []
    while waiting:
        step = waiting.pop(0)
        rules.append((step["rule"]["source"], step["rule"]["target"]))
        waiting = [*step["children"], *waiting]
    assert any("[1]" in source for source, _ in rules)
    boxes = [
        (box.locator(".row0").text_content(), box.locator(".row1").text_content())
        for box in page.locator("#picture .box").all()
    ]
    assert boxes == rules
    # A child hangs below its parent: the tree is as deep as its rules are.
    tops = {float(rect.get_attribute("y")) for rect in page.locator("#picture rect").all()}
    assert len(tops) > 1
