#!/usr/bin/env python3
"""Times a sum of Python floats and writes what zl_add_perf_command() asks for."""

import argparse
import json
import math
import pathlib
import time
from collections.abc import Callable

SAMPLES = 15
SAMPLE_NS = 2_000_000  # long enough for the clock
IMPLEMENTATIONS: dict[str, Callable[[list[float]], float]] = {"builtin": sum, "fsum": math.fsum}


def time_ns(function: Callable[[list[float]], float], values: list[float], calls: int) -> int:
    start = time.perf_counter_ns()
    for _ in range(calls):
        function(values)
    return time.perf_counter_ns() - start


def measurement(function: Callable[[list[float]], float], count: int) -> dict:
    values = [float(i) for i in range(count)]
    right = function(values) == count * (count - 1) / 2  # exact in double precision
    calls = max(1, SAMPLE_NS // max(1, time_ns(function, values, 1)))  # the first one warms up
    return {
        "schema": "zl-perf-command/1",
        "samples_us": [time_ns(function, values, calls) / calls / 1e3 for _ in range(SAMPLES)],
        "calls_per_sample": calls,
        "method": "perf_counter",
        "cache": "warm",  # all calls read one list
        "verified": right,
        "flops": count,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--impl", choices=IMPLEMENTATIONS, required=True)
    parser.add_argument("--case", required=True, help="IMPL/TYPES/SHAPE")
    parser.add_argument("--result", type=pathlib.Path, required=True, help="file to write")
    arguments = parser.parse_args()
    _, _, shape = arguments.case.split("/")
    result = measurement(IMPLEMENTATIONS[arguments.impl], int(shape))
    arguments.result.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
