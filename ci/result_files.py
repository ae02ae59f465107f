"""Result files for the tests of the scripts here: as zl-bench writes them, by hand."""

import json
import pathlib

CLOCKS = {"sm_mhz": 1980, "memory_mhz": 3201, "power_limit_w": 700.0, "limit_reasons": "None",
          "slowed": False, "processes": 1, "unknown": ""}


def result(op: str = "add", latency: float | None = 10.0, **more) -> dict:
    """The "result" of a file; `more` replaces what it says, `id` and `metrics` by key."""
    ids = {"op": op, "impl": "own", "types": "f32", "shape": "4096", "backend": "cuda"}
    metrics = {} if latency is None else {"latency_us": latency, "cv_pct": 0.5, "samples": 3.0}
    samples = [] if latency is None else [latency / 1e3] * 3
    return {
        "verdict": "ok", "message": "", "method": "graph", "cache": "cold", "cold_by": "rotation",
        "cache_note": "", "capture": "clean", "capture_reason": "", "statistic": "median",
        "schedule": "adaptive", "untrusted": [], "implausible": "", "samples_ms": samples,
        "n_repeat": 20, "notes": [], "columns": {}, "speedup_reason": "", "verified": "all",
        "requested": {"method": "auto", "cache": "auto"},
        "device_name": "NVIDIA H200", "device_uuid": "GPU-1", "driver": "580.1", "runtime": "13.0",
        "clocks_start": CLOCKS, "clocks_end": CLOCKS,
        **more,
        "id": ids | more.get("id", {}),
        "metrics": metrics | more.get("metrics", {}),
    }


def document(of: dict, date: str = "2026-11-30T05:00:00Z", version: str = "0.1.0") -> dict:
    return {"context": {}, "benchmarks": [],
            "zl": {"harness_version": version, "hostname": "vm", "date": date, "result": of}}


def write(folder: pathlib.Path, *results: dict, date: str = "2026-11-30T05:00:00Z",
          version: str = "0.1.0") -> pathlib.Path:
    """One file a result in the folder, which is made; their names are numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    for of in results:
        file = folder / f"{len(list(folder.iterdir()))}.json"
        file.write_text(json.dumps(document(of, date, version)))
    return folder
