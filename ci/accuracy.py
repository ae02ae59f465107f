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
from dataclasses import dataclass
from statistics import median

from accuracy_tables import markdown

SHAPES = {
    "empty/own/f32": ("1",),
    "spin/own/f32": ("1000", "2000", "5000", "10000", "50000", "500000"),
    "axpy/own/f32": ("262144", "4194304", "67108864", "268435456"),
    "copy/own/f32": ("262144", "4194304", "67108864", "268435456"),
    "mm/cublaslt/bf16": ("512x512x512", "4096x4096x4096", "8192x8192x8192"),
}
SUITE = [f"{name}/{shape}" for name, shapes in SHAPES.items() for shape in shapes]
MODES = ("warm", "cold", "direct", "reference", "cupti")
TRACE = ("replay_us", "span_us", "busy_us", "gap_us", "slowdown_pct")
MOST_SLOWDOWN_PCT = 2.0


def op(case: str) -> str:
    return case.split("/")[0]


def known_us(case: str) -> float | None:
    return int(case.split("/")[3]) / 1e3 if op(case) == "spin" else None


def expected_cache(mode: str, case: str) -> str:
    if op(case) in ("empty", "spin"):  # no operands
        return "warm"
    return "warm" if mode in ("warm", "reference") else "cold"


def expected(mode: str) -> list[str]:
    return [case for case in SUITE if mode != "cold" or expected_cache(mode, case) == "cold"]


@dataclass(frozen=True)
class Result:
    mode: str
    process: str
    case: str
    verdict: str
    method: str
    cache: str
    untrusted: list[str]
    device: tuple[str, str, str]  # name, driver, runtime
    date: str
    latency_us: float | None
    sustained_us: float | None
    measured_ms: float
    window_ms: float
    trace: dict[str, float] | None

    def why_left_out(self) -> str | None:
        if self.case not in SUITE:
            return "no case of the suite"
        if self.verdict != "ok":
            return f"verdict {self.verdict}"
        if self.latency_us is None:
            return "no latency"
        method = "direct" if self.mode == "direct" else "graph"
        cache = expected_cache(self.mode, self.case)
        if (self.method, self.cache) == (method, cache):
            return None
        return f"{self.method}, {self.cache} instead of {method}, {cache}"


def positive(metrics: dict, key: str) -> float | None:
    value = metrics.get(key)
    if value is not None and not 0 < value < math.inf:
        raise ValueError(f"{key} is {value}")
    return value


def refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def read_trace(result: dict) -> dict[str, float] | None:
    trace = result["cross_check"]
    if trace is None:
        return None
    positive(trace, "replay_us")
    positive(trace, "span_us")
    return {key: float(trace[key]) for key in TRACE}


def read_result(file: pathlib.Path) -> Result:
    try:
        document = json.loads(file.read_text(), parse_constant=refuse_constant)["zl"]
        result = document["result"]
        case, metrics = result["id"], result["metrics"]
        if not isinstance(result["untrusted"], list):
            raise TypeError("untrusted is not a list")
        implausible = result.get("implausible")
        return Result(
            mode=file.parent.parent.name,
            process=file.parent.name,
            case="/".join(case[key] for key in ("op", "impl", "types", "shape")),
            verdict=result["verdict"],
            method=result["method"],
            cache=result["cache"],
            untrusted=[str(reason) for reason in result["untrusted"]]
            + ([f"implausible, {implausible}"] if implausible else []),
            device=tuple(str(result[key]) for key in ("device_name", "driver", "runtime")),
            date=document.get("date", "")[:10],
            latency_us=positive(metrics, "latency_us"),
            sustained_us=positive(metrics, "sustained_us"),
            measured_ms=float(result["measured_ms"]),
            window_ms=result["load_before_ms"] + result["load_during_ms"],
            trace=read_trace(result),
        )
    except KeyError as error:
        raise ValueError(f"{file}: malformed result, no key {error}") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{file}: malformed result: {error}") from error


def read_results(folder: pathlib.Path) -> list[Result]:
    files = [file for mode in MODES for file in sorted(folder.glob(f"{mode}/*/perf.*.json"))]
    if not files:
        raise OSError(f"{folder}: no result files MODE/PROCESS/perf.*.json")
    return [read_result(file) for file in files]


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


def line(text: str, passed: bool | None, measured: str = "") -> dict:
    verdict = "not measured" if passed is None else "pass" if passed else "fail"
    return {"requirement": text, "verdict": verdict, "measured": measured}


def spread_line(text: str, rows: list[dict], key: str, most_pct: float) -> dict:
    judged = [row for row in rows if row[key] is not None]
    if not judged:
        return line(text, None)
    worst = max(judged, key=lambda row: row[key])
    over = sum(row[key] > most_pct for row in judged)
    least = min(row["processes"] for row in judged)
    return line(text, over == 0, f"{worst[key]:.2f} % at worst ({worst['case']}, {worst['mode']}); "
                                 f"{over} of {len(judged)} over; {least} processes")


def excess(us: float, pct: float, most_us: float, most_pct: float) -> float:
    """Above 1 where a difference is outside of both limits."""
    return min(abs(us) / most_us, abs(pct) / most_pct)


