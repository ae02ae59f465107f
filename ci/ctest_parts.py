"""The XML files that a dashboard run of CTest leaves in <build>/Testing/<tag>: its parts.

CTest writes a build's name into every part from the configure step on, but which device it measured
is known only afterwards: the parts are given their identity here, when they are collected.
"""

import pathlib
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

from shown_text import xml as xml_text

PARTS = ("Configure", "Build", "Test")
COMPILERS = {"GNU": "gcc", "Clang": "clang", "AppleClang": "clang", "NVIDIA": "nvcc",
             "IntelLLVM": "icpx"}


class PartsError(Exception):
    """The parts cannot be submitted; the message says why and what to do."""


@dataclass(frozen=True)
class Identity:
    """What makes a build one to CDash, next to the project."""

    site: str
    name: str
    stamp: str


@dataclass(frozen=True, order=True)
class Test:
    name: str
    status: str  # passed, failed, notrun
    latency_us: str  # as printed; "" where none was measured


@dataclass(frozen=True)
class TestPart:
    tests: tuple[Test, ...]
    devices: tuple[str, ...]  # every name that a test gave, sorted

    @property
    def measured(self) -> int:
        return sum(1 for test in self.tests if test.latency_us)


def newest_tag(build: pathlib.Path) -> str:
    try:
        return (build / "Testing" / "TAG").read_text(encoding="utf-8").splitlines()[0]
    except (OSError, IndexError, UnicodeDecodeError):
        raise PartsError(f"{build}: no Testing/TAG: run `ctest -S ci/dashboard.cmake,<preset>` or "
                         "`ctest -T Test` first") from None


def read_parts(build: pathlib.Path, tag: str) -> dict[str, bytes]:
    folder = build / "Testing" / tag
    parts = {part: (folder / f"{part}.xml").read_bytes()
             for part in PARTS if (folder / f"{part}.xml").is_file()}
    if not parts:
        raise PartsError(f"{folder}: none of {', '.join(f'{p}.xml' for p in PARTS)}")
    return parts


def parsed(xml: bytes, where: str) -> ElementTree.Element:
    try:
        root = ElementTree.fromstring(xml)
    except ElementTree.ParseError as e:
        raise PartsError(f"{where}: not complete XML ({e}): CDash would lose it; was the run cut "
                         "off? Measure again") from None
    if root.tag != "Site" or not root.get("BuildStamp"):
        raise PartsError(f"{where}: not one of CTest's files: no <Site> with a BuildStamp")
    return root


def read_test_part(xml: bytes, where: str = "Test.xml") -> TestPart:
    tests = []
    devices = set()
    for test in parsed(xml, where).iter("Test"):
        if test.get("Status") is None:
            continue  # an entry of the TestList
        values = {m.get("name", ""): m.findtext("Value") or ""
                  for m in test.iter("NamedMeasurement")}
        tests.append(Test(test.findtext("Name") or "", test.get("Status", ""),
                          values.get("latency_us", "")))
        if values.get("device"):
            devices.add(values["device"])
    return TestPart(tuple(tests), tuple(sorted(devices)))


def refuse_stand_in(part: TestPart, where: str) -> None:
    for device in part.devices:
        if "stand-in" in device.lower():
            raise PartsError(f"{where}: measured on {device!r}, which stands in for a device: its "
                             "times say nothing about one and are not submitted")


def with_identity(xml: bytes, identity: Identity, where: str) -> bytes:
    """The part under another identity; nothing but the three attributes changes."""
    parsed(xml, where)
    start = xml.index(b"<Site")
    head_end = re.compile(rb"""<Site(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""").match(
        xml, start).end()
    head = xml[start:head_end]
    for key, value in (("BuildName", identity.name), ("Name", identity.site),
                       ("BuildStamp", identity.stamp)):
        attribute = f'{key}="{xml_text(value)}"'.encode()
        head, count = re.subn(rf"""(?<=\s){key}\s*=\s*(?:"[^"]*"|'[^']*')""".encode(),
                              lambda _: attribute, head)
        if count != 1:
            raise PartsError(f"{where}: no attribute {key} in <Site>")
    return xml[:start] + head + xml[head_end:]


def word(text: str) -> str:
    """For a build name: no blanks, and nothing that a URL or a filter would change."""
    plain = text.replace("(R)", "").replace("(TM)", "")
    return re.sub(r"[^A-Za-z0-9.]+", "_", plain).strip("_")[:80]


def compiler(build: pathlib.Path) -> str:
    """Of the kernels, with its major version only: an update of it is a step in the same plot."""
    for language in ("CUDA", "CXX", "C"):
        for file in sorted(build.glob(f"CMakeFiles/*/CMake{language}Compiler.cmake")):
            text = file.read_text(encoding="utf-8", errors="replace")
            known = dict(re.findall(
                rf'set\(CMAKE_{language}_COMPILER_(ID|VERSION) "([^"]*)"\)', text))
            if known.get("ID"):
                name = COMPILERS.get(known["ID"], known["ID"].lower())
                return word(name + known.get("VERSION", "").split(".")[0])
    return "no_compiler"


def build_name(build: pathlib.Path, preset: str, part: TestPart | None) -> str:
    """<backend>-<device>-<compiler>; neither a commit nor a date, as plots are keyed on it."""
    tests = part.tests if part else ()
    devices = part.devices if part else ()
    backends = {t.name.split(".")[1] for t in tests if t.name.startswith("perf.") and "." in t.name}
    backend = backends.pop() if len(backends) == 1 else preset
    if len(devices) > 1:
        raise PartsError(
            f"measured on several devices ({', '.join(map(repr, devices))}): choose one, as with "
            "CUDA_VISIBLE_DEVICES, or name them as one build with ZL_CDASH_BUILD_NAME")
    remembered = build / "zl-build-name"
    if not devices:
        # Nothing was measured: the same row of the dashboard should show it.
        try:
            return remembered.read_text(encoding="utf-8").strip() or f"{word(backend)}-no_device"
        except OSError:
            return f"{word(backend)}-no_device-{compiler(build)}"
    return f"{word(backend)}-{word(devices[0]) or 'device'}-{compiler(build)}"
