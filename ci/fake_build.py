"""A build folder for tests: CTest lists its cases, its executable makes results up.

The executable reads what it is to say from settings.json beside it. It draws each process's noise
from the seed and from how often the case was run in this build, so that a run of ab.py can be
repeated. run_in_process() does the same without the 30 ms that a Python process takes.
"""

import json
import os
import pathlib
import random
import sys
import time

EXECUTABLE = """#!{python} -IS
import os, sys
sys.path.insert(0, {modules!r})
import fake_build
code, said = fake_build.made_up({folder!r}, sys.argv[1:], os.environ.get("ZL_REQUIRE_DEVICE", ""))
print(said)
sys.exit(code)
"""
DEFAULTS = {"us": 10.0, "slower_pct": 0.0, "noise_pct": 0.1, "seed": 0, "method": "graph",
            "cache": "cold", "untrusted": [], "verdict": "ok", "message": "", "exit": 0,
            "device": "fake CPU", "uuid": "", "text": None, "says": "", "sleep_s": 0}


def made_up(build: str, arguments: list[str], required: str) -> tuple[int, str]:
    """Writes a result file; the exit code and what is printed. `then` in a case's settings: lists
    of values that its processes take in turns."""
    folder = pathlib.Path(build)
    settings = json.loads((folder / "settings.json").read_text())
    flags = arguments[:arguments.index("--")] if "--" in arguments else arguments
    given = dict(a.split("=", 1) for a in flags if "=" in a)
    name = given["--zl_case"]
    case = {**DEFAULTS, **settings["defaults"], **settings["cases"][name]}
    with (folder / "calls.log").open("a+") as log:
        log.write(f"{name} {required}\n")
        log.seek(0)
        n = log.read().count(name + " ")
    with (folder.parent / "order.log").open("a") as log:
        log.write(f"{folder.name} {name}\n")
    case |= {key: values[(n - 1) % len(values)] for key, values in case.get("then", {}).items()}
    time.sleep(case["sleep_s"])
    rng = random.Random(f"{folder.name} {name} {n} {case['seed']}")
    noise = rng.gauss(0, case["noise_pct"])
    latency = case["us"] * (1 + case["slower_pct"] / 100) * (1 + noise / 100)
    impl, types, shape = name.split("/")
    result = {
        "id": {"backend": "host", "op": "fake", "impl": impl, "types": types, "shape": shape},
        **{key: case[key] for key in ("verdict", "message", "method", "cache", "untrusted")},
        "statistic": "median", "schedule": "adaptive", "capture": "clean",
        "device_name": case["device"], "device_uuid": case["uuid"], "samples_ms": [latency / 1e3],
        "metrics": {"latency_us": latency} if case["verdict"] == "ok" else {}}
    text = case["text"]
    if text is None:
        text = json.dumps({"context": {}, "benchmarks": [], "zl": {"result": result}})
    if text:
        folder = os.environ.get("ZL_RESULT_DIR") or given["--zl_result_dir"]
        (pathlib.Path(folder) / f"{test_name(name)}.json").write_text(text)
    return case["exit"], case["says"]


def run_in_process(case, folder: str) -> tuple[int, str]:
    """In place of ab_measure.run_process()."""
    arguments = [*case.command[1:], f"--zl_result_dir={folder}", *case.measured_by]
    return made_up(str(case.executable.parent), arguments, "1")


def test_name(case: str) -> str:
    return "perf.host.fake." + case.replace("/", ".")


def make_build(folder: pathlib.Path, cases: dict[str, dict], timeout_s: float = 60,
               command: str = "", **defaults) -> pathlib.Path:
    """`cases`: impl/types/shape: what differs from the defaults. `command`: what measures them, as
    zl_add_perf_command() has it."""
    folder.mkdir(parents=True)
    executable = folder / "zl_fake_host"
    # Its folder makes two builds' bytes unlike: alike ones would be IDENTICAL and not measured.
    executable.write_text(EXECUTABLE.format(python=sys.executable, folder=str(folder),
                                            modules=str(pathlib.Path(__file__).parent)))
    os.chmod(executable, 0o755)
    (folder / "settings.json").write_text(json.dumps({"defaults": defaults, "cases": cases}))
    tail = f' "--zl_op=fake" "--zl_tolerance=5" "--" {command}' if command else ""
    lines = []
    for case in cases:
        name = test_name(case)
        lines.append(f'add_test([=[{name}]=] "{executable}" "--zl_case={case}" "--zl_tags" '
                     f'"--zl_result_dir={folder}/zl-results" "--zl_timeout_s=60"{tail})')
        lines.append(f'set_tests_properties([=[{name}]=] PROPERTIES LABELS "perf;host;fake" '
                     f'TIMEOUT "{timeout_s}" WORKING_DIRECTORY "{folder}")')
    lines.append('add_test([=[unit]=] "/bin/false")')
    (folder / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")
    return folder
