"""python3 -m unittest discover ci"""

import math
import random
import unittest

from ab_decision import Rules, Verdict
from ab_self import SelfCase, Split, false_alarms, run_self, self_cases, splits_of


def simulated(noise_pct: float, order_pct: float = 0.0, heavy: bool = False,
              drift_pct: float = 0.0):
    """Adds pairs of runs: noise of one run's median, the second run slower, the device drifting."""
    streams: dict[str, random.Random] = {}

    def take(wanted) -> None:
        for case, number in wanted:
            rng = streams.setdefault(case.name, random.Random(case.name))

            def run(second: bool) -> float:
                tail = 5.0 if heavy and rng.random() < 0.05 else 1.0
                at = len(case.pairs) * drift_pct / 100
                return (1 + tail * noise_pct / 100 * rng.gauss(0, 1) + at
                        + (order_pct / 100 if second else 0))

            while len(case.pairs) < number:
                first = run(False)
                case.pairs.append(math.log(run(True) / first))

    return take


def measured(cases: int, verdicts: int, **noise):
    found = self_cases({f"perf.host.op.own.f32.{i}": Rules() for i in range(cases)}, verdicts)
    run_self(found, simulated(**noise))
    return found


class FalseAlarms(unittest.TestCase):
    def test_at_most_one_percent_of_1000_verdicts_whatever_the_noise(self):
        for noise in ({"noise_pct": 0.1}, {"noise_pct": 1}, {"noise_pct": 1, "heavy": True},
                      {"noise_pct": 1, "order_pct": 3}, {"noise_pct": 0.5, "drift_pct": 1}):
            with self.subTest(**noise):
                rate = false_alarms(measured(50, 1000, **noise))
                self.assertEqual(rate.verdicts, 1000)
                self.assertLessEqual(rate.rate, 0.01)
                self.assertLessEqual(rate.rate, rate.upper_bound)

    def test_alarms_are_counted_where_there_are_any(self):
        # A real difference hidden among the runs: every second pair is 10 % apart the same way, so
        # the order of a real comparison, which alternates, makes it look like one of the builds.
        cases = self_cases({"a": Rules()}, 1)
        run_self(cases, lambda wanted: wanted[0][0].pairs.extend(
            [(-1) ** i * 0.1 + 1e-4 * i for i in range(7)]))
        rate = false_alarms(cases)
        self.assertEqual((rate.verdicts, rate.regressed, rate.improved), (1, 1, 0))
        self.assertFalse(rate.accepted)
        self.assertEqual(rate.upper_bound, 1)


class Splits(unittest.TestCase):
    def test_at_least_as_many_verdicts_as_asked_for(self):
        for cases, verdicts in ((7, 300), (300, 300), (299, 300), (1, 300)):
            found = measured(cases, verdicts, noise_pct=0.1)
            self.assertGreaterEqual(false_alarms(found).verdicts, verdicts)

    def test_quiet_cases_need_seven_pairs_and_noisy_ones_get_more(self):
        self.assertEqual({len(c.pairs) for c in measured(30, 300, noise_pct=0.1)}, {7})
        self.assertEqual({len(c.pairs) for c in measured(3, 30, noise_pct=8)}, {28})

    def test_many_splits_of_a_case_are_drawn_from_more_pairs(self):
        self.assertEqual({len(c.pairs) for c in measured(3, 300, noise_pct=0.1)}, {14})

    def test_the_first_split_is_the_order_of_a_real_comparison(self):
        split = Split(None)
        split.take([0.1] * 7)
        split.take([0.1] * 14)
        self.assertEqual(split.differences, [0.1, -0.1] * 7)

    def test_others_are_drawn_and_keep_the_orders_in_balance(self):
        first, second = splits_of("case", 3)[1:]
        pairs = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]
        for split in (first, second):
            split.take(pairs)
            self.assertEqual(sorted(map(abs, split.differences)), pairs)
            for i in range(0, 8, 2):
                self.assertLess(split.differences[i] * split.differences[i + 1], 0)
        self.assertNotEqual(first.differences, second.differences)

    def test_the_same_runs_give_the_same_verdicts(self):
        def once():
            return [case.verdicts for case in measured(3, 90, noise_pct=3)]

        self.assertEqual(once(), once())


class Detectable(unittest.TestCase):
    def test_the_smallest_detectable_change_grows_with_the_noise_and_starts_at_the_floor(self):
        quiet, noisy = (measured(1, 1, noise_pct=noise)[0].detectable_pct for noise in (0.01, 5))
        self.assertAlmostEqual(quiet, 2, delta=0.05)
        self.assertGreater(noisy, 4)

    def test_deviation_is_that_of_differences_around_zero(self):
        case = SelfCase("a", [], pairs=[0.3, -0.4])
        self.assertAlmostEqual(case.deviation, math.sqrt((0.09 + 0.16) / 2))
        self.assertEqual(case.verdicts, [])
        self.assertEqual(Verdict.SAME.value, "SAME")


if __name__ == "__main__":
    unittest.main()
