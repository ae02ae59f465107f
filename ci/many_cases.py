#!/usr/bin/env python3
"""How the time that CMake, CTest and the scripts here take grows with the number of cases.

For each number of cases a project is made, of ops of 30 cases each that do nothing, on host, and
  configure   cmake, once more with nothing cached
  list        ctest -N
  start       of one shard of twenty, as ci/slurm/task.py does it, until its first test would run
  read        a result file for each case, as every script here does
  merge       ci/slurm/merge.py, of as many result files in 20 shards
is timed, in seconds of the CPU: the best of three. What is ours has to be linear: from the least to
the largest number it may grow by half more than the number does. CTest's reading of its list is its
own affair: to set a test's properties it looks through all tests before it.

exit codes: 0 linear; 1 not; 2 usage, or a step failed
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "slurm"))

import ctest_list  # noqa: E402
import result_files  # noqa: E402
import slurm_merge  # noqa: E402
import slurm_run  # noqa: E402
import task  # noqa: E402
from result_set import ResultSetError, read_result_set  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent.parent
CASES_OF_AN_OP = 30
SHARDS = 20
REPEATS = 3
TAG = "20260101-0203"
OURS = ("configure", "start", "read", "merge")
STEPS = ("configure", "list", "start", "read", "merge")
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(many LANGUAGES CXX)
enable_testing()
include([[{source}/cmake/ZlBench.cmake]])
add_library(harness INTERFACE)
add_library(ZlBench::harness_host ALIAS harness)
foreach(op RANGE 1 {ops})
  file(WRITE ${{CMAKE_BINARY_DIR}}/op${{op}}.cpp "ZL_OP(op${{op}}, \\"n\\")\\n")
  zl_add_perf_test(OP op${{op}} CASE ${{CMAKE_BINARY_DIR}}/op${{op}}.cpp IMPLS own TYPES {types}
    SHAPES {shapes})
endforeach()
"""


class StepError(Exception):
    """A step failed, whose time says nothing then."""