def trace_line(what: str, less: str, traces: dict[str, dict]) -> dict:
    """`less`: "span", or "period" from the start of a call to the start of the next."""
    text = f"{what}: traced {less} within 2 % or 0.1 us of the same replays' time per call, " \
           "where not slowed"
    by_excess = {
        case: excess(t[f"{less}_less_replay_us"], t[f"{less}_less_replay_pct"], 0.1, 2)
        for case, t in traces.items()
        if not t["slowed"]
    }
    if not by_excess:
        return line(text, None, f"CUPTI slows all {len(traces)} cases" if traces else "")
    over = sum(value > 1 for value in by_excess.values())
    worst = traces[max(by_excess, key=by_excess.get)]
    return line(text, over == 0, f"{worst[f'{less}_less_replay_us']:+.3f} us, "
                                 f"{worst[f'{less}_less_replay_pct']:+.2f} % at worst "
                                 f"({worst['case']}); {over} of {len(by_excess)} over, "
                                 f"{len(traces) - len(by_excess)} more slowed")


def cold_line(what: str, case: str, rows: list[dict], traces: dict[str, dict]) -> dict:
    text = f"{what}, graph cold, within 5 % or 0.3 us of CUPTI's span"
    row = next((row for row in rows if (row["mode"], row["case"]) == ("cold", case)), None)
    if row is None or case not in traces:
        return line(text, None)
    span = traces[case]["span_us"]
    us = row["latency_us"] - span
    pct = 100 * us / span
    return line(text, excess(us, pct, 0.3, 5) <= 1,
                f"{row['latency_us']:.3f} us, span {span:.3f} us: {us:+.3f} us, {pct:+.2f} %; "
                f"CUPTI slows it by {traces[case]['slowdown_pct']:.1f} %")


def time_line(text: str, results: list[Result], sustained: bool, most_ms: float) -> dict:
    """Over the graph modes of the default schedule; the reference schedule on the same cases."""
    ours = [r for r in results if r.mode in ("warm", "cold")]
    ours = [r for r in ours if (r.sustained_us is not None) == sustained]
    if not ours:
        return line(text, None)
    cases = {r.case for r in ours}
    reference = [r.measured_ms for r in results if r.mode == "reference" and r.case in cases]
    time_ms = median(r.measured_ms for r in ours)
    beside = f"{median(reference):.0f} ms" if reference else "not measured"
    return line(text, time_ms <= most_ms, f"{time_ms:.1f} ms over {len(ours)} results; "
                                          f"reference schedule {beside}")


def requirements(rows: list[dict], fits: list[dict], traces: dict[str, dict],
                 results: list[Result]) -> list[dict]:
    fit = next((f for f in fits if (f["mode"], f["weights"]) == ("warm", "1/latency^2")), None)
    slope = "spin, graph warm: slope 1.000 +- 0.002 (weighted fit)"
    intercept = "spin, graph warm: intercept within 0.4 us of 0 (weighted fit)"
    if fit is None:
        lines = [line(slope, None), line(intercept, None)]
    else:
        at, gap = fit["slope"], fit["intercept_us"]
        lines = [line(slope, abs(at - 1) <= 0.002, f"{at:.5f}"),
                 line(intercept, abs(gap) <= 0.4, f"{gap:.3f} us")]
    empty = next((row["latency_us"] for row in rows
                  if (row["mode"], op(row["case"])) == ("warm", "empty")), None)
    beyond = "spin less an empty kernel, graph warm: intercept within 0.4 us of 0"
    if fit is None or empty is None:
        lines.append(line(beyond, None))
    else:
        gap = fit["intercept_us"] - empty
        lines.append(line(beyond, abs(gap) <= 0.4,
                          f"{gap:.3f} us; from one empty kernel to the next {empty:.3f} us"))
    spins = {case: trace for case, trace in traces.items() if op(case) == "spin"}
    others = {case: trace for case, trace in traces.items() if op(case) not in ("spin", "empty")}
    lines += [trace_line("spin", "span", spins), trace_line("others", "period", others)]
    cold = [row for row in rows if row["mode"] == "cold"]
    mm = [row for row in cold if op(row["case"]) == "mm"]
    others = [row for row in cold if op(row["case"]) != "mm"]
    others += [row for row in rows if row["mode"] == "warm" and op(row["case"]) == "spin"]
    long = [row for row in others if row["latency_us"] >= 5]
    short = [row for row in others if 1 <= row["latency_us"] < 5]
    lines += [
        spread_line("spread of graph cold and warm spin <= 1 % from 5 us", long, "spread_pct", 1),
        spread_line("spread of the same <= 3 % from 1 us to 5 us", short, "spread_pct", 3),
        spread_line("spread of mm, graph cold, burst <= 1 %", mm, "spread_pct", 1),
        spread_line("spread of mm, graph cold, sustained <= 1.5 %", mm, "sustained_spread_pct",
                    1.5),
        time_line("median measured_ms <= 60 without a sustained window", results, False, 60),
        time_line("median measured_ms <= 800 with one", results, True, 800),
        cold_line("axpy 16 MiB", "axpy/own/f32/4194304", rows, traces),
        cold_line("copy 1 MiB", "copy/own/f32/262144", rows, traces),
    ]
    return lines


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
