#!/usr/bin/env python3
"""Sends a dashboard run to CDash, and keeps it in a spool folder until the server holds it.

  ci/submit.py --build build/cuda     the run that CTest left there (ci/dashboard.cmake does this)
  ci/submit.py --spool                every build that waits in the spool

The token's file is named, never the token: it is in no log, no command line and no result. The
project's tests are read back after each submission, since CDash may accept a file and lose it.
"""

import argparse
import math
import os
import pathlib
import platform
import shlex
import sys

import atomic_file
import spool
from cdash_server import CdashError, Server, SettingsError, parse_address, read_token
from ctest_parts import (Identity, PartsError, TestPart, build_name, newest_tag, parsed, read_parts,
                         read_test_part, refuse_stand_in, with_identity)
from delivery import deliver
from shown_text import one_line

CODES = """exit codes: 0 the server holds everything; 2 usage, or results that are refused (a
stand-in device, several devices, a damaged file); 3 not on the server, its parts are in the
spool"""
DEFAULT_SPOOL = pathlib.Path(__file__).resolve().parent.parent / "build" / "zl-spool"


def say(text: str) -> None:
    print(f"submit: {text}", file=sys.stderr, flush=True)


def arguments_of(argv: list[str] | None) -> argparse.Namespace:
    env = os.environ.get
    parser = argparse.ArgumentParser(description=__doc__, epilog=CODES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_argument_group("what (one of --build, --check and --spool alone)")
    what.add_argument("--build", type=pathlib.Path, help="build folder, after a run of CTest")
    what.add_argument("--check", action="store_true",
                      help="only look whether URL and token file can be used")
    what.add_argument("--spool", type=pathlib.Path, nargs="?", default=argparse.SUPPRESS,
                      help="folder of the spool (ZL_CDASH_SPOOL, else build/zl-spool here)")
    what.add_argument("--tag", help="which run in Testing/, if not the newest")
    what.add_argument("--preset", default="build",
                      help="stands for the backend in the build name where no test tells it")
    to = parser.add_argument_group("where to")
    to.add_argument("--url", default=env("ZL_CDASH_URL", ""),
                    help="ZL_CDASH_URL: https://host[/path]")
    to.add_argument("--project", default=env("ZL_CDASH_PROJECT", ""),
                    help="ZL_CDASH_PROJECT, else zl-bench")
    to.add_argument("--token-file", type=pathlib.Path, default=env("ZL_CDASH_TOKEN_FILE") or None,
                    help="ZL_CDASH_TOKEN_FILE: holds the token, one line")
    to.add_argument("--wait", type=float, default=env("ZL_CDASH_WAIT_S", "120"), metavar="SECONDS",
                    help="ZL_CDASH_WAIT_S: how long the server may take to show the tests (120)")
    names = parser.add_argument_group("names")
    names.add_argument("--site", default=env("ZL_CDASH_SITE") or platform.node().split(".")[0],
                       help="ZL_CDASH_SITE, else this machine's name")
    names.add_argument("--build-name", default=env("ZL_CDASH_BUILD_NAME", ""),
                       help="ZL_CDASH_BUILD_NAME, else <backend>-<device>-<compiler>")
    arguments = parser.parse_args(argv)
    given = hasattr(arguments, "spool")
    if not (arguments.build or arguments.check or given) or (arguments.build and arguments.check):
        parser.error("give one of --build, --check and --spool")
    if not math.isfinite(arguments.wait) or arguments.wait < 0:
        parser.error("--wait: a number of seconds is expected")
    arguments.spool = (arguments.spool if given and arguments.spool else None) or pathlib.Path(
        env("ZL_CDASH_SPOOL") or DEFAULT_SPOOL)
    for option, name in (("--site", arguments.site), ("--build-name", arguments.build_name)):
        if option == "--site" and not name:
            parser.error("--site: this machine has no name; give one, or set ZL_CDASH_SITE")
        if len(name) > 255 or name != one_line(name) or name != name.strip():
            parser.error(f"{option}: one line of at most 255 characters is expected")
    return arguments


def collect(arguments: argparse.Namespace, project: str) -> spool.Entry:
    """The run's parts into the spool, under their final names."""
    build: pathlib.Path = arguments.build
    tag = arguments.tag or newest_tag(build)
    parts = read_parts(build, tag)
    folder = build / "Testing" / tag
    test_part: TestPart | None = None
    if "Test" in parts:
        test_part = read_test_part(parts["Test"], str(folder / "Test.xml"))
        refuse_stand_in(test_part, str(folder / "Test.xml"))
    name = arguments.build_name or build_name(build, arguments.preset, test_part)
    first = next(iter(parts))
    stamp = parsed(parts[first], str(folder / f"{first}.xml")).get("BuildStamp", "")
    identity = Identity(arguments.site, name, stamp)
    named = {part: with_identity(xml, identity, str(folder / f"{part}.xml"))
             for part, xml in parts.items()}
    entry = spool.add(arguments.spool, project, identity, named)
    if test_part and test_part.devices and not arguments.build_name:
        atomic_file.write_text(build / "zl-build-name", name + "\n")
    return entry


def send(entries: list[spool.Entry], arguments: argparse.Namespace, token: str) -> int:
    """The exit code; what was not submitted stays in the spool."""
    code = 0
    for entry in entries:
        identity = entry.identity
        label = f"{identity.site}, {identity.name}, {identity.stamp}"
        say(f"{one_line(label)} to {arguments.address.url}, project {one_line(entry.project)}")
        address = parse_address(arguments.address.url, entry.project)
        try:
            held = deliver(Server(address, token), entry, arguments.wait, say)
        except CdashError as e:
            say(f"not submitted: {e}")
            code = 3
        except (PartsError, spool.SpoolError) as e:
            say(f"refused: {e}")
            code = max(code, 2)
        else:
            entry.remove()
            say(f"submitted: build {held.id} holds {held.tests.total()} tests")
    return code


def main(argv: list[str] | None = None) -> int:
    arguments = arguments_of(argv)
    try:
        if not arguments.url:
            raise SettingsError("where to? Set ZL_CDASH_URL to https://host[/path]; measuring "
                                "without a server is `cmake --workflow --preset <preset>`")
        arguments.address = parse_address(arguments.url, arguments.project)
        token = read_token(arguments.token_file)
        local = arguments.address.host.partition(":")[0] in ("localhost", "127.0.0.1", "[")
        if token and arguments.address.scheme == "http" and not local:
            say("the token travels unencrypted: use https if the server has it")
        if arguments.check:
            return 0
        with spool.locked(arguments.spool):
            if arguments.build:
                entries = [collect(arguments, arguments.address.project)]
                damaged = []
            else:
                entries, damaged = spool.waiting(arguments.spool)
                for error in damaged:
                    say(f"refused: {error}")
                if not entries and not damaged:
                    say(f"nothing waits in {arguments.spool}")
            code = max(send(entries, arguments, token), 2 if damaged else 0)
            waiting = len(spool.waiting(arguments.spool)[0])
    except (SettingsError, PartsError, spool.SpoolError) as e:
        say(str(e))
        return 2
    if waiting:
        command = [os.path.relpath(__file__), "--spool", str(arguments.spool)]
        say(f"{waiting} build{'s' * (waiting > 1)} in the spool {arguments.spool}; once the server "
            f"is well, send with the same settings:\n  {shlex.join(command)}")
    return code


if __name__ == "__main__":
    sys.exit(main())
