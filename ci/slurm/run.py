#!/usr/bin/env python3
"""Measures a preset's perf tests on the nodes of a Slurm cluster: --help, docs/slurm.md."""

import argparse
import contextlib
import fcntl
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import dashboard  # noqa: E402
import slurm_plan  # noqa: E402
import slurm_queue  # noqa: E402
import slurm_run  # noqa: E402
from ctest_list import ListError  # noqa: E402
from ctest_parts import PartsError, newest_tag  # noqa: E402
from interruption import sigterm_as_interrupt, uninterrupted  # noqa: E402
from result_set import ResultSetError  # noqa: E402
from shards import balanced  # noqa: E402
from slurm_arguments import arguments_of  # noqa: E402
from slurm_merge import merge  # noqa: E402
from slurm_queue import NoSlurm, QueueError  # noqa: E402
from slurm_run import Plan, Run, RunError  # noqa: E402
from slurm_wait import wait, what_became  # noqa: E402

CI = pathlib.Path(__file__).resolve().parent.parent
FAILED, REFUSED, NOT_SUBMITTED, BOTH, INCOMPLETE, INTERRUPTED = 1, 2, 3, 4, 5, 130
NAMED = 20  # of the tests that did not pass


def say(text: str) -> None:
    print(f"slurm: {text}", file=sys.stderr, flush=True)


def folders(preset: str) -> tuple[pathlib.Path, pathlib.Path]:
    """Source and build, as ci/dashboard.cmake has them."""
    source = os.path.abspath(os.environ.get("ZL_DASHBOARD_SOURCE") or CI.parent)
    build = os.environ.get("ZL_DASHBOARD_BINARY") or os.path.join(source, "build", preset)
    return pathlib.Path(source), pathlib.Path(os.path.abspath(build))


@contextlib.contextmanager
def locked(build: pathlib.Path) -> Iterator[None]:
    """Two of these must not build, or merge into, one folder at once."""
    folder = build / slurm_run.FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"{build}: another run.py is at work there: wait for it") from None
        try:
            yield
        finally:
            if os.listdir(folder) == ["lock"]:  # nothing came of it, as without such a preset
                shutil.rmtree(folder)
                with contextlib.suppress(OSError):  # it is not empty
                    build.rmdir()


