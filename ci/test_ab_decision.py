"""python3 -m unittest discover ci"""

import math
import random
import unittest

from ab_decision import (ALPHA, Rules, Verdict, after_holm, decide, is_final, look_at, percent,
                         smallest_detectable_pct)

ALARMS = (Verdict.REGRESSED, Verdict.IMPROVED)


def processes(seed: int, change_pct: float, noise_pct: float):
    """Differences of pairs of processes whose medians each have this noise."""
    rng = random.Random(seed)

    def difference(_: int) -> float:
        base = 10.0 * (1 + noise_pct / 100 * rng.gauss(0, 1))
        new = 10.0 * (1 + change_pct / 100) * (1 + noise_pct / 100 * rng.gauss(0, 1))
        return math.log(new / base)

    return difference


def verdicts(seeds: range, change_pct: float, noise_pct: float, rules=Rules()) -> list[Verdict]:
    return [decide(processes(seed, change_pct, noise_pct), rules).verdict for seed in seeds]


class OneLook(unittest.TestCase):
    def test_bounds_are_at_a_third_of_one_percent_worked_out_by_hand(self):
        # Seven differences of 3 % +- 1 %: mean 0.03, deviation 0.01 * sqrt(6 / 6), error
        # 0.01 / sqrt(7) = 0.0037796; t(1 - 0.01 / 3, 6) = 4.0 (between 3.707 at 0.995 and 5.208
        # at 0.999 in the tables).
        look = look_at([0.02, 0.04, 0.02, 0.04, 0.02, 0.04, 0.03], Rules())
        self.assertAlmostEqual(look.mean.standard_error, 0.0037796, delta=1e-7)
        t = (look.high - look.mean.mean) / look.mean.standard_error
        self.assertTrue(3.707 < t < 5.208)
        self.assertAlmostEqual(look.low, 0.03 - t * 0.0037796, delta=1e-6)
        self.assertIs(look.verdict, Verdict.REGRESSED)

    def test_the_bound_must_be_above_zero_and_the_mean_above_the_floor(self):
        wide = [-0.05, 0.11] * 3 + [0.03]
        self.assertIs(look_at(wide, Rules()).verdict, Verdict.INCONCLUSIVE)
        sure_but_small = [0.0150, 0.0152] * 3 + [0.0151]
        self.assertIs(look_at(sure_but_small, Rules()).verdict, Verdict.SAME)
        self.assertIs(look_at(sure_but_small, Rules(floor_pct=1)).verdict, Verdict.REGRESSED)

    def test_the_floor_is_a_ratio_and_holds_in_both_directions(self):
        for pct, expected in ((2.1, Verdict.REGRESSED), (1.9, Verdict.SAME)):
            slower = [math.log(1 + pct / 100) + noise for noise in (-1e-5, 1e-5, 0, 0, 0, 0, 0)]
            self.assertIs(look_at(slower, Rules()).verdict, expected)
            mirrored = Verdict.IMPROVED if expected is Verdict.REGRESSED else expected
            self.assertIs(look_at([-d for d in slower], Rules()).verdict, mirrored)
        self.assertAlmostEqual(look_at(slower, Rules()).pct[0], 1.9, delta=1e-6)

    def test_an_interval_that_reaches_over_the_floor_is_not_same(self):
        self.assertIs(look_at([-0.01, 0.03] * 3 + [0.0], Rules()).verdict, Verdict.INCONCLUSIVE)


class WhenToStop(unittest.TestCase):
    def count(self, differences, cases_tested: int = 1) -> tuple[Verdict, int]:
        look = decide(differences, Rules(), cases_tested)
        return look.verdict, look.mean.n

    def test_looks_are_at_7_14_and_28_pairs_only(self):
        asked: list[int] = []

        def undecided(index: int) -> float:
            asked.append(index)
            return (-1) ** index * 0.2

        self.assertEqual(self.count(undecided), (Verdict.INCONCLUSIVE, 28))
        self.assertEqual(asked, list(range(28)))

    def test_same_and_a_clear_change_end_at_the_first_look(self):
        self.assertEqual(self.count(lambda i: (-1) ** i * 1e-4), (Verdict.SAME, 7))
        self.assertEqual(self.count(lambda i: 0.1 + (-1) ** i * 1e-4), (Verdict.REGRESSED, 7))
        self.assertEqual(self.count(lambda i: -0.1 + (-1) ** i * 1e-4), (Verdict.IMPROVED, 7))

    def test_a_change_that_holm_could_take_back_is_measured_on(self):
        difference = processes(3, 3, 0.8)
        first = [difference(i) for i in range(7)]
        look = look_at(first, Rules())
        self.assertIs(look.verdict, Verdict.REGRESSED)
        self.assertTrue(is_final(look, Rules(), 1))
        self.assertFalse(is_final(look, Rules(), 1000))