def cpu_seconds() -> float:
    """Of this process and of those that it waited for: other load does not count."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def best_of(step: Callable[[], object], repeats: int) -> float:
    def timed() -> float:
        begin = cpu_seconds()
        step()
        return cpu_seconds() - begin

    return min(timed() for _ in range(repeats))


def call(*command: object, cwd: pathlib.Path | None = None) -> str:
    done = subprocess.run([*map(str, command)], cwd=cwd, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise StepError(f"{command[0]}: exit code {done.returncode}: {done.stdout[-2000:]}")
    return done.stdout


class Project:
    def __init__(self, folder: pathlib.Path, cases: int) -> None:
        self.source, self.build = folder / "source", folder / "source" / "build"
        self.source.mkdir(parents=True)
        shapes = " ".join(map(str, range(1, CASES_OF_AN_OP // 3 + 1)))
        (self.source / "CMakeLists.txt").write_text(PROJECT.format(
            source=SOURCE, ops=cases // CASES_OF_AN_OP, types="f16 bf16 f32", shapes=shapes))
        self.configure()
        for target in range(1, cases // CASES_OF_AN_OP + 1):
            os.symlink("/bin/true", self.build / f"zl_op{target}_host")
        self.listed = ctest_list.listing(self.build)
        self.tests = [test["name"] for test in self.listed]
        if len(self.tests) != cases:
            raise StepError(f"{len(self.tests)} tests instead of {cases}")

    def configure(self) -> None:
        if self.build.exists():
            shutil.rmtree(self.build)
        call("cmake", "-S", self.source, "-B", self.build)

    def list(self) -> None:
        call("ctest", "-N", cwd=self.build)

    def write_results(self, folder: pathlib.Path, tests: Sequence[str]) -> None:
        folder.mkdir(parents=True)
        for test in tests:
            _, backend, op, impl, types, shape = test.split(".")
            ids = {"backend": backend, "op": op, "impl": impl, "types": types, "shape": shape}
            document = result_files.document(result_files.result(op, id=ids, wall_s=1.0))
            # As long as those of zl-bench, most of which is Google Benchmark's part.
            document["benchmarks"] = [{"name": test, "real_time": 1.0}] * 100
            (folder / f"{test}.json").write_text(json.dumps(document, indent=1))

    def submit(self) -> slurm_run.Run:
        run = slurm_run.create(self.build, slurm_run.Plan(
            preset="host", build=str(self.build), tag=TAG, stamp=f"{TAG}-Perf", backend="cuda",
            gpus_per_task=1, gres="gpu:1", options=[], spec=True,
            tests={test["name"]: ctest_list.fingerprint_of(test) for test in self.listed},
            seconds=dict.fromkeys(self.tests, 1.0), executables={}))
        run.add_submission([self.tests[k::SHARDS] for k in range(SHARDS)])
        return run

    def start_shard(self, run: slurm_run.Run) -> None:
        run = slurm_run.Run(run.folder)  # from its files, as a node has it
        tests = slurm_run.read_shards(run.submission_file(0))[0]
        with tempfile.TemporaryDirectory(prefix="zl-many-") as folder:
            shard = pathlib.Path(folder) / "shard"
            call(*task.begin(run, shard, tests), "-N")

    def end_shards(self, run: slurm_run.Run) -> None:
        """As tasks of ci/slurm/run.py leave it."""
        for place, tests in enumerate(run.submissions()[0]):
            attempt = slurm_run.Attempt(0, place, 0, run.folder / "attempts" / f"0.{place}.0")
            self.write_results(attempt.results, tests)
            part = attempt.folder / "Testing" / TAG / "Test.xml"
            part.parent.mkdir(parents=True)
            part.write_text(test_xml(self.build, tests))
            attempt.end({"failed": []})


def test_xml(build: pathlib.Path, tests: Sequence[str]) -> str:
    measured = "".join(
        f'<NamedMeasurement type="numeric/double" name="m{i}"><Value>1.5</Value></NamedMeasurement>'
        for i in range(25))
    body = "".join(
        f'<Test Status="passed"><Name>{name}</Name><Path>{build}</Path><FullName>{build}/{name}'
        f"</FullName><Results>{measured}<Measurement><Value>{'text ' * 200}</Value></Measurement>"
        "</Results></Test>\n" for name in tests)
    listed = "".join(f"<Test>{build}/{name}</Test>\n" for name in tests)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<Site BuildName="host" Name="slurm" '
            'BuildStamp="20260101-0203-Perf"><Testing><StartDateTime>then</StartDateTime>'
            f"<StartTestTime>1</StartTestTime><TestList>{listed}</TestList>{body}"
            "<EndDateTime>then</EndDateTime><EndTestTime>2</EndTestTime>"
            "<ElapsedMinutes>1</ElapsedMinutes></Testing></Site>\n")


def measured(cases: int, repeats: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="zl-many-") as folder:
        os.environ["CUDA_VISIBLE_DEVICES"] = "0"  # as Slurm tells a task of its GPU
        project = Project(pathlib.Path(folder).resolve(), cases)
        run = project.submit()
        seconds = {"list": best_of(project.list, repeats),
                   "start": best_of(lambda: project.start_shard(run), repeats)}
        project.write_results(project.build / "zl-results", project.tests)
        seconds["read"] = best_of(lambda: read_result_set(project.build), repeats)
        project.end_shards(run)
        seconds["merge"] = best_of(lambda: slurm_merge.merge(run), repeats)
        seconds["configure"] = best_of(project.configure, repeats)
    return seconds


def table(found: dict[int, dict[str, float]]) -> str:
    lines = ["| cases | " + " | ".join(f"{step} s" for step in STEPS) + " |",
             "|---:|" + "---:|" * len(STEPS)]
    lines += [f"| {cases:,} | " + " | ".join(f"{of[step]:.2f}" for step in STEPS) + " |"
              for cases, of in found.items()]
    return "\n".join(lines) + "\n"


def not_linear(found: dict[int, dict[str, float]]) -> list[str]:
    least, most = min(found), max(found)
    growth = {step: found[most][step] / found[least][step] for step in OURS}
    return [f"{step} takes {grown:.1f} times as long for {most / least:.1f} times the cases"
            for step, grown in growth.items() if grown > 1.5 * most / least]


def number_of_cases(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() else 0
    if not CASES_OF_AN_OP <= value <= 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from {CASES_OF_AN_OP} to 100000")
    return math.ceil(value / CASES_OF_AN_OP) * CASES_OF_AN_OP


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=number_of_cases, nargs="+", default=[1020, 3000, 10020],
                        metavar="N", help="made a multiple of 30 (1020 3000 10020)")
    parser.add_argument("--repeats", type=int, choices=range(1, 10), default=REPEATS, metavar="N")
    arguments = parser.parse_args(argv)
    try:
        found = {cases: measured(cases, arguments.repeats) for cases in sorted(arguments.cases)}
    except (StepError, ctest_list.ListError, ResultSetError, slurm_run.RunError, OSError) as e:
        print(f"many_cases.py: {e}", file=sys.stderr)
        return 2
    sys.stdout.write(table(found))
    problems = not_linear(found)
    print("\n".join(problems) or "What is ours is linear.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
