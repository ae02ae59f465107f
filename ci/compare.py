#!/usr/bin/env python3
"""Puts two result sets side by side.

BASE and NEW are each a result file, a directory of result files, a build directory, or any JSON
file of Google Benchmark. Numbers are compared only where device model, schedule, method, cache,
statistic and clock state are alike and both are trusted; every other row says what differs. Cases
that only one side has are listed.

With --by-device: any number of result sets, as of the nodes of a cluster or of several nights. Each
device is held against the others of its model, by the cases that they share.

exit codes:
  0  no finding
  1  a finding: a case is slower (by more than the floor and by more than the runs' own intervals),
     has a verdict instead of its number, or was measured otherwise although the same was asked for;
     with --all-cases also: a case of BASE is missing in NEW; with --by-device: an outlier
  2  usage or bad input
  3  nothing could be compared, and no finding either
"""

import argparse
import math
import os
import pathlib
import signal
import sys
from collections.abc import Callable, Iterable

import atomic_file
import by_device
import by_device_text
import comparison_text
import shown_text
from comparison import COMPARED, Comparison, Outcome, compared
from result_set import ResultSetError, read_result_set


def percent(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < 1000:  # NaN neither
        raise argparse.ArgumentTypeError(f"{text!r} is no percentage from 0 to 1000")
    return value


def colours_wanted() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def exit_code(found: Comparison, all_cases: bool) -> int:
    if found.findings or (all_cases and found.count(Outcome.MISSING)):
        return 1
    return 0 if found.count(*COMPARED) else 3


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter,
                                   usage="%(prog)s [options] BASE NEW\n"
                                   "       %(prog)s --by-device [options] RESULTS...")
    made.add_argument("sets", nargs="+", metavar="RESULTS",
                      help="BASE, the result set to compare with, and NEW, the one to judge")
    made.add_argument("--by-device", action="store_true",
                      help="compare the devices of each model, by all RESULTS")
    made.add_argument("--same-card", action="store_true",
                      help="numbers of different cards (uuids) are unlike, too")
    made.add_argument("--floor", type=percent, default=2.0, metavar="PCT",
                      help="a change up to this is none (2)")
    made.add_argument("--all-cases", action="store_true",
                      help="a case that is missing in NEW is a finding")
    for name, what in (("json", "JSON"), ("markdown", "Markdown, short enough for a comment"),
                       ("junit", "JUnit's XML")):
        made.add_argument(f"--{name}", metavar="FILE",
                          help=f"also write {what}; - prints it in place of the table")
    return made


def write(files: Iterable[tuple[str | None, Callable]], found: object) -> bool:
    """Each file that is wanted, as it is written. False: one of them was printed."""
    wanted = [(file, text) for file, text in files if file is not None]
    if sum(file == "-" for file, _ in wanted) > 1:
        raise ResultSetError("only one of --json, --markdown and --junit can be printed: give the "
                             "others a file")
    for file, text in wanted:
        if file == "-":
            sys.stdout.write(text(found))
            continue
        try:
            atomic_file.write_text(pathlib.Path(file), text(found))
        except OSError as e:
            raise ResultSetError(f"{file}: cannot be written: {e.strerror}") from e
    return all(file != "-" for file, _ in wanted)


def run_by_device(arguments: argparse.Namespace) -> int:
    if arguments.junit or arguments.all_cases or arguments.same_card:
        raise ResultSetError("--by-device knows no --junit, --all-cases and --same-card")
    found = by_device.by_device(
        result for path in arguments.sets
        for result in read_result_set(path, mixed_devices=True).results)
    if write(((arguments.json, by_device_text.as_json),
              (arguments.markdown, by_device_text.markdown)), found):
        sys.stdout.write(by_device_text.terminal(found))
    return 1 if any(one.outlier for one in found) else 0 if found else 3


def run(arguments: argparse.Namespace) -> int:
    if arguments.by_device:
        return run_by_device(arguments)
    if len(arguments.sets) != 2:
        raise ResultSetError(f"{len(arguments.sets)} result sets: give two, BASE and NEW, or "
                             "--by-device")
    base, new = map(read_result_set, arguments.sets)
    same = {r.path.resolve() for r in base.results} & {r.path.resolve() for r in new.results}
    if same:  # it would be called unchanged, whatever was measured
        raise ResultSetError(f"BASE and NEW are the same files, as {min(same)}: give two runs")
    found = compared(base, new, arguments.floor, arguments.same_card)
    if write(((arguments.json, comparison_text.as_json),
              (arguments.markdown, comparison_text.markdown),
              (arguments.junit, comparison_text.junit)), found):
        sys.stdout.write(comparison_text.terminal(found, colours_wanted()))
    return exit_code(found, arguments.all_cases)


def main(argv: list[str] | None = None) -> int:
    arguments = parser().parse_args(argv)
    try:
        return run(arguments)
    except ResultSetError as e:
        print(f"compare.py: {shown_text.one_line(str(e))}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a traceback
    sys.stdout.reconfigure(errors="replace")  # a terminal without UTF-8 gets `?`
    sys.exit(main())
