"""A headless Chromium for tests, and what it sees of a page's accessibility."""

import shutil
from contextlib import contextmanager

import pytest

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
NAMES = ("chromium", "chromium-browser")


@contextmanager
def chromium():
    """Debian's browser with an empty profile; without it the test is skipped."""
    sync_api = pytest.importorskip("playwright.sync_api")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


# Controls without a name, names of elements that are not there, ids that are there twice.
NAMELESS = """() => {
  const wrong = [];
  const text = (ids) => (ids ?? "").split(" ").filter(Boolean).map((id) => {
    const named = document.getElementById(id);
    if (!named) wrong.push(`no element ${id}`);
    return named?.textContent ?? "";
  }).join("").trim();
  for (const one of document.querySelectorAll("[aria-controls], [aria-describedby]")) {
    text(one.getAttribute("aria-controls"));
    text(one.getAttribute("aria-describedby"));
  }
  const controls = "input, select, textarea, button, [role=listbox], [role=option], [role=tab], "
    + "[role=tabpanel], [role=radiogroup], [tabindex='0']";
  for (const one of document.querySelectorAll(controls)) {
    const labels = [...(one.labels ?? [])].map((label) => label.textContent).join("").trim();
    const inside = one.matches("button, [role=option], [role=tab]") ? one.textContent.trim() : "";
    const name = one.getAttribute("aria-label") || text(one.getAttribute("aria-labelledby"));
    if (!(name || labels || inside)) wrong.push(`no name: ${one.outerHTML.slice(0, 120)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  wrong.push(...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `twice: ${id}`));
  wrong.push(...[...document.querySelectorAll("[tabindex]")].filter((one) => one.tabIndex > 0)
    .map((one) => `tab order: ${one.outerHTML.slice(0, 120)}`));
  return wrong;
}"""

# Visible text whose contrast by WCAG 2 is less than 4.5, as [text, ratio]; disabled controls are
# exempt there too.
FAINT = """() => {
  const rgba = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number);
    return { rgb: [r, g, b], a };
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((x) => x / 255)
      .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    const box = node.closest?.("g.box")?.querySelector("rect");
    if (box) return rgba(getComputedStyle(box).fill).rgb;
    for (let one = node; one; one = one.parentElement) {
      const { rgb, a } = rgba(getComputedStyle(one).backgroundColor);
      if (a > 0.99) return rgb;
    }
    return [255, 255, 255];
  };
  const faint = [];
  let seen = 0;
  const check = (node, text, colour) => {
    if (!text.trim() || node.closest(":disabled") || !node.getClientRects().length) return;
    const [one, two] = [luminance(rgba(colour).rgb), luminance(ground(node))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    seen += 1;
    if (ratio < 4.5) faint.push([text.trim().slice(0, 60), Math.round(ratio * 100) / 100]);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (node.closest("script, style, noscript, .unseen, datalist")) continue;
    const style = getComputedStyle(node);
    check(node, walker.currentNode.data, node.tagName === "text" ? style.fill : style.color);
  }
  for (const field of document.querySelectorAll("input, textarea")) {
    const style = getComputedStyle(field, field.placeholder ? "::placeholder" : null);
    check(field, field.value || field.placeholder, style.color);
  }
  return { seen, faint };
}"""
