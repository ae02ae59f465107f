"""python3 -m unittest discover ci"""

import io
import pathlib
import random
import unittest

from ab_cases import BuiltCase
from ab_decision import Rules, Verdict
from ab_input import InputError
from ab_measure import Measurement
from ab_pairs import CaseRun, Devices
from ab_rounds import Progress, duration, end_interrupted, run_rounds, settle, time_left
from case_result import CaseId, Device, Result


def result(name: str, device: str = "a CPU", **more) -> Result:
    _, backend, *rest = name.split(".", 5)
    return Result(CaseId(backend, *rest), Device(device), pathlib.Path("x.json"), method="graph",
                  cache="cold", statistic="median", schedule="adaptive", **more)


def case_run(index: int) -> CaseRun:
    name = f"perf.host.op.own.f32.{index}"
    return CaseRun(name, *(BuiltCase(name, (build,), pathlib.Path()) for build in ("base", "new")))


class Device1Percent:
    """Processes whose medians have 1 % of noise, on a device that drifts and beats like none."""

    def __init__(self, slower_pct: float, drift_pct: float = 0.0) -> None:
        self.slower_pct, self.drift_pct, self.taken = slower_pct, drift_pct, 0
        self.rng: dict[str, random.Random] = {}

    def __call__(self, case: BuiltCase) -> Measurement:
        self.taken += 1
        rng = self.rng.setdefault(case.name, random.Random(case.name))
        slower = self.slower_pct if case.command[0] == "new" else 0
        us = (10 * (1 + slower / 100) * (1 + 0.01 * rng.gauss(0, 1))
              * (1 + self.drift_pct / 100) ** self.taken)
        return Measurement(result(case.name), us)


def verdicts(cases: int, measure) -> list[Verdict | None]:
    """Of cases that are each tested alone."""
    runs = [case_run(i) for i in range(cases)]
    for run in runs:
        run_rounds([run], measure, Progress(io.StringIO()), Devices())
        settle([run])
    return [run.verdict for run in runs]


class Promised(unittest.TestCase):
    def test_a_slowdown_of_3_percent_is_regressed_in_90_of_100_seeds(self):
        self.assertGreaterEqual(verdicts(100, Device1Percent(3)).count(Verdict.REGRESSED), 90)

    def test_no_slowdown_is_same_or_inconclusive_in_all_of_100_seeds(self):
        found = set(verdicts(100, Device1Percent(0)))
        self.assertLessEqual(found, {Verdict.SAME, Verdict.INCONCLUSIVE})

    def test_both_hold_on_a_device_that_gets_half_a_percent_slower_with_each_process(self):
        slow = verdicts(100, Device1Percent(3, drift_pct=0.5))
        self.assertGreaterEqual(slow.count(Verdict.REGRESSED), 90)
        found = set(verdicts(100, Device1Percent(0, drift_pct=0.5)))
        self.assertLessEqual(found, {Verdict.SAME, Verdict.INCONCLUSIVE})

    def test_a_hundred_slowed_cases_tested_together_are_found_too(self):
        runs = [case_run(i) for i in range(100)]
        run_rounds(runs, Device1Percent(3), Progress(io.StringIO()), Devices())
        settle(runs)
        self.assertGreaterEqual([r.verdict for r in runs].count(Verdict.REGRESSED), 90)


class Devices_(unittest.TestCase):
    def test_numbers_of_two_devices_are_refused(self):
        names = iter(["GPU a", "GPU b"])
        with self.assertRaises(InputError) as caught:
            case_run(1).take_pair(lambda case: Measurement(result(case.name, next(names)), 1.0),
                                  Devices(), True)
        self.assertIn("GPU b", str(caught.exception))
        self.assertIn("GPU a", str(caught.exception))


class Interrupted(unittest.TestCase):
    def test_what_was_decided_stays_and_the_rest_is_inconclusive(self):
        runs = [case_run(0), case_run(1)]
        measure = Device1Percent(0)

        def until_pressed(case: BuiltCase) -> Measurement:
            if measure.taken == 40:
                raise KeyboardInterrupt
            found = measure(case)
            noisy = case.name == runs[1].name and case.command[0] == "new"
            return Measurement(found.result, found.latency_us * (2 if measure.taken % 3 else 1)
                               if noisy else found.latency_us)

        stream = io.StringIO()
        with self.assertRaises(KeyboardInterrupt):
            run_rounds(runs, until_pressed, Progress(stream), Devices())
        runs[0].verdict = runs[0].verdict or Verdict.SAME
        end_interrupted(runs)
        settle(runs)
        self.assertIs(runs[0].verdict, Verdict.SAME)
        self.assertIs(runs[1].verdict, Verdict.INCONCLUSIVE)
        self.assertIn("interrupted after", runs[1].why)


class TimeLeft(unittest.TestCase):
    def test_is_that_of_the_pairs_to_the_next_look_and_of_all_28(self):
        measured, fresh = case_run(0), case_run(1)
        self.assertIsNone(time_left([measured, fresh]))
        measured.base_us = measured.new_us = [1.0] * 2
        measured.seconds = 8.0  # 4 s a pair; the other one is taken to need as much
        self.assertEqual(time_left([measured, fresh]), (5 * 4 + 7 * 4, 26 * 4 + 28 * 4))
        fresh.verdict = Verdict.SAME
        self.assertEqual(time_left([measured, fresh]), (5 * 4, 26 * 4))

    def test_is_shown_while_it_runs_at_most_every_30_seconds_without_a_terminal(self):
        stream, seconds = io.StringIO(), iter(range(0, 100000))
        run_rounds([case_run(i) for i in range(10)], Device1Percent(0),
                   Progress(stream, clock=lambda: next(seconds)), Devices(),
                   clock=lambda: next(seconds))
        lines = stream.getvalue().splitlines()
        self.assertIn("time left: not known yet", lines[0])
        self.assertIn("10 of 10 cases undecided", lines[0])
        self.assertRegex(lines[1], r"next look in \d+ (s|min), at most \d+ (s|min) left")
        self.assertLess(len(lines), 25)

    def test_durations(self):
        self.assertEqual([duration(s) for s in (0.2, 89, 90, 600, 5400)],
                         ["1 s", "89 s", "2 min", "10 min", "1.5 h"])


class Settling(unittest.TestCase):
    def test_a_finding_that_holm_takes_back_says_so(self):
        weak, *others = [case_run(i) for i in range(300)]
        for run in (weak, *others):
            run.base_us = [1.0] * 28
            run.new_us = [1.0001 if i % 2 else 0.9999 for i in range(28)]
        weak.new_us = [1.03 * (1.045 if i % 2 else 0.957) for i in range(28)]
        for run in (weak, *others):
            run.consider(300)
        self.assertIs(weak.verdict, Verdict.REGRESSED)
        settle([weak, *others])
        self.assertIs(weak.verdict, Verdict.INCONCLUSIVE)
        self.assertEqual(weak.why, "REGRESSED if tested alone, not among 300 cases (Holm)")
        self.assertEqual(Rules().floor_pct, 2)


if __name__ == "__main__":
    unittest.main()
