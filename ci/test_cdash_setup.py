"""python3 -m unittest discover ci: ci/cdash/setup.py against a server on loopback."""

import contextlib
import importlib.util
import io
import json
import pathlib
import stat
import tempfile
import threading
import unittest
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

spec = importlib.util.spec_from_file_location(
    "cdash_setup", pathlib.Path(__file__).parent / "cdash" / "setup.py")
setup = importlib.util.module_from_spec(spec)
spec.loader.exec_module(setup)

PASSWORD = "pa55-" + "w" * 8
RAW_TOKEN = "raw-" + "7" * 20


class FakeServer:
    """Login with a CSRF cookie, and the mutations, as CDash 5 declares them."""

    def __init__(self) -> None:
        self.project: dict | None = None
        self.groups: list[str] = []
        self.tokens: list[dict] = []
        self.refuse = ""

    def graphql(self, query: str, given: dict) -> dict:
        if "{ me {" in query:
            return {"me": {"id": "1"}}
        if query.startswith("query"):
            if self.project is None:
                return {"project": None}
            edges = [{"node": {"name": name}} for name in self.project["pins"]]
            return {"project": {"id": "4", "visibility": self.project["visibility"],
                                "pinnedTestMeasurements": {"edges": edges}}}
        name = query.split("{ ", 1)[1].split("(", 1)[0]
        if name == self.refuse:
            return {name: {"message": "This action is unauthorized."}}
        if name == "createProject":
            self.project = {**given, "pins": []}
            return {name: {"id": "4"}}
        if name == "createPinnedTestMeasurement":
            assert given["projectId"] == "4" and self.project
            self.project["pins"].append(given["name"])
            return {name: {"message": None}}
        assert name == "createAuthenticationToken"
        self.tokens.append(given)
        return {name: {"message": None, "rawToken": RAW_TOKEN}}

    @contextlib.contextmanager
    def serving(self) -> Iterator[str]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def reply(self, status: int, body: str, *cookies: str) -> None:
                self.send_response(status)
                for cookie in cookies:
                    self.send_header("Set-Cookie", f"{cookie}; path=/; httponly")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def do_GET(self) -> None:
                self.reply(200, "<form>", "XSRF-TOKEN=a%3D", "cdash_session=guest")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                session = self.headers.get("Cookie", "")
                if self.headers.get("X-XSRF-TOKEN") != "a=":
                    self.reply(419, "Page Expired")
                elif self.path == "/login":
                    right = body == f"email=me%40example.org&password={PASSWORD}"
                    self.reply(302 if right else 401, "", *["cdash_session=in"] * right)
                elif "cdash_session=in" not in session:
                    self.reply(401, "")
                elif self.path == "/graphql":
                    asked = json.loads(body)
                    data = fake.graphql(asked["query"], asked["variables"].get("input", {}))
                    self.reply(200, json.dumps({"data": data}))
                else:
                    group = json.loads(body)["newbuildgroup"]
                    self.reply(200 if group in fake.groups else 201, "{}")
                    fake.groups += [group] * (group not in fake.groups)

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


class Setup(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.token = self.folder / "token"
        self.output = ""

    def run_setup(self, url: str, *more: str, password: str = PASSWORD) -> int:
        (self.folder / "password").write_text(password + "\n")
        text = io.StringIO()
        with contextlib.redirect_stderr(text), contextlib.redirect_stdout(text):
            code = setup.main(["--url", url, "--email", "me@example.org",
                               "--password-file", str(self.folder / "password"),
                               "--token-file", str(self.token), *more])
        self.output = text.getvalue()
        for secret in (password, RAW_TOKEN):
            self.assertNotIn(secret, self.output)
        return code

    def test_project_group_pins_and_a_token_that_only_its_owner_reads(self) -> None:
        fake = FakeServer()
        with fake.serving() as url:
            self.assertEqual(self.run_setup(url), 0, self.output)
        assert fake.project
        self.assertEqual((fake.project["name"], fake.project["visibility"],
                          fake.project["authenticateSubmissions"]), ("zl-bench", "PUBLIC", True))
        self.assertEqual(fake.project["pins"][0], "latency_us")
        self.assertEqual(fake.groups, ["Perf"])
        self.assertEqual([(t["scope"], t["projectId"]) for t in fake.tokens],
                         [("SUBMIT_ONLY", "4")])
        self.assertEqual(self.token.read_text(), RAW_TOKEN + "\n")
        self.assertEqual(stat.S_IMODE(self.token.stat().st_mode), 0o600)

    def test_a_second_run_changes_nothing(self) -> None:
        fake = FakeServer()
        with fake.serving() as url:
            self.run_setup(url)
            self.assertEqual(self.run_setup(url), 0, self.output)
        assert fake.project
        self.assertEqual(fake.project["pins"], list(setup.PINNED))
        self.assertEqual((len(fake.tokens), fake.groups), (1, ["Perf"]))

    def test_a_private_project_gets_a_token_that_can_read_it(self) -> None:
        fake = FakeServer()
        with fake.serving() as url:
            self.assertEqual(self.run_setup(url, "--private"), 0, self.output)
        assert fake.project
        self.assertEqual((fake.project["visibility"], fake.tokens[0]["scope"]),
                         ("PRIVATE", "FULL_ACCESS"))

    def test_what_the_server_refuses_is_said_and_can_be_tried_again(self) -> None:
        fake = FakeServer()
        with fake.serving() as url:
            self.assertEqual(self.run_setup(url, password="another"), 2)
            self.assertIn("are e-mail and password right?", self.output)
            fake.refuse = "createAuthenticationToken"
            self.assertEqual(self.run_setup(url), 2)
            self.assertIn("createAuthenticationToken: This action is unauthorized.", self.output)
            fake.refuse = ""
            self.assertEqual(self.run_setup(url), 0, self.output)
        self.assertEqual(self.token.read_text(), RAW_TOKEN + "\n")


if __name__ == "__main__":
    unittest.main()
