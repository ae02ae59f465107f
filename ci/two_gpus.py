#!/usr/bin/env python3
"""Shows whether cases measured on several GPUs at once are as fast as on one, and how much sooner
they are done.

  run    measures the cases of a build with ctest -j<n> and keeps results and wall time in OUT; what
         the build has in zl-results stays as it is
  beyond prints the tests that changed by more than their samples' spread, of one card, as a regular
         expression for `run --tests`: more runs tell how far such a case's processes spread
  table  holds a run on several GPUs against those on one GPU, and prints Markdown

    ci/two_gpus.py run build/cuda one --jobs 1
    ci/two_gpus.py run build/cuda both --jobs 2 --costs one
    ci/two_gpus.py beyond --one one --several both --card GPU-...
    ci/two_gpus.py run build/cuda again --jobs 1 --tests '...'    # where that card is the only one
    ci/two_gpus.py table --one one --again again --several both

exit codes: 0 done, and all requirements are met; 1 a test failed, or a requirement is not met; 2 usage
or bad input
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import ab_cases
import atomic_file
import cost_data
import gpus_comparison
from ab_input import InputError
from case_seconds import seconds_by_test
from json_fields import mapping, positive, text
from result_set import ResultSetError, read_json, read_result_set

CLOSING = re.compile(r"^\d+% tests passed.*$", re.MULTILINE)


def measure(build: pathlib.Path, results: pathlib.Path, jobs: int,
            chosen: str) -> tuple[float, str, int]:
    """Seconds, CTest's closing line and its exit code."""
    begin = time.monotonic()
    done = subprocess.run(
        ["ctest", "--test-dir", str(build), "-L", "^perf$", "-R", chosen, f"-j{jobs}",
         "--no-tests=error"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace",
        env={**os.environ, "ZL_RESULT_DIR": str(results.resolve())})
    seconds = time.monotonic() - begin
    closing = CLOSING.findall(done.stdout)
    if done.returncode != 0 or not closing:
        print(done.stdout[-4000:], file=sys.stderr)
    return seconds, closing[-1] if closing else "no test ran", done.returncode


def run(arguments: argparse.Namespace) -> int:
    build, out = arguments.build.resolve(), arguments.out
    ab_cases.list_cases(build)  # is it a build?
    shutil.rmtree(out, ignore_errors=True)
    (out / "zl-results").mkdir(parents=True)
    if arguments.costs is not None:
        cost_data.seed(seconds_by_test([arguments.costs]), build)
    seconds, closing, code = measure(build, out / "zl-results", arguments.jobs, arguments.tests)
    atomic_file.write_text(out / "run.json", json.dumps(
        {"jobs": arguments.jobs, "seconds": seconds, "closing": closing}) + "\n")
    print(f"ctest -j{arguments.jobs}: {closing}, {seconds:.1f} s")
    return 0 if code == 0 else 1


def read_run(path: pathlib.Path) -> gpus_comparison.Run:
    file = path / "run.json"
    try:
        said = mapping(read_json(file), "the document")
        return gpus_comparison.Run(
            path, int(positive(said["jobs"], "jobs")), positive(said["seconds"], "seconds"),
            text(said["closing"], "closing"), read_result_set(path).results)
    except (KeyError, TypeError, ValueError) as e:
        raise ResultSetError(f"{file}: {e}: not what `two_gpus.py run` writes") from e


def read_alone(path: pathlib.Path) -> gpus_comparison.Run:
    found = read_run(path)
    if found.jobs != 1:
        raise InputError(f"{path}: was measured with --jobs {found.jobs}, and 1 is expected")
    return found


def table(arguments: argparse.Namespace) -> int:
    shown, met = gpus_comparison.markdown([read_alone(one) for one in arguments.one],
                                          read_run(arguments.several),
                                          [read_alone(run) for run in arguments.again])
    if arguments.output is None:
        sys.stdout.write(shown)
    else:
        try:
            atomic_file.write_text(arguments.output, shown)
        except OSError as e:
            raise InputError(f"{arguments.output}: cannot be written: {e.strerror}") from e
    return 0 if met else 1


def beyond(arguments: argparse.Namespace) -> int:
    shown = gpus_comparison.tests_to_repeat([read_alone(one) for one in arguments.one],
                                           read_run(arguments.several), arguments.card)
    if shown:
        print(shown)
    return 0


def jobs(value: str) -> int:
    if not value.isascii() or not value.isdigit() or not 1 <= int(value) <= 256:
        raise argparse.ArgumentTypeError(f"{value!r} is no number from 1 to 256")
    return int(value)


def add_runs(to: argparse.ArgumentParser) -> None:
    to.add_argument("--one", type=pathlib.Path, action="append", required=True, metavar="OUT",
                    help="a run with --jobs 1 of all cases; repeatable, one a card: a case is "
                    "held against that of the card that it ran on")
    to.add_argument("--several", type=pathlib.Path, required=True, metavar="OUT",
                    help="the run with more jobs")


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = made.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run", help="measure with ctest -j<n>")
    one.set_defaults(run=run)
    one.add_argument("build", type=pathlib.Path, metavar="BUILD")
    one.add_argument("out", type=pathlib.Path, metavar="OUT", help="a folder; what is in it goes")
    one.add_argument("--jobs", type=jobs, required=True, metavar="N",
                     help="as many as GPUs are to be used")
    one.add_argument("--costs", type=pathlib.Path, metavar="RESULTS",
                     help="start the longest first, by these results (cost_data.py)")
    one.add_argument("--tests", default=r"^perf\.", metavar="REGEX", help="only these (all)")
    one = commands.add_parser("beyond", help="the tests of a card that need more runs")
    one.set_defaults(run=beyond)
    add_runs(one)
    one.add_argument("--card", required=True, metavar="UUID", help="as results name it")
    one = commands.add_parser("table", help="hold the runs against each other")
    one.set_defaults(run=table)
    add_runs(one)
    one.add_argument("--again", type=pathlib.Path, action="append", default=[], metavar="OUT",
                     help="a run with --jobs 1 of some cases; repeatable: these are held against "
                     "the median of such runs on their card")
    one.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE", help="in place of stdout")
    return made


def main(argv: list[str] | None = None) -> int:
    arguments = parser().parse_args(argv)
    try:
        return arguments.run(arguments)
    except (ResultSetError, InputError) as e:
        print(f"two_gpus.py: {e}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
