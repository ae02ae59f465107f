"""One measurement: a case's executable in a fresh process, and what its result file says."""

import os
import pathlib
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from ab_cases import BuiltCase
from ab_input import InputError
from case_result import Result
from result_set import ResultSetError, read_result_set

REPEATS = 2  # of a measurement that is untrusted or found the device busy
SKIPPED, BUSY = 77, 10  # exit codes of a zl executable
TIMEOUT_MARGIN_S = 15.0  # the process's own limit is to end it, with a verdict


@dataclass(frozen=True)
class Measurement:
    """A number with how it was obtained, or a failure in words."""

    result: Result | None = None
    latency_us: float = 0.0
    failure: str = ""
    skipped: bool = False
    busy: bool = False
    repeats: int = 0  # processes thrown away before this one

    @property
    def untrusted(self) -> tuple[str, ...]:
        return self.result.untrusted if self.result else ()


Measure = Callable[[BuiltCase], Measurement]


def run_case(case: BuiltCase, keep: pathlib.Path | None = None) -> Measurement:
    """`keep`: a folder that gets the result file of every process, numbered."""
    with tempfile.TemporaryDirectory(prefix="zl-ab-") as folder:
        code, output = run_process(case, folder)
        found = read_measurement(case, pathlib.Path(folder), code, output)
        if keep is not None:
            for file in pathlib.Path(folder).glob("*.json"):
                keep_file(file, keep)
        return found


def run_process(case: BuiltCase, folder: str) -> tuple[int, str]:
    """Exit code and the end of what it said."""
    environment = {**os.environ, **case.environment, "ZL_REQUIRE_DEVICE": "1", "ZL_RESULT_DIR": ""}
    try:
        process = subprocess.Popen(
            [*case.command, f"--zl_result_dir={folder}", *case.measured_by], cwd=case.folder,
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", start_new_session=True)
    except OSError as e:
        raise InputError(f"{case.command[0]}: cannot be started: {e.strerror}") from e
    try:
        output, _ = process.communicate(timeout=case.timeout_s + TIMEOUT_MARGIN_S)
    except subprocess.TimeoutExpired:
        return stopped(process), f"no end after {case.timeout_s + TIMEOUT_MARGIN_S:.0f} s"
    except BaseException:  # Ctrl-C: no measurement may outlive this script and hold the device
        stopped(process)
        raise
    return process.returncode, output


def stopped(process: subprocess.Popen) -> int:
    os.killpg(process.pid, signal.SIGKILL)
    return process.wait()


def last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"


def read_measurement(case: BuiltCase, folder: pathlib.Path, code: int, output: str) -> Measurement:
    if not any(folder.glob("*.json")):
        return Measurement(failure=f"exit {code}: {last_line(output)}", skipped=code == SKIPPED,
                           busy=code == BUSY)
    try:
        results = read_result_set(folder, stand_ins=True).results
    except ResultSetError as e:
        raise InputError(f"{case.name}, measured by {case.command[0]}: {e}") from e
    if len(results) != 1 or results[0].id.test_name != case.name:
        names = ", ".join(result.id.test_name for result in results)
        raise InputError(f"{case.command[0]}: was asked for {case.name} and measured {names}")
    result = results[0]
    if "stand-in" in result.device.name.lower():
        raise InputError(f"{case.name}: measured on {result.device.name!r}, which stands in for a "
                         "device: its times say nothing about one")
    if code != 0 or result.latency_us is None:
        why = f"{result.verdict}: {result.message}" if result.verdict != "ok" else (
            f"exit {code}: {last_line(output)}" if code else "no latency in the result")
        return Measurement(failure=why, skipped=code == SKIPPED, busy=code == BUSY)
    return Measurement(result=result, latency_us=result.latency_us)


def keep_file(file: pathlib.Path, folder: pathlib.Path) -> None:
    """As <test>.<n>.json, so that names never clash."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 1 + sum(1 for _ in folder.glob("*.json"))
    (folder / f"{number:05d}.{file.name}").write_bytes(file.read_bytes())


def trusted(measure: Measure, case: BuiltCase, repeats: int = REPEATS) -> Measurement:
    """Repeated while it is untrusted or the device is busy, `repeats` times at most; the last one
    counts, whatever it is."""
    for taken in range(repeats + 1):
        found = measure(case)
        if not found.untrusted and not found.busy:
            break
    return Measurement(found.result, found.latency_us, found.failure, found.skipped, found.busy,
                       taken)
