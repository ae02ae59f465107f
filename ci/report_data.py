"""What the report page shows, as data: out of result sets, in the order given, into one JSON value.

What many runs have in common (how a number was made, the device and its clocks) is stored once and
referred to by its place, so that hundreds of cases and tens of runs stay a page of a few MB.
"""

import pathlib
from collections.abc import Sequence
from statistics import quantiles
from typing import Any

from likeness import differences, other_circumstances
from result_set import CaseId, Clocks, Result, ResultSet
from shown_text import one_line

# Drawn in all, of them for one run of the newest set, and of an older set at least.
SAMPLES_IN_ALL = 300_000
SAMPLES_NEWEST = 400
SAMPLES_AT_LEAST = 16
EXTREMES_EACH_WAY = 4

SPREAD = (5, 25, 50, 75, 95)  # percentiles of all samples, also of those not drawn


def page_data(sets: Sequence[ResultSet]) -> dict[str, Any]:
    how, contexts = Interned(), Interned()
    metric_names = sorted({m for one in sets for r in one.results for m in r.metrics})
    limits = sample_limits([len(one.results) for one in sets])
    runs: dict[CaseId, list[tuple[int, Result]]] = {}
    for index, one in enumerate(sets):
        for result in one.results:
            runs.setdefault(result.id, []).append((index, result))

    cases = []
    for case in sorted(runs):
        rows = []
        before: Result | None = None
        for index, result in runs[case]:
            rows.append([
                index,
                how.place(how_made(result)),
                contexts.place(context(result)),
                visible(result.date),
                [rounded(result.metrics[m], 7) if m in result.metrics else None
                 for m in metric_names],
                [rounded(us, 5) for us in thinned(result.samples_us, limits[index])],
                len(result.samples_us),
                spread(result.samples_us),
                *steps(before, result),
            ])
            if result.latency_us is not None:
                before = result
        ids = (case.backend, case.op, case.impl, case.types, case.shape)
        cases.append({"id": [visible(part) for part in ids], "runs": rows})
    labels = set_labels([one.path for one in sets])
    return {
        "sets": [{"label": label, "path": visible(str(one.path)), "date": visible(one.date)}
                 for label, one in zip(labels, sets)],
        "run_fields": ["set", "how", "context", "date", "metrics", "samples", "measured", "spread",
                       "unlike", "changed"],
        "metrics": [visible(name) for name in metric_names],
        "how": how.values,
        "contexts": contexts.values,
        "cases": cases,
    }


class Interned:
    """Equal values once, in the order of their first appearance."""

    def __init__(self) -> None:
        self.values: list[dict] = []
        self._places: dict[str, int] = {}

    def place(self, value: dict) -> int:
        key = repr(value)
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value)
        return self._places[key]


def how_made(r: Result) -> dict[str, Any]:
    """Empty ones are left out."""
    texts = {
        "verdict": r.verdict, "method": r.method, "cache": r.cache, "cold_by": r.cold_by,
        "capture": r.capture, "statistic": r.statistic, "schedule": r.schedule,
        "requested_method": r.requested_method, "requested_cache": r.requested_cache,
        "verified": r.verified,
    }
    sentences = {
        "message": r.message, "cache_note": r.cache_note, "capture_reason": r.capture_reason,
        "implausible": r.implausible, "speedup_reason": r.speedup_reason,
    }
    made: dict[str, Any] = {k: visible(v) for k, v in texts.items()}
    made |= {k: visible(v, lines=True) for k, v in sentences.items()}
    made["untrusted"] = [visible(reason, lines=True) for reason in r.untrusted]
    made["notes"] = [visible(note, lines=True) for note in r.notes]
    made["columns"] = {visible(k): visible(v) for k, v in r.columns.items()}
    made["marks"] = marks(r)
    return {k: v for k, v in made.items() if v}


