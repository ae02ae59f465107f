"""A run on several GPUs at once held against one on a single GPU, for two_gpus.py: requirements and
Markdown."""

import math
import pathlib
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

import by_device_text
import shown_text
from by_device import by_device, card_of
from case_result import CaseId, Result
from comparison import verdict_of
from likeness import differences

LEAST_SPEED_UP = 0.9  # of the ideal one
MOST_MEDIAN_PCT = 0.5
MOST_BEYOND = 0.01  # of the cases
SPREADS = 3
# A latency is measured until its half-width is this: less says nothing of two runs.
LEAST_SPREAD_PCT = 0.1


@dataclass(frozen=True)
class Run:
    path: pathlib.Path
    jobs: int
    seconds: float  # of ctest as a whole
    closing: str  # CTest's line
    results: tuple[Result, ...]

    @property
    def passed(self) -> bool:
        return self.closing.startswith("100%")


@dataclass(frozen=True)
class Case:
    alone: tuple[Result, ...]  # on one GPU, all of one card
    several: Result | None
    why: str = ""  # it cannot be compared; empty: it can

    @property
    def id(self) -> CaseId:
        return self.alone[0].id

    @property
    def same_card(self) -> bool:
        return self.several is not None and card_of(self.alone[0]) == card_of(self.several)

    @property
    def alone_us(self) -> float:
        return median(result.latency_us for result in self.alone)

    @property
    def change_pct(self) -> float:
        return 100 * (self.several.latency_us / self.alone_us - 1)

    @property
    def samples_pct(self) -> float:
        """The spread of the samples within a process: the most of any."""
        return max(LEAST_SPREAD_PCT, *(result.metrics.get("cv_pct", 0)
                                       for result in (*self.alone, self.several)))

    @property
    def spread_pct(self) -> float:
        """Of the samples, or of the processes as in the accuracy suite, whichever is more."""
        all_us = [result.latency_us for result in self.alone]
        return max(self.samples_pct, 100 * (max(all_us) - min(all_us)) / self.alone_us)

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


def case_of(alone: list[Result], several: Result | None) -> Case:
    """Of the card that `several` is of, where one of the runs alone is."""
    card = card_of(alone[0])
    if several is not None and any(card_of(one) == card_of(several) for one in alone):
        card = card_of(several)
    alone = [one for one in alone if card_of(one) == card]
    alike = [one for one in alone if not why_not(one, several)]
    if alike:
        return Case(tuple(alike), several)
    return Case(tuple(alone), several, why_not(alone[0], several))


def by_case(runs: Iterable[Run]) -> dict[CaseId, list[Result]]:
    found: dict = defaultdict(list)
    for run in runs:
        for result in filter(trusted, run.results):
            found[result.id].append(result)
    return found


def cases(ones: Iterable[Run], several: Run, again: Iterable[Run] = ()) -> list[Case]:
    """Each case that a run on one GPU has a trusted number of. One that was measured again is held
    against those runs: by the others it was chosen."""
    now = {result.id: result for result in several.results}
    alone = by_case(ones)
    found = {key: case_of(results, now.get(key)) for key, results in alone.items()}
    for key, results in by_case(again).items():
        case = case_of(results, now.get(key))
        if key in found and case.same_card and not case.why:
            found[key] = case
    return [found[key] for key in sorted(found)]


def tests_to_repeat(ones: Iterable[Run], several: Run, card: str) -> str:
    """Those that ran on that card beside others, and whose change the samples of one process each
    do not explain, as a regular expression. Empty: none."""
    names = [case.id.test_name for case in cases(ones, several)
             if case.beyond and case.several is not None and trusted(case.several) and
             card_of(case.several) == card]
    return f"^({'|'.join(re.escape(name) for name in names)})$" if names else ""


@dataclass(frozen=True)
class Requirement:
    text: str
    met: bool
    measured: str


def speed_up_requirement(one: Run, several: Run) -> Requirement:
    speed_up = one.seconds / several.seconds
    wanted = LEAST_SPEED_UP * several.jobs
    said = f"-j{several.jobs} is at least {wanted:.2g} times as fast as -j1"
    # A case that is left out, or fails early, takes no time.
    if {result.id for result in one.results} != {result.id for result in several.results}:
        return Requirement(said, False, "the runs are not of the same cases")
    if not one.passed or not several.passed:
        return Requirement(said, False, "tests failed")
    return Requirement(said, speed_up >= wanted,
                       f"{one.seconds:.1f} s / {several.seconds:.1f} s = {speed_up:.2f}")


