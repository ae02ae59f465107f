"""python3 -m unittest discover ci"""

import contextlib
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import ab
import ab_cases
import fake_build
from fake_build import make_build, test_name


def read_bytes(file: pathlib.Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # a process that has ended
        return b""


class Runs(unittest.TestCase):
    """ab.py on builds whose executables make results up; without their processes where no test is
    about those."""

    in_process = True

    def setUp(self):
        if self.in_process:
            patch = mock.patch("ab_measure.run_process", fake_build.run_in_process)
            patch.start()
            self.addCleanup(patch.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def build(self, name: str, cases: dict[str, dict], **defaults) -> pathlib.Path:
        return make_build(self.root / name, cases, **defaults)

    def ab(self, *arguments) -> int:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
                mock.patch("sys.argv", ["ab.py", *map(str, arguments)]), \
                mock.patch.dict("os.environ", {"NO_COLOR": "1"}):
            try:
                code = ab.main()
            except SystemExit as e:
                code = e.code
        self.out, self.err = out.getvalue(), err.getvalue()
        return code

    def compared(self, base: dict[str, dict], new: dict[str, dict], *arguments) -> dict[str, dict]:
        folders = self.build("base", base), self.build("new", new)
        self.code = self.ab("--base", folders[0], "--new", folders[1], "--json",
                            self.root / "found.json", *arguments)
        self.assertIn(self.code, (0, 1, 3), self.err)
        self.document = json.loads((self.root / "found.json").read_text())
        return {row["case"].removeprefix("perf.host.fake."): row for row in self.document["cases"]}

    def verdict(self, base: dict, new: dict, *arguments) -> str:
        return self.compared({"own/f32/1": base}, {"own/f32/1": new}, *arguments)[
            "own.f32.1"]["verdict"]


class Verdicts(Runs):
    def test_slower_faster_and_same(self):
        base = {f"own/f32/{i}": {} for i in range(3)}
        found = self.compared(base, {**base, "own/f32/0": {"slower_pct": 5},
                                     "own/f32/1": {"slower_pct": -5}})
        self.assertEqual([found[f"own.f32.{i}"]["verdict"] for i in range(3)],
                         ["REGRESSED", "IMPROVED", "SAME"])
        self.assertEqual(self.code, 1)
        slower = found["own.f32.0"]
        self.assertAlmostEqual(slower["change_pct"], 5, delta=0.5)
        self.assertLess(slower["low_pct"], slower["change_pct"])
        self.assertEqual((len(slower["base_us"]), len(slower["new_us"])), (7, 7))
        self.assertIn("1 REGRESSED, 1 IMPROVED, 1 SAME", self.out)
        self.assertIn("bounds", self.out.splitlines()[4])

    def test_no_change_ends_with_0_and_stops_at_the_first_look(self):
        self.assertEqual(self.verdict({}, {}), "SAME")
        self.assertEqual(self.code, 0)
        self.assertEqual((self.root / "base/calls.log").read_text().count("own/f32/1 "), 7)

    def test_the_order_alternates_and_cases_take_turns(self):
        cases = {"own/f32/1": {}, "own/f32/2": {}}
        self.compared(cases, cases)
        order = [line.split() for line in (self.root / "order.log").read_text().splitlines()]
        first = [("base", "new"), ("new", "base")]
        for index in range(14):  # seven rounds of two cases
            pair = order[2 * index : 2 * index + 2]
            self.assertEqual({case for _, case in pair}, {f"own/f32/{index % 2 + 1}"})
            round_number, position = divmod(index, 2)
            self.assertEqual(tuple(build for build, _ in pair),
                             first[(round_number + position) % 2])

    def test_what_neither_look_decides_is_inconclusive_after_28_pairs(self):
        found = self.compared({"own/f32/1": {"noise_pct": 15}}, {"own/f32/1": {"noise_pct": 15}})
        row = found["own.f32.1"]
        self.assertEqual((row["verdict"], len(row["base_us"])), ("INCONCLUSIVE", 28))
        self.assertIn("would be found", row["why"])
        self.assertEqual(self.code, 0)

    def test_a_number_that_came_about_otherwise_is_changed(self):
        found = self.compared({"own/f32/1": {}, "own/f32/2": {}},
                              {"own/f32/1": {"method": "direct"}, "own/f32/2": {"cache": "warm"}})
        self.assertEqual(found["own.f32.1"]["verdict"], "CHANGED")
        self.assertEqual(found["own.f32.1"]["why"].split(",")[0], "method graph -> direct")
        self.assertIn("cache cold -> warm", found["own.f32.2"]["why"])
        self.assertEqual(self.code, 1)

    def test_one_process_that_found_its_cache_otherwise_is_no_change(self):
        flickers = {"then": {"cache": ["cold", "cold", "warm", "cold", "cold", "cold", "cold",
                                       "cold"]}}
        found = self.compared({"own/f32/1": {}}, {"own/f32/1": flickers})
        self.assertEqual(found["own.f32.1"]["verdict"], "SAME")
        now_and_then = {"then": {"cache": ["cold", "warm", "warm", "warm"]}}
        self.root = self.root / "second"
        found = self.compared({"own/f32/1": now_and_then}, {"own/f32/1": {}})
        self.assertEqual(found["own.f32.1"]["verdict"], "INCONCLUSIVE")
        self.assertIn("now one way, now another", found["own.f32.1"]["why"])

    def test_a_case_that_fails_in_new_only_is_a_finding_and_one_in_base_is_none(self):
        broken = {"verdict": "kernel_failed", "message": "bad <launch>", "exit": 4}
        found = self.compared({"own/f32/1": {}, "own/f32/2": broken},
                              {"own/f32/1": broken, "own/f32/2": {}})
        self.assertEqual({row["verdict"] for row in found.values()}, {"FAILED"})
        self.assertTrue(found["own.f32.1"]["finding"])
        self.assertFalse(found["own.f32.2"]["finding"])
        self.assertIn("new: kernel_failed: bad <launch>", found["own.f32.1"]["why"])
        self.assertEqual(self.code, 1)

    def test_skipped_in_both_is_nothing_decided(self):
        skip = {"verdict": "skipped", "message": "not enough memory", "exit": 77}
        self.assertEqual(self.verdict(skip, skip), "SKIPPED")
        self.assertEqual(self.code, 3)

    def test_cases_of_one_build_are_listed(self):
        found = self.compared({"own/f32/1": {}, "own/f32/2": {}},
                              {"own/f32/1": {}, "own/f32/3": {}})
        self.assertEqual(found["own.f32.2"]["verdict"], "BASE ONLY")
        self.assertEqual(found["own.f32.3"]["verdict"], "NEW ONLY")

    def test_a_fixture_that_perf_tests_need_is_no_case(self):
        build = self.build("build", {"own/f32/1": {}})
        with (build / "CTestTestfile.cmake").open("a") as file:
            file.write('add_test(zl_resources "true")\n'
                       "set_tests_properties(zl_resources PROPERTIES FIXTURES_SETUP devices)\n"
                       f"set_tests_properties({test_name('own/f32/1')} PROPERTIES "
                       "FIXTURES_REQUIRED devices)\n")
        self.assertEqual(list(ab_cases.list_cases(build)), [test_name("own/f32/1")])


class Processes(Runs):
    in_process = False

    def test_each_number_is_of_a_fresh_process_that_must_find_its_device(self):
        self.assertEqual(self.verdict({}, {}), "SAME")
        for build in ("base", "new"):
            calls = (self.root / build / "calls.log").read_text().splitlines()
            self.assertEqual(calls, ["own/f32/1 1"] * 7)  # ZL_REQUIRE_DEVICE=1

    def test_the_flags_of_a_process_stand_before_its_command(self):
        base, new = (self.build(name, {"own/f32/1": {}}, command='"time_it" "{result}"')
                     for name in ("base", "new"))
        self.assertEqual(self.ab("--base", base, "--new", new), 0, self.err)
        self.assertIn("1 SAME", self.out)

    def test_result_files_are_kept_where_asked_and_nothing_is_left_elsewhere(self):
        with mock.patch("tempfile.tempdir", str(self.root)):
            self.verdict({}, {}, "--keep", self.root / "kept")
        self.assertEqual(len(list((self.root / "kept").glob("*.json"))), 14)
        self.assertEqual(sorted(p.name for p in self.root.iterdir()),
                         ["base", "found.json", "kept", "new", "order.log"])

    def test_a_process_that_leaves_no_result_fails_with_what_it_said_last(self):
        found = self.compared({"own/f32/1": {}}, {"own/f32/1": {"text": "", "exit": 70,
                                                                "says": "one\nno driver"}})
        self.assertIn("exit 70: no driver", found["own.f32.1"]["why"])

    def test_a_hung_process_is_ended_and_said(self):
        with mock.patch("ab_measure.TIMEOUT_MARGIN_S", 0.0):
            base = self.build("base", {"own/f32/1": {}})
            new = make_build(self.root / "new", {"own/f32/1": {"sleep_s": 60}}, timeout_s=1)
            self.assertEqual(self.ab("--base", base, "--new", new), 1)
        self.assertIn("no end after 1 s", self.out)


    def test_a_cancelled_job_ends_its_measurement_and_reports_what_was_decided(self):
        base, new = (self.build(n, {"own/f32/1": {}, "own/f32/2": sleeps})
                     for n, sleeps in (("base", {}), ("new", {"sleep_s": 60})))
        process = subprocess.Popen([sys.executable, ab.__file__, "--base", base, "--new", new],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        log = new / "calls.log"
        until = time.monotonic() + 30
        while time.monotonic() < until and not (log.exists() and "own/f32/2" in log.read_text()):
            time.sleep(0.02)
        process.terminate()
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, ab.INTERRUPTED, err)
        self.assertIn("INCONCLUSIVE: interrupted after", out)
        started = [p for p in pathlib.Path("/proc").glob("[0-9]*/cmdline")
                   if str(new).encode() in read_bytes(p)]
        self.assertEqual(started, [])


class Untrusted(Runs):
    def test_is_repeated_and_the_repeat_counts(self):
        once = {"then": {"untrusted": [["heat"], [], [], [], [], [], [], []]}}
        row = self.compared({"own/f32/1": once}, {"own/f32/1": {}})["own.f32.1"]
        self.assertEqual((row["verdict"], row["repeats"], row["untrusted_numbers"]), ("SAME", 1, 0))

    def test_is_repeated_twice_at_most_then_counted_and_reported(self):
        three = [["heat"]] * 3 + [[]] * 6
        row = self.compared({"own/f32/1": {"then": {"untrusted": three}}}, {"own/f32/1": {}})[
            "own.f32.1"]
        self.assertEqual((row["verdict"], row["repeats"], row["untrusted_numbers"]), ("SAME", 2, 1))
        self.assertIn("1 of 14 numbers untrusted (heat)", row["why"])

    def test_a_case_whose_numbers_are_untrusted_gets_no_verdict_from_them(self):
        hot = {"slower_pct": 10, "untrusted": ["heat"]}
        row = self.compared({"own/f32/1": {}}, {"own/f32/1": hot})["own.f32.1"]
        self.assertEqual(row["verdict"], "INCONCLUSIVE")
        self.assertIn("would be REGRESSED", row["why"])

    def test_a_busy_device_is_asked_again(self):
        busy = {"then": {"verdict": ["busy", *["ok"] * 8], "exit": [10, *[0] * 8]}}
        self.assertEqual(self.verdict({}, busy), "SAME")


class Choice(Runs):
    def test_identical_builds_are_not_measured_unless_asked(self):
        one, two = self.build("one", {"own/f32/1": {}}), self.build("two", {"own/f32/1": {}})
        (two / "zl_fake_host").write_bytes((one / "zl_fake_host").read_bytes())
        self.assertEqual(self.ab("--base", one, "--new", two), 0)
        self.assertIn("1 IDENTICAL", self.out)
        self.assertFalse((one / "calls.log").exists())
        self.assertEqual(self.ab("--base", one, "--new", two, "--include-identical"), 0)
        self.assertIn("1 SAME", self.out)

    def test_cases_of_commands_are_measured_whatever_the_executable_holds(self):
        one, two = (self.build(name, {"own/f32/1": {}}, command='"time_it" "x y" "{result}"')
                    for name in ("one", "two"))
        (two / "zl_fake_host").write_bytes((one / "zl_fake_host").read_bytes())
        case = ab.list_cases(one)["perf.host.fake.own.f32.1"]
        self.assertEqual(case.command[1:], ("--zl_case=own/f32/1", "--zl_timeout_s=60",
                                            "--zl_op=fake"))
        self.assertEqual(case.measured_by, ("--", "time_it", "x y", "{result}"))
        self.assertEqual(self.ab("--base", one, "--new", two), 0, self.err)
        self.assertIn("1 SAME", self.out)

    def test_suspects_restrict_it_and_may_come_from_ctest(self):
        cases = {"own/f32/1": {}, "own/f32/2": {}, "own/f32/3": {}}
        suspects = self.root / "suspects"
        suspects.write_text(f"# screened\n12:{test_name('own/f32/2')}\n99:unit\n\nfake/own/f32/3\n")
        found = self.compared(cases, cases, "--suspects", suspects)
        self.assertEqual(sorted(found), ["own.f32.2", "own.f32.3"])

    def test_a_suspect_that_no_build_has_is_an_error_that_names_its_line(self):
        base, new = (self.build(n, {"own/f32/1": {}}) for n in ("base", "new"))
        for text, said in (("\nperf.host.fake.own.f32.7\n", "suspects:2: neither"),
                           ("fake/own/f32/7", "suspects:1: neither"),
                           ("# none\n", "names no case")):
            (self.root / "suspects").write_text(text)
            self.assertEqual(
                self.ab("--base", base, "--new", new, "--suspects", self.root / "suspects"), 2)
            self.assertIn(said, self.err)

    def test_the_filter_and_the_floor_of_a_case(self):
        base = {f"own/f32/{i}": {} for i in (1, 2, 10)}
        new = {name: {"slower_pct": 5} for name in base}
        found = self.compared(base, new, "--filter", r"\.f32\.1", "--floor-of", r"\.10$=8")
        self.assertEqual({name: (row["verdict"], row["floor_pct"]) for name, row in found.items()},
                         {"own.f32.1": ("REGRESSED", 2.0), "own.f32.10": ("SAME", 8.0)})


class BadInput(Runs):
    def refused(self, *arguments) -> str:
        self.assertEqual(self.ab(*arguments), 2, self.out)
        self.assertEqual(self.out, "")
        return self.err

    def test_usage(self):
        base, new = (self.build(n, {"own/f32/1": {}}) for n in ("base", "new"))
        both = ("--base", base, "--new", new)
        self.assertIn("--base and --new, or --self", self.refused())
        self.assertIn("--base and --new, or --self", self.refused("--base", base))
        self.assertIn("--base and --new, or --self", self.refused(*both, "--self", base))
        self.assertIn("the same build", self.refused("--base", base, "--new", base))
        copied = base.parent / "copied"
        shutil.copytree(base, copied)
        self.assertIn("a copied build folder still runs", self.refused("--base", copied, "--new", base))
        self.assertIn("--preset", self.refused("--base", base, "--new", "HEAD"))
        self.assertIn("no percentage", self.refused(*both, "--floor", "nan"))
        self.assertIn("at least 300", self.refused("--self", base, "--verdicts", "299"))
        self.assertIn("matches none", self.refused(*both, "--filter", "softmax"))
        self.assertIn("not a regular expression", self.refused(*both, "--filter", "("))
        self.assertIn("matches none", self.refused(*both, "--floor-of", "softmax=3"))
        self.assertIn("REGEX=PCT", self.refused(*both, "--floor-of", "3"))
        self.assertIn("make it first", self.refused(*both, "--json", self.root / "no/x.json"))
        self.assertFalse((base / "calls.log").exists())

    def test_a_folder_that_is_no_build_or_is_not_built(self):
        base = self.build("base", {"own/f32/1": {}})
        self.assertIn("not a build folder", self.refused("--base", base, "--new", self.root))
        new = self.build("new", {"own/f32/1": {}})
        (new / "zl_fake_host").unlink()
        self.assertIn("build it first", self.refused("--base", base, "--new", new))
        self.assertIn("build it first", self.refused("--self", new))
        (new / "CTestTestfile.cmake").write_text("")
        self.assertIn("no test labelled perf", self.refused("--base", base, "--new", new))

    def test_results_that_cannot_be_used(self):
        base = self.build("base", {"own/f32/1": {}})
        for i, (case, said) in enumerate((
                ({"text": '{"zl": '}, "not complete JSON"),
                ({"text": '{"zl": {"result": NaN}}'}, "NaN"),
                ({"device": "MUSA stand-in"}, "stands in"),
                ({"device": "another CPU"}, "one device"),
                ({"uuid": "GPU-1"}, "one device"))):
            with self.subTest(said):
                new = self.build(f"new{i}", {"own/f32/1": case})
                self.assertIn(said, self.refused("--base", base, "--new", new))

    def test_names_are_escaped_where_they_are_shown(self):
        says = "|<b>&\x1b[31m\"'" + "é" * 300
        base = self.build("base", {"own/f32/1": {}})
        new = self.build("new", {"own/f32/1": {"verdict": "crashed", "message": says, "exit": 8}})
        self.assertEqual(
            self.ab("--base", base, "--new", new, "--markdown", self.root / "comment.md"), 1)
        self.assertNotIn("\x1b", self.out)
        text = (self.root / "comment.md").read_text()
        self.assertNotIn("<b>", text)
        self.assertIn("\\|&lt;b", text)
        self.assertIn("**A/B: 1 FAILED**", text)


class Itself(Runs):
    def test_one_build_gives_300_verdicts_a_rate_with_its_bound_and_what_can_be_detected(self):
        build = self.build("build", {f"own/f32/{i}": {"noise_pct": 0.1 + i / 10} for i in range(3)})
        self.assertEqual(self.ab("--self", build, "--json", self.root / "self.json", "--markdown",
                                 self.root / "self.md"), 0, self.err)
        found = json.loads((self.root / "self.json").read_text())
        self.assertEqual((found["verdicts"], found["rate"]), (300, 0))
        self.assertAlmostEqual(found["upper_bound"], 1 - 0.05 ** (1 / 300))
        self.assertIn("0 false alarms in 300 A/A verdicts", self.out)
        self.assertIn("at most 0.99 %", self.out)
        self.assertTrue(all(2 < case["detectable_pct"] < 3 for case in found["cases"]))
        self.assertIn("| perf.host.fake.own.f32.2 |",
                      (self.root / "self.md").read_text().replace("\\", ""))

    def test_a_case_that_fails_is_named_and_the_others_count(self):
        build = self.build("build", {"own/f32/1": {}, "own/f32/2": {"verdict": "hung", "exit": 6}})
        self.assertEqual(self.ab("--self", build), 0)
        self.assertIn("FAILED: base: hung", self.out)
        self.assertIn("in 150 A/A verdicts", self.out)

    def test_more_than_one_percent_of_false_alarms_is_a_finding(self):
        # 10 % apart in turns that the alternating order follows: the first split of each such case
        # is a false alarm, and 4 of 300 are more than 1 %.
        slow_in_turns = {"then": {"us": [10.0, 11.0, 11.0, 10.0]}, "noise_pct": 0.01}
        build = self.build("build", {f"own/f32/{i}": slow_in_turns if i < 4 else {}
                                     for i in range(20)})
        self.assertEqual(self.ab("--self", build), 1)
        alarms = int(re.search(r"(\d+) false alarms in 300 A/A verdicts", self.out)[1])
        self.assertGreaterEqual(alarms, 4)

    def test_nothing_measured_is_no_rate(self):
        build = self.build("build", {"own/f32/1": {"verdict": "hung", "exit": 6}})
        self.assertEqual(self.ab("--self", build), 3)
        self.assertIn("no verdict", self.out)


if __name__ == "__main__":
    unittest.main()
