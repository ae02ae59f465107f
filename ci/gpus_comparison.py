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
from case_result import Result
from comparison import verdict_of
from likeness import differences

LEAST_SPEED_UP = 0.9  # of the ideal one
MOST_MEDIAN_PCT = 0.5
MOST_BEYOND = 0.01  # of the cases
SPREADS = 3
# A latency is measured until its half-width is this: less says nothing of two runs.
LEAST_SPREAD_PCT = 0.1
MOST_ROWS = 60


@dataclass(frozen=True)
class Run:
    path: pathlib.Path
    jobs: int
    seconds: float  # of ctest as a whole
    closing: str  # CTest's line
    results: tuple[Result, ...]


@dataclass(frozen=True)
class Case:
    alone: tuple[Result, ...]  # the runs on one GPU, all of one card
    several: Result | None
    why: str = ""  # it cannot be compared; empty: it can

    @property
    def one(self) -> Result:
        return self.alone[0]

    @property
    def same_card(self) -> bool:
        return self.several is not None and card_of(self.one) == card_of(self.several)

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
    def processes_pct(self) -> float:
        """The spread of the processes alone on the card, as in the accuracy suite; 0 of one."""
        all_us = [result.latency_us for result in self.alone]
        return 100 * (max(all_us) - min(all_us)) / self.alone_us

    @property
    def spread_pct(self) -> float:
        return max(self.samples_pct, self.processes_pct)

    @property
    def beyond_samples(self) -> bool:
        return bool(self.why) or abs(self.change_pct) > SPREADS * self.samples_pct

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


def cases(ones: Iterable[Run], several: Run) -> list[Case]:
    """Each case that a run on one GPU has a trusted number of."""
    now = {result.id: result for result in several.results}
    alone: dict = defaultdict(list)
    for run in ones:
        for result in filter(trusted, run.results):
            alone[result.id].append(result)
    return [case_of(results, now.get(key)) for key, results in sorted(alone.items())]


def beyond_samples(ones: Iterable[Run], several: Run, card: str) -> str:
    """The tests of a card, as a regular expression, whose change the samples do not explain: only
    these need more processes. Empty: none."""
    names = [case.one.id.test_name for case in cases(ones, several)
             if case.beyond_samples and case.same_card and card_of(case.one) == card]
    return f"^({'|'.join(re.escape(name) for name in names)})$" if names else ""


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


def whole(ones: list[Run]) -> list[Run]:
    """Without those that measured some cases once more."""
    return [run for run in ones if len(run.results) >= len(ones[0].results)]


def by_card(found: list[Case], first: list[Case]) -> list[list[str]]:
    rows = [["held against", "cases", "median change", "19 of 20 within",
             f"beyond {SPREADS} x the samples' spread", f"beyond {SPREADS} x their spread"]]
    for name, of in (("runs alone on the same card", [case for case in found if case.same_card]),
                     ("a run alone on another card", [case for case in found if case.several and
                                                      not case.same_card]),
                     ("the first run alone, whatever the card", first)):
        changes = [case.change_pct for case in of if not case.why]
        if changes:
            most = sorted(map(abs, changes))[math.ceil(0.95 * len(changes)) - 1]
            rows.append([name, str(len(of)), f"{median(changes):+.3f} %", f"{most:.2f} %",
                         str(sum(case.beyond_samples for case in of)),
                         str(sum(case.beyond for case in of))])
    return rows


def beyond_rows(found: list[Case]) -> list[list[str]]:
    def size(case: Case) -> float:
        return float("inf") if case.why else abs(case.change_pct) / case.spread_pct

    rows = [["case", "alone us", "several us", "change", "samples' spread", "processes' spread",
             "processes", "card", ""]]
    for case in sorted((case for case in found if case.beyond_samples), key=size, reverse=True):
        latency = case.several.latency_us if case.several is not None else None
        rows.append([case.one.id.name, f"{case.alone_us:.4g}",
                     "" if latency is None else f"{latency:.4g}",
                     case.why or f"{case.change_pct:+.2f} %",
                     "" if case.why else f"{case.samples_pct:.2f} %",
                     "" if case.why or len(case.alone) < 2 else f"{case.processes_pct:.2f} %",
                     str(len(case.alone)), "the same" if case.same_card else "another",
                     "beyond" if case.beyond else ""])
    return rows[:MOST_ROWS + 1]


def markdown(ones: list[Run], several: Run) -> tuple[str, bool]:
    """And whether all requirements are met."""
    found, first = cases(ones, several), cases(ones[:1], several)
    needed = requirements(found, ones[0], several)
    devices = by_device(result for run in (*ones, several) for result in run.results)
    lines = [f"- `ctest -j{run.jobs}`: {run.closing}, {run.seconds:.1f} s." for run in
             (*whole(ones), several)]
    fewer = len(ones) - len(whole(ones))
    if fewer:
        lines.append(f"- {fewer} more with one job, of fewer cases.")
    lines += ["", *markdown_table([["requirement", "verdict", "measured"], *(
        [one.text, "pass" if one.met else "FAIL", one.measured] for one in needed)]), ""]
    lines += [
        f"The spread of a case is the larger one of its samples' (the largest `cv_pct` of its "
        f"processes, at least {LEAST_SPREAD_PCT:g} %) and of its processes' alone on the card, "
        f"(max - min) / median. The change is that from their median. A case without a number to "
        f"compare counts as changed.", ""]
    lines += markdown_table(by_card(found, first))
    rows = beyond_rows(found)
    if len(rows) > 1:
        lines += ["", "The cases beyond their samples' spread:", "", *markdown_table(rows)]
    lines += ["", "`ci/compare.py --by-device` over these runs:", "",
              by_device_text.markdown(devices).rstrip("\n")]
    return "\n".join(lines) + "\n", all(one.met for one in needed)
