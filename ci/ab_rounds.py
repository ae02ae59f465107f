"""Takes the pairs: one of every undecided case, then the next of each, until all are decided.

The two processes of a pair run one after the other, so that both see the device in the same state;
the pairs of a case lie a round apart, so that a slow drift does not fall on one of its looks.
"""

import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from ab_decision import Verdict, after_holm
from ab_measure import Measure
from ab_pairs import CaseRun, Devices

QUIET_S = 30.0  # between two lines of progress where no terminal shows it


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class Progress:
    """One line on a terminal, else a line now and then."""

    def __init__(self, stream: TextIO | None = None,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.terminal = self.stream.isatty()
        self.clock = clock
        self.said = -QUIET_S if self.terminal else clock() - QUIET_S

    def show(self, text: str, now: bool = False) -> None:
        if self.terminal:
            self.stream.write(f"\r\x1b[K{text[:120]}")
        elif now or self.clock() - self.said >= QUIET_S:
            self.said = self.clock()
            self.stream.write(text + "\n")
        self.stream.flush()

    def end(self) -> None:
        if self.terminal:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


def time_left(cases: Sequence[CaseRun]) -> tuple[float, float] | None:
    """To the next look of all, and at most; None before the first pair."""
    timed = [case.seconds / len(case.base_us) for case in cases if case.base_us]
    if not timed:
        return None
    usual = sum(timed) / len(timed)
    to_look = at_most = 0.0
    for case in cases:
        taken = len(case.base_us)
        pair = case.seconds / taken if taken else usual
        if case.verdict is None:
            to_look += (case.next_look - taken) * pair
            at_most += (case.rules.looks[-1] - taken) * pair
    return to_look, at_most


def progress_text(cases: Sequence[CaseRun], case: CaseRun) -> str:
    undecided = sum(c.verdict is None for c in cases)
    left = time_left(cases)
    when = "time left: not known yet" if left is None else (
        f"next look in {duration(left[0])}, at most {duration(left[1])} left")
    return (f"ab: {undecided} of {len(cases)} cases undecided, {when}; pair "
            f"{len(case.base_us) + 1} of {case.name}")


def run_rounds(cases: Sequence[CaseRun], measure: Measure, progress: Progress, devices: Devices,
               clock: Callable[[], float] = time.monotonic) -> None:
    """Verdicts before Holm."""
    undecided = list(enumerate(cases))
    index = 0
    try:
        while undecided:
            for position, case in undecided:
                progress.show(progress_text(cases, case))
                start = clock()
                # Neighbours start with different builds, too.
                case.take_pair(measure, devices, base_first=(index + position) % 2 == 0)
                case.seconds += clock() - start
                case.consider(len(cases))
            undecided = [(p, case) for p, case in undecided if case.verdict is None]
            index += 1
    finally:
        progress.end()


def end_interrupted(cases: Sequence[CaseRun]) -> None:
    """What Ctrl-C leaves undecided is INCONCLUSIVE and says so."""
    for case in cases:
        if case.verdict is None:
            case.verdict = Verdict.INCONCLUSIVE
            case.why = f"interrupted after {len(case.base_us)} pairs"
            case.look = None


def settle(cases: Sequence[CaseRun]) -> None:
    """Once, at the end: Holm over the cases that were tested, then what cannot be relied on."""
    tested = {case.name: case for case in cases
              if case.look is not None and case.verdict is case.look.verdict}
    looks = {name: case.look for name, case in tested.items() if case.look is not None}
    for name, verdict in after_holm(looks).items():
        case = tested[name]
        if verdict is not case.verdict:
            case.why = f"{case.verdict.value} if tested alone, not among {len(tested)} cases (Holm)"
            case.verdict = verdict
        if case.too_untrusted and case.verdict is not Verdict.INCONCLUSIVE:
            case.why = f"would be {case.verdict.value}, but too many of its numbers are untrusted"
            case.verdict = Verdict.INCONCLUSIVE
