"""Hopkins & May 2011, figure 4, as it is printed: draw, accept, sort, keep."""

import math

from reference.xoshiro import Random


def sample_pairs(pool, gains, *, sigmoid, candidates, keep, threshold, softness, seed):
    pairs = []
    for s in range(pool.sentences):
        random = Random(seed, s)
        begin, size = int(pool.offsets[s]), int(pool.offsets[s + 1] - pool.offsets[s])
        accepted = []
        for _ in range(candidates):
            a, b = begin + random.below(size), begin + random.below(size)
            difference = abs(gains[a] - gains[b])
            if sigmoid:
                probability = 2 / (1 + math.exp(-difference / softness)) - 1
                take = random.uniform() < probability
            else:
                take = difference > 0 and difference >= threshold
            if take:
                accepted.append((a, b) if gains[a] > gains[b] else (b, a))
        order = sorted(
            range(len(accepted)),
            key=lambda i: -(gains[accepted[i][0]] - gains[accepted[i][1]]),
        )
        pairs += [accepted[i] for i in sorted(order[:keep])]
    return pairs
