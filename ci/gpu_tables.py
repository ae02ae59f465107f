#!/usr/bin/env python3
"""Writes the measured tables of one GPU machine as Markdown, from result files and test logs."""

import argparse
import json
import pathlib
import re
import statistics
import sys

HEADER = (
    "| op | implementation | types | shape | method, cache | capture | latency us | cv % | "
    "GB/s | TFLOP/s | % of peak | speedup | sustained us | eager us |"
)


def read_results(folder: pathlib.Path, stand_in: bool = False) -> list[dict]:
    results = []
    for file in sorted(folder.glob("perf.*.json")):
        results.append(json.loads(file.read_text())["zl"]["result"])
    if not results:
        raise OSError(f"{folder}: no result files")
    machines = {(r["device_name"], r["driver"], r["runtime"]) for r in results}
    if len(machines) > 1:
        raise ValueError(f"{folder}: measured on several: {sorted(machines)}")
    for result in results:
        if ("stand-in" in result["device_name"]) != stand_in:
            raise ValueError(f"{folder}: measured on '{result['device_name']}'")
    return results


def number(metrics: dict, key: str, digits: int) -> str:
    return f"{metrics[key]:.{digits}f}" if key in metrics else ""


def case_row(result: dict) -> str:
    case, metrics = result["id"], result["metrics"]
    if "latency_us" not in metrics:
        what = f"{result['verdict']}: {result['message']}".replace("|", "\\|")
        cells = [case["op"], case["impl"], case["types"], case["shape"], what] + [""] * 9
    else:
        copies = f" k={result['copies']}" if result["copies"] > 1 else ""
        how = result["cache"] + (" by evict" if result["cold_by"] == "evict" else copies)
        for mark in ("untrusted", "implausible"):
            if result[mark]:
                how += f", {mark}"
        if result["verdict"] != "ok":
            how += f", {result['verdict']}"
        cells = [
            case["op"],
            case["impl"],
            case["types"],
            case["shape"],
            f"{result['method']}, {how}",
            result["capture"],
            number(metrics, "latency_us", 2),
            number(metrics, "cv_pct", 2),
            number(metrics, "bandwidth_GBps", 0),
            number(metrics, "compute_TFLOPS", 1),
            number(metrics, "peak_pct", 1),
            number(metrics, "speedup", 2),
            number(metrics, "sustained_us", 2),
            number(metrics, "eager_us", 1),
        ]
    return "| " + " | ".join(cells) + " |"


def case_table(results: list[dict]) -> list[str]:
    def order(result: dict) -> tuple:
        case = result["id"]
        extents = [int(extent) for extent in case["shape"].split("x")]
        return case["op"], case["types"], extents, case["impl"]

    rows = [case_row(result) for result in sorted(results, key=order)]
    return [HEADER, "|" + "---|" * (HEADER.count("|") - 1), *rows]


def fault_table(log: str) -> list[str]:
    """The rows that the fault suite prints, out of `ctest -V`'s output."""
    rows = re.findall(r"^\d+: (\|.*\|)$", log, re.MULTILINE)
    if not rows:
        raise ValueError("the log holds no row of the fault suite")
    return ["| fault | marker | verdict | exit code | seconds |", "|---|---|---|---|---|", *rows]


def stand_in_ratios(results: list[dict], stand_in: list[dict]) -> list[str]:
    """Latencies of the musa preset on its stand-in over those of the cuda preset, same device."""

    def latencies(of: list[dict]) -> dict[str, float]:
        return {
            (
                "/".join(r["id"][key] for key in ("op", "impl", "types", "shape")),
                r["cache"],
                r["cold_by"],
                r["statistic"],
            ): r["metrics"]["latency_us"]
            for r in of
            if r["method"] == "graph" and "latency_us" in r["metrics"]
        }

    cuda, musa = latencies(results), latencies(stand_in)
    ratios = {case: musa[case] / cuda[case] for case in sorted(musa) if case in cuda}
    if not ratios:
        raise ValueError("the stand-in's results share no case with the others")
    unlike = len({case[0] for case in musa} & {case[0] for case in cuda}) - len(ratios)
    ops: dict[str, list[float]] = {}
    for case, ratio in ratios.items():
        ops.setdefault(case[0].split("/")[0], []).append(ratio)
    rows = [
        f"| {op} | {len(of)} | {statistics.median(of):.3f} | {min(of):.3f} | {max(of):.3f} |"
        for op, of in ops.items()
    ]
    every = list(ratios.values())
    rows.append(
        f"| all | {len(every)} | **{statistics.median(every):.3f}** | {min(every):.3f} | "
        f"{max(every):.3f} |"
    )
    return [
        "| op (stand-in) | cases | median ratio | least | most |",
        "|---|---|---|---|---|",
        *rows,
        "",
        f"{unlike} more cases were measured with another cache than on cuda, and are not compared.",
    ]


def closing_line(log: str) -> str:
    found = re.findall(r"^\d+% tests passed.*$", log, re.MULTILINE)
    return found[-1] if found else "no closing line"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=pathlib.Path, help="<build>/zl-results")
    parser.add_argument("--perf-log", type=pathlib.Path, required=True)
    parser.add_argument("--gpu-log", type=pathlib.Path, required=True)
    parser.add_argument("--fault-log", type=pathlib.Path, required=True)
    parser.add_argument("--stand-in", type=pathlib.Path, help="the musa preset's zl-results")
    parser.add_argument("--stand-in-log", type=pathlib.Path, help="and its log of ctest")
    arguments = parser.parse_args()
    try:
        results = read_results(arguments.results)
        faults = fault_table(arguments.fault_log.read_text())
        logs = [path.read_text() for path in (arguments.perf_log, arguments.gpu_log)]
        ratios = []
        if arguments.stand_in:
            ratios = stand_in_ratios(results, read_results(arguments.stand_in, stand_in=True))
            stand_in_log = arguments.stand_in_log.read_text() if arguments.stand_in_log else ""
    except (OSError, ValueError, KeyError) as error:
        print(f"gpu_tables: {error}", file=sys.stderr)
        return 2
    first = results[0]
    print(f"Device: {first['device_name']}, driver {first['driver']}, CUDA {first['runtime']}.\n")
    print("## The ops\n")
    print(f"`cmake --workflow --preset cuda`: {closing_line(logs[0])}.\n")
    print("\n".join(case_table(results)))
    print("\n## Kernels that fail\n")
    print("`ctest --test-dir build/cuda -L '^gpu-fault$' -V`, one row a test:\n")
    print("\n".join(faults))
    print("\n## Backend and correctness\n")
    print(f"`ctest --test-dir build/cuda -L '^gpu$'`: {closing_line(logs[1])}.")
    if ratios:
        print("\n## The musa preset on its stand-in over CUDA\n")
        print(
            "No Moore Threads GPU: the musa backend, its build rules and the ops' sources, over a "
            "stand-in for the SDK that forwards to CUDA (docs/musa.md).\n"
            "`MUSA_HOME=$PWD/harness/tests/musa_standin/sdk cmake --workflow --preset musa`: "
            f"{closing_line(stand_in_log)}. Latency over the cuda preset's in the same run:\n"
        )
        print("\n".join(ratios))
    return 0


if __name__ == "__main__":
    sys.exit(main())
