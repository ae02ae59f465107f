"""A run on several GPUs at once held against one on a single GPU, for two_gpus.py: requirements and
Markdown."""

import pathlib
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

import by_device_text
import shown_text
from by_device import by_device, card_of
from case_result import Result
from comparison import verdict_of
from likeness import differences

LEAST_SPEED_UP = 0.9  # of the ideal one
MOST_MEDIAN_PCT = 0.5
MOST_BEYOND = 0.01  # of the cases
SPREADS = 3
# A latency is measured until its half-width is this: less says nothing of two runs.
LEAST_SPREAD_PCT = 0.1
MOST_ROWS = 30


@dataclass(frozen=True)
class Run:
    path: pathlib.Path
    jobs: int
    seconds: float  # of ctest as a whole
    closing: str  # CTest's line
    results: tuple[Result, ...]


@dataclass(frozen=True)
class Case:
    one: Result
    several: Result | None
    why: str  # it cannot be compared; empty: it can

    @property
    def same_card(self) -> bool:
        return self.several is not None and card_of(self.one) == card_of(self.several)

    @property
    def change_pct(self) -> float:
        return 100 * (self.several.latency_us / self.one.latency_us - 1)

    @property
    def spread_pct(self) -> float:
        """Of the samples of the run that spread more."""
        return max(LEAST_SPREAD_PCT, self.one.metrics.get("cv_pct", 0),
                   self.several.metrics.get("cv_pct", 0))

    @property
    def beyond(self) -> bool:
        """What one GPU measured, and several at once did not, is no less of a finding."""
        return bool(self.why) or abs(self.change_pct) > SPREADS * self.spread_pct


def trusted(result: Result) -> bool:
    return result.latency_us is not None and not result.untrusted and not result.implausible


def why_not(one: Result, several: Result | None) -> str:
    if several is None:
        return "not measured"
    if several.latency_us is None:
        return verdict_of(several)
    if several.untrusted or several.implausible:
        return "; ".join((*several.untrusted, several.implausible)).strip("; ")
    return "; ".join(differences(one, several))


def cases(ones: Iterable[Run], several: Run) -> list[Case]:
    """Each case that a run on one GPU has a trusted number of, that of the same card where there is
    one."""
    now = {result.id: result for result in several.results}
    before: dict = {}
    for result in (result for run in ones for result in run.results if trusted(result)):
        known = before.setdefault(result.id, result)
        at = now.get(result.id)
        if known is not result and at is not None and card_of(result) == card_of(at):
            before[result.id] = result
    return [Case(one, now.get(key), why_not(one, now.get(key)))
            for key, one in sorted(before.items())]


def repeated(ones: Iterable[Run]) -> list[Case]:
    """The cases that were measured alone twice on one card: what differs there is no other GPU's
    doing."""
    first: dict = {}
    pairs: dict = {}
    for result in (result for run in ones for result in run.results if trusted(result)):
        key = (result.id, card_of(result))
        known = first.setdefault(key, result)
        if known is not result:
            pairs.setdefault(key, Case(known, result, why_not(known, result)))
    return list(pairs.values())


@dataclass(frozen=True)
class Requirement:
    text: str
    met: bool
    measured: str


def requirements(found: list[Case], one: Run, several: Run) -> list[Requirement]:
    speed_up = one.seconds / several.seconds
    wanted = LEAST_SPEED_UP * several.jobs / one.jobs
    changes = [case.change_pct for case in found if not case.why]
    beyond = [case for case in found if case.beyond]
    middle = median(changes) if changes else float("nan")
    return [
        Requirement(f"-j{several.jobs} is at least {wanted:.2g} times as fast as -j{one.jobs}",
                    speed_up >= wanted,
                    f"{one.seconds:.1f} s / {several.seconds:.1f} s = {speed_up:.2f}"),
        Requirement(f"median change of a latency within {MOST_MEDIAN_PCT:g} %",
                    abs(middle) <= MOST_MEDIAN_PCT, f"{middle:+.3f} % of {len(changes)} cases"),
        Requirement(f"at most {100 * MOST_BEYOND:g} % of the cases changed by more than "
                    f"{SPREADS} x their spread", bool(found) and len(beyond) <= MOST_BEYOND *
                    len(found), f"{len(beyond)} of {len(found)}"),
    ]


def markdown_table(rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(shown_text.markdown(cell, 120) for cell in row) + " |"
             for row in rows]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]


def by_card(found: list[Case], again: list[Case]) -> list[list[str]]:
    rows = [["in the run on one GPU", "cases", "median change", "beyond"]]
    measured = [case for case in found if case.several is not None]
    for name, of in (("on the same card", [case for case in measured if case.same_card]),
                     ("on another card", [case for case in measured if not case.same_card]),
                     ("for comparison: both runs on one GPU, the same card", again)):
        changes = [case.change_pct for case in of if not case.why]
        if changes:
            rows.append([name, str(len(of)), f"{median(changes):+.3f} %",
                         str(sum(case.beyond for case in of))])
    return rows


def beyond_rows(found: list[Case]) -> list[list[str]]:
    def size(case: Case) -> float:
        return float("inf") if case.why else abs(case.change_pct) / case.spread_pct

    rows = [["case", "one GPU us", "several us", "change", "spread", "card"]]
    for case in sorted((case for case in found if case.beyond), key=size, reverse=True):
        latency = case.several.latency_us if case.several is not None else None
        rows.append([case.one.id.name, f"{case.one.latency_us:.4g}",
                     "" if latency is None else f"{latency:.4g}",
                     case.why or f"{case.change_pct:+.2f} %",
                     "" if case.why else f"{case.spread_pct:.2f} %",
                     "the same" if case.same_card else "another"])
    return rows[:MOST_ROWS + 1]


def markdown(ones: list[Run], several: Run) -> tuple[str, bool]:
    """And whether all requirements are met."""
    found = cases(ones, several)
    needed = requirements(found, ones[0], several)
    devices = by_device(result for run in (*ones, several) for result in run.results)
    lines = [f"`ctest -j{run.jobs}`: {run.closing}, {run.seconds:.1f} s." for run in (*ones, several)]
    lines += ["", *markdown_table([["requirement", "verdict", "measured"], *(
        [one.text, "pass" if one.met else "FAIL", one.measured] for one in needed)]), ""]
    lines += [f"The spread of a case is the larger `cv_pct` of its two runs, and at least "
              f"{LEAST_SPREAD_PCT:g} %. A case without a number to compare counts as changed.", ""]
    lines += markdown_table(by_card(found, repeated(ones)))
    if any(case.beyond for case in found):
        lines += ["", *markdown_table(beyond_rows(found))]
    lines += ["", "`ci/compare.py --by-device` over these runs:", "",
              by_device_text.markdown(devices).rstrip("\n")]
    return "\n".join(lines) + "\n", all(one.met for one in needed)