def requirements(found: list[Case], one: Run, several: Run) -> list[Requirement]:
    changes = [case.change_pct for case in found if not case.why]
    beyond = [case for case in found if case.beyond]
    middle = median(changes) if changes else float("nan")
    return [
        speed_up_requirement(one, several),
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


def summary_row(name: str, of: list[Case]) -> list[list[str]]:
    """None without a case to compare."""
    changes = sorted(abs(case.change_pct) for case in of if not case.why)
    if not changes:
        return []
    middle = median(case.change_pct for case in of if not case.why)
    most = changes[math.ceil(0.95 * len(changes)) - 1]
    return [[name, str(len(of)), f"{middle:+.3f} %", f"{most:.2f} %",
             str(sum(case.beyond for case in of))]]


def summary(ones: list[Run], several: Run, found: list[Case]) -> list[list[str]]:
    once = cases(ones, several)
    return [["held against", "cases", "median change", "19 of 20 within",
             f"beyond {SPREADS} x their spread"],
            *summary_row("a run alone, the same card", [c for c in once if c.same_card]),
            *summary_row("a run alone, another card",
                         [c for c in once if c.several is not None and not c.same_card]),
            *summary_row("the first run alone, whatever the card", cases(ones[:1], several)),
            *summary_row("the runs alone of those measured again, the same card",
                         [c for c in found if len(c.alone) > 1])]


def case_rows(found: list[Case]) -> list[list[str]]:
    """Those that were measured again or are beyond their spread, the farthest first."""
    def size(case: Case) -> float:
        return float("inf") if case.why else abs(case.change_pct) / case.spread_pct

    rows = [["case", "processes alone", "us", "several us", "change", f"{SPREADS} x spread", "card",
             ""]]
    for case in sorted((c for c in found if c.beyond or len(c.alone) > 1), key=size, reverse=True):
        latency = case.several.latency_us if case.several is not None else None
        card = "" if case.several is None else "the same" if case.same_card else "another"
        rows.append([case.id.name, str(len(case.alone)), f"{case.alone_us:.4g}",
                     "" if latency is None else f"{latency:.4g}",
                     case.why or f"{case.change_pct:+.2f} %",
                     "" if case.why else f"{SPREADS * case.spread_pct:.2f} %", card,
                     "beyond" if case.beyond else ""])
    return rows


def markdown(ones: list[Run], several: Run, again: list[Run]) -> tuple[str, bool]:
    """And whether all requirements are met."""
    found = cases(ones, several, again)
    # Where another GPU is visible and idle, a process waits for its driver: what several at once
    # make faster is the quickest of the runs.
    needed = requirements(found, min(ones, key=lambda run: run.seconds), several)
    devices = by_device(result for run in (*ones, several) for result in run.results)
    lines = [f"- `ctest -j{run.jobs}`: {run.closing}, {run.seconds:.1f} s."
             for run in (*ones, several)]
    if again:
        lines.append(f"- Cases beyond {SPREADS} x their samples' spread, alone, on the card that "
                     f"they had beside others: {len(again)} runs of `ctest -j1`.")
    lines += [f"- `ctest -j1`: {run.closing}." for run in again if not run.passed]
    lines += ["", *markdown_table([["requirement", "verdict", "measured"], *(
        [one.text, "pass" if one.met else "FAIL", one.measured] for one in needed)]), ""]
    lines += [
        f"The spread of a case is that of its samples (the largest `cv_pct` of its processes, at "
        f"least {LEAST_SPREAD_PCT:g} %) or, where it was measured again, that of those processes "
        f"if it is larger, (max - min) / median; the change is then from their median. A case "
        f"without a number to compare counts as changed.", ""]
    lines += markdown_table(summary(ones, several, found))
    rows = case_rows(found)
    if len(rows) > 1:
        lines += ["", "The cases that were measured again, or are beyond their spread:", "",
                  *markdown_table(rows)]
    lines += ["", "`ci/compare.py --by-device` over these runs:", "",
              by_device_text.markdown(devices).rstrip("\n")]
    return "\n".join(lines) + "\n", all(one.met for one in needed)
