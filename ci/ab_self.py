"""A/A: how often the decision finds a change in one build held against itself.

Runs of one build are taken in pairs, as if it were two. Each case's pairs are then split again and
again into "base" and "new": which run of a pair is which is drawn, one pair with one order and one
with the other, as the order alternates in a real comparison; so is the sequence of the pairs. Each
split goes through the same looks. Where a split needs more pairs than there are, more are taken.
"""

import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ab_decision import (Look, Rules, Verdict, is_final, look_at, smallest_detectable_pct)
from paired_statistics import upper_bound_of_rate

ALARMS = (Verdict.REGRESSED, Verdict.IMPROVED)
ACCEPTED_RATE = 0.01
FEW_SPLITS = 20  # of seven pairs: there are 70 that differ; more splits are drawn from 14 pairs


@dataclass
class Split:
    """One way to call one run of each pair base and the other one new; grows with the pairs."""

    rng: random.Random | None  # None: as the runs came, the very order of a real comparison
    seen: int = 0
    differences: list[float] = field(default_factory=list)
    look: Look | None = None  # once it is decided

    def take(self, pairs: Sequence[float]) -> None:
        """`pairs`: ln(second run / first run) of each, in time."""
        fresh = list(pairs[self.seen :])
        if self.rng is None:
            signs = [1 - 2 * ((self.seen + i) % 2) for i in range(len(fresh))]
        else:
            self.rng.shuffle(fresh)
            signs = []
            while len(signs) < len(fresh):
                sign = self.rng.choice((1, -1))
                signs += [sign, -sign]
        self.differences += [sign * pair for sign, pair in zip(signs, fresh)]
        self.seen = len(pairs)

    def decide(self, rules: Rules) -> bool:
        """False: more pairs are needed."""
        for pairs in rules.looks:
            if self.look is not None or len(self.differences) < pairs:
                break
            look = look_at(self.differences[:pairs], rules)
            if is_final(look, rules, 1):
                self.look = look
        return self.look is not None


@dataclass
class SelfCase:
    name: str
    splits: list[Split]
    rules: Rules = Rules()
    pairs: list[float] = field(default_factory=list)
    times_us: list[float] = field(default_factory=list)  # of the runs, two for each pair
    failure: str = ""  # why no more pairs can be taken

    @property
    def verdicts(self) -> list[Verdict]:
        return [split.look.verdict for split in self.splits if split.look is not None]

    @property
    def alarms(self) -> int:
        return sum(verdict in ALARMS for verdict in self.verdicts)

    @property
    def deviation(self) -> float:
        """Of the differences of pairs; their mean is 0 by construction, whatever the order adds."""
        return statistics.fmean(pair**2 for pair in self.pairs) ** 0.5

    @property
    def detectable_pct(self) -> float:
        return smallest_detectable_pct(self.deviation, self.rules)


def splits_of(name: str, number: int) -> list[Split]:
    """Seeded by the case: the same runs give the same verdicts."""
    return [Split(None if i == 0 else random.Random(f"{name} {i}")) for i in range(number)]


def self_cases(rules: dict[str, Rules], verdicts: int) -> list[SelfCase]:
    """As many splits of each case as make `verdicts` in all, at least."""
    each = -(-verdicts // len(rules))
    return [SelfCase(name, splits_of(name, each), rule) for name, rule in rules.items()]


def pairs_needed(case: SelfCase) -> int:
    """The next look of a split that is undecided; 0 where none is."""
    looks = case.rules.looks
    if case.failure:
        return 0
    if not case.pairs:
        return looks[0] if len(case.splits) <= FEW_SPLITS else looks[min(1, len(looks) - 1)]
    for split in case.splits:
        split.take(case.pairs)
    decided = [split.decide(case.rules) for split in case.splits]
    return 0 if all(decided) else next(n for n in looks if n > len(case.pairs))


@dataclass(frozen=True)
class Rate:
    verdicts: int
    regressed: int
    improved: int

    @property
    def alarms(self) -> int:
        return self.regressed + self.improved

    @property
    def rate(self) -> float:
        return self.alarms / self.verdicts

    @property
    def upper_bound(self) -> float:
        return upper_bound_of_rate(self.alarms, self.verdicts)

    @property
    def accepted(self) -> bool:
        return self.rate <= ACCEPTED_RATE


def false_alarms(cases: Sequence[SelfCase]) -> Rate:
    found = [verdict for case in cases for verdict in case.verdicts]
    return Rate(len(found), found.count(Verdict.REGRESSED), found.count(Verdict.IMPROVED))


def run_self(cases: Sequence[SelfCase], take_pairs: Callable[[list[tuple[SelfCase, int]]], None]
             ) -> None:
    """`take_pairs` is given cases and how many pairs each is to have, and adds them."""
    while wanted := [(case, n) for case in cases if (n := pairs_needed(case)) > 0]:
        take_pairs(wanted)
