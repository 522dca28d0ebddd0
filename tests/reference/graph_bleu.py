"""Hope, fear and envelopes of graphs by looking at every derivation."""

import numpy as np


def choose(derived, scorer, sentence, score, gain, background, factor):
    """The highest score + factor × gain(background + statistics) of all derivations."""
    stats = scorer.stats(
        [" ".join(one.words) for one in derived],
        np.full(len(derived), sentence, dtype=np.uint32),
        1,
    )
    gains = factor * gain.rows(stats, background, 1)
    return max(
        (score(one) + value, score(one), value, tuple(row))
        for one, value, row in zip(derived, gains.tolist(), stats.tolist(), strict=True)
    )


def envelope(lines):
    """Of lines (intercept, slope) those that are alone the highest somewhere, by slope."""
    highest = {}
    for intercept, slope in lines:
        highest[slope] = max(intercept, highest.get(slope, -np.inf))
    kept = []
    for slope, intercept in sorted(highest.items()):
        low, high = -np.inf, np.inf
        for other_slope, other in highest.items():
            if other_slope == slope:
                continue
            crossing = (intercept - other) / (other_slope - slope)
            if other_slope > slope:
                high = min(high, crossing)
            else:
                low = max(low, crossing)
        if low < high:
            kept.append((intercept, slope))
    return kept


def follow(nodes, edges):
    """Words and features of a derivation given as edge numbers, tails before heads."""
    flat = [edge for node in nodes for edge in node]
    stack = []
    for number in edges:
        edge = flat[number]
        arity = len(edge.tails)
        parts = stack[len(stack) - arity :]
        del stack[len(stack) - arity :]
        words = tuple(
            word
            for symbol in edge.words
            for word in ((symbol,) if isinstance(symbol, str) else parts[symbol][0])
        )
        features = dict(edge.features)
        for _, part in parts:
            for name, value in part.items():
                features[name] = features.get(name, 0.0) + value
        stack.append((words, features))
    assert len(stack) == 1
    return stack[0]
