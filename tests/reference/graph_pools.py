"""Random graphs with references, and the same as a pool of all their derivations."""

from types import SimpleNamespace

import numpy as np

from reference.graphs import derivations
from tunesmith.base.graph_pool import Edge, GraphPool

WORDS = "abcdef"


def random_sentence(chance, names, *, nodes=4, fan=3, arity=2, words=WORDS):
    """A graph of some dozen derivations without equal scores: values are continuous."""

    def edge(before):
        tails = chance.integers(0, before, size=chance.integers(0, arity + 1)) if before else []
        symbols = [*chance.choice(list(words), size=chance.integers(1, 4)), *range(len(tails))]
        chance.shuffle(symbols := list(symbols))
        symbols = tuple(s if isinstance(s, str) and s in words else int(s) for s in symbols)
        used = chance.choice(names, size=chance.integers(1, len(names) + 1), replace=False)
        values = chance.normal(size=len(used)).astype(np.float32).tolist()
        return Edge(symbols, dict(zip(used.tolist(), values, strict=True)), tuple(map(int, tails)))

    made = []
    for number in range(nodes):
        # All nodes but the first lean on the one before, so that nothing is a dead end.
        edges = [edge(number) for _ in range(chance.integers(1, fan + 1))]
        if number:
            features = {names[0]: float(np.float32(chance.normal()))}
            edges.append(Edge((0, str(chance.choice(list(words)))), features, (number - 1,)))
        made.append(edges)
    return made


def random_graphs(seed, *, sentences=4, features=3, references=1, words=WORDS, **options):
    """A pool, the nodes it was built from, and references."""
    chance = np.random.default_rng(seed)
    names = [f"f{i}" for i in range(features)]
    built = [random_sentence(chance, names, words=words, **options) for _ in range(sentences)]
    texts = [
        [" ".join(chance.choice(list(words), size=chance.integers(3, 9))) for _ in range(sentences)]
        for _ in range(references)
    ]
    return GraphPool.build(built, names), built, texts


def all_derivations(built, names, scorer):
    """What `reference.mira` takes of a pool: every derivation of every sentence is a row."""
    rows = [derivations(nodes) for nodes in built]
    flat = [one for some in rows for one in some]
    sentence_of = np.repeat(np.arange(len(rows)), [len(some) for some in rows]).astype(np.uint32)
    return SimpleNamespace(
        offsets=np.concatenate([[0], np.cumsum([len(some) for some in rows])]),
        rows=len(flat),
        names=names,
        dense_names=names,
        dense=np.array([[one.features.get(name, 0.0) for name in names] for one in flat]),
        sparse_offsets=np.zeros(len(flat) + 1, dtype=int),
        stats=scorer.stats([" ".join(one.words) for one in flat], sentence_of, 1),
    )
