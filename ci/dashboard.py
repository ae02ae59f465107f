#!/usr/bin/env python3
"""Runs `ctest -S ci/dashboard.cmake,<preset>[,<group>]` and tells by the exit code what failed.

ctest itself returns 255 whatever the script ends with. Settings: docs/cdash.md.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

CODES = """exit codes: 0 measured and submitted; 1 the measurement failed (configure, build, a test,
or nothing was measured), what there is was submitted; 2 settings, or results that are refused; 3
measured, but not submitted: the parts are in the spool; 4 both 1 and 3"""


def run_script(preset: str, group: str, **environment: str) -> int:
    """One of the exit codes."""
    script = pathlib.Path(__file__).with_name("dashboard.cmake")
    with tempfile.TemporaryDirectory() as folder:
        outcome = pathlib.Path(folder) / "outcome"
        try:
            ran = subprocess.run(
                ["ctest", "-S", f"{script},{preset},{group}"], check=False,
                env={**os.environ, **environment, "ZL_DASHBOARD_OUTCOME": str(outcome)})
        except OSError as e:
            print(f"dashboard: ctest cannot be run: {e.strerror}", file=sys.stderr)
            return 2
        if outcome.exists():
            return int(outcome.read_text(encoding="utf-8"))
        print(f"dashboard: ctest ended early (exit code {ran.returncode})", file=sys.stderr)
        return 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, epilog=CODES)
    parser.add_argument("preset", help="a configure preset: host, cuda, musa")
    parser.add_argument("group", nargs="?", default="Experimental",
                        help="of the dashboard; it must exist there (default: Experimental)")
    arguments = parser.parse_args()
    if "," in arguments.preset + arguments.group:
        parser.error("no comma in preset and group")
    return run_script(arguments.preset, arguments.group)


if __name__ == "__main__":
    sys.exit(main())
