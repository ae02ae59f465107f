"""Makes one result set and one Test.xml out of the attempts of a run over Slurm, where a run of
CTest in the build folder would have left them."""

import os
import pathlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass

import atomic_file
from ctest_parts import TestPart, read_test_part
from merged_part import merged
from slurm_run import Attempt, Run, RunError


@dataclass(frozen=True)
class Merged:
    part: TestPart
    failed: list[str]
    results: int  # files; a test that was killed leaves none


def merge(run: Run, partly: bool = False) -> Merged:
    """`partly`: also where cases are missing."""
    chosen = run.chosen()
    missing = len(run.plan.seconds) - sum(map(len, chosen.values()))
    if not chosen or (missing and not partly):
        raise RunError(f"{run.folder}: {missing} of {len(run.plan.seconds)} cases are not "
                       "measured: run with --resume")
    xml = merged({attempt.test_part: names for attempt, names in chosen.items()},
                 run.plan.stamp, run.build)
    folder = run.build / "Testing" / run.plan.tag
    try:
        results = copy_results(chosen, run.build / "zl-results")
        folder.mkdir(parents=True, exist_ok=True)
        atomic_file.write_text(folder / "Test.xml", xml.decode("utf-8"))
    except OSError as e:
        raise RunError(f"{e.filename}: cannot be written: {e.strerror}") from e
    elsewhere = {attempt: set(run.plan.seconds).difference(names)
                 for attempt, names in chosen.items()}
    failed = {name: None for attempt in chosen for name in attempt.failed
              if name not in elsewhere[attempt]}
    return Merged(read_test_part(xml, str(folder / "Test.xml")), list(failed), results)


def copy_results(chosen: Mapping[Attempt, list[str]], folder: pathlib.Path) -> int:
    """Replaces the folder: else the results of tests that are gone would stay among these."""
    fresh = folder.with_name(f".{folder.name}-new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    count = 0
    for attempt, names in chosen.items():
        there = set(os.listdir(attempt.results)) if attempt.results.is_dir() else set()
        for file in (f"{name}.json" for name in names):
            if file in there:
                shutil.copy2(attempt.results / file, fresh / file)
                count += 1
    if folder.exists():
        shutil.rmtree(folder)
    fresh.rename(folder)
    return count
