"""python3 -m unittest discover ci: ci/dashboard.cmake against a server on loopback.

The measured project is a folder of fake perf tests without a compiler.
"""

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

import spool
from ctest_parts import read_test_part
from fake_cdash import TOKEN, FakeCdash

CI = pathlib.Path(__file__).parent
TAG = '<CTestMeasurement type=\\"{}\\" name=\\"{}\\">{}</CTestMeasurement>'
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(fake NONE)
include(CTest)
function(perf name command)
  add_test(NAME perf.cuda.${name} COMMAND sh -c "${command}")
  set_tests_properties(perf.cuda.${name} PROPERTIES LABELS perf)
endfunction()
add_test(NAME unit COMMAND false)
"""
PRESETS = """{"version": 6, "configurePresets": [{"name": "fake", "generator": "Ninja",
"binaryDir": "${sourceDir}/elsewhere"}]}"""


def test(name: str, latency: str, device: str = "NVIDIA H200", then: str = "") -> str:
    tags = "; ".join(f"echo '{TAG.format(kind, key, value)}'" for kind, key, value in
                     (("numeric/double", "latency_us", latency), ("text/string", "device", device)))
    return f'perf({name} "{tags}{then}")\n'


GOOD = test("add", "1.5") + test("mul", "2.25")
FAILING = GOOD + test("bad", "9.5", then="; exit 7") + 'perf(worse "exit 3")\n'


@unittest.skipUnless(shutil.which("ctest") and shutil.which("ninja"), "no ctest or no ninja")
class Dashboard(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.source = self.folder / "source"
        self.build = self.source / "build" / "fake"
        self.spool = self.source / "build" / "zl-spool"
        self.source.mkdir()
        (self.folder / "token").write_text(TOKEN)
        self.output = ""

    def run_dashboard(self, url: str, tests: str, preset: str = "fake", group: str = "Nightly",
                      **environment: str) -> int:
        (self.source / "CMakeLists.txt").write_text(PROJECT + tests)
        (self.source / "CMakePresets.json").write_text(PRESETS)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ZL_", "CTEST_"))}
        env = {**kept, "ZL_CDASH_URL": url, "ZL_CDASH_TOKEN_FILE": str(self.folder / "token"),
               "ZL_DASHBOARD_SOURCE": str(self.source), "ZL_CDASH_SITE": "lab1",
               "ZL_CDASH_WAIT_S": "0.3", **environment}
        ran = subprocess.run([sys.executable, str(CI / "dashboard.py"), preset, group], env=env,
                             cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, timeout=120, check=False)
        self.output = ran.stdout
        self.assertNotIn(TOKEN, self.output)
        for file in self.folder.rglob("*"):  # logs, parts, results, spool
            if file.is_file() and file.name != "token":
                self.assertNotIn(TOKEN.encode(), file.read_bytes(), file)
        return ran.returncode

    def assert_on_server(self, cdash: FakeCdash, tests: dict[str, str]) -> None:
        self.assertEqual(len(cdash.builds), 1, self.output)
        build = cdash.builds[0]
        self.assertEqual({t["name"]: t["status"] for t in build.tests}, tests)
        self.assertEqual((build.site, build.name), ("lab1", "cuda-NVIDIA_H200-no_compiler"))
        self.assertRegex(build.stamp, r"^\d{8}-\d{4}-Nightly$")
        self.assertEqual(build.parts, ["Configure", "Build", "Test", "Done"])
        self.assertEqual(cdash.seen, [])
        self.assertEqual(spool.waiting(self.spool), ([], []))

    def assert_in_spool(self, tests: dict[str, str]) -> None:
        (entry,), damaged = spool.waiting(self.spool)
        self.assertEqual(damaged, [])
        self.assertEqual(list(entry.parts()), ["Configure", "Build", "Test"])
        found = read_test_part(entry.parts()["Test"]).tests
        self.assertEqual({t.name: t.latency_us for t in found}, tests)
        self.assertRegex(self.output, r"submit\.py'? --spool")  # quoted where the path has a space

    def test_a_run_is_measured_submitted_and_read_back(self) -> None:
        (self.build / "zl-results").mkdir(parents=True)
        (self.build / "zl-results" / "perf.cuda.gone.json").write_text("{}")  # of an earlier run
        requires = 'perf(requires "test \\"$ZL_REQUIRE_DEVICE\\" = 1")\n'
        with FakeCdash().serving() as cdash:
            self.assertEqual(self.run_dashboard(cdash.url, GOOD + requires), 0, self.output)
            self.assert_on_server(cdash, {"perf.cuda.add": "PASSED", "perf.cuda.mul": "PASSED",
                                          "perf.cuda.requires": "PASSED"})
        self.assertFalse((self.build / "zl-results").exists())

    def test_a_run_whose_tests_fail_is_submitted_and_fails(self) -> None:
        with FakeCdash().serving() as cdash:
            # Paths may be relative.
            code = self.run_dashboard(cdash.url, FAILING, ZL_DASHBOARD_SOURCE="source",
                                      ZL_CDASH_TOKEN_FILE="token", ZL_CDASH_SPOOL="spool")
            self.assertEqual(code, 1, self.output)
            self.assert_on_server(cdash, {"perf.cuda.add": "PASSED", "perf.cuda.mul": "PASSED",
                                          "perf.cuda.bad": "FAILED", "perf.cuda.worse": "FAILED"})

    def test_a_run_that_measured_nothing_fails(self) -> None:
        for tests in ('perf(green "true")\n', ""):
            with self.subTest(tests), FakeCdash().serving() as cdash:
                self.setUp()
                self.assertEqual(self.run_dashboard(cdash.url, tests), 1, self.output)
                self.assertIn("no perf test measured anything", self.output)
                self.assertEqual(cdash.builds[0].name, "cuda-no_device-no_compiler"
                                 if tests else "fake-no_device-no_compiler")

    def test_a_server_that_does_not_keep_the_results_leaves_them_in_the_spool(self) -> None:
        for behaviour in ({"status": {"Test": 500}}, {"status": {"Configure": 403}},
                          {"lost": {"Test"}}):
            with self.subTest(behaviour), FakeCdash(**behaviour).serving() as cdash:
                self.setUp()
                self.assertEqual(self.run_dashboard(cdash.url, GOOD), 3, self.output)
                self.assert_in_spool({"perf.cuda.add": "1.5", "perf.cuda.mul": "2.25"})
                self.assertEqual(cdash.seen, [])

    def test_failed_tests_and_a_server_that_is_down_are_told_together(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}"
            self.assertEqual(self.run_dashboard(url, FAILING), 4, self.output)
        self.assert_in_spool({"perf.cuda.add": "1.5", "perf.cuda.mul": "2.25",
                              "perf.cuda.bad": "9.5", "perf.cuda.worse": ""})

    def test_results_of_a_stand_in_device_are_not_submitted(self) -> None:
        with FakeCdash().serving() as cdash:
            tests = test("add", "1.5", device="MUSA stand-in")
            self.assertEqual(self.run_dashboard(cdash.url, tests), 2, self.output)
            self.assertEqual(cdash.received, [])

    def test_a_build_that_fails_is_submitted_without_tests(self) -> None:
        broken = 'add_custom_target(broken ALL COMMAND false)\n'
        with FakeCdash().serving() as cdash:
            self.assertEqual(self.run_dashboard(cdash.url, broken), 1, self.output)
            self.assertIn("the build failed", self.output)
            self.assertEqual(cdash.builds[0].parts, ["Configure", "Build", "Done"])

    def test_a_tag_that_changes_under_the_run_does_not_split_it(self) -> None:
        """As where another CTest of the next UTC day begins in the same build folder."""
        midnight = ("; printf '20991231-2359\\\\nNightly\\\\nNightly\\\\n' > "
                    f"{self.build}/Testing/TAG")
        with FakeCdash().serving() as cdash:
            tests = test("add", "1.5", then=midnight) + test("mul", "2.25")
            self.assertEqual(self.run_dashboard(cdash.url, tests), 0, self.output)
            self.assertIn("20991231", (self.build / "Testing" / "TAG").read_text())
            self.assert_on_server(cdash, {"perf.cuda.add": "PASSED", "perf.cuda.mul": "PASSED"})

    def test_what_cannot_work_is_said_before_measuring(self) -> None:
        for url, preset, word in (("", "fake", "ZL_CDASH_URL"), ("http://h", "nosuch", "no preset"),
                                  ("http://h", "a b", "usage")):
            self.assertEqual(self.run_dashboard(url, GOOD, preset=preset), 2)
            self.assertIn(word, self.output)
            self.assertFalse(self.build.exists())


if __name__ == "__main__":
    unittest.main()
