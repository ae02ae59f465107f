"""python3 -m unittest discover ci"""

import contextlib
import io
import json
import pathlib
import re
import tempfile
import unittest

import fake_build
import gpus_comparison
import two_gpus
from result_files import CLOCKS, result, write
from result_set import read_result_set


class TwoGpus(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def main(self, *arguments: object) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = two_gpus.main([*map(str, arguments)])
            except SystemExit as e:
                code = e.code
        return code, out.getvalue(), err.getvalue()

    def run_of(self, name: str, jobs: int, seconds: float, *results: dict) -> gpus_comparison.Run:
        folder = write(self.folder / name, *results)
        return gpus_comparison.Run(folder, jobs, seconds, "100% tests passed",
                                   read_result_set(folder).results)

    def markdown(self, one: list[dict], both: list[dict], seconds=(100, 52)) -> tuple[str, bool]:
        return gpus_comparison.markdown([self.run_of("one", 1, seconds[0], *one)],
                                        self.run_of("both", 2, seconds[1], *both))

    def test_a_build_is_measured_with_one_and_two_jobs_and_compared(self):
        build = fake_build.make_build(self.folder / "build", {
            f"own/f32/{i}": {"then": {"uuid": ["GPU-0", f"GPU-{i % 2}"]}} for i in range(6)},
            sleep_s=0.05, noise_pct=0.01)
        write(build / "zl-results", result())
        one, both = self.folder / "one", self.folder / "both"
        code, out, err = self.main("run", build, one, "--jobs", 1)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("ctest -j1: 100% tests passed, 0 tests failed out of 6", out)
        self.assertEqual(self.main("run", build, both, "--jobs", 2, "--costs", one)[0], 0)
        self.assertEqual(len(list((both / "zl-results").iterdir())), 6)
        (kept,) = read_result_set(build).results
        self.assertEqual(kept.id.op, "add", "what the build had is still there")
        page = self.folder / "page.md"
        code, out, err = self.main("table", "--one", one, "--several", both, "-o", page)
        self.assertEqual((out, err), ("", ""))
        text = page.read_text()
        self.assertIn("times as fast as -j1 | ", text)  # how much, a shared CPU does not promise
        self.assertEqual(text.count("| pass | ") + (code == 1), 3, text)
        self.assertIn("runs alone on the same card | 3 |", text)
        self.assertIn("a run alone on another card | 3 |", text)
        self.assertIn("GPU-1", text)

    def test_a_test_that_fails_is_said(self):
        build = fake_build.make_build(self.folder / "build", {
            "own/f32/1": {}, "own/f32/2": {"exit": 3, "verdict": "wrong_result"}})
        code, out, err = self.main("run", build, self.folder / "out", "--jobs", 1)
        self.assertEqual(code, 1)
        self.assertIn("50% tests passed, 1 tests failed out of 2", out)
        self.assertIn("perf.host.fake.own.f32.2", err)

    def test_the_requirements_are_met_or_not(self):
        cases = [result(f"op{i}") for i in range(100)]
        self.assertTrue(self.markdown(cases, cases)[1])
        for number, (both, seconds) in enumerate((
                (cases, (100, 56)),  # 1.79 times as fast
                ([result(f"op{i}", 10.06) for i in range(100)], (100, 52)),  # 0.6 % slower
                ([result(f"op{i}", 10.0 + 0.2 * (i < 2)) for i in range(100)], (100, 52)),  # two
                (cases[:98], (100, 52)))):
            with self.subTest(number):
                self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
                text, met = self.markdown(cases, both, seconds)
                self.assertFalse(met)
                self.assertEqual(text.count("| FAIL |"), 1)

    def test_one_case_of_a_hundred_may_be_beyond_its_spread(self):
        one = [result(f"op{i}") for i in range(100)]
        # cv_pct 0.5: 1.5 % are three spreads
        both = [result(f"op{i}", {0: 10.16, 1: 10.14}.get(i, 10.0)) for i in range(100)]
        text, met = self.markdown(one, both)
        self.assertTrue(met)
        self.assertIn("| pass | 1 of 100 |", text)
        self.assertIn("| op0/own/f32/4096 | 10 | 10.16 | +1.60 % | 0.50 % |  | 1 | the same | beyond |",
                      text.replace("\\", ""))

    def test_what_several_gpus_did_not_measure_is_beyond(self):
        one = [result("a"), result("b"), result("c"), result("d"), result("e", untrusted=["heat"])]
        both = [result("b", untrusted=["heat"]), result("c", None, verdict="hung"),
                result("d", clocks_end=CLOCKS | {"sm_mhz": 1500})]
        text, met = self.markdown(one, both)
        self.assertFalse(met)
        self.assertIn("4 of 4", text)
        for why in ("not measured", "heat", "hung", "SM clock 1980 / 1500 MHz"):
            self.assertIn(why, text)

    def test_a_case_is_held_against_the_run_on_its_card(self):
        ones = [self.run_of(card, 1, 100, *(result(op, us, device_uuid=card) for op in "xy"))
                for card, us in (("GPU-0", 10), ("GPU-1", 11))]
        both = self.run_of("both", 2, 50, result("x", 10, device_uuid="GPU-0"),
                           result("y", 11, device_uuid="GPU-1"))
        for order in (ones, ones[::-1]):
            text, met = gpus_comparison.markdown(order, both)
            self.assertTrue(met, text)
            self.assertIn("runs alone on the same card | 2 | +0.000 % | 0.00 % | 0 | 0 |", text)

    def test_processes_alone_on_a_card_tell_how_far_a_case_spreads(self):
        def on(card: int, us: float, op: str) -> dict:
            return result(op, us, device_uuid=f"GPU-{card}")

        ones = [self.run_of("one", 1, 100, *(on(0, 10, op) for op in "wxyz")),
                self.run_of("other", 1, 100, *(on(1, 15, op) for op in "wxyz"))]
        both = self.run_of("both", 2, 50, on(0, 9.8, "w"), on(0, 10.3, "x"), on(0, 10.1, "y"),
                           on(1, 16, "z"))
        # cv_pct 0.5: 1.5 % are three spreads
        text, met = gpus_comparison.markdown(ones, both)
        self.assertFalse(met)
        self.assertIn("| FAIL | 3 of 4 |", text)
        self.assertIn("runs alone on the same card | 4 | +2.000 % | 6.67 % | 3 | 3 |", text)
        self.assertIn("the first run alone, whatever the card | 4 | +2.000 % | 60.00 % | 3 | 3 |", text)
        self.assertEqual(gpus_comparison.beyond_samples(ones, both, "GPU-0"),
                         r"^(perf\.cuda\.w\.own\.f32\.4096|perf\.cuda\.x\.own\.f32\.4096)$")
        self.assertIn("cuda\\.z", gpus_comparison.beyond_samples(ones, both, "GPU-1"))
        self.assertEqual(gpus_comparison.beyond_samples(ones[:1], both, "GPU-1"), "")
        ones += [self.run_of(f"again{i}", 1, 1, on(0, us, "w"), on(0, us, "x"), on(1, 15, "z"))
                 for i, us in enumerate((10.05, 10.1, 10.11))]
        text, _ = gpus_comparison.markdown(ones, both)
        text = text.replace("\\", "")
        # median 10.075, (10.11 - 10) / 10.075 = 1.09 %
        self.assertIn("| x/own/f32/4096 | 10.07 | 10.3 | +2.23 % | 0.50 % | 1.09 % | 4 | the same |  |",
                      text)
        self.assertIn("| w/own/f32/4096 | 10.07 | 9.8 | -2.73 % | 0.50 % | 1.09 % | 4 | the same |  |",
                      text)
        self.assertIn("| z/own/f32/4096 | 15 | 16 | +6.67 % | 0.50 % | 0.00 % | 4 | the same | beyond |",
                      text)
        self.assertIn("| FAIL | 1 of 4 |", text)
        self.assertEqual(text.count("- `ctest -j1`"), 2)
        self.assertIn("- 3 more with one job, of fewer cases.", text)

    def test_a_run_alone_that_is_not_alike_is_no_measure(self):
        ones = [self.run_of("one", 1, 100, result("x", 10, clocks_end=CLOCKS | {"sm_mhz": 1500})),
                self.run_of("again", 1, 1, result("x", 12), result("new", 1))]
        text, met = gpus_comparison.markdown(ones, self.run_of("both", 2, 50, result("x", 12),
                                                               result("new", 1)))
        self.assertIn("runs alone on the same card | 2 | +0.000 % | 0.00 % | 0 | 0 |", text)

    def test_the_tests_of_a_card_are_printed(self):
        build = fake_build.make_build(self.folder / "build", {"own/f32/1": {}, "own/f32/2": {}},
                                      noise_pct=0.01)
        folders = self.folder / "one", self.folder / "both"
        arguments = ("beyond", "--one", folders[0], "--several", folders[1], "--card")
        for jobs, folder in enumerate(folders, 1):
            self.assertEqual(self.main("run", build, folder, "--jobs", jobs)[0], 0)
        self.assertEqual(self.main(*arguments, "GPU-9"), (0, "", ""))
        (one, _) = read_result_set(folders[0]).results
        one.path.unlink()
        slower = json.loads((folders[1] / "zl-results" / one.path.name).read_text())
        slower["zl"]["result"]["metrics"]["latency_us"] *= 2
        one.path.write_text(json.dumps(slower))
        self.assertEqual(self.main(*arguments, one.device.uuid or one.hostname),
                         (0, f"^({re.escape(one.id.test_name)})$\n", ""))

    def test_bad_input_exits_2(self):
        write(self.folder / "one" / "zl-results", result())
        for arguments, says in (
                (("run", self.folder, self.folder / "out", "--jobs", 1), "not a build folder"),
                (("run", self.folder, self.folder / "out", "--jobs", 0), "no number from 1"),
                (("table", "--one", self.folder / "one", "--several", "x"), "run.json"), ((), "")):
            code, out, err = self.main(*arguments)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(says, err)
            self.assertNotIn("Traceback", err)
        (self.folder / "one" / "run.json").write_text('{"jobs": 1}')
        self.assertIn("two_gpus.py run", self.main("table", "--one", self.folder / "one",
                                                   "--several", "x")[2])


if __name__ == "__main__":
    unittest.main()
