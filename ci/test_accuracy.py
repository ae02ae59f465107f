"""python3 -m unittest discover ci"""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import accuracy
import accuracy_tables

SCRIPT = pathlib.Path(__file__).resolve().parent / "accuracy.sh"
SPIN = [case for case in accuracy.SUITE if case.startswith("spin/")]
AXPY, COPY = "axpy/own/f32/4194304", "copy/own/f32/262144"
MM = "mm/cublaslt/bf16/4096x4096x4096"

# Stands in for both programs: a result file for each case that it is asked for, a failure for one.
FAKE_PROGRAM = r"""#!/usr/bin/env bash
method=graph cache=warm cupti=null
for flag in "$@"; do
  case "$flag" in
    --zl_case=*) name=${flag#*=} ;;
    --zl_method=*) method=${flag#*=} ;;
    --zl_cache=*) cache=${flag#*=} ;;
    --zl_result_dir=*) folder=${flag#*=} ;;
    --zl_schedule=reference) ;;
    --zl_verify=cupti)
      cupti='{"replay_us":2,"span_us":2,"busy_us":2,"gap_us":0,"slowdown_pct":0}' ;;
    *) echo "unknown flag $flag"; exit 2 ;;
  esac
done
[ "$name" != "${FAKE_FAILURE:-}" ] || { echo "out of luck"; exit 4; }
case "$0" in *zl_mm_cuda) name=mm/$name ;; esac
IFS=/ read -r op impl types shape <<<"$name"
[ "$op" != spin ] || latency=${shape}e-3
[ -d "$folder" ] || { echo "no folder $folder"; exit 2; }
cat >"$folder/perf.cuda.$op.$impl.$types.$shape.json" <<JSON
{"zl": {"date": "2026-11-30T05:00:00Z", "result": {
  "id": {"op": "$op", "impl": "$impl", "types": "$types", "shape": "$shape", "backend": "cuda"},
  "verdict": "ok", "method": "$method", "cache": "$cache", "untrusted": [],
  "metrics": {"latency_us": ${latency:-2}}, "measured_ms": 50, "cross_check": $cupti,
  "load_before_ms": 1, "load_during_ms": 2,
  "device_name": "Fake", "driver": "1", "runtime": "2"}}}
JSON
"""


def trace(replay: float, span: float, gap: float = 0.0, slowdown: float = 0.0) -> dict:
    return {"replay_us": replay, "span_us": span, "busy_us": span, "gap_us": gap,
            "slowdown_pct": slowdown}


