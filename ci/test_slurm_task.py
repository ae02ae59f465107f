"""python3 -m unittest discover ci: the test directory that a task of ci/slurm/run.py makes."""

import pathlib
import shutil
import sys
import tempfile
import unittest
from typing import Any

import slurm_run
from ctest_list import listing, properties

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "slurm"))

import task  # noqa: E402

# As CMake writes them, with what is hard to hand on: empty arguments, lists, CMake's own characters.
# A name of one test is an argument of another.
TESTS = r"""
add_test([=[setup]=] "true")
set_tests_properties([=[setup]=] PROPERTIES FIXTURES_SETUP "card")
add_test([=[setup other]=] "false")
set_tests_properties([=[setup other]=] PROPERTIES FIXTURES_SETUP "other")
add_test([=[unit]=] "false")
add_test([=[perf.a]=] "/bin/echo" "" "a;b" "\${c} \"d\" \\e [[f]] ]=]" "
g" "perf.b" "PROPERTIES" "")
set_tests_properties([=[perf.a]=] PROPERTIES LABELS "perf;cuda" ENVIRONMENT "A=1;B=x y;C="
  FIXTURES_REQUIRED "card" TIMEOUT "7" RESOURCE_GROUPS "2,cuda:1" _BACKTRACE_TRIPLES "x;1;y;;0;")
add_test([=[perf.b]=] "/bin/echo" "b")
set_tests_properties([=[perf.b]=] PROPERTIES LABELS "perf" SKIP_RETURN_CODE "77"
  FIXTURES_REQUIRED "other")
add_test([=[perf.c d]=] "/bin/echo" "perf.a")
set_tests_properties([=[perf.a]=] [=[perf.b]=] [=[perf.c d]=] [=[gone]=] PROPERTIES COST "5")
subdirs("below")
"""
BELOW = """add_test("perf.e" "/bin/echo" "e")
set_tests_properties("perf.e" PROPERTIES LABELS "perf")
set_tests_properties("perf.c d" PROPERTIES LABELS "perf")
"""


@unittest.skipUnless(shutil.which("ctest"), "no ctest")
class SlurmTask(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="zl ]] ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.build = self.folder / "build"
        (self.build / "below").mkdir(parents=True)
        (self.build / "CTestTestfile.cmake").write_text(TESTS)
        (self.build / "below" / "CTestTestfile.cmake").write_text(BELOW)
        self.run_ = slurm_run.create(self.build, slurm_run.Plan(
            preset="fake", build=str(self.build), tag="1", stamp="1-g", backend="cuda",
            gpus_per_task=0, gres="", options=[], spec=False, fixtures=["setup", "setup other"],
            seconds=dict.fromkeys(["perf.a", "perf.b", "perf.c d", "perf.e"], 1.0),
            executables={}))

    def listed(self, *tests: str) -> list[dict[str, Any]]:
        folder = self.folder / "task"
        task.prepare(self.run_, folder, tests)
        return task.listed_tests(self.run_, folder, tests)

    def test_it_has_the_tests_of_its_shard_and_the_fixtures_that_they_need(self) -> None:
        names = [test["name"] for test in self.listed("perf.a", "perf.e", "perf.c d")]
        self.assertEqual(sorted(names), ["perf.a", "perf.c d", "perf.e", "setup"])

    def test_they_are_what_they_are_in_the_build(self) -> None:
        tests = ("perf.a", "perf.b", "perf.c d", "perf.e")
        whole = {test["name"]: test for test in listing(self.build)}
        self.assertEqual(whole["perf.a"]["command"], [
            "/bin/echo", "", "a;b", '${c} "d" \\e [[f]] ]=]', "\ng", "perf.b", "PROPERTIES", ""])
        self.assertEqual(properties(whole["perf.c d"])["COST"], 5)
        listed = self.listed(*tests)
        self.assertEqual(len(listed), 6)
        for test in listed:
            was = whole[test["name"]]
            self.assertEqual(test["command"], was["command"])
            self.assertEqual(properties(test), properties(was))

    def test_a_test_that_is_gone_or_is_no_perf_test_any_more_is_told(self) -> None:
        below = self.build / "below" / "CTestTestfile.cmake"
        for replaced, name in (("perf.e", "perf.x"), ('"perf"', '"unit"')):
            below.write_text(BELOW.replace(replaced, name))
            shutil.rmtree(self.folder / "task", ignore_errors=True)
            with self.assertRaisesRegex(slurm_run.RunError, "not those of the plan .*perf.e"):
                self.listed("perf.a", "perf.e")


if __name__ == "__main__":
    unittest.main()
