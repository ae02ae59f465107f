"""python3 -m unittest discover ci"""

import contextlib
import io
import json
import os
import pathlib
import shlex
import re
import sys
import tempfile
import unittest
from unittest import mock

import clang_tidy
from clang_tidy import HARNESS

# Finds something in fault.cpp.
TOOL = """#!/bin/sh
echo "$@" >> {log}
case "$*" in *fault.cpp*) echo "fault.cpp:1:1: error: it is wrong [bugprone-it]"; exit 1;; esac
"""


class ClangTidy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        self.tool, self.log = self.build / "tool", self.build / "log"
        self.tool.write_text(TOOL.format(log=self.log))
        self.tool.chmod(0o755)

    def compiles(self, *files: pathlib.Path) -> None:
        entries = [{"file": str(file), "directory": str(self.build),
                    "command": "ccache g++ -DX -Wall -Wno-restrict -o x.o -c "
                               + shlex.quote(str(file))}
                   for file in files]
        (self.build / "compile_commands.json").write_text(json.dumps(entries))

    def unity(self, *sources: pathlib.Path) -> pathlib.Path:
        file = self.build / f"unity_{len(list(self.build.iterdir()))}_cxx.cxx"
        file.write_text("".join(f'#include "{source}"\n' for source in sources))
        return file

    def run_tool(self, *flags: str) -> int:
        out = io.StringIO()
        argv = ["clang_tidy.py", str(self.build), "--clang-tidy", str(self.tool), *flags]
        with mock.patch.object(sys, "argv", argv), contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(out):
            code = clang_tidy.main()
        self.said = out.getvalue()
        return code

    def checked(self) -> list[str]:
        return sorted(re.findall(r" (/[^=]*) -- ", self.log.read_text()))

    def test_only_the_harness_is_checked_and_its_tests_where_asked_for(self):
        unity = self.unity(HARNESS / "cli/a.cpp", HARNESS / "cli/b.cpp")
        mixed = self.unity(HARNESS / "cli/a.cpp", HARNESS / "tests/cli/t.cpp")
        vendor = HARNESS / "tests/musa_standin/v.cpp"
        self.compiles(HARNESS / "main.cpp", HARNESS / "main.cpp", unity, mixed, vendor,
                      HARNESS / "tests/t.cpp", HARNESS.parent / "ops/o.cpp")
        self.assertEqual(self.run_tool(), 0)
        self.assertEqual(self.checked(), sorted([str(HARNESS / "main.cpp"), str(unity)]))
        self.assertIn("2 sources checked", self.said)
        self.log.unlink()
        self.assertEqual(self.run_tool("--tests"), 0)
        self.assertEqual(self.checked(), sorted(map(str, [
            HARNESS / "main.cpp", unity, mixed, HARNESS / "tests/t.cpp"])))

    def test_what_test_frameworks_are_is_no_finding_in_tests_only(self):
        self.compiles(HARNESS / "main.cpp", HARNESS / "tests/t.cpp")
        self.run_tool("--tests")
        off = {re.search(r" (/[^=]*) -- ", line)[1]: re.findall(r"--checks=(\S+)", line)
               for line in self.log.read_text().splitlines()}
        self.assertEqual(off, {str(HARNESS / "main.cpp"): [],
                               str(HARNESS / "tests/t.cpp"): [clang_tidy.OFF_IN_TESTS]})

    def test_it_is_given_the_compilers_arguments_without_warnings(self):
        self.compiles(HARNESS / "main.cpp")
        self.run_tool()
        self.assertIn(f"{HARNESS / 'main.cpp'} -- -DX -fsyntax-only\n", self.log.read_text())

    def test_a_finding_is_shown_and_is_the_exit_code(self):
        self.compiles(HARNESS / "fault.cpp", HARNESS / "main.cpp")
        self.assertEqual(self.run_tool(), 1)
        self.assertIn("it is wrong [bugprone-it]", self.said)
        self.assertIn("2 sources checked", self.said)
        self.assertIn("1 with findings", self.said)

    def test_nothing_to_check_is_no_success(self):
        self.assertEqual(self.run_tool(), 2)
        self.compiles()
        self.assertEqual(self.run_tool(), 2)
        self.tool = pathlib.Path("/no/such/clang-tidy")
        self.compiles(HARNESS / "main.cpp")
        self.assertEqual(self.run_tool(), 2)
        self.assertIn("there is no /no/such/clang-tidy", self.said)

    def test_headers_of_the_harness_match_and_those_of_the_stand_in_do_not(self):
        matches = re.compile(clang_tidy.header_filter()).search
        for inside in ("main.cpp", "cli/flags.hpp", "include/zl/case.hpp", "tests/fake/fault.hpp",
                       "device/host/host_info.cpp"):
            self.assertTrue(matches(f"{HARNESS}/{inside}"), inside)
        for outside in ("tests/musa_standin/sdk/include/musa_runtime_api.h",
                        "tests/musa/../musa_standin/musa_standin.hpp"):
            self.assertFalse(matches(f"{HARNESS}/{outside}"), outside)
        self.assertFalse(matches("/usr/include/gtest/gtest.h"))


if __name__ == "__main__":
    os.chdir(pathlib.Path(__file__).parent)
    unittest.main()
