"""What tests of the page do with it: write, wait, look."""

LONG = "Anna sagt, dass mein Bruder morgen ein altes Haus kaufen will."
LONG_RIGHT = "Anna says that my brother wants to buy an old house tomorrow."  # the model errs
HOUSE = "Das kleine Haus ist schön."
DOG = "Mein Bruder kauft einen Hund."
HOUSE_AND_DOG = "The small house is beautiful. My brother buys a dog."
TOKEN = "a-token-of-the-tests"


def write(page, text):
    """Type a text and wait for all that is said of it."""
    page.locator("#source").fill(text)
    settled(page)


def settled(page):
    """Wait until nothing is asked any more, and the sentence in view is explained."""
    page.wait_for_selector("#target[aria-busy=false]", state="attached")
    page.wait_for_selector("#inside:not([hidden])")


def two_frames(page):
    """Wait until the page has shown what it knows by now."""
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def translation(page):
    return page.locator("#target").text_content()


def listed(page):
    return page.locator("#alternatives .text").all_text_contents()


def tab(page, name):
    page.get_by_role("tab", name=name).click()
