"""python3 -m unittest discover ci"""

import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from unittest import mock

import compare
from result_files import CLOCKS, result, write

NASTY = "q\"' </testcase><b>&amp; | line\nbreak \x1b[31m ü " + "x" * 300


class Compare(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def main(self, *flags: str) -> tuple[int, str, str]:
        """Exit code, stdout, stderr of comparing the folders base and new."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = compare.main([str(self.folder / "base"), str(self.folder / "new"), *flags])
            except SystemExit as e:
                code = e.code
        return code, out.getvalue(), err.getvalue()

    def rows(self, base: list[dict], new: list[dict], code: int, *flags: str) -> dict[str, dict]:
        """By op, of the JSON."""
        write(self.folder / "base", *base)
        write(self.folder / "new", *new)
        got, out, err = self.main("--json", "-", *flags)
        self.assertEqual((got, err), (code, ""))
        return {row["id"]["op"]: row for row in json.loads(out)["rows"]}

    def row(self, base: dict, new: dict, code: int, *flags: str) -> dict:
        return self.rows([base], [new], code, *flags)["add"]

    def test_a_change_above_the_floor_is_a_finding(self):
        # 10 -> 10.3 us is +3 %
        row = self.row(result(latency=10), result(latency=10.3), 1)
        self.assertEqual((row["outcome"], row["threshold_pct"]), ("slower", 2))
        self.assertAlmostEqual(row["change_pct"], 3)

    def test_a_change_below_the_floor_or_to_the_better_is_none(self):
        rows = self.rows([result("a", 10), result("b", 10)], [result("a", 10.1), result("b", 9)], 0)
        self.assertEqual((rows["a"]["outcome"], rows["b"]["outcome"]), ("same", "faster"))

    def test_the_floor_can_be_chosen(self):
        row = self.row(result(latency=10), result(latency=10.3), 0, "--floor", "3.5")
        self.assertEqual(row["outcome"], "same")

    def test_a_change_within_both_runs_intervals_is_none(self):
        # 2 % + 1.5 % half-widths: +3 % says nothing
        row = self.row(result(latency=10, metrics={"ci_pct": 2.0}),
                       result(latency=10.3, metrics={"ci_pct": 1.5}), 0)
        self.assertEqual((row["outcome"], row["threshold_pct"]), ("same", 3.5))

    def unlike(self, says: str, outcome: str, code: int, **more) -> None:
        with self.subTest(more):
            for name in ("base", "new"):
                for file in (self.folder / name).glob("*.json"):
                    file.unlink()
            row = self.row(result(latency=10), result(latency=20, **more), code)
            self.assertEqual((row["outcome"], row["why"]), (outcome, says))
            self.assertIsNone(row["change_pct"])

    def test_each_unlike_circumstance_is_named_and_not_compared(self):
        self.unlike("device NVIDIA H200 / NVIDIA H100", "unlike", 3, device_name="NVIDIA H100")
        self.unlike("schedule adaptive / reference", "unlike", 3, schedule="reference")
        self.unlike("statistic median / mean", "unlike", 3, statistic="mean")
        self.unlike("cold by rotation / evict", "unlike", 3, cold_by="evict")
        for says, clocks in (
                ("power limit 700 / 500 W", {"power_limit_w": 500.0}),
                ("memory clock 3201 / 2600 MHz", {"memory_mhz": 2600}),
                ("SM clock 1980 / 1500 MHz", {"sm_mhz": 1500}),
                ("clock limits none / ApplicationsClocksSetting",
                 {"limit_reasons": "ApplicationsClocksSetting"}),
                ("clocks known only of base", {"unknown": "NVML does not start"}),
                ("new was slowed by heat or a fault", {"slowed": True})):
            self.unlike(says, "unlike", 3, clocks_end=CLOCKS | clocks)

    def test_another_method_or_cache_although_the_same_was_asked_for_is_a_finding(self):
        self.unlike("method graph / direct", "changed", 1, method="direct")
        self.unlike("cache cold / warm; cold by rotation / unknown", "changed", 1, cache="warm",
                    cold_by="")

    def test_another_method_that_was_asked_for_is_no_finding(self):
        self.unlike("method graph / direct", "unlike", 3, method="direct",
                    requested={"method": "direct", "cache": "auto"})

    def test_a_lost_capture_is_a_finding_also_where_a_file_does_not_tell_what_was_asked_for(self):
        self.unlike("method graph / direct", "changed", 1, method="direct", requested={})

    def test_clocks_that_the_power_cap_lowers_are_the_ops_own(self):
        capped = CLOCKS | {"sm_mhz": 1700, "limit_reasons": "SwPowerCap"}
        row = self.row(result(latency=10), result(latency=11, clocks_end=capped), 1)
        self.assertEqual(row["outcome"], "slower")

    def test_a_clock_within_two_percent_is_the_same(self):
        self.unlike("SM clock 1980 / 1935 MHz", "unlike", 3,
                    clocks_end=CLOCKS | {"sm_mhz": 1935})  # -2.3 %
        for folder in ("base", "new"):
            (self.folder / folder / "0.json").unlink()
        near = CLOCKS | {"sm_mhz": 1950}  # -1.5 %
        self.assertEqual(self.row(result(), result(clocks_end=near), 0)["outcome"], "same")

    def test_untrusted_and_implausible_numbers_are_not_compared(self):
        rows = self.rows([result("a"), result("b", untrusted=["heat"])],
                         [result("a", 20, implausible="too fast"), result("b", 20)], 3)
        self.assertEqual(rows["a"]["why"], "new implausible: too fast")
        self.assertEqual(rows["b"]["why"], "base untrusted: heat")

    def test_missing_and_new_cases_are_listed(self):
        rows = self.rows([result("a"), result("b")], [result("a"), result("c")], 0)
        self.assertEqual({op: row["outcome"] for op, row in rows.items()},
                         {"a": "same", "b": "missing", "c": "new"})
        self.assertIsNone(rows["b"]["new"])

    def test_a_missing_case_is_a_finding_where_all_are_wanted(self):
        self.rows([result("a"), result("b")], [result("a")], 1, "--all-cases")

    def test_a_verdict_in_place_of_a_number_is_a_finding_only_in_new(self):
        broken = {"latency": None, "verdict": "hung", "message": "in warmup"}
        rows = self.rows([result("a"), result("b", **broken)], [result("a", **broken), result("b")],
                         1)
        self.assertEqual((rows["a"]["outcome"], rows["a"]["why"]),
                         ("failed", "new hung: in warmup"))
        self.assertEqual(rows["b"]["outcome"], "no number")

    def test_the_mean_change_is_geometric(self):
        write(self.folder / "base", result("a", 10), result("b", 10))
        write(self.folder / "new", result("a", 20), result("b", 5))
        self.assertAlmostEqual(json.loads(self.main("--json", "-")[1])["mean_change_pct"], 0)

    def test_another_driver_or_card_is_said_beside_the_comparison(self):
        write(self.folder / "base", result())
        write(self.folder / "new", result(driver="590", device_uuid="GPU-2"))
        code, out, _ = self.main()
        self.assertEqual(code, 0)
        self.assertIn("also unlike: driver 580.1 / 590\n", out)
        self.assertIn("also unlike: card GPU-1 / GPU-2\n", out)

    def test_another_card_is_unlike_where_the_same_is_wanted(self):
        row = self.row(result(), result(latency=20, device_uuid="GPU-2"), 3, "--same-card")
        self.assertEqual((row["outcome"], row["why"]), ("unlike", "card GPU-1 / GPU-2"))

    def by_device(self, slower: dict[str, float], *flags: str) -> tuple[int, str]:
        folders = [write(self.folder / card, *(
            result(f"op{i}", 10 * (1 + pct / 100), device_uuid=card) for i in range(5)))
            for card, pct in slower.items()]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = compare.main(["--by-device", *flags, *map(str, folders)])
        return code, out.getvalue()

    def test_devices_are_held_against_their_like(self):
        code, out = self.by_device({"GPU-a": 0, "GPU-b": 0.1, "GPU-c": 2})
        self.assertEqual(code, 1)
        self.assertEqual(out.splitlines()[1],
                         "NVIDIA H200  GPU-c  vm        5      +1.90 %  0.00 %  OUTLIER")
        code, out = self.by_device({"a": 0, "b": 0.1, "c": 0.2}, "--json", "-")
        self.assertEqual(code, 0)
        self.assertEqual([one["card"] for one in json.loads(out)["devices"]], ["c", "b", "a"])
        code, out = self.by_device({"d": 0}, "--markdown", "-")
        self.assertEqual((code, out.startswith("No case was measured")), (3, True))

    def test_the_table_shows_times_change_and_outcome(self):
        write(self.folder / "base", result(latency=10))
        write(self.folder / "new", result(latency=12.5))
        _, out, _ = self.main()
        self.assertEqual(out.splitlines()[1],
                         "add/own/f32/4096       10    12.5  +25.0 %  slower")
        self.assertIn("1 slower; mean change of the 1 compared: +25.00 %", out)

    def test_colours_only_where_wanted(self):
        write(self.folder / "base", result(latency=10))
        write(self.folder / "new", result(latency=12))
        plain = {"NO_COLOR": "", "FORCE_COLOR": ""}
        for environment, coloured in ((plain, False), (plain | {"FORCE_COLOR": "1"}, True),
                                      ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False)):
            with mock.patch.dict(os.environ, environment):
                self.assertEqual("\x1b[31mslower\x1b[0m" in self.main()[1], coloured)

    def test_any_name_is_escaped_in_every_format(self):
        nasty = {"id": {"impl": NASTY}, "untrusted": [NASTY]}
        write(self.folder / "base", result("a", 10, id={"impl": NASTY}), result(NASTY, **nasty))
        write(self.folder / "new", result("a", 11, id={"impl": NASTY}), result(NASTY, **nasty))
        files = {kind: self.folder / kind for kind in ("json", "markdown", "junit")}
        code, table, _ = self.main(*(f"--{kind}={file}" for kind, file in files.items()))
        self.assertEqual(code, 1)
        self.assertNotIn("\x1b", table)
        self.assertEqual(len(table.splitlines()), 6)  # header, two rows, blank, sum, note
        self.assertEqual({r["id"]["impl"] for r in json.loads(files["json"].read_text())["rows"]},
                         {NASTY})
        suite = ElementTree.parse(files["junit"]).getroot()
        self.assertEqual([len(case) for case in suite], [1, 1])
        self.assertTrue(suite[0].get("name").startswith("a/q\"' </testcase><b>&amp; | line\nbreak"))
        text = files["markdown"].read_text()
        self.assertNotIn("<b>", text)
        self.assertIn("&lt;b\\>&amp;amp; \\| line\\\\nbreak", text)

    def test_junit_counts_failures_and_skips(self):
        write(self.folder / "base", result("a", 10), result("b", 10), result("c"))
        write(self.folder / "new", result("a", 10), result("b", 11))
        suite = ElementTree.fromstring(self.main("--junit", "-")[1])
        self.assertEqual([suite.get(k) for k in ("tests", "failures", "skipped")], ["3", "1", "1"])
        self.assertEqual([case[0].tag for case in suite], ["system-out", "failure", "skipped"])
        self.assertEqual(suite[1][0].get("message"), "slower: 10 us, then 11 us, +10.0 %")
        self.assertEqual(suite[2][0].get("message"), "missing: not in new")

    def test_markdown_stays_a_comments_size(self):
        names = [f"{i:03}" + "[" * 297 for i in range(400)]
        write(self.folder / "base", *(result(name, 10) for name in names))
        write(self.folder / "new", *(result(name, 11) for name in names))
        text = self.main("--markdown", "-")[1]
        self.assertLess(len(text), 65_536)
        self.assertIn("**400 slower**", text)
        self.assertIn("300 more rows are not shown", text)

    def test_google_benchmark_files_are_compared(self):
        for name, time in (("base", 100), ("new", 150)):
            (self.folder / name).write_text(json.dumps({
                "context": {"host_name": "box"}, "benchmarks": [
                    {"name": "BM_a", "run_name": "BM_a", "real_time": time, "time_unit": "ns"}]}))
        code, out, _ = self.main()
        self.assertEqual(code, 1)
        self.assertIn("BM_a      0.1    0.15  +50.0 %  slower", out)

    def test_bad_input_exits_2_with_one_line(self):
        write(self.folder / "base", result())
        folder = self.folder / "new"
        folder.mkdir()
        for says, content in (("holds no result file", None), ("not complete JSON", '{"zl": {'),
                              ("holds NaN", '{"zl": NaN}')):
            if content is not None:
                (folder / "x\n.json").write_text(content)
            code, out, err = self.main()
            self.assertEqual((code, out, len(err.splitlines())), (2, "", 1))
            self.assertIn(says, err)

    def test_a_run_is_not_compared_with_itself(self):
        write(self.folder / "base" / "zl-results", result())
        (self.folder / "new").symlink_to(self.folder / "base" / "zl-results")
        code, out, err = self.main()
        self.assertEqual((code, out, len(err.splitlines())), (2, "", 1))
        self.assertIn("BASE and NEW are the same files, as ", err)
        self.assertIn("give two runs", err)

    def test_mixed_devices_and_stand_ins_exit_2(self):
        write(self.folder / "base", result())
        write(self.folder / "new", result("a"), result("b", device_name="NVIDIA H100"))
        self.assertEqual(self.main()[0], 2)
        write(self.folder / "new2", result(device_name="MUSA stand-in"))
        (self.folder / "new").rename(self.folder / "old")
        (self.folder / "new2").rename(self.folder / "new")
        code, _, err = self.main()
        self.assertEqual(code, 2)
        self.assertIn("stands in for a device", err)

    def test_wrong_flags_exit_2(self):
        write(self.folder / "base", result())
        write(self.folder / "new", result())
        for flags in (("--floor", "nan"), ("--floor", "-1"), ("--floor", "x"), ("--json",),
                      ("--json", "-", "--junit", "-"), ("one more",),
                      ("--by-device", "--junit", "-"), ("--by-device", "--all-cases"),
                      ("--by-device", "--same-card"), ("--json", str(self.folder / "no" / "x"))):
            self.assertEqual(self.main(*flags)[0], 2, flags)


if __name__ == "__main__":
    unittest.main()
