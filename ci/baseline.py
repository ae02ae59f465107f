#!/usr/bin/env python3
"""Makes and keeps baselines, which the gate of BASELINE and TOLERANCE reads (docs/baseline.md).

  make    a baseline from result sets, one of each run
  cdash   a baseline from the history that a CDash server holds
  add     the results of one more run, to a baseline file or to the one of a directory that fits
  accept  a new level of single cases, with the reason
  show    what is in a baseline

Results are grouped by device model, driver, runtime and version of zl-bench: of make and cdash the
newest group counts, add to a directory begins a new baseline where one has changed. Results that
failed, or that are untrusted or implausible, are left out and listed on stderr.

exit codes: 0 done; 2 usage or bad input, and nothing was written; 4 the CDash server cannot be
reached or refuses, and nothing was written
"""

import argparse
import os
import pathlib
import signal
import sys
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

import baseline_changes as changes
import cdash_history
import shown_text
from baseline_file import (DATE, ENOUGH_RUNS, Baseline, read_baseline, write_baseline)
from baseline_runs import ASSUMABLE, Measured, for_all_cards, measured, why_left_out
from cdash_server import CdashError, Server, SettingsError, parse_address, read_token
from result_set import ResultSetError, read_result_set

LASTS_DAYS = 90
MOST_NOTES = 20


class Notes:
    """For stderr: the first few in full, of more the number."""

    def __init__(self) -> None:
        self.lines = 0

    def __call__(self, line: str) -> None:
        self.lines += 1
        if self.lines <= MOST_NOTES:
            print(f"baseline.py: {shown_text.one_line(line)}", file=sys.stderr)

    def close(self) -> None:
        if self.lines > MOST_NOTES:
            print(f"baseline.py: {self.lines - MOST_NOTES} more lines like these", file=sys.stderr)


def now() -> datetime:
    return datetime.now(UTC)


def some(found: list[Measured]) -> list[Measured]:
    if not found:
        raise ResultSetError("none of the results can be in a baseline: see the lines above")
    return found


def from_results(arguments: argparse.Namespace, note: Notes,
                 accepting: bool = False) -> list[Measured]:
    found = []
    for path in arguments.results:
        for result in read_result_set(path).results:
            why = why_left_out(result.verdict, result.latency_us, "; ".join(result.untrusted),
                               result.implausible, accepting)
            if why:
                note(f"{result.path}: {why}: left out")
            else:
                found.append(measured(result, arguments.assume, arguments.commit))
    return some(found)


def write_made(arguments: argparse.Namespace, found: list[Measured], note: Notes) -> Baseline:
    expires = arguments.expires or now().date() + timedelta(days=LASTS_DAYS)
    made = changes.make(found, now().strftime(DATE), expires, note)
    file = arguments.output
    if file.is_dir() or not file.suffix:
        try:
            file.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise ResultSetError(f"{file}: is no directory and cannot become one: {e.strerror}") from e
        file /= made.header.file_name
    elif file.suffix != ".json":
        raise ResultSetError(f"{file}: neither a directory nor named *.json, as the gate finds "
                             "it in a directory")
    if file.exists():
        if not arguments.replace:
            raise ResultSetError(f"{file}: exists: give --replace to make it anew")
        made = changes.make_anew(read_baseline(file), made, arguments.reason, arguments.by, note)
    write_baseline(file, made)
    return made


def run_make(arguments: argparse.Namespace, note: Notes) -> Baseline:
    found = from_results(arguments, note)
    return write_made(arguments, found if arguments.same_card else for_all_cards(found), note)


def run_cdash(arguments: argparse.Namespace, note: Notes) -> Baseline:
    if not arguments.url:
        raise SettingsError("no server: give --url or set ZL_CDASH_URL")
    server = Server(parse_address(arguments.url, arguments.project),
                    read_token(arguments.token_file))
    tests = cdash_history.history(server, arguments.build_name, arguments.site, arguments.builds,
                                  note)
    found = (cdash_history.measured(test, arguments.assume, note) for test in tests)
    return write_made(arguments, some([one for one in found if one is not None]), note)


