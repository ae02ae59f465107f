#!/usr/bin/env python3
"""Checks the C++ sources of a build folder with clang, each warning an error.

Only the front end runs, so that this takes a minute where a second build would take several. With
--each the sources of a unity build are checked by themselves, which finds those that lack an include.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys


def clang_command(entry: dict, clang: str) -> list[str]:
    """The entry's compiler call with clang in place of the compiler, and no output."""
    words = shlex.split(entry["command"])
    launched = pathlib.Path(words[0]).name == "ccache"
    words = words[2:] if launched else words[1:]
    kept = []
    skip_next = False
    for word in words:
        if skip_next:
            skip_next = False
        elif word in ("-o", "-MF", "-MT", "-include"):  # what is included is precompiled for g++
            skip_next = True
        elif word not in ("-c", "-MD", "-Wno-restrict", "-Wno-subobject-linkage", "-Winvalid-pch"):
            kept.append(word)
    return [clang, *kept, "-fsyntax-only", "-Werror"]


def single_sources(entry: dict) -> list[dict]:
    """The entry, or where it is a unity build's, one for each source that it includes."""
    if not pathlib.Path(entry["file"]).name.startswith("unity_"):
        return [entry]
    included = re.findall(
        r'^#include "(.+)"$', pathlib.Path(entry["file"]).read_text(), re.MULTILINE
    )
    return [
        {**entry, "file": file, "command": entry["command"].replace(entry["file"], shlex.quote(file))}
        for file in included
    ]


def check(entry: dict, clang: str) -> tuple[str, str]:
    done = subprocess.run(
        clang_command(entry, clang), cwd=entry["directory"], capture_output=True, text=True
    )
    return entry["file"], "" if done.returncode == 0 else done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="with a compile_commands.json")
    parser.add_argument("--clang", default="clang++")
    parser.add_argument("--each", action="store_true", help="a unity build's sources one by one")
    parser.add_argument("--tests", action="store_true", help="the sources of tests too")
    arguments = parser.parse_args()
    try:
        commands = json.loads((arguments.build / "compile_commands.json").read_text())
        entries = commands
        if arguments.each:
            entries = [source for entry in commands for source in single_sources(entry)]
    except (OSError, ValueError) as error:
        print(f"clang_warnings: {error}", file=sys.stderr)
        return 2
    unique = {
        entry["file"]: entry
        for entry in entries
        if entry["file"].endswith((".cpp", ".cxx"))
        and (arguments.tests or "/tests/" not in entry["file"])
    }
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, errors in pool.map(lambda e: check(e, arguments.clang), unique.values()):
            if errors:
                failed += 1
                print(f"{file}:\n{errors}")
    print(f"{len(unique)} sources checked with {arguments.clang}, {failed} with warnings")
    return 1 if failed or not unique else 0


if __name__ == "__main__":
    sys.exit(main())
