"""A small server that behaves as CDash 5.3 was seen to, for tests of what submits to it.

It takes CTest's parts, appends a second Test.xml of a build, deletes the build when one comes after
Done, shows what it holds through GraphQL, and can be told to answer 403 or 500, to lose a file
after answering 200, and to take its time. It also looks for the token where it must not be.
"""

import hashlib
import json
import pathlib
import re
import threading
import urllib.parse
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "t0k3n" + "".join(chr(c) for c in range(ord("a"), ord("u")))  # in no source as one word


@dataclass
class Build:
    id: int
    name: str
    site: str
    stamp: str
    tests: list[dict] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    done: bool = False


@dataclass
class FakeCdash:
    project: str = "zl-bench"
    private: bool = False  # shown to a session of a FULL_ACCESS token only
    full_access: bool = False
    status: dict[str, int] = field(default_factory=dict)  # part or "graphql" -> not 200
    lost: set[str] = field(default_factory=set)  # parts that are answered with 200 and dropped
    pages: set[str] = field(default_factory=set)  # parts answered with 200 and some web page
    late: int = 0  # GraphQL queries until a Test.xml shows, as with a queue
    page: int = 5000
    url: str = ""
    builds: list[Build] = field(default_factory=list)
    received: list[str] = field(default_factory=list)  # parts, in order, also refused ones
    queue: list[tuple[int, Build, list[dict]]] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)  # where else the token was
    queries: int = 0

    def look_for_token(self) -> None:
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            for file in ("cmdline", "environ"):
                try:
                    text = (process / file).read_bytes()
                except OSError:
                    continue
                if TOKEN.encode() in text:
                    self.seen.append(f"{process}/{file}")

    def build(self, name: str, site: str, stamp: str) -> Build:
        for build in self.builds:
            if (build.name, build.site, build.stamp) == (name, site, stamp):
                return build
        self.builds.append(Build(len(self.received) + 100, name, site, stamp))
        return self.builds[-1]

    def take(self, part: str, query: dict[str, str], xml: bytes) -> tuple[int, str]:
        self.received.append(part)
        self.look_for_token()
        if query.get("MD5") != hashlib.md5(xml, usedforsecurity=False).hexdigest():
            return 400, "md5 mismatch"
        if part in self.status:
            return self.status[part], "no"
        if query["project"] != self.project:
            return 404, "The requested project does not exist."
        build = self.build(query["build"], query["site"], query["stamp"])
        if part in self.lost:
            return 200, f"<buildId>{build.id}</buildId>"
        root = ElementTree.fromstring(xml)
        if part == "Done":
            named = [b for b in self.builds if str(b.id) == root.findtext("buildId")]
            assert len(named) == 1, "Done of an unknown build"
            named[0].done = True
            named[0].parts.append("Done")
            return 200, ""
        assert root.get("Name") == query["site"] and root.get("BuildName") == query["build"]
        if part == "Test":
            if build.done:
                self.builds.remove(build)
                build = self.build(build.name, build.site, build.stamp)
            if self.late:
                self.queue.append((self.queries + self.late, build, tests_of(root)))
            else:
                build.tests += tests_of(root)
        build.parts.append(part)
        return 200, f"<buildId>{build.id}</buildId>"

    def answer(self, query: str, session: bool) -> dict:
        assert query.count("{") == query.count("}"), query
        self.queries += 1
        for item in [item for item in self.queue if item[0] <= self.queries]:
            self.queue.remove(item)
            item[1].tests += item[2]
        texts = re.findall(r'(name|stamp|after): ("(?:[^"\\]|\\.)*")', query)
        project, name, stamp, site = (json.loads(text) for _, text in texts[:4])
        after = next((int(json.loads(text)) for key, text in texts if key == "after"), 0)
        if project != self.project or (self.private and not (session and self.full_access)):
            return {"project": None}
        edges = []
        for build in self.builds:
            if (build.name, build.site, build.stamp) == (name, site, stamp):
                end = after + self.page
                edges.append({"node": {"id": str(build.id), "tests": {
                    "pageInfo": {"hasNextPage": end < len(build.tests), "endCursor": str(end)},
                    "edges": [{"node": test} for test in build.tests[after:end]]}}})
        return {"project": {"builds": {"edges": edges}}}

    @contextmanager
    def serving(self) -> Iterator["FakeCdash"]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def reply(self, status: int, body: str, **headers: str) -> None:
                self.send_response(status)
                for key, value in headers.items():
                    self.send_header(key.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

            def body(self) -> bytes:
                return self.rfile.read(int(self.headers.get("Content-Length", "0")))

            def do_PUT(self) -> None:
                body = self.body()
                url = urllib.parse.urlsplit(self.path)
                query = {k: v[0] for k, v in urllib.parse.parse_qs(url.query).items()}
                part = query["FileName"].split("___")[-1].removesuffix(".xml")
                if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                    self.reply(403, f"Invalid Token: {self.headers.get('Authorization')}")
                    return
                status, text = fake.take(part, query, body)
                if part in fake.pages:
                    self.reply(200, "<!doctype html><title>Welcome<br>")
                elif status != 200:  # a careless server repeats the headers
                    self.reply(status, f"{text} {self.headers}")
                else:
                    self.reply(200, f"<cdash><status>OK</status><message></message>{text}</cdash>")

            def do_GET(self) -> None:
                if self.path.startswith("/api/v1/queryTests.php"):
                    self.reply(200, "{}", Set_Cookie="session=s3ssion; path=/")
                else:
                    self.reply(404, "")

            def do_POST(self) -> None:
                query = json.loads(self.body())["query"]
                if "graphql" in fake.status:
                    self.reply(fake.status["graphql"], f"no {self.headers}")
                else:
                    session = "session=s3ssion" in self.headers.get("Cookie", "")
                    self.reply(200, json.dumps({"data": fake.answer(query, session)}))

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def tests_of(root: ElementTree.Element) -> list[dict]:
    status = {"passed": "PASSED", "failed": "FAILED", "notrun": "NOT_RUN"}
    found = []
    for test in root.iter("Test"):
        if test.get("Status"):
            values = [m.findtext("Value") for m in test.iter("NamedMeasurement")
                      if m.get("name") == "latency_us"]
            found.append({"name": test.findtext("Name"), "status": status[test.get("Status", "")],
                          "testMeasurements": [{"value": value} for value in values]})
    return found