def marks(r: Result) -> list[str]:
    """What a reader must see before the number."""
    found = []
    if "stand-in" in r.device.name.lower():
        found.append("stand-in")
    if r.implausible:
        found.append("implausible")
    if r.untrusted:
        found.append("untrusted")
    if r.latency_us is not None and r.capture not in ("", "clean") and r.method != "command":
        found.append("not captured")
    if r.latency_us is not None and r.cache_note:
        found.append("not cold")
    return found


def context(r: Result) -> dict[str, Any]:
    def clocks(c: Clocks) -> dict[str, Any]:
        told = {"sm_mhz": c.sm_mhz, "memory_mhz": c.memory_mhz, "power_limit_w": c.power_limit_w,
                "processes": c.processes}
        said = {k: v for k, v in told.items() if v >= 0}
        said |= {"limit_reasons": visible(c.limit_reasons), "unknown": visible(c.unknown)}
        if c.slowed:
            said["slowed"] = True
        return {k: v for k, v in said.items() if v != ""}

    told = {
        "device": visible(r.device.name), "uuid": visible(r.device.uuid),
        "driver": visible(r.device.driver), "runtime": visible(r.device.runtime),
        "harness": visible(r.harness_version), "host": visible(r.hostname),
        "start": clocks(r.clocks_start), "end": clocks(r.clocks_end),
    }
    return {k: v for k, v in told.items() if v}


def steps(before: Result | None, now: Result) -> tuple[list[str], list[str]]:
    """Why this number must not be compared with the one before it in the history, between which
    no line is drawn then; and what else a step may come from."""
    if before is None or now.latency_us is None:
        return [], []
    unlike, circumstances = differences(before, now), other_circumstances(before, now)
    return [visible(text) for text in unlike], [visible(text) for text in circumstances]


def sample_limits(results_in_sets: Sequence[int]) -> list[int]:
    """How many samples of one run are drawn, for each set; most in the newest one."""
    *older, newest = results_in_sets
    left = SAMPLES_IN_ALL - SAMPLES_NEWEST * newest
    each = max(SAMPLES_AT_LEAST, min(SAMPLES_NEWEST, left // max(1, sum(older))))
    of_newest = min(SAMPLES_NEWEST, max(SAMPLES_AT_LEAST, SAMPLES_IN_ALL // max(1, newest)))
    return [each] * len(older) + [of_newest]


def thinned(samples: Sequence[float], limit: int) -> list[float]:
    """At most `limit` of them, in order: evenly spaced ones, which keep the distribution's shape,
    and the most extreme ones, so that no outlier is hidden."""
    if len(samples) <= limit:
        return list(samples)
    by_size = sorted(range(len(samples)), key=samples.__getitem__)
    extremes = min(EXTREMES_EACH_WAY, limit // 4)
    even = limit - 2 * extremes
    kept = {len(samples) * (2 * i + 1) // (2 * even) for i in range(even)}
    kept.update(by_size[:extremes], by_size[-extremes:])
    return [samples[place] for place in sorted(kept)]


def spread(samples: Sequence[float]) -> list[float]:
    if len(samples) < 5:
        return []
    cuts = quantiles(samples, n=20, method="inclusive")
    return [rounded(cuts[percent // 5 - 1], 6) for percent in SPREAD]


def rounded(value: float, digits: int) -> float | int:
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short


def visible(text: str, lines: bool = False) -> str:
    """With control characters and direction marks spelt out; `lines`: line breaks may stay."""
    return "\n".join(map(one_line, text.split("\n"))) if lines else one_line(text)


def set_labels(paths: Sequence[pathlib.Path]) -> list[str]:
    """Short and unlike each other: the parts of the paths that differ."""
    parts = [[p for p in path.parts if p != "zl-results"] or [str(path)] for path in paths]
    common = 0
    while len(parts) > 1 and all(len(p) > common + 1 and p[common] == parts[0][common]
                                 for p in parts):
        common += 1
    if len(parts) == 1:
        common = max(0, len(parts[0]) - 2)
    labels = ["/".join(p[common:]).replace("//", "/") for p in parts]
    if len(set(labels)) < len(labels):
        labels = [f"{i + 1}: {label}" for i, label in enumerate(labels)]
    return [visible(label) for label in labels]
