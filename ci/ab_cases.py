"""The cases of a build folder as ctest lists them, and which of them a run is about."""

import pathlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ab_input import InputError
from ctest_list import ListError, listing, properties

TIMEOUT_S = 300.0  # of a test that says nothing
# Tags, baselines and where the results go are CTest's affair; METHOD and the like are compiled in.
KEPT_FLAGS = ("--zl_case=", "--zl_timeout_s=", "--zl_op=", "--zl_columns=")


@dataclass(frozen=True)
class BuiltCase:
    """One perf test of one build, and how its executable is started."""

    name: str  # perf.<backend>.<op>.<impl>.<types>.<shape>
    command: tuple[str, ...]  # without --zl_result_dir
    # From `--` on, of a case that a command measures (docs/commands.md): what that does, the
    # executable does not tell.
    measured_by: tuple[str, ...] = field(default=(), kw_only=True)
    folder: pathlib.Path
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = TIMEOUT_S

    @property
    def executable(self) -> pathlib.Path:
        return pathlib.Path(self.command[0])


def list_cases(build: pathlib.Path) -> dict[str, BuiltCase]:
    if not (build / "CTestTestfile.cmake").is_file():
        raise InputError(f"{build}: not a build folder of zl-bench (no CTestTestfile.cmake): "
                         "configure and build it, or give a git ref")
    try:
        # CTest lists the fixtures of perf tests, too, as the doctor.
        cases = [built_case(test, build) for test in listing(build, "-L", "^perf$")
                 if test["name"].startswith("perf.")]
    except ListError as e:
        raise InputError(str(e)) from e
    if not cases:
        raise InputError(f"{build}: has no test labelled perf: is it configured with an op's "
                         "backend (ZL_BACKENDS)?")
    return {case.name: case for case in cases}


def built_case(test: dict, build: pathlib.Path) -> BuiltCase:
    known = properties(test)
    # A test whose executable is not built has no command, or one without a path.
    executable, *arguments = test.get("command", [""])
    flags = arguments.index("--") if "--" in arguments else len(arguments)
    kept = [a for a in arguments[:flags] if a.startswith(KEPT_FLAGS)]
    return BuiltCase(
        name=test["name"], command=(executable, *kept), measured_by=tuple(arguments[flags:]),
        folder=pathlib.Path(known.get("WORKING_DIRECTORY", build)),
        environment=dict(v.split("=", 1) for v in known.get("ENVIRONMENT", []) if "=" in v),
        timeout_s=float(known.get("TIMEOUT", TIMEOUT_S)))


def check_built(cases: Iterable[BuiltCase], build: pathlib.Path) -> None:
    """Only of the cases that are run: a build may be of single targets."""
    for case in cases:
        if not case.executable.is_file():
            raise InputError(f"{build}: {case.name} has no executable yet: build it first "
                             f"(cmake --build {build})")


def read_suspects(file: pathlib.Path, known: Iterable[str]) -> list[str]:
    """Test names, one a line; also as CTest's LastTestsFailed.log has them (`12:perf.host...`), or
    op/impl/types/shape. Empty lines and lines that start with # say nothing."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"{file}: cannot be read as a list of suspects: {e}") from e
    by_name: dict[str, list[str]] = {}
    for name in known:
        by_name.setdefault(name, []).append(name)
        _, _, *parts = name.split(".", 5)
        by_name.setdefault("/".join(parts), []).append(name)
    suspects: dict[str, None] = {}
    for number, line in enumerate(lines, 1):
        name = re.sub(r"^\d+:", "", line.strip())
        if not name or name.startswith("#"):
            continue
        if name not in by_name:
            if line.strip() != name and not name.startswith("perf."):
                continue  # another failed test in CTest's log
            raise InputError(f"{file}:{number}: neither build has a case {name!r}: give test names "
                             "as `ctest -N -L '^perf$'` lists them")
        suspects.update(dict.fromkeys(by_name[name]))
    if not suspects:
        raise InputError(f"{file}: names no case; without --suspects all cases are tested")
    return list(suspects)


def selected(names: Iterable[str], pattern: str | None) -> list[str]:
    """Those that `pattern` is found in, as ctest -R does."""
    names = list(names)
    if pattern is None:
        return names
    matcher = regex(pattern, "--filter")
    found = [name for name in names if matcher.search(name)]
    if not found:
        raise InputError(f"--filter {pattern!r}: matches none of the {len(names)} cases")
    return found


def regex(pattern: str, what: str) -> re.Pattern:
    try:
        return re.compile(pattern)
    except re.error as e:
        raise InputError(f"{what} {pattern!r}: not a regular expression: {e}") from e


def floors(names: Iterable[str], floor_pct: float, overrides: Iterable[str]) -> dict[str, float]:
    """`overrides`: REGEX=PCT; the last that matches a case counts, one that matches none is an
    error, because its author believes it to be in force."""
    found = dict.fromkeys(names, floor_pct)
    for override in overrides:
        pattern, _, text = override.rpartition("=")
        matcher = regex(pattern, "--floor-of")
        try:
            pct = float(text)
        except ValueError:
            pct = -1
        if not pattern or not 0 <= pct < 100:
            raise InputError(f"--floor-of {override!r}: not REGEX=PCT with a percentage from 0 to "
                             "100")
        matches = [name for name in found if matcher.search(name)]
        if not matches:
            raise InputError(f"--floor-of {override!r}: matches none of the {len(found)} cases")
        found.update(dict.fromkeys(matches, pct))
    return found
