"""python3 -m unittest discover ci"""

import json
import pathlib
import tempfile
import unittest

import check_tags
import ctest_parts

TAGS = {
    "latency_us": "1.5",
    "cv_pct": "0.25",
    "method": "graph",
    "cache": "cold",
    "capture": "clean",
    "verdict": "ok",
}
RESULT = {
    "metrics": {"latency_us": 1.5, "cv_pct": 0.25},
    "method": "graph",
    "cache": "cold",
    "capture": "clean",
    "verdict": "ok",
    "statistic": "median",
}


class CheckTags(unittest.TestCase):
    def run_on(self, tags: dict[str, str], result: dict, status: str = "passed"):
        named = "".join(
            f'<NamedMeasurement type="x" name="{k}"><Value>{v}</Value></NamedMeasurement>'
            for k, v in tags.items()
        )
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            (build / "zl-results").mkdir()
            (build / "zl-results" / "perf.host.a.json").write_text(
                json.dumps({"zl": {"result": result}})
            )
            xml = build / "Test.xml"
            xml.write_text(
                f'<Site><Testing><Test Status="{status}"><Name>perf.host.a</Name>'
                f"<Results>{named}</Results></Test></Testing></Site>"
            )
            return check_tags.check(build, xml)

    def test_equal_values_pass(self):
        self.assertEqual(self.run_on(TAGS, RESULT), (1, []))

    def test_a_number_that_differs_is_named(self):
        _, problems = self.run_on({**TAGS, "latency_us": "1.6"}, RESULT)
        self.assertEqual(len(problems), 1)
        self.assertIn("latency_us is 1.6", problems[0])

    def test_a_text_that_differs_is_named(self):
        _, problems = self.run_on({**TAGS, "cache": "warm"}, RESULT)
        self.assertIn("cache is 'warm'", problems[0])

    def test_each_missing_measurement_is_named(self):
        for key in check_tags.REQUIRED:
            tags = {k: v for k, v in TAGS.items() if k != key}
            _, problems = self.run_on(tags, RESULT)
            self.assertIn(f"no measurement '{key}'", problems[0])

    def test_a_build_that_ctest_measured_nothing_in_is_told_how(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(ctest_parts.PartsError, "ctest -T Test` first"):
                check_tags.newest_test_xml(pathlib.Path(folder))

    def test_failed_tests_do_not_count(self):
        self.assertEqual(self.run_on({}, RESULT, status="failed"), (0, []))


if __name__ == "__main__":
    unittest.main()
