"""ARPA text read in the most obvious way."""


def ngrams_of(text):
    """{words: (log10, back-off)}; a missing back-off weight is 0."""
    out = {}
    order = 0
    for line in text.split("\n"):
        if line.endswith("-grams:"):
            order = int(line[1:].split("-")[0])
        elif order and line and not line.startswith("\\"):
            fields = line.split()
            backoff = float(fields[order + 1]) if len(fields) > order + 1 else 0.0
            out[tuple(fields[1 : order + 1])] = (float(fields[0]), backoff)
    return out
