"""Student's t-distribution with whole degrees of freedom, which numpy does not have."""

import math

import numpy as np


def two_sided_tail(t: float, degrees: int) -> float:
    """P(|T| > t) for t ≥ 0, by the finite sums of Abramowitz & Stegun (1964), 26.7.3 and 26.7.4.

    >>> round(two_sided_tail(2.776445, 4), 6)
    0.05
    """
    angle = math.atan2(t, math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    # Factors from a term to the next: 2/3, 4/5, … behind cos θ, or 1/2, 3/4, … behind 1.
    steps = np.arange(2 + odd, degrees - 1, 2)
    ratios = (steps - 1) / steps * cosine**2
    total = 1.0 + float(np.cumprod(ratios).sum())
    if not odd:
        return max(0.0, 1.0 - sine * total)
    inner = sine * cosine * total if degrees > 1 else 0.0
    return max(0.0, 1.0 - 2.0 / math.pi * (angle + inner))


def two_sided_quantile(alpha: float, degrees: int) -> float:
    """The t with P(|T| > t) = α, for 0 < α ≤ 1.

    The tail is convex, so that Newton's steps from 0 approach t from below.

    >>> round(two_sided_quantile(0.05, 4), 6)
    2.776445
    """
    log_constant = (
        math.lgamma((degrees + 1) / 2)
        - math.lgamma(degrees / 2)
        - 0.5 * math.log(degrees * math.pi)
    )
    t = 0.0
    while True:
        log_density = log_constant - (degrees + 1) / 2 * math.log1p(t * t / degrees)
        step = (two_sided_tail(t, degrees) - alpha) / (2.0 * math.exp(log_density))
        if step <= 1e-10 * (1.0 + t):
            return t
        t += step
