#!/usr/bin/env python3
"""Keeps README.md and docs/ true: their code is files of the project, their commands run.

Each fenced block says what it is:
  sh            every line is a command; `run` runs them, from the top of the project
  sh gpu        the same on a machine with an NVIDIA GPU; `run-gpu` runs them
  sh example    commands that need what the reader has (results, a server): not run. Their programs
                must exist, and know each option
  cpp cmake python    begins with a comment that names a file of the project, and stands in it
  json          can be read
  text graphql dot    for the eye only
"""

import argparse
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
GENERATED = ("h200.md",)  # by ci/h200.sh
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED_FILE = re.compile(r"(?://|#) ([\w./-]+\.(?:cpp|hpp|cuh|cu|txt|cmake|py))(?:$|:)")
CODE = ("cpp", "cmake", "python")
COMMANDS = ("sh", "sh gpu", "sh example")
OTHERS = ("json", "text", "graphql", "dot")


def blocks(text: str) -> list[tuple[str, str]]:
    """(info string, content) of each fenced block."""
    return [(info.strip(), content) for info, content in FENCE.findall(text)]


def unlike_its_file(content: str, root: pathlib.Path) -> str:
    """What is wrong with a block of code; empty: nothing."""
    first, rest = content.split("\n", 1)
    match = NAMED_FILE.match(first)
    if match is None:
        return f"{first!r}: code must begin with a comment that names its file"
    file = root / match.group(1)
    if not file.exists():
        return f"{match.group(1)}: shown, but there is no such file"
    text = file.read_text()
    return "" if text == content or rest in text else f"{match.group(1)}: the block is not in it"


def commands(text: str, wanted: str) -> list[str]:
    return [line
            for info, content in blocks(text) if info == wanted
            for line in content.replace("\\\n", " ").splitlines()
            if line and not line.startswith("#")]


@functools.cache
def help_of(program: pathlib.Path) -> str:
    return subprocess.run([program, "--help"], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True).stdout


def unknown_to_program(command: str, root: pathlib.Path) -> Iterator[str]:
    """What is wrong with a call of one of the project's scripts, if that is what `command` is."""
    words = [word for word in re.split(r" (?:&&|\||;) ", command)[0].split()
             if not re.match(r"[A-Za-z_]\w*=", word)]
    if not words or not re.match(r"(?:\./|ci/)[\w./-]+\.(?:py|sh)$", words[0]):
        return
    program = root / ("ci/cdash" if words[0].startswith("./") else "") / words[0]
    if not os.access(program, os.X_OK):
        yield f"{words[0]}: there is no such program"
        return
    known = help_of(program)
    if len(words) > 1 and re.search(rf"\{{[\w,-]*\b{re.escape(words[1])}\b", known):
        known += subprocess.run([program, words[1], "--help"], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True).stdout
    for word in words[1:]:
        option = word.split("=")[0]
        if option.startswith("-") and not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])",
                                                    known):
            yield f"{words[0]}: its --help does not know {option}"


def problems(text: str, root: pathlib.Path) -> Iterator[str]:
    for info, content in blocks(text):
        if info in CODE:
            if problem := unlike_its_file(content, root):
                yield problem
        elif info == "json":
            try:
                json.loads(content)
            except ValueError as e:
                yield f"JSON that cannot be read: {e}"
        elif info not in COMMANDS + OTHERS:
            yield f"a block is marked {info!r}, allowed: {', '.join(CODE + COMMANDS + OTHERS)}"
    for wanted in COMMANDS:
        for command in commands(text, wanted):
            yield from unknown_to_program(command, root)


def documents(root: pathlib.Path) -> list[pathlib.Path]:
    return [root / "README.md", *sorted(file for file in (root / "docs").glob("*.md")
                                        if file.name not in GENERATED)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("check", "run", "run-gpu"))
    parser.add_argument("--skip", default="", help="regular expression of commands not to run")
    arguments = parser.parse_args()
    texts = {file.relative_to(ROOT): file.read_text() for file in documents(ROOT)}
    found = [f"{file}: {problem}" for file, text in texts.items()
             for problem in problems(text, ROOT)]
    if found:
        print("\n".join(found))
        return 1
    if arguments.action == "check":
        return 0
    for file, text in texts.items():
        for command in commands(text, "sh gpu" if arguments.action == "run-gpu" else "sh"):
            if arguments.skip and re.search(arguments.skip, command):
                continue
            print(f"$ {command}", flush=True)
            status = subprocess.run(["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL)
            if status.returncode != 0:
                print(f"{file}: exit code {status.returncode}: {command}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
