"""The statistics of paired measurements: Student's t, Holm, Clopper-Pearson; no scipy needed."""

import functools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Regularized I_x(a, b), by its continued fraction (Lentz; Numerical Recipes 6.4)."""
    if not 0 <= x <= 1:
        raise ValueError(f"incomplete beta of {x}")
    if x in (0, 1):
        return x
    if x > (a + 1) / (a + b + 2):  # where the fraction of the mirrored one converges
        return 1 - incomplete_beta(b, a, 1 - x)
    log_front = (math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                 + a * math.log(x) + b * math.log1p(-x))
    tiny = 1e-300

    def nonzero(value: float) -> float:
        return value if abs(value) > tiny else tiny

    c, d = 1.0, 1 / nonzero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 1000):
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                          -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / nonzero(1 + numerator * d)
            c = nonzero(1 + numerator / c)
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(log_front) * fraction / a


def t_tail(t: float, degrees: int) -> float:
    """P(T > t)."""
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    # The tail itself, not one less it: p values of 1e-20 keep their digits.
    half = incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2
    return half if t >= 0 else 1 - half


@functools.cache
def t_quantile(p: float, degrees: int) -> float:
    """The t below which a share `p` of Student's distribution lies."""
    if not 0 < p < 1:
        raise ValueError(f"t quantile of {p}")
    if p < 0.5:
        return -t_quantile(1 - p, degrees)
    high = 1.0
    while t_tail(high, degrees) > 1 - p:
        high *= 2
    return bisected(lambda t: t_tail(t, degrees) > 1 - p, 0.0, high)


def bisected(below, low: float, high: float) -> float:
    """Where `below` turns from true to false."""
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if below(middle) else (low, middle)
    return (low + high) / 2


@dataclass(frozen=True)
class Mean:
    """Of the differences of n pairs."""

    n: int
    mean: float
    standard_error: float

    def bounds(self, alpha: float) -> tuple[float, float]:
        """Each is passed by the true mean with probability `alpha`."""
        half = t_quantile(1 - alpha, self.n - 1) * self.standard_error
        return self.mean - half, self.mean + half

    def p_above(self) -> float:
        """One-sided p value of "the true mean is above 0"."""
        if self.standard_error == 0:  # every pair alike, to the last bit
            return 0.0 if self.mean > 0 else 1.0
        return t_tail(self.mean / self.standard_error, self.n - 1)

    def p_below(self) -> float:
        return Mean(self.n, -self.mean, self.standard_error).p_above()


def mean_of(differences: Sequence[float]) -> Mean:
    n = len(differences)
    if n < 2:
        raise ValueError("a spread needs two pairs")
    return Mean(n, statistics.fmean(differences), statistics.stdev(differences) / math.sqrt(n))


def holm(p_values: Sequence[float], alpha: float) -> list[bool]:
    """Which hypotheses are rejected; that any true one is among them has probability `alpha`."""
    rejected = [False] * len(p_values)
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[index] > alpha / (len(p_values) - rank):
            break
        rejected[index] = True
    return rejected


def upper_bound_of_rate(events: int, trials: int, confidence: float = 0.95) -> float:
    """Clopper-Pearson, one-sided: the rate at which so few events have 1 - `confidence`."""
    if not 0 <= events <= trials or trials == 0:
        raise ValueError(f"{events} events in {trials} trials")
    if events == trials:
        return 1.0

    def too_few(rate: float) -> float:  # P(at most `events`) = I_{1 - rate}(trials - events, ...)
        return incomplete_beta(trials - events, events + 1, 1 - rate) > 1 - confidence

    return bisected(too_few, 0.0, 1.0)
