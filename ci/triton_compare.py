#!/usr/bin/env python3
"""Holds zl-bench's number of kernels that Triton compiled against Triton's own, in one run.

For each case of --cases: the program zl_triton_KERNEL_cuda below --build measures the kernel that
was compiled ahead of time (graph, warm), and harness/tests/triton/time_row_kernels.py, under
--python with torch and triton, the same kernel by triton.testing.do_bench_cudagraph. Both in
processes of their own, in turns, --rounds times. Prints a Markdown table; a number in it is the
median over the rounds.

Exit codes: 0 all within --allowed; 1 one is not; 2 usage, or something could not be measured.
"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
from statistics import median

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMER = ROOT / "harness" / "tests" / "triton" / "time_row_kernels.py"
CASES = ["silu_and_mul/1024x11008", "silu_and_mul/4096x14336", "softmax/1024x8192",
         "softmax/16384x4096", "rms_norm/1024x8192", "rms_norm/16384x4096"]
LEAST_US = 10.0  # of shorter kernels nothing is required
HEADER = ("| kernel | rows x columns | do_bench_cudagraph us | zl-bench us | zl-bench / Triton | "
          "least | most | same cubin |")


class Failure(Exception):
    pass


def run(command: list[str]) -> str:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def program(build: pathlib.Path, kernel: str) -> pathlib.Path:
    name = f"zl_triton_{kernel}_cuda"
    for found in sorted(build.rglob(name)):
        if found.is_file():
            return found
    raise Failure(f"no {name} below {build}: it is built by the cuda preset with ZL_BUILD_TESTS=ON "
                  "where Python has triton")


def zl_us(build: pathlib.Path, case: str) -> float:
    kernel, shape = case.split("/")
    with tempfile.TemporaryDirectory() as folder:
        run([str(program(build, kernel)), f"--zl_case=triton/bf16/{shape}", "--zl_method=graph",
             "--zl_cache=warm", "--zl_sustained=off", f"--zl_result_dir={folder}"])
        files = list(pathlib.Path(folder).glob("*.json"))
        if len(files) != 1:
            raise Failure(f"{case}: {len(files)} result files in place of one")
        result = json.loads(files[0].read_text())["zl"]["result"]
    wanted = {"verdict": "ok", "method": "graph", "cache": "warm", "capture": "clean",
              "untrusted": []}
    for key, value in wanted.items():
        if result[key] != value:
            raise Failure(f"{case}: {key} is {result[key]!r} in place of {value!r}")
    return result["metrics"]["latency_us"]


def cubin_of(build: pathlib.Path, kernel: str) -> str:
    file = program(build, kernel).parent / f"{kernel}.cubin"
    return hashlib.sha256(file.read_bytes()).hexdigest()


def row(case: str, zl: list[float], triton: list[float], same: bool) -> str:
    kernel, shape = case.split("/")
    ratios = [ours / theirs for ours, theirs in zip(zl, triton)]
    cells = [kernel, shape, f"{median(triton):.2f}", f"{median(zl):.2f}", f"{median(ratios):.4f}",
             f"{min(ratios):.4f}", f"{max(ratios):.4f}", "yes" if same else "no"]
    return "| " + " | ".join(cells) + " |"


def beyond(zl: list[float], triton: list[float], allowed_pct: float) -> bool:
    if median(triton) <= LEAST_US:
        return False
    ratio = median(ours / theirs for ours, theirs in zip(zl, triton))
    return abs(ratio - 1) > allowed_pct / 100


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "cuda",
                        metavar="DIR", help="the build folder (build/cuda)")
    parser.add_argument("--python", default=sys.executable, metavar="PROGRAM",
                        help="a Python that has torch and triton (this one)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="at least 1 (3)")
    parser.add_argument("--allowed", type=float, default=2.0, metavar="PCT",
                        help=f"the most that kernels of over {LEAST_US:g} us may differ by (2)")
    parser.add_argument("--cases", nargs="+", default=CASES, metavar="CASE",
                        help=f"KERNEL/ROWSxCOLUMNS ({' '.join(CASES)})")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds: at least 1")

    zl: dict[str, list[float]] = {case: [] for case in arguments.cases}
    triton: dict[str, list[float]] = {case: [] for case in arguments.cases}
    try:
        for _ in range(arguments.rounds):
            for case in arguments.cases:
                zl[case].append(zl_us(arguments.build, case))
            timed = json.loads(run([arguments.python, str(TIMER), *arguments.cases]))
            for case in arguments.cases:
                triton[case].append(timed["times"][case]["us"])
        same = {case: cubin_of(arguments.build, case.split("/")[0]) == timed["times"][case]["cubin"]
                for case in arguments.cases}
    except (Failure, OSError, ValueError, KeyError) as error:
        print(f"ci/triton_compare.py: {error}", file=sys.stderr)
        return 2

    versions = ", ".join(f"{name} {version}" for name, version in timed["versions"].items())
    print(f"Graph, warm; {versions}; medians over {arguments.rounds} processes each, in turns.\n")
    print(HEADER)
    print("|" + "---|" * (HEADER.count("|") - 1))
    for case in arguments.cases:
        print(row(case, zl[case], triton[case], same[case]))
    unlike = [case for case in arguments.cases if beyond(zl[case], triton[case], arguments.allowed)]
    if unlike:
        print(f"\nMore than {arguments.allowed:g} % apart: {', '.join(unlike)}.")
    return 1 if unlike else 0


if __name__ == "__main__":
    sys.exit(main())
