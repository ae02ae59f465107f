#!/usr/bin/env python3
"""Holds CTest's Test.xml against the result files of the same run.

Every passed perf test must have its measurements, and each must equal the result file's value.
"""

import argparse
import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

from ctest_parts import PartsError, newest_tag

REQUIRED = ("latency_us", "cv_pct", "method", "cache", "capture", "verdict")
TEXTS = ("method", "cache", "capture", "verdict", "statistic")


def newest_test_xml(build: pathlib.Path) -> pathlib.Path:
    return build / "Testing" / newest_tag(build) / "Test.xml"


def measurements(test: ElementTree.Element) -> dict[str, str]:
    found = {}
    for measurement in test.iter("NamedMeasurement"):
        found[measurement.get("name", "")] = measurement.findtext("Value", "")
    return found


def problems_of(name: str, tags: dict[str, str], result: dict) -> list[str]:
    problems = [f"{name}: no measurement '{key}'" for key in REQUIRED if key not in tags]
    for key, value in result["metrics"].items():
        if key in tags and float(tags[key]) != value:
            problems.append(f"{name}: {key} is {tags[key]}, the result file has {value!r}")
    for key in TEXTS:
        if key in tags and tags[key] != result[key]:
            problems.append(f"{name}: {key} is '{tags[key]}', the result file has '{result[key]}'")
    return problems


def check(build: pathlib.Path, test_xml: pathlib.Path) -> tuple[int, list[str]]:
    """The number of perf tests that passed, and what is wrong with them."""
    passed = 0
    problems: list[str] = []
    for test in ElementTree.parse(test_xml).getroot().iter("Test"):
        name = test.findtext("Name", "")
        if test.get("Status") != "passed" or not name.startswith("perf."):
            continue
        passed += 1
        file = build / "zl-results" / f"{name}.json"
        if not file.exists():
            problems.append(f"{name}: no result file {file}")
            continue
        result = json.loads(file.read_text())["zl"]["result"]
        problems += problems_of(name, measurements(test), result)
    return passed, problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="build folder, after `ctest -T Test`")
    build = parser.parse_args().build
    try:
        passed, problems = check(build, newest_test_xml(build))
    except (OSError, PartsError, ElementTree.ParseError) as error:
        print(f"check_tags: {build}: {error}", file=sys.stderr)
        return 2
    if passed == 0:
        problems.append("no perf test passed: nothing was compared")
    for problem in problems:
        print(problem)
    print(f"{passed} perf tests compared, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