def configure(source: pathlib.Path, build: pathlib.Path, preset: str) -> None:
    done = subprocess.run(["cmake", "-S", str(source), "-B", str(build), "--preset", preset],
                          cwd=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    if done.returncode != 0:
        print(done.stdout[-4000:], file=sys.stderr)
        raise RunError(f"{build}: cannot be configured with preset {preset} (above)")


def find_cases(build: pathlib.Path,
               arguments: argparse.Namespace) -> tuple[slurm_plan.Cases, str, int]:
    """With what Slurm is asked for, and how many GPUs those are."""
    cases = slurm_plan.find_cases(build, arguments.tests_regex, arguments.costs)
    gres, count = arguments.gpus_per_task or (("", 0) if cases.backend == "host" else ("gpu:1", 1))
    if cases.backend == "host" and count:
        raise RunError("--gpus-per-task: the tests measure on the CPU: leave it out")
    if count > 1 and not cases.spec:
        raise RunError(f"--gpus-per-task: a task would use one of its {count} GPUs, as each test "
                       "locks them all; configure with ZL_RESOURCE_SPEC, or ask for 1")
    if cases.spec and not count:
        raise RunError("--gpus-per-task: the tests ask CTest for GPUs (ZL_RESOURCE_SPEC), give 1 "
                       "or more")
    return cases, gres, count


def devices(gres: str) -> list[str]:
    """A GPU is a task's own, but what else runs on a node slows its CPU."""
    return [f"--gres={gres}" if gres else "--exclusive"]


def dry_run(arguments: argparse.Namespace) -> int:
    source, build = folders(arguments.preset)
    if arguments.resume:
        one = slurm_run.newest(build)
        folder, gres = one.folder, one.plan.gres
        times = {name: one.plan.seconds[name] for name in one.missing()}
        if not times:
            print(f"{folder}: all {len(one.plan.seconds)} cases are measured")
            return 0
        known = None
        shards = balanced(times, arguments.shards or len(one.submissions()[0]))
        options = arguments.sbatch or list(one.plan.options)
    else:
        configure(source, build, arguments.preset)
        cases, gres, _ = find_cases(build, arguments)
        folder, times, known = build / slurm_run.FOLDER / "<tag>", cases.seconds, cases.known
        shards = balanced(times, arguments.shards)
        options = arguments.sbatch
    name = slurm_queue.job_name(folder, arguments.preset)
    print(slurm_plan.described(times, known, shards))
    print(shlex.join(slurm_queue.sbatch_command(name, len(shards), folder / "log",
                                                build, devices(gres) + options)))
    return 0


def begin(arguments: argparse.Namespace) -> Run | int:
    """Builds and plans; an exit code where that fails."""
    _, build = folders(arguments.preset)
    earlier = [path for path in (build / slurm_run.FOLDER).iterdir() if path.is_dir()]
    names = [slurm_queue.job_name(folder, arguments.preset) for folder in earlier]
    if names and (still := slurm_queue.active(names)):
        raise RunError(f"{build}: Slurm still has the array {still[0].job} of an earlier run: "
                       f"--resume waits for it, scancel {still[0].job} ends it")
    code = dashboard.run_script(arguments.preset, arguments.group, ZL_DASHBOARD_BUILD_ONLY="1")
    if code == FAILED and os.environ.get("ZL_CDASH_URL"):
        sent = submit(arguments.preset, newest_tag(build))
        return {0: FAILED, NOT_SUBMITTED: BOTH}.get(sent, REFUSED)
    if code != 0:
        return code
    cases, gres, count = find_cases(build, arguments)
    tag, group = (build / "Testing" / "TAG").read_text(encoding="utf-8").splitlines()[:2]
    for folder in earlier:  # they are of another build from here on
        shutil.rmtree(folder)
    return slurm_run.create(build, Plan(
        preset=arguments.preset, build=str(build), tag=tag, stamp=f"{tag}-{group}",
        backend=cases.backend, gpus_per_task=count, gres=gres, options=arguments.sbatch,
        spec=cases.spec, tests=cases.prints, seconds=cases.seconds,
        executables=cases.executables(build)))


def submit_array(run: Run, missing: list[str], arguments: argparse.Namespace) -> None:
    run.check_build()
    count = arguments.shards or len(run.submissions()[0])
    shards = balanced({test: run.plan.seconds[test] for test in missing}, count)
    command = slurm_queue.sbatch_command(
        slurm_queue.job_name(run.folder, run.plan.preset), len(shards), run.folder / "log",
        run.build, devices(run.plan.gres) + (arguments.sbatch or list(run.plan.options)))
    with uninterrupted():
        number = run.add_submission([shard.tests for shard in shards])
        run.note_job(number, slurm_queue.submit(command, run.submission_file(number)))
    say(f"array {run.job(number)}: {len(missing)} cases in {len(shards)} shards, about "
        f"{slurm_plan.duration(max(shard.seconds for shard in shards))} with all at once")


def measure(run: Run, arguments: argparse.Namespace) -> None:
    """Submits what is missing, unless Slurm has an array of the run, and waits."""
    name = slurm_queue.job_name(run.folder, run.plan.preset)
    try:
        if still := slurm_queue.active([name]):
            say(f"Slurm still has the array {still[0].job} of this run: waiting for it")
        elif missing := run.missing():
            submit_array(run, missing, arguments)
        wait(run, lambda: slurm_queue.active([name]), arguments.poll)
    except KeyboardInterrupt:
        with uninterrupted():
            try:
                slurm_queue.cancel(name)
            except QueueError as e:
                raise QueueError(f"interrupted, but the array may go on: {e}") from e
        raise


def submit(preset: str, tag: str) -> int:
    """The spool is the one of ci/dashboard.cmake."""
    source, build = folders(preset)
    spool = os.environ.get("ZL_CDASH_SPOOL") or source / "build" / "zl-spool"
    return subprocess.run([sys.executable, str(CI / "submit.py"), "--build", str(build), "--tag",
                           tag, "--preset", preset, "--spool", str(spool)], check=False).returncode


def finish(run: Run) -> int:
    """Merges, makes the page, submits."""
    done = merge(run)
    for name in done.failed[:NAMED]:
        say(f"did not pass: {name}")
    if len(done.failed) > NAMED:
        say(f"did not pass: {len(done.failed) - NAMED} more")
    reported = 0
    if done.results:
        reported = subprocess.run([sys.executable, str(CI / "report.py"), str(run.build), "-o",
                                   str(run.build / "report.html")], check=False).returncode
    code = FAILED if done.failed or done.part.measured == 0 or reported else 0
    if os.environ.get("ZL_CDASH_URL"):
        sent = submit(run.plan.preset, run.plan.tag)
        if sent == NOT_SUBMITTED:
            code = BOTH if code else NOT_SUBMITTED
        elif sent != 0:
            code = REFUSED
    say(f"{len(done.part.tests)} tests, {done.part.measured} measured, {len(done.failed)} did not "
        f"pass; results in {run.build / 'zl-results'}")
    return code


def run(arguments: argparse.Namespace) -> int:
    if arguments.dry_run:
        return dry_run(arguments)
    slurm_queue.require_slurm()
    if os.environ.get("ZL_CDASH_URL") and subprocess.run(
            [sys.executable, str(CI / "submit.py"), "--check"], check=False).returncode != 0:
        raise RunError("nothing was measured: it could not be submitted (above)")
    _, build = folders(arguments.preset)
    with locked(build):
        one = slurm_run.newest(build) if arguments.resume else begin(arguments)
        if isinstance(one, int):
            return one
        to_resume = shlex.join([os.path.relpath(__file__), "--preset", arguments.preset,
                                "--resume"])
        every = len(one.plan.seconds)
        try:
            measure(one, arguments)
            why = what_became(one)
        except KeyboardInterrupt:
            say(f"cancelled; {every - len(one.missing())} of {every} cases are measured and kept. "
                f"To measure the others:\n  {to_resume}")
            return INTERRUPTED
        except QueueError as e:
            say(f"{e}\nTo go on once that is right:\n  {to_resume}")
            return INCOMPLETE
        if missing := one.missing():
            say(f"{len(missing)} of {every} cases are not measured, as {missing[0]}:\n{why}\n"
                f"To measure them:\n  {to_resume}")
            return INCOMPLETE
        return finish(one)


def main(argv: list[str] | None = None) -> int:
    sigterm_as_interrupt()
    arguments = arguments_of(argv)
    try:
        return run(arguments)
    except (NoSlurm, RunError, ListError, PartsError, ResultSetError, OSError) as e:
        say(str(e))
        return REFUSED
    except QueueError as e:
        say(str(e))
        return INCOMPLETE
    except KeyboardInterrupt:  # before anything was submitted, or after all was measured
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
