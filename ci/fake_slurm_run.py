"""For tests of ci/slurm/run.py: a project of fake perf tests without a compiler, in a path with a
space, and a Slurm that runs its tasks on this machine."""

import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import result_files
import slurm_run
from ctest_parts import read_test_part
from fake_cdash import TOKEN
from fake_slurm import FakeSlurm

RUN = pathlib.Path(__file__).resolve().parent / "slurm" / "run.py"
PRESETS = """{"version": 6, "configurePresets": [{"name": "fake", "generator": "Ninja",
"binaryDir": "${sourceDir}/build/fake"}]}"""
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(fake NONE)
include(CTest)
add_test(NAME unit COMMAND false)
add_test(NAME doctor.cuda COMMAND true)
set_tests_properties(doctor.cuda PROPERTIES FIXTURES_SETUP doctor LABELS doctor)
file(COPY measure DESTINATION "${CMAKE_BINARY_DIR}")
function(perf name code)
  add_test(NAME ${name} COMMAND "${CMAKE_BINARY_DIR}/measure" ${name} ${code})
  set_tests_properties(${name} PROPERTIES LABELS "perf;cuda" FIXTURES_REQUIRED doctor
    SKIP_RETURN_CODE 77 ${ARGN})
endfunction()
"""
MEASURE = """#!/bin/sh
mkdir -p "$ZL_RESULT_DIR" && cp "$(dirname "$0")/../../json/$1.json" "$ZL_RESULT_DIR"
echo '<CTestMeasurement type="numeric/double" name="latency_us">1.5</CTestMeasurement>'
echo '<CTestMeasurement type="text/string" name="device">NVIDIA H200</CTestMeasurement>'
echo "$1 $CTEST_RESOURCE_GROUP_0_CUDA" >> "$(dirname "$0")/../../ran"
exit $2
"""
SHAPES = range(1, 11)


def name_of(shape: int) -> str:
    return f"perf.cuda.add.own.f32.{shape}"


NAMES = [name_of(shape) for shape in SHAPES]


@unittest.skipUnless(shutil.which("ctest") and shutil.which("ninja"), "no ctest or no ninja")
class FakeSlurmRun(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="zl slurm ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.source = self.folder / "a source"
        self.build = self.source / "build" / "fake"
        (self.source / "json").mkdir(parents=True)
        for shape in SHAPES:
            of = result_files.result(latency=1.5, id={"shape": str(shape)})
            (self.source / "json" / f"{name_of(shape)}.json").write_text(
                json.dumps(result_files.document(of)))
        (self.source / "measure").write_text(MEASURE)
        (self.source / "measure").chmod(0o755)
        (self.source / "CMakePresets.json").write_text(PRESETS)
        self.write_tests({})
        self.slurm = FakeSlurm(self.folder / "slurm")
        self.output = ""

    def write_tests(self, codes: dict[int, int], properties: str = "") -> None:
        (self.source / "CMakeLists.txt").write_text(PROJECT + "".join(
            f"perf({name_of(shape)} {codes.get(shape, 0)} {properties})\n" for shape in SHAPES))

    def environment(self, **more: str) -> dict[str, str]:
        kept = {k: v for k, v in self.slurm.environment().items()
                if not k.startswith(("ZL_", "CTEST_", "SLURM_", "CUDA_VISIBLE"))}
        return {**kept, "ZL_DASHBOARD_SOURCE": str(self.source), **more}

    def run_it(self, *options: str, **environment: str) -> int:
        options = ("--poll", "0.05", "--preset", "fake", *options)
        ran = subprocess.run([sys.executable, str(RUN), *options], cwd=self.folder, timeout=120,
                             env=self.environment(**environment), stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False)
        self.output = ran.stdout
        return ran.returncode

    def cdash(self, url: str) -> dict[str, str]:
        (self.folder / "token").write_text(TOKEN)
        return {"ZL_CDASH_URL": url, "ZL_CDASH_TOKEN_FILE": str(self.folder / "token"),
                "ZL_CDASH_SITE": "cluster", "ZL_CDASH_WAIT_S": "0.3"}

    def results(self) -> list[str]:
        return sorted(file.stem for file in (self.build / "zl-results").glob("*"))

    def merged(self) -> dict[str, str]:
        (file,) = self.build.glob("Testing/*/Test.xml")
        tests = read_test_part(file.read_bytes()).tests
        found = {test.name: test.status for test in tests}
        self.assertEqual(len(found), len(tests), "a test is there twice")
        return found

    def shards(self, submission: int) -> list[list[str]]:
        run = slurm_run.newest(self.build)
        return [sorted(shard) for shard in run.submissions()[submission]]

    def ran(self) -> collections.Counter[str]:
        lines = (self.source / "ran").read_text().splitlines()
        return collections.Counter(line.split()[0] for line in lines)

    def assert_all_there(self) -> None:
        self.assertEqual(self.results(), sorted(NAMES))
        self.assertEqual(self.merged(), dict.fromkeys([*NAMES, "doctor.cuda"], "passed"))
