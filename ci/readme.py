#!/usr/bin/env python3
"""Keeps README.md true: its code blocks are files of the project, its commands run.

A code block whose first line names a file of the project must equal that file. In a block marked
`sh` every line is a command; `sh gpu` marks those that need an NVIDIA GPU.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text: str) -> list[tuple[str, str]]:
    """(info string, content) of each fenced block."""
    return [(info.strip(), content) for info, content in FENCE.findall(text)]


def unlike_files(text: str, root: pathlib.Path) -> list[str]:
    problems = []
    for _, content in blocks(text):
        first = content.split("\n", 1)[0]
        match = re.match(r"(?://|#) ([\w./-]+\.(?:cpp|hpp|cu|txt|cmake))(?:$|:)", first)
        if match is None:
            continue
        file = root / match.group(1)
        if not file.exists():
            problems.append(f"{match.group(1)}: shown, but there is no such file")
        elif file.read_text() != content:
            problems.append(f"{match.group(1)}: the block differs from the file")
    return problems


def commands(text: str, gpu: bool) -> list[str]:
    wanted = "sh gpu" if gpu else "sh"
    return [
        line
        for info, content in blocks(text)
        if info == wanted
        for line in content.splitlines()
        if line and not line.startswith("#")
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("check", "run", "run-gpu"))
    parser.add_argument("--skip", default="", help="regular expression of commands not to run")
    arguments = parser.parse_args()
    text = (ROOT / "README.md").read_text()
    problems = unlike_files(text, ROOT)
    for problem in problems:
        print(problem)
    if problems:
        return 1
    if arguments.action == "check":
        return 0
    for command in commands(text, arguments.action == "run-gpu"):
        if arguments.skip and re.search(arguments.skip, command):
            continue
        print(f"$ {command}", flush=True)
        status = subprocess.run(["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL)
        if status.returncode != 0:
            print(f"README.md: exit code {status.returncode}: {command}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