class OverAllCases(unittest.TestCase):
    def test_a_weak_finding_among_many_cases_is_taken_back_and_a_strong_one_stands(self):
        looks = {f"same{i}": look_at([1e-4, -1e-4] * 14, Rules()) for i in range(300)}
        looks["strong"] = look_at([0.029, 0.031] * 14, Rules())
        looks["weak"] = look_at([0.03 + (-1) ** i * 0.045 for i in range(28)], Rules())
        self.assertIs(looks["weak"].verdict, Verdict.REGRESSED)
        found = after_holm(looks)
        self.assertIs(found["strong"], Verdict.REGRESSED)
        self.assertIs(found["weak"], Verdict.INCONCLUSIVE)
        self.assertIs(found["same0"], Verdict.SAME)
        self.assertIs(after_holm({"weak": looks["weak"]})["weak"], Verdict.REGRESSED)

    def test_what_ended_early_is_never_taken_back(self):
        cases = 40
        for seed in range(20):
            looks = {str(i): decide(processes(1000 * seed + i, 4 if i < 5 else 0, 1), Rules(),
                                    cases)
                     for i in range(cases)}
            found = after_holm(looks)
            for case, look in looks.items():
                if look.mean.n < 28:
                    self.assertIs(found[case], look.verdict)

    def test_improvements_do_not_use_up_what_regressions_are_held_against(self):
        one = look_at([0.03 + (-1) ** i * 0.03 for i in range(28)], Rules())
        alone = after_holm({"slower": one})
        mirrored = {f"faster{i}": look_at([-0.05 + (-1) ** j * 1e-3 for j in range(28)], Rules())
                    for i in range(3)}
        both = after_holm({"slower": one, **mirrored})
        self.assertIs(both["slower"], alone["slower"])
        self.assertTrue(all(both[case] is Verdict.IMPROVED for case in mirrored))


class Promised(unittest.TestCase):
    """What the decision is for, on seeded noise."""

    def test_a_slowdown_of_3_percent_at_1_percent_noise_is_regressed_in_90_of_100_seeds(self):
        found = verdicts(range(100), 3, 1)
        self.assertGreaterEqual(found.count(Verdict.REGRESSED), 90)
        self.assertNotIn(Verdict.IMPROVED, found)
        self.assertGreaterEqual(verdicts(range(100), 100 * (1 / 1.03 - 1), 1)
                                .count(Verdict.IMPROVED), 90)

    def test_the_same_slowdown_stands_among_300_cases(self):
        looks = {str(seed): decide(processes(seed, 3 if seed < 100 else 0, 1), Rules(), 300)
                 for seed in range(300)}
        found = after_holm(looks)
        slowed = [found[str(seed)] for seed in range(100)]
        self.assertGreaterEqual(slowed.count(Verdict.REGRESSED), 90)
        self.assertEqual({found[str(seed)] for seed in range(100, 300)} & set(ALARMS), set())

    def test_no_change_is_same_or_inconclusive(self):
        found = verdicts(range(1000), 0, 1)
        alarms = sum(verdict in ALARMS for verdict in found)
        self.assertLessEqual(alarms / len(found), 0.01)
        self.assertGreaterEqual(found.count(Verdict.SAME), 950)

    def test_noise_beyond_the_floor_alarms_no_oftener_than_alpha_in_either_direction(self):
        found = verdicts(range(3000), 0, 10)  # the floor is a fifth of the noise: only t counts
        # Three standard errors of a rate of 1 % in 3,000.
        for direction in ALARMS:
            self.assertLess(found.count(direction) / len(found),
                            ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / len(found)))
        self.assertGreater(sum(v in ALARMS for v in found), 0)  # the test could fail

    def test_the_smallest_detectable_change_is_found_in_nine_of_ten_seeds(self):
        for noise in (0.2, 1.0, 3.0):
            deviation = math.sqrt(2) * noise / 100
            pct = smallest_detectable_pct(deviation, Rules())
            found = verdicts(range(400), pct, noise)
            with self.subTest(noise=noise, pct=pct):
                share = found.count(Verdict.REGRESSED) / len(found)
                self.assertGreater(share, 0.85)
                self.assertLess(share, 0.99)

    def test_percent_of_a_log_ratio(self):
        self.assertAlmostEqual(percent(math.log(1.03)), 3)
        self.assertAlmostEqual(percent(math.log(1 / 1.25)), -20)


if __name__ == "__main__":
    unittest.main()
