"""Baseline files: docs/baseline.md is their schema."""

import json
import pathlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from statistics import median

import atomic_file
from json_fields import mapping, positive, text
from result_set import ResultSetError, read_json

SCHEMA = 1
ENOUGH_RUNS, MOST_RUNS = 10, 30
DATE = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class Header:
    """What all runs of a baseline have in common. Anything else is another baseline."""

    device: str
    driver: str
    runtime: str
    harness_version: str
    device_uuid: str = ""  # of the only card that it is for; empty: for all of the model

    def for_all_cards(self) -> "Header":
        return replace(self, device_uuid="")

    @property
    def file_name(self) -> str:
        parts = [self.device, self.driver, self.runtime, self.harness_version]
        if self.device_uuid:
            parts.append(self.device_uuid)
        return "_".join(re.sub(r"[^A-Za-z0-9.]+", "-", p).strip("-.") or "-" for p in parts)[
            :200] + ".json"

    def changes_to(self, other: "Header") -> str:
        pairs = (("device", self.device, other.device), ("driver", self.driver, other.driver),
                 ("runtime", self.runtime, other.runtime),
                 ("zl-bench", self.harness_version, other.harness_version),
                 ("card", self.device_uuid, other.device_uuid))
        return ", ".join(f"{what} {old!r} became {now!r}" for what, old, now in pairs if old != now)


@dataclass(frozen=True)
class Run:
    median_us: float
    method: str
    cache: str
    cold_by: str
    statistic: str
    schedule: str
    date: str
    commit: str = ""

    @property
    def obtained(self) -> tuple[str, ...]:
        return self.method, self.cache, self.cold_by, self.statistic, self.schedule


@dataclass(frozen=True)
class Accepted:
    date: str
    reason: str
    by: str = ""
    replaced_runs: int = 0
    replaced_us: float | None = None


@dataclass(frozen=True)
class Case:
    runs: tuple[Run, ...]
    accepted: Accepted | None = None

    @property
    def median_us(self) -> float:
        """Of the runs that are like the last one."""
        return median(self.levels)

    @property
    def first_level_us(self) -> float:
        """Of the first runs alone: what runs added later cannot move."""
        like = [run.median_us for run in self.runs[:ENOUGH_RUNS]
                if run.obtained == self.runs[0].obtained]
        return median(like)

    @property
    def levels(self) -> list[float]:
        return [run.median_us for run in self.runs if run.obtained == self.runs[-1].obtained]

    @property
    def spread_pct(self) -> float:
        """4 x 1.4826 x MAD, which the gate adds to the median where TOLERANCE is less."""
        middle = self.median_us
        mad = median(abs(level - middle) for level in self.levels)
        return 100 * 4 * 1.4826 * mad / middle


@dataclass(frozen=True)
class Baseline:
    header: Header
    made: str
    expires: date
    cases: Mapping[str, Case]


def oldest_first(runs: Iterable[Run]) -> tuple[Run, ...]:
    return tuple(sorted(runs, key=lambda run: run.date))


def utc(value: str, name: str) -> str:
    """The time, however ISO 8601 spells it, as one that sorts as text."""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError as e:
        raise ValueError(f"{name} {value!r} is no date and time") from e
    if moment.tzinfo is None:
        raise ValueError(f"{name} {value!r} names no time zone")
    return moment.astimezone(UTC).strftime(DATE)


def to_json(baseline: Baseline) -> str:
    def run_json(run: Run) -> dict:
        fields = {key: getattr(run, key) for key in ("median_us", "method", "cache", "cold_by",
                                                     "statistic", "schedule", "date")}
        return fields | ({"commit": run.commit} if run.commit else {})

    def accepted_json(accepted: Accepted | None) -> dict | None:
        if accepted is None:
            return None
        found: dict = {"date": accepted.date, "reason": accepted.reason}
        if accepted.by:
            found["by"] = accepted.by
        if accepted.replaced_us is not None:
            found["replaced"] = {"runs": accepted.replaced_runs, "median_us": accepted.replaced_us}
        return found

    head = baseline.header
    document = {
        "schema": SCHEMA, "harness_version": head.harness_version, "device": head.device,
        "driver": head.driver, "runtime": head.runtime,
        **({"device_uuid": head.device_uuid} if head.device_uuid else {}), "made": baseline.made,
        "expires": baseline.expires.isoformat(),
        "cases": {key: {"runs": [run_json(run) for run in case.runs],
                        "accepted": accepted_json(case.accepted)}
                  for key, case in sorted(baseline.cases.items())},
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_baseline(path: pathlib.Path, baseline: Baseline) -> None:
    try:
        atomic_file.write_text(path, to_json(baseline))
    except OSError as e:
        raise ResultSetError(f"{path}: cannot be written: {e.strerror}") from e


def run_from(value: object) -> Run:
    run = mapping(value, "run")
    return Run(positive(run["median_us"], "median_us"),
               *(text(run[key], key) for key in ("method", "cache", "cold_by", "statistic",
                                                 "schedule")),
               utc(text(run["date"], "date"), "date"), text(run.get("commit", ""), "commit"))


def accepted_from(value: object) -> Accepted | None:
    if value is None:
        return None
    accepted = mapping(value, "accepted")
    replaced = mapping(accepted.get("replaced", {}), "replaced")
    return Accepted(utc(text(accepted["date"], "date"), "date"), text(accepted["reason"], "reason"),
                    text(accepted.get("by", ""), "by"), int(replaced.get("runs", 0)),
                    positive(replaced["median_us"], "replaced.median_us") if replaced else None)


def read_baseline(path: pathlib.Path) -> Baseline:
    document = read_json(path)
    try:
        document = mapping(document, "the document")
        if document.get("schema") != SCHEMA:
            raise ValueError(f"schema {document.get('schema')!r} instead of {SCHEMA}")
        cases = {}
        for key, value in mapping(document["cases"], "cases").items():
            runs = mapping(value, key)["runs"]
            if not isinstance(runs, list) or not runs:
                raise ValueError(f"{key!r} holds no runs")
            cases[key] = Case(oldest_first(run_from(run) for run in runs),
                              accepted_from(value["accepted"]))
        header = Header(*(text(document[key], key) for key in ("device", "driver", "runtime",
                                                               "harness_version")),
                        text(document.get("device_uuid", ""), "device_uuid"))
        return Baseline(header, utc(text(document["made"], "made"), "made"),
                        date.fromisoformat(text(document["expires"], "expires")), cases)
    except KeyError as e:
        raise ResultSetError(f"{path}: no {e} in it: not a baseline; make one with baseline.py "
                             "make") from e
    except (TypeError, ValueError) as e:
        raise ResultSetError(f"{path}: {e}: not a baseline of this version; make one with "
                             "baseline.py make") from e
