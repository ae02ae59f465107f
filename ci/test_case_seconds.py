"""python3 -m unittest discover ci"""

import pathlib
import subprocess
import tempfile
import unittest

from case_seconds import COST_DATA, UNKNOWN_SECONDS, estimated_seconds, seconds_by_test
from result_files import result, write
from result_set import ResultSetError

ADD = "perf.cuda.add.own.f32.4096"


class SecondsByTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def cost_data(self, text: str, build: str = "build") -> pathlib.Path:
        file = self.folder / build / COST_DATA
        file.parent.mkdir(parents=True)
        file.write_text(text)
        return file

    def test_results_tell_the_time_of_their_whole_case(self):
        write(self.folder / "a", result(wall_s=1.5), result("mm", None, verdict="hung", wall_s=60),
              result("old"), result("none", None, verdict="skipped", wall_s=0.2))
        self.assertEqual(seconds_by_test([self.folder / "a"]),
                         {ADD: 1.5, "perf.cuda.mm.own.f32.4096": 60})

    def test_ctests_cost_data_is_read_up_to_the_failed_tests(self):
        file = self.cost_data(f"{ADD} 1 0.25\nnever.ran 0 0\n---\nfailed\n")
        self.assertEqual(seconds_by_test([file]), {ADD: 0.25})
        self.assertEqual(seconds_by_test([file.parents[2]]), {ADD: 0.25})

    def test_what_ctest_writes_is_read(self):
        (self.folder / "CTestTestfile.cmake").write_text(
            'add_test([=[slow one]=] "sleep" "0.1")\nadd_test(failing "false")\n')
        subprocess.run(["ctest"], cwd=self.folder, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        (known,) = seconds_by_test([self.folder / COST_DATA]).items()
        self.assertEqual(known[0], "slow one")
        self.assertTrue(0.1 <= known[1] < 10, known)

    def test_in_a_build_results_count_before_cost_data_and_the_last_source_before_others(self):
        file = self.cost_data(f"{ADD} 3 0.5\nunit 1 9\n")
        build = file.parents[2]
        write(build / "zl-results", result(wall_s=1.5))
        self.assertEqual(seconds_by_test([build]), {ADD: 1.5, "unit": 9})
        self.assertEqual(seconds_by_test([build, file])[ADD], 0.5)
        self.assertEqual(seconds_by_test([file, build / "zl-results"])[ADD], 1.5)

    def test_what_cannot_be_read_is_an_error_that_names_it(self):
        for text in ("a b c\n", "one\n", "x 1 y\n"):
            file = self.cost_data(text, build=text.strip())
            with self.assertRaisesRegex(ResultSetError, "no line of CTest's cost data"):
                seconds_by_test([file])
        with self.assertRaisesRegex(ResultSetError, "nowhere"):
            seconds_by_test([self.folder / "nowhere"])

    def test_a_test_that_is_not_known_takes_as_long_as_its_like(self):
        known = {ADD: 1.0, "perf.cuda.add.own.f16.8": 2.0, "perf.cuda.add.x.f16.8": 9.0,
                 "perf.cuda.mm.own.f32.1": 20.0, "perf.host.add.own.f32.1": 0.5, "unit": 3.0}
        self.assertEqual(
            estimated_seconds([ADD, "perf.cuda.add.own.f32.1", "perf.cuda.new.own.f32.1",
                               "perf.musa.add.own.f32.1", "unit", "unit.other"], known),
            {ADD: 1.0, "perf.cuda.add.own.f32.1": 2.0, "perf.cuda.new.own.f32.1": 5.5,
             "perf.musa.add.own.f32.1": UNKNOWN_SECONDS, "unit": 3.0,
             "unit.other": UNKNOWN_SECONDS})


if __name__ == "__main__":
    unittest.main()
