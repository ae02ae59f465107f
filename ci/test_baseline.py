"""python3 -m unittest discover ci"""

import contextlib
import io
import json
import pathlib
import tempfile
import unittest
from datetime import UTC, datetime
from unittest import mock

import baseline
from result_files import result, write

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
KEY = "perf.cuda.add.own.f32.4096/adaptive/auto"
NASTY = "q\"' <b>&\nline \x1b[31m ü"


class BaselineTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.file = self.folder / "baseline.json"
        self.today(NOW)

    def today(self, moment: datetime) -> None:
        patch = mock.patch.object(baseline, "now", lambda: moment)
        patch.start()
        self.addCleanup(patch.stop)

    def main(self, *arguments: object) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = baseline.main([str(a) for a in arguments])
            except SystemExit as e:
                code = e.code
        return code, out.getvalue(), err.getvalue()

    def run_of(self, day: int, *results: dict, **how) -> pathlib.Path:
        """A run of November's `day`."""
        name = f"{len(list(self.folder.iterdir()))}"
        return write(self.folder / name, *results, date=f"2026-11-{day:02}T05:00:00Z", **how)

    def runs_of(self, *latencies: float, first: int = 1, **more) -> list[pathlib.Path]:
        return [self.run_of(first + i, result(latency=us, **more))
                for i, us in enumerate(latencies)]

    def done(self, *arguments: object) -> str:
        code, _, err = self.main(*arguments)
        self.assertEqual(code, 0, err)
        return err

    def refused(self, *arguments: object, says: str) -> None:
        """With exit code 2, and nothing written."""
        before = {file: file.read_bytes() for file in self.folder.rglob("*") if file.is_file()}
        code, _, err = self.main(*arguments)
        self.assertEqual(code, 2, err)
        self.assertIn(says, err)
        after = {file: file.read_bytes() for file in self.folder.rglob("*") if file.is_file()}
        self.assertEqual(before, after)

    def read(self) -> dict:
        return json.loads(self.file.read_text())

    def medians(self, key: str = KEY) -> list[float]:
        return [run["median_us"] for run in self.read()["cases"][key]["runs"]]


