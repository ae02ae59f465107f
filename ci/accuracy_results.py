"""The accuracy suite's cases, and the result files that ci/accuracy.sh leaves of them."""

import json
import math
import pathlib
from dataclasses import dataclass

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
