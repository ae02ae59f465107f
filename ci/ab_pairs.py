"""The pairs of one case, and what becomes of them: a verdict at a look, or a reason for none."""

import math
import statistics
from dataclasses import dataclass, field

from ab_cases import BuiltCase
from ab_decision import Look, Rules, Verdict, is_final, look_at, smallest_detectable_pct
from ab_input import InputError
from ab_measure import REPEATS, Measure, Measurement, trusted
from case_result import Obtained, Result

MOST_UNTRUSTED = 0.25  # of the numbers in use; beyond it they decide nothing
FIELDS = ("method", "cache", "cold_by", "statistic", "schedule")


def what_differs(base: Obtained, new: Obtained) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {getattr(base, name) or 'none'} -> "
                     f"{getattr(new, name) or 'none'}"
                     for name in FIELDS if getattr(base, name) != getattr(new, name))


@dataclass
class Devices:
    """All numbers of a backend must be of one card: a difference of cards is none of the ops."""

    known: dict[str, str] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        return ", ".join(sorted(self.known.values())) or "none was used"

    def check(self, result: Result) -> None:
        device = result.device
        card = f"{device.name} ({device.uuid})" if device.uuid else device.name
        first = self.known.setdefault(result.id.backend, card)
        if card != first:
            raise InputError(f"{result.id.test_name}: measured on {card}, other cases on {first}: "
                             "choose one device (as by CUDA_VISIBLE_DEVICES) for the whole run")


@dataclass
class CaseRun:
    """One case that both builds have."""

    name: str
    base: BuiltCase
    new: BuiltCase
    rules: Rules = Rules()
    base_us: list[float] = field(default_factory=list)
    new_us: list[float] = field(default_factory=list)
    obtained: Obtained | None = None  # of the first pair
    untrusted: dict[str, int] = field(default_factory=dict)  # reason: numbers in use
    untrusted_numbers: int = 0
    repeats: int = 0
    seconds: float = 0.0  # of all its pairs so far
    look: Look | None = None
    verdict: Verdict | None = None  # None: undecided
    why: str = ""
    only_new_failed: bool = False

    @property
    def differences(self) -> list[float]:
        return [math.log(new / base) for base, new in zip(self.base_us, self.new_us)]

    @property
    def next_look(self) -> int:
        return next((n for n in self.rules.looks if n > len(self.base_us)), self.rules.looks[-1])

    def take_pair(self, measure: Measure, devices: Devices, base_first: bool) -> None:
        """Adds a pair, or ends the case. A pair that was not obtained as the others is taken again:
        one process that found its cache or its capture otherwise is no change of the op's."""
        unlike: list[tuple[Obtained, Obtained]] = []
        for _ in range(REPEATS + 1):
            base, new = self.measure_both(measure, devices, base_first)
            if base.result is None or new.result is None:
                self.end_without_number(base, new)
                return
            conditions = base.result.obtained, new.result.obtained
            if set(conditions) == {self.obtained or conditions[0]}:
                self.add(base, new)
                return
            unlike.append(conditions)
        self.repeats += 2 * REPEATS
        self.end_unlike(unlike)

    def measure_both(self, measure: Measure, devices: Devices,
                     base_first: bool) -> tuple[Measurement, Measurement]:
        found: dict[str, Measurement] = {}
        for side in ("base", "new") if base_first else ("new", "base"):
            found[side] = trusted(measure, getattr(self, side))
            self.repeats += found[side].repeats
            if found[side].result is not None:
                devices.check(found[side].result)
        return found["base"], found["new"]

    def add(self, base: Measurement, new: Measurement) -> None:
        assert base.result is not None and new.result is not None
        self.obtained = base.result.obtained
        for measurement in (base, new):
            self.untrusted_numbers += bool(measurement.untrusted)
            for reason in measurement.untrusted:
                self.untrusted[reason] = self.untrusted.get(reason, 0) + 1
        self.base_us.append(base.latency_us)
        self.new_us.append(new.latency_us)

    def end_without_number(self, base: Measurement, new: Measurement) -> None:
        failed = {side: m for side, m in (("base", base), ("new", new)) if m.result is None}
        skipped = all(m.skipped for m in failed.values())
        # Base has a number and new has none: whatever the reason, something was lost.
        self.verdict = Verdict.SKIPPED if skipped and "base" in failed else Verdict.FAILED
        self.only_new_failed = "base" not in failed
        self.why = "; ".join(f"{side}: {m.failure}" for side, m in failed.items())

    def end_unlike(self, unlike: list[tuple[Obtained, Obtained]]) -> None:
        differing = [what_differs(base, new) for base, new in unlike]
        if all(differing) and len(set(unlike)) == 1 and self.obtained in (None, unlike[0][0]):
            self.verdict = Verdict.CHANGED
            self.why = differing[0]
            return
        seen = {o for pair in unlike for o in pair} | ({self.obtained} - {None})
        first, *others = sorted(seen)
        self.verdict = Verdict.INCONCLUSIVE
        self.why = ("measured now one way, now another: "
                    + "; ".join(what_differs(first, other) for other in others))

    def consider(self, cases_tested: int) -> None:
        """At a look: ends the case where it can be ended. REGRESSED and IMPROVED await Holm."""
        if self.verdict is not None or len(self.base_us) not in self.rules.looks:
            return
        self.look = look_at(self.differences, self.rules)
        if is_final(self.look, self.rules, cases_tested):
            self.verdict = self.look.verdict

    @property
    def too_untrusted(self) -> bool:
        return self.untrusted_numbers > MOST_UNTRUSTED * 2 * len(self.base_us)

    @property
    def detectable_pct(self) -> float | None:
        if len(self.base_us) < 2:
            return None
        return smallest_detectable_pct(statistics.stdev(self.differences), self.rules)
