"""The tests of a build folder, or of any folder with a CTestTestfile.cmake, as ctest lists them."""

import hashlib
import json
import pathlib
import subprocess
from typing import Any


class ListError(Exception):
    """ctest cannot list the tests; the message says of which folder and why."""


def listing(folder: pathlib.Path, *filters: str) -> list[dict[str, Any]]:
    """In CTest's order. `filters` as for ctest; fixtures of the tests that they leave are in it."""
    try:
        listed = subprocess.run(
            ["ctest", "--test-dir", str(folder), "--show-only=json-v1", *filters],
            capture_output=True, text=True, errors="replace", check=False)
    except OSError as e:
        raise ListError(f"ctest cannot be started: {e.strerror}") from e
    try:
        tests = json.loads(listed.stdout)["tests"]
        if not all(isinstance(test["name"], str) for test in tests):
            raise TypeError("a test without a name")
    except (ValueError, KeyError, TypeError) as e:
        raise ListError(f"{folder}: ctest cannot list its tests ({listed.stderr.strip() or e}): "
                        "configure it again") from e
    return tests


def properties(test: dict[str, Any]) -> dict[str, Any]:
    return {entry["name"]: entry["value"] for entry in test.get("properties", [])}


def fingerprint_of(test: dict[str, Any]) -> str:
    """A fingerprint of what the test runs and of its properties."""
    text = json.dumps([test.get("command"), properties(test)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