class Make(BaselineTest):
    def test_the_file_is_as_docs_baseline_md_says(self):
        self.done("make", self.run_of(3, result(latency=2.5)), "-o", self.file, "--commit", "abc")
        self.assertEqual(self.read(), {
            "schema": 1, "harness_version": "0.1.0", "device": "NVIDIA H200", "driver": "580.1",
            "runtime": "13.0", "made": "2026-12-01T12:00:00Z", "expires": "2027-03-01",
            "cases": {KEY: {"accepted": None, "runs": [{
                "median_us": 2.5, "method": "graph", "cache": "cold", "cold_by": "rotation",
                "statistic": "median", "schedule": "adaptive", "date": "2026-11-03T05:00:00Z",
                "commit": "abc"}]}}})

    def test_a_baseline_may_be_for_one_card_alone(self):
        one, other = ([self.run_of(day, result(device_uuid=card))] for day, card in
                      ((1, "GPU-1"), (2, "GPU-2")))
        self.refused("make", *one, *other, "--same-card", "-o", self.file, says="several cards")
        self.done("make", *one, "--same-card", "-o", self.file)
        self.assertEqual(self.read()["device_uuid"], "GPU-1")
        self.refused("add", self.file, *other, says="card 'GPU-1' became 'GPU-2'")
        self.done("add", self.file, self.run_of(3, result(device_uuid="GPU-1")))
        self.assertEqual(len(self.medians()), 2)
        self.assertIn("NVIDIA H200 GPU-1 alone", self.main("show", self.file)[1])

    def test_in_a_directory_the_one_of_the_card_is_added_to(self):
        for day, card in ((1, "GPU-1"), (2, "GPU-2")):
            self.done("make", self.run_of(day, result(device_uuid=card)), "--same-card", "-o",
                      self.folder)
        self.done("add", self.folder, self.run_of(3, result(device_uuid="GPU-2")))
        made = {card: json.loads((self.folder / f"NVIDIA-H200_580.1_13.0_0.1.0_{card}.json"
                                  ).read_text()) for card in ("GPU-1", "GPU-2")}
        self.assertEqual([len(made[card]["cases"][KEY]["runs"]) for card in made], [1, 2])
        err = self.done("add", self.folder, self.run_of(4, result(device_uuid="GPU-3")))
        self.assertIn("begins a new one", err)
        self.assertTrue((self.folder / "NVIDIA-H200_580.1_13.0_0.1.0.json").exists())
        self.done("add", self.folder, self.run_of(5, result(device_uuid="GPU-1")))
        made = json.loads((self.folder / "NVIDIA-H200_580.1_13.0_0.1.0_GPU-1.json").read_text())
        self.assertEqual(len(made["cases"][KEY]["runs"]), 2)

    def test_runs_are_oldest_first_whatever_the_order_given(self):
        runs = self.runs_of(1, 2, 3)
        self.done("make", runs[2], runs[0], runs[1], "-o", self.file)
        self.assertEqual(self.medians(), [1, 2, 3])

    def test_in_a_directory_the_file_names_itself(self):
        self.done("make", self.run_of(1, result()), "-o", self.folder)
        self.assertTrue((self.folder / "NVIDIA-H200_580.1_13.0_0.1.0.json").exists())

    def test_the_same_run_given_twice_counts_once(self):
        run = self.run_of(1, result())
        self.done("make", run, run, "-o", self.file)
        self.assertEqual(len(self.medians()), 1)

    def test_the_key_is_what_was_requested(self):
        self.done("make", self.run_of(1, result(schedule="reference", method="direct", cache="warm",
                                                requested={"method": "graph", "cache": "mixed"})),
                  "-o", self.file)
        self.assertEqual(list(self.read()["cases"]),
                         ["perf.cuda.add.own.f32.4096/reference/mixed"])

    def test_of_more_than_30_runs_the_newest_are_kept(self):
        runs = [write(self.folder / f"r{i}", result(latency=float(i)),
                      date=f"2026-10-01T00:00:{i:02}Z") for i in range(1, 33)]
        self.done("make", *runs, "-o", self.file)
        self.assertEqual(self.medians(), [float(i) for i in range(3, 33)])

    def test_numbers_not_to_rely_on_are_left_out_and_listed(self):
        run = self.run_of(1, result("a"), result("b", untrusted=["heat"]),
                          result("c", implausible="too fast"),
                          result("d", verdict="regression"),
                          result("e", latency=None, verdict="hung"))
        err = self.done("make", run, "-o", self.file)
        self.assertEqual(len(self.read()["cases"]), 1)
        for says in ("untrusted: heat", "implausible: too fast", "verdict regression",
                     "verdict hung"):
            self.assertIn(f"{says}: left out", err)
        self.refused("make", self.run_of(1, result(untrusted=["heat"])), "-o", self.folder / "x",
                     says="none of the results")

    def test_a_changed_driver_runtime_or_version_begins_anew(self):
        for i, (old, version) in enumerate((({"driver": "570"}, "0.1.0"),
                                            ({"runtime": "12"}, "0.1.0"), ({}, "0.0.9"))):
            file = self.folder / f"{i}.json"
            older = self.run_of(1, result(latency=9, **old), version=version)
            err = self.done("make", older, self.run_of(2, result(latency=5)), "-o", file)
            runs = json.loads(file.read_text())["cases"][KEY]["runs"]
            self.assertEqual([run["median_us"] for run in runs], [5])
            self.assertIn("1 results left out, as since then", err)
        self.assertIn("zl-bench '0.0.9' became '0.1.0'", err)

    def test_devices_are_not_mixed(self):
        self.refused("make", self.run_of(1, result()),
                     self.run_of(2, result(device_name="NVIDIA H100")), "-o", self.file,
                     says="'NVIDIA H200', 'NVIDIA H100'")

    def test_fewer_than_ten_runs_are_said(self):
        self.assertIn("1 of 1 cases have fewer than 10 runs",
                      self.done("make", *self.runs_of(*[1.0] * 9), "-o", self.file))
        self.assertEqual(self.done("make", *self.runs_of(*[1.0] * 10), "-o", self.file,
                                   "--replace"), "")

    def test_ten_runs_measured_in_two_ways_are_too_few(self):
        runs = self.runs_of(*[1.0] * 5) + self.runs_of(*[2.0] * 5, first=6, method="direct")
        self.assertIn("fewer than 10 runs", self.done("make", *runs, "-o", self.file))

    def test_what_a_file_does_not_tell_is_asked_for(self):
        run = self.run_of(1, result(requested={}))
        self.refused("make", run, "-o", self.file, says="--assume requested_cache=")
        self.done("make", run, "-o", self.file, "--assume", "requested_cache=cold")
        self.assertEqual(list(self.read()["cases"]), ["perf.cuda.add.own.f32.4096/adaptive/cold"])

    def test_an_assumption_never_overrides_what_is_told(self):
        self.done("make", self.run_of(1, result()), "-o", self.file, "--assume",
                  "requested_cache=cold", "--assume", "driver=1")
        self.assertEqual((list(self.read()["cases"]), self.read()["driver"]), ([KEY], "580.1"))

    def test_google_benchmark_files_make_no_baseline(self):
        file = self.folder / "gb.json"
        file.write_text(json.dumps({"benchmarks": [{"name": "a", "real_time": 1}]}))
        self.refused("make", file, "-o", self.file, "--assume", "schedule=adaptive", "--assume",
                     "requested_cache=auto", "--assume", "harness_version=1",
                     says="not a result file of zl-bench")

    def test_bad_input_is_refused(self):
        broken = self.folder / "broken.json"
        broken.write_text('{"zl": {')
        self.refused("make", broken, "-o", self.file, says="not complete JSON")
        self.refused("make", self.run_of(1, result(device_name="MUSA stand-in")), "-o", self.file,
                     says="stands in for a device")
        run = self.run_of(1, result())
        self.refused("make", run, "-o", self.folder / "no" / "x.json", says="cannot be written")
        self.refused("make", run, "-o", self.folder / "no.txt", says="neither a directory")
        (self.folder / "file").write_text("")
        self.refused("make", run, "-o", self.folder / "file", says="cannot become one")
        self.refused("make", run, "-o", self.file, "--expires", "soon", says="no date")
        self.refused("make", run, "-o", self.file, "--assume", "colour=red", says="colour=red")

    def test_an_existing_file_is_not_overwritten_unasked(self):
        run = self.run_of(1, result())
        self.done("make", run, "-o", self.file)
        self.refused("make", run, "-o", self.file, says="give --replace")

    def test_made_anew_no_level_rises_without_a_reason(self):
        self.done("make", *self.runs_of(10, 10), "-o", self.file)
        risen = self.runs_of(10.3, 10.3, first=5)  # +3 %
        self.refused("make", *risen, "-o", self.file, "--replace", says="10 us rose to 10.3 us")
        self.done("make", *risen, "-o", self.file, "--replace", "--reason", "safer")
        self.assertEqual(self.read()["cases"][KEY]["accepted"], {
            "date": "2026-12-01T12:00:00Z", "reason": "safer",
            "replaced": {"runs": 2, "median_us": 10}})
        self.assertEqual(self.medians(), [10.3, 10.3])

    def test_made_anew_no_method_changes_without_a_reason(self):
        self.done("make", *self.runs_of(10), "-o", self.file)
        self.refused("make", *self.runs_of(9, first=5, method="direct"), "-o", self.file,
                     "--replace", says="graph, cold became direct, cold")

    def test_made_anew_lower_levels_and_other_drivers_need_no_reason(self):
        self.done("make", *self.runs_of(10), "-o", self.file)
        self.done("make", *self.runs_of(9), "-o", self.file, "--replace")
        err = self.done("make", *self.runs_of(20, driver="590"), "-o", self.file, "--replace")
        self.assertIn("driver '580.1' became '590'", err)

    def test_show_gives_the_median_and_what_the_gate_allows(self):
        # median 12, distances 2 1 0 1 2: MAD 1; 4 x 1.4826 / 12 = 49.42 %
        self.done("make", *self.runs_of(10, 11, 12, 13, 14), "-o", self.file)
        out = self.main("show", self.file)[1]
        self.assertEqual(out.splitlines()[2], f"   5         12    49.42  {KEY} (graph, cold)")

    def test_any_name_survives_and_is_shown_on_one_line(self):
        self.done("make", self.run_of(1, result(NASTY)), "-o", self.file)
        self.assertEqual(list(self.read()["cases"]), [f"perf.cuda.{NASTY}.own.f32.4096"
                                                      "/adaptive/auto"])
        out = self.main("show", self.file)[1]
        self.assertEqual((len(out.splitlines()), "\x1b" in out), (3, False))


