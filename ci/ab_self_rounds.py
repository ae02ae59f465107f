"""Takes the runs of an A/A comparison: pairs of fresh processes of one build, case after case."""

import time
from collections.abc import Callable, Mapping, Sequence

from ab_cases import BuiltCase
from ab_measure import Measure
from ab_pairs import CaseRun, Devices
from ab_rounds import Progress, duration
from ab_self import SelfCase, run_self


def run_self_rounds(cases: Sequence[SelfCase], built: Mapping[str, BuiltCase], measure: Measure,
                    progress: Progress, devices: Devices,
                    clock: Callable[[], float] = time.monotonic) -> None:
    runs = {case.name: CaseRun(case.name, built[case.name], built[case.name]) for case in cases}

    def take(case: SelfCase) -> None:
        run = runs[case.name]
        start = clock()
        run.take_pair(measure, devices, base_first=True)
        run.seconds += clock() - start
        if run.verdict is not None:
            case.failure = f"{run.verdict.value}: {run.why}"
            return
        case.pairs.append(run.differences[-1])
        case.times_us += [run.base_us[-1], run.new_us[-1]]

    def rounds(wanted: list[tuple[SelfCase, int]]) -> None:
        """A pair of each, then the next of each, as a real comparison takes them."""
        while wanted := [(c, n) for c, n in wanted if len(c.pairs) < n and not c.failure]:
            for case, _ in wanted:
                progress.show(progress_text(runs, wanted, case))
                take(case)

    try:
        run_self(cases, rounds)
    finally:
        progress.end()


def progress_text(runs: Mapping[str, CaseRun], wanted: Sequence[tuple[SelfCase, int]],
                  case: SelfCase) -> str:
    """The time left is that of the pairs known to be needed; noisy cases will ask for more."""
    timed = [run.seconds / len(run.base_us) for run in runs.values() if run.base_us]
    usual = sum(timed) / len(timed) if timed else None
    left = sum(n - len(c.pairs) for c, n in wanted)
    when = "time left: not known yet" if usual is None else f"{duration(left * usual)} left"
    return (f"ab: {left} pairs of {len(wanted)} cases to take, {when}; pair {len(case.pairs) + 1} "
            f"of {case.name}")
