"""The command line of ci/slurm/run.py."""

import argparse
import pathlib
import re

TEXT = """Measures a preset's perf tests on the nodes of a Slurm cluster, as if one machine had run
them all. Builds once, deals the tests out to shards that end together, submits one job array of
them, waits, and merges what they measured into one result set (<build>/zl-results), one page
(<build>/report.html) and, where ZL_CDASH_URL is set, one build on CDash. The nodes must see source
and build folder under the same paths as this machine (a shared file system), and have ctest, cmake
and python3 (3.11 or newer). docs/slurm.md

  ci/slurm/run.py --preset cuda --shards 16 --partition gpu -- --time=1:00:00 --cpus-per-task=8
  ci/slurm/run.py --preset cuda --shards 16 --dry-run
  ci/slurm/run.py --preset cuda --resume
"""
CODES = """exit codes:
  0    all cases measured, none failed; submitted, where ZL_CDASH_URL is set
  1    the build or some tests failed, or nothing was measured
  2    usage, settings, no Slurm; or results that are refused
  3    measured, not submitted: the parts are in the spool
  4    both 1 and 3
  5    Slurm refused the array, or did not bring all of it to an end: cases are missing; --resume
  130  interrupted: the array is cancelled; --resume
"""


def shard_count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: a number of shards from 1 on is expected")
    return int(text)


def gpus(text: str) -> tuple[str, int]:
    """What Slurm is asked for, and how many those are."""
    match = re.fullmatch(r"(?:([\w.-]+):)?(\d+)", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r}: a number of GPUs is expected, or TYPE:NUMBER")
    count = int(match[2])
    return (f"gpu:{match[1]}:{count}" if match[1] else f"gpu:{count}") if count else "", count


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r}: seconds up to 3600 are expected")
    return value


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=TEXT, epilog=CODES,
                                   usage="%(prog)s [options] [-- SBATCH...]",
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--preset", required=True, help="a configure preset: host, cuda, musa")
    made.add_argument("--shards", type=shard_count, metavar="N",
                      help="tasks of the array, at most; a lost node costs the time of its shard. "
                           "With --resume as many as before")
    made.add_argument("--partition", help="of the cluster, for sbatch")
    made.add_argument("--gpus-per-task", type=gpus, metavar="[TYPE:]N",
                      help="asked of Slurm as --gres=gpu: (1). For 0, as with preset host, a node "
                           "is asked for as a whole. More than 1 measure at once where the tests "
                           "ask for them one by one (ZL_RESOURCE_SPEC)")
    made.add_argument("-R", "--tests-regex", default="", metavar="REGEX",
                      help="only these tests, as for ctest")
    made.add_argument("--costs", type=pathlib.Path, action="append", default=[], metavar="PATH",
                      help="earlier results that tell how long each test takes: a build folder, a "
                           "result set, a CTestCostData.txt (what is in this build folder)")
    made.add_argument("--group", default="Experimental",
                      help="of the dashboard; it must exist there (Experimental)")
    made.add_argument("--dry-run", action="store_true",
                      help="configure, show the plan, build and submit nothing")
    made.add_argument("--resume", action="store_true",
                      help="go on with the last run: wait for its array if Slurm still has it, "
                           "measure only what is missing; builds nothing")
    made.add_argument("--poll", type=seconds, default=10.0, metavar="SECONDS",
                      help="between two looks at the queue (10)")
    made.add_argument("options", nargs="*", metavar="SBATCH",
                      help="after --: options for sbatch, as --time=1:00:00 --account=perf")
    return made


def arguments_of(argv: list[str] | None) -> argparse.Namespace:
    made = parser()
    arguments = made.parse_args(argv)
    if re.fullmatch(r"[A-Za-z0-9._+-]+", arguments.preset) is None:
        made.error(f"--preset: {arguments.preset!r} is no name of a preset")
    if "," in arguments.group or not arguments.group.strip():
        made.error("--group: a name without a comma is expected")
    if arguments.shards is None and not arguments.resume:
        made.error("--shards: how many tasks? (--resume takes as many as before)")
    if arguments.resume and (arguments.tests_regex or arguments.gpus_per_task or arguments.costs):
        made.error("--resume: the run's tests and GPUs are those it began with: leave out -R, "
                   "--gpus-per-task and --costs")
    for option in arguments.options:
        if not option.startswith("-"):
            made.error(f"{option!r}: after -- come options of sbatch, each in one word as "
                       "--time=1:00:00")
        if re.match(r"--(array|job-name|output|parsable|wrap|wait)\b|-[aJoW]", option):
            made.error(f"{option!r}: is this script's own")
    partition = [f"--partition={arguments.partition}"] if arguments.partition else []
    arguments.sbatch = partition + arguments.options
    return arguments
