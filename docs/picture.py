"""Draw how a model translates a sentence: its phrases, their order, what each feature adds.

    python docs/picture.py tunesmith-demo/model "Anna sagt, dass …" > docs/derivation.svg

The picture in the README was made by `tunesmith demo` and this script.
"""

import sys
from html import escape

from tunesmith.base.explanation import Explanation
from tunesmith.decode import open_decoder
from tunesmith.decode.translate import Translator
from tunesmith.model import TranslationModel

COLOURS = ("#cfe3f5", "#f7dcc4", "#d5ecd0", "#ecd6ee", "#f3ecc0")
LETTER, GAP, HEIGHT, FEATURES = 8.2, 10, 26, 6


def boxes(texts: list[str]) -> list[tuple[float, float]]:
    """Left edge and width of each text in a row."""
    places, left = [], 10.0
    for text in texts:
        width = LETTER * len(text) + 12
        places.append((left, width))
        left += width + GAP
    return places


def box(text: str, place: tuple[float, float], top: float, colour: str) -> list[str]:
    """A phrase in its box."""
    left, width = place
    middle = left + width / 2
    return [
        f'<rect x="{left:.0f}" y="{top}" width="{width:.0f}" height="{HEIGHT}" rx="4" '
        f'fill="{colour}"/>',
        f'<text x="{middle:.0f}" y="{top + 18}" text-anchor="middle">{escape(text)}</text>',
    ]


def draw(explanation: Explanation) -> str:
    """Phrases in the order of both sides, and what features add."""
    steps = list(enumerate(explanation.steps))
    colour = {i: COLOURS[i % len(COLOURS)] for i, _ in steps}
    by_source = sorted(steps, key=lambda item: item[1].span)
    above = boxes([step.source for _, step in by_source])
    below = boxes([step.target for _, step in steps])
    top, bottom = 12, 96
    body = []
    for (i, step), place in zip(by_source, above, strict=True):
        one, other = place[0] + place[1] / 2, below[i][0] + below[i][1] / 2
        body.append(
            f'<path d="M{one:.0f} {top + HEIGHT} C{one:.0f} {bottom - 25} {other:.0f} '
            f'{top + HEIGHT + 25} {other:.0f} {bottom}" stroke="#8a8f98" fill="none"/>'
        )
        body += box(step.source, place, top, colour[i])
        body += box(step.target, below[i], bottom, colour[i])
    largest = sorted(explanation.features, key=lambda one: -abs(one.adds))[:FEATURES]
    scale = 180 / max(abs(one.adds) for one in largest)
    zero, y = 420, 150
    for one in largest:
        value = one.adds
        left = zero + min(0.0, value * scale)
        body += [
            f'<text x="10" y="{y + 11}">{escape(one.name)}</text>',
            f'<rect x="{left:.0f}" y="{y}" width="{abs(value) * scale:.0f}" height="13" '
            f'fill="{"#7fb77e" if value > 0 else "#d98880"}"/>',
            f'<text x="{zero + 190}" y="{y + 11}" text-anchor="end">{value:+.2f}</text>',
        ]
        y += 19
    body.append(
        f'<text x="10" y="{y + 14}">score {explanation.score:.2f} = sum of weight × feature; '
        f"the {FEATURES} largest are shown</text>"
    )
    width = max(x + w for x, w in [*above, *below]) + 10
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {max(width, 640):.0f} {y + 26}" '
            'font-family="monospace" font-size="13.5">',
            "<title>A translation, phrase by phrase</title>",
            '<rect width="100%" height="100%" fill="#ffffff"/>',
            *body,
            "</svg>",
        ]
    )


if __name__ == "__main__":
    model = TranslationModel.load(sys.argv[1])
    block = next(Translator(open_decoder(model)).stream([sys.argv[2]]))
    print(draw(block.explanation(0)))
