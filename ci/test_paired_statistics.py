"""python3 -m unittest discover ci"""

import math
import random
import unittest

from paired_statistics import (holm, incomplete_beta, mean_of, t_quantile, t_tail,
                               upper_bound_of_rate)


class StudentsT(unittest.TestCase):
    def test_quantiles_are_those_of_the_published_tables(self):
        # NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2: P(T < t) over the degrees.
        table = {
            (0.90, 1): 3.078, (0.95, 1): 6.314, (0.975, 1): 12.706, (0.99, 1): 31.821,
            (0.999, 1): 318.313, (0.95, 6): 1.943, (0.99, 6): 3.143, (0.999, 6): 5.208,
            (0.99, 13): 2.650, (0.999, 13): 3.852, (0.95, 27): 1.703, (0.975, 27): 2.052,
            (0.99, 27): 2.473, (0.999, 27): 3.421, (0.99, 100): 2.364,
        }
        for (p, degrees), t in table.items():
            with self.subTest(p=p, degrees=degrees):
                # The table's first column is cut by its rounding of pi.
                self.assertAlmostEqual(t_quantile(p, degrees), t, delta=0.0006 if t < 99 else 0.01)

    def test_one_and_two_degrees_have_a_closed_form(self):
        for t in (-3.0, -0.1, 0.0, 0.5, 1.0, 40.0):
            self.assertAlmostEqual(t_tail(t, 1), 0.5 - math.atan(t) / math.pi, delta=1e-13)
            self.assertAlmostEqual(t_tail(t, 2), 0.5 - t / (2 * math.sqrt(2 + t * t)), delta=1e-13)

    def test_a_far_tail_keeps_its_digits(self):
        # Three degrees, large t: 1/2 - (atan(u) + u / (1 + u^2)) / pi with u = t / sqrt(3), whose
        # first term is 2 / (3 pi u^3).
        u = 1e6 / math.sqrt(3)
        self.assertAlmostEqual(t_tail(1e6, 3) / (2 / (3 * math.pi * u**3)), 1, delta=1e-9)

    def test_quantile_and_tail_are_each_others_inverse_on_both_sides(self):
        for degrees in (6, 13, 27):
            for p in (0.001, 0.01 / 3, 0.2, 0.5, 0.8, 1 - 0.01 / 3):
                self.assertAlmostEqual(1 - t_tail(t_quantile(p, degrees), degrees), p, delta=1e-12)
        self.assertEqual(t_tail(math.inf, 6), 0)
        for p in (0, 1):
            with self.assertRaises(ValueError):
                t_quantile(p, 6)

    def test_incomplete_beta_of_whole_numbers_is_a_binomial_tail(self):
        # I_x(a, b) = P(at least a of a + b - 1 tosses): 3 of 4 at 0.3 is 4 * 0.027 * 0.7 + 0.0081.
        self.assertAlmostEqual(incomplete_beta(3, 2, 0.3), 0.0837, delta=1e-14)
        self.assertEqual(incomplete_beta(3, 2, 0), 0)
        self.assertEqual(incomplete_beta(3, 2, 1), 1)


class MeanOfPairs(unittest.TestCase):
    def test_bounds_and_p_value_worked_out_by_hand(self):
        # Mean 4, deviations -3 -1 0 1 3: variance 20 / 4, error sqrt(5 / 5) = 1, so t is 4.
        mean = mean_of([1, 3, 4, 5, 7])
        self.assertAlmostEqual(mean.mean, 4)
        self.assertAlmostEqual(mean.standard_error, 1)
        low, high = mean.bounds(0.05)  # t(0.95, 4) = 2.132
        self.assertAlmostEqual(low, 4 - 2.132, delta=0.0005)
        self.assertAlmostEqual(high, 4 + 2.132, delta=0.0005)
        # At 4 degrees P(T > t) = 1/2 - (3 s - s^3) / 4 with s = t / sqrt(4 + t^2).
        s = 4 / math.sqrt(20)
        self.assertAlmostEqual(mean.p_above(), 0.5 - (3 * s - s**3) / 4, delta=1e-13)
        self.assertAlmostEqual(mean.p_below(), 0.5 + (3 * s - s**3) / 4, delta=1e-13)

    def test_pairs_that_are_all_alike_are_certain(self):
        self.assertEqual(mean_of([0.5] * 7).p_above(), 0)
        self.assertEqual(mean_of([0.5] * 7).p_below(), 1)
        self.assertEqual(mean_of([0.0] * 7).p_above(), 1)
        self.assertEqual(mean_of([0.5] * 7).bounds(0.01), (0.5, 0.5))

    def test_one_pair_has_no_spread(self):
        with self.assertRaises(ValueError):
            mean_of([1.0])


class Holm(unittest.TestCase):
    def test_each_is_held_against_the_number_of_those_still_left(self):
        # 0.01 <= 0.05 / 4; 0.013 <= 0.05 / 3; 0.03 > 0.05 / 2 ends it, also for 0.04 <= 0.05 / 1.
        self.assertEqual(holm([0.03, 0.01, 0.04, 0.013], 0.05), [False, True, False, True])

    def test_none_where_the_smallest_is_too_large_all_where_the_largest_is_small(self):
        self.assertEqual(holm([0.02, 0.03], 0.03), [False, False])
        self.assertEqual(holm([0.02, 0.01], 0.02), [True, True])
        self.assertEqual(holm([], 0.01), [])

    def test_any_false_rejection_among_many_is_as_rare_as_alpha(self):
        rng = random.Random(5)
        runs = 4000
        false = sum(any(holm([rng.random() for _ in range(50)], 0.05)) for _ in range(runs))
        self.assertLess(abs(false / runs - 0.05), 0.011)  # three standard errors


class ClopperPearson(unittest.TestCase):
    def test_no_event_has_a_closed_form(self):
        # (1 - rate)^300 = 0.05
        self.assertAlmostEqual(upper_bound_of_rate(0, 300), 1 - 0.05 ** (1 / 300), delta=1e-12)
        self.assertAlmostEqual(upper_bound_of_rate(0, 300), 0.0099361, delta=5e-8)

    def test_one_event_solves_its_equation(self):
        rate = upper_bound_of_rate(1, 300)
        at_most_one = (1 - rate) ** 300 + 300 * rate * (1 - rate) ** 299
        self.assertAlmostEqual(at_most_one, 0.05, delta=1e-12)

    def test_the_published_interval_of_10_in_100(self):
        # Two-sided 95 % of 10/100: 0.0490 to 0.1762, whose upper end is one-sided 97.5 %.
        self.assertAlmostEqual(upper_bound_of_rate(10, 100, 0.975), 0.1762, delta=5e-5)

    def test_the_ends(self):
        self.assertEqual(upper_bound_of_rate(5, 5), 1)
        for events, trials in ((1, 0), (3, 2), (-1, 5)):
            with self.assertRaises(ValueError):
                upper_bound_of_rate(events, trials)


if __name__ == "__main__":
    unittest.main()
