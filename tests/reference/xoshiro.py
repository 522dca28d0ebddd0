"""core/base/random.hh in Python: xoshiro256** seeded by splitmix64."""

MASK = (1 << 64) - 1


def mix64(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def hash_combine(seed, value):
    return mix64((seed * 0x9E3779B97F4A7C15 + value + 0x632BE59BD9B4E019) & MASK)


def rotate(x, k):
    return ((x << k) | (x >> (64 - k))) & MASK


class Random:
    def __init__(self, seed, index=None):
        seed = seed if index is None else hash_combine(seed, index)
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            self.state.append(mix64(seed))

    def bits(self):
        s = self.state
        result = (rotate((s[1] * 5) & MASK, 7) * 9) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
        return result

    def uniform(self):
        return (self.bits() >> 11) * 2.0**-53

    def below(self, n):
        return (self.bits() * n) >> 64
