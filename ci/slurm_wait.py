"""Waits for the tasks of a run and tells how far they are."""

import sys
import time
from collections import Counter
from collections.abc import Callable

from shown_text import one_line
from slurm_queue import QueueError, Task, final_state
from slurm_run import Run

SILENCE_S = 600.0  # of squeue, until nobody knows whether anything still runs
LAG_S = 90.0  # until a file that a node wrote must be seen here; NFS remembers for 60 s
TELL_S = 30.0  # between two lines of a log


class Told:
    """One line that changes, on a terminal; in a log a line now and then."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._last = ""
        self._at = 0.0

    def say(self, text: str) -> None:
        if text == self._last:
            return
        if self._terminal:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        elif self._at and time.monotonic() - self._at < TELL_S:
            return
        else:
            print(text, file=sys.stderr, flush=True)
        self._last, self._at = text, time.monotonic()

    def end(self) -> None:
        if self._terminal and self._last:
            print(file=sys.stderr, flush=True)


def wait(run: Run, tasks: Callable[[], list[Task]], poll_s: float) -> None:
    """Until Slurm has no task of the run any more. QueueError where it does not say for long."""
    told = Told()
    heard = time.monotonic()
    try:
        while True:
            try:
                found = tasks()
            except QueueError as e:
                silent = time.monotonic() - heard
                if silent > SILENCE_S:
                    raise
                told.say(f"slurm: no answer for {silent:.0f} s, waiting on ({e})")
            else:
                heard = time.monotonic()
                told.say(progress(run, found))
                if not found:
                    return
            time.sleep(poll_s)
    finally:
        told.end()


def progress(run: Run, tasks: list[Task]) -> str:
    total = len(run.plan.seconds)
    measured = len(run.plan.seconds) - len(run.missing())
    last = len(run.submissions()) - 1
    newest = {attempt.task: attempt for attempt in run.attempts() if attempt.submission == last}
    under_way = sum(len(list(attempt.results.glob("*.json")))
                    for attempt in newest.values() if not attempt.done)
    states = Counter(task.state.lower() for task in tasks)
    text = f"slurm: {measured} of {total} cases measured"
    if under_way and tasks:
        text += f", {under_way} in shards under way"
    if states:
        text += "; tasks " + ", ".join(f"{n} {state}" for state, n in sorted(states.items()))
    reasons = sorted({task.reason for task in tasks if task.state == "PENDING"} - {"None"})
    return text + (f" ({', '.join(reasons)})" if reasons else "")


def what_became(run: Run) -> str:
    """Of the tasks of the newest array whose tests are missing; empty where none is."""
    missing = set(run.missing())
    if not missing:
        return ""
    submission = len(run.submissions()) - 1
    job = run.job(submission)
    end = time.monotonic() + LAG_S
    lines = []
    for index, tests in enumerate(run.submissions()[submission]):
        if missing.isdisjoint(tests):
            continue
        state = final_state(job, index) if job else ""
        while state.startswith("COMPLETED") and time.monotonic() < end:
            missing = set(run.missing())
            if missing.isdisjoint(tests):
                break
            time.sleep(0.5)
        else:
            lines.append(f"  task {job}_{index}, {len(tests)} cases: "
                         f"{state or 'Slurm knows nothing of it'}; {last_line(run, job, index)}")
    return "\n".join(lines)


def last_line(run: Run, job: str, index: int) -> str:
    log = run.log(job, index)
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return f"it wrote no log: does that node see {log.parent}?"
    said = next((line.strip() for line in reversed(lines) if line.strip()), "nothing")
    return f"{log} ends with: {one_line(said, 300)}"
