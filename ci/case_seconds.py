"""How long each test takes, out of earlier results: for a schedule (cost_data.py) and for an estimate.

    seconds = estimated_seconds(tests, seconds_by_test([path, ...]))
"""

import math
import pathlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import median

from result_set import ResultSetError, read_result_set

UNKNOWN_SECONDS = 2.0  # where nothing like the test is known
COST_DATA = pathlib.Path("Testing") / "Temporary" / "CTestCostData.txt"
NOT_RUN = {"skipped", "busy", "usage"}  # verdicts of cases that took no time of their own


def seconds_by_test(sources: Iterable[pathlib.Path]) -> dict[str, float]:
    """Wall time in seconds by CTest's name. A source is a result set (a directory of result files,
    one such file), a CTestCostData.txt, or a build directory with either. Where several know a test
    the last one counts; in a build directory its results count before CTest's cost data, which
    understate: a serial run of CTest divides what it knew by the number of runs. Tests that no
    source knows are not in it: estimated_seconds(). ResultSetError where a source cannot be read.
    """
    known: dict[str, float] = {}
    for source in map(pathlib.Path, sources):
        if source.is_file() and source.suffix == ".txt":
            known |= of_cost_data(source)
            continue
        cost_data = source / COST_DATA
        if cost_data.is_file():
            known |= of_cost_data(cost_data)
            if not (source / "zl-results").is_dir():
                continue
        known |= of_results(source)
    return known


def of_results(path: pathlib.Path) -> dict[str, float]:
    results = read_result_set(path, stand_ins=True, mixed_devices=True).results
    return {result.id.test_name: result.wall_s for result in results
            if result.wall_s > 0 and result.verdict not in NOT_RUN}


def of_cost_data(file: pathlib.Path) -> dict[str, float]:
    """Lines `name runs seconds`, then `---` and the names of the tests that failed."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise ResultSetError(f"{file}: cannot be read: {e}") from e
    known = {}
    for line in lines:
        if line == "---":
            break
        parts = line.rsplit(" ", 2)
        try:
            name, runs, seconds = parts[0], int(parts[1]), float(parts[2])
        except (IndexError, ValueError) as e:
            raise ResultSetError(f"{file}: {line!r} is no line of CTest's cost data: give a "
                                 "CTestCostData.txt, results or a build directory") from e
        if runs > 0 and 0 < seconds < math.inf:
            known[name] = seconds
    return known


def estimated_seconds(tests: Iterable[str], known: Mapping[str, float]) -> dict[str, float]:
    """For each of the tests what is known of it, else the median of its op on its backend, else
    that of its backend, else UNKNOWN_SECONDS."""
    groups = defaultdict(list)
    for name, seconds in known.items():
        for group in groups_of(name):
            groups[group].append(seconds)
    medians = {group: median(of) for group, of in groups.items()}

    def estimate(name: str) -> float:
        alike = next((group for group in groups_of(name) if group in medians), None)
        return medians[alike] if alike else UNKNOWN_SECONDS

    return {name: known[name] if name in known else estimate(name) for name in tests}


def groups_of(test: str) -> list[tuple[str, ...]]:
    """The narrower one first: (perf, backend, op), (perf, backend)."""
    parts = tuple(test.split("."))
    return [parts[:length] for length in (3, 2)] if parts[0] == "perf" and len(parts) > 3 else []
