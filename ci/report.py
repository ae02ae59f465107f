#!/usr/bin/env python3
"""Makes one self-contained HTML page out of result sets: a table to filter and sort, the history of
each case over the sets in the order given, its samples, the devices and their clocks, and what fell
back and why. The page needs no network and no other file.

  ci/report.py build/cuda -o report.html
  ci/report.py nightly/2026-11-28 nightly/2026-11-29 nightly/2026-11-30 -o report.html

Exit codes: 0 written; 2 usage, or input that cannot be used.
"""

import argparse
import pathlib
import sys
import time

from atomic_file import write_text
from report_data import page_data
from report_page import page
from result_set import ResultSet, ResultSetError, read_result_set


def read_all(paths: list[str]) -> list[ResultSet]:
    """With progress, where it takes long and somebody looks."""
    sets = []
    begin = time.monotonic()
    shown = ""
    for i, path in enumerate(paths):
        if sys.stderr.isatty() and time.monotonic() - begin > 1:
            shown = f"report: reading result set {i + 1} of {len(paths)}"
            print(f"\r{shown}", end="", file=sys.stderr, flush=True)
        sets.append(read_result_set(path, stand_ins=True, mixed_devices=True))
    if shown:
        print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)
    return sets


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", metavar="RESULTS",
                        help="result sets, the oldest first: a build directory, its zl-results, a "
                             "result file, or any JSON of Google Benchmark")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="FILE",
                        help="the page to write")
    parser.add_argument("--title", default="", help="of the page; default: the devices")
    arguments = parser.parse_args()
    try:
        sets = read_all(arguments.results)
        # An argument may hold bytes that are no UTF-8.
        title = arguments.title.encode(errors="replace").decode()
        text = page(page_data(sets), title)
        write_text(arguments.output, text)
    except ResultSetError as error:
        print(f"report: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"report: {arguments.output}: cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    cases = len({r.id for one in sets for r in one.results})
    print(f"{arguments.output}: cases {cases}, result sets {len(sets)}, "
          f"{len(text.encode()) / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
