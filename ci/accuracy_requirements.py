"""What the accuracy suite asks of its numbers, each line with what was measured."""

from statistics import median

from accuracy_results import Result, op


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
