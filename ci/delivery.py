"""Brings one build onto a CDash server, and knows that it is there.

CDash appends a second Test.xml of the same build without a look at what is there, deletes the build
when one comes after Done, and may answer 200 and lose the file. So: ask what it holds, send only
what is missing, ask again until it holds exactly the tests that were run, end the build with Done.
"""

import time
from collections import Counter
from collections.abc import Callable

from cdash_server import CdashError, HeldBuild, Server
from ctest_parts import Identity, Test, read_test_part, refuse_stand_in
from spool import Entry


def comparable(tests: Counter[Test]) -> Counter[tuple[str, str, float | str]]:
    """Whatever way a number is spelt: CDash stores texts."""

    def value(text: str) -> float | str:
        try:
            return float(text)
        except ValueError:
            return text

    counted: Counter[tuple[str, str, float | str]] = Counter()
    for test, count in tests.items():
        counted[(test.name, test.status, value(test.latency_us))] += count
    return counted


def holds(held: HeldBuild | None, ran: Counter[Test]) -> bool:
    return held is not None and comparable(held.tests) == comparable(ran)


def difference(held: HeldBuild | None, ran: Counter[Test]) -> str:
    if held is None:
        return "it has no such build"
    there, run = comparable(held.tests), comparable(ran)
    missing, extra = run - there, there - run
    texts = []
    if missing:
        texts.append(f"it lacks {missing.total()} of {run.total()} tests, as "
                     f"{min(missing, key=lambda t: t[0])[0]!r}")
    if extra:
        texts.append(f"it has {extra.total()} that were not run or differ, as "
                     f"{min(extra, key=lambda t: t[0])[0]!r}")
    return " and ".join(texts)


def deliver(server: Server, entry: Entry, wait_s: float,
            tell: Callable[[str], None] = lambda text: None) -> HeldBuild:
    """Returns when the server holds the build; a CdashError leaves it to be delivered again."""
    parts = entry.parts()
    ran: Counter[Test] = Counter()
    if "Test" in parts:
        where = str(entry.folder / "Test.xml")
        test_part = read_test_part(parts["Test"], where)
        refuse_stand_in(test_part, where)
        ran = Counter(test_part.tests)
    identity = entry.identity

    held = server.held(identity)
    if "Test" in parts and holds(held, ran):
        tell("the server holds it already")
    else:
        order = list(parts)
        if held is not None and "Test" in parts:
            # Left by a try that was cut off. After Done a Test.xml replaces instead of appending.
            tell(f"the server holds another state of it ({difference(held, ran)}): replacing that")
            server.put_done(identity, held.id)
            order.sort(key=lambda part: part != "Test")
        for part in order:
            tell(f"sending {part}.xml, {len(parts[part]) / 1024:.0f} KiB")
            server.put_part(identity, part, parts[part])
        held = wait_until_held(server, identity, ran, wait_s, tell)
    server.put_done(identity, held.id)
    held = server.held(identity)
    if held is None or not holds(held, ran):
        raise CdashError("after Done the server no longer holds the build: "
                         f"{difference(held, ran)}")
    return held


def wait_until_held(server: Server, identity: Identity, ran: Counter[Test], wait_s: float,
                    tell: Callable[[str], None]) -> HeldBuild:
    """A server with a queue takes its time."""
    end = time.monotonic() + wait_s
    pause = 0.1
    tell("asking the server for its tests")
    while True:
        held = server.held(identity)
        if held is not None and holds(held, ran):
            return held
        if time.monotonic() + pause > end:
            raise CdashError(
                f"{server.address.url} said that it accepted the parts, but {wait_s:g} s later "
                f"{difference(held, ran)}: it lost a file, or its queue is longer than that "
                "(ZL_CDASH_WAIT_S)")
        time.sleep(pause)
        pause = min(2 * pause, 5)
