#!/usr/bin/env python3
"""Checks the harness's C++ sources with clang-tidy: the checks of .clang-tidy, each finding an error.

What a unity build compiles together is analysed together, which takes a fraction of the time. Exit code
1 where something was found, 2 where nothing could be checked.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

from clang_warnings import clang_command, single_sources

ROOT = pathlib.Path(__file__).resolve().parent.parent
HARNESS = ROOT / "harness"
TESTS = HARNESS / "tests"
STAND_IN = "musa_standin"  # its names are a vendor's
# What GoogleTest's fixtures and Google Benchmark's `for (auto _ : state)` are.
OFF_IN_TESTS = "-cppcoreguidelines-virtual-class-destructor,-clang-analyzer-deadcode.DeadStores"


def sources_of(entry: dict) -> list[pathlib.Path]:
    """The entry's source, or all that a unity source of it includes."""
    return [pathlib.Path(os.path.normpath(source["file"])) for source in single_sources(entry)]


def is_wanted(entry: dict, tests: bool) -> bool:
    """Whether all of it is the harness's own."""
    return all(source.is_relative_to(HARNESS)
               and not source.is_relative_to(TESTS / STAND_IN)
               and (tests or not source.is_relative_to(TESTS)) for source in sources_of(entry))


def is_test(entry: dict) -> bool:
    return any(source.is_relative_to(TESTS) for source in sources_of(entry))


def header_filter() -> str:
    """Matches what is included of the harness, sources of a unity build too."""
    folders = [folder.name for folder in HARNESS.iterdir()
               if folder.is_dir() and folder != TESTS]
    folders += [f"tests/{folder.name}" for folder in TESTS.iterdir()
                if folder.is_dir() and folder.name != STAND_IN]
    return f"^{HARNESS}/(({'|'.join(sorted(folders))})/([a-z]+/)?)?[a-z0-9_]+[.][a-z]+$"


def chosen(entries: list[dict], tests: bool) -> list[dict]:
    """One entry for each source, the largest first: the last to end should be short."""
    unique = {entry["file"]: entry for entry in entries
              if entry["file"].endswith((".cpp", ".cxx")) and is_wanted(entry, tests)}
    return sorted(unique.values(), key=lambda entry: -len(single_sources(entry)))


def check(entry: dict, clang_tidy: str, fix: bool) -> tuple[str, str, float]:
    """The source's name, what was found in it, and how many seconds it took."""
    arguments = clang_command(entry, "clang++")[1:]
    arguments.remove(entry["file"])
    # What clang warns of is for clang_warnings.py.
    arguments = [word for word in arguments if not word.startswith("-W")]
    begin = time.monotonic()
    done = subprocess.run(
        [clang_tidy, "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
         f"--header-filter={header_filter()}", *(["--fix"] if fix else []),
         *([f"--checks={OFF_IN_TESTS}"] if is_test(entry) else []), entry["file"], "--", *arguments],
        cwd=entry["directory"], capture_output=True, text=True)
    found = done.stdout.strip()
    if done.returncode != 0 and not found:
        found = done.stderr.strip()
    return entry["file"], found, time.monotonic() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="with a compile_commands.json")
    parser.add_argument("--clang-tidy", default="clang-tidy")
    parser.add_argument("--tests", action="store_true", help="the sources of tests too")
    parser.add_argument("--fix", action="store_true", help="changes the sources where it knows how")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if shutil.which(arguments.clang_tidy) is None:
        print(f"clang_tidy: there is no {arguments.clang_tidy}; Debian and Ubuntu have it as "
              "clang-tidy", file=sys.stderr)
        return 2
    try:
        entries = json.loads((arguments.build / "compile_commands.json").read_text())
    except (OSError, ValueError) as error:
        print(f"clang_tidy: {error}", file=sys.stderr)
        return 2
    wanted = chosen(entries, arguments.tests)
    failed = 0
    # Two analyses at once might both change a header.
    with concurrent.futures.ThreadPoolExecutor(1 if arguments.fix else arguments.jobs) as pool:
        checks = [pool.submit(check, entry, arguments.clang_tidy, arguments.fix)
                  for entry in wanted]
        for number, done in enumerate(concurrent.futures.as_completed(checks), 1):
            file, found, seconds = done.result()
            failed += bool(found)
            name = os.path.relpath(file, ROOT)
            print(f"[{number}/{len(wanted)}] {name}: {seconds:.0f} s", flush=True)
            if found:
                print(found, flush=True)
    print(f"{len(wanted)} sources checked with {arguments.clang_tidy}, {failed} with findings")
    if not wanted:
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