class Add(BaselineTest):
    def setUp(self):
        super().setUp()
        self.done("make", *self.runs_of(10, 11), "-o", self.file)

    def test_a_run_is_added_once(self):
        run = self.run_of(20, result(latency=12), result("mm", 5))
        for _ in range(2):
            self.done("add", self.file, run)
        self.assertEqual(self.medians(), [10, 11, 12])
        self.assertEqual(self.medians(KEY.replace("add", "mm")), [5])

    def test_a_full_case_does_not_drift(self):
        runs = [write(self.folder / f"r{i}", result(latency=20.0),
                      date=f"2026-11-20T00:00:{i:02}Z") for i in range(29)]
        self.assertIn("1 runs left out: it has its 30", self.done("add", self.file, *runs))
        self.assertEqual(self.medians(), [10, 11] + [20] * 28)

    def test_a_level_does_not_rise_by_runs_that_the_gate_let_pass(self):
        level = [write(self.folder / f"s{i}", result(latency=100.0),
                       date=f"2026-11-02T00:00:{i:02}Z") for i in range(10)]
        self.file = self.folder / "of_ten.json"
        self.done("make", *level, "-o", self.file)
        runs = [self.run_of(20 + i, result(latency=us)) for i, us in enumerate((101.9, 104, 99))]
        self.assertIn("1 runs left out: more than 2 % above its first 10 (100 us)",
                      self.done("add", self.file, *runs))
        self.assertEqual(self.medians(), [100] * 10 + [101.9, 99])
        # Nor does the median of later runs become what a new baseline is held against.
        risen = [self.run_of(24, result(latency=102.5)), self.run_of(25, result(latency=102.5))]
        self.refused("make", "--replace", *risen, "-o", self.file, says="+2.5 %")

    def test_another_driver_is_refused_by_a_file_and_begins_a_new_one_in_a_directory(self):
        run = self.run_of(20, result(latency=12, driver="590"))
        self.refused("add", self.file, run, says="driver '580.1' became '590'")
        folder = self.folder / "baselines"
        folder.mkdir()
        self.file.rename(folder / "old.json")
        self.assertIn("begins a new one", self.done("add", folder, run))
        self.assertEqual(sorted(file.name for file in folder.iterdir()),
                         ["NVIDIA-H200_590_13.0_0.1.0.json", "old.json"])
        self.done("add", folder, self.run_of(21, result(latency=12)))
        self.assertEqual(len(json.loads((folder / "old.json").read_text())["cases"][KEY]["runs"]),
                         3)

    def test_a_file_with_another_ones_name_is_not_overwritten(self):
        folder = self.folder / "baselines"
        folder.mkdir()
        self.file.rename(folder / "NVIDIA-H200_590_13.0_0.1.0.json")
        self.refused("add", folder, self.run_of(20, result(driver="590")), says="rename it")

    def test_two_files_for_the_same_device_are_refused(self):
        folder = self.folder / "baselines"
        folder.mkdir()
        for name in "ab":
            (folder / f"{name}.json").write_text(self.file.read_text())
        self.refused("add", folder, self.run_of(20, result()), says="remove one")

    def test_an_expired_baseline_takes_no_more_until_made_anew(self):
        run = self.run_of(20, result())
        self.today(datetime(2027, 3, 1, 23, 59, tzinfo=UTC))  # its last day
        self.done("add", self.file, run)
        self.today(datetime(2027, 3, 2, tzinfo=UTC))
        self.refused("add", self.file, run, says="expired on 2027-03-01")
        self.assertIn("expires 2027-03-01 (expired)", self.main("show", self.file)[1])

    def test_a_file_that_is_no_baseline_is_refused(self):
        run = self.run_of(20, result())
        good = self.read()
        for says, bad in (("schema 2", good | {"schema": 2}), ("no 'expires'", {
                **{k: v for k, v in good.items() if k != "expires"}}), ("not an object", []),
                ("holds no runs", good | {"cases": {KEY: {"runs": [], "accepted": None}}})):
            self.file.write_text(json.dumps(bad))
            self.refused("add", self.file, run, says=says)
        self.file.write_text(json.dumps(good).replace('"median_us": 10', '"median_us": NaN'))
        self.refused("show", self.file, says="holds NaN")


