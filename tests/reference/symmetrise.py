"""Symmetrisation by sets, one rule after the other."""

BESIDE = [(-1, 0), (1, 0), (0, -1), (0, 1)]
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


def symmetrise(forward, reverse, method):
    forward, reverse = set(forward), set(reverse)
    union, chosen = forward | reverse, forward & reverse
    if method == "union":
        return union
    if method == "forward":
        return forward
    if method == "reverse":
        return reverse
    if method == "intersection":
        return chosen

    def new_word(link):
        return link[0] not in {i for i, _ in chosen} or link[1] not in {j for _, j in chosen}

    def new_words(link):
        return link[0] not in {i for i, _ in chosen} and link[1] not in {j for _, j in chosen}

    steps = BESIDE if method == "grow" else BESIDE + DIAGONAL
    before = None
    while before != chosen:
        before = set(chosen)
        for i, j in sorted(union - chosen):
            if new_word((i, j)) and any((i + di, j + dj) in chosen for di, dj in steps):
                chosen.add((i, j))
    passes, rule = {
        "grow": ([], None),
        "grow-diag": ([], None),
        "grow-diag-final": ([forward, reverse], new_word),
        "grow-diag-final-and": ([forward, reverse], new_words),
        "diag-and": ([union], new_words),
    }[method]
    for links in passes:
        for link in sorted(links - chosen):
            if rule(link):
                chosen.add(link)
    return chosen
