#!/usr/bin/env python3
"""Tells how accurate the numbers are, from the result files that ci/accuracy.sh leaves.

Reads FOLDER/MODE/PROCESS/perf.*.json. Every number is a median over processes; a spread is
(max - min) / median over them. Untrusted results count and are listed; results that were measured
otherwise than their mode asks for are left out and listed.
"""

import argparse
import json
import math
import pathlib
import sys
from statistics import median

from accuracy_requirements import requirements
from accuracy_results import (MODES, MOST_SLOWDOWN_PCT, SUITE, TRACE, Result, expected,
                              expected_cache, known_us, op, read_results)
from accuracy_tables import markdown


def spread_pct(values: list[float]) -> float | None:
    """None of a single value: it has no spread."""
    return 100 * (max(values) - min(values)) / median(values) if len(values) > 1 else None


def trace_row(case: str, traces: list[dict[str, float]]) -> dict:
    """Of the traced processes those that tracing did not slow down, of all where it slowed all."""
    unslowed = [t for t in traces if t["slowdown_pct"] < MOST_SLOWDOWN_PCT]
    used = unslowed or traces
    row = {"case": case, "processes": len(used), "traced": len(traces), "slowed": not unslowed}
    row |= {key: median(trace[key] for trace in used) for key in TRACE}
    row["span_less_replay_us"] = median(t["span_us"] - t["replay_us"] for t in used)
    row["period_less_replay_us"] = median(t["span_us"] + t["gap_us"] - t["replay_us"] for t in used)
    for key in ("span_less_replay", "period_less_replay"):
        row[f"{key}_pct"] = 100 * row[f"{key}_us"] / row["replay_us"]
    return row


def truth_us(mode: str, case: str, traces: dict[str, dict]) -> float | None:
    """The known length; else the traced span, where not slowed and of the same cache state."""
    if op(case) == "spin":
        return known_us(case)
    trace = traces.get(case)
    same_cache = expected_cache(mode, case) == expected_cache("cupti", case)
    return trace["span_us"] if trace and not trace["slowed"] and same_cache else None


def case_row(mode: str, case: str, results: list[Result], truth: float | None) -> dict:
    latencies = [result.latency_us for result in results]
    sustained = [result.sustained_us for result in results if result.sustained_us is not None]
    latency = median(latencies)
    return {
        "case": case,
        "mode": mode,
        "cache": expected_cache(mode, case),
        "processes": len(results),
        "latency_us": latency,
        "spread_pct": spread_pct(latencies),
        "truth_us": truth,
        "bias_us": None if truth is None else latency - truth,
        "bias_pct": None if truth is None else 100 * (latency - truth) / truth,
        "sustained_us": median(sustained) if sustained else None,
        "sustained_spread_pct": spread_pct(sustained),
        "measured_ms": median(result.measured_ms for result in results),
        "window_ms": median(result.window_ms for result in results),
    }


def least_squares(x: list[float], y: list[float], weights: list[float]) -> tuple[float, float]:
    """Slope and intercept."""
    total = math.fsum(weights)
    mean_x = math.fsum(w * a for w, a in zip(weights, x)) / total
    mean_y = math.fsum(w * b for w, b in zip(weights, y)) / total
    square = math.fsum(w * (a - mean_x) ** 2 for w, a in zip(weights, x))
    slope = math.fsum(w * (a - mean_x) * (b - mean_y) for w, a, b in zip(weights, x, y)) / square
    return slope, mean_y - slope * mean_x


def spin_fits(rows: list[dict]) -> list[dict]:
    """Measured against known length; two points would always lie on a line."""
    fits = []
    for mode in ("warm", "direct"):
        spins = [row for row in rows if row["mode"] == mode and op(row["case"]) == "spin"]
        if len(spins) < 3:
            continue
        x = [known_us(row["case"]) for row in spins]
        y = [row["latency_us"] for row in spins]
        for weighting, weights in (("none", [1.0] * len(y)), ("1/latency^2", [b**-2 for b in y])):
            slope, intercept = least_squares(x, y, weights)
            residuals = [b - (slope * a + intercept) for a, b in zip(x, y)]
            fits.append({"mode": mode, "weights": weighting, "slope": slope,
                         "intercept_us": intercept, "known_us": x, "residuals_us": residuals})
    return fits


def missing(rows: list[dict]) -> list[str]:
    """What the suite has and the results lack; fewer processes than the mode's other cases too."""
    processes = {(row["mode"], row["case"]): row["processes"] for row in rows}
    said = []
    for mode in MODES:
        found = {case: n for (of, case), n in processes.items() if of == mode}
        if not found:
            said.append(f"mode {mode}: nothing measured")
            continue
        most = max(found.values())
        for case in expected(mode):
            if found.get(case, 0) < most:
                said.append(f"{case}, {mode}: {found.get(case, 0)} of {most} processes")
    return said


def only(what: str, values: set) -> str | None:
    """Results of unlike machines have no common spread."""
    if len(values) > 1:
        raise ValueError(f"results of more than one {what}: {sorted(values)}")
    return next(iter(values), None)


def by_reason(reasons: list[tuple[Result, str]]) -> list[str]:
    """A line for each case, mode and reason, with the processes that it holds for."""
    lines: dict[str, list[str]] = {}
    for result, reason in reasons:
        lines.setdefault(f"{result.case}, {result.mode}: {reason}", []).append(result.process)
    return [f"{text} (process {', '.join(sorted(processes, key=lambda name: (len(name), name)))})"
            for text, processes in lines.items()]


def report(folder: pathlib.Path, results: list[Result]) -> dict:
    used = [result for result in results if result.why_left_out() is None]
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in sorted(used, key=lambda result: SUITE.index(result.case)):
        groups.setdefault((result.case, result.mode), []).append(result)
    traces = {}
    for (case, mode), group in groups.items():
        found = [result.trace for result in group if result.trace is not None]
        if mode == "cupti" and found:
            traces[case] = trace_row(case, found)
    rows = [case_row(mode, case, group, truth_us(mode, case, traces))
            for (case, mode), group in groups.items()]
    fits = spin_fits(rows)
    command = folder / "command"
    return {
        "device": only("device, driver or runtime", {r.device for r in used}),
        "dates": sorted({r.date for r in results}),
        "command": command.read_text().strip() if command.exists() else f"ci/accuracy.py {folder}",
        "requirements": requirements(rows, fits, traces, used),
        "cases": rows,
        "traces": list(traces.values()),
        "most_slowdown_pct": MOST_SLOWDOWN_PCT,
        "fits": fits,
        "untrusted": by_reason([(r, "; ".join(r.untrusted)) for r in used if r.untrusted]),
        "left_out": by_reason([(r, why) for r in results if (why := r.why_left_out())]),
        "missing": missing(rows),
        "untraced": by_reason([(r, "no trace") for r in used
                               if r.mode == "cupti" and r.trace is None]),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="what ci/accuracy.sh --out names")
    parser.add_argument("--json", type=pathlib.Path, help="write the numbers here")
    parser.add_argument("--markdown", type=pathlib.Path, help="write the tables here, not out")
    arguments = parser.parse_args()
    try:
        found = report(arguments.folder, read_results(arguments.folder))
        text = markdown(found)
        if arguments.json:
            arguments.json.write_text(json.dumps(found, indent=2) + "\n")
        if arguments.markdown:
            arguments.markdown.write_text(text)
    except (OSError, ValueError) as error:
        print(f"accuracy: {error}", file=sys.stderr)
        return 2
    if not arguments.markdown:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
