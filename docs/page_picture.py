"""Take the README's picture of the page, with a server that runs.

    tunesmith demo
    tunesmith serve de-en=tunesmith-demo/model &
    python docs/page_picture.py http://127.0.0.1:5000 docs/page.png

It needs Debian's chromium, and the packages playwright and pillow.
"""

import io
import shutil
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

TEXT = (
    "Herr Richter vergisst nicht, dass die Kolleginnen Mathematik studieren sollen. "
    "Das kleine Haus ist schön.\n\nMein Bruder kauft einen Hund."
)
SIZE = {"width": 1200, "height": 1080}


def take(address: str, path: str) -> None:
    """A text, its first sentence in view, the rule of a phrase that moved."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox"]
        )
        page = browser.new_page(viewport=SIZE)
        page.goto(address)
        page.locator("#source").fill(TEXT)
        page.locator(".sentence").first.click()
        page.wait_for_selector("#target[aria-busy=false]")
        page.locator(".step.crossing rect").first.hover()
        page.wait_for_timeout(300)  # until nothing moves
        picture = Image.open(io.BytesIO(page.screenshot()))
        browser.close()
    picture.quantize(128).save(path, optimize=True)


if __name__ == "__main__":
    take(*sys.argv[1:])
