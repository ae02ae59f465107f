"""What a run over Slurm is to measure, and in which shards."""

import pathlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from case_seconds import COST_DATA, estimated_seconds, seconds_by_test
from ctest_list import fingerprint_of, listing, properties
from shards import Shard
from slurm_run import RunError, fingerprint


@dataclass(frozen=True)
class Cases:
    """The perf tests that are asked for, in CTest's order."""

    tests: dict[str, dict[str, Any]]  # as ctest lists them
    fixtures: dict[str, dict[str, Any]]  # tests that they need
    seconds: dict[str, float]
    known: int  # of how many the time is known
    backend: str

    @property
    def spec(self) -> bool:
        return any("RESOURCE_GROUPS" in properties(test) for test in self.tests.values())

    @property
    def prints(self) -> dict[str, str]:
        return {name: fingerprint_of(test) for name, test in (self.tests | self.fixtures).items()}

    def executables(self, build: pathlib.Path) -> dict[str, tuple[int, int]]:
        """Of the build, relative to it: others may differ from node to node."""
        found = {}
        for path in {test.get("command", [""])[0] for test in self.tests.values()}:
            if path.startswith(f"{build}/") and (print_ := fingerprint(pathlib.Path(path))):
                found[path[len(str(build)) + 1:]] = print_
        return found


def find_cases(build: pathlib.Path, pattern: str, costs: Sequence[pathlib.Path]) -> Cases:
    """ListError, RunError, or ResultSetError where `costs` cannot be read."""
    tests: dict[str, dict[str, Any]] = {}
    fixtures: dict[str, dict[str, Any]] = {}
    for test in listing(build, "-L", "^perf$", *(("-R", pattern) if pattern else ())):
        name, has = test["name"], properties(test)
        if name in tests or name in fixtures:
            raise RunError(f"{build}: has two tests named {name}: their results would be one; "
                           "rename one")
        (tests if "perf" in has.get("LABELS", []) else fixtures)[name] = test
        if name in tests and has.keys() & {"FIXTURES_SETUP", "FIXTURES_CLEANUP"}:
            raise RunError(f"{build}: {name} is a perf test and a fixture of others, which may run "
                           "in other shards: give it another label than perf, or run without it "
                           "(-R)")
    if not tests:
        which = f" that matches {pattern!r}" if pattern else ""
        raise RunError(f"{build}: has no test labelled perf{which}: is it configured with an op's "
                       "backend (ZL_BACKENDS)?")
    backends = {name.split(".")[1] if name.startswith("perf.") else "" for name in tests}
    if len(backends) > 1 or "" in backends:
        raise RunError(f"{build}: holds tests of several backends, or with names that tell none: "
                       "choose one's, as with -R '^perf\\.cuda\\.'")
    known = seconds_by_test(costs or of_build(build))
    return Cases(tests, fixtures,
                 estimated_seconds(tests, known), sum(name in known for name in tests),
                 backends.pop())


def of_build(build: pathlib.Path) -> list[pathlib.Path]:
    """What an earlier run there left, if any did."""
    has = (build / COST_DATA).is_file() or any((build / "zl-results").glob("*.json"))
    return [build] if has else []


def described(seconds: Mapping[str, float], known: int | None, shards: Sequence[Shard]) -> str:
    """For a reader, before anything is submitted. `known`: of how many the time is."""
    lines = [f"{len(seconds)} cases in {len(shards)} shards:"]
    width = len(str(len(shards) - 1))
    for place, shard in enumerate(shards):
        lines.append(f"  {place:{width}}: {len(shard.tests)} cases, about "
                     f"{duration(shard.seconds)}, as {shard.tests[0]}")
    total, longest = sum(seconds.values()), max(shard.seconds for shard in shards)
    text = (f"about {duration(longest)} with all shards at once, {duration(total)} one after the "
            "other")
    if known == 0:
        text += "; of no case the time is known, so each is taken for as long"
    elif known is not None:
        text += f"; the time of {known} cases is known"
        text += ", the others are taken for their likes" if known < len(seconds) else ""
    return "\n".join([*lines, text])


def duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
