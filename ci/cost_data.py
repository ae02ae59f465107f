#!/usr/bin/env python3
"""Tells CTest how long each test of a build takes, out of earlier results: ctest -j then starts the
longest first, so that its last tests end together.

    ci/cost_data.py RESULTS... BUILD

Each of RESULTS is a result set, a build directory or a CTestCostData.txt; of a test in several of
them the last one counts. A test that none of them knows is taken to be as long as the median of its
op. Only Testing/Temporary/CTestCostData.txt in BUILD is written; which tests failed last stays in
it, for --rerun-failed and because CTest starts them first. A test with a COST property keeps that.

exit codes: 0 done; 2 usage or bad input, and nothing was written
"""

import argparse
import pathlib
import sys
from collections.abc import Iterable, Mapping

import atomic_file
from case_seconds import COST_DATA, estimated_seconds, seconds_by_test
from ctest_list import ListError, listing
from result_set import ResultSetError


def failed_part(file: pathlib.Path) -> str:
    """From `---` on."""
    try:
        _, mark, rest = ("\n" + file.read_text(encoding="utf-8")).partition("\n---\n")
    except FileNotFoundError:
        mark = rest = ""
    except (OSError, UnicodeDecodeError) as e:
        raise ResultSetError(f"{file}: cannot be read: {e}") from e
    return f"---\n{rest}" if mark else "---\n"


def seed(known: Mapping[str, float], build: pathlib.Path) -> dict[str, float]:
    """`known`: of seconds_by_test(). The seconds of each test of the build, as CTest was told."""
    return seed_tests(known, build, names_of_tests(build))


def names_of_tests(build: pathlib.Path) -> list[str]:
    if not (build / "CTestTestfile.cmake").is_file():
        raise ResultSetError(f"{build}: not a build directory (no CTestTestfile.cmake): configure "
                             "it first; it comes last, behind the results")
    try:
        return [test["name"] for test in listing(build)]
    except ListError as e:
        raise ResultSetError(str(e)) from e


def seed_tests(known: Mapping[str, float], build: pathlib.Path,
               names: Iterable[str]) -> dict[str, float]:
    """`names`: the tests of the build."""
    seconds = estimated_seconds(names, known)
    file = build / COST_DATA
    lines = [f"{name} 1 {value:.6g}\n" for name, value in seconds.items()]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic_file.write_text(file, "".join(lines) + failed_part(file))
    except OSError as e:
        raise ResultSetError(f"{file}: cannot be written: {e.strerror}") from e
    return seconds


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", type=pathlib.Path, metavar="RESULTS")
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD")
    arguments = parser.parse_args(argv)
    try:
        known = seconds_by_test(arguments.results)
        seconds = seed(known, arguments.build)
    except ResultSetError as e:
        print(f"cost_data.py: {e}", file=sys.stderr)
        return 2
    print(f"{arguments.build}: {len(seconds)} tests, {len(seconds.keys() & known.keys())} of them "
          f"known, {sum(seconds.values()):.0f} s one after the other")
    return 0


if __name__ == "__main__":
    sys.exit(main())
