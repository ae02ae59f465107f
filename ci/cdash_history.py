"""The measurements of a build's history on a CDash server, as runs for a baseline."""

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from baseline_file import Header, Run, utc
from baseline_runs import ASSUMABLE, Measured, case_key, why_left_out
from cdash_server import PAGE, CdashError, Server
from result_set import ResultSetError

# A tag with an empty text is not printed: of these, none may mean "".
MAY_BE_EMPTY = {"cold_by", "driver", "runtime"}


@dataclass(frozen=True)
class BuildTest:
    build: str
    date: str
    name: str
    tags: Mapping[str, str]


def query(project: str, build_name: str, site: str, builds: int) -> str:
    """Newest first. Literals, as the types of the filters have generated names."""
    project, name, at = (json.dumps(text, ensure_ascii=False)
                         for text in (project, build_name, site))
    return f"""query {{ project(name: {project}) {{
      builds(filters: {{all: [{{eq: {{name: {name}}}}},
                              {{has: {{site: {{eq: {{name: {at}}}}}}}}}]}},
             orderBy: [{{column: START_TIME, order: DESC}}], first: {builds}) {{ edges {{ node {{
        id startTime
        tests(filters: {{eq: {{status: PASSED}}}}, first: {PAGE}) {{
          edges {{ node {{ name
            testMeasurements(filters: {{all: [{{ne: {{name: "Processors"}}}}]}}) {{ name value }}
    }} }} }} }} }} }} }} }}"""


def history(server: Server, build_name: str, site: str, builds: int,
            note: Callable[[str], None]) -> list[BuildTest]:
    """All perf tests that passed; a test with two values for one tag is noted and left out."""
    project = server.address.project
    data = server.graphql(query(project, build_name, site, builds))
    if data.get("project") is None:
        raise CdashError(f"{server.address.url} shows no project {project!r}: does it exist, and "
                         "may the token's user read it?")
    found = []
    try:
        for build in (edge["node"] for edge in data["project"]["builds"]["edges"]):
            date = utc(build["startTime"], "startTime")
            tests = [edge["node"] for edge in build["tests"]["edges"]]
            if len(tests) >= PAGE:  # more may have been cut off
                raise CdashError(f"the build {build['id']} holds {PAGE} passed tests or more, "
                                 "which one query does not get: make the baseline from results")
            times = Counter(test["name"] for test in tests)
            for test in tests:
                name, values = test["name"], test["testMeasurements"]
                if not name.startswith("perf."):
                    continue
                tags = {str(m["name"]): str(m["value"]) for m in values}
                if times[name] > 1 or len(tags) != len({(m["name"], m["value"]) for m in values}):
                    note(f"build {build['id']}: {name}: was submitted twice: left out")
                    continue
                found.append(BuildTest(str(build["id"]), date, name, tags))
    except (KeyError, TypeError, AttributeError, ValueError) as e:
        raise CdashError(f"{server.address.url}/graphql: an answer of another shape ({e!r}): is "
                         "this a CDash of version 5?") from None
    if not found:
        raise CdashError(f"{server.address.url}: the project {project!r} has no passed perf test "
                         f"in a build {build_name!r} of the site {site!r}: are the names right?")
    return found


def latency(test: BuildTest) -> float | None:
    value = test.tags.get("latency_us")
    if value is None:
        return None
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number > 0):
        raise ResultSetError(f"build {test.build}: {test.name}: latency_us is {value!r}, which no "
                             "time can be: remove that build")
    return number


def measured(test: BuildTest, assumed: Mapping[str, str],
             note: Callable[[str], None]) -> Measured | None:
    tags = test.tags
    source = f"build {test.build}: {test.name}"
    median_us = latency(test)
    why = why_left_out(tags.get("verdict", "none"), median_us, tags.get("untrusted", ""),
                       tags.get("implausible", ""))
    if why:
        note(f"{source}: {why}: left out")
        return None
    assert median_us is not None
    told = {name: tags.get(name, assumed.get(name, "" if name in MAY_BE_EMPTY else None))
            for name in ASSUMABLE}
    # No device but a CPU has neither; a cold cache was reached somehow.
    if not test.name.startswith("perf.host."):
        told |= {name: tags.get(name, assumed.get(name)) for name in ("driver", "runtime")}
    if tags.get("cache") != "warm":
        told["cold_by"] = tags.get("cold_by", assumed.get("cold_by"))
    told |= {name: tags.get(name) for name in ("device", "method", "cache", "statistic")}
    for name, value in told.items():
        if value is None:
            remedy = (f", or say it: --assume {name}=..." if name in ASSUMABLE else "")
            raise ResultSetError(f"{source}: has no measurement {name!r}: submit with this "
                                 f"zl-bench{remedy}")
    if "stand-in" in told["device"].lower():
        raise ResultSetError(f"{source}: measured on {told['device']!r}, which stands in for a "
                             "device: its times say nothing about one")
    run = Run(median_us, told["method"], told["cache"], told["cold_by"], told["statistic"],
              told["schedule"], test.date)
    header = Header(told["device"], told["driver"], told["runtime"], told["harness_version"])
    key = case_key(test.name, told["schedule"], told["requested_cache"])
    return Measured(test.name, key, header, run, source)
