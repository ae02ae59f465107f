"""Google Benchmark's JSON as results: repetitions become samples. result_set.py reads with it."""

import pathlib
from statistics import median

from case_result import CaseId, Device, Result
from json_fields import mapping, number, positive, text

UNIT_US = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}


def google_benchmark_results(document: dict, file: pathlib.Path) -> list[Result]:
    """The statistic is the median of the repetitions. The device is the host."""
    context = mapping(document.get("context", {}), "context")
    host = text(context.get("host_name", ""), "host_name")
    date = text(context.get("date", ""), "date")
    runs: dict[str, list[dict]] = {}
    for entry in document["benchmarks"]:
        entry = mapping(entry, "benchmarks")
        if entry.get("aggregate_name") in ("BigO", "RMS"):  # of a fit over many benchmarks
            continue
        name = text(entry.get("run_name", entry["name"]), "name")
        runs.setdefault(name, []).append(entry)
    if not runs:
        raise ValueError("no benchmark in it, did the filter match any?")
    return [google_benchmark_result(name, entries, Device(host), date, file)
            for name, entries in runs.items()]


def time_us(entry: dict) -> float:
    unit = text(entry.get("time_unit", "ns"), "time_unit")
    if unit not in UNIT_US:
        raise ValueError(f"time_unit {unit!r} is none of {', '.join(UNIT_US)}")
    return number(entry["real_time"], "real_time") * UNIT_US[unit]


def google_benchmark_result(name: str, entries: list[dict], device: Device, date: str,
                            file: pathlib.Path) -> Result:
    # zl-bench's own runs say how they were measured in the label: key=value, separated by spaces.
    label = text(entries[0].get("label", ""), "label")
    pairs = (word.split("=", 1) for word in label.split(" ") if "=" in word)
    said = {key: value for key, value in pairs}
    ours = {"method", "cache", "statistic", "schedule"} <= set(said) and name.count("/") == 3
    case = CaseId("", *name.split("/")) if ours else CaseId("", name, "", "", "")
    if ours and "stand-in" in label.split(" "):
        device = Device("stand-in")
    failed = next((e for e in entries if e.get("error_occurred")), None)
    if failed is not None:
        message = text(failed.get("error_message", ""), "error_message")
        return Result(case, device, file, verdict="error", message=message, date=date)

    samples = [time_us(e) for e in entries if e.get("run_type", "iteration") == "iteration"]
    shown = {e.get("aggregate_name"): e for e in entries if e.get("run_type") == "aggregate"}
    if samples:
        statistic, latency = "median", median(samples)
    else:  # --benchmark_report_aggregates_only
        statistic = next((s for s in ("median", "mean") if s in shown), "")
        if not statistic:
            raise ValueError(f"the benchmark {name!r} has neither runs nor a median or mean")
        latency = time_us(shown[statistic])
    if latency <= 0:
        return Result(case, device, file, verdict="untimeable", message=f"real_time is {latency}",
                      date=date)
    metrics = {"latency_us": latency, "samples": float(len(samples))}
    if ours and "latency_us" in entries[0]:
        statistic = said["statistic"]
        metrics["latency_us"] = positive(entries[0]["latency_us"], "latency_us")
    return Result(case, device, file, method=said.get("method", "") if ours else "",
                  cache=said.get("cache", "") if ours else "",
                  cold_by=said.get("cold_by", "") if ours else "",
                  capture=said.get("capture", "") if ours else "", statistic=statistic,
                  schedule=said.get("schedule", "") if ours else "", metrics=metrics,
                  samples_us=tuple(samples), date=date)
