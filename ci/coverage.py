#!/usr/bin/env python3
"""Says which lines of the harness its quick tests run: builds the preset `coverage`, runs its tests and
adds up gcc's counters, of each file and in total.

The vendors' backends (harness/device/cuda, gpu and musa) are left out, which run on their devices, and
the tests themselves. Exit code 1 where the total is below --least, 2 where a test fails or nothing was
counted. Needs nothing but gcc's gcov; for pages with the lines in colours, Debian's gcovr over the same
build folder: gcovr --root . --filter harness/ --html-details build/coverage/lines.html build/coverage
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = ("device/cuda/", "device/gpu/", "device/musa/", "examples/", "tests/")
Lines = dict[str, dict[int, int]]  # file: line: how often it ran


def harness_file(name: str, folder: str) -> str | None:
    """The file's path under harness/, if it is one that counts."""
    path = pathlib.Path(os.path.normpath(os.path.join(folder, name)))
    if not path.is_relative_to(ROOT / "harness"):
        return None
    inside = path.relative_to(ROOT / "harness").as_posix()
    return None if inside.startswith(LEFT_OUT) else inside


def add_report(report: dict, lines: Lines) -> None:
    """Adds one object file's report by gcov. A template's line counts once, whatever its instances."""
    for file in report["files"]:
        name = harness_file(file["file"], report["current_working_directory"])
        if name is None:
            continue
        for line in file["lines"]:
            counts = lines.setdefault(name, {})
            counts[line["line_number"]] = counts.get(line["line_number"], 0) + line["count"]


def reports_of(notes: pathlib.Path) -> list[dict]:
    """gcov's reports of an object file; one that never ran has notes (.gcno) and no counters."""
    done = subprocess.run(["gcov", "--json-format", "--stdout", notes], cwd=notes.parent,
                          capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line]


def counted(build: pathlib.Path) -> Lines:
    lines: Lines = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for reports in pool.map(reports_of, sorted((build / "harness").rglob("*.gcno"))):
            for report in reports:
                add_report(report, lines)
    return lines


def percent(run: int, of: int) -> float:
    return 100 * run / of if of else 100.0


def ranges(numbers: list[int]) -> str:
    """12-14, 20"""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def table(lines: Lines) -> tuple[list[str], float]:
    """A row for each file, those with the most lines that never ran first, and the total."""
    rows = []
    total = collections.Counter()
    for name, counts in lines.items():
        missed = sorted(line for line, count in counts.items() if count == 0)
        total.update(run=len(counts) - len(missed), of=len(counts))
        rows.append((len(missed), name, f"{percent(len(counts) - len(missed), len(counts)):6.1f} % "
                     f"{len(counts) - len(missed):5} of {len(counts):5}  {name}"
                     + (f": not {ranges(missed)}" if missed else "")))
    rows.sort(key=lambda row: (-row[0], row[1]))
    share = percent(total["run"], total["of"])
    return [*(row[2] for row in rows),
            f"{share:6.1f} % {total['run']:5} of {total['of']:5}  in total"], share


def measure(build: pathlib.Path) -> bool:
    """Builds, and runs the tests with counters at zero."""
    for command in (["cmake", "--preset", "coverage"], ["cmake", "--build", "--preset", "coverage"]):
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            return False
    for counters in build.rglob("*.gcda"):
        counters.unlink()
    return subprocess.run(["ctest", "--preset", "coverage"], cwd=ROOT).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--least", type=float, default=90, metavar="PERCENT",
                        help="of all lines (default: 90)")
    parser.add_argument("--no-run", action="store_true",
                        help="only adds up what build/coverage holds")
    arguments = parser.parse_args()
    build = ROOT / "build" / "coverage"
    if not arguments.no_run and not measure(build):
        print("coverage: it does not build, or a test failed", file=sys.stderr)
        return 2
    try:
        lines = counted(build)
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        print(f"coverage: {error}", file=sys.stderr)
        return 2
    if not lines:
        print(f"coverage: nothing was counted under {build}", file=sys.stderr)
        return 2
    rows, share = table(lines)
    print("\n".join(rows))
    print(f"Left out: harness/{', harness/'.join(LEFT_OUT)}")
    if share < arguments.least:
        print(f"coverage: {share:.1f} % is below {arguments.least:g} %", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
