"""A run over Slurm, as it lies in <build>/zl-slurm/<tag>: plan, submissions, attempts.

  run.json                   what is measured, out of which build
  submission-<n>.json        the shards of the n-th job array; one more for each --resume
  attempts/<n>.<task>.<restart>/
                             what one start of one task did: a test directory of its own. done.json,
                             written last, says that it came to its end

An attempt counts when it has a done.json. So a task that was killed, lost its node or is still at
work counts for nothing, and one that Slurm started again has an attempt of its own.
"""

import json
import pathlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from atomic_file import write_text
from json_fields import mapping, number, text, texts

FOLDER = "zl-slurm"
ATTEMPT = re.compile(r"(\d+)\.(\d+)\.(\d+)")


class RunError(Exception):
    """The run cannot begin or go on; the message says why and what to do."""


@dataclass(frozen=True)
class Plan:
    preset: str
    build: str
    tag: str  # the folder in Testing/
    stamp: str  # CDash's
    backend: str
    gpus_per_task: int
    gres: str  # how Slurm is asked for them; empty: a whole node is
    options: Sequence[str]  # more of them, for sbatch
    spec: bool  # the tests ask CTest for devices (RESOURCE_GROUPS)
    tests: Mapping[str, str]  # fingerprints of those that are measured, and of fixtures they need
    seconds: Mapping[str, float]  # expected of each test that is measured, in CTest's order
    executables: Mapping[str, tuple[int, int]]  # their sizes and times of change, ns


@dataclass(frozen=True, order=True)
class Attempt:
    """Ordered from old to new, for one task."""

    submission: int
    task: int
    restart: int
    folder: pathlib.Path

    @property
    def done(self) -> bool:
        return (self.folder / "done.json").is_file()

    @property
    def failed(self) -> list[str]:
        """What CTest called so."""
        file = self.folder / "done.json"
        try:
            return list(texts(json.loads(file.read_text(encoding="utf-8"))["failed"], "failed"))
        except (OSError, ValueError, TypeError, KeyError) as e:
            raise RunError(f"{file}: cannot be used ({e}): remove the folder and run with "
                           "--resume") from e

    def end(self, said: Mapping[str, object]) -> None:
        write_text(self.folder / "done.json", json.dumps(said))

    @property
    def results(self) -> pathlib.Path:
        return self.folder / "zl-results"

    @property
    def test_part(self) -> pathlib.Path:
        """Where CTest wrote it; the tag is another one where a day of UTC ended before."""
        found = list(self.folder.glob("Testing/*/Test.xml"))
        if len(found) != 1:
            raise RunError(f"{self.folder}: holds {len(found)} Test.xml instead of one, though it "
                           "is done: remove the folder and run with --resume")
        return found[0]


class Run:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.plan = read_plan(folder / "run.json")

    @property
    def build(self) -> pathlib.Path:
        return pathlib.Path(self.plan.build)

    def submission_file(self, number: int) -> pathlib.Path:
        return self.folder / f"submission-{number}.json"

    def submissions(self) -> list[list[tuple[str, ...]]]:
        """Of each job array the tests of each task."""
        found = []
        while (file := self.submission_file(len(found))).is_file():
            found.append(read_shards(file))
        return found

    def add_submission(self, shards: Sequence[Iterable[str]]) -> int:
        number = len(self.submissions())
        write_text(self.submission_file(number), json.dumps([list(tests) for tests in shards]))
        return number

    def note_job(self, submission: int, job: str) -> None:
        write_text(self.folder / f"job-{submission}", job)

    def job(self, submission: int) -> str:
        """The array's number; empty where Slurm took none."""
        file = self.folder / f"job-{submission}"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def log(self, job: str, task: int) -> pathlib.Path:
        return self.folder / "log" / f"{job}_{task}.log"

    def attempts(self) -> list[Attempt]:
        folder = self.folder / "attempts"
        found = []
        for path in folder.iterdir() if folder.is_dir() else []:
            if match := ATTEMPT.fullmatch(path.name):
                found.append(Attempt(*map(int, match.groups()), path))
        return sorted(found)

    def chosen(self) -> dict[Attempt, list[str]]:
        """The tests whose results count, by attempt: each test once, out of the newest attempt that
        is done and has it."""
        submissions = self.submissions()
        owner: dict[str, Attempt] = {}
        for attempt in self.attempts():
            if attempt.done:
                owner |= dict.fromkeys(submissions[attempt.submission][attempt.task], attempt)
        by_attempt: dict[Attempt, list[str]] = {}
        for name in self.plan.seconds:
            if name in owner:
                by_attempt.setdefault(owner[name], []).append(name)
        return dict(sorted(by_attempt.items()))

    def missing(self) -> list[str]:
        have = {name for names in self.chosen().values() for name in names}
        return [name for name in self.plan.seconds if name not in have]

    def check_build(self) -> None:
        """Numbers of two builds must not become one set."""
        for path, was in self.plan.executables.items():
            if fingerprint(self.build / path) != tuple(was):
                raise RunError(f"{self.build / path}: was built again since the run "
                               f"{self.plan.tag} began: its results and new ones are not of one "
                               "build; begin a new run")


def fingerprint(executable: pathlib.Path) -> tuple[int, int] | None:
    try:
        status = executable.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def create(build: pathlib.Path, plan: Plan) -> Run:
    folder = build / FOLDER / plan.tag
    try:
        (folder / "attempts").mkdir(parents=True)
        (folder / "log").mkdir()
        write_text(folder / "run.json", json.dumps(asdict(plan), indent=1))
    except OSError as e:
        raise RunError(f"{folder}: cannot be made: {e.strerror}") from e
    return Run(folder)


def runs_of(build: pathlib.Path) -> list[pathlib.Path]:
    """Folders, oldest first."""
    return sorted(file.parent for file in (build / FOLDER).glob("*/run.json"))


def newest(build: pathlib.Path) -> Run:
    folders = runs_of(build)
    if not folders:
        raise RunError(f"{build / FOLDER}: no run that could be resumed: begin one without "
                       "--resume")
    return Run(folders[-1])


def read_plan(file: pathlib.Path) -> Plan:
    try:
        found = mapping(json.loads(file.read_text(encoding="utf-8")), "run")
        return Plan(
            preset=text(found["preset"], "preset"), build=text(found["build"], "build"),
            tag=text(found["tag"], "tag"), stamp=text(found["stamp"], "stamp"),
            backend=text(found["backend"], "backend"),
            gres=text(found["gres"], "gres"), options=texts(found["options"], "options"),
            gpus_per_task=int(number(found["gpus_per_task"], "gpus_per_task")),
            spec=bool(found["spec"]),
            tests={k: text(v, k) for k, v in mapping(found["tests"], "tests").items()},
            seconds={k: number(v, k) for k, v in mapping(found["seconds"], "seconds").items()},
            executables={k: (int(size), int(changed)) for k, (size, changed)
                         in mapping(found["executables"], "executables").items()})
    except (OSError, ValueError, TypeError, KeyError) as e:
        raise RunError(f"{file}: not the plan of a run ({e}): begin a new run") from e


def read_shards(file: pathlib.Path) -> list[tuple[str, ...]]:
    try:
        return [texts(shard, "shard") for shard in json.loads(file.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError) as e:
        raise RunError(f"{file}: not a list of shards ({e}): begin a new run") from e
