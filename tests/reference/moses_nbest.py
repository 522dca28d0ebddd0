"""Moses n-best lines, read slowly: split, split again, float()."""

import lzma


def parse_moses(text: str) -> list[tuple[int, str, dict[str, float]]]:
    rows = []
    for line in text.splitlines():
        number, hypothesis, features = line.split(" ||| ")[:3]
        blocks: dict[str, list[float]] = {}
        for token in features.split():
            if token.endswith("="):
                values = blocks.setdefault(token[:-1], [])
            else:
                values.append(float(token))
        named = {}
        for name, values in blocks.items():
            for i, value in enumerate(values):
                named[name if len(values) == 1 else f"{name}_{i}"] = value
        rows.append((int(number), hypothesis.strip(), named))
    return rows


def unpack(path) -> str:
    return lzma.open(path, "rt", encoding="utf-8").read()
