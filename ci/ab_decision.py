"""How pairs become a verdict: looks at 7, 14 and 28 pairs, a floor, Holm over the cases tested.

A difference is ln(median of new / median of base) of one pair of processes; positive is slower.
docs/ab.md says what the rules are for.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from paired_statistics import Mean, holm, mean_of, t_quantile

LOOKS = (7, 14, 28)  # pairs
ALPHA = 0.01  # one-sided, for each direction, over all looks
FLOOR_PCT = 2.0
POWER = 0.9  # of the smallest change that is called detectable


class Verdict(Enum):
    REGRESSED = "REGRESSED"
    IMPROVED = "IMPROVED"
    SAME = "SAME"
    INCONCLUSIVE = "INCONCLUSIVE"
    IDENTICAL = "IDENTICAL"
    CHANGED = "CHANGED"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"
    BASE_ONLY = "BASE ONLY"
    NEW_ONLY = "NEW ONLY"


def percent(log_ratio: float) -> float:
    return 100 * math.expm1(log_ratio)


@dataclass(frozen=True)
class Rules:
    floor_pct: float = FLOOR_PCT
    looks: tuple[int, ...] = LOOKS
    alpha: float = ALPHA

    @property
    def floor(self) -> float:
        return math.log1p(self.floor_pct / 100)

    @property
    def alpha_of_look(self) -> float:
        return self.alpha / len(self.looks)

    def p_value(self, p_of_look: float) -> float:
        """Of a case: what it takes for having looked several times is paid here."""
        return min(1.0, len(self.looks) * p_of_look)


@dataclass(frozen=True)
class Look:
    """What the pairs say at one look, before Holm."""

    mean: Mean
    low: float  # bounds of the mean, each at the look's share of alpha
    high: float
    verdict: Verdict
    p_value: float  # of the direction that the mean has, the looks paid for

    @property
    def pct(self) -> tuple[float, float, float]:
        """Change, and the bounds of it."""
        return percent(self.mean.mean), percent(self.low), percent(self.high)


def look_at(differences: Sequence[float], rules: Rules) -> Look:
    mean = mean_of(differences)
    low, high = mean.bounds(rules.alpha_of_look)
    if low > 0 and mean.mean > rules.floor:
        verdict = Verdict.REGRESSED
    elif high < 0 and mean.mean < -rules.floor:
        verdict = Verdict.IMPROVED
    elif -rules.floor < low and high < rules.floor:
        verdict = Verdict.SAME
    else:
        verdict = Verdict.INCONCLUSIVE
    p = mean.p_above() if mean.mean > 0 else mean.p_below()
    return Look(mean, low, high, verdict, rules.p_value(p))


def is_final(look: Look, rules: Rules, cases_tested: int) -> bool:
    """A change ends a case early only where Holm cannot take it back: with the smallest p value of
    all it is held against alpha / cases, so what passes that passes at any rank."""
    if look.mean.n >= rules.looks[-1] or look.verdict is Verdict.SAME:
        return True
    if look.verdict in (Verdict.REGRESSED, Verdict.IMPROVED):
        return look.p_value <= rules.alpha / max(cases_tested, 1)
    return False


def decide(difference: Callable[[int], float], rules: Rules, cases_tested: int = 1) -> Look:
    """Takes as many pairs as it needs, difference(0), difference(1), ...; then Holm is to come."""
    differences: list[float] = []
    for pairs in rules.looks:
        differences += [difference(index) for index in range(len(differences), pairs)]
        look = look_at(differences, rules)
        if is_final(look, rules, cases_tested):
            break
    return look


def after_holm(looks: Mapping[str, Look], alpha: float = ALPHA) -> dict[str, Verdict]:
    """The verdicts, once, at the end, over all cases tested; either direction is a family."""
    verdicts = {case: look.verdict for case, look in looks.items()}
    for direction in (Verdict.REGRESSED, Verdict.IMPROVED):
        # A case whose mean points the other way has no evidence for this direction.
        slower = direction is Verdict.REGRESSED
        p_values = [look.p_value if (look.mean.mean > 0) == slower else 1.0
                    for look in looks.values()]
        for (case, look), rejected in zip(looks.items(), holm(p_values, alpha)):
            if look.verdict is direction and not rejected:
                verdicts[case] = Verdict.INCONCLUSIVE
    return verdicts


def smallest_detectable_pct(deviation: float, rules: Rules) -> float:
    """The slowdown that all looks find with a probability of POWER, one case tested alone.

    At the last look the mean must exceed both the t bound and the floor; the estimate adds what the
    mean falls short of its true value by in one of ten trials. `deviation`: of the differences.
    """
    pairs = rules.looks[-1]
    error = deviation / math.sqrt(pairs)
    threshold = max(t_quantile(1 - rules.alpha_of_look, pairs - 1) * error, rules.floor)
    return percent(threshold + t_quantile(POWER, pairs - 1) * error)
