"""Hypergraphs by brute force: every derivation there is, one after the other."""

from collections import Counter
from dataclasses import dataclass
from itertools import product

from hypothesis import strategies as st

from tunesmith.base.graph_pool import Edge


@dataclass(frozen=True)
class Derived:
    """A derivation: its words, the sum of its features, and its edges as a nested tuple."""

    words: tuple[str, ...]
    features: dict[str, float]
    tree: tuple  # ((node, edge), tree of tail 0, tree of tail 1, …)

    def score(self, weights):
        return sum(weights[name] * value for name, value in self.features.items())

    def edges(self):
        """The (node, edge) pairs, each after those of its tails, as often as they are used."""
        return post_order(self.tree)


def derivations(nodes, node=None):
    """All derivations of a node (the goal by default) of a graph given as lists of edges."""
    nodes = list(nodes)
    if not nodes:
        return []
    node = len(nodes) - 1 if node is None else node
    found = []
    for number, edge in enumerate(nodes[node]):
        for parts in product(*(derivations(nodes[: tail + 1]) for tail in edge.tails)):
            words = tuple(
                word
                for symbol in edge.words
                for word in ((symbol,) if isinstance(symbol, str) else parts[symbol].words)
            )
            features = dict(edge.features)
            for part in parts:
                for name, value in part.features.items():
                    features[name] = features.get(name, 0.0) + value
            tree = ((node, number), *(part.tree for part in parts))
            found.append(Derived(words, features, tree))
    return found


def post_order(tree):
    head, *tails = tree
    return [*(pair for tail in tails for pair in post_order(tail)), head]


def numbered(nodes):
    """The (node, edge) pairs of a graph in the order of its edge numbers."""
    return [(n, e) for n, edges in enumerate(nodes) for e in range(len(edges))]


def ngrams(words, order):
    """How often each n-gram of 1 to `order` words is there."""
    return Counter(words[i : i + n] for n in range(1, order + 1) for i in range(len(words) - n + 1))


NAMES = ("f0", "f1", "f2", "f3")
WORDS = ("a", "b", "c")
# Multiples of 1/8 are exact in single precision, so that sums can be compared exactly.
VALUES = st.integers(-16, 16).map(lambda n: n / 8)


@st.composite
def edges(draw, before, arity):
    tails = draw(st.lists(st.integers(0, before - 1), max_size=arity)) if before else []
    words = draw(st.lists(st.sampled_from(WORDS), max_size=2))
    symbols = draw(st.permutations([*words, *range(len(tails))]))
    features = draw(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3))
    return Edge(tuple(symbols), features, tuple(tails), (before, before + 1))


@st.composite
def graphs(draw, *, nodes=4, fan=3, arity=2, most=400):
    """A random graph with few enough derivations to look at all of them; dead ends may occur."""
    made, counts = [], []
    for number in range(draw(st.integers(1, nodes))):
        mine, count = [], 0
        for edge in draw(st.lists(edges(number, arity), min_size=1, max_size=fan)):
            ways = 1
            for tail in edge.tails:
                ways *= counts[tail]
            if (mine and count + ways > most) or ways > most:
                continue
            mine.append(edge)
            count += ways
        if not mine:
            mine, count = [Edge(("a",))], 1
        made.append(mine)
        counts.append(count)
    return made


def lattices(**options):
    """The same with one tail at most."""
    return graphs(arity=1, **options)


def weight_vectors():
    return st.lists(VALUES, min_size=len(NAMES), max_size=len(NAMES)).map(
        lambda values: dict(zip(NAMES, values, strict=True))
    )
