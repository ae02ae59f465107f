"""python3 -m unittest discover ci

The stand-in answers with the shape that CDash 5.3 was seen to answer with: values are strings,
builds come newest first, a token alone opens no /graphql.
"""

import contextlib
import io
import json
import os
import pathlib
import re
import tempfile
import threading
import unittest
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

import baseline

TOKEN = "sesame-7f3"
TAGS = {"latency_us": "2.5", "cv_pct": "0.1", "method": "graph", "cache": "cold",
        "cold_by": "rotation", "capture": "clean", "verdict": "ok", "statistic": "median",
        "schedule": "adaptive", "requested_cache": "auto", "device": "NVIDIA H200",
        "driver": "580.1", "runtime": "13.0", "harness_version": "0.1.0"}
NAME = "perf.cuda.add.own.f32.4096"
KEY = f"{NAME}/adaptive/auto"


def test(name: str = NAME, **tags: str | None) -> dict:
    """A tag that is None is not there."""
    all_tags = {k: v for k, v in (TAGS | tags).items() if v is not None}
    return {"node": {"name": name,
                     "testMeasurements": [{"name": k, "value": v} for k, v in all_tags.items()]}}


def build(day: int, *tests: dict) -> dict:
    return {"id": str(100 + day), "startTime": f"2026-11-{day:02}T06:00:00+01:00",
            "tests": {"edges": list(tests)}}


