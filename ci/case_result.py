"""One case of one run, as result_set.py reads it."""

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class CaseId:
    backend: str
    op: str
    impl: str
    types: str
    shape: str

    @property
    def name(self) -> str:
        """As Google Benchmark shows it: op/impl/types/shape."""
        return "/".join(part for part in (self.op, self.impl, self.types, self.shape) if part)

    @property
    def test_name(self) -> str:
        """The CTest's name, which has no colons: as the harness and CMake write it."""
        types = self.types.replace(":", "-")
        return ".".join(("perf", self.backend, self.op, self.impl, types, self.shape))


@dataclass(frozen=True)
class Device:
    name: str  # of the model; of the host for a plain Google Benchmark file; "" where none was used
    uuid: str = ""
    driver: str = ""
    runtime: str = ""


@dataclass(frozen=True)
class Clocks:
    """Of the device under load; -1 and a text in `unknown` where they could not be read."""

    sm_mhz: float = -1
    memory_mhz: float = -1
    power_limit_w: float = -1
    limit_reasons: str = ""
    slowed: bool = False
    processes: int = -1
    unknown: str = ""


@dataclass(frozen=True, order=True)
class Requested:
    """The key of a case: what was asked for, whatever came of it."""

    case: CaseId
    device: str  # the model
    schedule: str
    cache: str  # auto, cold, warm, mixed; "" where the file does not tell


@dataclass(frozen=True, order=True)
class Obtained:
    """How the number came about. Numbers of unlike ones are never compared."""

    method: str
    cache: str
    cold_by: str
    statistic: str
    schedule: str


@dataclass(frozen=True)
class Result:
    """One case of one run. Empty texts: not known, as for a plain Google Benchmark file."""

    id: CaseId
    device: Device
    path: pathlib.Path  # of the file it was read from
    verdict: str = "ok"
    message: str = ""
    method: str = ""
    cache: str = ""
    cold_by: str = ""
    cache_note: str = ""
    capture: str = ""
    capture_reason: str = ""
    statistic: str = ""
    schedule: str = ""
    requested_cache: str = ""
    requested_method: str = ""
    untrusted: tuple[str, ...] = ()
    implausible: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)
    samples_us: tuple[float, ...] = ()
    n_repeat: int = 0
    wall_s: float = 0.0  # of the whole case; 0: not known
    notes: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    speedup_reason: str = ""
    verified: str = ""
    clocks_start: Clocks = Clocks()
    clocks_end: Clocks = Clocks()
    date: str = ""
    harness_version: str = ""
    hostname: str = ""

    @property
    def latency_us(self) -> float | None:
        """None where there is no number: see verdict and message."""
        return self.metrics.get("latency_us")

    @property
    def requested(self) -> Requested:
        return Requested(self.id, self.device.name, self.schedule, self.requested_cache)

    @property
    def obtained(self) -> Obtained:
        return Obtained(self.method, self.cache, self.cold_by, self.statistic, self.schedule)
