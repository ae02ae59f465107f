"""One Test.xml out of those of several CTest runs of one build, as if one run had been them all."""

import pathlib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping
from operator import itemgetter

from ctest_parts import PartsError, parsed


def merged(parts: Mapping[pathlib.Path, Iterable[str]], stamp: str, build: pathlib.Path) -> bytes:
    """`parts`: of each Test.xml the tests that count; each must be in it once. Any other test in
    them is a fixture, which ran in several: of each name the first that did not pass, else the
    first. Where tests lie is told relative to `build`, as CTest does there.
    """
    head: dict[str, str] = {}
    tests: list[ElementTree.Element] = []
    fixtures: dict[str, ElementTree.Element] = {}
    every = {name for names in parts.values() for name in names}
    begins: list[tuple[int, ElementTree.Element]] = []
    ends: list[tuple[int, ElementTree.Element]] = []
    for file, names in parts.items():
        found = parsed(read(file), str(file))
        testing = found.find("Testing")
        if testing is None:
            raise PartsError(f"{file}: not a Test.xml: no <Testing> in it")
        begins.append((time_of(testing, "StartTestTime", file), testing))
        ends.append((time_of(testing, "EndTestTime", file), testing))
        wanted = set(names)
        here = []
        for test in testing.findall("Test"):
            name = test.findtext("Name") or ""
            if name in wanted:
                here.append(test)
            elif name not in every and (name not in fixtures or
                                        passed(fixtures[name]) and not passed(test)):
                fixtures[name] = test
        if sorted(test.findtext("Name") or "" for test in here) != sorted(wanted):
            raise PartsError(f"{file}: holds {len(here)} of the {len(wanted)} tests that it is to "
                             "have, each once: was it changed?")
        tests += here
        head = head or {**found.attrib, "BuildStamp": stamp}
    if not head:
        raise PartsError("no Test.xml to merge")

    root = ElementTree.Element("Site", head)
    testing = ElementTree.SubElement(root, "Testing")
    begin, end = min(begins, key=itemgetter(0)), max(ends, key=itemgetter(0))
    add(testing, "StartDateTime", begin[1].findtext("StartDateTime") or "")
    add(testing, "StartTestTime", str(begin[0]))
    names_of_all = ElementTree.SubElement(testing, "TestList")
    for test in [*fixtures.values(), *tests]:
        for key in ("Path", "FullName"):
            if (element := test.find(key)) is not None:
                element.text = relative(element.text or "", str(build))
        add(names_of_all, "Test", test.findtext("FullName") or "")
        testing.append(test)
    add(testing, "EndDateTime", end[1].findtext("EndDateTime") or "")
    add(testing, "EndTestTime", str(end[0]))
    add(testing, "ElapsedMinutes", f"{(end[0] - begin[0]) / 60:.6g}")
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def read(file: pathlib.Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as e:
        raise PartsError(f"{file}: cannot be read: {e.strerror}") from None


def passed(test: ElementTree.Element) -> bool:
    return test.get("Status") == "passed"


def time_of(testing: ElementTree.Element, key: str, file: pathlib.Path) -> int:
    try:
        return int(testing.findtext(key) or "")
    except ValueError:
        raise PartsError(f"{file}: {key} is no time") from None


def add(to: ElementTree.Element, tag: str, text: str) -> None:
    ElementTree.SubElement(to, tag).text = text


def relative(path: str, build: str) -> str:
    return f".{path[len(build):]}" if path == build or path.startswith(f"{build}/") else path