class Accuracy(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def add(self, mode: str, process: int, case: str, latency: float | None,
            sustained: float | None = None, date: str = "2026-11-30", **more) -> pathlib.Path:
        op, impl, types, shape = case.split("/")
        metrics = {"latency_us": latency, "sustained_us": sustained}
        result = {
            "id": {"op": op, "impl": impl, "types": types, "shape": shape, "backend": "cuda"},
            "verdict": "ok",
            "method": "direct" if mode == "direct" else "graph",
            "cache": accuracy.expected_cache(mode, case),
            "metrics": {key: value for key, value in metrics.items() if value is not None},
            "measured_ms": 40.0,
            "load_before_ms": 5.0,
            "load_during_ms": 20.0,
            "untrusted": [],
            "cross_check": None,
            "device_name": "NVIDIA H200",
            "driver": "580.1",
            "runtime": "13.0",
            **more,
        }
        file = self.folder / mode / str(process) / f"perf.cuda.{case.replace('/', '.')}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"zl": {"date": f"{date}T05:00:00Z", "result": result}}))
        return file

    def report(self) -> dict:
        found = accuracy.report(self.folder, accuracy.read_results(self.folder))
        accuracy.markdown(found)
        json.dumps(found, allow_nan=False)
        return found

    def row(self, mode: str, case: str) -> dict:
        rows = self.report()["cases"]
        return next(row for row in rows if (row["mode"], row["case"]) == (mode, case))

    def line(self, start: str) -> dict:
        lines = [line for line in self.report()["requirements"]
                 if line["requirement"].startswith(start)]
        self.assertEqual(len(lines), 1, start)
        return lines[0]

    def verdict(self, start: str) -> str:
        return self.line(start)["verdict"]

    def run_main(self, *more: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", ["accuracy.py", str(self.folder), *more]):
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                return accuracy.main(), out.getvalue(), err.getvalue()

    def refused(self, because: str):
        code, out, err = self.run_main()
        self.assertEqual((code, out), (2, ""))
        self.assertIn(because, err)


class Rows(Accuracy):
    def test_median_and_spread_are_over_processes(self):
        for process, (latency, sustained) in enumerate([(10.0, 12.0), (10.1, 12.6), (10.3, 12.3)]):
            self.add("cold", process, MM, latency, sustained, measured_ms=30.0 + process)
        row = self.row("cold", MM)
        self.assertEqual(row["processes"], 3)
        self.assertEqual((row["latency_us"], row["sustained_us"]), (10.1, 12.3))
        self.assertAlmostEqual(row["spread_pct"], 100 * 0.3 / 10.1)
        self.assertAlmostEqual(row["sustained_spread_pct"], 100 * 0.6 / 12.3)
        self.assertEqual((row["measured_ms"], row["window_ms"]), (31.0, 25.0))

    def test_one_process_has_no_spread(self):
        self.add("cold", 1, AXPY, 16.0)
        self.assertIsNone(self.row("cold", AXPY)["spread_pct"])
        self.assertEqual(self.verdict("spread of graph cold"), "not measured")

    def test_the_truth_of_spin_is_its_known_length(self):
        self.add("direct", 1, "spin/own/f32/5000", 7.5)
        row = self.row("direct", "spin/own/f32/5000")
        self.assertEqual((row["truth_us"], row["bias_us"], row["bias_pct"]), (5.0, 2.5, 50.0))

    def test_the_truth_of_the_others_is_the_unslowed_span_in_the_same_cache_state(self):
        self.add("cupti", 1, AXPY, 16.0, cross_check=trace(16.2, 16.0, slowdown=1.9))
        self.add("cupti", 2, AXPY, 16.0, cross_check=trace(17.0, 99.0, slowdown=2.0))
        self.add("cold", 1, AXPY, 16.8)
        self.add("warm", 1, AXPY, 11.0)
        row = self.row("cold", AXPY)
        self.assertEqual(row["truth_us"], 16.0)
        self.assertAlmostEqual(row["bias_us"], 0.8)
        self.assertAlmostEqual(row["bias_pct"], 5.0)
        self.assertIsNone(self.row("warm", AXPY)["truth_us"])

    def test_a_slowed_trace_is_no_truth(self):
        self.add("cupti", 1, COPY, 3.0, cross_check=trace(3.5, 3.0, slowdown=15.0))
        self.assertIsNone(self.row("cupti", COPY)["bias_us"])

    def test_rows_are_in_the_order_of_the_suite(self):
        for case in (MM, "spin/own/f32/10000", "spin/own/f32/5000"):
            self.add("warm", 1, case, 10.0)
        cases = [row["case"] for row in self.report()["cases"]]
        self.assertEqual(cases, ["spin/own/f32/5000", "spin/own/f32/10000", MM])


class Fits(Accuracy):
    def spins(self, mode: str, slope: float, intercept: float):
        for case in SPIN:
            self.add(mode, 1, case, slope * accuracy.known_us(case) + intercept)

    def test_a_line_is_found_exactly_by_both_weightings(self):
        self.spins("warm", 1.001, 0.25)
        self.spins("direct", 1.0, 2.5)
        fits = self.report()["fits"]
        self.assertEqual(
            [(fit["mode"], fit["weights"]) for fit in fits],
            [(mode, how) for mode in ("warm", "direct") for how in ("none", "1/latency^2")])
        for fit, (slope, intercept) in zip(fits, [(1.001, 0.25)] * 2 + [(1.0, 2.5)] * 2):
            self.assertAlmostEqual(fit["slope"], slope)
            self.assertAlmostEqual(fit["intercept_us"], intercept)
            self.assertLess(max(map(abs, fit["residuals_us"])), 1e-9)
        self.assertEqual(self.verdict("spin, graph warm: slope"), "pass")
        self.assertEqual(self.verdict("spin, graph warm: intercept"), "pass")

    def test_weights_count(self):
        # By hand: weights 4, 1, 1 on (0, 0), (1, 1), (2, 1).
        x, y = [0.0, 1.0, 2.0], [0.0, 1.0, 1.0]
        slope, intercept = accuracy.least_squares(x, y, [1.0, 1.0, 1.0])
        self.assertAlmostEqual(slope, 1 / 2)
        self.assertAlmostEqual(intercept, 1 / 6)
        slope, intercept = accuracy.least_squares(x, y, [4.0, 1.0, 1.0])
        self.assertAlmostEqual(slope, 4 / 7)
        self.assertAlmostEqual(intercept, 1 / 21)

    def test_slope_and_intercept_beyond_their_limits_fail(self):
        for slope, intercept, verdicts in ((1.0025, 0.3, ("fail", "pass")),
                                           (0.9975, 0.3, ("fail", "pass")),
                                           (1.0, 0.41, ("pass", "fail")),
                                           (1.0, -0.41, ("pass", "fail"))):
            self.spins("warm", slope, intercept)
            found = (self.verdict("spin, graph warm: slope"),
                     self.verdict("spin, graph warm: intercept"))
            self.assertEqual(found, verdicts, (slope, intercept))

    def test_the_gap_is_also_given_beyond_an_empty_kernel(self):
        for ns in (1000, 5000, 50000):
            self.add("warm", 1, f"spin/own/f32/{ns}", ns / 1000 + 0.75)
        self.assertEqual(self.verdict("spin, graph warm: intercept"), "fail")
        self.assertEqual(self.verdict("spin less an empty kernel"), "not measured")
        self.add("warm", 1, "empty/own/f32/1", 0.5)
        line = self.line("spin less an empty kernel")
        self.assertEqual(line["verdict"], "pass")
        self.assertIn("0.250 us", line["measured"])

    def test_two_points_are_no_fit(self):
        for case in SPIN[:2]:
            self.add("warm", 1, case, 2.0)
        self.assertEqual(self.report()["fits"], [])
        self.assertEqual(self.verdict("spin, graph warm: slope"), "not measured")


class Requirements(Accuracy):
    def pair(self, mode: str, case: str, latency: float, spread: float, **more):
        for process, side in ((1, -0.5), (2, 0.5)):
            self.add(mode, process, case, latency * (1 + side * spread / 100), **more)

    def test_cupti_rows_hold_the_differences_of_the_traced_replays(self):
        self.add("cupti", 1, AXPY, 9.0, cross_check=trace(10.0, 9.5, gap=0.6, slowdown=1.0))
        row = self.report()["traces"][0]
        self.assertAlmostEqual(row["span_less_replay_us"], -0.5)
        self.assertAlmostEqual(row["span_less_replay_pct"], -5.0)
        self.assertAlmostEqual(row["period_less_replay_us"], 0.1)
        self.assertAlmostEqual(row["period_less_replay_pct"], 1.0)
        self.assertEqual((row["processes"], row["traced"], row["slowed"]), (1, 1, False))

    def test_a_traced_span_is_within_either_limit(self):
        self.add("cupti", 1, AXPY, 100.0, cross_check=trace(100.0, 98.1))
        self.add("cupti", 1, COPY, 1.0, cross_check=trace(1.0, 0.91))
        self.assertEqual(self.verdict("others: traced period"), "pass")
        self.add("cupti", 1, "axpy/own/f32/262144", 1.0, cross_check=trace(1.0, 0.89))
        line = self.line("others: traced period")
        self.assertEqual(line["verdict"], "fail")
        self.assertIn("-0.110 us, -11.00 % at worst (axpy/own/f32/262144", line["measured"])
        self.assertIn("1 of 3 over", line["measured"])

    def test_of_a_spin_the_span_alone_is_held_against_the_replays(self):
        self.add("cupti", 1, "spin/own/f32/50000", 51.0, cross_check=trace(51.0, 50.8, gap=0.1))
        self.assertIn("-0.200 us, -0.39 %", self.line("spin: traced span")["measured"])
        self.add("cupti", 1, "spin/own/f32/5000", 5.0,
                 cross_check=trace(5.0, 4.8, gap=0.2))
        self.assertEqual(self.verdict("spin: traced span"), "fail")

    def test_a_slowed_trace_is_not_judged(self):
        self.add("cupti", 1, COPY, 3.0, cross_check=trace(3.5, 2.0, slowdown=15.0))
        line = self.line("others: traced period")
        self.assertEqual(line["verdict"], "not measured")
        self.assertIn("slows all 1", line["measured"])

    def test_long_and_short_kernels_have_their_own_spreads(self):
        self.pair("cold", AXPY, 16.0, 0.9)
        self.pair("warm", "spin/own/f32/1000", 1.6, 2.9)
        self.pair("warm", AXPY, 11.0, 4.0)  # not promised
        self.pair("warm", "empty/own/f32/1", 0.6, 9.0)  # neither
        self.assertEqual(self.verdict("spread of graph cold"), "pass")
        self.assertEqual(self.verdict("spread of the same"), "pass")
        self.pair("warm", "spin/own/f32/50000", 50.0, 1.1)
        self.pair("cold", COPY, 3.0, 3.1)
        self.assertEqual(self.verdict("spread of graph cold"), "fail")
        line = self.line("spread of the same")
        self.assertEqual(line["verdict"], "fail")
        self.assertIn("3.10 % at worst (copy/own/f32/262144, cold); 1 of 2", line["measured"])

    def test_mm_has_its_own_lines(self):
        for process, (latency, sustained) in enumerate([(170.0, 200.0), (171.0, 202.9)]):
            self.add("cold", process, MM, latency, sustained)
        self.assertEqual(self.verdict("spread of graph cold"), "not measured")
        self.assertEqual(self.verdict("spread of mm, graph cold, burst"), "pass")
        self.assertEqual(self.verdict("spread of mm, graph cold, sustained"), "pass")
        self.add("cold", 2, MM, 172.0, 204.0)
        self.assertEqual(self.verdict("spread of mm, graph cold, burst"), "fail")
        self.assertEqual(self.verdict("spread of mm, graph cold, sustained"), "fail")

    def test_measured_time_is_told_apart_by_the_sustained_window(self):
        self.add("cold", 1, AXPY, 16.0, measured_ms=50.0)
        self.add("warm", 1, AXPY, 11.0, measured_ms=60.0)
        self.add("reference", 1, AXPY, 11.0, measured_ms=1100.0)
        self.add("direct", 1, AXPY, 19.0, measured_ms=500.0)  # not of the suite's schedule
        self.add("cold", 1, MM, 170.0, 200.0, measured_ms=801.0)
        line = self.line("median measured_ms <= 60")
        self.assertEqual(line["verdict"], "pass")
        self.assertIn("55.0 ms over 2 results; reference schedule 1100 ms", line["measured"])
        line = self.line("median measured_ms <= 800")
        self.assertEqual(line["verdict"], "fail")
        self.assertIn("reference schedule not measured", line["measured"])

    def test_cold_is_held_against_the_span_slowed_or_not(self):
        self.add("cupti", 1, AXPY, 16.0, cross_check=trace(16.0, 16.0))
        self.add("cupti", 1, COPY, 3.0, cross_check=trace(3.5, 3.0, slowdown=15.0))
        self.add("cold", 1, AXPY, 16.79)
        self.add("cold", 1, COPY, 3.29)
        self.assertEqual(self.verdict("axpy 16 MiB"), "pass")
        self.assertEqual(self.verdict("copy 1 MiB"), "pass")
        self.add("cold", 1, AXPY, 16.81)
        self.add("cold", 1, COPY, 2.69)
        self.assertEqual(self.verdict("axpy 16 MiB"), "fail")
        self.assertEqual(self.verdict("copy 1 MiB"), "fail")
        self.assertIn("slows it by 15.0 %", self.line("copy 1 MiB")["measured"])

    def test_nothing_measured_is_neither_pass_nor_fail(self):
        self.add("direct", 1, AXPY, 19.0)
        verdicts = {line["verdict"] for line in self.report()["requirements"]}
        self.assertEqual(verdicts, {"not measured"})


class Listings(Accuracy):
    def test_untrusted_results_count_and_are_listed(self):
        self.add("cold", 1, AXPY, 16.0, untrusted=["the clock fell"])
        self.add("cold", 10, AXPY, 18.0, untrusted=["the clock fell"])
        self.add("cold", 2, AXPY, 17.0, untrusted=["the clock fell"])
        found = self.report()
        self.assertEqual(found["untrusted"], [f"{AXPY}, cold: the clock fell (process 1, 2, 10)"])
        self.assertEqual(found["cases"][0]["processes"], 3)
        self.assertIn("- " + found["untrusted"][0], accuracy.markdown(found))

    def test_an_implausible_result_is_listed_as_an_untrusted_one(self):
        self.add("cold", 1, AXPY, 1.0, implausible="9 TB/s")
        self.assertEqual(self.report()["untrusted"],
                         [f"{AXPY}, cold: implausible, 9 TB/s (process 1)"])

    def test_what_was_not_measured_as_asked_is_left_out_and_listed(self):
        self.add("cold", 1, AXPY, 16.0)
        self.add("cold", 2, AXPY, None, verdict="hung")
        self.add("cold", 3, AXPY, 11.0, cache="warm")
        self.add("cold", 4, AXPY, 19.0, method="direct")
        self.add("cold", 1, "axpy/own/f32/7", 1.0)
        found = self.report()
        self.assertEqual([row["processes"] for row in found["cases"]], [1])
        self.assertEqual(found["left_out"], [
            "axpy/own/f32/7, cold: no case of the suite (process 1)",
            f"{AXPY}, cold: verdict hung (process 2)",
            f"{AXPY}, cold: graph, warm instead of graph, cold (process 3)",
            f"{AXPY}, cold: direct, cold instead of graph, cold (process 4)",
        ])

    def test_missing_modes_cases_and_processes_are_said(self):
        for process in (1, 2):
            self.add("cold", process, AXPY, 16.0)
        self.add("cold", 1, COPY, 3.0)
        found = self.report()["missing"]
        self.assertIn("mode warm: nothing measured", found)
        self.assertIn(f"{COPY}, cold: 1 of 2 processes", found)
        self.assertIn(f"{MM}, cold: 0 of 2 processes", found)
        self.assertFalse([text for text in found if AXPY in text or "spin" in text])

    def test_a_cupti_result_without_a_trace_is_said(self):
        self.add("cupti", 1, AXPY, 16.0)
        self.assertEqual(self.report()["untraced"], [f"{AXPY}, cupti: no trace (process 1)"])

    def test_the_header_names_device_versions_dates_and_command(self):
        self.add("cold", 1, AXPY, 16.0)
        self.add("cold", 2, AXPY, 16.0, date="2026-12-01")
        (self.folder / "command").write_text("ci/accuracy.sh --processes 2\n")
        self.assertIn("NVIDIA H200, driver 580.1, runtime 13.0, 2026-11-30 to 2026-12-01: "
                      "`ci/accuracy.sh --processes 2`", accuracy.markdown(self.report()))

    def test_every_row_of_a_table_has_as_many_cells_as_its_header(self):
        for case in SPIN:
            self.add("warm", 1, case, accuracy.known_us(case) + 0.3)
        self.add("cupti", 1, AXPY, 16.0, cross_check=trace(16.0, 16.0))
        self.add("cold", 1, MM, 170.0, 200.0)
        cells = 0
        for text in accuracy.markdown(self.report()).splitlines():
            if not text.startswith("|"):
                cells = 0
                continue
            cells = cells or text.count("|")
            self.assertEqual(text.count("|"), cells, text)

    def test_numbers_have_sensible_digits(self):
        shown = [accuracy_tables.us(value) for value in (0.5, 15.864, 231.31, 1390.6, 12345.6, -0.0621)]
        self.assertEqual(shown, ["0.500", "15.86", "231.3", "1391", "12346", "-0.062"])
        self.assertEqual(accuracy_tables.label(AXPY), AXPY + " (16 MiB)")


class Input(Accuracy):
    def test_an_empty_folder_is_refused(self):
        self.refused("no result files")

    def test_malformed_files_are_refused_by_name(self):
        file = self.add("cold", 1, AXPY, 16.0)
        good = file.read_text()
        for text, because in (("{", "malformed"),
                              ("[]", "malformed"),
                              ('{"zl": {}}', "no key 'result'"),
                              (good.replace('"measured_ms"', '"other"'), "no key 'measured_ms'"),
                              (good.replace("16.0", "NaN"), "NaN"),
                              (good.replace("16.0", "0.0"), "latency_us is 0.0"),
                              (good.replace("16.0", '"16"'), "malformed"),
                              (good.replace("[]", "true"), "untrusted is not a list"),
                              (good.replace("null", '{"replay_us": 1}'), "no key 'span_us'")):
            self.assertNotEqual(text, good)
            file.write_text(text)
            self.refused(file.name)
            self.refused(because)

    def test_the_trace_has_either_of_two_keys(self):
        file = self.add("cupti", 1, AXPY, 16.0, cross_check=trace(16.2, 16.0))
        found = self.report()["traces"]
        file.write_text(file.read_text().replace('"cupti"', '"cross_check"'))
        self.assertEqual(self.report()["traces"], found)
        file.write_text(file.read_text().replace('"cross_check"', '"other"'))
        self.refused("no key 'cross_check'")

    def test_two_devices_are_refused(self):
        self.add("cold", 1, AXPY, 16.0)
        self.add("cold", 2, AXPY, 16.0, device_name="NVIDIA H100")
        self.refused("more than one device")

    def test_results_that_all_failed_make_a_report(self):
        self.add("cold", 1, AXPY, None, verdict="crashed", device_name="")
        code, out, _ = self.run_main()
        self.assertEqual(code, 0)
        self.assertIn("no device", out)
        self.assertIn("verdict crashed", out)

    def test_json_and_markdown_go_to_their_files(self):
        self.add("cold", 1, AXPY, 16.0)
        json_file, markdown_file = self.folder / "a.json", self.folder / "a.md"
        code, out, _ = self.run_main("--json", str(json_file), "--markdown", str(markdown_file))
        self.assertEqual((code, out), (0, ""))
        self.assertEqual(json.loads(json_file.read_text())["cases"][0]["latency_us"], 16.0)
        self.assertIn("| axpy/own/f32/4194304 (16 MiB) | cold |", markdown_file.read_text())


class Script(Accuracy):
    def run_script(self, *more: str, failure: str = "") -> subprocess.CompletedProcess:
        return subprocess.run(
            ["bash", SCRIPT, "--build", self.folder / "a build", *more],
            env={**os.environ, "FAKE_FAILURE": failure}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True)

    def programs(self):
        for name in ("harness/doctor/zl_known_cuda", "ops/mm/zl_mm_cuda"):
            file = self.folder / "a build" / name
            file.parent.mkdir(parents=True)
            file.write_text(FAKE_PROGRAM)
            file.chmod(0o755)

    def test_help_and_usage(self):
        self.assertIn("usage: ci/accuracy.sh", self.run_script("--help").stdout)
        for arguments in (["--procesess", "1"], ["--processes", "0"], ["--processes"]):
            self.assertEqual(self.run_script(*arguments).returncode, 2, arguments)

    def test_without_programs_it_says_how_to_build(self):
        ran = self.run_script()
        self.assertEqual(ran.returncode, 2)
        self.assertIn("no zl_known_cuda below", ran.stderr)
        self.assertIn("cmake --preset cuda", ran.stderr)

    def test_it_measures_the_suite_in_every_mode(self):
        self.programs()
        ran = self.run_script("--processes", "1")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        found = json.loads((self.folder / "a build" / "accuracy" / "accuracy.json").read_text())
        self.assertEqual((found["missing"], found["left_out"], found["untraced"]), ([], [], []))
        self.assertEqual(found["command"].split()[0], "ci/accuracy.sh")
        self.assertIn("process 1 of 1, 0 failed so far", ran.stderr)
        self.assertIn("# How accurate the numbers are", ran.stdout)
        again = self.run_script("--processes", "1")
        self.assertEqual(again.returncode, 2)
        self.assertIn("holds results already", again.stderr)

    def test_a_failing_process_is_shown_and_the_loop_goes_on(self):
        self.programs()
        ran = self.run_script("--processes", "1", failure=AXPY)
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(ran.stderr.count("out of luck"), 5)
        self.assertIn("5 of 83 processes failed", ran.stderr)
        self.assertIn(f"- {AXPY}, cupti: 0 of 1 processes", ran.stdout)


if __name__ == "__main__":
    unittest.main()
