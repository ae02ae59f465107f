"""Two result sets side by side, case by case; compare.py shows it."""

import math
from dataclasses import dataclass
from enum import StrEnum

from case_result import CaseId, Result
from likeness import differences, lost, other_card, other_circumstances
from result_set import ResultSet


class Outcome(StrEnum):
    SLOWER = "slower"
    FASTER = "faster"
    SAME = "same"
    UNTRUSTED = "untrusted"  # at least one side's number should not be relied on
    UNLIKE = "unlike"  # measured in ways that are not compared
    CHANGED = "changed"  # unlike although the same was asked for: a lost capture, a lost cold cache
    FAILED = "failed"  # base has a number, new gives a verdict instead
    NO_NUMBER = "no number"  # base has none
    MISSING = "missing"  # in base only
    NEW = "new"  # in new only


COMPARED = (Outcome.SLOWER, Outcome.FASTER, Outcome.SAME)
FINDINGS = (Outcome.SLOWER, Outcome.CHANGED, Outcome.FAILED)


@dataclass(frozen=True)
class Row:
    id: CaseId
    outcome: Outcome
    base: Result | None
    new: Result | None
    change_pct: float | None  # of the latency; only where compared
    threshold_pct: float | None  # a change up to this is none
    why: str  # where not compared


@dataclass(frozen=True)
class Comparison:
    base: ResultSet
    new: ResultSet
    floor_pct: float
    rows: tuple[Row, ...]
    circumstances: tuple[str, ...]  # unlike, but not so that nothing may be compared

    def count(self, *outcomes: Outcome) -> int:
        return sum(row.outcome in outcomes for row in self.rows)

    @property
    def findings(self) -> list[Row]:
        return [row for row in self.rows if row.outcome in FINDINGS]

    @property
    def mean_change_pct(self) -> float | None:
        """Of the compared rows, geometric: a case twice as fast makes up for one twice as slow."""
        logs = [math.log1p(row.change_pct / 100) for row in self.rows if row.outcome in COMPARED]
        return 100 * math.expm1(math.fsum(logs) / len(logs)) if logs else None


def verdict_of(result: Result) -> str:
    return f"{result.verdict}: {result.message}" if result.message else result.verdict


def doubts(result: Result, side: str) -> list[str]:
    found = [f"{side} untrusted: {reason}" for reason in result.untrusted]
    return found + ([f"{side} implausible: {result.implausible}"] if result.implausible else [])


def row_of(case: CaseId, base: Result | None, new: Result | None, floor_pct: float,
           same_card: bool) -> Row:
    def left_out(outcome: Outcome, why: str) -> Row:
        return Row(case, outcome, base, new, None, None, why)

    if base is None:
        return left_out(Outcome.NEW, "not in base")
    if new is None:
        return left_out(Outcome.MISSING, "not in new")
    if base.latency_us is None:
        return left_out(Outcome.NO_NUMBER, f"base {verdict_of(base)}")
    if new.latency_us is None:
        return left_out(Outcome.FAILED, f"new {verdict_of(new)}")
    unlike = differences(base, new) + (other_card(base, new) if same_card else [])
    if unlike:
        outcome = Outcome.CHANGED if lost(base, new) else Outcome.UNLIKE
        return left_out(outcome, "; ".join(unlike))
    doubtful = doubts(base, "base") + doubts(new, "new")
    if doubtful:
        return left_out(Outcome.UNTRUSTED, "; ".join(doubtful))
    change = 100 * (new.latency_us / base.latency_us - 1)
    # The intervals are those within a run; how runs differ among themselves only ab.py finds out.
    threshold = max(floor_pct, base.metrics.get("ci_pct", 0) + new.metrics.get("ci_pct", 0))
    outcome = (Outcome.SLOWER if change > threshold
               else Outcome.FASTER if change < -threshold else Outcome.SAME)
    return Row(case, outcome, base, new, change, threshold, "")


def compared(base: ResultSet, new: ResultSet, floor_pct: float,
             same_card: bool = False) -> Comparison:
    """`same_card`: another card of the same model is another device."""
    old, now = base.by_id(), new.by_id()
    rows = tuple(row_of(case, old.get(case), now.get(case), floor_pct, same_card)
                 for case in sorted(old.keys() | now.keys()))
    circumstances = {text: None for row in rows if row.base is not None and row.new is not None
                     for text in other_circumstances(row.base, row.new)}
    return Comparison(base, new, floor_pct, rows, tuple(circumstances))
