#!/usr/bin/env python3
"""Decides whether NEW is slower than BASE: paired, interleaved measurements on one device.

BASE and NEW are build folders, or git refs, which are built in worktrees under build/ab that are
kept. Every measurement is a fresh process. A pair is one process of each build, in alternating
order; after 7, 14 and 28 pairs each case is REGRESSED, IMPROVED, SAME, or measured on, and at the
end INCONCLUSIVE. CHANGED: the number came about otherwise (method, cache, statistic, schedule).
IDENTICAL: both builds hold the same machine code. docs/ab.md tells how it is decided.

With --self one build is held against itself: how often would it be called changed?

exit codes:
  0    no finding
  1    a finding: a case is REGRESSED, CHANGED, or FAILED in NEW only;
       with --self: more than 1 % false alarms
  2    usage or bad input
  3    nothing could be decided
  130  interrupted; what was decided until then is reported
"""

import argparse
import math
import os
import pathlib
import signal
import sys
import time
from collections.abc import Callable

import ab_report
import ab_self_report
import atomic_file
from ab_cases import BuiltCase, check_built, floors, list_cases, read_suspects, selected
from ab_decision import FLOOR_PCT, Rules, Verdict
from ab_input import InputError
from ab_measure import Measurement, run_case
from ab_pairs import CaseRun, Devices
from ab_report import Report, Row, row_of
from ab_rounds import Progress, end_interrupted, run_rounds, settle
from ab_self import self_cases
from ab_self_report import SelfReport
from ab_self_rounds import run_self_rounds
from git_builds import Build, Builder
from machine_code import op_code

LEAST_VERDICTS = 300
INTERRUPTED = 130


def percentage(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < 100:
        raise argparse.ArgumentTypeError(f"{text!r} is no percentage from 0 to 100")
    return value


def verdict_count(text: str) -> int:
    if not text.isdecimal() or int(text) < LEAST_VERDICTS:
        raise argparse.ArgumentTypeError(
            f"{text!r}: at least {LEAST_VERDICTS}, fewer bound no rate of 1 %")
    return int(text)


def parser() -> argparse.ArgumentParser:
    root = pathlib.Path(__file__).resolve().parent.parent
    made = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--base", metavar="BUILD", help="build folder or git ref")
    made.add_argument("--new", metavar="BUILD", help="build folder or git ref")
    made.add_argument("--self", metavar="BUILD", dest="itself", help="hold BUILD against itself")
    made.add_argument("--verdicts", type=verdict_count, default=LEAST_VERDICTS, metavar="N",
                      help="with --self: A/A verdicts, at least (300)")
    made.add_argument("--filter", metavar="REGEX", help="only cases whose test name it is found in")
    made.add_argument("--suspects", type=pathlib.Path, metavar="FILE",
                      help="only the cases named there, a line each; CTest's LastTestsFailed.log "
                      "too")
    made.add_argument("--floor", type=percentage, default=FLOOR_PCT, metavar="PCT",
                      help="a change up to this is none (2)")
    made.add_argument("--floor-of", action="append", default=[], metavar="REGEX=PCT",
                      help="another floor for the cases that match; the last one counts")
    made.add_argument("--include-identical", action="store_true",
                      help="measure also what is the same machine code in both builds")
    made.add_argument("--preset", help="for git refs: configure and build preset, as cuda")
    made.add_argument("--configure-argument", action="append", default=[], metavar="ARG",
                      help="for git refs: one more argument of cmake --preset, as -DX=1")
    made.add_argument("--repository", type=pathlib.Path, default=root, metavar="DIR",
                      help="of the git refs (this one)")
    made.add_argument("--keep", type=pathlib.Path, metavar="DIR",
                      help="keep every process's result file there")
    made.add_argument("--json", type=pathlib.Path, metavar="FILE", help="all numbers")
    made.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="a comment's size")
    return made


def colours_wanted() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def checked(arguments: argparse.Namespace) -> argparse.Namespace:
    if bool(arguments.itself) == bool(arguments.base or arguments.new) or (
            not arguments.itself and not (arguments.base and arguments.new)):
        raise InputError("give --base and --new, or --self")
    for file in (arguments.json, arguments.markdown):  # now, not after an hour of measuring
        if file and not file.resolve().parent.is_dir():
            raise InputError(f"{file}: there is no folder {file.resolve().parent}: make it first")
    return arguments


