#!/usr/bin/env python3
"""One task of a job array that run.py submitted: measures its shard in a test directory of its own.

Slurm runs `task.py SUBMISSION` on a node that sees the build folder under the same path. Which
shard, which attempt and which GPUs are in Slurm's variables. Exit code: 0 the shard is measured,
whatever its tests say; 1 it is not.
"""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import cost_data  # noqa: E402
import slurm_run  # noqa: E402
from ctest_list import ListError, fingerprint_of, listing, properties  # noqa: E402
from ctest_parts import PartsError, read_test_part  # noqa: E402
from result_set import ResultSetError  # noqa: E402
from slurm_run import Attempt, Run, RunError  # noqa: E402

SHARD = pathlib.Path(__file__).resolve().with_name("shard.cmake")
CHOSEN = ("-L", "^perf$")  # a fixture that none of them needs is left out
VISIBLE = {"cuda": "CUDA_VISIBLE_DEVICES", "musa": "MUSA_VISIBLE_DEVICES"}
REMEDIES = {"cuda": "is GresTypes=gpu configured, with a File for each GPU?",
            "musa": "Slurm does not set it: TaskProlog=ci/slurm/musa_task_prolog.sh does"}


def number(variable: str, default: str | None = None) -> int:
    value = os.environ.get(variable, default)
    if value is None or not value.isdecimal():
        raise RunError(f"{variable} is {value!r}: this runs as a task of a job array, which "
                       "ci/slurm/run.py submits")
    return int(value)


def quoted(text: object) -> str:
    """As an argument in CMake's language that is taken as it is, whatever it holds."""
    level = "=" * next(n for n in range(1, 100) if f"]{'=' * n}]" not in f"{text}]")
    return f"[{level}[\n{text}]{level}]"


def prepare(run: Run, folder: pathlib.Path, tests: Sequence[str]) -> None:
    """CTest takes it for a build folder that has these of the build's tests, and all fixtures."""
    plan = run.plan
    (folder / "Testing").mkdir(parents=True)
    fixtures = [name for name in plan.tests if name not in plan.seconds]
    names = "".join(f"set({quoted(f'shard: {name}')} TRUE)\n" for name in [*tests, *fixtures])
    (folder / "CTestTestfile.cmake").write_text(
        f"{names}include({quoted(SHARD)})\nsubdirs({quoted(run.build)})\n")
    group = plan.stamp[len(plan.tag) + 1:]
    (folder / "Testing" / "TAG").write_text(f"{plan.tag}\n{group}\nExperimental\n")
    (folder / "DartConfiguration.tcl").write_text(
        f"Site: slurm\nBuildName: {plan.preset}\nSourceDirectory: {run.build}\n"
        f"BuildDirectory: {folder}\nTimeOut: 1500\n")


def listed_tests(run: Run, folder: pathlib.Path, tests: Sequence[str]) -> list[dict[str, Any]]:
    """What CTest will run: the planned tests, and fixtures that they need."""
    listed = listing(folder, *CHOSEN)
    names = {test["name"] for test in listed}
    wrong = [name for name in tests if name not in names]
    wrong += [test["name"] for test in listed
              if fingerprint_of(test) != run.plan.tests[test["name"]]]
    if wrong:
        raise RunError(f"{run.build}: its tests are not those of the plan any more (as "
                       f"{wrong[0]}): it was configured again, or what they run is not on "
                       f"{platform.node()}; begin a new run")
    return listed


def resource_spec(plan: slurm_run.Plan) -> str:
    """What Slurm gave to this task; a device's id is its place among those that are visible."""
    backend, variable = plan.backend, VISIBLE[plan.backend]
    devices = [word for word in os.environ.get(variable, "").split(",") if word]
    if len(devices) != plan.gpus_per_task:
        raise RunError(f"{variable} is {os.environ.get(variable, '')!r} on {platform.node()}, but "
                       f"the task asked for {plan.gpus_per_task} GPU: {REMEDIES[backend]}")
    slots = [{"id": str(place), "slots": 1} for place in range(len(devices))]
    return json.dumps({"version": {"major": 1, "minor": 0}, "local": [{backend: slots}]})


def environment(folder: pathlib.Path) -> dict[str, str]:
    """Without what would choose other tests or devices than the plan."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("CTEST_")}
    # A machine without its device must not look as if its tests were skipped on purpose.
    return {**kept, "ZL_REQUIRE_DEVICE": "1", "ZL_RESULT_DIR": str(folder / "zl-results")}


def check_part(file: pathlib.Path, tests: Sequence[str]) -> None:
    ran = Counter(test.name for test in read_test_part(file.read_bytes(), str(file)).tests)
    wrong = [name for name in tests if ran[name] != 1]
    if wrong:
        raise RunError(f"{file}: {wrong[0]} is in it {ran[wrong[0]]} times: CTest did not run what "
                       "it was told to")


def failed_tests(folder: pathlib.Path) -> list[str]:
    """What CTest calls so: a test that was not run, too, but none that skipped itself."""
    lines = [line for file in (folder / "Testing" / "Temporary").glob("LastTestsFailed*.log")
             for line in file.read_text(encoding="utf-8").splitlines()]
    return [line.partition(":")[2] for line in lines]


def begin(run: Run, folder: pathlib.Path, tests: Sequence[str]) -> list[str]:
    """All that comes before the first test: makes the test directory. The command that runs it."""
    command = ["ctest", "--test-dir", str(folder), "-T", "Test", "--output-on-failure",
               "--no-tests=error", *CHOSEN]
    spec = resource_spec(run.plan) if run.plan.gpus_per_task else ""
    prepare(run, folder, tests)
    listed = listed_tests(run, folder, tests)
    if run.plan.spec:
        command += ["-j", str(run.plan.gpus_per_task)]
        # Several at once: the longest first.
        cost_data.seed_tests(run.plan.seconds, folder, [test["name"] for test in listed])
        # CTest takes none beside a fixture that makes one, which it does in this job, too.
        if not any("GENERATED_RESOURCE_SPEC_FILE" in properties(test) for test in listed):
            (folder / "resources.json").write_text(spec)
            command += ["--resource-spec-file", str(folder / "resources.json")]
    return command


def measure(submission: pathlib.Path) -> None:
    run = Run(submission.parent)
    task, restart = number("SLURM_ARRAY_TASK_ID"), number("SLURM_RESTART_COUNT", "0")
    tests = slurm_run.read_shards(submission)[task]
    submitted = submission.stem.rpartition("-")[2]
    name = f"{submitted}.{task}.{restart}"
    folder = run.folder / "attempts" / name
    print(f"task: {len(tests)} tests of {run.plan.tag} on {platform.node()}, attempt {name}",
          flush=True)
    run.check_build()
    if folder.exists():
        raise RunError(f"{folder}: exists already: another task of this number runs, or ran")
    command = begin(run, folder, tests)
    ended = subprocess.run(command, env=environment(folder), stdin=subprocess.DEVNULL, check=False)
    if ended.returncode not in (0, 8):  # 8: tests failed, which is a result
        raise RunError(f"ctest ended with exit code {ended.returncode}")
    attempt = Attempt(int(submitted), task, restart, folder)
    check_part(attempt.test_part, tests)
    attempt.end({"host": platform.node(), "job": os.environ.get("SLURM_JOB_ID", ""),
                 "failed": failed_tests(folder)})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("submission", type=pathlib.Path, help="a submission-<n>.json of a run")
    try:
        measure(pathlib.Path(os.path.abspath(parser.parse_args().submission)))
    except (RunError, ListError, PartsError, ResultSetError, OSError) as e:
        print(f"task: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
