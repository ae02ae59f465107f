"""Single measurements, from result sets or from CDash, on their way into a baseline."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from baseline_file import Header, Run, utc
from case_result import Result
from result_set import ResultSetError

# What may be said of runs whose files or tags do not tell.
ASSUMABLE = ("requested_cache", "schedule", "cold_by", "driver", "runtime", "harness_version")
# The gate's own verdicts about a number that is true.
USABLE = {"ok", "no_baseline", "too_noisy"}
ACCEPTABLE = USABLE | {"regression", "changed"}


@dataclass(frozen=True)
class Measured:
    test_name: str
    key: str  # what was requested
    header: Header
    run: Run
    source: str


def for_all_cards(found: Iterable[Measured]) -> list[Measured]:
    return [replace(one, header=one.header.for_all_cards()) for one in found]


def case_key(test_name: str, schedule: str, requested_cache: str) -> str:
    return f"{test_name}/{schedule}/{requested_cache}"


def why_left_out(verdict: str, latency: float | None, untrusted: str, implausible: str,
                 accepting: bool = False) -> str:
    if verdict not in (ACCEPTABLE if accepting else USABLE):
        return f"verdict {verdict}"
    if latency is None:
        return "no latency"
    if untrusted:
        return f"untrusted: {untrusted}"
    return f"implausible: {implausible}" if implausible else ""


def measured(result: Result, assumed: Mapping[str, str], commit: str) -> Measured:
    """Of a result that why_left_out() lets pass; its header tells the card."""
    schedule = result.schedule or assumed.get("schedule", "")
    cache = result.requested_cache or assumed.get("requested_cache", "")
    version = result.harness_version or assumed.get("harness_version", "")
    for name, value in (("schedule", schedule), ("requested_cache", cache),
                        ("harness_version", version)):
        if not value:
            raise ResultSetError(f"{result.path}: does not tell its {name}: measure again with "
                                 f"this zl-bench, or say it: --assume {name}=...")
    if not result.id.backend:
        raise ResultSetError(f"{result.path}: not a result file of zl-bench, of which a baseline "
                             "is made: give the files of a zl-results directory")
    try:
        date = utc(result.date, "date")
    except ValueError as e:
        raise ResultSetError(f"{result.path}: {e}: measure again") from e
    assert result.latency_us is not None
    header = Header(result.device.name, result.device.driver or assumed.get("driver", ""),
                    result.device.runtime or assumed.get("runtime", ""), version,
                    result.device.uuid)
    run = Run(result.latency_us, result.method, result.cache, result.cold_by, result.statistic,
              schedule, date, commit)
    name = result.id.test_name
    return Measured(name, case_key(name, schedule, cache), header, run, str(result.path))