def found_build(arguments: argparse.Namespace, text: str) -> Build:
    if not pathlib.Path(text).is_dir() and not arguments.preset:
        raise InputError(f"{text!r}: no folder; where it is a git ref, give the --preset to build "
                         "it with (host, cuda, musa)")
    return Builder(arguments.repository, arguments.preset or "",
                   arguments.repository / "build" / "ab", arguments.configure_argument).build(text)


def chosen(arguments: argparse.Namespace, names: list[str]) -> list[str]:
    names = selected(names, arguments.filter)
    return names if arguments.suspects is None else read_suspects(arguments.suspects, names)


def measurer(arguments: argparse.Namespace) -> Callable[[BuiltCase], Measurement]:
    return lambda case: run_case(case, arguments.keep)


def compare(arguments: argparse.Namespace) -> Report:
    start = time.monotonic()
    base, new = (found_build(arguments, text) for text in (arguments.base, arguments.new))
    if base.folder == new.folder:
        raise InputError(f"{base.shown} and {new.shown} are the same build: to see what is found "
                         f"where nothing changed, use --self {arguments.base}")
    ours, theirs = list_cases(base.folder), list_cases(new.folder)
    names = chosen(arguments, list(ours | theirs))
    floor_of = floors(names, arguments.floor, arguments.floor_of)
    for build, listed in ((base, ours), (new, theirs)):
        check_built((listed[name] for name in names if name in listed), build.folder)
    for name in names:
        if name in ours and name in theirs and not ours[name].measured_by and (
                ours[name].executable.resolve() == theirs[name].executable.resolve()):
            raise InputError(f"{name} runs {ours[name].executable} in {base.shown} and in "
                             f"{new.shown}: a copied build folder still runs what it was copied "
                             "from; configure and build it in its place")
    rows, runs = [], []
    for name in names:
        if name not in theirs:
            rows.append(Row(name, Verdict.BASE_ONLY))
        elif name not in ours:
            rows.append(Row(name, Verdict.NEW_ONLY))
        elif not arguments.include_identical and not theirs[name].measured_by and (
                code := op_code(base.folder, ours[name].executable)) == op_code(
                    new.folder, theirs[name].executable):
            rows.append(Row(name, Verdict.IDENTICAL, f"same code ({code[: code.index(' ') + 9]})"))
        else:
            runs.append(CaseRun(name, ours[name], theirs[name], Rules(floor_of[name])))
    devices, interrupted = Devices(), False
    try:
        run_rounds(runs, measurer(arguments), Progress(), devices)
    except KeyboardInterrupt:
        interrupted = True
        end_interrupted(runs)
    settle(runs)
    return Report(base.shown, new.shown, devices.shown, rows + [row_of(run) for run in runs],
                  time.monotonic() - start, interrupted)


def itself(arguments: argparse.Namespace) -> SelfReport:
    start = time.monotonic()
    build = found_build(arguments, arguments.itself)
    built = list_cases(build.folder)
    names = chosen(arguments, list(built))
    floor_of = floors(names, arguments.floor, arguments.floor_of)
    check_built((built[name] for name in names), build.folder)
    cases = self_cases({name: Rules(floor_of[name]) for name in names}, arguments.verdicts)
    devices, interrupted = Devices(), False
    try:
        run_self_rounds(cases, built, measurer(arguments), Progress(), devices)
    except KeyboardInterrupt:
        interrupted = True
    return SelfReport(build.shown, devices.shown, cases, time.monotonic() - start, interrupted)


def run(arguments: argparse.Namespace) -> tuple[str, int]:
    """What to print, and the exit code."""
    checked(arguments)
    if arguments.itself:
        report, shown = itself(arguments), ab_self_report
        text = shown.terminal(report)
    else:
        report, shown = compare(arguments), ab_report
        text = shown.terminal(report, colours_wanted())
    for file, write in ((arguments.json, shown.as_json), (arguments.markdown, shown.markdown)):
        if file:
            atomic_file.write_text(file, write(report))
    return text, INTERRUPTED if report.interrupted else report.exit_code


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    # What CI sends on a cancelled job: no measurement may go on and hold the device.
    signal.signal(signal.SIGTERM, interrupt)
    try:
        text, code = run(parser().parse_args())
    except (InputError, OSError) as e:
        print(f"ab: {e}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # before the first measurement
        return INTERRUPTED
    sys.stdout.write(text)
    return code


if __name__ == "__main__":
    sys.exit(main())
