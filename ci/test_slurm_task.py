"""python3 -m unittest discover ci: the test directory that a task of ci/slurm/run.py makes."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from typing import Any

import many_cases
import slurm_plan
import slurm_run
from ctest_list import fingerprint_of, listing, properties

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "slurm"))

import task  # noqa: E402

# As CMake writes them, with what is hard to hand on: empty arguments, lists, CMake's own
# characters, names that are lists. A name of one test is an argument of another.
TESTS = r"""
add_test([=[setup]=] "true")
set_tests_properties([=[setup]=] PROPERTIES FIXTURES_SETUP "card")
add_test([=[setup other]=] "false")
set_tests_properties([=[setup other]=] PROPERTIES FIXTURES_SETUP "other" LABELS "perf-like")
add_test([=[unit]=] "false")
add_test([=[perf.a]=] "/bin/echo" "" "a;b" "\${c} \"d\" \\e [[f]] ]======] x" "
g]======]" "perf.b" "PROPERTIES" "")
set_tests_properties([=[perf.a]=] PROPERTIES LABELS "perf;cuda"
  ENVIRONMENT "A=1;B=[======[ x ]======];C=" FIXTURES_REQUIRED "card" TIMEOUT "7"
  RESOURCE_GROUPS "2,cuda:1" _BACKTRACE_TRIPLES "x;1;y;;0;")
add_test([=[perf.b]=] "/bin/echo" "b")
set_tests_properties([=[perf.b]=] PROPERTIES LABELS "perf" SKIP_RETURN_CODE "77"
  FIXTURES_REQUIRED "other")
