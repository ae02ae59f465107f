#!/usr/bin/env python3
"""Writes the table of the op catalogue, out of the ops' own CMake and C++ sources.

With --check it says whether ops/README.md holds that table (exit code 1: it does not), with
--write it puts it there, between the lines that mark it.
"""

import argparse
import pathlib
import re
import sys

OPS = pathlib.Path(__file__).resolve().parent.parent / "ops"
BEGIN = "<!-- ci/ops_table.py writes from here -->"
END = "<!-- to here -->"
KEYWORDS = re.compile(r"^[A-Z]+(_[A-Z]+)*$")


def arguments_of(call: str) -> dict[str, list[str]]:
    """The keywords of one zl_add_perf_test() and their values."""
    values: dict[str, list[str]] = {}
    keyword = ""
    for word in call.split():
        if KEYWORDS.match(word):
            keyword = word
            values.setdefault(keyword, [])
        else:
            values[keyword].append(word)
    return values


def row(folder: pathlib.Path) -> str:
    cmake = (folder / "CMakeLists.txt").read_text()
    found = re.search(r"zl_add_perf_test\(([^)]*)\)", cmake)
    if found is None:
        raise ValueError(f"{folder}/CMakeLists.txt: no zl_add_perf_test()")
    call = found.group(1).replace("${cudnn_impl}", "cuda:cudnn*").replace("${cudnn_keywords}", "")
    arguments = arguments_of(call)
    op = arguments["OP"][0]
    source = (folder / arguments["CASE"][0]).read_text()
    registered = re.search(rf"ZL_OP\({op}((?:,\s*\"\w+\")+)\)", source)
    if registered is None:
        raise ValueError(f"{folder}/{arguments['CASE'][0]}: no ZL_OP({op}, ...)")
    axes = " ".join(re.findall(r"\w+", registered.group(1)))
    vendors = [impl.split(":")[-1] for impl in arguments["IMPLS"] if impl != "own"]
    cells = [
        f"[{op}]({op})",
        axes,
        "<br>".join(arguments["SHAPES"]),
        " ".join(arguments["TYPES"]),
        " ".join(vendors).replace("*", r"\*") or "-",
    ]
    return "| " + " | ".join(cells) + " |"


def table() -> str:
    folders = sorted(path.parent for path in OPS.glob("*/CMakeLists.txt"))
    rows = [row(folder) for folder in folders]
    return "\n".join(
        [
            "| op | axes | shapes on a GPU | types | measured against (CUDA) |",
            "|---|---|---|---|---|",
            *rows,
        ]
    )


def with_table(text: str) -> str:
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise ValueError("ops/README.md: the lines that mark the table are not there once each")
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.split(END)[1]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with ops/README.md")
    parser.add_argument("--write", action="store_true", help="put it into ops/README.md")
    arguments = parser.parse_args()
    readme = OPS / "README.md"
    try:
        if not arguments.check and not arguments.write:
            print(table())
            return 0
        text = readme.read_text()
        wanted = with_table(text)
    except (OSError, ValueError, KeyError) as error:
        print(f"ops_table: {error}", file=sys.stderr)
        return 2
    if text == wanted:
        return 0
    if arguments.check:
        print("ops_table: ops/README.md is not up to date: ci/ops_table.py --write")
        return 1
    readme.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
