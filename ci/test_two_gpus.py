"""python3 -m unittest discover ci"""

import contextlib
import dataclasses
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
                                        self.run_of("both", 2, seconds[1], *both), [])

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
        self.assertIn("within 0.5 % | pass |", text)
        self.assertIn("their spread | pass | 0 of 6 |", text)
        self.assertEqual(code, int("FAIL" in text))
        self.assertIn("a run alone, the same card | 3 |", text)
        self.assertIn("a run alone, another card | 3 |", text)
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
                (cases[:98], (100, 52)))):  # and these took less time
            with self.subTest(number):
                self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
                text, met = self.markdown(cases, both, seconds)
                self.assertFalse(met)
                self.assertEqual(text.count("| FAIL |"), 2 if len(both) < 100 else 1)

    def test_one_case_of_a_hundred_may_be_beyond_its_spread(self):
        one = [result(f"op{i}") for i in range(100)]
        # cv_pct 0.5: 1.5 % are three spreads
        both = [result(f"op{i}", {0: 10.16, 1: 10.14}.get(i, 10.0)) for i in range(100)]
        text, met = self.markdown(one, both)
        self.assertTrue(met)
        self.assertIn("| pass | 1 of 100 |", text)
        self.assertIn("| op0/own/f32/4096 | 1 | 10 | 10.16 | +1.60 % | 1.50 % | the same | beyond |",
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
            text, met = gpus_comparison.markdown(order, both, [])
            self.assertTrue(met, text)
            self.assertIn("a run alone, the same card | 2 | +0.000 % | 0.00 % | 0 |", text)

    def on(self, card: int, us: float, op: str, cv: float = 0.5, **more: object) -> dict:
        made = result(op, us, device_uuid=f"GPU-{card}", **more)
        made["metrics"]["cv_pct"] = cv
        return made

    def test_cases_measured_again_are_held_against_those_processes(self):
        ones = [self.run_of("one", 1, 100, *(self.on(0, 10, op) for op in "wxyz")),
                self.run_of("other", 1, 100, *(self.on(1, 15, op) for op in "wxyz"))]
        both = self.run_of("both", 2, 50, self.on(0, 9.8, "w"), self.on(0, 10.3, "x"),
                           self.on(0, 10.1, "y"), self.on(1, 16, "z"))
        # 1.5 % are three spreads
        text, met = gpus_comparison.markdown(ones, both, [])
        self.assertFalse(met)
        self.assertIn("| FAIL | 3 of 4 |", text)
        self.assertIn("a run alone, the same card | 4 | +2.000 % | 6.67 % | 3 |", text)
        self.assertIn("the first run alone, whatever the card | 4 | +2.000 % | 60.00 % | 3 |", text)
        again = [self.run_of(f"again{i}", 1, 1, self.on(0, us, "w"), self.on(0, us, "x"),
                             self.on(1, 15, "z")) for i, us in enumerate((10.1, 10, 10.11, 10.05))]
        text, _ = gpus_comparison.markdown(ones, both, again)
        text = text.replace("\\", "")
        # median 10.075, (10.11 - 10) / 10.075 = 1.092 %; the run that chose them is not in it
        for row in ("x/own/f32/4096 | 4 | 10.07 | 10.3 | +2.23 % | 3.28 % | the same |  |",
                    "w/own/f32/4096 | 4 | 10.07 | 9.8 | -2.73 % | 3.28 % | the same |  |",
                    "z/own/f32/4096 | 4 | 15 | 16 | +6.67 % | 1.50 % | the same | beyond |",
                    "measured again, the same card | 3 | +2.233 % | 6.67 % | 1 |",
                    "a run alone, the same card | 4 | +2.000 % | 6.67 % | 3 |"):
            self.assertIn(f"| {row}" if row[1] == "/" else row, text)
        self.assertIn("| FAIL | 1 of 4 |", text)
        self.assertLess(text.index("| z/"), text.index("| w/"))
        self.assertLess(text.index("| w/"), text.index("| x/"), "the farthest first")
        self.assertEqual(text.count("- `ctest -j1`"), 2)
        self.assertIn("beside others: 4 runs of `ctest -j1`.", text)

    def test_the_samples_of_every_process_tell_their_spread(self):
        for alone, beside in ((0.5, 0.1), (0.1, 0.5)):
            self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
            one = self.run_of("one", 1, 100, self.on(0, 10, "x", cv=alone))
            for us, beyond in ((10.14, 0), (10.16, 1)):
                both = self.run_of(f"both{us}", 2, 50, self.on(0, us, "x", cv=beside))
                text, _ = gpus_comparison.markdown([one], both, [])
                self.assertIn(f"{beyond} of 1 |", text)

    def test_19_of_20_are_within_that_of_the_19th(self):
        one = [result(f"op{i:02}") for i in range(20)]
        both = [result(f"op{i:02}", 10 * (1 + i / 1000)) for i in range(20)]
        self.assertIn("| +0.950 % | 1.80 % |", self.markdown(one, both)[0])

    def test_runs_of_which_tests_failed_are_shown(self):
        one = self.run_of("one", 1, 100, result("x"))
        both = self.run_of("both", 2, 50, result("x"))
        text, _ = gpus_comparison.markdown([one], both, [self.failed(one)])
        self.assertIn("- `ctest -j1`: 50% tests passed, 1 tests failed.", text)

    def test_the_quickest_run_alone_is_what_several_are_faster_than(self):
        ones = [self.run_of("slow", 1, 200, result("x")), self.run_of("one", 1, 100, result("x"))]
        both = self.run_of("both", 2, 60, result("x"))
        for order in (ones, ones[::-1]):
            text, met = gpus_comparison.markdown(order, both, [])
            self.assertFalse(met)
            self.assertIn("100.0 s / 60.0 s = 1.67", text)

    @staticmethod
    def failed(run: gpus_comparison.Run) -> gpus_comparison.Run:
        return dataclasses.replace(run, closing="50% tests passed, 1 tests failed")

    def test_a_run_that_left_cases_out_is_not_faster(self):
        one = self.run_of("one", 1, 100, result("x"), result("y"))
        fewer = self.run_of("fewer", 2, 20, result("x"))
        self.assertIn("as fast as -j1 | FAIL | the runs are not of the same cases |",
                      gpus_comparison.markdown([one], fewer, [])[0])
        both = dataclasses.replace(one, jobs=2, seconds=20)
        for runs in ((one, self.failed(both)), (self.failed(one), both)):
            self.assertIn("as fast as -j1 | FAIL | tests failed |",
                          gpus_comparison.markdown([runs[0]], runs[1], [])[0])

    def test_a_run_of_several_jobs_is_none_on_one_gpu(self):
        for name, jobs in (("one", 1), ("both", 2)):
            write(self.folder / name / "zl-results", result())
            (self.folder / name / "run.json").write_text(json.dumps(
                {"jobs": jobs, "seconds": 1, "closing": "100% tests passed"}))
        one, both = self.folder / "one", self.folder / "both"
        for arguments in (("table", "--one", both, "--several", both),
                          ("table", "--one", one, "--again", both, "--several", both),
                          ("beyond", "--one", both, "--several", both, "--card", "x")):
            code, out, err = self.main(*arguments)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("was measured with --jobs 2, and 1 is expected", err)

    def test_tests_to_repeat_are_those_that_ran_on_the_card_beside_others(self):
        one = self.run_of("one", 1, 100, *(self.on(0, 10, op) for op in "vwxyz"))
        both = self.run_of("both", 2, 50, self.on(0, 10.3, "w"), self.on(0, 10.1, "x"),
                           self.on(1, 11, "y"), self.on(0, 12, "z", untrusted=["heat"]))
        self.assertEqual(gpus_comparison.tests_to_repeat([one], both, "GPU-0"),
                         r"^(perf\.cuda\.w\.own\.f32\.4096)$", "x is within, z no number to repeat")
        self.assertEqual(gpus_comparison.tests_to_repeat([one], both, "GPU-1"),
                         r"^(perf\.cuda\.y\.own\.f32\.4096)$", "was alone on another card")
        again = self.run_of("again", 1, 1, self.on(1, 11.01, "y"), self.on(1, 10.3, "w"))
        text, _ = gpus_comparison.markdown([one], both, [again])
        self.assertIn("3 of 5", text)  # v is missing, w is beyond, z is untrusted

    def test_a_run_alone_that_is_not_alike_is_no_measure(self):
        ones = [self.run_of("one", 1, 100, result("x", 10, clocks_end=CLOCKS | {"sm_mhz": 1500})),
                self.run_of("again", 1, 100, result("x", 12))]
        text, met = gpus_comparison.markdown(ones, self.run_of("both", 2, 50, result("x", 12)), [])
        self.assertTrue(met)
        self.assertIn("a run alone, the same card | 1 | +0.000 % | 0.00 % | 0 |", text)

    def test_what_is_implausible_is_no_measure(self):
        one, wrong = result("x"), result("x", implausible="faster than the memory")
        self.assertIn("FAIL | 1 of 1", self.markdown([one], [wrong])[0])
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.assertIn("FAIL | 0 of 0", self.markdown([wrong], [one])[0])

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
        for said in ('{"jobs": 1}', '{"jobs": 1, "seconds": 0, "closing": ""}'):
            (self.folder / "one" / "run.json").write_text(said)
            self.assertIn("two_gpus.py run", self.main("table", "--one", self.folder / "one",
                                                       "--several", "x")[2])


if __name__ == "__main__":
    unittest.main()
