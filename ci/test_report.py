"""python3 -m unittest discover ci"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import report_data
import report_page
import result_files
from report_data import page_data
from result_set import read_result_set

NASTY = "a\"b'c</script><script>alert(1)</script>&amp;<!--\nline\u202e" + "é漢😀" + "x" * 300


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.written = 0

    def set_of(self, *results: dict, **more):
        self.written += 1
        path = result_files.write(self.folder / f"night{self.written}" / "zl-results", *results,
                                  **more)
        return read_result_set(path, stand_ins=True, mixed_devices=True)

    def run_of(self, data: dict, case: int, run: int) -> dict:
        """As the page's script unpacks it."""
        found = dict(zip(data["run_fields"], data["cases"][case]["runs"][run], strict=True))
        found["how"] = data["how"][found["how"]]
        found["context"] = data["contexts"][found["context"]]
        found["metrics"] = {name: value for name, value in zip(data["metrics"], found["metrics"],
                                                               strict=True) if value is not None}
        return found

    def command(self, *arguments: object) -> subprocess.CompletedProcess:
        script = pathlib.Path(report_data.__file__).with_name("report.py")
        return subprocess.run([sys.executable, script, *map(str, arguments)], text=True,
                              capture_output=True)

    # What the page is told

    def test_a_run_has_what_its_result_file_says(self):
        one = self.set_of(result_files.result(
            "mm", 12.5, metrics={"peak_pct": 61.5, "speedup": 0.93, "eager_us": 14.25},
            samples_ms=[0.0125, 0.0124, 0.0127], method="direct", capture="fallback",
            capture_reason="capture:cudaErrorX"))
        data = page_data([one])
        self.assertEqual(data["cases"][0]["id"], ["cuda", "mm", "own", "f32", "4096"])
        run = self.run_of(data, 0, 0)
        self.assertEqual(run["metrics"], {"latency_us": 12.5, "cv_pct": 0.5, "samples": 3,
                                          "peak_pct": 61.5, "speedup": 0.93, "eager_us": 14.25})
        self.assertEqual(run["samples"], [12.5, 12.4, 12.7])
        self.assertEqual(run["how"]["method"], "direct")
        self.assertEqual(run["how"]["capture_reason"], "capture:cudaErrorX")
        self.assertEqual(run["how"]["requested_method"], "auto")
        self.assertEqual(run["context"]["device"], "NVIDIA H200")
        self.assertEqual(run["context"]["end"]["sm_mhz"], 1980)

    def test_the_history_is_in_the_order_of_the_sets_given_whatever_their_dates(self):
        late = self.set_of(result_files.result(latency=2.0), date="2026-11-30T00:00:00Z")
        early = self.set_of(result_files.result(latency=1.0), result_files.result("mm"),
                            date="2026-11-01T00:00:00Z")
        data = page_data([late, early])
        self.assertEqual([s["label"] for s in data["sets"]], ["night1", "night2"])
        add, mm = data["cases"]
        self.assertEqual([run[0] for run in add["runs"]], [0, 1])
        self.assertEqual([run[0] for run in mm["runs"]], [1])
        self.assertEqual(self.run_of(data, 0, 0)["metrics"]["latency_us"], 2)

    def test_unlike_runs_are_not_joined_and_the_page_is_told_why(self):
        nights = [self.set_of(result_files.result(**more)) for more in (
            {}, {"method": "direct"}, {"latency": None, "verdict": "hung"}, {"method": "direct"},
            {"method": "direct", "driver": "590.2"})]
        data = page_data(nights)
        runs = [self.run_of(data, 0, i) for i in range(5)]
        self.assertEqual([len(run["unlike"]) for run in runs], [0, 1, 0, 0, 0])
        self.assertRegex(runs[1]["unlike"][0], "method graph / direct")
        self.assertEqual([len(run["changed"]) for run in runs], [0, 0, 0, 0, 1])
        self.assertRegex(runs[4]["changed"][0], "driver 580.1 / 590.2")

    def test_a_run_after_one_without_a_number_is_held_against_the_last_number(self):
        nights = [self.set_of(result_files.result(**more)) for more in (
            {}, {"latency": None, "verdict": "hung"}, {"cache": "warm", "cold_by": ""})]
        run = self.run_of(page_data(nights), 0, 2)
        self.assertIn("cache cold / warm", run["unlike"])

    def test_what_must_be_seen_before_the_number_is_a_mark(self):
        for more, marks in (
            ({}, []),
            ({"untrusted": ["heat"]}, ["untrusted"]),
            ({"implausible": "above the peak"}, ["implausible"]),
            ({"device_name": "MUSA stand-in"}, ["stand-in"]),
            ({"capture": "denied", "method": "direct"}, ["not captured"]),
            ({"capture": "off", "method": "command"}, []),
            ({"cache": "warm", "cache_note": "too large"}, ["not cold"]),
            # No number, no doubt about one: the verdict says it.
            ({"latency": None, "verdict": "hung", "capture": "fallback"}, []),
        ):
            with self.subTest(more):
                run = self.run_of(page_data([self.set_of(result_files.result(**more))]), 0, 0)
                self.assertEqual(run["how"].get("marks", []), marks)

    def test_what_runs_have_in_common_is_stored_once(self):
        nights = [self.set_of(*(result_files.result(f"op{i}") for i in range(5)))
                  for _ in range(3)]
        data = page_data(nights)
        self.assertEqual((len(data["how"]), len(data["contexts"])), (1, 1))

    def test_clocks_that_are_not_known_are_not_told_as_numbers(self):
        unknown = {"sm_mhz": -1, "memory_mhz": -1, "power_limit_w": -1.0, "limit_reasons": "",
                   "slowed": False, "processes": -1, "unknown": "no NVML"}
        one = self.set_of(result_files.result(clocks_start=unknown, clocks_end=unknown))
        self.assertEqual(page_data([one])["contexts"][0]["end"], {"unknown": "no NVML"})

    def test_a_plain_google_benchmark_file_has_a_history_too(self):
        file = self.folder / "gb.json"
        file.write_text(json.dumps({"context": {"host_name": "vm", "date": "2026-11-30"},
                                    "benchmarks": [{"name": "BM_x/8", "real_time": 1500.0,
                                                    "time_unit": "ns"}]}))
        data = page_data([read_result_set(file)])
        self.assertEqual(data["cases"][0]["id"], ["", "BM_x/8", "", "", ""])
        self.assertEqual(self.run_of(data, 0, 0)["metrics"]["latency_us"], 1.5)

    # Samples

    def test_thinning_keeps_order_shape_and_every_extreme(self):
        samples = [100.0 + (i % 10) for i in range(1000)]
        samples[333] = 900.0
        samples[777] = 1.0
        kept = report_data.thinned(samples, 100)
        self.assertLessEqual(len(kept), 100)
        self.assertGreater(len(kept), 90)
        self.assertLess(kept.index(900.0), kept.index(1.0))
        middle = [us for us in kept if 100 <= us <= 109]
        self.assertAlmostEqual(sum(middle) / len(middle), 104.5, delta=1.0)

    def test_few_samples_are_all_kept(self):
        self.assertEqual(report_data.thinned([3.0, 1.0, 2.0], 3), [3.0, 1.0, 2.0])

    def test_the_spread_is_of_all_samples_also_of_those_that_are_not_drawn(self):
        # 0 to 100: the p-th percentile is p.
        self.assertEqual(report_data.spread([float(i) for i in range(101)]), [5, 25, 50, 75, 95])
        self.assertEqual(report_data.spread([1.0, 2.0]), [])

    def test_the_newest_set_keeps_most_samples_and_all_sets_at_least_some(self):
        self.assertEqual(report_data.sample_limits([200]), [400])
        # (300,000 - 400 x 200) / 3,800 = 57
        self.assertEqual(report_data.sample_limits([200] * 20), [57] * 19 + [400])
        self.assertEqual(report_data.sample_limits([9000, 9000]), [16, 33])

    def test_a_page_tells_how_many_samples_there_were(self):
        one = self.set_of(result_files.result(samples_ms=[0.01] * 5000))
        run = self.run_of(page_data([one]), 0, 0)
        self.assertEqual(run["measured"], 5000)
        self.assertLessEqual(len(run["samples"]), 400)

    # The file

    def test_no_text_of_a_result_is_html_and_each_arrives_unchanged(self):
        one = self.set_of(result_files.result(
            NASTY, id={"impl": NASTY, "types": NASTY}, device_name=NASTY, untrusted=[NASTY],
            capture="fallback", capture_reason=NASTY, notes=[NASTY], implausible=NASTY,
            columns={NASTY: NASTY}))
        text = report_page.page(page_data([one]))
        self.assertEqual(text.count("</script>"), 2)  # the data's and the script's own
        self.assertEqual(text.count("<!--"), 0)
        self.assertNotIn("alert(1)</", text)
        embedded = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1]
        self.assertTrue(embedded.isascii())
        self.assertFalse(set("<>&\n") & set(embedded))
        data = json.loads(embedded)
        spelt = NASTY.replace("\n", "\\n").replace("\u202e", "\\u202e")
        self.assertEqual(data["cases"][0]["id"][1], spelt)
        self.assertEqual(data["contexts"][0]["device"], spelt)
        self.assertEqual(data["how"][0]["notes"], [NASTY.replace("\u202e", "\\u202e")])

    def test_a_title_is_escaped(self):
        text = report_page.page(page_data([self.set_of(result_files.result())]), "</title><b>&")
        self.assertIn("<title>&lt;/title&gt;&lt;b&gt;&amp;</title>", text)

    def test_the_page_refers_to_nothing_outside_and_lets_only_its_own_script_run(self):
        text = report_page.page(page_data([self.set_of(result_files.result())]))
        elsewhere = re.findall(r"""https?://[^"'\s]+|(?:src|href|url)\s*[=(]\s*["']?[^"')\s]+""",
                               text)
        self.assertEqual(elsewhere, ["http://www.w3.org/2000/svg"])  # a name, not an address
        self.assertRegex(text, "default-src &#x27;none&#x27;; style-src &#x27;sha256-")

    def test_the_same_results_make_the_same_page(self):
        one = self.set_of(result_files.result())
        self.assertEqual(report_page.page(page_data([one]), now=1e9),
                         report_page.page(page_data([one]), now=1e9))

    def test_labels_of_sets_are_what_differs_between_their_paths(self):
        def labels(*paths: str) -> list[str]:
            return report_data.set_labels([pathlib.Path(path) for path in paths])

        self.assertEqual(labels("/a/b/x/zl-results", "/a/b/y/zl-results"), ["x", "y"])
        self.assertEqual(labels("build/host/zl-results"), ["build/host"])
        self.assertEqual(labels("build/host", "build/host"), ["1: host", "2: host"])
        self.assertEqual(labels("zl-results"), ["zl-results"])

    # The command

    def test_the_command_writes_the_page_and_nothing_else(self):
        self.set_of(result_files.result(), result_files.result("mm"))
        output = self.folder / "out" / "report.html"
        output.parent.mkdir()
        done = self.command(self.folder / "night1", "-o", output)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, "cases 2, result sets 1, .* MB")
        self.assertEqual(list(output.parent.iterdir()), [output])

    def test_bad_input_is_2_with_a_message_and_leaves_the_old_page(self):
        self.set_of(result_files.result())
        output = self.folder / "report.html"
        output.write_text("old")
        broken = self.folder / "broken.json"
        empty = self.folder / "empty"
        empty.mkdir()
        full = json.dumps(result_files.document(result_files.result()))
        for path, content, message in (
            (broken, full[:200], "broken.json.*not complete JSON"),
            (broken, full.replace("10.0", "NaN"), "broken.json.*NaN"),
            (empty, None, "empty.*no result file"),
            (self.folder / "absent", None, "absent.*no such file"),
        ):
            with self.subTest(message):
                if content:
                    path.write_text(content)
                done = self.command(self.folder / "night1", path, "-o", output)
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr, message)
                self.assertNotIn("Traceback", done.stderr)
                self.assertEqual(output.read_text(), "old")

    def test_a_page_that_cannot_be_written_is_2_and_named(self):
        self.set_of(result_files.result())
        for output in (self.folder / "absent" / "report.html", self.folder):
            done = self.command(self.folder / "night1", "-o", output)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, f"report: {re.escape(str(output))}: cannot be written")

    def test_stand_ins_and_mixed_devices_are_shown_not_refused(self):
        self.set_of(result_files.result(),
                    result_files.result("mm", device_name="MUSA stand-in"))
        done = self.command(self.folder / "night1", "-o", self.folder / "r.html")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