def fitting(folder: pathlib.Path, found: list[Measured], note: Notes) -> tuple[pathlib.Path,
                                                                             Baseline | None]:
    """The file of the directory that has the results' device, driver, runtime and version."""
    header, *others = {one.header: None for one in for_all_cards(found)}
    if others:
        raise ResultSetError(f"the results are not of one run: {header.changes_to(others[0])}: add "
                             "them one by one")
    fit = []
    for file in sorted(folder.glob("*.json")):
        baseline = read_baseline(file)
        cards = {"", *(one.header.device_uuid for one in found)}
        if baseline.header.for_all_cards() == header and baseline.header.device_uuid in cards:
            fit.append((file, baseline))
    fit = [one for one in fit if one[1].header.device_uuid] or fit  # as the gate chooses
    if len(fit) > 1:
        raise ResultSetError(f"{fit[0][0]} and {fit[1][0]} are both of {header.device!r} and the "
                             "same driver, runtime and version: remove one")
    if fit:
        return fit[0]
    file = folder / header.file_name
    if file.exists():
        raise ResultSetError(f"{file}: is the baseline of another device, driver, runtime or "
                             "version in spite of its name: rename it")
    note(f"{folder}: no baseline of this device, driver, runtime and version of zl-bench: begins "
         "a new one")
    return file, None


def run_add(arguments: argparse.Namespace, note: Notes) -> Baseline:
    file, old = arguments.baseline, None
    found = from_results(arguments, note)
    if file.is_dir():
        file, old = fitting(file, found, note)
    else:
        old = read_baseline(file)
    if old is None:
        lasts = now().date() + timedelta(days=LASTS_DAYS)
        new = changes.make(for_all_cards(found), now().strftime(DATE), lasts, note)
    else:
        changes.not_expired(old, now().date())
        new = changes.add(old, found, note)
    write_baseline(file, new)
    return new


def run_accept(arguments: argparse.Namespace, note: Notes) -> Baseline:
    if not arguments.reason.strip():
        raise ResultSetError("--reason is empty: say why the new level is right")
    old = read_baseline(arguments.baseline)
    changes.not_expired(old, now().date())
    found = from_results(arguments, note, accepting=True)
    new = changes.accept(old, found, arguments.case, now().strftime(DATE), arguments.reason,
                         arguments.by, note)
    write_baseline(arguments.baseline, new)
    return new


def run_show(arguments: argparse.Namespace, _: Notes) -> Baseline:
    baseline = read_baseline(arguments.baseline)
    head = baseline.header
    late = " (expired)" if now().date() > baseline.expires else ""
    card = f" {head.device_uuid} alone" if head.device_uuid else ""
    lines = [f"device {head.device}{card}, driver {head.driver or '-'}, runtime {head.runtime or '-'}, "
             f"zl-bench {head.harness_version}, made {baseline.made}, expires "
             f"{baseline.expires}{late}",
             f"{'runs':>4} {'median us':>10} {'4 MAD %':>8}  case"]
    for key, case in sorted(baseline.cases.items()):
        last = case.runs[-1]
        lines.append(f"{len(case.levels):4} {case.median_us:10.4g} {case.spread_pct:8.2f}  {key} "
                     f"({last.method}, {last.cache})")
        if case.accepted is not None:
            by = f" by {case.accepted.by}" if case.accepted.by else ""
            lines.append(f"{'':26}accepted {case.accepted.date}{by}: {case.accepted.reason}")
    print("\n".join(map(shown_text.one_line, lines)))
    return baseline


def assumption(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or name not in ASSUMABLE:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE with a NAME of "
                                         f"{', '.join(ASSUMABLE)}")
    return name, value