add_test([=[perf.c;d]=] "/bin/echo" "perf.a")
set_tests_properties([=[perf.a]=] [=[perf.b]=] [=[perf.c;d]=] [=[gone]=] PROPERTIES COST "5")
subdirs("below")
"""
BELOW = """add_test("perf.]=" "/bin/echo" "e")
set_tests_properties("perf.]=" PROPERTIES LABELS "perf")
set_tests_properties("perf.c;d" PROPERTIES LABELS "perf")
"""
PERF = ("perf.a", "perf.b", "perf.c;d", "perf.]=")


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
        self.whole = {test["name"]: test for test in listing(self.build)}
        prints = {name: fingerprint_of(test) for name, test in self.whole.items() if name != "unit"}
        self.run_ = slurm_run.create(self.build, slurm_run.Plan(
            preset="fake", build=str(self.build), tag="1", stamp="1-g", backend="host",
            gpus_per_task=0, gres="", options=[], spec=False, tests=prints,
            seconds=dict.fromkeys(PERF, 1.0), executables={}))

    def listed(self, *tests: str) -> list[dict[str, Any]]:
        folder = self.folder / "task"
        shutil.rmtree(folder, ignore_errors=True)
        task.prepare(self.run_, folder, tests)
        return task.listed_tests(self.run_, folder, tests)

    def test_it_has_the_tests_of_its_shard_and_the_fixtures_that_they_need(self) -> None:
        names = [test["name"] for test in self.listed("perf.a", "perf.]=", "perf.c;d")]
        self.assertEqual(sorted(names), ["perf.]=", "perf.a", "perf.c;d", "setup"])

    def test_they_run_and_nothing_else_does(self) -> None:
        tests = ("perf.]=", "perf.c;d")
        command = task.begin(self.run_, self.folder / "task", tests)
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertEqual(set(re.findall(r"Start +\d+: (\S+)", ran.stdout)), set(tests))

    def test_a_part_that_lacks_one_or_has_it_twice_is_refused(self) -> None:
        file = self.folder / "Test.xml"
        for ran in (["perf.a"], ["perf.a", "perf.b", "perf.b"]):
            file.write_text(many_cases.test_xml(self.build, ran))
            with self.assertRaisesRegex(slurm_run.RunError, "perf.b is in it"):
                task.check_part(file, ("perf.a", "perf.b"))
        file.write_text(many_cases.test_xml(self.build, ["setup", "perf.b", "perf.a"]))
        task.check_part(file, ("perf.a", "perf.b"))

    def test_they_are_what_they_are_in_the_build(self) -> None:
        self.assertEqual(self.whole["perf.a"]["command"], [
            "/bin/echo", "", "a;b", '${c} "d" \\e [[f]] ]======] x', "\ng]======]", "perf.b",
            "PROPERTIES", ""])
        self.assertEqual(properties(self.whole["perf.a"])["ENVIRONMENT"],
                         ["A=1", "B=[======[ x ]======]", "C="])
        self.assertEqual(properties(self.whole["perf.c;d"])["COST"], 5)
        # By themselves, too: what is set for several tests at once names another first.
        for shard in (PERF, *((name,) for name in PERF)):
            listed = self.listed(*shard)
            self.assertLessEqual(set(shard), {test["name"] for test in listed})
            for test in listed:
                was = self.whole[test["name"]]
                self.assertEqual(test["command"], was["command"])
                self.assertEqual(properties(test), properties(was))

    def test_ctest_is_told_of_no_other_shards_tests(self) -> None:
        told = self.folder / "told"
        log = "\n".join(f'function(_{command})\n file(APPEND {task.quoted(told)} "${{ARGV0}}\\n")\n'
                        "endfunction()" for command in ("add_test", "set_tests_properties"))
        alone = TESTS.replace("[=[perf.b]=] [=[perf.c;d]=] [=[gone]=] PROPERTIES", "PROPERTIES")
        self.assertNotEqual(alone, TESTS)
        (self.build / "CTestTestfile.cmake").write_text(log + alone)
        with self.assertRaises(slurm_run.RunError):  # there are none, now
            self.listed("perf.]=")
        self.assertEqual(set(told.read_text().splitlines()), {"perf.]=", "setup", "setup other"})

    def test_one_that_is_gone_or_another_now_is_told(self) -> None:
        file = self.build / "CTestTestfile.cmake"
        for old, new in (('add_test([=[perf.a]=] "/bin/echo"', 'add_test([=[perf.x]=] "/bin/echo"'),
                         ('LABELS "perf;cuda"', 'LABELS "unit"'), ('TIMEOUT "7"', 'TIMEOUT "8"'),
                         ('"perf.b" "PROPERTIES" ""', '"PROPERTIES"'),
                         ('FIXTURES_REQUIRED "card"', 'FIXTURES_REQUIRED "card;more"')):
            self.assertIn(old, TESTS)
            file.write_text(TESTS.replace(old, new))
            with self.assertRaisesRegex(slurm_run.RunError, r"not those of the plan .*perf\.a"):
                self.listed("perf.a", "perf.b")
        file.write_text(TESTS.replace('[=[setup]=] "true"', '[=[setup]=] "false"'))
        with self.assertRaisesRegex(slurm_run.RunError, "not those of the plan .*setup"):
            self.listed("perf.a")
        self.listed("perf.b")


@unittest.skipUnless(shutil.which("ctest"), "no ctest")
class Plan(unittest.TestCase):
    def cases(self, tests: str) -> slurm_plan.Cases:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "CTestTestfile.cmake").write_text(tests)
            return slurm_plan.find_cases(pathlib.Path(folder), "", [])

    def perf(self, name: str, more: str = "") -> str:
        return (f'add_test({name} "true")\n'
                f'set_tests_properties({name} PROPERTIES LABELS "perf" {more})\n')

    def test_it_has_all_fixtures_and_a_print_of_each_test(self) -> None:
        both = self.perf("perf.host.a", 'FIXTURES_REQUIRED "one;two"')
        setup = "".join(f'add_test({name} "true")\nset_tests_properties({name} PROPERTIES '
                        f'FIXTURES_SETUP "{name}")\n' for name in ("one", "two", "three"))
        setup += 'set_tests_properties(three PROPERTIES LABELS "perf-like")\n'
        cases = self.cases(both + setup)
        self.assertEqual(list(cases.tests), ["perf.host.a"])
        self.assertEqual(set(cases.fixtures), {"one", "two"})
        self.assertEqual(set(cases.prints), {"perf.host.a", "one", "two"})

    def test_what_shards_would_break_is_refused(self) -> None:
        for tests, word in (
                (self.perf("perf.host.a") * 2, "two tests named perf.host.a"),
                (self.perf("perf.host.a", 'FIXTURES_SETUP "x"'), "perf.host.a is .* a fixture"),
                (self.perf("perf.host.a", 'FIXTURES_CLEANUP "x"'), "perf.host.a is .* a fixture")):
            with self.assertRaisesRegex(slurm_run.RunError, word):
                self.cases(tests)


if __name__ == "__main__":
    unittest.main()
