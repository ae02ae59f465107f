"""python3 -m unittest discover ci"""

import json
import pathlib
import tempfile
import unittest

from result_files import document, result, write
from result_set import CaseId, Obtained, Requested, ResultSetError, read_result_set

NASTY = "quote\" apos' <b>&amp; line\nbreak \x1b[31m ü 🚀 " + "x" * 300


class ReadResultSet(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def file(self, text: str | bytes) -> pathlib.Path:
        file = self.folder / "one.json"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def refused(self, path: pathlib.Path, *says: str, **how) -> None:
        with self.assertRaises(ResultSetError) as caught:
            read_result_set(path, **how)
        for part in (str(path), *says):
            self.assertIn(part, str(caught.exception))

    def test_a_file_of_zl_bench_is_read(self):
        file = self.file(json.dumps(document(result(untrusted=["heat"], n_repeat=7))))
        (one,) = read_result_set(file).results
        self.assertEqual(one.id, CaseId("cuda", "add", "own", "f32", "4096"))
        self.assertEqual(one.id.test_name, "perf.cuda.add.own.f32.4096")
        self.assertEqual(one.requested, Requested(one.id, "NVIDIA H200", "adaptive", "auto"))
        self.assertEqual(one.obtained,
                         Obtained("graph", "cold", "rotation", "median", "adaptive"))
        self.assertEqual((one.latency_us, one.n_repeat, one.untrusted), (10.0, 7, ("heat",)))
        self.assertEqual(one.samples_us, (10.0, 10.0, 10.0))
        self.assertEqual((one.clocks_end.sm_mhz, one.device.driver), (1980, "580.1"))
        self.assertEqual((one.harness_version, one.path), ("0.1.0", file))

    def test_the_name_of_a_test_of_several_types_is_ctests(self):
        self.assertEqual(CaseId("cuda", "mm", "own", "e4m3:bf16", "1x2x3").test_name,
                         "perf.cuda.mm.own.e4m3-bf16.1x2x3")

    def test_a_case_without_a_number_has_no_latency(self):
        file = self.file(json.dumps(document(result(latency=None, verdict="hung", message="m"))))
        (one,) = read_result_set(file).results
        self.assertEqual((one.latency_us, one.verdict, one.message), (None, "hung", "m"))

    def test_a_directory_is_read_sorted_by_case(self):
        write(self.folder, result("mm"), result("add"))
        self.assertEqual([r.id.op for r in read_result_set(self.folder).results], ["add", "mm"])

    def test_of_a_build_directory_its_zl_results_are_read(self):
        write(self.folder / "zl-results", result("add"))
        (self.folder / "compile_commands.json").write_text("[]")
        self.assertEqual(len(read_result_set(self.folder).results), 1)

    def test_a_file_without_requested_says_that_it_is_not_known(self):
        of = result()
        del of["requested"]
        (one,) = read_result_set(self.file(json.dumps(document(of)))).results
        self.assertEqual(one.requested.cache, "")

    def test_names_may_hold_anything(self):
        write(self.folder, result(NASTY, id={"impl": NASTY}))
        (one,) = read_result_set(self.folder).results
        self.assertEqual((one.id.op, one.id.impl), (NASTY, NASTY))

    def test_half_a_surrogate_pair_becomes_text_that_can_be_written(self):
        file = self.file(json.dumps(document(result("a\ud800b"))))
        (one,) = read_result_set(file).results
        self.assertEqual(one.id.op, "a\ufffdb")

    def test_cut_off_json_is_refused(self):
        whole = json.dumps(document(result()))
        self.refused(self.file(whole[: len(whole) // 2]), "not complete JSON", "Measure again")

    def test_what_follows_or_lacks_in_an_indented_file_is_refused_as_well(self):
        whole = json.dumps(document(result()), indent=2) + "\n"
        (one,) = read_result_set(self.file(whole)).results
        self.assertEqual(one, read_result_set(self.file(json.dumps(document(result())))).results[0])
        for broken in (whole[:-3], whole + "}", whole + "x", whole[1:], whole[: len(whole) // 2],
                       whole.replace("10.0", "NaN")):
            self.refused(self.file(broken))

    def test_an_empty_file_is_refused(self):
        self.refused(self.file(""), "not complete JSON")

    def test_bytes_that_are_no_utf8_are_refused(self):
        self.refused(self.file(b'{"zl": "\xff"}'), "not UTF-8 at byte 8")

    def test_nan_and_infinity_are_refused_however_they_are_spelt(self):
        for value in ("NaN", "Infinity", "-Infinity"):
            text = json.dumps(document(result())).replace('"latency_us": 10.0',
                                                          f'"latency_us": {value}')
            self.refused(self.file(text), f"holds {value}, which is no number")
        for value in ("1e999", "1" + "0" * 400):
            text = json.dumps(document(result())).replace('"latency_us": 10.0',
                                                          f'"latency_us": {value}')
            self.refused(self.file(text), "latency_us is not finite")

    def test_a_latency_that_no_time_can_be_is_refused(self):
        for value in (0, -1.5):
            self.refused(self.file(json.dumps(document(result(latency=value)))), "latency_us is")

    def test_a_metric_that_is_no_number_is_refused(self):
        for value in ("1", None, True, [1]):
            of = result(metrics={"latency_us": value})
            self.refused(self.file(json.dumps(document(of))), "latency_us is not a number")

    def test_a_missing_key_is_named(self):
        of = result()
        del of["method"]
        self.refused(self.file(json.dumps(document(of))), "no 'method' in it")

    def test_json_of_something_else_is_refused(self):
        for text in ("[]", "3", '{"a": 1}', '{"zl": 3}', '{"zl": {"result": []}}'):
            self.refused(self.file(text))

    def test_deeply_nested_json_is_refused(self):
        self.refused(self.file("[" * 200_000), "nested too deeply")

    def test_no_path_and_no_results_are_refused_with_a_remedy(self):
        self.refused(self.folder / "none", "no such file or directory")
        self.refused(self.folder, "holds no result file", "ctest -L")

    def test_mixed_devices_are_refused_unless_wanted(self):
        write(self.folder, result("add"), result("mm", device_name="NVIDIA H100"))
        self.refused(self.folder, "'NVIDIA H100', 'NVIDIA H200'")
        self.assertEqual(read_result_set(self.folder, mixed_devices=True).devices,
                         ("NVIDIA H100", "NVIDIA H200"))

    def test_a_skip_without_a_device_is_not_one_more_device(self):
        write(self.folder, result("add"),
              result("mm", latency=None, verdict="skipped", device_name=""))
        self.assertEqual(read_result_set(self.folder).devices, ("NVIDIA H200",))

    def test_a_stand_in_is_refused_unless_wanted(self):
        write(self.folder, result(device_name="MUSA stand-in"))
        self.refused(self.folder, "MUSA stand-in")
        self.assertEqual(len(read_result_set(self.folder, stand_ins=True).results), 1)

    def test_the_same_case_twice_is_refused_with_both_files(self):
        write(self.folder, result("add"), result("add"))
        self.refused(self.folder, "0.json", "1.json", "each run in a directory of its own")


class GoogleBenchmark(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name, "gb.json")

    def read(self, *entries: dict, **how):
        self.path.write_text(json.dumps({
            "context": {"host_name": "box", "date": "2026-11-30T05:00:00+00:00"},
            "benchmarks": entries}))
        return read_result_set(self.path, **how).results

    @staticmethod
    def entry(name: str, time: float, unit: str = "ns", **more) -> dict:
        return {"name": name, "run_name": name, "run_type": "iteration", "real_time": time,
                "cpu_time": time, "time_unit": unit, **more}

    def test_repetitions_become_samples_and_their_median(self):
        (one,) = self.read(*(self.entry("BM_a/8", t, "ms") for t in (3, 1, 2)),
                           self.entry("BM_a/8", 9, "ms", run_type="aggregate", aggregate_name="mean"))
        self.assertEqual(one.id, CaseId("", "BM_a/8", "", "", ""))
        self.assertEqual((one.id.name, one.device.name), ("BM_a/8", "box"))
        self.assertEqual((one.latency_us, one.statistic), (2000.0, "median"))
        self.assertEqual(one.samples_us, (3000.0, 1000.0, 2000.0))

    def test_each_time_unit_is_known(self):
        us = {"ns": 0.002, "us": 2.0, "ms": 2e3, "s": 2e6}
        for unit, expected in us.items():
            (one,) = self.read(self.entry("a", 2, unit))
            self.assertAlmostEqual(one.latency_us, expected)
        with self.assertRaisesRegex(ResultSetError, "time_unit 'h'"):
            self.read(self.entry("a", 2, "h"))

    def test_of_aggregates_alone_the_median_is_taken_else_the_mean(self):
        mean, middle = (self.entry("a", time, "us", run_type="aggregate", aggregate_name=name)
                        for time, name in ((5, "mean"), (4, "median")))
        (one,) = self.read(mean, middle)
        self.assertEqual((one.latency_us, one.statistic), (4, "median"))
        (one,) = self.read(mean)
        self.assertEqual((one.latency_us, one.statistic), (5, "mean"))

    def test_a_fit_over_benchmarks_is_no_case(self):
        found = self.read(self.entry("a/1", 2),
                          {"name": "a_BigO", "run_name": "a", "run_type": "aggregate",
                           "aggregate_name": "BigO", "cpu_coefficient": 1, "big_o": "N"})
        self.assertEqual([r.id.name for r in found], ["a/1"])

    def test_errors_and_zero_times_are_verdicts(self):
        failed, zero = self.read(
            {"name": "a", "run_name": "a", "error_occurred": True, "error_message": "no luck"},
            self.entry("b", 0))
        self.assertEqual((failed.verdict, failed.message, failed.latency_us),
                         ("error", "no luck", None))
        self.assertEqual((zero.verdict, zero.latency_us), ("untimeable", None))

    def test_zl_benchs_own_output_keeps_how_it_was_measured(self):
        label = "method=graph cache=cold capture=clean statistic=median schedule=adaptive"
        (one,) = self.read(self.entry("add/own/f32/64", 3, "us", label=label + " cold_by=evict",
                                    latency_us=2.5))
        self.assertEqual(one.id, CaseId("", "add", "own", "f32", "64"))
        self.assertEqual(one.latency_us, 2.5)
        self.assertEqual((one.method, one.cache, one.cold_by, one.schedule),
                         ("graph", "cold", "evict", "adaptive"))
        with self.assertRaisesRegex(ResultSetError, "stands in for a device"):
            self.read(self.entry("add/own/f32/64", 3, "us", label=label + " stand-in"))

    def test_no_benchmarks_at_all_are_refused(self):
        with self.assertRaisesRegex(ResultSetError, "no benchmark in it"):
            self.read()


if __name__ == "__main__":
    unittest.main()