def day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date like 2027-02-28") from None


def count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 1000")
    return int(text)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = made.add_subparsers(dest="command", required=True)

    def command(name: str, run, what: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=what, description=what)
        one.set_defaults(run=run)
        return one

    def results(one: argparse.ArgumentParser) -> None:
        one.add_argument("results", nargs="+", type=pathlib.Path, metavar="RESULTS",
                         help="a result file, a directory of them or a build directory, one a run")
        one.add_argument("--commit", default="", help="that the results were measured of")

    def assume(one: argparse.ArgumentParser) -> None:
        one.add_argument("--assume", type=assumption, action="append", default=[],
                         metavar="NAME=VALUE", help="where the results do not tell it: "
                         + ", ".join(ASSUMABLE))

    def output(one: argparse.ArgumentParser) -> None:
        one.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="FILE",
                         help="the baseline to write; in a directory it names itself")
        one.add_argument("--expires", type=day, metavar="DATE",
                         help=f"last day on which it is used (in {LASTS_DAYS} days)")
        one.add_argument("--replace", action="store_true", help="FILE may exist")
        one.add_argument("--reason", default="", help="why levels of FILE may rise or change")
        one.add_argument("--by", default="", help="who says so")

    one = command("make", run_make, "make a baseline from result sets")
    results(one), output(one), assume(one)
    one.add_argument("--same-card", action="store_true",
                     help="for the card alone that all of them were measured on")
    one = command("cdash", run_cdash, "make a baseline from a CDash server's history")
    one.add_argument("--url", default=os.environ.get("ZL_CDASH_URL", ""), help="(ZL_CDASH_URL)")
    one.add_argument("--project", default=os.environ.get("ZL_CDASH_PROJECT", ""),
                     help="(ZL_CDASH_PROJECT)")
    token = os.environ.get("ZL_CDASH_TOKEN_FILE")
    one.add_argument("--token-file", type=pathlib.Path, help="(ZL_CDASH_TOKEN_FILE)",
                     default=pathlib.Path(token) if token else None)
    one.add_argument("--build-name", required=True)
    one.add_argument("--site", required=True)
    one.add_argument("--builds", type=count, default=30, help="of the newest so many (30)")
    output(one), assume(one)
    one = command("add", run_add, "add the results of one more run")
    one.add_argument("baseline", type=pathlib.Path, metavar="BASELINE", help="file or directory")
    results(one), assume(one)
    one = command("accept", run_accept, "the results' level of these cases is right from now on")
    one.add_argument("baseline", type=pathlib.Path, metavar="BASELINE")
    results(one), assume(one)
    one.add_argument("--case", action="append", required=True, metavar="TEST",
                     help="name of a test, in which * stands for anything; repeatable")
    one.add_argument("--reason", required=True)
    one.add_argument("--by", default="", help="who says so")
    one = command("show", run_show, "print what is in a baseline")
    one.add_argument("baseline", type=pathlib.Path, metavar="BASELINE")
    return made


def main(argv: Iterable[str] | None = None) -> int:
    arguments = parser().parse_args(None if argv is None else list(argv))
    if hasattr(arguments, "assume"):
        arguments.assume = dict(arguments.assume)
    note = Notes()
    try:
        done = arguments.run(arguments, note)
    except (ResultSetError, SettingsError, CdashError) as e:
        note.close()
        print(f"baseline.py: {shown_text.one_line(str(e))}", file=sys.stderr)
        return 4 if isinstance(e, CdashError) else 2
    few = changes.too_few(done)
    if few:
        note(f"{len(few)} of {len(done.cases)} cases have fewer than {ENOUGH_RUNS} runs, the gate "
             f"says no_baseline of them: {few[0]}" + (", ..." if len(few) > 1 else ""))
    note.close()
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a traceback
    sys.stdout.reconfigure(errors="replace")  # a terminal without UTF-8 gets `?`
    sys.exit(main())
