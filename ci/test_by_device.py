"""python3 -m unittest discover ci"""

import pathlib
import tempfile
import unittest

import by_device_text
from by_device import by_device
from result_files import result, write
from result_set import read_result_set

CASES = [f"op{i}" for i in range(8)]


class ByDevice(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def found(self, slower: dict[str, float], cases: list[str] = CASES, **more):
        """Of a run on each card, slower by so many percent."""
        results = []
        for card, pct in slower.items():
            folder = write(pathlib.Path(tempfile.mkdtemp(dir=self.folder)), *(
                result(op, 10 * (i + 1) * (1 + pct / 100), device_uuid=card, **more)
                for i, op in enumerate(cases)))
            results += read_result_set(folder).results
        return by_device(results)

    def outliers(self, slower: dict[str, float], cases: list[str] = CASES) -> list[str]:
        return [one.card for one in self.found(slower, cases) if one.outlier]

    def test_a_devices_ratio_is_that_to_its_like(self):
        found = self.found({"a": 0, "b": 0.2, "c": 3})
        self.assertEqual([one.card for one in found], ["c", "b", "a"])
        self.assertEqual([round(one.away_pct, 2) for one in found], [2.79, 0, -0.2])
        self.assertEqual([one.cases for one in found], [8, 8, 8])
        self.assertEqual(found[0].nodes, ("vm",))

    def test_the_one_that_is_away_from_the_others_is_an_outlier(self):
        self.assertEqual(self.outliers({"a": 0, "b": 0.2, "c": 3, "d": 0.1}), ["c"])
        self.assertEqual(self.outliers({"a": 0, "b": 0.2, "c": -3, "d": 0.1}), ["c"])

    def test_within_one_percent_or_three_sigmas_none_is(self):
        self.assertEqual(self.outliers({"a": 0, "b": 0, "c": 0, "d": 0.9}), [])
        # MAD of -2, -1, 0, 1, 2 and 4 is 1.5: 6.7 % would be away
        self.assertEqual(self.outliers({"a": -2, "b": -1, "c": 0, "d": 1, "e": 2, "f": 4}), [])

    def test_of_two_devices_none_is_the_outlier(self):
        found = self.found({"a": 0, "b": 5})
        self.assertFalse(any(one.outlier for one in found))
        self.assertIn("b is 5.00 % slower than a; of two", by_device_text.terminal(found))

    def test_few_cases_make_no_outlier(self):
        self.assertEqual(self.outliers({"a": 0, "b": 0, "c": 5}, CASES[:4]), [])

    def test_only_what_is_alike_and_trusted_is_put_together(self):
        self.assertEqual(self.found({"a": 0}), [])
        for number, unlike in enumerate(({"method": "direct"}, {"untrusted": ["heat"]},
                                         {"device_name": "NVIDIA H100"}, {"latency": None})):
            with self.subTest(unlike):
                one = result("add", device_uuid="a")
                other = result("add", **{"device_uuid": "b", "latency": 10.0} | unlike)
                folders = [write(self.folder / f"{number}{i}", of)
                           for i, of in enumerate((one, other))]
                self.assertEqual(by_device([r for folder in folders
                                            for r in read_result_set(folder).results]), [])

    def test_of_several_runs_on_a_device_the_median_counts(self):
        results = []
        for number, (card, us) in enumerate((("a", 10), ("a", 11), ("a", 20), ("b", 11))):
            results += read_result_set(write(self.folder / str(number), result(
                "add", us, device_uuid=card))).results
        self.assertEqual([one.ratio for one in by_device(results)], [1, 1])

    def test_a_case_that_one_device_only_has_says_nothing(self):
        found = by_device([*read_result_set(write(
            self.folder / "a", result("x", 10, device_uuid="a"), result("y", 10, device_uuid="a"))
        ).results, *read_result_set(write(
            self.folder / "b", result("x", 10, device_uuid="b"))).results])
        self.assertEqual([one.cases for one in found], [1, 1])


if __name__ == "__main__":
    unittest.main()
