#!/usr/bin/env python3
"""Test of ci/slurm/run.py on a real Slurm of three nodes, all on this machine: op axpy on host,
four shards, a node lost in the middle, an interruption, another node lost in the middle.

Where Slurm is not installed it fails: `ci/setup.sh --all` installs it.
"""

import argparse
import collections
import contextlib
import fcntl
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator

import slurm_run
from ctest_parts import read_test_part
from fake_cdash import TOKEN, FakeCdash
from result_set import read_result_set
from slurm_cluster import Cluster, environments

CI = pathlib.Path(__file__).resolve().parent
RUN = CI / "slurm" / "run.py"
LISTS = """cmake_minimum_required(VERSION 3.25)
project(their_kernels LANGUAGES CXX)
include(CTest)
find_package(ZlBench REQUIRED COMPONENTS host)
zl_add_perf_test(OP axpy CASE axpy/axpy.cpp HOST_SOURCES axpy/axpy_host.cpp
  TYPES f32 f16 bf16 SHAPES 1024 2048 3072 4096 5120 6144 IMPLS own
  SUSTAINED OFF WARMUP_MS 1 REP_MS 10)
"""
CASES = 18
LIMIT_S = 120.0  # of what takes seconds on an idle machine

build: pathlib.Path


class SlurmOnLoopback(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="zl slurm ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.source = self.folder / "their kernels"
        self.build = self.source / "build" / "host"
        self.cluster = Cluster()
        self.addCleanup(self.cluster.close)
        self.environment = {k: v for k, v in self.cluster.environment.items()
                            if not k.startswith(("ZL_", "CTEST_"))}
        (self.folder / "token").write_text(TOKEN)
        self.environment |= {"ZL_DASHBOARD_SOURCE": str(self.source),
                             "ZL_LOCK_DIR": str(self.folder / "locks")}

    def write_project(self) -> None:
        prefix = self.folder / "a prefix"
        subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        shutil.copytree(CI.parent / "harness" / "examples" / "axpy", self.source / "axpy")
        (self.source / "CMakeLists.txt").write_text(LISTS)
        (self.source / "CMakePresets.json").write_text(json.dumps({
            "version": 6, "configurePresets": [{
                "name": "host", "generator": "Ninja",
                "binaryDir": "${sourceDir}/build/${presetName}", "cacheVariables": {
                    "CMAKE_BUILD_TYPE": "Release", "CMAKE_UNITY_BUILD": "ON",
                    "ZL_BACKENDS": "host", "CMAKE_PREFIX_PATH": str(prefix)}}]}))

    def start(self, *options: str, **environment: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, RUN, "--preset", "host", "--poll", "0.2", *options],
            env={**self.environment, **environment}, cwd=self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.addCleanup(self.stop, process)
        return process

    def stop(self, process: subprocess.Popen) -> None:
        """Where the test has failed before its end."""
        process.kill()
        process.communicate()

    def wait_for_an_empty_queue(self) -> None:
        end = time.monotonic() + LIMIT_S
        while listed := self.cluster.run("squeue", "--noheader"):
            self.assertLess(time.monotonic(), end, f"it is not cancelled: {listed}")
            time.sleep(0.1)

    @contextlib.contextmanager
    def stalled(self, submission: int) -> Iterator[slurm_run.Attempt]:
        """While a task has measured some of its cases and cannot go on: the device is locked."""
        end = time.monotonic() + LIMIT_S
        while True:
            for file in (self.folder / "locks").glob("*"):
                with open(file, "rb") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX)
                    if attempt := self.in_the_middle(submission):
                        yield attempt
                        return
            self.assertLess(time.monotonic(), end, "no task is in the middle")
            time.sleep(0.02)

    def in_the_middle(self, submission: int) -> slurm_run.Attempt | None:
        for folder in slurm_run.runs_of(self.build):
            run = slurm_run.Run(folder)
            for attempt in run.attempts():
                if attempt.submission == submission and not attempt.done:
                    measured = len(list(attempt.results.glob("*.json")))
                    # One more may have left the device and not written its result yet.
                    if 0 < measured < len(run.submissions()[submission][attempt.task]) - 1:
                        return attempt
        return None

    def lose_a_node(self, submission: int) -> slurm_run.Attempt:
        with self.stalled(submission) as attempt:
            job = slurm_run.newest(self.build).job(submission)
            node = self.cluster.run("squeue", "--noheader", f"--jobs={job}_{attempt.task}",
                                    "--format=%N").strip()
            self.assertIn(node, self.cluster.nodes)
            self.cluster.lose_node(node)
            self.assertFalse(attempt.done)
            return attempt

    def end(self, process: subprocess.Popen, code: int) -> str:
        said = process.communicate(timeout=LIMIT_S)[0]
        self.assertEqual(process.returncode, code, said)
        return said

    def test_lost_nodes_and_an_interruption_leave_each_case_measured_once(self) -> None:
        self.write_project()
        process = self.start("--shards", "4", "--", "--no-requeue")
        lost = self.lose_a_node(0)
        said = self.end(process, 5)
        self.assertIn("NODE_FAIL", said)
        run = slurm_run.newest(self.build)
        self.assertEqual(set(run.missing()), set(run.submissions()[0][lost.task]))
        self.assertFalse((self.build / "zl-results").exists())

        process = self.start("--resume", "--shards", "1", "--", "--requeue")
        with self.stalled(1):
            process.send_signal(signal.SIGINT)
            said = self.end(process, 130)
            self.assertIn(f"{CASES - len(run.missing())} of {CASES} cases are measured", said)
            self.wait_for_an_empty_queue()

        with FakeCdash().serving() as cdash:
            process = self.start("--resume", "--shards", "1", "--", "--requeue",
                                 ZL_CDASH_URL=cdash.url, ZL_CDASH_WAIT_S="5",
                                 ZL_CDASH_TOKEN_FILE=str(self.folder / "token"))
            self.lose_a_node(2)
            said = self.end(process, 0)
        self.check_attempts(run)
        self.assertEqual(len(cdash.builds), 1)
        self.assertEqual(cdash.builds[0].parts, ["Configure", "Build", "Test", "Done"])
        submitted = collections.Counter(test["name"] for test in cdash.builds[0].tests)
        merged = self.measured()
        self.assertEqual(submitted, merged)
        self.assertTrue((self.build / "report.html").is_file(), said)

        shutil.rmtree(self.build / "zl-results")
        shutil.rmtree(self.build / "Testing")
        subprocess.run(["ctest", "--test-dir", self.build, "-L", "^perf$", "-T", "Test"],
                       env=self.environment, check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(merged, self.measured())
        self.assertEqual(len(merged), CASES)
        self.check_nothing_is_left()

    def check_attempts(self, run: slurm_run.Run) -> None:
        """One shard came from the third array, by the second start of its task."""
        chosen = run.chosen()
        self.assertEqual(sorted((a.submission, a.restart) for a in chosen),
                         [(0, 0), (0, 0), (0, 0), (2, 1)])
        self.assertEqual(sum(map(len, chosen.values())), CASES)

    def measured(self) -> collections.Counter[str]:
        """The same in the result files and in Test.xml."""
        results = [r.id.test_name for r in read_result_set(self.build).results]
        (part,) = self.build.glob("Testing/*/Test.xml")
        tests = read_test_part(part.read_bytes()).tests
        self.assertEqual(collections.Counter(results), collections.Counter(t.name for t in tests))
        return collections.Counter(results)

    def check_nothing_is_left(self) -> None:
        self.cluster.close()
        conf = f"SLURM_CONF={self.environment['SLURM_CONF']}"
        self.assertEqual([pid for pid, known in environments() if conf in known], [])
        self.assertFalse(os.path.exists(self.cluster.folder))


def main() -> None:
    global build
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True,
                        help="zl-bench's build folder with backend host; its harness is used")
    arguments, rest = parser.parse_known_args()
    build = arguments.build
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
