"""Reads result sets: what one run has measured, as a file or a directory of result files.

A result set is one of
  - a result file of zl-bench (<build>/zl-results/<test>.json),
  - a directory of such files, or a build directory that holds a zl-results,
  - any JSON file of Google Benchmark (--benchmark_out), also one without zl-bench's part.

read_result_set() validates all of it. Whatever is wrong is a ResultSetError, whose message names the
file and the remedy; scripts print it to stderr and exit with 2. Texts may hold anything (quotes,
`<`, newlines, 300 characters): escape them where they are shown (shown_text.py).
"""

import json
import pathlib
from dataclasses import dataclass
from typing import Any

from case_result import CaseId, Clocks, Device, Obtained, Requested, Result
from google_benchmark_json import google_benchmark_results
from json_fields import mapping, number, positive, text, texts

__all__ = ["CaseId", "Clocks", "Device", "Obtained", "Requested", "Result", "ResultSet",
           "ResultSetError", "read_json", "read_result_set"]


class ResultSetError(Exception):
    """Input that cannot be used; the message says which, why, and what to do."""


@dataclass(frozen=True)
class ResultSet:
    """Sorted by case; each case once."""

    path: pathlib.Path
    results: tuple[Result, ...]

    @property
    def devices(self) -> tuple[str, ...]:
        """Names of the models that were measured on, sorted."""
        return tuple(sorted({r.device.name for r in self.results} - {""}))

    @property
    def date(self) -> str:
        """When the first of its results was measured; "" where no file tells."""
        return min((r.date for r in self.results if r.date), default="")

    def by_id(self) -> dict[CaseId, Result]:
        return {r.id: r for r in self.results}


def read_result_set(path: pathlib.Path | str, *, stand_ins: bool = False,
                    mixed_devices: bool = False) -> ResultSet:
    """`stand_ins`: results of a device that stands in for another are wanted, too.
    `mixed_devices`: results of several device models are wanted in one set.
    """
    path = pathlib.Path(path)
    results = [result for file in result_files(path) for result in read_file(file)]
    first: dict[CaseId, Result] = {}
    for result in results:
        known = first.setdefault(result.id, result)
        if known is not result:
            raise ResultSetError(f"{path}: the case {result.id.name!r} is in {known.path} and in "
                                 f"{result.path}: keep each run in a directory of its own")
    found = ResultSet(path, tuple(sorted(results, key=lambda r: r.id)))
    stand_in = next((r for r in found.results if "stand-in" in r.device.name.lower()), None)
    if stand_in is not None and not stand_ins:
        raise ResultSetError(f"{stand_in.path}: measured on {stand_in.device.name!r}, which stands "
                             "in for a device: its times say nothing about one; leave it out")
    if len(found.devices) > 1 and not mixed_devices:
        names = ", ".join(map(repr, found.devices))
        raise ResultSetError(f"{path}: results of several devices ({names}): give the results of "
                             "each device in a directory of its own")
    return found