class Accept(BaselineTest):
    def setUp(self):
        super().setUp()
        self.done("make", self.run_of(1, result("add", 10), result("mm", 5)),
                  self.run_of(2, result("add", 12), result("mm", 5)), "-o", self.file)
        self.new = self.run_of(20, result("add", 14, verdict="regression"), result("mm", 7))

    def accept(self, *more: object) -> tuple:
        return ("accept", self.file, self.new, "--reason", "safer", *more)

    def test_the_new_level_replaces_the_old_and_says_why(self):
        self.done(*self.accept("--case", "perf.cuda.add.*", "--by", "Ada"))
        self.assertEqual((self.medians(), self.medians(KEY.replace("add", "mm"))), ([14], [5, 5]))
        self.assertEqual(self.read()["cases"][KEY]["accepted"], {
            "date": "2026-12-01T12:00:00Z", "reason": "safer", "by": "Ada",
            "replaced": {"runs": 2, "median_us": 11}})
        self.assertIn("accepted 2026-12-01T12:00:00Z by Ada: safer",
                      self.main("show", self.file)[1])

    def test_runs_from_before_it_do_not_bring_the_old_level_back(self):
        self.done(*self.accept("--case", "perf.cuda.add.*"))
        err = self.done("add", self.file, self.run_of(15, result("add", 10)))
        self.assertIn("1 runs left out: from before", err)
        later = write(self.folder / "later", result("add", 14.5), date="2026-12-02T05:00:00Z")
        self.done("add", self.file, later)
        self.assertEqual(self.medians(), [14, 14.5])

    def test_made_anew_a_level_that_stays_keeps_its_reason(self):
        self.done(*self.accept("--case", "*"))
        run = self.run_of(25, result("add", 14.1), result("mm", 8))
        self.done("make", run, "-o", self.file, "--replace", "--reason", "rounds better")
        reasons = {key: case["accepted"]["reason"] for key, case in self.read()["cases"].items()}
        self.assertEqual(reasons, {KEY: "safer", KEY.replace("add", "mm"): "rounds better"})

    def test_it_needs_a_reason_a_case_and_new_runs(self):
        self.refused(*self.accept("--case", "perf.cuda.nothing"), says="matches no case")
        self.refused(*self.accept(), says="--case")
        self.refused("accept", self.file, self.new, "--case", "*", "--reason", " ",
                     says="--reason is empty")
        old = self.run_of(1, result("add", 10))
        self.refused("accept", self.file, old, "--case", "*", "--reason", "x",
                     says="all runs given already")

    def test_numbers_not_to_rely_on_are_not_accepted(self):
        run = self.run_of(21, result("add", 14, untrusted=["heat"]))
        self.refused("accept", self.file, run, "--case", "*", "--reason", "x",
                     says="none of the results")


if __name__ == "__main__":
    unittest.main()
