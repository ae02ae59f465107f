"""python3 -m unittest discover ci"""

import contextlib
import io
import pathlib
import re
import subprocess
import tempfile
import unittest

import cost_data
from case_seconds import COST_DATA
from result_files import result, write

TESTS = ("brief", "longest", "long", "unknown")


def name(op: str) -> str:
    return f"perf.cuda.{op}.own.f32.4096"


class CostData(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.build = pathlib.Path(temporary.name) / "build"
        self.results = pathlib.Path(temporary.name) / "results"
        self.build.mkdir()
        self.file = self.build / COST_DATA
        (self.build / "CTestTestfile.cmake").write_text(
            "".join(f'add_test([=[{name(op)}]=] "sleep" "0.05")\n' for op in TESTS))
        write(self.results, result("brief", wall_s=1.0), result("longest", wall_s=9.0),
              result("long", wall_s=5.0), result("of_another_build", wall_s=99.0))

    def main(self, *arguments: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cost_data.main([*arguments])
        return code, out.getvalue(), err.getvalue()

    def started(self) -> list[str]:
        done = subprocess.run(["ctest", "-j2"], cwd=self.build, capture_output=True, text=True)
        return re.findall(r"Start +\d+: perf\.cuda\.(\w+)\.", done.stdout)

    def test_the_longest_start_first(self):
        code, out, err = self.main(str(self.results), str(self.build))
        self.assertEqual((code, err), (0, ""))
        self.assertIn("4 tests, 3 of them known", out)
        # the median of cuda's known ones is 7 s
        self.assertEqual(self.started(), ["longest", "unknown", "long", "brief"])

    def test_what_ctest_knows_of_failed_tests_stays(self):
        self.file.parent.mkdir(parents=True)
        self.file.write_text(f"{name('brief')} 7 70\n---\n{name('brief')}\n")
        self.assertEqual(self.main(str(self.results), str(self.build))[0], 0)
        lines = self.file.read_text().splitlines()
        self.assertIn(f"{name('brief')} 1 1", lines)
        self.assertEqual(lines[-2:], ["---", name("brief")])
        self.assertEqual(len(lines), 6)

    def test_bad_input_exits_2_and_writes_nothing(self):
        for arguments, says in (((str(self.results), str(self.results)), "not a build directory"),
                                (("nowhere", str(self.build)), "nowhere")):
            code, out, err = self.main(*arguments)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(says, err)
        self.assertFalse(self.file.exists())


if __name__ == "__main__":
    unittest.main()