class StandIn(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.answer(403, b"{}")
        self.answer(200, b"{}", ("Set-Cookie", "cdash_session=in; path=/; httponly"))

    def do_POST(self):
        query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["query"]
        self.server.queries.append(query)
        if self.server.raw is not None:
            return self.answer(*self.server.raw)
        if self.server.private and "cdash_session=in" not in self.headers.get("Cookie", ""):
            return self.answer(200, b'{"data": {"project": null}}')

        def asked(pattern: str) -> str:
            return json.loads(re.search(pattern + r'\s*("(?:[^"\\]|\\.)*")', query)[1])

        name, site = asked(r"\{eq: \{name:"), asked(r"site: \{eq: \{name:")
        first = int(re.search(r"DESC\}\], first: (\d+)", query)[1])
        builds = sorted(self.server.builds.get((name, site), []), key=lambda b: b["startTime"],
                        reverse=True)[:first]
        project = {"builds": {"edges": [{"node": b} for b in builds]}}
        self.answer(200, json.dumps({"data": {"project": project}}).encode())


class CdashHistory(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.file = pathlib.Path(temporary.name, "baseline.json")
        self.token = pathlib.Path(temporary.name, "token")
        self.token.write_text(TOKEN + "\n")
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
        self.server.builds, self.server.queries = {}, []
        self.server.raw, self.server.private = None, False
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        now = datetime(2026, 12, 1, tzinfo=UTC)
        for patch in (mock.patch.object(baseline, "now", lambda: now),
                      mock.patch.dict(os.environ)):
            patch.start()
            self.addCleanup(patch.stop)
        for variable in [v for v in os.environ if v.startswith("ZL_CDASH_")]:
            del os.environ[variable]

    def main(self, *builds: dict, name: str = "cuda-h200", site: str = "lab",
             flags: tuple[str, ...] = ()) -> tuple[int, str]:
        self.server.builds = {(name, site): list(builds)}
        err = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(err):
            code = baseline.main(["cdash", "--url", self.url, "--project", "zl", "--build-name",
                                  name, "--site", site, "-o", str(self.file), *flags])
        self.assertNotIn(TOKEN, out.getvalue() + err.getvalue())
        return code, err.getvalue()

    def runs(self, key: str = KEY) -> list[dict]:
        return json.loads(self.file.read_text())["cases"][key]["runs"]

    def test_each_build_becomes_a_run_oldest_first(self):
        code, _ = self.main(*(build(day, test(latency_us=f"{day}.5")) for day in (3, 1, 2)))
        self.assertEqual(code, 0)
        self.assertEqual([run["median_us"] for run in self.runs()], [1.5, 2.5, 3.5])
        self.assertEqual(self.runs()[0], {
            "median_us": 1.5, "method": "graph", "cache": "cold", "cold_by": "rotation",
            "statistic": "median", "schedule": "adaptive", "date": "2026-11-01T05:00:00Z"})
        head = json.loads(self.file.read_text())
        self.assertEqual([head[k] for k in ("device", "driver", "runtime", "harness_version")],
                         ["NVIDIA H200", "580.1", "13.0", "0.1.0"])

    def test_only_the_newest_builds_asked_for_count(self):
        self.main(*(build(day, test(latency_us=f"{day}.5")) for day in (1, 2, 3)),
                  flags=("--builds", "2"))
        self.assertEqual([run["median_us"] for run in self.runs()], [2.5, 3.5])

    def test_only_passed_tests_are_asked_for(self):
        self.main(build(1, test()))
        self.assertIn("tests(filters: {eq: {status: PASSED}}", self.server.queries[0])

    def test_names_with_quotes_and_braces_ask_for_just_that(self):
        name = 'a"}}]} é \\ \n'
        self.assertEqual(self.main(build(1, test()), name=name, site='s"')[0], 0)

    def test_a_changed_driver_begins_anew(self):
        code, err = self.main(build(1, test(driver="570")), build(2, test()))
        self.assertEqual((code, len(self.runs())), (0, 1))
        self.assertIn("driver '570' became '580.1'", err)

    def test_untrusted_results_and_other_tests_are_left_out(self):
        code, err = self.main(build(1, test(), test("perf.cuda.b.own.f32.1", untrusted="heat"),
                                    test("unit.x", latency_us=None)))
        self.assertEqual(code, 0)
        self.assertEqual(list(json.loads(self.file.read_text())["cases"]), [KEY])
        self.assertIn("build 101: perf.cuda.b.own.f32.1: untrusted: heat: left out", err)

    def test_a_test_that_was_submitted_twice_is_left_out(self):
        code, err = self.main(build(1, test(), test(latency_us="9")), build(2, test()))
        self.assertEqual((code, len(self.runs())), (0, 1))
        self.assertIn("was submitted twice", err)
        twice = test()
        twice["node"]["testMeasurements"].append({"name": "latency_us", "value": "9"})
        self.assertIn("was submitted twice", self.main(build(1, twice))[1])

    def test_a_missing_tag_is_asked_for(self):
        for tag in ("requested_cache", "schedule", "driver", "harness_version", "cold_by"):
            with self.subTest(tag):
                self.file.unlink(missing_ok=True)
                builds = build(1, test(**{tag: None}))
                code, err = self.main(builds)
                self.assertEqual(code, 2)
                self.assertIn(f"--assume {tag}=...", err)
                self.assertFalse(self.file.exists())
                self.assertEqual(self.main(builds, flags=("--assume", f"{tag}=x"))[0], 0)

    def test_a_warm_result_has_no_cold_by_and_a_cpu_no_driver(self):
        host = test("perf.host.add.own.f32.1", cache="warm", cold_by=None, driver=None,
                    runtime=None)
        self.assertEqual(self.main(build(1, host))[0], 0)
        self.assertEqual(self.runs("perf.host.add.own.f32.1/adaptive/auto")[0]["cold_by"], "")

    def test_values_that_no_time_can_be_are_refused(self):
        for value in ("nan", "inf", "-1", "0", "fast"):
            code, err = self.main(build(1, test(latency_us=value)))
            self.assertEqual(code, 2)
            self.assertIn(f"latency_us is '{value}'", err)

    def test_a_stand_in_is_refused(self):
        code, err = self.main(build(1, test(device="MUSA stand-in")))
        self.assertEqual(code, 2)
        self.assertIn("stands in for a device", err)

    def test_a_private_project_is_read_with_the_token(self):
        self.server.private = True
        code, err = self.main(build(1, test()))
        self.assertEqual(code, 4)
        self.assertIn("shows no project 'zl'", err)
        self.assertEqual(self.main(build(1, test()), flags=("--token-file", str(self.token)))[0], 0)
        self.assertNotIn(TOKEN, self.file.read_text())

    def test_a_server_that_answers_otherwise_is_no_baseline(self):
        for raw, says in (((500, b"oops"), "answered 500"), ((403, b""), "answered 403"),
                          ((200, b"<html>"), "no JSON"),
                          ((200, b'{"data": {"project": {"builds": 3}}}'), "another shape"),
                          ((200, b'{"errors": [{"message": "no field x"}]}'), "no field x")):
            self.server.raw = raw
            code, err = self.main(build(1, test()))
            self.assertEqual(code, 4)
            self.assertIn(says, err)
            self.assertFalse(self.file.exists())

    def test_a_server_that_is_down_is_no_baseline(self):
        self.url = "http://127.0.0.1:1"
        code, err = self.main()
        self.assertEqual(code, 4)
        self.assertIn("cannot be reached", err)

    def test_no_builds_of_that_name_are_an_error(self):
        code, err = self.main()
        self.assertEqual(code, 4)
        self.assertIn("are the names right?", err)

    def test_a_build_of_more_tests_than_a_page_is_an_error_not_a_part(self):
        code, err = self.main(build(1, *[test(f"perf.cuda.a.own.f32.{i}") for i in range(5000)]))
        self.assertEqual(code, 4)
        self.assertIn("holds 5000 passed tests or more", err)

    def test_no_url_is_a_usage_error(self):
        self.url = ""
        code, err = self.main()
        self.assertEqual(code, 2)
        self.assertIn("ZL_CDASH_URL", err)


if __name__ == "__main__":
    unittest.main()
