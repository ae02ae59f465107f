"""Slurm's commands, as run.py needs them: jobs are found by their name, which is one for each run,
so that an array is found again also where nobody could write its number down."""

import getpass
import hashlib
import pathlib
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shown_text import one_line

PROGRAMS = ("sbatch", "squeue", "scancel")
TASK = pathlib.Path(__file__).resolve().parent / "slurm" / "task.py"


class QueueError(Exception):
    """Slurm refuses or does not answer; the message says what it said."""


class NoSlurm(Exception):
    """Its programs are missing here."""


@dataclass(frozen=True)
class Task:
    """One that waits or runs."""

    job: str  # of the array
    index: str
    state: str
    reason: str
    node: str


def require_slurm() -> None:
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        raise NoSlurm(f"{', '.join(missing)}: no such program here: run this on a machine from "
                      "which jobs are submitted, with Slurm's client programs on PATH (Debian: "
                      "slurm-client); to measure on this machine: cmake --workflow --preset "
                      "<preset>")


def job_name(folder: pathlib.Path, preset: str) -> str:
    path = hashlib.sha256(str(folder).encode()).hexdigest()[:8]
    return f"zl-{preset}-{folder.name}-{path}"


def call(command: Sequence[str], stdin: str = "") -> str:
    # In a session of its own: a Ctrl-C is for run.py, which then has this answer and cancels.
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, text=True,
                              errors="replace", start_new_session=True, check=False)
    except OSError as e:
        raise QueueError(f"{command[0]} cannot be started: {e.strerror}") from e
    if done.returncode != 0:
        said = one_line(done.stderr.strip() or done.stdout.strip() or "nothing", 500)
        raise QueueError(f"{command[0]} ended with exit code {done.returncode} and said: {said}")
    return done.stdout


def sbatch_command(name: str, tasks: int, log: pathlib.Path, build: pathlib.Path,
                   options: Sequence[str]) -> list[str]:
    pattern = str(log).replace("%", "%%") + "/%A_%a.log"
    # Appended to: what the start before said is kept where Slurm starts a task again.
    return ["sbatch", "--parsable", f"--job-name={name}", f"--array=0-{tasks - 1}", "--requeue",
            "--nodes=1", "--ntasks=1", f"--chdir={build}", "--open-mode=append",
            f"--output={pattern}", *options]


def submit(command: Sequence[str], submission: pathlib.Path) -> str:
    """The array's job number."""
    script = f"#!/bin/sh\nexec python3 {shlex.quote(str(TASK))} {shlex.quote(str(submission))}\n"
    said = call(command, script).strip()
    number = said.split(";")[0]  # on several clusters its name follows
    if not number.isdecimal():
        raise QueueError(f"sbatch gave no job number but {one_line(said, 200)!r}")
    return number


def active(names: Iterable[str]) -> list[Task]:
    lines = call(["squeue", "--noheader", "--array", f"--user={getpass.getuser()}",
                  f"--name={','.join(names)}", "--format=%F|%K|%T|%r|%N"]).splitlines()
    return [Task(*parts) for line in lines if len(parts := line.strip().split("|", 4)) == 5]


def cancel(name: str) -> None:
    call(["scancel", f"--user={getpass.getuser()}", f"--name={name}"])


def final_state(job: str, index: int) -> str:
    """What became of a task that the queue does not list any more, as `NODE_FAIL on n1`; empty
    where neither the accounting nor the controller remembers."""
    try:
        said = call(["sacct", "--noheader", "--parsable2", "--allocations", f"--jobs={job}_{index}",
                     "--format=State,ExitCode,NodeList"])
        state, code, node = said.strip().splitlines()[-1].split("|")
    except (QueueError, IndexError, ValueError):  # many clusters have no accounting
        try:
            said = call(["scontrol", "--oneliner", "show", "job", f"{job}_{index}"])
        except QueueError:
            return ""
        found = dict(re.findall(r"\b(JobState|ExitCode|NodeList)=(\S+)", said))
        state, code, node = (found.get(key, "") for key in ("JobState", "ExitCode", "NodeList"))
    text = state.split()[0] if state else ""  # `CANCELLED by 0`
    if text == "FAILED":
        text += f" with exit code {code.split(':')[0]}"
    return text + (f" on {node}" if node not in ("", "(null)", "None assigned") else "")