def result_files(path: pathlib.Path) -> list[pathlib.Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise ResultSetError(f"{path}: no such file or directory: give a result file, a directory "
                             "of result files or a build directory")
    folder = path / "zl-results" if (path / "zl-results").is_dir() else path
    files = sorted(file for file in folder.glob("*.json") if file.is_file())
    if not files:
        raise ResultSetError(f"{folder}: holds no result file (*.json): run `ctest -L '^perf$'` in "
                             "the build directory, or a zl executable with --zl_result_dir")
    return files


def read_file(file: pathlib.Path) -> list[Result]:
    document = read_json(file)
    try:
        if not isinstance(document, dict):
            raise TypeError("not a JSON object")
        if "zl" in document:
            return [zl_result(document["zl"], file)]
        if isinstance(document.get("benchmarks"), list):
            return google_benchmark_results(document, file)
    except KeyError as e:
        raise ResultSetError(f"{file}: no {e} in it: not a result file, or of another version; "
                             "measure again") from e
    except (TypeError, ValueError) as e:
        raise ResultSetError(f"{file}: {e}: not a result file; measure again") from e
    raise ResultSetError(f"{file}: neither a result file of zl-bench nor one of Google Benchmark: "
                         "leave it out of the result set")


def read_json(file: pathlib.Path) -> Any:
    """Also for other JSON that the scripts read: NaN and infinity are errors."""

    def refused(constant: str) -> float:
        raise ResultSetError(f"{file}: holds {constant}, which is no number: measure again")

    try:
        content = file.read_text(encoding="utf-8")
        decoder = json.JSONDecoder(parse_constant=refused)
        ours = zl_part(content, decoder)
        return decoder.decode(content) if ours is None else {"zl": ours}
    except OSError as e:
        raise ResultSetError(f"{file}: cannot be read: {e.strerror}") from e
    except UnicodeDecodeError as e:
        raise ResultSetError(f"{file}: not UTF-8 at byte {e.start}: measure again") from e
    except RecursionError as e:
        raise ResultSetError(f"{file}: nested too deeply for a result file") from e
    except ValueError as e:
        raise ResultSetError(f"{file}: not complete JSON ({e}): was the run cut off, or is the "
                             "file still being written? Measure again") from e


def zl_part(content: str, decoder: json.JSONDecoder) -> Any:
    """The last of a result file's parts, None where it does not end as zl-bench writes it. Google
    Benchmark's part before it repeats everything for each sample: 20 times as long, and not used.
    """
    # A line end inside a text is spelt \n, so this is no text's content.
    at = content.rfind('\n  "zl": {')
    if at < 0 or not content.startswith("{"):
        return None
    part, end = decoder.raw_decode(content, content.index("{", at))
    return part if content[end:].split() == ["}"] else None


def clocks(json_clocks: Any, name: str) -> Clocks:
    if json_clocks is None:
        return Clocks()
    c = mapping(json_clocks, name)
    return Clocks(number(c["sm_mhz"], "sm_mhz"), number(c["memory_mhz"], "memory_mhz"),
                  number(c["power_limit_w"], "power_limit_w"),
                  text(c["limit_reasons"], "limit_reasons"), bool(c["slowed"]),
                  int(number(c["processes"], "processes")), text(c["unknown"], "unknown"))


def zl_result(zl: Any, file: pathlib.Path) -> Result:
    r = mapping(mapping(zl, "zl")["result"], "result")
    ids = mapping(r["id"], "id")
    case = CaseId(*(text(ids[k], k) for k in ("backend", "op", "impl", "types", "shape")))
    metrics = {text(k, "metric"): number(v, k) for k, v in mapping(r["metrics"], "metrics").items()}
    if "latency_us" in metrics:
        positive(metrics["latency_us"], "latency_us")
    requested = mapping(r.get("requested", {}), "requested")

    def optional(key: str) -> str:
        return text(r.get(key, ""), key)

    return Result(
        id=case,
        device=Device(*(optional(k) for k in ("device_name", "device_uuid", "driver", "runtime"))),
        path=file,
        verdict=text(r["verdict"], "verdict"),
        message=optional("message"),
        method=text(r["method"], "method"),
        cache=text(r["cache"], "cache"),
        cold_by=optional("cold_by"),
        cache_note=optional("cache_note"),
        capture=optional("capture"),
        capture_reason=optional("capture_reason"),
        statistic=optional("statistic"),
        schedule=optional("schedule"),
        requested_cache=text(requested.get("cache", ""), "requested.cache"),
        requested_method=text(requested.get("method", ""), "requested.method"),
        untrusted=texts(r.get("untrusted", []), "untrusted"),
        implausible=optional("implausible"),
        metrics=metrics,
        samples_us=tuple(1e3 * number(ms, "samples_ms") for ms in r.get("samples_ms", [])),
        n_repeat=int(number(r.get("n_repeat", 0), "n_repeat")),
        wall_s=number(r.get("wall_s", 0), "wall_s"),
        notes=texts(r.get("notes", []), "notes"),
        columns={text(k, "column"): text(v, k)
                 for k, v in mapping(r.get("columns", {}), "columns").items()},
        speedup_reason=optional("speedup_reason"),
        verified=optional("verified"),
        clocks_start=clocks(r.get("clocks_start"), "clocks_start"),
        clocks_end=clocks(r.get("clocks_end"), "clocks_end"),
        date=text(zl.get("date", ""), "date"),
        harness_version=text(zl.get("harness_version", ""), "harness_version"),
        hostname=text(zl.get("hostname", ""), "hostname"),
    )
